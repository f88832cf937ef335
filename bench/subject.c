/* What is measured: meshes as the models that the variants need. */
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

/* A model that another variant has already, or a new one. */
static tumble_model *model_for(bench_subject *subject, const bench_contestant *contestant, const tumble_mesh *meshes,
                               int mesh, const tumble_model_options *options)
{
    for (size_t i = 0; i < subject->model_count; i++) {
        const bench_made_model *made = &subject->models[i];
        if (made->mesh == mesh && made->simd == contestant->variant->simd &&
            bench_same_options(&made->options, options)) {
            return made->model;
        }
    }
    tumble_model *model = NULL;
    bench_require(tumble_model_create(contestant->context, &meshes[mesh], options, &model), contestant->context,
                  "building a model");
    subject->models[subject->model_count++] = (bench_made_model){mesh, *options, contestant->variant->simd, model};
    return model;
}

/* Of one mesh both are the same model, unless B's hierarchy or its leaves differ. */
static void make_models(bench_subject *subject, bench_contestant *contestant, const tumble_mesh *meshes, int moving)
{
    const bench_variant *variant = contestant->variant;
    const int apart = moving || variant->flyer_leaf || variant->flyer_hierarchy != TUMBLE_HIERARCHY_AUTO;
    const tumble_model_options environment = apart ? bench_environment_options(variant) : bench_model_options(variant);
    const tumble_model_options flyer = apart ? bench_flyer_options(variant) : bench_model_options(variant);
    contestant->model = model_for(subject, contestant, meshes, 0, &environment);
    contestant->flyer = model_for(subject, contestant, meshes, moving, &flyer);
}

static tumble_model_info info_of(const bench_contestant *contestant, const tumble_model *model)
{
    tumble_model_info info;
    bench_require(tumble_model_get_info(model, &info), contestant->context, "a model");
    return info;
}

bench_subject bench_subject_of(const char *name, const models_mesh *environment, const models_mesh *flyer,
                               const bench_variants *variants)
{
    bench_subject subject = {.shape = name, .count = variants->count};
    const tumble_mesh views[2] = {models_view(environment), models_view(flyer)};
    const int moving = environment != flyer;
    subject.triangle_count = models_triangle_count(environment);
    subject.contestants = bench_allocate(variants->count, sizeof *subject.contestants);
    subject.models = bench_allocate(2 * variants->count, sizeof *subject.models);
    for (size_t i = 0; i < variants->count; i++) {
        bench_contestant *contestant = &subject.contestants[i];
        contestant->variant = &variants->items[i];
        contestant->context = context_for(&subject, contestant->variant->simd);
        make_models(&subject, contestant, views, moving);
        bench_require(tumble_query_create(contestant->context, &contestant->query), contestant->context, "a query");
        contestant->info = info_of(contestant, contestant->model);
        contestant->flyer_info = info_of(contestant, contestant->flyer);
    }
    return subject;
}

bench_subject bench_subject_create(const char *shape, size_t triangles, double seed, const bench_variants *variants)
{
    models_mesh mesh = bench_make_mesh(shape, triangles, seed);
    bench_subject subject = bench_subject_of(shape, &mesh, &mesh, variants);
    models_free(&mesh);
    return subject;
}

void bench_subject_destroy(bench_subject *subject)
{
    for (size_t i = 0; i < subject->count; i++) {
        tumble_query_destroy(subject->contestants[i].query);
    }
    for (size_t i = 0; i < subject->model_count; i++) {
        tumble_model_destroy(subject->models[i].model);
    }
    for (size_t i = 0; i <= TUMBLE_SIMD_AVX512; i++) {
        tumble_context_destroy(subject->contexts[i]);
    }
    free(subject->contestants);
    free(subject->models);
    memset(subject, 0, sizeof *subject);
}

static int touches_anywhere(void *user, double distance)
{
    const size_t steps = 64;
    const bench_contestant *first = &((const bench_subject *)user)->contestants[0];
    tumble_collide_options options = bench_variant_options(first->variant);
    options.mode = TUMBLE_TEST;
    int collide = 0;
    for (size_t step = 0; step < steps && !collide; step++) {
        const tumble_pose pose = models_tumbling_pose(step, steps, distance);
        tumble_collide_result result;
        bench_require(tumble_collide(first->query, first->model, NULL, first->flyer, &pose, &options, &result),
                      first->context, "a query");
        collide = result.collide;
    }
    return collide;
}

double bench_touching_distance(bench_subject *subject)
{
    return bench_first_touch(touches_anywhere, subject, 0.02, 0.001);
}
