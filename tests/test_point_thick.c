/* The closest points of models with a radius, and their polygons in boxes and balls: against exact arithmetic, for
 * every hierarchy and instruction set. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point_cases.h"
#include "sets.h"

enum {
    MOST = 128,
    BITS = 1024
};

/* ---- Models ---- */

/* One radius for all polygons, or one for each; and what an exact answer needs. */
typedef struct thick_bench {
    point_bench *bench;
    double radii[4096];
    int own;
} thick_bench;

static void thicken(thick_bench *t, test_random *random, double unit, int own)
{
    const double all = unit * test_random_whole(random, 1, 5);
    const size_t count = t->bench->mesh.polygon_count;
    assert_true(count <= 4096);
    t->own = own;
    for (size_t i = 0; i < count; i++) {
        t->radii[i] = own ? unit * test_random_whole(random, 0, 5) : all;
    }
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = test_info(t->bench->models[i]).hierarchy;
        tumble_mesh mesh = models_view(&t->bench->mesh);
        mesh.radii = own ? t->radii : NULL;
        options.radius = own ? 0 : all;
        tumble_model_destroy(t->bench->models[i]);
        assert_int_equal(tumble_model_create(t->bench->contexts[0], &mesh, &options, &t->bench->models[i]), TUMBLE_OK);
    }
}

/* ---- Closest points ---- */

static tumble_closest kept[MOST];

/* All hierarchies and instruction sets give the same bits. */
static tumble_closest_result ask_all(point_bench *bench, const double point[3], const tumble_closest_options *options)
{
    tumble_closest_result first = {0};
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        for (int level = 0; level < TEST_LEVELS; level++) {
            tumble_closest_result result;
            assert_int_equal(
                tumble_closest_point(bench->queries[level], bench->models[i], NULL, point, options, &result),
                TUMBLE_OK);
            assert_true(result.count <= MOST);
            if (i == 0 && level == 0) {
                first = result;
                first.closest = kept;
                for (size_t k = 0; k < result.count; k++) {
                    kept[k] = result.closest[k];
                }
            }
            assert_int_equal(result.count, first.count);
            for (size_t k = 0; k < result.count; k++) {
                assert_memory_equal(&result.closest[k], &kept[k], sizeof *kept);
            }
        }
    }
    return first;
}

/* The distance of a polygon, less or plus its radius. */
static void exact_distance(thick_bench *t, const double point[3], uint32_t polygon, int way, mpf_t distance, mpf_t out)
{
    mpq_t squared;
    mpf_t radius;
    mpq_init(squared);
    mpf_init2(radius, BITS);
    point_squared_distance(t->bench, point, polygon, squared);
    mpf_set_q(distance, squared);
    mpf_sqrt(distance, distance);
    mpf_set_d(radius, t->radii[polygon]);
    if (way < 0) {
        mpf_add(out, distance, radius);
        mpf_neg(out, out);
    } else {
        mpf_sub(out, distance, radius);
    }
    mpq_clear(squared);
    mpf_clear(radius);
}

static double distance_of_points(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The point is as far from the given one as is said and, unless that is inside a closed surface, as far from the
 * polygon as the radius. */
static void check_point(thick_bench *t, const double point[3], const tumble_closest *c, int is_on_surface)
{
    mpf_t distance, value;
    mpf_init2(distance, BITS);
    mpf_init2(value, BITS);
    const double size = 1 + fabs(point[0]) + fabs(point[1]) + fabs(point[2]) + t->radii[c->polygon];
    assert_true(fabs(distance_of_points(point, c->point) - fabs(c->distance)) <= 1e-9 * size);
    if (is_on_surface || c->distance > 0) {
        exact_distance(t, c->point, c->polygon, 1, distance, value);
        assert_true(fabs(mpf_get_d(value)) <= 1e-9 * size);
    }
    mpf_clears(distance, value, NULL);
}

static void check_closest(thick_bench *t, const double point[3], const tumble_closest *c, int is_signed, int is_inside)
{
    mpf_t distance, value, bound;
    mpf_init2(distance, BITS);
    mpf_init2(value, BITS);
    mpf_init2(bound, BITS);
    exact_distance(t, point, c->polygon, is_signed && is_inside ? -1 : 1, distance, value);
    if (!is_signed && mpf_sgn(value) <= 0) {
        mpf_set_d(value, 0);
        assert_true(c->distance == 0 && c->lower == 0 && c->upper == 0);
        assert_memory_equal(c->point, point, 3 * sizeof *point);
    }
    assert_int_equal((c->distance > 0) - (c->distance < 0), mpf_sgn(value));
    mpf_set_d(bound, c->lower);
    assert_true(c->lower <= c->distance && mpf_cmp(bound, value) <= 0);
    mpf_set_d(bound, c->upper);
    assert_true(c->upper >= c->distance && mpf_cmp(bound, value) >= 0);
    assert_true(c->upper - c->lower <= 4e-14 * (mpf_get_d(distance) + t->radii[c->polygon]) + 4 * DBL_TRUE_MIN);
    check_point(t, point, c, is_signed && !is_inside);
    mpf_clears(distance, value, bound, NULL);
}

/* By the distance less the radius, to what doubles can tell. */
static int compare_keys(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void check_order(thick_bench *t, const double point[3], const tumble_closest_result *result, size_t wanted,
                        double within)
{
    static double keys[4096];
    const size_t count = t->bench->mesh.polygon_count;
    size_t near = 0;
    mpf_t distance, value;
    mpf_init2(distance, BITS);
    mpf_init2(value, BITS);
    for (uint32_t i = 0; i < count; i++) {
        exact_distance(t, point, i, 1, distance, value);
        keys[i] = mpf_get_d(value);
        near += mpf_cmp_d(value, within) <= 0;
    }
    assert_int_equal(result->count, near < wanted ? near : wanted);
    for (size_t i = 0; i < result->count; i++) {
        const double own = keys[result->closest[i].polygon];
        assert_true(i == 0 || own >= keys[result->closest[i - 1].polygon] - 1e-13 * (1 + fabs(own)));
    }
    static double sorted[4096];
    memcpy(sorted, keys, count * sizeof *keys);
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (size_t i = 0; i < result->count; i++) {
        const double own = keys[result->closest[i].polygon];
        assert_true(fabs(own - sorted[i]) <= 1e-13 * (1 + fabs(own)));
    }
    mpf_clears(distance, value, NULL);
}

static void check_all(thick_bench *t, test_random *random, const double point[3], int is_inside)
{
    tumble_closest_options options = tumble_default_closest_options();
    const int want = test_random_whole(random, 0, 5);
    options.count = want < 3 ? 1 : (size_t)test_random_whole(random, 2, 40);
    options.want_sign = want % 2;
    options.within = test_random_chance(random, 0.3) ? test_random_whole(random, 0, 12) / 4.0 : INFINITY;
    const size_t polygons = t->bench->mesh.polygon_count;
    const tumble_closest_result result = ask_all(t->bench, point, &options);
    check_order(t, point, &result, options.count < polygons ? options.count : polygons, options.within);
    for (size_t i = 0; i < result.count; i++) {
        check_closest(t, point, &result.closest[i], options.want_sign, is_inside);
    }
}

static void closest_points_of_solids(void **state)
{
    static thick_bench t;
    test_random random = {51};
    t.bench = *state;
    for (int kind = 0; kind < 4; kind++) {
        if (kind < 2) {
            test_make_lattice(&t.bench->mesh, &random, 60, 4, 3, 0.3);
        } else {
            test_make_soup(&t.bench->mesh, &random, 60, 0.5);
        }
        point_bench_build(t.bench);
        thicken(&t, &random, kind < 2 ? 0.5 : 0.0625, kind % 2);
        for (size_t n = 0; n < test_count(30); n++) {
            double point[3];
            for (int k = 0; k < 3; k++) {
                point[k] = kind < 2 ? test_random_whole(&random, -12, 12) / 2.0 : test_random_range(&random, -2, 2);
            }
            check_all(&t, &random, point, 0);
        }
        point_bench_clear(t.bench);
    }
}

static void signs_of_closed_solids(void **state)
{
    static thick_bench t;
    test_random random = {52};
    size_t seen[2] = {0, 0};
    t.bench = *state;
    for (int own = 0; own < 2; own++) {
        test_make_grid_box(&t.bench->mesh, 3);
        point_bench_build(t.bench);
        const tumble_model_info info = test_info(t.bench->models[0]);
        thicken(&t, &random, 0.25, own);
        for (size_t n = 0; n < test_count(40); n++) {
            double point[3];
            int inside = 1;
            for (int k = 0; k < 3; k++) {
                const int steps = test_random_whole(&random, -2, 18);
                point[k] = info.lower[k] + (info.upper[k] - info.lower[k]) * steps / 16;
                inside &= steps > 0 && steps < 16;
            }
            check_all(&t, &random, point, inside);
            seen[inside]++;
        }
        point_bench_clear(t.bench);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

/* A limit that is met to the bit, and one that is missed by one. */
static void within_is_exact(void **state)
{
    point_bench *bench = *state;
    const uint32_t a = models_point(&bench->mesh, 3, 4, 0);
    models_triangle(&bench->mesh, a, a, a);
    point_bench_build(bench);
    const double point[3] = {0, 0, 0};
    tumble_closest_options options = tumble_default_closest_options();
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        assert_int_equal(tumble_model_set_radius(bench->models[i], 2), TUMBLE_OK);
    }
    options.within = 3;
    const tumble_closest_result found = ask_all(bench, point, &options);
    assert_true(found.count == 1 && found.closest[0].distance == 3);
    options.within = 3 - 0x1p-50;
    assert_int_equal(ask_all(bench, point, &options).count, 0);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        assert_int_equal(tumble_model_set_radius(bench->models[i], 5), TUMBLE_OK);
    }
    options.within = 0;
    assert_int_equal(ask_all(bench, point, &options).count, 1);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        assert_int_equal(tumble_model_set_radius(bench->models[i], nextafter(5, 0)), TUMBLE_OK);
    }
    assert_int_equal(ask_all(bench, point, &options).count, 0);
    options.within = INFINITY;
    assert_true(ask_all(bench, point, &options).closest[0].distance > 0);
}

/* The same as the distance from a polygon whose corners are all the point. */
static void poses_are_those_of_distances(void **state)
{
    static thick_bench t;
    test_random random = {53};
    t.bench = *state;
    test_make_soup(&t.bench->mesh, &random, 60, 0.5);
    point_bench_build(t.bench);
    thicken(&t, &random, 0.03125, 1);
    for (size_t n = 0; n < test_count(30); n++) {
        double point[3];
        const double scale = ldexp(1, test_random_whole(&random, -3, 3)) * 1.25;
        tumble_pose pose = test_rational_turn(&random);
        for (int k = 0; k < 9; k++) {
            pose.m[k / 3][k % 3] *= scale;
        }
        for (int k = 0; k < 3; k++) {
            point[k] = test_random_range(&random, -4, 4);
            pose.m[k][3] = test_random_range(&random, -1, 1);
        }
        tumble_model *dot;
        tumble_distance_result expected;
        tumble_closest_result found;
        assert_int_equal(tumble_model_create_ball(t.bench->contexts[0], point, 0, NULL, &dot), TUMBLE_OK);
        assert_int_equal(tumble_distance(t.bench->queries[0], t.bench->models[0], &pose, dot, NULL, NULL, &expected),
                         TUMBLE_OK);
        assert_int_equal(tumble_closest_point(t.bench->queries[1], t.bench->models[0], &pose, point, NULL, &found),
                         TUMBLE_OK);
        const tumble_closest *c = &found.closest[0];
        assert_true(fabs(c->distance - expected.nearest.distance) <= 1e-13 * (1 + expected.nearest.distance));
        for (int k = 0; k < 3 && c->distance > 0; k++) {
            assert_true(fabs(c->point[k] - expected.nearest.point_a[k]) <= 1e-10);
        }
        tumble_model_destroy(dot);
    }
}

/* Batches on several threads are single points. */
static void batches_are_single_points(void **state)
{
    static thick_bench t;
    static double points[300][3];
    test_random random = {54};
    t.bench = *state;
    test_make_soup(&t.bench->mesh, &random, 80, 0.5);
    point_bench_build(t.bench);
    for (int own = 0; own < 2; own++) {
        thicken(&t, &random, 0.03125, own);
        for (int i = 0; i < 900; i++) {
            points[i / 3][i % 3] = test_random_range(&random, -2, 2);
        }
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            tumble_closest_options options = tumble_default_closest_options();
            tumble_closest_result all, single;
            options.thread_count = threads;
            options.count = 1 + 3 * (threads == 3);
            assert_int_equal(
                tumble_closest_points(t.bench->queries[0], t.bench->models[own], NULL, points[0], 300, &options, &all),
                TUMBLE_OK);
            for (size_t i = 0; i < 300; i++) {
                assert_int_equal(
                    tumble_closest_point(t.bench->queries[1], t.bench->models[own], NULL, points[i], &options, &single),
                    TUMBLE_OK);
                assert_memory_equal(single.closest, all.closest + i * options.count,
                                    options.count * sizeof *single.closest);
            }
        }
    }
}

/* ---- Boxes and balls ---- */

typedef struct shape {
    int is_ball;
    tumble_pose pose, box_pose;
    double numbers[3], radius; /* half extents, or the centre */
} shape;

static void box_face(const double half[3], int face, double out[3][3])
{
    const int axis = face / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int c = 0; c < 3; c++) {
        const int corner = face % 2 ? 3 - c : c;
        out[c][axis] = face / 2 % 2 ? half[axis] : -half[axis];
        out[c][u] = corner & 1 ? half[u] : -half[u];
        out[c][v] = corner & 2 ? half[v] : -half[v];
    }
}

/* The squared distance of a triangle from the shape, without its radius; all in the frame of the box, or the model's.
 */
static void squared_distance(thick_bench *t, const shape *s, const double corners[3][3], mpq_t out)
{
    mpq_t own;
    int inside = 1;
    mpq_init(own);
    double single[3][3];
    for (int c = 0; c < 3; c++) {
        memcpy(single[c], s->numbers, sizeof single[c]);
        inside &= fabs(corners[0][c]) <= s->numbers[c];
    }
    oracle_squared_distance(t->bench->truth, corners, (const double(*)[3])single, out);
    for (int face = 0; face < 12 && !s->is_ball; face++) {
        double sides[3][3];
        box_face(s->numbers, face, sides);
        oracle_squared_distance(t->bench->truth, corners, (const double(*)[3])sides, own);
        if (face == 0 || mpq_cmp(own, out) < 0) {
            mpq_set(out, own);
        }
    }
    if (inside && !s->is_ball) {
        mpq_set_d(out, 0);
    }
    mpq_clear(own);
}

static size_t find_truth(thick_bench *t, const shape *s, char *meets)
{
    const tumble_model *model = t->bench->models[POINT_HIERARCHIES - 1];
    const tumble_pose relative = tumble_pose_relative(&s->box_pose, &s->pose);
    const double own = tumble_pose_scale(&s->pose), other = tumble_pose_scale(&s->box_pose);
    size_t count = 0;
    mpq_t squared;
    mpq_init(squared);
    memset(meets, 0, 4096);
    for (uint32_t i = 0; i < test_info(model).triangle_count; i++) {
        double corners[3][3], moved[3][3];
        uint32_t polygon;
        assert_int_equal(tumble_model_triangle(model, i, corners, &polygon), TUMBLE_OK);
        for (int c = 0; c < 3; c++) {
            memcpy(moved[c], corners[c], sizeof moved[c]);
            if (!s->is_ball) {
                tumble_pose_apply(&relative, corners[c], moved[c]);
            }
        }
        squared_distance(t, s, (const double(*)[3])moved, squared);
        const double sum = own * t->radii[polygon] + s->radius; /* powers of two: rounded once */
        const int near = point_compare_square(sum / (s->is_ball ? own : other), squared) >= 0;
        count += near && !meets[polygon];
        meets[polygon] |= (char)near;
    }
    mpq_clear(squared);
    return count;
}

static tumble_status ask_shape(tumble_query *query, const tumble_model *model, const shape *s, tumble_mode mode,
                               tumble_overlap_result *result)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = mode;
    return s->is_ball ? tumble_overlap_sphere(query, model, &s->pose, s->numbers, s->radius, &options, result)
                      : tumble_overlap_box(query, model, &s->pose, &s->box_pose, s->numbers, &options, result);
}

static void check_shape(thick_bench *t, const shape *s)
{
    static char meets[4096];
    const size_t count = find_truth(t, s, meets);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        for (int level = 0; level < TEST_LEVELS; level++) {
            tumble_overlap_result result;
            tumble_query *query = t->bench->queries[level];
            const tumble_model *model = t->bench->models[i];
            assert_int_equal(ask_shape(query, model, s, TUMBLE_TEST, &result), TUMBLE_OK);
            assert_int_equal(result.overlap, count > 0);
            assert_int_equal(ask_shape(query, model, s, TUMBLE_COUNT, &result), TUMBLE_OK);
            assert_int_equal(result.polygon_count, count);
            assert_int_equal(ask_shape(query, model, s, TUMBLE_ALL, &result), TUMBLE_OK);
            assert_int_equal(result.polygon_count, count);
            for (size_t k = 0; k < count; k++) {
                assert_true(meets[result.polygons[k]]);
            }
        }
    }
}

static void shapes_meet_solids(void **state)
{
    static thick_bench t;
    test_random random = {55};
    t.bench = *state;
    for (int kind = 0; kind < 4; kind++) {
        if (kind < 2) {
            test_make_lattice(&t.bench->mesh, &random, 50, 6, 3, 0.3);
        } else {
            test_make_soup(&t.bench->mesh, &random, 50, 0.5);
        }
        point_bench_build(t.bench);
        thicken(&t, &random, kind < 2 ? 0.5 : 0.03, kind % 2);
        for (size_t n = 0; n < test_count(16); n++) {
            shape s = {.is_ball = n % 2, .pose = tumble_pose_identity(), .box_pose = tumble_pose_identity()};
            for (int k = 0; k < 3; k++) {
                s.numbers[k] = kind < 2 ? test_random_whole(&random, s.is_ball ? -6 : 0, 4)
                                        : test_random_range(&random, s.is_ball ? -1 : 0, 1);
                s.box_pose.m[k][3] = kind < 2 ? test_random_whole(&random, -6, 6) : test_random_range(&random, -1, 1);
            }
            s.radius = s.is_ball ? test_random_whole(&random, 0, 4) / (kind < 2 ? 1.0 : 16.0) : 0;
            if (n % 4 >= 2 && !s.is_ball) {
                const double scales[2] = {2, 0.5};
                s.pose = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
                s.box_pose = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
                for (int k = 0; k < 9; k++) {
                    s.pose.m[k / 3][k % 3] *= scales[n % 8 / 4];
                    s.box_pose.m[k / 3][k % 3] *= scales[n % 16 / 8];
                }
            }
            check_shape(&t, &s);
        }
        point_bench_clear(t.bench);
    }
}

/* ---- Scenes ---- */

/* An object's radius counts as more of its model's. */
static void objects_are_thick(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {56};
    test_make_soup(&mesh, &random, 60, 0.5);
    tumble_model_options options = tumble_default_model_options();
    options.radius = 0.0625;
    tumble_model *model = test_model(w->context, &mesh, &options);
    options.radius = 0.0625 + 0.25;
    tumble_model *both = test_model(w->context, &mesh, &options);
    tumble_query *other;
    tumble_scene *scene;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    tumble_object objects[2];
    for (int i = 0; i < 2; i++) {
        parts[i].model = model, parts[i].radius = i ? 0 : 0.25;
        parts[i].pose = test_rational_turn(&random);
        parts[i].pose.m[0][3] = 3 * i;
    }
    assert_int_equal(tumble_scene_add(scene, parts, 2, objects), TUMBLE_OK);
    size_t met = 0;
    for (size_t n = 0; n < test_count(100); n++) {
        double point[3], half[3];
        for (int k = 0; k < 3; k++) {
            point[k] = test_random_range(&random, -2, 2) + (k == 0 ? 1.5 : 0);
            half[k] = test_random_range(&random, 0, 0.5);
        }
        tumble_closest_options closest = tumble_default_closest_options();
        closest.count = 200;
        closest.want_sign = n % 2;
        tumble_scene_closest_result found;
        size_t seen[2] = {0, 0};
        assert_int_equal(tumble_scene_closest_point(w->query, scene, UINT32_MAX, point, &closest, &found), TUMBLE_OK);
        tumble_closest_result expected[2];
        tumble_query *queries[2] = {other, w->query};
        static tumble_scene_closest kept_objects[200];
        assert_int_equal(found.count, 120);
        memcpy(kept_objects, found.closest, found.count * sizeof *kept_objects);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                tumble_closest_point(queries[i], i ? model : both, &parts[i].pose, point, &closest, &expected[i]),
                TUMBLE_OK);
        }
        for (size_t k = 0; k < found.count; k++) {
            const int i = kept_objects[k].object.index == objects[1].index;
            int same = 0;
            for (size_t j = 0; j < expected[i].count; j++) {
                const tumble_closest *a = &expected[i].closest[j], *b = &kept_objects[k].closest;
                same |= a->polygon == b->polygon && a->distance == b->distance && a->lower == b->lower &&
                        a->upper == b->upper && memcmp(a->point, b->point, sizeof a->point) == 0;
            }
            assert_true(same);
            seen[i]++;
            assert_true(k == 0 || kept_objects[k].closest.distance >= kept_objects[k - 1].closest.distance);
        }
        assert_true(seen[0] == 60 && seen[1] == 60);
        tumble_scene_closest first;
        closest.count = 1;
        assert_int_equal(tumble_scene_closest_point(w->query, scene, UINT32_MAX, point, &closest, &found), TUMBLE_OK);
        first = found.closest[0];
        assert_true(first.closest.distance == kept_objects[0].closest.distance);
        tumble_scene_overlap_result overlap;
        tumble_overlap_result single[2];
        tumble_pose place = test_translation(point[0], point[1], point[2]);
        for (int ball = 0; ball < 2; ball++) {
            size_t count = 0;
            for (int i = 0; i < 2; i++) {
                const tumble_model *thick = i ? model : both;
                const tumble_pose *pose = &parts[i].pose;
                assert_int_equal(ball ? tumble_overlap_sphere(other, thick, pose, point, half[0], NULL, &single[i])
                                      : tumble_overlap_box(other, thick, pose, &place, half, NULL, &single[i]),
                                 TUMBLE_OK);
                count += single[i].overlap;
            }
            assert_int_equal(ball ? tumble_scene_overlap_sphere(w->query, scene, point, half[0], NULL, &overlap)
                                  : tumble_scene_overlap_box(w->query, scene, &place, half, NULL, &overlap),
                             TUMBLE_OK);
            assert_int_equal(overlap.object_count, count);
            for (size_t k = 0; k < overlap.object_count; k++) {
                const int i = overlap.objects[k].object.index == objects[1].index;
                assert_int_equal(overlap.objects[k].polygon_count, single[i].polygon_count);
            }
            met += count;
        }
    }
    assert_true(met > 0);
    tumble_scene_destroy(scene);
    tumble_query_destroy(other);
    tumble_model_destroy(model);
    tumble_model_destroy(both);
    models_free(&mesh);
}

/* ---- Errors and memory ---- */

static tumble_status ask_everything(test_world *w, void *user)
{
    const tumble_mesh *mesh = user;
    tumble_query *query = NULL;
    tumble_model *model = NULL;
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result closest;
    tumble_overlap_result overlap;
    const double point[3] = {0.5, 0.25, 0};
    options.count = 20;
    options.want_sign = true;
    tumble_status status = tumble_query_create(w->context, &query);
    status = status == TUMBLE_OK ? tumble_model_create(w->context, mesh, NULL, &model) : status;
    status = status == TUMBLE_OK ? tumble_closest_point(query, model, NULL, point, &options, &closest) : status;
    status = status == TUMBLE_OK ? tumble_overlap_sphere(query, model, NULL, point, 1, NULL, &overlap) : status;
    status = status == TUMBLE_OK ? tumble_overlap_box(query, model, NULL, NULL, point, NULL, &overlap) : status;
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    return status;
}

static void memory_fails(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    double radii[60];
    test_random random = {57};
    test_make_soup(&mesh, &random, 60, 0.5);
    for (int i = 0; i < 60; i++) {
        radii[i] = i % 5 / 16.0;
    }
    tumble_mesh view = models_view(&mesh);
    view.radii = radii;
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_everything, NULL, &view) > 5);
    models_free(&mesh);
}

static void infinite_sums_are_refused(void **state)
{
    test_world *w = *state;
    const double centre[3] = {0, 0, 0};
    tumble_model *ball;
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result closest;
    tumble_overlap_result overlap;
    tumble_pose large = tumble_pose_identity();
    for (int k = 0; k < 3; k++) {
        large.m[k][k] = 4;
    }
    assert_int_equal(tumble_model_create_ball(w->context, centre, DBL_MAX, NULL, &ball), TUMBLE_OK);
    assert_int_equal(tumble_closest_point(w->query, ball, NULL, centre, NULL, &closest), TUMBLE_OK);
    assert_int_equal(closest.count, 1);
    options.within = DBL_MAX;
    test_assert_status(w->context, tumble_closest_point(w->query, ball, NULL, centre, &options, &closest),
                       TUMBLE_ERROR_NOT_FINITE, "infinite sum");
    test_assert_status(w->context, tumble_overlap_sphere(w->query, ball, NULL, centre, DBL_MAX, NULL, &overlap),
                       TUMBLE_ERROR_NOT_FINITE, "infinite sum");
    assert_int_equal(tumble_overlap_sphere(w->query, ball, NULL, centre, INFINITY, NULL, &overlap), TUMBLE_OK);
    assert_true(overlap.overlap);
    test_assert_status(w->context, tumble_overlap_box(w->query, ball, &large, NULL, centre, NULL, &overlap),
                       TUMBLE_ERROR_NOT_FINITE, "infinite sum");
    assert_int_equal(tumble_overlap_box(w->query, ball, NULL, NULL, centre, NULL, &overlap), TUMBLE_OK);
    assert_true(overlap.overlap);
    tumble_model_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_POINTS(closest_points_of_solids),  TEST_ON_POINTS(signs_of_closed_solids),
        TEST_ON_POINTS(within_is_exact),           TEST_ON_POINTS(poses_are_those_of_distances),
        TEST_ON_POINTS(batches_are_single_points), TEST_ON_POINTS(shapes_meet_solids),
        TEST_IN_WORLD(objects_are_thick),          TEST_IN_WORLD(memory_fails),
        TEST_IN_WORLD(infinite_sums_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
