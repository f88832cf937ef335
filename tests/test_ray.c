/* Rays through models: every hierarchy, mode and instruction set against rational arithmetic, rays through edges and
 * corners of closed meshes, poses, batches, threads, points inside, errors and failing memory. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ray_oracle.h"
#include "scenes.h"

enum {
    MOST_HITS = 512
};

/* ---- What is asked ---- */

static tumble_ray_options options_of(const oracle_ray *ray, tumble_mode mode)
{
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = mode;
    options.t0 = ray->t0;
    options.t1 = ray->t1;
    return options;
}

static tumble_ray_result ask(tumble_query *query, const tumble_model *model, const oracle_ray *ray, tumble_mode mode)
{
    const tumble_ray_options options = options_of(ray, mode);
    tumble_ray_result result;
    assert_int_equal(tumble_ray(query, model, NULL, ray->origin, ray->direction, &options, &result), TUMBLE_OK);
    assert_int_equal(result.hit, result.hit_count > 0);
    return result;
}

static void assert_same_hit(const tumble_ray_hit *found, const tumble_ray_hit *expected)
{
    assert_int_equal(found->polygon, expected->polygon);
    assert_int_equal(found->side, expected->side);
    assert_true(found->t == expected->t);
}

/* All modes. */
static void check_ray(tumble_query *query, const tumble_model *model, const oracle_ray *ray,
                      const tumble_ray_hit *expected, size_t count)
{
    tumble_ray_result result = ask(query, model, ray, TUMBLE_ALL);
    assert_int_equal(result.hit_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_same_hit(&result.hits[i], &expected[i]);
        for (int k = 0; k < 3; k++)
            assert_true(result.hits[i].point[k] == ray->origin[k] + expected[i].t * ray->direction[k]);
    }
    assert_int_equal(ask(query, model, ray, TUMBLE_COUNT).hit_count, count);
    assert_int_equal(ask(query, model, ray, TUMBLE_TEST).hit, count > 0);
    result = ask(query, model, ray, TUMBLE_FIRST);
    assert_int_equal(result.hit, count > 0);
    if (count > 0)
        assert_same_hit(&result.first, &expected[0]);
    else
        assert_int_equal(result.first.polygon, TUMBLE_NO_POLYGON);
}

/* ---- Rays ---- */

/* From somewhere near a mesh to one of its corners, to the middle of an edge, or anywhere. */
static oracle_ray draw_ray(test_random *random, const models_mesh *mesh, double size, int is_lattice)
{
    oracle_ray ray = {.t0 = 0, .t1 = INFINITY};
    const size_t triangle = (size_t)test_random_whole(random, 0, (int)(mesh->index_count / 3) - 1);
    const uint32_t *corner = mesh->indices + 3 * triangle;
    const int how = test_random_whole(random, 0, 4), axis = test_random_whole(random, 0, 8);
    int zero = 1;
    for (int k = 0; k < 3; k++) {
        const double a = mesh->points[3 * corner[0] + (uint32_t)k], b = mesh->points[3 * corner[1] + (uint32_t)k];
        const double anywhere = test_random_range(random, -size, size);
        const double at = how == 0 ? anywhere : how <= 2 ? a : 0.5 * (a + b);
        const double far = test_random_range(random, -2 * size, 2 * size);
        ray.origin[k] = axis < 3 && axis != k ? at : is_lattice ? round(far) : far;
        ray.direction[k] = at - ray.origin[k];
        zero &= ray.direction[k] == 0;
    }
    if (zero)
        ray.direction[axis % 3] = 1;
    if (test_random_chance(random, 0.2))
        ray.t0 = -INFINITY;
    if (test_random_chance(random, 0.2))
        ray.t1 = fmax(ray.t0, 1);
    return ray;
}

static void check_mesh(test_world *w, ray_oracle *truth, models_mesh *mesh, test_random *random, double size,
                       int is_lattice, size_t count)
{
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_open_levels(&w->memory, contexts, queries);
    static const size_t variants[] = {
        TEST_TREE_WIDE, TEST_TREE_WIDE,     TEST_TREE_WIDE,  TEST_TREE_WIDE_LONGEST, 0, 37,
        TEST_TREE_KDOP, TEST_TREE_KDOP + 7, TEST_TREE_RTREE, TEST_TREE_RTREE + 3};
    enum {
        VARIANTS = sizeof variants / sizeof *variants
    };
    tumble_model *models[VARIANTS + 1];
    for (size_t i = 0; i < VARIANTS; i++) {
        const tumble_model_options options = test_tree_variant(variants[i]);
        models[i] = test_model(contexts[i % TEST_LEVELS], mesh, &options);
    }
    models[VARIANTS] = test_brute_model(contexts[0], mesh);
    for (size_t i = 0; i < count; i++) {
        const oracle_ray ray = draw_ray(random, mesh, size, is_lattice);
        const tumble_ray_hit *expected;
        const size_t hits = ray_oracle_all(truth, mesh, &ray, &expected);
        for (size_t m = 0; m <= VARIANTS; m++)
            check_ray(queries[m == VARIANTS ? 0 : m % TEST_LEVELS], models[m], &ray, expected, hits);
    }
    for (size_t m = 0; m <= VARIANTS; m++)
        tumble_model_destroy(models[m]);
    test_close_levels(contexts, queries);
}

static void test_meshes(void **state)
{
    test_world *w = *state;
    ray_oracle *truth = ray_oracle_create();
    test_random random = {11};
    static const double shifts[][3] = {{0, 0, 0}, {100, -3, 0}, {3e6, 0, 1}};
    for (int kind = 0; kind < 6; kind++) {
        models_mesh mesh = {0};
        const double scale = kind == 3 ? 0x1p-1060 : kind == 4 ? 0x1p900 : 1;
        if (kind == 0)
            test_make_soup(&mesh, &random, 120, 0.7);
        else if (kind == 5)
            test_make_soup(&mesh, &random, 3, 0.7);
        else
            test_make_lattice(&mesh, &random, 120, 4, 3, 0.1);
        const double none[3] = {0, 0, 0};
        test_transform(&mesh, scale, none);
        check_mesh(w, truth, &mesh, &random, (kind == 0 || kind == 5 ? 1 : 4) * scale, kind != 0 && kind < 3,
                   test_count(60));
        if (kind == 2) {
            for (int i = 1; i < 3; i++) {
                test_transform(&mesh, 1, shifts[i]);
                check_mesh(w, truth, &mesh, &random, 5, 1, test_count(20));
            }
        }
        models_free(&mesh);
    }
    ray_oracle_destroy(truth);
}

/* ---- Closed meshes have no holes ---- */

static void test_watertight(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {12};
    test_make_grid_box(&mesh, 4);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, inside[3];
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        lower[i % 3] = fmin(lower[i % 3], mesh.points[i]);
        upper[i % 3] = fmax(upper[i % 3], mesh.points[i]);
    }
    for (size_t n = 0; n < test_count(20); n++) {
        for (int k = 0; k < 3; k++)
            inside[k] = lower[k] + (upper[k] - lower[k]) * (double)test_random_whole(&random, 1, 15) / 16;
        for (size_t i = 0; i < mesh.point_count; i++) { /* through every corner, from inside */
            oracle_ray ray = {.t0 = 0, .t1 = INFINITY};
            memcpy(ray.origin, inside, sizeof inside);
            for (int k = 0; k < 3; k++)
                ray.direction[k] = mesh.points[3 * i + (size_t)k] - inside[k];
            const tumble_ray_result result = ask(w->query, model, &ray, TUMBLE_ALL);
            assert_true(result.hit_count >= 3);
            for (size_t h = 0; h < result.hit_count; h++)
                assert_true(result.hits[h].t == 1 && result.hits[h].side != TUMBLE_SIDE_FRONT);
            for (int k = 0; k < 3; k++) /* the opposite way, it leaves through something as well */
                ray.direction[k] = -ray.direction[k];
            assert_true(ask(w->query, model, &ray, TUMBLE_FIRST).hit);
        }
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Polygons ---- */

/* A square of one polygon, hit on its diagonal, and one that is bent, hit twice. */
static void test_polygons(void **state)
{
    test_world *w = *state;
    for (int hierarchy = 0; hierarchy < 2; hierarchy++) {
        models_mesh mesh = {0};
        for (int i = 0; i < 8; i++)
            models_point(&mesh, i % 4 == 1 || i % 4 == 2, i % 4 >= 2, i < 4 ? 0 : 2 + 4 * (i % 2));
        models_quad(&mesh, 0, 1, 2, 3);
        models_quad(&mesh, 4, 5, 6, 7);
        tumble_model_options options = test_tree_variant(hierarchy ? TEST_TREE_WIDE : 0);
        tumble_model *model = test_model(w->context, &mesh, &options);
        const oracle_ray along = {.origin = {0.25, 0.25, -1}, .direction = {0, 0, 1}, .t0 = 0, .t1 = INFINITY};
        const oracle_ray across = {.origin = {-1, 0.5, 3.25}, .direction = {1, 0, 0}, .t0 = 0, .t1 = INFINITY};
        assert_int_equal(ask(w->query, model, &along, TUMBLE_COUNT).hit_count, 2);
        const tumble_ray_result all = ask(w->query, model, &along, TUMBLE_ALL);
        assert_int_equal(all.hit_count, 2);
        assert_int_equal(all.hits[0].polygon, 0);
        assert_true(all.hits[0].t == 1 && all.hits[0].side == TUMBLE_SIDE_BACK);
        assert_int_equal(all.hits[1].polygon, 1);
        assert_int_equal(ask(w->query, model, &across, TUMBLE_ALL).hit_count, 1);
        assert_int_equal(ask(w->query, model, &across, TUMBLE_COUNT).hit_count, 1);
        const oracle_ray in_plane = {.origin = {-1, 0.5, 0}, .direction = {1, 0, 0}, .t0 = 0, .t1 = INFINITY};
        const tumble_ray_hit edge = ask(w->query, model, &in_plane, TUMBLE_FIRST).first;
        assert_true(edge.polygon == 0 && edge.side == TUMBLE_SIDE_EDGE_ON && edge.t == 1);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* ---- Poses ---- */

static void test_poses(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {13};
    test_make_lattice(&mesh, &random, 200, 4, 3, 0.1);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    for (size_t i = 0; i < test_count(200); i++) {
        tumble_pose pose = i % 2 ? test_rational_turn(&random) : test_quarter_turn(i / 2);
        for (int k = 0; k < 3; k++)
            pose.m[k][3] = test_random_whole(&random, -3, 3);
        oracle_ray ray = draw_ray(&random, &mesh, 4, 1), moved = ray;
        const tumble_pose inverse = tumble_pose_inverse(&pose);
        tumble_pose turn = inverse;
        for (int k = 0; k < 3; k++)
            turn.m[k][3] = 0;
        tumble_pose_apply(&inverse, ray.origin, moved.origin);
        tumble_pose_apply(&turn, ray.direction, moved.direction);
        const tumble_ray_options options = options_of(&ray, TUMBLE_ALL);
        tumble_ray_result there;
        tumble_ray_hit hits[MOST_HITS];
        const tumble_ray_result here = ask(w->query, model, &moved, TUMBLE_ALL);
        const size_t count = (size_t)here.hit_count;
        assert_true(count <= MOST_HITS);
        if (count > 0)
            memcpy(hits, here.hits, count * sizeof *hits);
        assert_int_equal(tumble_ray(w->query, model, &pose, ray.origin, ray.direction, &options, &there), TUMBLE_OK);
        assert_int_equal(there.hit_count, count);
        for (size_t h = 0; h < count; h++) {
            assert_same_hit(&there.hits[h], &hits[h]);
            for (int k = 0; k < 3; k++)
                assert_true(there.hits[h].point[k] == ray.origin[k] + hits[h].t * ray.direction[k]);
        }
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Batches ---- */

typedef struct batch_case {
    double origins[3000][3], directions[3000][3], ranges[3000][2];
    tumble_ray_hit hits[3000];
    uint64_t counts[3000];
} batch_case;

static void test_batches(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {14};
    batch_case *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_true(models_make_sized(&mesh, "torus", 3000));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    const size_t count = test_effort() < 1 ? 700 : 3000;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            b->origins[i][k] = test_random_range(&random, -2, 2);
            b->directions[i][k] = test_random_range(&random, -1, 1);
        }
        b->ranges[i][0] = i % 3 ? 0 : -INFINITY;
        b->ranges[i][1] = i % 5 ? INFINITY : 2;
    }
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            tumble_ray_batch batch = tumble_default_ray_batch();
            batch.count = count, batch.origins = b->origins[0], batch.directions = b->directions[0];
            batch.ranges = b->ranges[0], batch.hits = b->hits, batch.hit_counts = b->counts;
            tumble_ray_options options = tumble_default_ray_options();
            options.mode = (tumble_mode)mode, options.thread_count = threads;
            tumble_ray_result all;
            assert_int_equal(tumble_rays(w->query, model, NULL, &batch, &options, &all), TUMBLE_OK);
            uint64_t total = 0;
            tumble_query *other;
            assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
            for (size_t i = 0; i < count; i++) {
                oracle_ray ray = {.t0 = b->ranges[i][0], .t1 = b->ranges[i][1]};
                memcpy(ray.origin, b->origins[i], sizeof ray.origin);
                memcpy(ray.direction, b->directions[i], sizeof ray.direction);
                const tumble_ray_result single = ask(other, model, &ray, (tumble_mode)mode);
                assert_int_equal(b->counts[i], single.hit_count);
                assert_int_equal(b->hits[i].polygon != TUMBLE_NO_POLYGON, single.hit && mode != TUMBLE_COUNT);
                if (single.hit && (mode == TUMBLE_FIRST || mode == TUMBLE_ALL))
                    assert_memory_equal(&b->hits[i], &single.first, sizeof single.first);
                if (mode == TUMBLE_ALL && single.hit)
                    assert_memory_equal(all.hits + total, single.hits, single.hit_count * sizeof *single.hits);
                total += single.hit_count;
            }
            assert_int_equal(all.hit_count, total);
            tumble_query_destroy(other);
        }
    }
    free(b);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Inside ---- */

static void check_points(test_world *w, ray_oracle *truth, const models_mesh *mesh, tumble_inside_rule rule,
                         test_random *random, size_t count)
{
    for (size_t variant = 0; variant < 3; variant++) {
        const tumble_model_options options = test_tree_variant(variant == 0   ? TEST_TREE_WIDE
                                                               : variant == 1 ? 3
                                                                              : TEST_TREE_KDOP);
        tumble_model *model = test_model(w->context, mesh, &options);
        for (size_t i = 0; i < count; i++) {
            const uint32_t *corner =
                mesh->indices + 3 * (size_t)test_random_whole(random, 0, (int)mesh->index_count / 3 - 1);
            const int how = test_random_whole(random, 0, 3);
            double point[3];
            for (int k = 0; k < 3; k++) {
                const double a = mesh->points[3 * corner[0] + (uint32_t)k],
                             b = mesh->points[3 * corner[1] + (uint32_t)k];
                const double any = test_random_whole(random, -20, 20) / 4.0;
                point[k] = how == 0 ? a : how == 1 ? 0.5 * (a + b) : any;
            }
            tumble_inside_options o = tumble_default_inside_options();
            o.rule = rule;
            tumble_inside_answer answer;
            assert_int_equal(tumble_inside(w->query, model, NULL, point, 1, &o, &answer, NULL), TUMBLE_OK);
            const tumble_inside_answer expected = ray_oracle_inside(truth, mesh, point, rule);
            assert_int_equal(answer.place, expected.place);
            assert_int_equal(answer.winding, expected.winding);
            assert_int_equal(answer.polygon, expected.polygon);
        }
        tumble_model_destroy(model);
    }
}

/* Tetrahedra on a lattice that overlap, some of them turned inside out. */
static void make_tetrahedra(models_mesh *mesh, test_random *random, int count)
{
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (int n = 0; n < count; n++) {
        const uint32_t first = (uint32_t)mesh->point_count, turned = (uint32_t)test_random_whole(random, 0, 1);
        for (int i = 0; i < 4; i++) {
            const int x = test_random_whole(random, -4, 4), y = test_random_whole(random, -4, 4);
            models_point(mesh, x, y, test_random_whole(random, -4, 4));
        }
        for (int f = 0; f < 4; f++)
            models_triangle(mesh, first + faces[f][0], first + faces[f][1 + turned], first + faces[f][2 - turned]);
    }
}

static void test_inside(void **state)
{
    test_world *w = *state;
    ray_oracle *truth = ray_oracle_create();
    test_random random = {15};
    for (size_t i = 0; i < test_count(12); i++) {
        models_mesh mesh = {0};
        make_tetrahedra(&mesh, &random, 5);
        check_points(w, truth, &mesh, i % 2 ? TUMBLE_INSIDE_PARITY : TUMBLE_INSIDE_WINDING, &random, 25);
        models_free(&mesh);
    }
    ray_oracle_destroy(truth);
}

static void test_inside_batch(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    double points[600][3];
    tumble_inside_answer answers[2][600];
    test_random random = {16};
    assert_true(models_make_sized(&mesh, "sphere", 800));
    models_fit(&mesh, 2, 0);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    tumble_pose pose = test_translation(10, 0, 0);
    for (size_t i = 0; i < 600; i++) {
        for (int k = 0; k < 3; k++)
            points[i][k] = test_random_range(&random, -1.2, 1.2);
        points[i][0] += 10;
    }
    tumble_inside_options options = tumble_default_inside_options();
    size_t inside = 0;
    for (uint32_t n = 0; n < 2; n++) {
        tumble_counters counters;
        options.thread_count = 1 + 3 * n;
        options.rule = n ? TUMBLE_INSIDE_WINDING : TUMBLE_INSIDE_PARITY;
        assert_int_equal(tumble_inside(w->query, model, &pose, points[0], 600, &options, answers[n], &counters),
                         TUMBLE_OK);
        assert_true(counters.box_tests > 0);
    }
    for (size_t i = 0; i < 600; i++) {
        const double x = points[i][0] - 10, r = sqrt(x * x + points[i][1] * points[i][1] + points[i][2] * points[i][2]);
        assert_int_equal(answers[0][i].place, answers[1][i].place);
        if (r < 0.95 || r > 1.01) {
            assert_int_equal(answers[0][i].place, r < 1 ? TUMBLE_PLACE_INSIDE : TUMBLE_PLACE_OUTSIDE);
            assert_int_equal(answers[1][i].winding, r < 1);
        }
        inside += answers[0][i].place == TUMBLE_PLACE_INSIDE;
    }
    assert_in_range(inside, 100, 500);
    tumble_model_destroy(model);
    mesh.index_count -= 3; /* open */
    mesh.polygon_count--;
    model = test_model(w->context, &mesh, NULL);
    tumble_inside_answer answer;
    assert_int_equal(tumble_inside(w->query, model, NULL, points[0], 1, NULL, &answer, NULL), TUMBLE_OK);
    assert_int_equal(answer.place, TUMBLE_PLACE_UNDEFINED);
    assert_int_equal(tumble_inside(w->query, model, NULL, mesh.points, 1, NULL, &answer, NULL), TUMBLE_OK);
    assert_int_equal(answer.place, TUMBLE_PLACE_ON_SURFACE);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Errors ---- */

/* Each number of a ray has to be finite. */
static void test_every_number(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_make_grid_box(&mesh, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    for (int i = 0; i < 6; i++) {
        double numbers[2][3] = {{0, 0, 0}, {1, 1, 1}};
        tumble_ray_batch batch = tumble_default_ray_batch();
        tumble_ray_result result;
        numbers[i / 3][i % 3] = i % 2 ? NAN : -(double)INFINITY;
        batch.count = 1, batch.origins = numbers[0], batch.directions = numbers[1];
        const char *words = i < 3 ? "origin" : "direction";
        test_assert_status(w->context, tumble_rays(w->query, model, NULL, &batch, NULL, &result),
                           TUMBLE_ERROR_NOT_FINITE, words);
        test_assert_status(w->context, tumble_ray(w->query, model, NULL, numbers[0], numbers[1], NULL, &result),
                           TUMBLE_ERROR_NOT_FINITE, words);
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void test_errors(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_make_grid_box(&mesh, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    const double origin[3] = {0, 0, 0}, along[3] = {0, 0, 1}, zero[3] = {0, -0.0, 0}, bad[3] = {0, NAN, 0};
    const double far[3] = {0, INFINITY, 0};
    tumble_ray_result result;
    tumble_ray_options options = tumble_default_ray_options();
    const tumble_pose sheared = {{{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const tumble_pose tiny = {{{1e-300, 0, 0, 0}, {0, 1e-300, 0, 0}, {0, 0, 1e-300, 0}}};
#define EXPECT(status, words, ...) test_assert_status(w->context, __VA_ARGS__, status, words)
    EXPECT(TUMBLE_ERROR_ARGUMENT, "direction is 0", tumble_ray(w->query, model, NULL, origin, zero, NULL, &result));
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "direction (0 nan 0)",
           tumble_ray(w->query, model, NULL, origin, bad, NULL, &result));
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "origin (0 inf 0)", tumble_ray(w->query, model, NULL, far, along, NULL, &result));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "null", tumble_ray(w->query, NULL, NULL, origin, along, NULL, &result));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "null", tumble_ray(w->query, model, NULL, NULL, along, NULL, &result));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "result", tumble_ray(w->query, model, NULL, origin, along, NULL, NULL));
    EXPECT(TUMBLE_ERROR_POSE, "", tumble_ray(w->query, model, &sheared, origin, along, NULL, &result));
    const double large[3] = {1e300, 0, 0};
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "frame", tumble_ray(w->query, model, &tiny, large, along, NULL, &result));
    options.t0 = 2, options.t1 = 1;
    EXPECT(TUMBLE_ERROR_ARGUMENT, "t0 = 2", tumble_ray(w->query, model, NULL, origin, along, &options, &result));
    options.t0 = NAN;
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "t0", tumble_ray(w->query, model, NULL, origin, along, &options, &result));
    options = tumble_default_ray_options();
    options.mode = TUMBLE_SURFACES;
    EXPECT(TUMBLE_ERROR_ARGUMENT, "mode", tumble_ray(w->query, model, NULL, origin, along, &options, &result));
    options = tumble_default_ray_options();
    options.hit_capacity = 1;
    EXPECT(TUMBLE_ERROR_ARGUMENT, "capacity", tumble_ray(w->query, model, NULL, origin, along, &options, &result));
    const double origins[2][3] = {{0, 0, 0}, {NAN, 0, 0}}, directions[2][3] = {{0, 0, 1}, {0, 0, 1}};
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = 2, batch.origins = origins[0], batch.directions = directions[0];
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "ray 1", tumble_rays(w->query, model, NULL, &batch, NULL, &result));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "batch", tumble_rays(w->query, model, NULL, NULL, NULL, &result));
    assert_int_equal(tumble_ray(NULL, model, NULL, origin, along, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_rays(NULL, model, NULL, &batch, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    tumble_inside_answer answers[2];
    tumble_inside_options inside = tumble_default_inside_options();
    EXPECT(TUMBLE_ERROR_NOT_FINITE, "point 1",
           tumble_inside(w->query, model, NULL, origins[0], 2, NULL, answers, NULL));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "null", tumble_inside(w->query, model, NULL, NULL, 2, NULL, answers, NULL));
    EXPECT(TUMBLE_ERROR_ARGUMENT, "null", tumble_inside(w->query, NULL, NULL, origins[0], 1, NULL, answers, NULL));
    EXPECT(TUMBLE_ERROR_POSE, "", tumble_inside(w->query, model, &sheared, origins[0], 1, NULL, answers, NULL));
    inside.rule = (tumble_inside_rule)7;
    EXPECT(TUMBLE_ERROR_ARGUMENT, "rule", tumble_inside(w->query, model, NULL, origins[0], 1, &inside, answers, NULL));
    assert_int_equal(tumble_inside(NULL, model, NULL, origins[0], 1, NULL, answers, NULL), TUMBLE_ERROR_ARGUMENT);
#undef EXPECT
    assert_int_equal(tumble_ray(w->query, model, NULL, origin, along, NULL, &result), TUMBLE_OK);
    assert_string_equal(tumble_place_name(TUMBLE_PLACE_ON_SURFACE), "on-surface");
    assert_string_equal(tumble_place_name(TUMBLE_PLACE_UNDEFINED), "undefined");
    assert_string_equal(tumble_place_name(TUMBLE_PLACE_INSIDE), "inside");
    assert_string_equal(tumble_place_name(TUMBLE_PLACE_OUTSIDE), "outside");
    assert_string_equal(tumble_place_name((tumble_place)9), "unknown");
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* Parameters above all doubles, and points that are far on the other side. */
static void test_far(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    models_point(&mesh, -1, -1, 0x1p1000);
    models_point(&mesh, 3, -1, 0x1p1000);
    models_point(&mesh, -1, 3, 0x1p1000);
    models_triangle(&mesh, 0, 1, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    const double origin[3] = {0, 0, 0}, along[3] = {0, 0, 0x1p-1000}, behind[3] = {0, 0, -DBL_MAX}, up[3] = {0, 0, 4};
    tumble_ray_result result;
    assert_int_equal(tumble_ray(w->query, model, NULL, origin, along, NULL, &result), TUMBLE_OK);
    assert_true(isinf(result.first.t) && result.first.point[2] == 0x1p1000 && result.first.point[0] == 0);
    assert_int_equal(tumble_ray(w->query, model, NULL, behind, up, NULL, &result), TUMBLE_OK);
    assert_true(result.first.polygon == 0 && fabs(result.first.point[2] - 0x1p1000) <= 0x1p972);
    tumble_model_destroy(model);
    models_free(&mesh);
    model = test_model(w->context, &mesh, NULL); /* nothing */
    assert_int_equal(tumble_ray(w->query, model, NULL, origin, along, NULL, &result), TUMBLE_OK);
    assert_false(result.hit);
    tumble_model_destroy(model);
}

/* ---- Memory ---- */

typedef struct memory_case {
    tumble_mesh mesh;
    double origins[1200][3], directions[1200][3];
} memory_case;

static tumble_status cast_at(tumble_query *query, const tumble_model *model, const memory_case *c)
{
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_batch batch = tumble_default_ray_batch();
    tumble_ray_result result;
    tumble_inside_answer answer;
    batch.count = 1200, batch.origins = c->origins[0], batch.directions = c->directions[0];
    options.mode = TUMBLE_ALL;
    options.thread_count = 2;
    const tumble_status status = tumble_rays(query, model, NULL, &batch, &options, &result);
    return status == TUMBLE_OK ? tumble_inside(query, model, NULL, c->origins[0], 1, NULL, &answer, NULL) : status;
}

static tumble_status cast_all(test_world *w, void *user)
{
    const memory_case *c = user;
    tumble_query *query = NULL;
    tumble_model *model = NULL;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK)
        status = tumble_model_create(w->context, &c->mesh, NULL, &model);
    if (status == TUMBLE_OK)
        status = cast_at(query, model, c);
    tumble_model_destroy(model);
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {17};
    memory_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    test_make_grid_box(&mesh, 2);
    c->mesh = models_view(&mesh);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    for (size_t i = 0; i < 3600; i++) {
        c->origins[i / 3][i % 3] = test_random_range(&random, -3, 3);
        c->directions[i / 3][i % 3] = test_random_range(&random, -1, 1);
    }
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, cast_all, NULL, c) > 4);
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_result result;
    options.mode = TUMBLE_ALL;
    for (int i = 0; i < 3; i++) { /* a warm query takes none */
        const size_t before = w->memory.calls;
        assert_int_equal(tumble_ray(w->query, model, NULL, c->origins[i % 2], c->directions[i % 2], &options, &result),
                         TUMBLE_OK);
        assert_true(i < 2 || w->memory.calls == before);
    }
    tumble_model_destroy(model);
    free(c);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_meshes),       TEST_IN_WORLD(test_watertight), TEST_IN_WORLD(test_polygons),
        TEST_IN_WORLD(test_poses),        TEST_IN_WORLD(test_batches),    TEST_IN_WORLD(test_inside),
        TEST_IN_WORLD(test_every_number), TEST_IN_WORLD(test_errors),     TEST_IN_WORLD(test_inside_batch),
        TEST_IN_WORLD(test_far),          TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
