/* What is measured: two meshes, or one and its copy, as the models that the variants need. */
#ifndef TUMBLE_BENCH_SUBJECT_H
#define TUMBLE_BENCH_SUBJECT_H

#include "models.h"
#include "variant.h"

typedef struct bench_contestant {
    const bench_variant *variant;
    tumble_context *context;     /* shared by all that use the same instruction set */
    tumble_model *model, *flyer; /* A and B; shared where nothing differs in how they are made */
    tumble_query *query;
    tumble_model_info info, flyer_info;
} bench_contestant;

/* All models of a subject. */
typedef struct bench_made_model {
    int mesh; /* 0: the first, 1: the second */
    tumble_model_options options;
    tumble_simd simd;
    tumble_model *model;
} bench_made_model;

typedef struct bench_subject {
    const char *shape;
    size_t triangle_count;
    bench_contestant *contestants; /* one a variant */
    size_t count;
    tumble_context *contexts[TUMBLE_SIMD_AVX512 + 1];
    bench_made_model *models;
    size_t model_count;
} bench_subject;

/* The shape with about `triangles` triangles, rounded to float coordinates, in a cube of side 2. */
models_mesh bench_make_mesh(const char *shape, size_t triangles, double seed);

/* Two copies of such a shape. */
bench_subject bench_subject_create(const char *shape, size_t triangles, double seed, const bench_variants *variants);

/* Two meshes, the second of which will move; they may be the same. */
bench_subject bench_subject_of(const char *name, const models_mesh *environment, const models_mesh *flyer,
                               const bench_variants *variants);
void bench_subject_destroy(bench_subject *subject);

/* The distance of the centres, along x, below which the two copies first touch while one of them turns: searched
 * downward in steps, then halved; found to about a thousandth. */
double bench_touching_distance(bench_subject *subject);

#endif
