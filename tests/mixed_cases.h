/* One mesh as models of every hierarchy, for tests of pairs that have different ones. Everything here asserts that it
 * works. */
#ifndef TUMBLE_TESTS_MIXED_CASES_H
#define TUMBLE_TESTS_MIXED_CASES_H

#include "scenes.h"

/* Brute force comes first. The last one is an R-tree that was edited, with the mesh's polygons. */
enum {
    MIXED_KINDS = 12,
    MIXED_BRUTE = 0,
    MIXED_WIDE = 1,
    MIXED_EDITED = MIXED_KINDS - 1
};

const char *mixed_name(size_t kind);

typedef struct mixed_family {
    tumble_model *models[MIXED_KINDS];
} mixed_family;

mixed_family mixed_make(tumble_context *context, const models_mesh *mesh);
void mixed_free(mixed_family *family);

/* A turn, a scale, and then a shift. */
tumble_pose mixed_pose(test_random *random, double scale, double x, double y, double z);

/* All that a query tells, in every mode: what it found, and where. */
typedef struct mixed_answers {
    tumble_status status;
    int collide, collide_by_test, collide_by_first;
    tumble_pair first;
    uint64_t counted;
    tumble_pair *pairs;
    size_t pair_count;
    tumble_contact *contacts;
    size_t contact_count;
    tumble_surface_pair *surfaces; /* of mode SURFACES; the polygons that stand for them are set to 0 */
    size_t surface_count;
    tumble_counters counters; /* of mode ALL */
} mixed_answers;

mixed_answers mixed_ask(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                        const tumble_pose *pose_b, double clearance);
void mixed_free_answers(mixed_answers *answers);

/* Fails unless two queries were told the same, to the byte but for which pair came first. */
void mixed_assert_same(const mixed_answers *found, const mixed_answers *expected, const char *format, ...);

#endif
