/* A fixed small set of builds and queries whose instructions are counted by callgrind (check.sh), so that a change that
 * makes them slower does not pass unseen on any machine, however busy it is.
 *
 * Everything but the call that is counted runs without instrumentation. After each case the counts are dumped under the
 * case's name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "instructions.h"
#include "touch.h"

enum {
    TRIANGLES = 4000,
    POSES = 4,
    STEPS = 8, /* of a full turn of so many: */
    FULL_TURN = 5000
};

tumble_model *build(const engine *e, const models_mesh *mesh)
{
    const tumble_mesh view = models_view(mesh);
    const tumble_model_options options = bench_model_options(e->variant);
    tumble_model *model = NULL;
    bench_require(tumble_model_create(e->context, &view, &options, &model), e->context, "a model");
    return model;
}

static bool take_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                       size_t contact_count)
{
    (void)pairs;
    (void)contacts;
    (void)contact_count;
    *(uint64_t *)user += count;
    return false;
}

static uint64_t ask(const engine *e, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                    tumble_mode mode)
{
    uint64_t taken = 0;
    tumble_collide_options options = bench_variant_options(e->variant);
    tumble_collide_result result;
    options.mode = mode;
    options.callback = mode == TUMBLE_ALL ? take_pairs : NULL;
    options.callback_user = &taken;
    bench_require(tumble_collide(e->query, a, NULL, b, pose, &options, &result), e->context, "a query");
    return result.pair_count;
}

/* The same questions once before, so that the query has all its memory; `least` and `most` pairs are to be found, or
 * the case does not count what it says. */
static void count_questions(const engine *e, const char *what, const char *shape, const tumble_model *a,
                            const tumble_model *b, const tumble_pose *poses, tumble_mode mode, uint64_t least,
                            uint64_t most)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < POSES; i++) {
        pairs += ask(e, a, b, &poses[i], mode);
    }
    if (pairs < least || pairs > most) {
        bench_fail("%s %s: %llu pairs", what, shape, (unsigned long long)pairs);
    }
    start_counting();
    for (size_t i = 0; i < POSES; i++) {
        ask(e, a, b, &poses[i], mode);
    }
    end_counting(e, what, shape);
}

/* ---- Distances ---- */

static void ask_distance(const engine *e, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                         bool coherence, tumble_distance_result *result)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.coherence = coherence ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
    bench_require(tumble_distance(e->query, a, NULL, b, pose, &options, result), e->context, "a distance");
}

/* As count_questions; no distance may be 0. */
static void count_distances(const engine *e, const char *what, const char *shape, const tumble_model *a,
                            const tumble_model *b, const tumble_pose *poses, size_t count, bool coherence)
{
    tumble_distance_result result;
    for (size_t i = 0; i < count; i++) {
        ask_distance(e, a, b, &poses[i], coherence, &result);
        if (!(result.nearest.distance > 0)) {
            bench_fail("%s %s: a distance of 0", what, shape);
        }
    }
    start_counting();
    for (size_t i = 0; i < count; i++) {
        ask_distance(e, a, b, &poses[i], coherence, &result);
    }
    end_counting(e, what, shape);
}

static tumble_collide_result ask_clearance(const engine *e, const tumble_model *model, const tumble_pose *pose,
                                           double clearance)
{
    tumble_collide_options options = bench_variant_options(e->variant);
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    bench_require(tumble_collide(e->query, model, NULL, model, pose, &options, &result), e->context, "a query");
    return result;
}

/* A clearance that is just kept. */
static void count_clearance(const engine *e, const char *shape, const tumble_model *model, const tumble_pose *poses)
{
    double clearances[POSES];
    for (size_t i = 0; i < POSES; i++) {
        tumble_distance_result result;
        ask_distance(e, model, model, &poses[i], false, &result);
        clearances[i] = 0.99 * result.nearest.distance;
        if (ask_clearance(e, model, &poses[i], clearances[i]).collide) {
            bench_fail("clearance %s: not kept", shape);
        }
    }
    start_counting();
    for (size_t i = 0; i < POSES; i++) {
        ask_clearance(e, model, &poses[i], clearances[i]);
    }
    end_counting(e, "clearance", shape);
}

/* Small steps of a turn. */
static void count_steps(const engine *e, const char *shape, const tumble_model *model, double distance)
{
    tumble_pose poses[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        poses[i] = models_tumbling_pose(FULL_TURN / 16 + i, FULL_TURN, distance);
    }
    count_distances(e, "coherent", shape, model, model, poses, STEPS, true);
}

/* ---- Tumbling copies ---- */

typedef struct approach {
    const engine *e;
    const tumble_model *model;
    size_t step;
} approach;

static int touches(void *user, double distance)
{
    const approach *from = user;
    const tumble_pose pose = models_tumbling_pose(2 * from->step + 1, 2 * POSES, distance);
    return ask(from->e, from->model, from->model, &pose, TUMBLE_FIRST) > 0;
}

/* A turn at shares of each pose's distance of the first touch. */
static void set_poses(const double *places, double share, tumble_pose *poses)
{
    for (size_t i = 0; i < POSES; i++) {
        poses[i] = models_tumbling_pose(2 * i + 1, 2 * POSES, share * places[i]);
    }
}

static void count_tumbling(const engine *e, const char *shape)
{
    models_mesh mesh = bench_make_mesh(shape, TRIANGLES, 1);
    double places[POSES];
    tumble_pose poses[POSES];
    start_counting();
    tumble_model *model = build(e, &mesh);
    end_counting(e, "build", shape);
    for (size_t i = 0; i < POSES; i++) {
        approach from = {e, model, i};
        places[i] = bench_first_touch(touches, &from, 0.02, 1e-6);
    }
    set_poses(places, 0.7, poses);
    count_questions(e, "all", shape, model, model, poses, TUMBLE_ALL, 10 * POSES, UINT64_MAX);
    count_questions(e, "first", shape, model, model, poses, TUMBLE_FIRST, POSES, POSES);
    if (strcmp(shape, "gear") == 0) { /* which has several */
        count_questions(e, "surfaces", shape, model, model, poses, TUMBLE_SURFACES, 2 * POSES, UINT64_MAX);
    }
    set_poses(places, 1.0005, poses);
    count_questions(e, "just-missing", shape, model, model, poses, TUMBLE_FIRST, 0, 0);
    count_distances(e, "distance-near", shape, model, model, poses, POSES, false);
    set_poses(places, 0.9995, poses);
    count_questions(e, "just-touching", shape, model, model, poses, TUMBLE_FIRST, 1, POSES);
    set_poses(places, 1.2, poses);
    count_distances(e, "distance-far", shape, model, model, poses, POSES, false);
    count_clearance(e, shape, model, poses);
    set_poses(places, 3, poses);
    count_questions(e, "apart", shape, model, model, poses, TUMBLE_ALL, 0, 0);
    count_steps(e, shape, model, 3.5);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Nested spheres ---- */

static void count_nested(const engine *e)
{
    models_mesh mesh = bench_make_mesh("sphere", TRIANGLES, 1);
    models_random random = {1};
    tumble_pose poses[POSES];
    tumble_model *outer = build(e, &mesh);
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] = (double)(float)(0.98 * mesh.points[i]);
    }
    tumble_model *inner = build(e, &mesh);
    for (size_t i = 0; i < POSES; i++) {
        poses[i] = models_random_rotation(&random);
    }
    count_questions(e, "nested", "sphere", outer, inner, poses, TUMBLE_FIRST, 0, 0);
    count_distances(e, "distance-nested", "sphere", outer, inner, poses, 1, false);
    tumble_model_destroy(outer);
    tumble_model_destroy(inner);
    models_free(&mesh);
}

static void count_engine(const bench_variant *variant)
{
    static const char *const shapes[] = {"torus", "gear", "lattice", "needles"}; /* needles take others too long */
    engine e = {.variant = variant};
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = 1;
    options.simd = variant->simd;
    bench_require(tumble_context_create(&options, &e.context), NULL, "a context");
    bench_require(tumble_query_create(e.context, &e.query), e.context, "a query");
    for (size_t i = 0; i < (variant->hierarchy == TUMBLE_HIERARCHY_WIDE ? 4 : 3); i++) {
        count_tumbling(&e, shapes[i]);
    }
    count_nested(&e);
    count_single(&e);
    tumble_query_destroy(e.query);
    tumble_context_destroy(e.context);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "--help") == 0) {
        puts(
            "tumble_instructions --compiler | VARIANTS\n\n"
            "Runs builds and queries to be counted by callgrind: see bench/instructions/check.sh. --compiler tells how "
            "it was compiled.");
        return argc != 2;
    }
    if (strcmp(argv[1], "--compiler") == 0) {
        printf("%s with %s\n", TUMBLE_BENCH_COMPILER, TUMBLE_BENCH_FLAGS);
        return 0;
    }
    bench_variants variants = bench_variants_parse(argv[1]);
    for (size_t i = 0; i < variants.count; i++) {
        count_engine(&variants.items[i]);
    }
    bench_variants_free(&variants);
    return 0;
}
