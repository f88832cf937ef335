/* Models with a radius: the pairs of every hierarchy and instruction set are those of exact arithmetic, where the sum
 * of the radii is rounded once. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/thick_sum.h"
#include "mixed_cases.h"
#include "oracle.h"
#include "tree/radius.h"

/* ---- The sum of radii ---- */

/* The double nearest to an exact number that is not negative, ties to even. */
static double nearest_double(const mpq_t exact)
{
    double below = mpq_get_d(exact), above; /* towards 0 */
    if (isinf(below)) {
        return below;
    }
    above = nextafter(below, INFINITY);
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    mpq_set_d(low, below);
    mpq_sub(low, exact, low);
    if (isinf(above)) { /* the next one would be 2^1024 */
        mpq_set_d(high, DBL_MAX);
        mpq_t step;
        mpq_init(step);
        mpq_set_d(step, ldexp(1, 970));
        mpq_add(high, high, step);
        mpq_clear(step);
    } else {
        mpq_set_d(high, above);
    }
    mpq_sub(high, high, exact);
    uint64_t bits;
    memcpy(&bits, &below, sizeof bits);
    const int order = mpq_cmp(low, high);
    mpq_clears(low, high, NULL);
    return order < 0 || (order == 0 && bits % 2 == 0) ? below : above;
}

static double true_sum(double length, const double factors[][2], int count)
{
    mpq_t sum, x, y;
    mpq_inits(sum, x, y, NULL);
    mpq_set_d(sum, length);
    for (int i = 0; i < count; i++) {
        mpq_set_d(x, factors[i][0]);
        mpq_set_d(y, factors[i][1]);
        mpq_mul(x, x, y);
        mpq_add(sum, sum, x);
    }
    const double out = nearest_double(sum);
    mpq_clears(sum, x, y, NULL);
    return out;
}

static double random_length(test_random *random, int spread)
{
    const int exponent = test_random_whole(random, spread > 1000 ? -1074 : -spread, spread);
    switch (test_random_whole(random, 0, 4)) {
    case 0: return 0;
    case 1: return ldexp(1, exponent);
    case 2: return ldexp(test_random_whole(random, 1, 9), exponent);
    default: return ldexp(1 + test_random_unit(random), exponent);
    }
}

static void test_sums(void **state)
{
    (void)state;
    test_random random = {3};
    static const int spreads[] = {0, 3, 30, 60, 300, 537, 1019};
    size_t inexact = 0;
    for (size_t i = 0; i < test_count(20000); i++) {
        const int spread = spreads[i % 7];
        const double length = random_length(&random, spread);
        double factors[4][2];
        for (int k = 0; k < 8; k++) {
            factors[k / 2][k % 2] = random_length(&random, spread);
        }
        const double found = tmb_thick_sum(length, (const double(*)[2])factors, 4);
        const double expected = true_sum(length, (const double(*)[2])factors, 4);
        if (found != expected) {
            fail_msg("%zu: %a, not %a", i, found, expected);
        }
        inexact += found != length + (factors[0][0] * factors[0][1] + factors[1][0] * factors[1][1]);
    }
    assert_true(inexact > test_count(20000) / 8);
    /* halfway, and a little beside it */
    const double half[2][2] = {{0x1p-53, 1}, {0x1p-600, 0x1p-400}};
    assert_true(tmb_thick_sum(1, half, 1) == 1);
    assert_true(tmb_thick_sum(1, half, 2) == 1 + DBL_EPSILON);
    assert_true(tmb_thick_sum(DBL_MAX, (const double[1][2]){{0x1p969, 1}}, 1) == DBL_MAX);
    assert_true(isinf(tmb_thick_sum(DBL_MAX, (const double[1][2]){{0x1p970, 1}}, 1)));
    assert_true(tmb_thick_sum(0, (const double[1][2]){{0x1p-1074, 0.5}}, 1) == 0);
    assert_true(tmb_thick_sum(0, (const double[1][2]){{0x1p-1074, 0.75}}, 1) == 0x1p-1074);
}

/* ---- Pairs, by exact arithmetic ---- */

typedef struct thick_case {
    models_mesh meshes[2];
    double *radii[2]; /* of polygons; NULL: all `radius` */
    double radius[2], clearance;
    tumble_pose poses[2];
    tumble_mesh views[2];
} thick_case;

static double radius_of(const thick_case *c, int side, size_t polygon)
{
    return c->radii[side] ? c->radii[side][polygon] : c->radius[side];
}

/* A triangle in A's frame; meshes have triangles only. */
static void corners_of(const thick_case *c, int side, size_t triangle, double out[3][3])
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

static double true_limit(const thick_case *c, double clearance, size_t i, size_t j)
{
    const double scales[2] = {tumble_pose_scale(&c->poses[0]), tumble_pose_scale(&c->poses[1])};
    const double factors[2][2] = {{scales[0], radius_of(c, 0, i)}, {scales[1], radius_of(c, 1, j)}};
    return true_sum(clearance, factors, 2) / scales[0];
}

static int is_within(oracle *truth, const thick_case *c, size_t i, size_t j, mpq_t squared, mpq_t limit)
{
    double a[3][3], b[3][3];
    corners_of(c, 0, i, a);
    corners_of(c, 1, j, b);
    oracle_squared_distance(truth, (const double(*)[3])a, (const double(*)[3])b, squared);
    mpq_set_d(limit, true_limit(c, c->clearance, i, j));
    mpq_mul(limit, limit, limit);
    return mpq_cmp(squared, limit) <= 0;
}

static void find_expected(const thick_case *c, test_pairs *out)
{
    oracle *truth = oracle_create();
    mpq_t squared, limit;
    mpq_inits(squared, limit, NULL);
    const size_t count_a = c->meshes[0].polygon_count, count_b = c->meshes[1].polygon_count;
    out->items = realloc(out->items, (count_a * count_b + 1) * sizeof *out->items);
    assert_non_null(out->items);
    out->capacity = count_a * count_b;
    out->count = 0;
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            if (is_within(truth, c, i, j, squared, limit)) {
                out->items[out->count++] = (tumble_pair){(uint32_t)i, (uint32_t)j};
            }
        }
    }
    mpq_clears(squared, limit, NULL);
    oracle_destroy(truth);
}

static tumble_model *make_model(tumble_context *context, const thick_case *c, int side, size_t kind)
{
    static const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST, TEST_TREE_RTREE,    0, 21, 42, 63,
                                      TEST_TREE_KDOP, TEST_TREE_KDOP + 4,     TEST_TREE_KDOP + 14};
    tumble_model_options options = kind == 0 ? tumble_default_model_options() : test_tree_variant(variants[kind - 1]);
    tumble_mesh mesh = models_view(&c->meshes[side]);
    tumble_model *model;
    options.hierarchy = kind == 0 ? TUMBLE_HIERARCHY_BRUTE : options.hierarchy;
    options.radius = c->radii[side] ? 0 : c->radius[side];
    mesh.radii = c->radii[side];
    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);
    return model;
}

enum {
    KINDS = 11
};

static void ask_modes(tumble_query *query, const tumble_model *a, const tumble_model *b, const thick_case *c,
                      const test_pairs *expected, size_t kind)
{
    tumble_collide_options options = test_overlap_variant(kind % TEST_OVERLAP_VARIANTS);
    tumble_collide_result result;
    options.clearance = c->clearance;
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_COUNT; mode++) {
        options.mode = (tumble_mode)mode;
        options.coherence = kind % 2 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
        assert_int_equal(tumble_collide(query, a, &c->poses[0], b, &c->poses[1], &options, &result), TUMBLE_OK);
        assert_int_equal(result.collide, expected->count > 0);
        assert_true(mode != TUMBLE_COUNT || result.pair_count == expected->count);
        assert_true(mode != TUMBLE_FIRST || !result.collide || test_has_pair(expected, result.first));
    }
}

static size_t check_case(test_allocator *memory, thick_case *c, const char *name)
{
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_pairs expected = {0}, found = {0};
    tumble_model *models[KINDS][2];
    test_open_levels(memory, contexts, queries);
    find_expected(c, &expected);
    for (size_t kind = 0; kind < KINDS; kind++) {
        models[kind][0] = make_model(contexts[0], c, 0, kind);
        models[kind][1] = make_model(contexts[0], c, 1, kind);
    }
    for (size_t kind = 0; kind < 2 * KINDS; kind++) { /* alike, and mixed */
        const tumble_model *a = models[kind % KINDS][0], *b = models[kind < KINDS ? kind : (3 * kind) % KINDS][1];
        tumble_collide_options options = test_overlap_variant(kind % TEST_OVERLAP_VARIANTS);
        options.clearance = c->clearance;
        test_collide(queries[kind % TEST_LEVELS], a, &c->poses[0], b, &c->poses[1], &options, &found);
        test_assert_same_pairs(&found, &expected, "%s, kind %zu", name, kind);
        test_collide(queries[(kind + 1) % TEST_LEVELS], a, &c->poses[0], b, &c->poses[1], &options, &found);
        test_assert_same_pairs(&found, &expected, "%s, kind %zu, level", name, kind);
        ask_modes(queries[kind % TEST_LEVELS], a, b, c, &expected, kind);
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        tumble_model_destroy(models[kind][0]);
        tumble_model_destroy(models[kind][1]);
    }
    const size_t count = expected.count;
    test_free_pairs(&expected);
    test_free_pairs(&found);
    test_close_levels(contexts, queries);
    return count;
}

static void end_case(thick_case *c)
{
    for (int side = 0; side < 2; side++) {
        models_free(&c->meshes[side]);
        free(c->radii[side]);
    }
}

static double *random_radii(test_random *random, size_t count, double unit)
{
    double *radii = malloc((count + 1) * sizeof *radii);
    assert_non_null(radii);
    for (size_t i = 0; i < count; i++) {
        radii[i] = unit * test_random_whole(random, 0, 6);
    }
    return radii;
}

static void test_soups(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    size_t hits = 0;
    for (size_t turn = 0; turn < test_count(6); turn++) {
        thick_case c = {.radius = {0.07, turn % 3 ? 0.11 : 0}, .clearance = turn % 2 ? 0.03 : 0};
        for (int side = 0; side < 2; side++) {
            test_make_soup(&c.meshes[side], &random, 40, 0.3);
            if ((turn + (size_t)side) % 3 == 1) {
                c.radii[side] = random_radii(&random, c.meshes[side].polygon_count, 0.043);
            }
            const double scale = turn % 2 ? 0.7 + 0.6 * side : 1, x = test_random_unit(&random);
            c.poses[side] = mixed_pose(&random, scale, x, 0.2, 0.1);
        }
        if (turn % 4 == 0) {
            c.poses[0] = tumble_pose_identity();
        }
        hits += check_case(&w->memory, &c, "soups");
        end_case(&c);
    }
    assert_true(hits > 0);
}

/* Whole corners and radii, so that many pairs touch exactly; some triangles are points and segments. */
static void test_lattices(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    size_t hits = 0;
    for (size_t turn = 0; turn < test_count(6); turn++) {
        thick_case c = {.radius = {turn % 2 ? 2 : 1, turn % 2 ? 2 : 3}, .clearance = turn == 3 ? 1 : 0};
        for (int side = 0; side < 2; side++) {
            test_make_lattice(&c.meshes[side], &random, 40, 9, 3, turn % 3 ? 0.5 : 1);
            c.poses[side] = tumble_pose_identity();
            if (turn >= 3 && (turn + (size_t)side) % 2) {
                c.radii[side] = random_radii(&random, c.meshes[side].polygon_count, 1);
            }
        }
        c.poses[1].m[0][3] = 3;
        hits += check_case(&w->memory, &c, "lattices");
        end_case(&c);
    }
    assert_true(hits > 0);
}

static void test_extremes(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    static const double sizes[] = {1e-310, 1e-150, 1e150, 0x1p1000};
    for (size_t i = 0; i < 4; i++) {
        thick_case c = {.radius = {0.25 * sizes[i], 0.125 * sizes[i]}};
        for (int side = 0; side < 2; side++) {
            test_make_soup(&c.meshes[side], &random, 12, 0.4);
            for (size_t k = 0; k < 3 * c.meshes[side].point_count; k++) {
                c.meshes[side].points[k] *= sizes[i];
            }
            c.poses[side] = tumble_pose_identity();
        }
        assert_true(check_case(&w->memory, &c, "extremes") > 0);
        end_case(&c);
    }
}

/* ---- Balls and capsules that touch exactly ---- */

static int meet(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose)
{
    tumble_collide_result result;
    assert_int_equal(tumble_collide(w->query, a, NULL, b, pose, NULL, &result), TUMBLE_OK);
    return result.collide;
}

static tumble_model *ball(test_world *w, double x, double y, double z, double radius)
{
    const double centre[3] = {x, y, z};
    tumble_model *model;
    assert_int_equal(tumble_model_create_ball(w->context, centre, radius, NULL, &model), TUMBLE_OK);
    return model;
}

static void test_touching(void **state)
{
    test_world *w = *state;
    const double a[3] = {0, 0, 0}, b[3] = {10, 0, 0}, lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    tumble_model *two = ball(w, 0, 0, 0, 2), *three = ball(w, 3, 4, 0, 3), *less = ball(w, 3, 4, 0, 3 - 0x1p-50);
    tumble_model *capsule, *box, *point;
    assert_true(meet(w, two, three, NULL) && !meet(w, two, less, NULL));
    assert_int_equal(tumble_model_create_capsule(w->context, a, b, 2, NULL, &capsule), TUMBLE_OK);
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = 4, pose.m[1][3] = 1; /* the ball's centre at (7, 5, 0) */
    assert_true(meet(w, capsule, three, &pose) && !meet(w, capsule, less, &pose));
    assert_int_equal(tumble_model_create_box(w->context, lower, upper, 0.5, NULL, &box), TUMBLE_OK);
    pose.m[0][3] = 1, pose.m[1][3] = -3; /* at (4, 1, 0): 3 from the face */
    assert_true(meet(w, box, less, &pose));
    pose.m[0][3] = 1.5;
    assert_true(meet(w, box, three, &pose) && !meet(w, box, less, &pose));
    pose.m[1][3] = -3;
    pose.m[2][3] = 4; /* and beside the edge: (4.5, 1, 4) is 4.6 away */
    assert_false(meet(w, box, three, &pose));
    const double path[9] = {0, 0, 0, 8, 0, 0, 8, 8, 0};
    tumble_model *line;
    assert_int_equal(tumble_model_create_polyline(w->context, path, 3, 1, NULL, &line), TUMBLE_OK);
    assert_int_equal(test_info(line).polygon_count, 2);
    assert_int_equal(tumble_model_create_polyline(w->context, path, 1, 1, NULL, &point), TUMBLE_OK);
    assert_true(test_info(point).radius == 1 && test_info(point).polygon_count == 1);
    tumble_model *all[] = {two, three, less, capsule, box, line, point};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tumble_model_destroy(all[i]);
    }
}

/* ---- Contacts ---- */

static void test_contacts(void **state)
{
    test_world *w = *state;
    tumble_model *a = ball(w, 0, 0, 0, 2), *b = ball(w, 0, 0, 0, 1);
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = 2.5;
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.want_contacts = true;
    assert_int_equal(tumble_collide(w->query, a, NULL, b, &pose, &options, &result), TUMBLE_OK);
    assert_int_equal(result.contact_count, 1);
    assert_true(result.contacts[0].apart && result.contacts[0].points[0][0] == 0);
    assert_true(result.contacts[0].points[1][0] == 2.5);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* ---- Errors ---- */

static void test_errors(void **state)
{
    test_world *w = *state;
    static const double bad[] = {-1, -0x1p-1074, NAN, INFINITY, -INFINITY};
    const double centre[3] = {0, 0, 0}, far[3] = {-1, 2, 3};
    tumble_model *model = ball(w, 0, 0, 0, 1), *none;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const tumble_status status = isfinite(bad[i]) ? TUMBLE_ERROR_ARGUMENT : TUMBLE_ERROR_NOT_FINITE;
        const double radii[2] = {1, bad[i]}, centres[6] = {0};
        test_assert_status(w->context, tumble_model_create_ball(w->context, centre, bad[i], NULL, &none), status,
                           "the radius is ");
        assert_null(none);
        test_assert_status(w->context, tumble_model_create_balls(w->context, centres, radii, 2, NULL, &none), status,
                           "polygon 1: its radius is ");
        test_assert_status(w->context, tumble_model_set_radius(model, bad[i]), status, "the radius is ");
    }
    test_assert_status(w->context, tumble_model_create_box(w->context, centre, far, 0, NULL, &none),
                       TUMBLE_ERROR_ARGUMENT, "box: its x goes from 0 to -1");
    test_assert_status(w->context, tumble_model_create_ball(w->context, NULL, 1, NULL, &none), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(w->context, tumble_model_create_ball(w->context, centre, 1, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "null");
    assert_int_equal(tumble_model_create_capsule(NULL, centre, far, 1, NULL, &none), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_set_radius(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    double radius;
    assert_int_equal(tumble_model_radius(NULL, 0, &radius), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_model_radius(model, 1, &radius), TUMBLE_ERROR_INDEX, "has 1 polygons");
    test_assert_status(w->context, tumble_model_radius(model, 0, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_model_radius(model, 0, &radius), TUMBLE_OK);
    assert_true(radius == 1);
    /* both are legal, and their sum is not */
    tumble_model *huge = ball(w, 0, 0, 0, DBL_MAX);
    tumble_collide_result result;
    tumble_distance_result near;
    tumble_relation_result relation;
    test_assert_status(w->context, tumble_collide(w->query, huge, NULL, huge, NULL, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "infinite sum");
    test_assert_status(w->context, tumble_distance(w->query, huge, NULL, huge, NULL, NULL, &near),
                       TUMBLE_ERROR_NOT_FINITE, "infinite sum");
    test_assert_status(w->context, tumble_relate(w->query, huge, NULL, huge, NULL, &relation), TUMBLE_ERROR_NOT_FINITE,
                       "infinite sum");
    tumble_self_result self;
    test_assert_status(w->context, tumble_self_collide(w->query, huge, NULL, &self), TUMBLE_ERROR_NOT_FINITE,
                       "infinite sum");
    const double radii[1] = {DBL_MAX};
    tumble_model_options options = tumble_default_model_options();
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = centre, mesh.point_count = 1, mesh.indices = (const uint32_t[]){0, 0, 0}, mesh.index_count = 3;
    mesh.radii = radii;
    options.radius = DBL_MAX;
    test_assert_status(w->context, tumble_model_create(w->context, &mesh, &options, &none), TUMBLE_ERROR_NOT_FINITE,
                       "polygon 0: its radius is inf");
    tumble_model_destroy(huge);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),  TEST_IN_WORLD(test_soups),    TEST_IN_WORLD(test_lattices),
        TEST_IN_WORLD(test_extremes), TEST_IN_WORLD(test_touching), TEST_IN_WORLD(test_contacts),
        TEST_IN_WORLD(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
