/* Distances and relations of models with a radius. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "prim/triangle_distance.h"
#include "tree/radius.h"

/* ---- Distances, by trying all pairs of triangles ---- */

typedef struct thick_scene {
    models_mesh meshes[2];
    double *radii[2]; /* NULL: all `radius` */
    double radius[2];
    tumble_pose poses[2];
} thick_scene;

static double radius_of(const thick_scene *c, int side, size_t polygon)
{
    return c->radii[side] ? c->radii[side][polygon] : c->radius[side];
}

static void corners_of(const thick_scene *c, int side, size_t triangle, double out[3][3])
{
    const tumble_pose relative = tumble_pose_relative(&c->poses[0], &c->poses[1]);
    for (int i = 0; i < 3; i++) {
        const double *p = c->meshes[side].points + 3 * (size_t)c->meshes[side].indices[3 * triangle + (size_t)i];
        if (side) {
            tumble_pose_apply(&relative, p, out[i]);
        } else {
            memcpy(out[i], p, 3 * sizeof *p);
        }
    }
}

/* The distance of two polygons in the frame of the poses, and what their radii take of it. */
static double measure(const thick_scene *c, size_t i, size_t j, double *thickness)
{
    double a[3][3], b[3][3];
    tmb_triangle_distance d;
    corners_of(c, 0, i, a);
    corners_of(c, 1, j, b);
    tmb_triangles_distance((const double(*)[3])a, (const double(*)[3])b, &d, NULL);
    const double scale_a = tumble_pose_scale(&c->poses[0]), scale_b = tumble_pose_scale(&c->poses[1]);
    *thickness = radius_of(c, 0, i) * scale_a + radius_of(c, 1, j) * scale_b;
    return d.value * scale_a;
}

static double true_distance(const thick_scene *c)
{
    double least = INFINITY;
    for (size_t i = 0; i < c->meshes[0].polygon_count; i++) {
        for (size_t j = 0; j < c->meshes[1].polygon_count; j++) {
            double thickness;
            const double distance = measure(c, i, j, &thickness);
            least = fmin(least, distance - thickness);
        }
    }
    return fmax(least, 0);
}

static tumble_model *make_model(tumble_context *context, const thick_scene *c, int side, size_t kind)
{
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE,
                                                   TUMBLE_HIERARCHY_BRUTE};
    tumble_model_options options = tumble_default_model_options();
    tumble_mesh mesh = models_view(&c->meshes[side]);
    tumble_model *model;
    options.hierarchy = hierarchies[kind % 5];
    options.radius = c->radii[side] ? 0 : c->radius[side];
    mesh.radii = c->radii[side];
    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);
    return model;
}

static tumble_distance_result ask(test_world *w, tumble_model *const models[2], const thick_scene *c,
                                  const tumble_distance_options *options)
{
    tumble_distance_result result;
    assert_int_equal(tumble_distance(w->query, models[0], &c->poses[0], models[1], &c->poses[1], options, &result),
                     TUMBLE_OK);
    return result;
}

static void assert_near(double found, double expected, double size)
{
    if (!(fabs(found - expected) <= 1e-12 * (size + expected))) {
        fail_msg("%.17g, not %.17g", found, expected);
    }
}

/* Points on the solids' surfaces, or the same point in both. */
static void check_points(const thick_scene *c, const tumble_near *near, double size)
{
    double thickness, square = 0;
    const double distance = measure(c, near->polygon_a, near->polygon_b, &thickness);
    for (int k = 0; k < 3; k++) {
        square += (near->point_a[k] - near->point_b[k]) * (near->point_a[k] - near->point_b[k]);
    }
    assert_near(near->distance, fmax(distance - thickness, 0), size);
    if (distance > 0) {
        assert_near(sqrt(square), near->distance, size);
    }
}

static void check_limits(test_world *w, tumble_model *const models[2], const thick_scene *c, double expected)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_collide_options collide = tumble_default_collide_options();
    tumble_collide_result meets;
    const double limits[] = {0, expected / 2, expected * (1 - 1e-9), expected * (1 + 1e-9), expected + 1};
    for (size_t i = 0; i < 5; i++) {
        collide.clearance = options.within = options.enough = limits[i];
        const tumble_distance_result result = ask(w, models, c, &options);
        assert_int_equal(tumble_collide(w->query, models[0], &c->poses[0], models[1], &c->poses[1], &collide, &meets),
                         TUMBLE_OK);
        assert_int_equal(result.answer == TUMBLE_YES, meets.collide);
        options.enough = 0;
        assert_int_equal(ask(w, models, c, &options).answer == TUMBLE_YES, meets.collide);
    }
}

static void check_errors(test_world *w, tumble_model *const models[2], const thick_scene *c, double expected)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.relative_error = 0.1;
    options.absolute_error = 0.01;
    tumble_distance_result result = ask(w, models, c, &options);
    assert_true(result.nearest.distance >= expected * (1 - 1e-12) - 1e-12);
    assert_true(result.nearest.distance <= (expected * 1.1 + 0.01) * (1 + 1e-12));
    assert_true(result.lower <= expected * (1 + 1e-12) + 1e-12 && result.upper >= expected * (1 - 1e-12));
    options = tumble_default_distance_options();
    options.budget_box_tests = 20;
    result = ask(w, models, c, &options);
    assert_true(result.lower <= expected * (1 + 1e-12) + 1e-12 && result.upper >= expected * (1 - 1e-12) - 1e-12);
}

/* Exactly those pairs that are within. */
static void check_list(test_world *w, tumble_model *const models[2], const thick_scene *c, double expected)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.want_pairs = true;
    options.absolute_error = 0.05;
    const tumble_distance_result result = ask(w, models, c, &options);
    const double most = result.nearest.distance + 0.05;
    size_t at = 0;
    assert_true(result.nearest.distance <= expected + 0.05 + 1e-9);
    for (size_t i = 0; i < c->meshes[0].polygon_count; i++) {
        for (size_t j = 0; j < c->meshes[1].polygon_count; j++) {
            double thickness;
            const double distance = fmax(measure(c, i, j, &thickness) - thickness, 0);
            const int is_listed =
                at < result.pair_count && result.pairs[at].polygon_a == i && result.pairs[at].polygon_b == j;
            assert_true(is_listed ? distance <= most + 1e-9 : distance >= most - 1e-9);
            if (is_listed) {
                check_points(c, &result.pairs[at++], 3);
            }
        }
    }
    assert_int_equal(at, result.pair_count);
}

static double *random_radii(test_random *random, size_t count)
{
    double *radii = malloc(count * sizeof *radii);
    assert_non_null(radii);
    for (size_t i = 0; i < count; i++) {
        radii[i] = test_random_range(random, 0, 0.3);
    }
    return radii;
}

static void check_scene(test_world *w, thick_scene *c, size_t turn)
{
    tumble_model *models[2] = {make_model(w->context, c, 0, turn),
                               make_model(w->context, c, 1, turn % 7 < 5 ? turn : turn + 1)};
    for (size_t step = 0; step < 6; step++) { /* from far away into each other */
        c->poses[1].m[0][3] = 4 - 0.7 * (double)step;
        const double expected = true_distance(c);
        tumble_distance_options options = tumble_default_distance_options();
        options.coherence = turn % 2 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
        const tumble_distance_result result = ask(w, models, c, &options);
        assert_int_equal(result.answer, TUMBLE_YES);
        assert_near(result.nearest.distance, expected, 6);
        assert_near(result.lower, expected, 6);
        assert_near(result.upper, expected, 6);
        check_points(c, &result.nearest, 6);
        check_limits(w, models, c, expected);
        check_errors(w, models, c, expected);
        check_list(w, models, c, expected);
    }
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

static void test_distances(void **state)
{
    test_random random = {11};
    for (size_t turn = 0; turn < test_count(20); turn++) {
        thick_scene c = {.radius = {turn % 4 ? 0.2 : 0, 0.15}};
        for (int side = 0; side < 2; side++) {
            test_make_soup(&c.meshes[side], &random, 30, 0.3);
            if (turn % 3 == 1 || (turn % 3 == 2 && side)) {
                c.radii[side] = random_radii(&random, c.meshes[side].polygon_count);
            }
            c.poses[side] = mixed_pose(&random, turn % 2 ? 1.25 - 0.5 * side : 1, 0, 0, 0);
        }
        check_scene(*state, &c, turn);
        for (int side = 0; side < 2; side++) {
            models_free(&c.meshes[side]);
            free(c.radii[side]);
        }
    }
}

/* ---- Exact numbers ---- */

static tumble_model *ball(test_world *w, double x, double radius)
{
    const double centre[3] = {x, 0, 0};
    tumble_model *model;
    assert_int_equal(tumble_model_create_ball(w->context, centre, radius, NULL, &model), TUMBLE_OK);
    return model;
}

static void test_exact(void **state)
{
    test_world *w = *state;
    tumble_model *a = ball(w, 0, 1), *b = ball(w, 0, 2);
    tumble_pose pose = tumble_pose_identity();
    tumble_distance_result result;
    pose.m[0][3] = 7;
    assert_int_equal(tumble_distance(w->query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
    assert_true(result.nearest.distance == 4 && result.lower == 4 && result.upper == 4);
    assert_true(result.nearest.point_a[0] == 1 && result.nearest.point_b[0] == 5);
    pose.m[0][3] = 3; /* they touch */
    assert_int_equal(tumble_distance(w->query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
    assert_true(result.nearest.distance == 0 && result.nearest.point_a[0] == 1 && result.nearest.point_b[0] == 1);
    pose.m[0][3] = nextafter(3, 4);
    assert_int_equal(tumble_distance(w->query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
    assert_true(result.nearest.distance > 0 && result.nearest.distance < 1e-14);
    pose.m[0][3] = 0; /* concentric: no direction is distinguished */
    assert_int_equal(tumble_distance(w->query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
    assert_true(result.nearest.distance == 0 && result.nearest.point_a[0] == result.nearest.point_b[0]);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* ---- Relations ---- */

static tumble_relation relate(test_world *w, const tumble_model *a, const tumble_model *b, double x)
{
    tumble_relation_result result, other;
    tumble_pose pose = tumble_pose_identity(), back = tumble_pose_identity();
    pose.m[0][3] = x, back.m[0][3] = -x;
    assert_int_equal(tumble_relate(w->query, a, NULL, b, &pose, &result), TUMBLE_OK);
    assert_int_equal(tumble_relate(w->query, b, NULL, a, &back, &other), TUMBLE_OK);
    const tumble_relation swapped = other.relation == TUMBLE_RELATION_A_IN_B   ? TUMBLE_RELATION_B_IN_A
                                    : other.relation == TUMBLE_RELATION_B_IN_A ? TUMBLE_RELATION_A_IN_B
                                                                               : other.relation;
    assert_int_equal(result.relation, swapped);
    return result.relation;
}

static void test_balls(void **state)
{
    test_world *w = *state;
    tumble_model *small = ball(w, 0, 1), *large = ball(w, 0, 3);
    assert_int_equal(relate(w, small, large, 5), TUMBLE_RELATION_APART);
    assert_int_equal(relate(w, small, large, 4), TUMBLE_RELATION_TOUCHING);
    assert_int_equal(relate(w, small, large, nextafter(4, 5)), TUMBLE_RELATION_APART);
    assert_int_equal(relate(w, small, large, nextafter(4, 0)), TUMBLE_RELATION_CROSSING);
    assert_int_equal(relate(w, small, large, 2), TUMBLE_RELATION_CROSSING); /* at the wall, from within */
    assert_int_equal(relate(w, small, large, nextafter(2, 0)), TUMBLE_RELATION_A_IN_B);
    assert_int_equal(relate(w, small, large, 0), TUMBLE_RELATION_A_IN_B);
    assert_int_equal(relate(w, large, large, 0), TUMBLE_RELATION_CROSSING); /* equal ones */
    tumble_model_destroy(small);
    tumble_model_destroy(large);
}

static void test_boxes(void **state)
{
    test_world *w = *state;
    const double lower[3] = {-4, -4, -4}, upper[3] = {4, 4, 4}, a[3] = {0, 0, 0}, b[3] = {0, 0, 2};
    tumble_model *box, *capsule, *open, *small = ball(w, 0, 1), *huge = ball(w, 0, 20);
    const double rounded[] = {0, 0.5};
    const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_RTREE};
    assert_int_equal(tumble_model_create_capsule(w->context, a, b, 1, NULL, &capsule), TUMBLE_OK);
    for (size_t i = 0; i < 2; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = kinds[i];
        const double r = rounded[i];
        assert_int_equal(tumble_model_create_box(w->context, lower, upper, r, &options, &box), TUMBLE_OK);
        assert_int_equal(relate(w, small, box, 0), TUMBLE_RELATION_A_IN_B);
        assert_int_equal(relate(w, capsule, box, 1), TUMBLE_RELATION_A_IN_B);
        assert_int_equal(relate(w, small, box, 3.25), r > 0 ? TUMBLE_RELATION_A_IN_B : TUMBLE_RELATION_CROSSING);
        assert_int_equal(relate(w, small, box, 5 + r), TUMBLE_RELATION_TOUCHING);
        assert_int_equal(relate(w, small, box, 4.75 + r), TUMBLE_RELATION_CROSSING);
        assert_int_equal(relate(w, small, box, 6), TUMBLE_RELATION_APART);
        assert_int_equal(relate(w, huge, box, 0), TUMBLE_RELATION_B_IN_A);
        tumble_model_destroy(box);
    }
    /* an open surface is a solid if it has a radius */
    const double square[12] = {-4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4, 0};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = square, mesh.point_count = 4, mesh.indices = corners, mesh.index_count = 6;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &open), TUMBLE_OK);
    tumble_pose above = tumble_pose_identity();
    tumble_relation_result result;
    above.m[2][3] = 3;
    assert_int_equal(tumble_relate(w->query, open, NULL, small, &above, &result), TUMBLE_OK);
    assert_int_equal(result.relation, TUMBLE_RELATION_APART);
    assert_int_equal(tumble_model_set_radius(open, 2), TUMBLE_OK);
    assert_int_equal(tumble_relate(w->query, open, NULL, small, &above, &result), TUMBLE_OK);
    assert_int_equal(result.relation, TUMBLE_RELATION_TOUCHING);
    assert_true(result.surfaces_meet);
    tumble_model *all[] = {open, capsule, small, huge};
    for (size_t i = 0; i < 4; i++) {
        tumble_model_destroy(all[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_distances), TEST_IN_WORLD(test_exact),
                                       TEST_IN_WORLD(test_balls), TEST_IN_WORLD(test_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
