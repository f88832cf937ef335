/* Wide models whose boxes are plainly apart are answered before a query is set up: the answers, errors and messages are
 * those of brute force, which has no such short cut. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "query/query.h"
#include "scenes.h"

#define SHAPES 4

typedef struct pair_of_kinds {
    tumble_model *wide[SHAPES], *brute[SHAPES];
} pair_of_kinds;

/* A soup, flat and far from the origin, a needle, a single point. */
static void make_shape(models_mesh *mesh, test_random *random, int shape)
{
    test_make_soup(mesh, random, shape == 3 ? 1 : 40, shape == 3 ? 0 : 0.7);
    for (size_t i = 0; i < mesh->point_count; i++) {
        double *p = mesh->points + 3 * i;
        p[0] = shape == 1 ? 1e6 + p[0] : p[0];
        p[2] *= shape == 1 ? 0x1p-60 : shape == 2 ? 1000 : 1;
    }
}

static pair_of_kinds make_models(tumble_context *context, test_random *random)
{
    pair_of_kinds made;
    for (int i = 0; i < SHAPES; i++) {
        models_mesh mesh = {0};
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_WIDE;
        make_shape(&mesh, random, i);
        made.wide[i] = test_model(context, &mesh, &options);
        made.brute[i] = test_brute_model(context, &mesh);
        models_free(&mesh);
    }
    return made;
}

static void destroy_models(pair_of_kinds *made)
{
    for (int i = 0; i < SHAPES; i++) {
        tumble_model_destroy(made->wide[i]);
        tumble_model_destroy(made->brute[i]);
    }
}

static tumble_pose random_pose(test_random *random, double distance)
{
    tumble_pose pose = test_random_chance(random, 0.3) ? tumble_pose_identity() : test_rational_turn(random);
    const double scale = test_random_chance(random, 0.7) ? 1 : ldexp(1, test_random_whole(random, -30, 30));
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            pose.m[k][j] *= scale;
        }
        pose.m[k][3] = test_random_range(random, -distance, distance) * (test_random_chance(random, 0.5) ? scale : 1);
    }
    return pose;
}

/* What makes a pose invalid, or something infinite. */
static void spoil(test_random *random, tumble_pose *pose)
{
    static const double values[] = {NAN, INFINITY, DBL_MAX, -DBL_MAX, 0x1p600, 0x1p-600, 0x1p500, 1e300, 0, 0x1p-1074};
    const double value = values[test_random_whole(random, 0, 9)];
    if (test_random_chance(random, 0.5)) {
        pose->m[test_random_whole(random, 0, 2)][3] = value;
        return;
    }
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            pose->m[k][j] *= value;
        }
    }
}

/* Whether the short cut was taken. */
static int compare(test_world *w, const pair_of_kinds *models, test_random *random, const tumble_pose *pose_a,
                   const tumble_pose *pose_b)
{
    const int a = test_random_whole(random, 0, SHAPES - 1), b = test_random_whole(random, 0, SHAPES - 1);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = (tumble_mode)test_random_whole(random, 0, 4);
    options.clearance = test_random_chance(random, 0.3) ? ldexp(1, test_random_whole(random, -40, 5)) : 0;
    options.want_contacts = test_random_chance(random, 0.3);
    tumble_collide_result found, expected;
    const tumble_status status =
        tumble_collide(w->query, models->wide[a], pose_a, models->wide[b], pose_b, &options, &found);
    char text[256] = "", other[256] = "";
    if (status != TUMBLE_OK) {
        (void)tumble_query_error(w->query, text, sizeof text);
    }
    assert_int_equal(status,
                     tumble_collide(w->query, models->brute[a], pose_a, models->brute[b], pose_b, &options, &expected));
    if (status != TUMBLE_OK) {
        (void)tumble_query_error(w->query, other, sizeof other);
        assert_string_equal(text, other);
        return 0;
    }
    assert_int_equal(found.collide, expected.collide);
    assert_int_equal(found.pair_count, expected.pair_count);
    assert_int_equal(found.contact_count, expected.contact_count);
    const int was_short = found.counters.seconds == 0;
    if (was_short) {
        assert_false(expected.collide);
        assert_int_equal(found.counters.box_tests, 1);
    }
    return was_short;
}

static void test_same_as_brute_force(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    pair_of_kinds models = make_models(w->context, &random);
    const size_t count = test_count(20000);
    size_t short_cuts = 0, failures = 0;
    for (size_t i = 0; i < count; i++) {
        tumble_pose poses[2];
        for (int side = 0; side < 2; side++) {
            poses[side] = random_pose(&random, i % 3 == 0 ? 4 : i % 3 == 1 ? 40 : 2e6);
            if (test_random_chance(&random, 0.05)) {
                spoil(&random, &poses[side]);
                failures++;
            }
        }
        short_cuts += (size_t)compare(w, &models, &random, test_random_chance(&random, 0.2) ? NULL : &poses[0],
                                      test_random_chance(&random, 0.2) ? NULL : &poses[1]);
    }
    assert_true(short_cuts > count / 10 && short_cuts < count - count / 10);
    assert_true(failures > 0);
    destroy_models(&models);
}

/* Everything again with radii, of models and objects, of which the sum may be infinite. */
static void test_radii(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    pair_of_kinds models = make_models(w->context, &random);
    const size_t count = test_count(10000);
    size_t short_cuts = 0;
    for (size_t i = 0; i < count; i++) {
        tumble_pose poses[2];
        for (int side = 0; side < 2; side++) {
            const int shape = test_random_whole(&random, 0, SHAPES - 1), power = test_random_whole(&random, -60, 6);
            const double radius = test_random_chance(&random, 0.01) ? DBL_MAX : ldexp(1, power);
            assert_int_equal(tumble_model_set_radius(models.wide[shape], radius), TUMBLE_OK);
            assert_int_equal(tumble_model_set_radius(models.brute[shape], radius), TUMBLE_OK);
            tmb_query_pad(w->query, side, test_random_chance(&random, 0.2) ? ldexp(1, power) : 0);
            poses[side] = random_pose(&random, i % 2 ? 10 : 40);
        }
        short_cuts += (size_t)compare(w, &models, &random, test_random_chance(&random, 0.2) ? NULL : &poses[0],
                                      test_random_chance(&random, 0.2) ? NULL : &poses[1]);
    }
    for (int side = 0; side < 2; side++) {
        tmb_query_pad(w->query, side, 0);
    }
    assert_true(short_cuts > count / 10 && short_cuts < count - count / 10);
    destroy_models(&models);
}

/* Cylinders that are plainly apart, and that are close. */
static void test_cylinders(void **state)
{
    test_world *w = *state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 1};
    tumble_model *model;
    tumble_collide_result result;
    tumble_pose far = tumble_pose_identity();
    far.m[0][3] = 100;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, 1, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_collide(w->query, model, NULL, model, &far, NULL, &result), TUMBLE_OK);
    assert_false(result.collide);
    far.m[0][3] = 1;
    assert_int_equal(tumble_collide(w->query, model, NULL, model, &far, NULL, &result), TUMBLE_OK);
    assert_true(result.collide);
    tumble_model_destroy(model);
}

/* Boxes that all but touch: a hair decides whether the short cut may be taken, never what is answered. */
static void test_hair(void **state)
{
    test_world *w = *state;
    test_random random = {8};
    models_mesh mesh = {0};
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    test_make_grid_box(&mesh, 2); /* its faces lie in its box */
    tumble_model *wide = test_model(w->context, &mesh, &options), *brute = test_brute_model(w->context, &mesh);
    const double side = test_info(wide).upper[0] - test_info(wide).lower[0];
    size_t short_cuts = 0, hits = 0;
    for (int i = -60; i <= 60; i++) {
        tumble_pose turned = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
        const double lower[3] = {test_info(wide).lower[0], test_info(wide).lower[1], test_info(wide).lower[2]};
        tumble_collide_result found, expected;
        tumble_pose moved = turned;
        for (int k = 0; k < 3; k++) { /* its lower corner where the other's is */
            double least = INFINITY;
            for (int corner = 0; corner < 8; corner++) {
                double at = 0;
                for (int j = 0; j < 3; j++) {
                    at += turned.m[k][j] * (lower[j] + (corner >> j & 1 ? side : 0));
                }
                least = at < least ? at : least;
            }
            moved.m[k][3] = lower[k] - least;
        }
        moved.m[0][3] += side + (i < 0 ? -1 : 1) * ldexp(1, -abs(i));
        assert_int_equal(tumble_collide(w->query, wide, NULL, wide, &moved, NULL, &found), TUMBLE_OK);
        assert_int_equal(tumble_collide(w->query, brute, NULL, brute, &moved, NULL, &expected), TUMBLE_OK);
        assert_int_equal(found.pair_count, expected.pair_count);
        short_cuts += found.counters.seconds == 0;
        hits += expected.collide;
    }
    assert_true(short_cuts > 10 && short_cuts < 60 && hits > 60);
    tumble_model_destroy(wide);
    tumble_model_destroy(brute);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_same_as_brute_force), TEST_IN_WORLD(test_radii),
                                       TEST_IN_WORLD(test_cylinders), TEST_IN_WORLD(test_hair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
