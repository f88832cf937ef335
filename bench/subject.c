/* What is measured: a shape of some size as the models that the variants need. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "touch.h"

models_mesh bench_make_mesh(const char *name, size_t triangles, double seed)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    models_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    if (!shape) {
        bench_fail("there is no shape '%s'", name);
    }
    models_defaults(shape, values);
    for (int i = 0; i < MODELS_PARAMETERS && shape->parameters[i].name; i++) {
        if (strcmp(shape->parameters[i].name, "seed") == 0) {
            values[i] = seed;
        }
    }
    models_tune(shape, values, triangles);
    shape->make(&mesh, values);
    if (mesh.failed) {
        bench_fail("no memory for a %s with %zu triangles", name, triangles);
    }
    models_fit(&mesh, 2, 1);
    return mesh;
}

static tumble_context *context_for(bench_subject *subject, tumble_simd simd)
{
    if (!subject->contexts[simd]) {
        tumble_context_options options = tumble_default_context_options();
        options.simd = simd;
        bench_require(tumble_context_create(&options, &subject->contexts[simd]), NULL, "a context");
    }
    return subject->contexts[simd];
}

static tumble_model *model_for(const bench_subject *subject, size_t index, const tumble_mesh *mesh)
{
    const bench_contestant *contestant = &subject->contestants[index];
    for (size_t i = 0; i < index; i++) {
        if (bench_variant_same_model(subject->contestants[i].variant, contestant->variant)) {
            return subject->contestants[i].model;
        }
    }
    tumble_model *model = NULL;
    bench_require(tumble_model_create(contestant->context, mesh, &contestant->variant->model, &model),
                  contestant->context, "building a model");
    return model;
}

bench_subject bench_subject_create(const char *shape, size_t triangles, double seed, const bench_variants *variants)
{
    bench_subject subject = {.shape = shape, .count = variants->count};
    models_mesh mesh = bench_make_mesh(shape, triangles, seed);
    const tumble_mesh view = models_view(&mesh);
    subject.triangle_count = models_triangle_count(&mesh);
    subject.contestants = bench_allocate(variants->count, sizeof *subject.contestants);
    for (size_t i = 0; i < variants->count; i++) {
        bench_contestant *contestant = &subject.contestants[i];
        contestant->variant = &variants->items[i];
        contestant->context = context_for(&subject, contestant->variant->simd);
        contestant->model = model_for(&subject, i, &view);
        bench_require(tumble_query_create(contestant->context, &contestant->query), contestant->context, "a query");
        contestant->info.size = sizeof contestant->info;
        bench_require(tumble_model_get_info(contestant->model, &contestant->info), contestant->context, "a model");
    }
    models_free(&mesh);
    return subject;
}

void bench_subject_destroy(bench_subject *subject)
{
    for (size_t i = 0; i < subject->count; i++) {
        size_t first = 0;
        while (subject->contestants[first].model != subject->contestants[i].model) {
            first++;
        }
        tumble_query_destroy(subject->contestants[i].query);
        if (first == i) {
            continue; /* the others still look at it */
        }
        subject->contestants[i].model = NULL;
    }
    for (size_t i = 0; i < subject->count; i++) {
        tumble_model_destroy(subject->contestants[i].model);
    }
    for (size_t i = 0; i <= TUMBLE_SIMD_AVX512; i++) {
        tumble_context_destroy(subject->contexts[i]);
    }
    free(subject->contestants);
    memset(subject, 0, sizeof *subject);
}

static int touches_anywhere(void *user, double distance)
{
    const size_t steps = 64;
    const bench_contestant *first = &((const bench_subject *)user)->contestants[0];
    tumble_collide_options options = bench_variant_options(first->variant);
    options.mode = TUMBLE_COLLIDE_TEST;
    int collide = 0;
    for (size_t step = 0; step < steps && !collide; step++) {
        const tumble_pose pose = models_tumbling_pose(step, steps, distance);
        tumble_collide_result result = {.size = sizeof result};
        bench_require(tumble_collide(first->query, first->model, NULL, first->model, &pose, &options, &result),
                      first->context, "a query");
        collide = result.collide;
    }
    return collide;
}

double bench_touching_distance(bench_subject *subject)
{
    return bench_first_touch(touches_anywhere, subject, 0.02, 0.001);
}
