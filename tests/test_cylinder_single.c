/* Rays, points, boxes and balls, and cylinders with flat ends: every hierarchy, mode and instruction set against
 * arithmetic with many digits; rays along sides and caps and through rims; poses, scenes, and failing memory. */
#include <gmp.h>
#include <math.h>
#include <string.h>

#include "cylinder_oracle.h"
#include "math/scaled.h"
#include "math/vec3.h"
#include "scenes.h"
#include "thick_oracle.h"

enum {
    COUNT = 24, /* cylinders */
    KINDS = 5   /* hierarchies */
};

typedef struct bench {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *models[KINDS];
    double ends[6 * COUNT], radii[COUNT];
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    test_open_levels(&b->memory, b->contexts, b->queries);
}

/* Of whole numbers if the unit is 1, every other parallel to an axis. */
static void make(bench *b, test_random *random, double unit)
{
    static const tumble_hierarchy hierarchies[KINDS] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BRUTE,
                                                        TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                        TUMBLE_HIERARCHY_RTREE};
    for (size_t i = 0; i < COUNT; i++) {
        double *ends = b->ends + 6 * i;
        do {
            for (int k = 0; k < 6; k++) {
                ends[k] = unit * test_random_whole(random, -4, 4);
            }
            if (i % 2) {
                memcpy(ends + 3, ends, 3 * sizeof *ends);
                ends[3 + i / 2 % 3] += unit * test_random_whole(random, 1, 4);
            }
        } while (tmb_compare_numbers(ends, ends + 3, 3) == 0);
        b->radii[i] = unit * test_random_whole(random, i > 2 ? 1 : 0, 3);
    }
    for (int i = 0; i < KINDS; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = hierarchies[i];
        assert_int_equal(
            tumble_model_create_cylinders(b->contexts[0], b->ends, b->radii, COUNT, &options, &b->models[i]),
            TUMBLE_OK);
    }
}

static void drop_models(bench *b)
{
    for (int i = 0; i < KINDS; i++) {
        tumble_model_destroy(b->models[i]);
    }
}

static void close_bench(bench *b)
{
    test_close_levels(b->contexts, b->queries);
}

/* ---- Rays ---- */

static void check_model(tumble_query *query, const tumble_model *model, const oracle_ray *ray,
                        const tumble_ray_hit *expected, size_t count)
{
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_result result;
    options.t0 = ray->t0, options.t1 = ray->t1;
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
        options.mode = (tumble_mode)mode;
        assert_int_equal(tumble_ray(query, model, NULL, ray->origin, ray->direction, &options, &result), TUMBLE_OK);
        assert_int_equal(result.hit, count > 0);
        assert_true(mode != TUMBLE_COUNT || result.hit_count == count);
        assert_true(mode != TUMBLE_FIRST || count == 0 || result.first.polygon == expected[0].polygon);
    }
    assert_int_equal(result.hit_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(result.hits[i].polygon, expected[i].polygon);
        assert_int_equal(result.hits[i].side, expected[i].side);
        assert_true(result.hits[i].t == expected[i].t);
    }
}

/* From anywhere to an end of an axis, or beside it by the radius: to rims, and along sides and caps. */
static oracle_ray draw_ray(const bench *b, test_random *random, double unit)
{
    oracle_ray ray = {.t0 = 0, .t1 = INFINITY};
    const size_t i = (size_t)test_random_whole(random, 0, COUNT - 1);
    const double *end = b->ends + 6 * i + 3 * (size_t)test_random_whole(random, 0, 1);
    const int beside = test_random_whole(random, 0, 5), fixed = test_random_whole(random, 0, 5);
    int zero = 1;
    for (int k = 0; k < 3; k++) {
        const double to = end[k] + (beside == k ? b->radii[i] : beside == k + 3 ? -b->radii[i] : 0);
        ray.origin[k] = fixed == k || fixed == (k + 1) % 3 + 3 ? to : unit * test_random_whole(random, -9, 9);
        ray.direction[k] = to - ray.origin[k];
        zero &= ray.direction[k] == 0;
    }
    if (zero) {
        ray.direction[fixed % 3] = unit;
    }
    if (test_random_chance(random, 0.3)) {
        ray.t0 = test_random_chance(random, 0.5) ? -INFINITY : test_random_whole(random, -4, 4) / 4.0;
    }
    if (test_random_chance(random, 0.3)) {
        ray.t1 = fmax(ray.t0, 1);
    }
    return ray;
}

static void rays_of_all_kinds(void **state)
{
    (void)state;
    static const double units[] = {1, 0.1, 0x1p-300, 0x1p200};
    test_random random = {31};
    thick_oracle *truth = thick_oracle_create();
    bench b;
    open_bench(&b);
    size_t hits = 0, starts = 0, exact = 0;
    for (int u = 0; u < 4; u++) {
        make(&b, &random, units[u]);
        for (size_t n = 0; n < test_count(80); n++) {
            const oracle_ray ray = draw_ray(&b, &random, units[u]);
            const tumble_ray_hit *expected;
            const size_t count = thick_oracle_cylinders(truth, b.ends, b.radii, COUNT, &ray, &expected);
            for (int i = 0; i < KINDS; i++) {
                check_model(b.queries[n % TEST_LEVELS], b.models[i], &ray, expected, count);
            }
            hits += count;
            for (size_t i = 0; i < count; i++) {
                starts += expected[i].side == TUMBLE_SIDE_BACK;
            }
            tumble_ray_result result;
            assert_int_equal(tumble_ray(b.queries[0], b.models[0], NULL, ray.origin, ray.direction, NULL, &result),
                             TUMBLE_OK);
            exact += result.counters.exact_tests;
        }
        drop_models(&b);
    }
    assert_true(test_effort() < 1 || (hits > 300 && starts > 30 && exact > 30));
    thick_oracle_destroy(truth);
    close_bench(&b);
}

/* One cylinder of radius 5 from (0, 0, 0) to (0, 0, 10), and where rays meet it, which everyone can see. */
static void rays_at_one(void **state)
{
    test_world *w = *state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 10}, above = nextafter(5, 6);
    const struct {
        double origin[3], direction[3], t; /* -1: it passes by */
    } rays[] = {
        {{1, 2, 30}, {0, 0, -2}, 10},        {{9, 0, 5}, {-1, 0, 0}, 4},   {{0, 9, 10}, {0, -1, 0}, 4}, /* in a cap */
        {{9, 0, above * 2}, {-1, 0, 0}, -1}, {{5, 0, 30}, {0, 0, -1}, 20}, /* along the side */
        {{above, 0, 30}, {0, 0, -1}, -1},    {{5, -7, 3}, {0, 1, 0}, 7},   {{3, 4, 30}, {0, 0, -1}, 20},
        {{8, 0, 13}, {-1, 0, -1}, 3}, /* through the rim */
        {{8, 0, 12.5}, {-1, 0, -1}, 3},      {{-1, -1, 3}, {1, 0, 0}, 0},  {{7, -5, 5}, {-1, 0, 0}, 7},
        {{4, 4, -1}, {0, 0, 1}, -1},
    };
    tumble_model *model;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, 5, NULL, &model), TUMBLE_OK);
    for (size_t i = 0; i < sizeof rays / sizeof *rays; i++) {
        tumble_ray_result result;
        assert_int_equal(tumble_ray(w->query, model, NULL, rays[i].origin, rays[i].direction, NULL, &result),
                         TUMBLE_OK);
        assert_int_equal(result.hit, rays[i].t >= 0);
        assert_true(!result.hit || result.first.t == rays[i].t);
    }
    tumble_pose pose = tumble_pose_identity(); /* twice as large, along x */
    memset(pose.m, 0, sizeof pose.m);
    pose.m[0][2] = pose.m[1][0] = pose.m[2][1] = 2;
    const double origin[3] = {50, 1, 1}, back[3] = {-1, 0, 0};
    tumble_ray_result result;
    assert_int_equal(tumble_ray(w->query, model, &pose, origin, back, NULL, &result), TUMBLE_OK);
    assert_true(result.hit && result.first.t == 30 && result.first.point[0] == 20);
    tumble_model_destroy(model);
}

/* ---- Points inside ---- */

/* 1: inside, 0: on the surface, -1: outside. */
static int place_in(const double p[3], const double ends[6], double radius)
{
    mpq_t d, u, square, along, aside, x;
    mpq_inits(d, u, square, along, aside, x, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(d, ends[3 + k]), mpq_set_d(x, ends[k]), mpq_set_d(u, p[k]);
        mpq_sub(d, d, x), mpq_sub(u, u, x);
        mpq_mul(x, d, d), mpq_add(square, square, x);
        mpq_mul(x, d, u), mpq_add(along, along, x);
        mpq_mul(x, u, u), mpq_add(aside, aside, x);
    }
    mpq_mul(aside, aside, square), mpq_mul(x, along, along), mpq_sub(aside, aside, x);
    mpq_set_d(x, radius), mpq_mul(x, x, x), mpq_mul(x, x, square);
    const int bottom = mpq_sgn(along), top = mpq_cmp(square, along), side = mpq_cmp(x, aside);
    mpq_clears(d, u, square, along, aside, x, NULL);
    return bottom < 0 || top < 0 || side < 0 ? -1 : bottom > 0 && top > 0 && side > 0;
}

static tumble_inside_answer true_place(const bench *b, const double point[3])
{
    tumble_inside_answer answer = {.place = TUMBLE_PLACE_OUTSIDE, .polygon = TUMBLE_NO_POLYGON};
    for (uint32_t i = 0; i < COUNT; i++) {
        const int place = place_in(point, b->ends + 6 * i, b->radii[i]);
        if (place > 0) {
            return (tumble_inside_answer){.place = TUMBLE_PLACE_INSIDE, .polygon = TUMBLE_NO_POLYGON};
        }
        if (place == 0 && answer.place == TUMBLE_PLACE_OUTSIDE) {
            answer.place = TUMBLE_PLACE_ON_SURFACE, answer.polygon = i;
        }
    }
    return answer;
}

static void points_inside(void **state)
{
    (void)state;
    static const double units[] = {1, 0.1, 0x1p-1000};
    test_random random = {32};
    size_t seen[4] = {0};
    bench b;
    open_bench(&b);
    for (int u = 0; u < 3; u++) {
        make(&b, &random, units[u]);
        for (size_t n = 0; n < test_count(300); n++) {
            double point[3];
            for (int k = 0; k < 3; k++) {
                point[k] = units[u] * test_random_whole(&random, -7, 7);
            }
            const tumble_inside_answer expected = true_place(&b, point);
            seen[expected.place]++;
            for (int i = 0; i < KINDS; i++) {
                tumble_inside_answer found;
                assert_int_equal(
                    tumble_inside(b.queries[n % TEST_LEVELS], b.models[i], NULL, point, 1, NULL, &found, NULL),
                    TUMBLE_OK);
                assert_int_equal(found.place, expected.place);
                assert_int_equal(found.polygon, expected.polygon);
            }
        }
        drop_models(&b);
    }
    assert_true(seen[3] == 0 && (test_effort() < 1 || (seen[0] > 20 && seen[1] > 20 && seen[2] > 20)));
    close_bench(&b);
}

/* ---- Boxes and balls ---- */

static void check_overlap(const tumble_overlap_result *found, const uint32_t *expected, size_t count)
{
    assert_int_equal(found->overlap, count > 0);
    assert_int_equal(found->polygon_count, count);
    assert_true(count == 0 || memcmp(found->polygons, expected, count * sizeof *expected) == 0);
}

/* An end in the box, or a common point with one of twelve triangles. */
static int meets_box(const double ends[6], double radius, const double half[3])
{
    int in = 0;
    for (int i = 0; i < 2; i++) {
        in |= fabs(ends[3 * i]) <= half[0] && fabs(ends[3 * i + 1]) <= half[1] && fabs(ends[3 * i + 2]) <= half[2];
    }
    for (int face = 0; face < 6 && !in; face++) {
        double quad[4][3];
        const int k = face / 2;
        for (int i = 0; i < 4; i++) {
            quad[i][k] = face % 2 ? half[k] : -half[k];
            quad[i][(k + 1) % 3] = i == 1 || i == 2 ? half[(k + 1) % 3] : -half[(k + 1) % 3];
            quad[i][(k + 2) % 3] = i > 1 ? half[(k + 2) % 3] : -half[(k + 2) % 3];
        }
        const tmb_limit limit = tmb_limit_of(radius, 1);
        in = cylinder_truth((const double(*)[3])quad, ends, ends + 3, limit.exact.digits, limit.exact.exponent);
        memcpy(quad[1], quad[0], sizeof quad[0]);
        in |= cylinder_truth((const double(*)[3])(quad + 1), ends, ends + 3, limit.exact.digits, limit.exact.exponent);
    }
    return in;
}

static void overlaps(void **state)
{
    (void)state;
    static const double units[] = {1, 0.1, 0x1p-400};
    test_random random = {33};
    size_t hits = 0;
    bench b;
    open_bench(&b);
    for (int u = 0; u < 3; u++) {
        make(&b, &random, units[u]);
        for (size_t n = 0; n < test_count(60); n++) {
            double half[3], centre[3];
            uint32_t in_box[COUNT], in_ball[COUNT];
            size_t boxes = 0, balls = 0;
            const double radius = units[u] * test_random_whole(&random, 0, 5);
            for (int k = 0; k < 3; k++) {
                half[k] = units[u] * test_random_whole(&random, 0, 6) / 2;
                centre[k] = units[u] * test_random_whole(&random, -9, 9);
            }
            for (uint32_t i = 0; i < COUNT; i++) {
                const double *ends = b.ends + 6 * i;
                in_box[boxes] = in_ball[balls] = i;
                boxes += (size_t)meets_box(ends, b.radii[i], half);
                balls += (size_t)cylinder_ball_truth(centre, radius, ends, ends + 3, b.radii[i]);
            }
            for (int i = 0; i < KINDS; i++) {
                tumble_query *query = b.queries[n % TEST_LEVELS];
                tumble_overlap_result found;
                assert_int_equal(tumble_overlap_box(query, b.models[i], NULL, NULL, half, NULL, &found), TUMBLE_OK);
                check_overlap(&found, in_box, boxes);
                assert_int_equal(tumble_overlap_sphere(query, b.models[i], NULL, centre, radius, NULL, &found),
                                 TUMBLE_OK);
                check_overlap(&found, in_ball, balls);
                assert_int_equal(tumble_overlap_sphere(query, b.models[i], NULL, centre, INFINITY, NULL, &found),
                                 TUMBLE_OK);
                assert_int_equal(found.polygon_count, COUNT);
            }
            hits += boxes + balls;
        }
        drop_models(&b);
    }
    assert_true(test_effort() < 1 || hits > 500);
    close_bench(&b);
}

/* ---- Scenes, and what is not supported ---- */

static void objects_of_scenes(void **state)
{
    test_world *w = *state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 10}, origin[3] = {1, 1, 30}, down[3] = {0, 0, -1};
    const double centre[3] = {3, 8, 12}, half[3] = {1, 1, 1};
    tumble_model *model;
    tumble_scene *scene;
    tumble_object object;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, 5, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    tumble_part part = tumble_default_part();
    part.model = model;
    part.pose.m[2][3] = 2;
    assert_int_equal(tumble_scene_add(scene, &part, 1, &object), TUMBLE_OK);
    tumble_scene_ray_result hit;
    assert_int_equal(tumble_scene_ray(w->query, scene, UINT32_MAX, origin, down, NULL, &hit), TUMBLE_OK);
    assert_true(hit.hit && hit.first.hit.t == 18);
    const tumble_scene_place *places;
    size_t count;
    assert_int_equal(tumble_scene_inside(w->query, scene, UINT32_MAX, from, NULL, &places, &count), TUMBLE_OK);
    assert_int_equal(count, 0);
    tumble_scene_overlap_result found;
    assert_int_equal(tumble_scene_overlap_sphere(w->query, scene, centre, 4, NULL, &found), TUMBLE_OK);
    assert_true(found.overlap);
    tumble_pose box_pose = tumble_pose_identity();
    box_pose.m[0][3] = 5.75, box_pose.m[2][3] = 12.75;
    assert_int_equal(tumble_scene_overlap_box(w->query, scene, &box_pose, half, NULL, &found), TUMBLE_OK);
    assert_true(found.overlap);
    part.radius = 0.5;
    assert_int_equal(tumble_scene_set(scene, &object, &part, 1), TUMBLE_OK);
    test_assert_status(w->context, tumble_scene_ray(w->query, scene, UINT32_MAX, origin, down, NULL, &hit),
                       TUMBLE_ERROR_UNSUPPORTED, "has a radius of its own");
    test_assert_status(w->context, tumble_scene_overlap_sphere(w->query, scene, centre, 4, NULL, &found),
                       TUMBLE_ERROR_UNSUPPORTED, "has a radius of its own");
    tumble_scene_destroy(scene);
    tumble_model_destroy(model);
}

/* ---- Memory that runs out ---- */

typedef struct memory_job {
    tumble_model *model;
} memory_job;

static tumble_status touch_rim(test_world *w, void *user)
{
    const memory_job *job = user;
    const double origin[3] = {3, 4, 30}, down[3] = {0, 0, -1}, centre[3] = {8, 0, 14};
    tumble_query *query = NULL;
    tumble_ray_result ray;
    tumble_overlap_result overlap;
    tumble_status status = tumble_query_create(w->context, &query);
    status = status == TUMBLE_OK ? tumble_ray(query, job->model, NULL, origin, down, NULL, &ray) : status;
    assert_true(status != TUMBLE_OK || ray.hit);
    status = status == TUMBLE_OK ? tumble_overlap_sphere(query, job->model, NULL, centre, 5, NULL, &overlap) : status;
    assert_true(status != TUMBLE_OK || overlap.overlap);
    tumble_query_destroy(query);
    return status;
}

static void memory_fails(void **state)
{
    test_world *w = *state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 10};
    memory_job job;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, 5, NULL, &job.model), TUMBLE_OK);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, touch_rim, NULL, &job) > 4);
    tumble_model_destroy(job.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_of_all_kinds), TEST_IN_WORLD(rays_at_one),       cmocka_unit_test(points_inside),
        cmocka_unit_test(overlaps),          TEST_IN_WORLD(objects_of_scenes), TEST_IN_WORLD(memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
