/* Rays at models with a radius: every hierarchy, mode and instruction set against arithmetic with many digits; grazing
 * rays, ties, ranges that end at the solid, poses, batches, scenes, and failing memory. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point_cases.h"
#include "sets.h"
#include "thick_oracle.h"

/* ---- What is asked ---- */

static tumble_ray_result ask(tumble_query *query, const tumble_model *model, const oracle_ray *ray, tumble_mode mode)
{
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_result result;
    options.mode = mode;
    options.t0 = ray->t0;
    options.t1 = ray->t1;
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

static void check_model(tumble_query *query, const tumble_model *model, const oracle_ray *ray,
                        const tumble_ray_hit *expected, size_t count)
{
    tumble_ray_result result = ask(query, model, ray, TUMBLE_ALL);
    assert_int_equal(result.hit_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_same_hit(&result.hits[i], &expected[i]);
        for (int k = 0; k < 3; k++) {
            assert_true(result.hits[i].point[k] == ray->origin[k] + expected[i].t * ray->direction[k]);
        }
    }
    assert_int_equal(ask(query, model, ray, TUMBLE_COUNT).hit_count, count);
    assert_int_equal(ask(query, model, ray, TUMBLE_TEST).hit, count > 0);
    result = ask(query, model, ray, TUMBLE_FIRST);
    assert_int_equal(result.hit, count > 0);
    if (count > 0) {
        assert_same_hit(&result.first, &expected[0]);
    }
}

static void check_all(point_bench *bench, thick_oracle *truth, const double *radii, const oracle_ray *ray)
{
    const tumble_ray_hit *expected;
    const size_t count = thick_oracle_ray(truth, &bench->mesh, radii, ray, &expected);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        for (int level = 0; level < TEST_LEVELS; level++) {
            check_model(bench->queries[level], bench->models[i], ray, expected, count);
        }
    }
}

/* ---- Radii ---- */

/* One for all polygons, or one for each, some of which are 0. */
static double *set_radii(point_bench *bench, test_random *random, double size, int own)
{
    const size_t count = bench->mesh.polygon_count;
    double *radii = calloc(count + 1, sizeof *radii);
    assert_non_null(radii);
    const double all = size * test_random_whole(random, 1, 6) / 4;
    for (size_t i = 0; i < count; i++) {
        radii[i] = own ? size * test_random_whole(random, 0, 6) / 4 : all;
    }
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = test_info(bench->models[i]).hierarchy;
        tumble_mesh mesh = models_view(&bench->mesh);
        mesh.radii = own ? radii : NULL;
        options.radius = own ? 0 : all;
        tumble_model_destroy(bench->models[i]);
        assert_int_equal(tumble_model_create(bench->contexts[0], &mesh, &options, &bench->models[i]), TUMBLE_OK);
    }
    return radii;
}

/* ---- Rays ---- */

/* To a corner or the middle of an edge, moved by the radius along an axis or not at all. */
static oracle_ray draw_ray(const models_mesh *mesh, test_random *random, double size, double radius, int is_lattice)
{
    oracle_ray ray = {.t0 = 0, .t1 = INFINITY};
    const size_t triangle = (size_t)test_random_whole(random, 0, (int)(mesh->index_count / 3) - 1);
    const uint32_t *corner = mesh->indices + 3 * triangle;
    const int how = test_random_whole(random, 0, 5), axis = test_random_whole(random, 0, 8);
    int zero = 1;
    for (int k = 0; k < 3; k++) {
        const double a = mesh->points[3 * corner[0] + (uint32_t)k], b = mesh->points[3 * corner[1] + (uint32_t)k];
        const double shift = k == axis % 3 && how > 2 ? (how == 3 ? radius : -radius) : 0;
        const double at = (how == 0 ? test_random_range(random, -size, size) : how % 2 ? a : 0.5 * (a + b)) + shift;
        const double far = test_random_range(random, -2 * size, 2 * size);
        ray.origin[k] = axis < 6 && axis % 3 != (k + 1) % 3 ? at : is_lattice ? round(far) : far;
        ray.direction[k] = at - ray.origin[k];
        zero &= ray.direction[k] == 0;
    }
    if (zero) {
        ray.direction[axis % 3] = 1;
    }
    if (test_random_chance(random, 0.2)) {
        ray.t0 = -INFINITY;
    } else if (test_random_chance(random, 0.2)) {
        ray.t0 = test_random_whole(random, -4, 4) / 4.0;
    }
    if (test_random_chance(random, 0.2)) {
        ray.t1 = fmax(ray.t0, 1);
    }
    return ray;
}

static void check_rays(point_bench *bench, thick_oracle *truth, test_random *random, double size, int is_lattice,
                       size_t count)
{
    point_bench_build(bench);
    for (int own = 0; own < 2; own++) {
        double *radii = set_radii(bench, random, is_lattice ? 1 : size / 16, own);
        for (size_t i = 0; i < count; i++) {
            const oracle_ray ray =
                draw_ray(&bench->mesh, random, size, radii[i % bench->mesh.polygon_count], is_lattice);
            check_all(bench, truth, radii, &ray);
        }
        free(radii);
    }
    point_bench_clear(bench);
}

static void solids_of_soups(void **state)
{
    point_bench *bench = *state;
    thick_oracle *truth = thick_oracle_create();
    test_random random = {21};
    static const double scales[] = {1, 0x1p-300, 0x1p200};
    for (int i = 0; i < 3; i++) {
        const double none[3] = {0, 0, 0};
        test_make_soup(&bench->mesh, &random, 80, 0.7);
        test_transform(&bench->mesh, scales[i], none);
        check_rays(bench, truth, &random, scales[i], 0, test_count(20));
    }
    thick_oracle_destroy(truth);
}

static void solids_of_lattices(void **state)
{
    point_bench *bench = *state;
    thick_oracle *truth = thick_oracle_create();
    test_random random = {22};
    static const double shifts[][3] = {{0, 0, 0}, {100, -3, 0}, {0x1p21, 0, 1}};
    for (int i = 0; i < 3; i++) {
        test_make_lattice(&bench->mesh, &random, 80, 4, 3, 0.2);
        test_transform(&bench->mesh, 1, shifts[i]);
        check_rays(bench, truth, &random, 5, 1, test_count(30));
    }
    thick_oracle_destroy(truth);
}

/* Rays that only touch, that end and start on the surface, and solids that are entered at the same point. */
static void touching_is_enough(void **state)
{
    point_bench *bench = *state;
    const double far = 8;
    for (int i = 0; i < 3; i++) { /* a triangle, a segment, a point */
        const uint32_t a = models_point(&bench->mesh, far * i, 0, 0), b = models_point(&bench->mesh, far * i + 4, 0, 0),
                       c = models_point(&bench->mesh, far * i, 4, 0);
        models_triangle(&bench->mesh, a, i < 2 ? b : a, i < 1 ? c : i < 2 ? b : a);
    }
    point_bench_build(bench);
    thick_oracle *truth = thick_oracle_create();
    test_random random = {23};
    double *radii = set_radii(bench, &random, 1, 0);
    const double r = radii[0];
    for (int i = 0; i < 3; i++) {
        for (int way = -1; way <= 1; way += 2) {
            const oracle_ray rays[] = {
                {{-9, 1, way * r}, {1, 0, 0}, 0, INFINITY},                 /* along the face */
                {{-9, 0, way * r}, {1, 0, 0}, 0, INFINITY},                 /* along the edge, above */
                {{-9, -r, 0}, {1, 0, 0}, 0, INFINITY},                      /* ... and beside */
                {{-9, -nextafter(r, way), 0}, {1, 0, 0}, 0, INFINITY},      /* a little nearer, or farther */
                {{far * i + 1, 1, way * 5}, {0, 0, -way}, 0, 5 - r},        /* up to the surface */
                {{far * i + 1, 1, way * 5}, {0, 0, -way}, 5 - r, 6},        /* from there on */
                {{far * i + 1, 1, way * 5}, {0, 0, -way}, 5 + r, INFINITY}, /* from where it is left on */
                {{far * i + 1, 1, way * 5}, {0, 0, -way}, nextafter(5 + r, 9), INFINITY},
                {{far * i, 0, way * 5}, {0, 0, -way}, 0, INFINITY},   /* to a corner */
                {{far * i + 1, 0, way * 5}, {0, 0, -way}, 0, 5},      /* to an edge */
                {{far * i - r, 0, way * 5}, {0, 0, -way}, 0, 5},      /* touching a ball */
                {{far * i, 1, 0}, {0, way, 0}, -0x1p-3, 0x1p-3},      /* inside all the time */
                {{far * i, 1, 0}, {0, way, 0}, -INFINITY, INFINITY}}; /* from far away */
            for (size_t n = 0; n < sizeof rays / sizeof *rays; n++) {
                check_all(bench, truth, radii, &rays[n]);
            }
        }
    }
    free(radii);
    thick_oracle_destroy(truth);
}

/* Corners that are neighbours on a sphere far away from where rays start: roots that doubles do not tell apart. */
static void far_origins(void **state)
{
    point_bench *bench = *state;
    thick_oracle *truth = thick_oracle_create();
    test_random random = {24};
    for (size_t n = 0; n < test_count(4); n++) {
        test_make_lattice(&bench->mesh, &random, 30, 3, 2, 0.2);
        point_bench_build(bench);
        double *radii = set_radii(bench, &random, n % 2 ? 0x1p-30 : 1, 1);
        for (int i = 0; i < 20; i++) {
            oracle_ray ray = {.t0 = -INFINITY, .t1 = INFINITY};
            for (int k = 0; k < 3; k++) {
                const double at = test_random_whole(&random, -3, 3);
                ray.direction[k] = ldexp(test_random_whole(&random, 1, 9), i % 3 - 1);
                ray.origin[k] = at - ldexp(ray.direction[k], 10 + i);
            }
            check_all(bench, truth, radii, &ray);
        }
        free(radii);
        point_bench_clear(bench);
    }
    thick_oracle_destroy(truth);
}

/* ---- Points inside ---- */

static tumble_inside_answer true_place(point_bench *bench, ray_oracle *thin, const double *radii, const double point[3],
                                       int is_closed)
{
    tumble_inside_answer answer = {.place = TUMBLE_PLACE_OUTSIDE, .polygon = TUMBLE_NO_POLYGON};
    mpq_t squared;
    mpq_init(squared);
    if (is_closed && ray_oracle_inside(thin, &bench->mesh, point, TUMBLE_INSIDE_PARITY).place == TUMBLE_PLACE_INSIDE) {
        answer.place = TUMBLE_PLACE_INSIDE;
    }
    for (uint32_t i = 0; i < bench->mesh.polygon_count && answer.place != TUMBLE_PLACE_INSIDE; i++) {
        point_squared_distance(bench, point, i, squared);
        const int order = point_compare_square(radii[i], squared);
        if (order > 0) {
            answer = (tumble_inside_answer){.place = TUMBLE_PLACE_INSIDE, .polygon = TUMBLE_NO_POLYGON};
        } else if (order == 0 && answer.place == TUMBLE_PLACE_OUTSIDE) {
            answer = (tumble_inside_answer){.place = TUMBLE_PLACE_ON_SURFACE, .polygon = i};
        }
    }
    mpq_clear(squared);
    return answer;
}

static void points_in_solids(void **state)
{
    point_bench *bench = *state;
    ray_oracle *thin = ray_oracle_create();
    test_random random = {25};
    size_t seen[4] = {0};
    for (int closed = 0; closed < 2; closed++) {
        for (int own = 0; own < 2; own++) {
            if (closed) {
                test_make_grid_box(&bench->mesh, 3);
            } else {
                test_make_lattice(&bench->mesh, &random, 12, 4, 2, 0.2);
            }
            point_bench_build(bench);
            double *radii = set_radii(bench, &random, 1, own);
            for (size_t n = 0; n < test_count(80); n++) {
                double point[3];
                for (int k = 0; k < 3; k++) {
                    point[k] = test_random_whole(&random, -28, 28) / 4.0;
                }
                const tumble_inside_answer expected = true_place(bench, thin, radii, point, closed);
                seen[expected.place]++;
                for (int i = 0; i < POINT_HIERARCHIES; i++) {
                    tumble_inside_answer found;
                    assert_int_equal(
                        tumble_inside(bench->queries[0], bench->models[i], NULL, point, 1, NULL, &found, NULL),
                        TUMBLE_OK);
                    assert_int_equal(found.place, expected.place);
                    assert_int_equal(found.polygon, expected.polygon);
                }
            }
            free(radii);
            point_bench_clear(bench);
        }
    }
    assert_true(seen[3] == 0 && (test_effort() < 1 || (seen[0] > 0 && seen[1] > 0 && seen[2] > 0)));
    ray_oracle_destroy(thin);
}

/* The wall of a solid is inside it, by both rules, and then no polygon is told. */
static void points_in_walls(void **state)
{
    point_bench *bench = *state;
    test_random random = {26};
    const double points[3][3] = {{0, 1.5, 1.25}, {3, 3, 3}, {1, 0, 2}};
    test_make_grid_box(&bench->mesh, 3);
    point_bench_build(bench);
    free(set_radii(bench, &random, 1, 0));
    for (int i = 0; i < 2 * POINT_HIERARCHIES; i++) {
        tumble_inside_options options = tumble_default_inside_options();
        tumble_inside_answer found[3];
        options.rule = i % 2 ? TUMBLE_INSIDE_WINDING : TUMBLE_INSIDE_PARITY;
        assert_int_equal(
            tumble_inside(bench->queries[0], bench->models[i / 2], NULL, points[0], 3, &options, found, NULL),
            TUMBLE_OK);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(found[k].place, TUMBLE_PLACE_INSIDE);
            assert_int_equal(found[k].polygon, TUMBLE_NO_POLYGON);
        }
    }
    point_bench_clear(bench);
}

/* ---- Batches, poses and scenes ---- */

static tumble_model *thick_model(tumble_context *context, const models_mesh *mesh, double radius)
{
    tumble_model_options options = tumble_default_model_options();
    options.radius = radius;
    return test_model(context, mesh, &options);
}

/* A pose and an object's radius: the rays of the model's frame, at a model with the sum of the radii. */
static void objects_are_thick(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {26};
    test_make_soup(&mesh, &random, 60, 0.5);
    tumble_model *model = thick_model(w->context, &mesh, 0.0625), *both = thick_model(w->context, &mesh, 0.0625 + 0.1);
    tumble_query *other;
    tumble_scene *scene;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    tumble_part part = tumble_default_part();
    part.model = model, part.radius = 0.1;
    part.pose = test_rational_turn(&random);
    for (int k = 0; k < 9; k++) {
        part.pose.m[k / 3][k % 3] *= 1.75;
    }
    part.pose.m[0][3] = 2;
    tumble_object object;
    assert_int_equal(tumble_scene_add(scene, &part, 1, &object), TUMBLE_OK);
    size_t hits = 0, inside = 0;
    for (size_t n = 0; n < test_count(200); n++) {
        double o[3], d[3];
        for (int k = 0; k < 3; k++) {
            o[k] = test_random_range(&random, -3, 3) + 2 * (k == 0);
            d[k] = test_random_range(&random, -2, 2) + 2 * (k == 0) - o[k];
        }
        tumble_ray_options options = tumble_default_ray_options();
        options.mode = n % 2 ? TUMBLE_ALL : TUMBLE_FIRST;
        tumble_ray_result single;
        tumble_scene_ray_result found;
        assert_int_equal(tumble_ray(other, both, &part.pose, o, d, &options, &single), TUMBLE_OK);
        assert_int_equal(tumble_scene_ray(w->query, scene, UINT32_MAX, o, d, &options, &found), TUMBLE_OK);
        assert_int_equal(found.hit_count, single.hit_count);
        hits += single.hit;
        for (size_t h = 0; h < found.hit_count; h++) {
            const tumble_ray_hit *expected = options.mode == TUMBLE_ALL ? &single.hits[h] : &single.first;
            const tumble_ray_hit *hit = options.mode == TUMBLE_ALL ? &found.hits[h].hit : &found.first.hit;
            assert_memory_equal(hit, expected, sizeof *hit);
        }
        tumble_inside_answer answer;
        const tumble_scene_place *places;
        size_t count;
        assert_int_equal(tumble_inside(other, both, &part.pose, o, 1, NULL, &answer, NULL), TUMBLE_OK);
        assert_int_equal(tumble_scene_inside(w->query, scene, UINT32_MAX, o, NULL, &places, &count), TUMBLE_OK);
        assert_int_equal(count, answer.place == TUMBLE_PLACE_INSIDE || answer.place == TUMBLE_PLACE_ON_SURFACE);
        inside += count;
    }
    assert_true(hits > 0 && inside > 0);
    part.radius = DBL_MAX;
    assert_int_equal(tumble_scene_set(scene, &object, &part, 1), TUMBLE_OK);
    assert_int_equal(tumble_model_set_radius(model, DBL_MAX), TUMBLE_OK);
    const double o[3] = {0, 0, 0}, d[3] = {1, 0, 0};
    tumble_scene_ray_result found;
    test_assert_status(w->context, tumble_scene_ray(w->query, scene, UINT32_MAX, o, d, NULL, &found),
                       TUMBLE_ERROR_NOT_FINITE, "infinite");
    tumble_scene_destroy(scene);
    tumble_query_destroy(other);
    tumble_model_destroy(model);
    tumble_model_destroy(both);
    models_free(&mesh);
}

/* Exact comparisons and memory: rays that touch, at solids that are entered at the same point. */
typedef struct memory_job {
    models_mesh mesh;
    double origins[40][3], directions[40][3];
} memory_job;

static tumble_status cast_all(test_world *w, void *user)
{
    memory_job *job = user;
    tumble_query *query = NULL;
    tumble_model *model = NULL;
    tumble_mesh mesh = models_view(&job->mesh);
    tumble_model_options options = tumble_default_model_options();
    options.radius = 1;
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = 40, batch.origins = job->origins[0], batch.directions = job->directions[0];
    tumble_ray_options all = tumble_default_ray_options();
    all.mode = TUMBLE_ALL;
    tumble_ray_result result = {.counters = {0}};
    tumble_inside_answer answer;
    tumble_status status = tumble_query_create(w->context, &query);
    status = status == TUMBLE_OK ? tumble_model_create(w->context, &mesh, &options, &model) : status;
    status = status == TUMBLE_OK ? tumble_rays(query, model, NULL, &batch, &all, &result) : status;
    assert_true(status != TUMBLE_OK || result.counters.exact_tests > 0);
    status = status == TUMBLE_OK ? tumble_inside(query, model, NULL, job->origins[0], 1, NULL, &answer, NULL) : status;
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    return status;
}

static void memory_fails(void **state)
{
    test_world *w = *state;
    memory_job job = {.mesh = {0}};
    test_random random = {27};
    test_make_lattice(&job.mesh, &random, 40, 3, 2, 0.2);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 3; k++) {
            job.origins[i][k] = k == i % 3 ? -9 : test_random_whole(&random, -4, 4);
            job.directions[i][k] = k == i % 3;
        }
    }
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, cast_all, NULL, &job) > 4);
    models_free(&job.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_POINTS(solids_of_soups),  TEST_ON_POINTS(solids_of_lattices), TEST_ON_POINTS(touching_is_enough),
        TEST_ON_POINTS(far_origins),      TEST_ON_POINTS(points_in_solids),   TEST_ON_POINTS(points_in_walls),
        TEST_IN_WORLD(objects_are_thick), TEST_IN_WORLD(memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
