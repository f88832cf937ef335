#include "near_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/pose.h"
#include "prim/triangle_distance.h"

int near_bench_begin(void **state)
{
    near_bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    test_allocator_begin(&bench->memory);
    test_open_levels(&bench->memory, bench->contexts, bench->queries);
    *state = bench;
    return 0;
}

int near_bench_end(void **state)
{
    near_bench *bench = *state;
    test_close_levels(bench->contexts, bench->queries);
    test_allocator_end(&bench->memory);
    free(bench);
    return 0;
}

tumble_model *near_model(near_bench *bench, const char *shape, size_t triangles, size_t variant)
{
    const tumble_model_options options = test_tree_variant(variant);
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, shape, triangles));
    models_fit(&mesh, 2, 0);
    tumble_model *model = test_model(bench->contexts[0], &mesh, &options);
    models_free(&mesh);
    return model;
}

/* ---- Asking ---- */

/* What a callback has seen. */
typedef struct stream {
    size_t count;
    int is_falling;
    tumble_near last;
    uint64_t sum; /* of all, so that two streams can be compared */
} stream;

static uint64_t mix(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    }
    return sum;
}

static bool take_pair(void *user, const tumble_near *pair)
{
    stream *s = user;
    s->is_falling &= s->count == 0 || pair->distance < s->last.distance;
    s->last = *pair;
    s->count++;
    s->sum = mix(s->sum, pair, sizeof *pair);
    return 0;
}

static int same_near(const tumble_near *x, const tumble_near *y)
{
    int same = x->polygon_a == y->polygon_a && x->polygon_b == y->polygon_b && x->distance == y->distance;
    for (int k = 0; k < 3; k++) {
        same &= x->point_a[k] == y->point_a[k] && x->point_b[k] == y->point_b[k];
    }
    return same;
}

static tumble_distance_result ask(tumble_query *query, const near_scene *scene, const tumble_distance_options *options,
                                  stream *seen)
{
    tumble_distance_options asked = options ? *options : tumble_default_distance_options();
    tumble_distance_result result;
    assert_null(asked.callback);
    *seen = (stream){.is_falling = 1};
    asked.callback = take_pair;
    asked.callback_user = seen;
    const tumble_status status =
        tumble_distance(query, scene->a, scene->pose_a, scene->b, scene->pose_b, &asked, &result);
    if (status != TUMBLE_OK) {
        fail_msg("%s: %s", scene->name, tumble_status_name(status));
    }
    if (!seen->is_falling) {
        fail_msg("%s: a pair came that was not closer than the one before", scene->name);
    }
    if ((result.answer == TUMBLE_YES) != (seen->count > 0) ||
        (seen->count > 0 && !same_near(&seen->last, &result.nearest))) {
        fail_msg("%s: the last pair that came is not the result", scene->name);
    }
    if (result.answer == TUMBLE_YES && !(result.lower <= result.upper && result.upper == result.nearest.distance)) {
        fail_msg("%s: bounds %.17g and %.17g of %.17g", scene->name, result.lower, result.upper,
                 result.nearest.distance);
    }
    return result;
}

tumble_distance_result near_ask(tumble_query *query, const near_scene *scene, const tumble_distance_options *options)
{
    stream seen;
    return ask(query, scene, options, &seen);
}

static int same_result(const tumble_distance_result *x, const tumble_distance_result *y)
{
    return x->answer == y->answer && x->is_complete == y->is_complete &&
           (x->answer != TUMBLE_YES || same_near(&x->nearest, &y->nearest)) && x->lower == y->lower &&
           x->upper == y->upper && x->penetration == y->penetration && x->undecided_count == y->undecided_count &&
           x->pair_count == y->pair_count && test_same_work(&x->counters, &y->counters);
}

static int is_exact(const tumble_distance_options *o)
{
    return !o || (o->relative_error == 0 && o->absolute_error == 0 && o->enough == 0);
}

tumble_distance_result near_ask_all(near_bench *bench, const near_scene *scene, const tumble_distance_options *options)
{
    tumble_distance_result results[TEST_LEVELS];
    stream seen[TEST_LEVELS];
    for (int level = 0; level < TEST_LEVELS; level++) {
        results[level] = ask(bench->queries[level], scene, options, &seen[level]);
        if (!same_result(&results[level], &results[0]) || seen[level].sum != seen[0].sum) {
            fail_msg("%s: level %d gives another result than level 0, %.17g and %.17g", scene->name, level,
                     results[level].nearest.distance, results[0].nearest.distance);
        }
    }
    bench->asked++;
    if (results[0].answer == TUMBLE_YES) {
        near_check_witness(scene, &results[0], is_exact(options) && results[0].is_complete);
    }
    return results[0];
}

/* ---- What is true ---- */

static tumble_pose relative_pose(const near_scene *scene)
{
    const tumble_pose identity = tumble_pose_identity();
    const tumble_pose *pose_b = scene->pose_b ? scene->pose_b : &identity;
    return scene->pose_a ? tumble_pose_relative(scene->pose_a, pose_b) : *pose_b;
}

/* Calls `visit` with each triangle of a polygon, or of all when that is UINT32_MAX, moved by the pose if there is one.
 */
typedef void visit_function(void *user, double corners[3][3]);

static void for_triangles(const tumble_model *model, uint32_t polygon, const tumble_pose *pose, visit_function *visit,
                          void *user)
{
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(&model->places[cluster]); slot++) {
            const uint32_t address = tmb_triangle_address(cluster, slot);
            double corners[3][3];
            if (polygon != UINT32_MAX && tmb_model_polygon(model, address) != polygon) {
                continue;
            }
            tmb_model_corners(model, address, corners);
            for (int i = 0; pose && i < 3; i++) {
                const double own[3] = {corners[i][0], corners[i][1], corners[i][2]};
                tumble_pose_apply(pose, own, corners[i]);
            }
            visit(user, corners);
        }
    }
}

typedef struct nearest_triangle {
    double other[3][3];
    double distance, size;
} nearest_triangle;

static void take_nearest(void *user, double corners[3][3])
{
    nearest_triangle *n = user;
    tmb_triangle_distance distance;
    tmb_triangles_distance((const double(*)[3])corners, (const double(*)[3])n->other, &distance, NULL);
    n->distance = fmin(n->distance, distance.value);
    for (int i = 0; i < 9; i++) {
        n->size = fmax(n->size, fabs(corners[i / 3][i % 3]));
    }
}

typedef struct nearest_pair {
    const near_scene *scene;
    tumble_pose relative;
    uint32_t polygon_b;
    double distance;
} nearest_pair;

static void take_row(void *user, double corners[3][3])
{
    nearest_pair *p = user;
    nearest_triangle n = {.distance = INFINITY};
    memcpy(n.other, corners, sizeof n.other);
    for_triangles(p->scene->b, p->polygon_b, &p->relative, take_nearest, &n);
    p->distance = fmin(p->distance, n.distance);
}

double near_polygon_distance(const near_scene *scene, uint32_t polygon_a, uint32_t polygon_b)
{
    nearest_pair p = {scene, relative_pose(scene), polygon_b, INFINITY};
    for_triangles(scene->a, polygon_a, NULL, take_row, &p);
    return scene->pose_a ? p.distance * tumble_pose_scale(scene->pose_a) : p.distance;
}

double near_true_distance(const near_scene *scene)
{
    return near_polygon_distance(scene, UINT32_MAX, UINT32_MAX);
}

/* ---- Checks ---- */

int near_same(double x, double y)
{
    return x == y || fabs(x - y) <= 1e-14 * fabs(y);
}

void near_assert_same(double found, double expected, const char *name)
{
    if (!near_same(found, expected)) {
        fail_msg("%s: %.17g instead of %.17g, off by %.3g", name, found, expected, found / expected - 1);
    }
}

/* How far a point (in the frame of the poses) is from a polygon, in units of what coordinates are rounded to. */
static double roundings_off(const tumble_model *model, uint32_t polygon, const tumble_pose *relative,
                            const tumble_pose *pose_a, const double point[3])
{
    nearest_triangle n = {.distance = INFINITY};
    double own[3] = {point[0], point[1], point[2]}, size = 0;
    if (pose_a) {
        const tumble_pose back = tumble_pose_inverse(pose_a);
        tumble_pose_apply(&back, point, own);
        for (int k = 0; k < 3; k++) { /* what the way there and back has rounded */
            size = fmax(size, 4 * (fabs(pose_a->m[k][3]) + fabs(point[k])) / tumble_pose_scale(pose_a));
        }
    }
    for (int i = 0; i < 3; i++) {
        memcpy(n.other[i], own, sizeof own);
    }
    for_triangles(model, polygon, relative, take_nearest, &n);
    return n.distance / (fmax(n.size, size) * 0x1p-53 + 0x1p-1074);
}

void near_check_witness(const near_scene *scene, const tumble_distance_result *result, int is_least)
{
    const tumble_near *near = &result->nearest;
    const tumble_pose relative = relative_pose(scene);
    const double off_a = roundings_off(scene->a, near->polygon_a, NULL, scene->pose_a, near->point_a);
    const double off_b = roundings_off(scene->b, near->polygon_b, &relative, scene->pose_a, near->point_b);
    if (!(off_a <= 16 && off_b <= 16)) {
        fail_msg("%s: points are %g and %g roundings off their polygons", scene->name, off_a, off_b);
    }
    double square = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const double difference = near->point_b[k] - near->point_a[k];
        square += difference * difference;
        size = fmax(size, fmax(fabs(near->point_a[k]), fabs(near->point_b[k])));
    }
    if (size > 1e-150 && size < 1e150 && !(fabs(sqrt(square) - near->distance) <= 0x1p-48 * (size + near->distance))) {
        fail_msg("%s: points are %.17g apart, not %.17g", scene->name, sqrt(square), near->distance);
    }
    const double least = near_polygon_distance(scene, near->polygon_a, near->polygon_b);
    if (is_least ? !near_same(near->distance, least) : !(near->distance >= least * (1 - 1e-14))) {
        fail_msg("%s: the polygons are %.17g apart, not %.17g", scene->name, least, near->distance);
    }
}

tumble_pose near_random_pose(test_random *random, double shift)
{
    tumble_pose pose = test_rational_turn(random);
    double direction[3], square = 0;
    for (int k = 0; k < 3; k++) {
        direction[k] = test_random_range(random, -1, 1);
        square += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = shift * direction[k] / sqrt(square);
    }
    return pose;
}
