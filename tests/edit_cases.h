/* Random edits of a model, and what it should have afterwards. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_EDIT_CASES_H
#define TUMBLE_TESTS_EDIT_CASES_H

#include "editing.h"

enum {
    EDIT_CORNERS_MOST = 6
};

typedef struct shadow_polygon {
    uint32_t number, surface, size;
    double corners[EDIT_CORNERS_MOST][3];
} shadow_polygon;

/* In the order of their numbers. */
typedef struct shadow {
    shadow_polygon *items;
    size_t count, capacity;
    uint32_t limit;
} shadow;

typedef enum edit_kind {
    EDIT_SOUP,    /* small triangles and larger polygons, doubles */
    EDIT_LATTICE, /* whole numbers: float, many equal corners, touching, degenerate */
    EDIT_SIZES,   /* from tiny to huge, far apart */
    EDIT_KINDS
} edit_kind;

typedef struct edit_case {
    test_world *w;
    test_random random;
    edit_kind kind;
    shadow shadow;
    tumble_model_options options;
    tumble_model *model, *probe, *brute_probe;
} edit_case;

typedef enum edit_job {
    EDIT_INSERT_ONE,
    EDIT_INSERT_MANY,
    EDIT_INSERT_SURFACES,
    EDIT_REMOVE_SOME,
    EDIT_REMOVE_SURFACE,
    EDIT_JOBS
} edit_job;

/* A model that is empty or not, to be edited, and one to compare it with; NULL: R-trees, of any load. */
void edit_begin(edit_case *e, test_world *w, uint64_t seed, edit_kind k, const tumble_model_options *options);
void edit_end(edit_case *e);

void edit_insert(edit_case *e, size_t count, uint32_t surfaces);
void edit_remove(edit_case *e, size_t count);
void edit_remove_surface(edit_case *e);
void edit_randomly(edit_case *e);

/* Fails unless all is as if the model had been made of its polygons. */
void edit_compare(edit_case *e);

tumble_model *edit_copy(edit_case *e, const tumble_model *model);
void edit_mesh(const shadow *s, models_mesh *mesh);
void edit_random_polygon(test_random *random, edit_kind k, uint32_t surfaces, shadow_polygon *out);
void edit_append_polygon(models_mesh *mesh, const shadow_polygon *polygon);
void edit_remember(shadow *s, const shadow_polygon *polygon);
void edit_forget(shadow *s, size_t at);

/* Does one edit, in which the allocation of this number fails, and all that follow or not. */
tumble_status edit_try(edit_case *e, edit_job j, size_t failing, int forever, size_t *failures);

#endif
