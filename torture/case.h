/* A case: two shapes, where they stand, how models are made of them, and questions about these. Plain data, made from a
 * seed, so that it can be copied, simplified and written down. */
#ifndef TUMBLE_TORTURE_CASE_H
#define TUMBLE_TORTURE_CASE_H

#include "support.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

enum {
    TORTURE_POLYGONS = 1200,
    TORTURE_CORNERS = 3600,
    TORTURE_POSES = 6,
    TORTURE_RECIPES = 6,
    TORTURE_QUESTIONS = 320,
    TORTURE_PLACES = 4,
    TORTURE_LEVELS = 3
};

/* ---- Shapes ---- */

typedef struct torture_polygon {
    uint32_t first, size; /* its corners */
    uint32_t surface;
} torture_polygon;

typedef struct torture_shape {
    size_t polygon_count, corner_count;
    torture_polygon polygons[TORTURE_POLYGONS];
    double corners[TORTURE_CORNERS][3]; /* one polygon after the other */
} torture_shape;

/* Appends a polygon; without effect when there is no room. */
void torture_add_polygon(torture_shape *shape, const double (*corners)[3], uint32_t size, uint32_t surface);

/* Without polygon `index`. */
void torture_drop_polygon(torture_shape *shape, size_t index);

/* A view for the library of polygons `from` to `to` - 1. Points with equal bits are shared if `merged`. The arrays are
 * those of `arrays` and live as long. */
typedef struct torture_arrays {
    double points[TORTURE_CORNERS][3];
    uint32_t indices[TORTURE_CORNERS], sizes[TORTURE_POLYGONS], surfaces[TORTURE_POLYGONS];
} torture_arrays;
tumble_mesh torture_view(const torture_shape *shape, size_t from, size_t to, int merged, torture_arrays *arrays);

/* Whether all polygons are triangles. */
int torture_only_triangles(const torture_shape *shape);

/* ---- Models ---- */

/* How a model comes to be. Its polygons are those of the shape in the end. */
#define TORTURE_LIFE_LIST(X)                                                     \
    X(FRESH, "fresh")                                                            \
    X(COPIED, "block copied")     /* tumble_model_from_block, copied */          \
    X(IN_PLACE, "block in place") /* ... used where it lies */                   \
    X(SAVED, "saved and loaded")                                                 \
    X(DEFORMED, "deformed")         /* made at other points, then moved */       \
    X(REDEFORMED, "deformed twice") /* ... there and back, in the same memory */ \
    X(EDITED, "edited")             /* made in parts, with some that go again */ \
    X(EDITED_SAVED, "edited, saved and loaded")

typedef enum torture_life {
#define TORTURE_LIFE_ENUM(name, text) TORTURE_##name,
    TORTURE_LIFE_LIST(TORTURE_LIFE_ENUM) TORTURE_LIVES
#undef TORTURE_LIFE_ENUM
} torture_life;

typedef struct torture_recipe {
    tumble_hierarchy hierarchy;
    int tuned; /* whether `tuning` is passed */
    tumble_tuning tuning;
    torture_life life;
    int merged;     /* equal points are one */
    int as_float;   /* points are passed as float, where that loses nothing */
    uint32_t split; /* edited: so many polygons first, the others inserted; deformed: which motion */
    double guest;   /* edited: the size of triangles that are inserted and removed again; 0: none */
    uint32_t guest_count;
} torture_recipe;

/* The triangle that is inserted and removed again, and the point from which a deformed model's corner comes. */
void torture_guest(const torture_recipe *recipe, uint32_t number, double corners[3][3]);
void torture_rest_point(const torture_recipe *recipe, size_t corner, double point[3]);

/* ---- Questions ---- */

#define TORTURE_KIND_LIST(X)  \
    X(COLLIDE, "collide")     \
    X(CLEARANCE, "clearance") \
    X(DISTANCE, "distance")   \
    X(WITHIN, "within")       \
    X(COHERENT, "coherent")   \
    X(BUDGET, "budget")       \
    X(NEAR_LIST, "near list") \
    X(RELATE, "relate")       \
    X(FACTS, "facts")         \
    X(RAY, "ray")             \
    X(INSIDE, "inside")       \
    X(CLOSEST, "closest")     \
    X(OVERLAP, "overlap")     \
    X(SELF, "self")           \
    X(RADIUS, "radius")       \
    X(POOL, "pool")           \
    X(OPENCL, "opencl")       \
    X(COL, "col.h")

typedef enum torture_kind {
#define TORTURE_KIND_ENUM(name, text) TORTURE_ASK_##name,
    TORTURE_KIND_LIST(TORTURE_KIND_ENUM) TORTURE_KINDS
#undef TORTURE_KIND_ENUM
} torture_kind;

const char *torture_kind_name(torture_kind kind);
const char *torture_life_name(torture_life life);

/* A limit: a number, or the distance of two triangles, which is found out when the question is asked and then stands in
 * `value`. */
typedef struct torture_limit {
    double value;
    int is_known;
    uint32_t triangle_a, triangle_b; /* modulo their number */
    int steps;                       /* so many representable numbers beside it */
} torture_limit;

typedef struct torture_question {
    torture_kind kind;
    uint32_t recipe[2], pose;
    uint32_t level;   /* of SIMD: 0 scalar, 1 AVX2, 2 AVX-512 */
    uint32_t threads; /* that ask the same at a time, at least 1 */
    int tuned;        /* whether `tuning` is passed */
    tumble_tuning tuning;

    tumble_mode mode;
    torture_limit clearance;
    int want_contacts, want_surfaces;
    int has_array; /* of `capacity` items */
    uint32_t capacity;
    int has_callback; /* which stops with item number `stop_at`, if that is not 0 */
    uint32_t stop_at;

    double relative_error, absolute_error;
    torture_limit within, enough;
    int want_pairs;
    tumble_coherence coherence;
    uint64_t budget;

    uint32_t checks; /* of a batch: poses from `pose` on, in turn */
    int without_doubles, on_cpu;
    uint32_t copies; /* of each model on a device, which its checks use in turn */
    int is_tight;    /* an OpenCL device has memory for three of them */

    /* Of model A alone; `clearance` and `within` are limits of these too, the latter from places[0]. */
    uint32_t place_count;             /* rays or points; a single one is asked about alone unless `is_batch` */
    double places[TORTURE_PLACES][3]; /* where rays start, points, the centre of a ball */
    double ways[TORTURE_PLACES][3];   /* of rays */
    double range[2];                  /* of t */
    double extents[3];                /* half the sides of a box, which stands as B does */
    uint32_t wanted, rings;           /* polygons nearest to a point; neighbours that do not count */
    int is_batch, by_winding, want_sign, is_box, is_soup;

    /* Models with a radius: `clearance` is the sum of all, these are the shares of A's and B's radius in it, and `rest`
     * is the clearance that is left, once it is known. */
    double shares[2], rest;
} torture_question;

typedef struct torture_case {
    uint64_t seed;
    torture_shape shapes[2];
    size_t pose_count;
    tumble_pose poses[TORTURE_POSES][2];
    int has_pose[TORTURE_POSES][2]; /* else NULL is passed */
    size_t recipe_count[2];
    torture_recipe recipes[2][TORTURE_RECIPES];
    size_t question_count;
    torture_question questions[TORTURE_QUESTIONS];
} torture_case;

const tumble_pose *torture_pose(const torture_case *c, size_t pose, int side);

/* ---- From a seed ---- */

/* What kind of shapes: most are soups, the others are larger and made for a purpose. */
#define TORTURE_SCENE_LIST(X)                                          \
    X(SOUP, "soup")     /* few polygons that have much in common */    \
    X(COMBS, "combs")   /* many triangles that all meet each other */  \
    X(STAIRS, "stairs") /* many pairs that are all but equally near */ \
    X(BALLS, "balls")   /* one ball in or beside another */            \
    X(SETS, "sets")     /* the adversarial sets of tests/sets.h */

typedef enum torture_scene {
#define TORTURE_SCENE_ENUM(name, word) TORTURE_SCENE_##name,
    TORTURE_SCENE_LIST(TORTURE_SCENE_ENUM) TORTURE_SCENES
#undef TORTURE_SCENE_ENUM
} torture_scene;

torture_scene torture_scene_of(uint64_t seed);

void torture_make_case(torture_case *c, uint64_t seed, int with_opencl);
#endif
