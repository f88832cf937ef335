/* Tumbling from inside: no tumbled k-DOP is smaller than what it stands for, none is larger than its way of tumbling
 * makes it, and the slack is larger than what docs/kdop.md says that rounding takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel.h"
#include "kdop_cases.h"

/* The walk's own setup and kernel, compiled here once more; where a walk would begin, the tests look at what was set up
 * instead. */
#undef TMB_PICK_KERNEL
#define TMB_PICK_KERNEL(context, base) inspection
#define tmb_collide_kdop test_collide_kdop
#define tmb_kdop_scratch_of test_kdop_scratch_of
#define tmb_kdop_set_up test_kdop_set_up
#define tmb_kdop_reserve_slot test_reserve_slot
#define tmb_kdop_kernels_scalar test_kernels
#define TMB_KERNEL scalar
#include "collide/kdop/walk.h"

static const tmb_kdop_kernels inspection;
#include "collide/kdop/setup.c"

#include "collide/kdop/kernel.c"

typedef void tumble_function(tmb_kdop_state *s, const tmb_kdop_slot *slot, const float *bounds, float *apart);

static tumble_function *tumble_of(uint32_t k)
{
    switch (k) {
    case 6: return tumble_6;
    case 12: return tumble_12;
    case 14: return tumble_14;
    case 18: return tumble_18;
    default: return tumble_26;
    }
}

/* What docs/kdop.md says that floats take off a bound, in units of 2^-24 of the reach. */
static double rounding_needed(const tmb_kdop_state *s)
{
    static const double needed[TUMBLE_KDOP_TUMBLE_AXES + 1][TEST_KDOPS] = {
        [TUMBLE_KDOP_TUMBLE_LOOKUP] = {7.4, 29.6, 33.6, 18.4, 32.4},
        [TUMBLE_KDOP_TUMBLE_VERTICES] = {9.5, 34.3, 28.5, 19, 28.5},
        [TUMBLE_KDOP_TUMBLE_UNIT] = {5, 21.2, 22.5, 10, 15},
        [TUMBLE_KDOP_TUMBLE_AXES] = {5, 34.3, 15, 10, 15},
    };
    static const double of_points[TEST_KDOPS] = {5.5, 14.4, 16.5, 11, 16.5}; /* of leaves, and of hulls */
    int i = 0;
    while (test_kdops[i] != s->k) {
        i++;
    }
    return s->leaves_by_triangles || s->hull_count ? fmax(needed[s->tumble][i], of_points[i]) : needed[s->tumble][i];
}

/* ---- One query, looked at ---- */

typedef struct sight {
    const char *name;
    size_t queries, given_up;        /* looked at, and left to the walk over boxes */
    double most_taken;               /* of the slack, by rounding, in units of 2^-24 of the reach and the slack */
    double loosest;                  /* how much larger than necessary, slack not counted, as a share of the reach */
    double (*bounds)[TMB_KDOP_MOST]; /* null, or room for what the nodes were tumbled to, slack not counted */
    double reach;                    /* of the last query */
} sight;
static sight *seen; /* for the inspection, which has no other way to it */

/* The least of e . Q over all corners Q of a node, as the query moves them, in A's local frame: in front of what a
 * tumbled k-DOP must not reach. */
static void least_heights(const tmb_kdop_state *s, long double (*least)[TMB_KDOP_MOST])
{
    const tmb_encounter *c = s->encounter;
    const tmb_local_frame *frame = &c->a->frame;
    for (uint32_t node = (uint32_t)c->b->block->node_count; node >= TMB_KDOP_ROOT; node--) {
        const uint32_t *row = tmb_kdop_row(s->rows_b, s->k, node);
        uint32_t link = tmb_kdop_link(s->k, row);
        for (uint32_t l = 0; l < s->k; l++) {
            least[node][l] = tmb_kdop_count(s->k, row) ? INFINITY : fminl(least[link][l], least[link + 1][l]);
        }
        for (uint32_t i = 0; i < tmb_kdop_count(s->k, row); i++) {
            double corners[3][3], moved[3], e[3];
            tmb_model_corners(c->b, link, corners);
            for (int n = 0; n < 3; n++) {
                tumble_pose_apply(&c->relative, corners[n], moved);
                for (uint32_t l = 0; l < s->k; l++) {
                    long double height = 0;
                    tmb_kdop_lane(s->set, l, e);
                    for (int j = 0; j < 3; j++) {
                        height += e[j] * (((long double)moved[j] - frame->centre[j]) * frame->scale);
                    }
                    least[node][l] = fminl(least[node][l], height);
                }
            }
            link = tmb_next_triangle(c->b->places, link);
        }
    }
}

/* How much larger than the shift along a lane an offset is: the slack that is really there. */
static long double slack_of(const tmb_kdop_state *s, uint32_t lane)
{
    const tmb_encounter *c = s->encounter;
    const tmb_local_frame *fa = &c->a->frame, *fb = &c->b->frame;
    double e[3];
    long double shift = 0;
    tmb_kdop_lane(s->set, lane, e);
    for (int j = 0; j < 3; j++) {
        const double *row = c->relative.m[j];
        long double moved = (long double)row[3] - fa->centre[j];
        for (int n = 0; n < 3; n++) {
            moved += (long double)row[n] * fb->centre[n];
        }
        shift += e[j] * moved * fa->scale;
    }
    return s->offsets[lane] + shift;
}

static void check_slack(const tmb_kdop_state *s, double reach)
{
    const double error = tmb_point_error(s->encounter), epsilon = s->collider->tuning->kdop_walk.epsilon;
    const double of_a = s->leaves_by_triangles ? 6 * 0x1p-24 : 0; /* A's triangles, which are not rounded outward */
    for (uint32_t l = 0; l < s->k; l++) {
        double e[3];
        tmb_kdop_lane(s->set, l, e);
        const double wanted = epsilon * s->encounter->a->frame.scale * sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        const double needed = rounding_needed(s) * 0x1p-24 * reach + of_a + 0.75 * error + wanted * (1 - 0x1p-20);
        if (!((double)slack_of(s, l) >= needed)) {
            fail_msg("%s: lane %u has %g of slack, and %g are needed", seen->name, l, (double)slack_of(s, l), needed);
        }
    }
    for (uint32_t l = s->k; l < TMB_KDOP_LANES; l++) {
        assert_true(s->offsets[l] == INFINITY);
    }
}

/* Along a vector, how far the unit DOP reaches: the least that three of its planes can give. */
static double unit_reach(const tmb_kdop_set *set, const double u[3])
{
    double most = 0;
    for (uint32_t t = 0; t < set->corner_count; t++) {
        matrix columns;
        double c[3], sum = 0;
        int inside = 1;
        for (int i = 0; i < 3; i++) {
            tmb_kdop_lane(set, set->corners[t][i], columns[i]);
        }
        coefficients_of((const double(*)[3])columns, u, c);
        for (int i = 0; i < 3; i++) {
            const double *d = columns[i];
            inside &= c[i] > -1e-9 * (fabs(u[0]) + fabs(u[1]) + fabs(u[2]));
            sum += c[i] * sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
        }
        most = inside ? fmax(most, sum) : most;
    }
    return most;
}

/* Each lane is a sum of three lanes of B with weights that are not negative. For the unit way, no three other planes of
 * the unit DOP give less. */
static void check_weights(const tmb_kdop_state *s)
{
    for (uint32_t l = 0; l < s->k; l++) {
        const double *u = s->along[l];
        double sum[3] = {0, 0, 0}, of_unit = 0, e[3];
        tmb_kdop_lane(s->set, l, e);
        for (int i = 0; i < 3; i++) {
            const double weight = (double)s->three.weights[i][l];
            double d[3];
            assert_true(weight >= 0 && s->three.lanes[i][l] >= 0 && s->three.lanes[i][l] < (int32_t)s->k);
            tmb_kdop_lane(s->set, (uint32_t)s->three.lanes[i][l], d);
            for (int j = 0; j < 3; j++) {
                sum[j] += weight * d[j];
            }
            of_unit += weight * sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
        }
        const double length = fabs(u[0]) + fabs(u[1]) + fabs(u[2]);
        for (int j = 0; j < 3; j++) {
            const double seen_from_b = -(e[0] * s->map.m[0][j] + e[1] * s->map.m[1][j] + e[2] * s->map.m[2][j]);
            assert_true(fabs(u[j] - seen_from_b) <= 0x1p-48 * tmb_map_reach(&s->map));
            assert_true(fabs(sum[j] - u[j]) <= 0x1p-20 * length + 0x1p-120);
        }
        assert_true(s->tumble == TUMBLE_KDOP_TUMBLE_AXES || of_unit <= unit_reach(s->set, u) + 0x1p-20 * length);
    }
}

/* The direction of B is the nearest, and the factors are those of the geometry, enlarged by more than what rounding
 * takes and by not much more. */
static void check_cones(const tmb_kdop_state *s)
{
    const double cosine = s->set->cover, sine = sqrt(1 - cosine * cosine);
    for (uint32_t l = 0; l < s->k; l++) {
        const double *u = s->along[l], length = sqrt((u[0] * u[0] + u[1] * u[1]) + u[2] * u[2]);
        double most = 0, d[3], across[3];
        for (uint32_t j = 0; j < s->k; j++) {
            tmb_kdop_lane(s->set, j, d);
            most = fmax(most,
                        ((d[0] * u[0] + d[1] * u[1]) + d[2] * u[2]) / sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]));
        }
        tmb_kdop_lane(s->set, (uint32_t)s->cones.lanes[l], d);
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            across[j] = d[j1] * u[j2] - d[j2] * u[j1];
            assert_true(s->cones.directions[j][l] == (float)d[j]);
        }
        const double unit = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
        const double straight = ((d[0] * u[0] + d[1] * u[1]) + d[2] * u[2]) / unit,
                     aside = sqrt((across[0] * across[0] + across[1] * across[1]) + across[2] * across[2]) / unit;
        assert_true(straight >= most - 1e-15 * length && straight >= (cosine - 1e-15) * length);
        const double found[3] = {(double)s->cones.straight[l], (double)s->cones.aside[l], (double)s->cones.outside[l]};
        const double expected[3] = {straight / unit, aside / unit, cosine * straight + sine * aside};
        for (int j = 0; j < 3; j++) {
            assert_true(found[j] >= expected[j] * (1 + 8 * 0x1p-24) - 0x1p-140);
            assert_true(found[j] <= expected[j] * (1 + 32 * 0x1p-24) + 0x1p-140);
        }
    }
}

static void inspect(tmb_kdop_state *s)
{
    const uint32_t count = (uint32_t)s->encounter->b->block->node_count;
    const double reach = tmb_map_reach(&s->map), error = tmb_point_error(s->encounter);
    long double(*least)[TMB_KDOP_MOST] = malloc((count + 1) * sizeof *least);
    assert_non_null(least);
    least_heights(s, least);
    check_slack(s, reach);
    if (s->tumble == TUMBLE_KDOP_TUMBLE_UNIT || s->tumble == TUMBLE_KDOP_TUMBLE_AXES) {
        check_weights(s);
    } else if (s->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        check_cones(s);
    }
    for (uint32_t node = 1; node <= count; node++) {
        const uint32_t *row = tmb_kdop_row(s->rows_b, s->k, node);
        const tmb_kdop_slot slot = {.node = node, .link = tmb_kdop_link(s->k, row), .count = tmb_kdop_count(s->k, row)};
        float apart[TMB_KDOP_LANES];
        tumble_of(s->k)(s, &slot, (const float *)row, apart);
        for (uint32_t l = 0; l < s->k; l++) {
            const double room = (double)(least[node][l] - apart[l]), slack = (double)slack_of(s, l);
            if (!(room >= 0)) {
                fail_msg("%s: node %u is lost along lane %u by %g, with a slack of %g", seen->name, node, l, -room,
                         slack);
            }
            const double taken = (slack - room - 0.75 * error) / (reach + slack) * 0x1p24;
            if (taken > rounding_needed(s)) {
                fail_msg("%s: rounding takes %g units, not %g", seen->name, taken, rounding_needed(s));
            }
            seen->most_taken = fmax(seen->most_taken, taken);
            seen->loosest = fmax(seen->loosest, (room - slack) / (reach + slack));
            if (seen->bounds) {
                seen->bounds[node][l] = -((double)apart[l] + slack);
            }
        }
        for (uint32_t l = s->k; l < tmb_kdop_lanes(s->k); l++) {
            assert_true(apart[l] == -INFINITY);
        }
    }
    seen->reach = reach;
    seen->queries++;
    free(least);
}
static const tmb_kdop_kernels inspection = {
    .walk_6 = inspect, .walk_12 = inspect, .walk_14 = inspect, .walk_18 = inspect, .walk_26 = inspect};

static void look_at(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                    const tumble_kdop_walk *walk, sight *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    test_tune(options, kdop_walk, *walk);
    tmb_collider c = {.encounter = {.query = w->query, .a = a, .b = b, .relative = *pose},
                      .options = &options,
                      .tuning = options.tuning};
    seen = out;
    seen->given_up += (size_t)!tmb_collide_kdop(&c);
    assert_int_equal(c.encounter.status, TUMBLE_OK);
}

/* ---- Rounding ---- */

/* B's corners where rounding shows: few of them, so that bounds are tight, of any size relative to A. */
static void make_pair(test_random *random, models_mesh meshes[2], double *size)
{
    const double shift[3] = {test_random_range(random, -1, 1), test_random_range(random, -1, 1), 0};
    *size = ldexp(test_random_range(random, 1, 2), test_random_whole(random, -30, 30));
    test_make_soup(&meshes[0], random, 3, 2);
    test_make_soup(&meshes[1], random, (size_t)test_random_whole(random, 1, 9),
                   test_random_chance(random, 0.5) ? 1e-3 : 2);
    test_transform(&meshes[0], 1, shift);
    test_transform(&meshes[1], *size, shift);
}

/* Along each lane of each node, for every way of tumbling, any size and pose. */
static void test_conservative(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    sight all[TEST_KDOPS][TUMBLE_KDOP_TUMBLE_AXES + 1];
    memset(all, 0, sizeof all);
    for (size_t i = 0; i < test_count(6000); i++) {
        const int n = (int)(i % TEST_KDOPS);
        models_mesh meshes[2] = {{0}, {0}};
        tumble_model *models[2];
        double size;
        make_pair(&random, meshes, &size);
        for (int m = 0; m < 2; m++) {
            tumble_model_options options = test_any_kdop(&random, test_kdops[n]);
            test_tune(options, kdop.bare_leaves, false);
            models[m] = test_model(w->context, &meshes[m], &options);
        }
        for (int p = 0; p < 3; p++) {
            const tumble_kdop_walk walk = test_any_walk(&random, models[1], 1);
            tumble_pose pose = test_special_turn(&random, test_kdops[n]);
            const double scale = ldexp(test_random_range(&random, 1, 2), test_random_whole(&random, -25, 25));
            test_scale_pose(&pose, p == 0 ? 1 / size : scale);
            for (int k = 0; k < 3; k++) {
                pose.m[k][3] = p == 1 ? 0 : ldexp(test_random_range(&random, -1, 1), test_random_whole(&random, -9, 9));
            }
            char name[120];
            snprintf(name, sizeof name, "k %u, %s", test_kdops[n], test_walk_name(&walk));
            sight *s = &all[n][walk.tumble];
            s->name = name;
            look_at(w, models[0], models[1], &pose, &walk, s);
        }
        for (int m = 0; m < 2; m++) {
            tumble_model_destroy(models[m]);
            models_free(&meshes[m]);
        }
    }
    for (int n = 0; n < TEST_KDOPS; n++) {
        for (int t = TUMBLE_KDOP_TUMBLE_LOOKUP; t <= TUMBLE_KDOP_TUMBLE_AXES; t++) {
            assert_true(all[n][t].queries > 0 && all[n][t].most_taken > 0.5);
        }
    }
}

/* The same where the numbers are extreme. */
static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    sight all = {.name = "difficult sets"};
    for (size_t i = 0; i < TEST_SETS; i++) {
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &random, 40);
        for (int n = 0; n < TEST_KDOPS; n++) {
            tumble_model *models[2];
            for (int m = 0; m < 2; m++) {
                tumble_model_options options = test_any_kdop(&random, test_kdops[n]);
                test_tune(options, kdop.bare_leaves, false);
                models[m] = test_model(w->context, &mesh, &options);
            }
            const tumble_model_info info = test_info(models[0]);
            for (size_t p = 0; p < test_count(9); p++) {
                const tumble_kdop_walk walk = test_any_walk(&random, models[1], info.upper[0] / 2 - info.lower[0] / 2);
                const tumble_pose pose = test_pose_over(&random, &info, test_sets[i].turns, p);
                char name[200];
                snprintf(name, sizeof name, "%s, k %u, %s", test_sets[i].name, test_kdops[n], test_walk_name(&walk));
                all.name = name;
                look_at(w, models[0], models[1], &pose, &walk, &all);
            }
            tumble_model_destroy(models[0]);
            tumble_model_destroy(models[1]);
        }
        models_free(&mesh);
    }
    /* of the two sets that are flat and far away doubles leave nothing */
    assert_true(all.queries > 10 * all.given_up && all.given_up >= 2 * TEST_KDOPS * test_count(9));
}

/* Floats are given up where they could tell nothing, and nowhere else. */
static void test_limits(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, 10, 1);
    for (int n = 0; n < TEST_KDOPS; n++) {
        const tumble_model_options options = test_kdop_options(test_kdops[n], 1, 0, 0);
        tumble_model *model = test_model(w->context, &mesh, &options);
        for (int exponent = -900; exponent <= 900; exponent += exponent > -80 && exponent < 80 ? 1 : 41) {
            sight s = {.name = "limits"};
            tumble_kdop_walk walk = {.tumble = TUMBLE_KDOP_TUMBLE_UNIT};
            tumble_pose pose = test_rational_turn(&random);
            test_scale_pose(&pose, ldexp(1, exponent));
            look_at(w, model, model, &pose, &walk, &s);
            assert_true(exponent < 58 ? s.queries == 1 : exponent > 60 ? s.given_up == 1 : 1);
            pose = test_translation(ldexp(1, exponent), 0, 0);
            s = (sight){.name = "limits"};
            look_at(w, model, model, &pose, &walk, &s);
            assert_true(exponent < 58 ? s.queries == 1 : exponent > 61 ? s.given_up == 1 : 1);
            walk.epsilon = ldexp(1, exponent);
            pose = tumble_pose_identity();
            s = (sight){.name = "limits"};
            look_at(w, model, model, &pose, &walk, &s);
            assert_true(exponent < 58 ? s.queries == 1 : exponent > 61 ? s.given_up == 1 : 1);
        }
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

/* ---- Tightness ---- */

/* A turn that takes the set's directions onto each other leaves k-DOPs as they are. */
static tumble_pose symmetric_turn(test_random *random, uint32_t k)
{
    return test_quarter_turn((size_t)test_random_whole(random, 0, k == 12 ? 11 : 23));
}

/* What is tumbled by its own directions, by its triangles or by its hull is not larger than it must be. */
static void test_tight(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    sight all = {.name = "k-DOPs that fit"};
    for (size_t i = 0; i < test_count(500); i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        models_mesh meshes[2] = {{0}, {0}};
        tumble_model *models[2];
        double size;
        make_pair(&random, meshes, &size);
        for (int m = 0; m < 2; m++) {
            const tumble_model_options options =
                test_kdop_options(k, i % 2 ? 1 : 255, 0, i % 2 ? TUMBLE_KDOP_HULL_MOST : 1);
            models[m] = test_model(w->context, &meshes[m], &options);
        }
        tumble_kdop_walk walk = {.tumble = TUMBLE_KDOP_TUMBLE_UNIT, .root = TUMBLE_KDOP_ROOT_SAME};
        tumble_pose pose = symmetric_turn(&random, k);
        test_scale_pose(&pose, 1 / size);
        look_at(w, models[0], models[1], &pose, &walk, &all);
        if (i % 2 == 0) { /* the root is a leaf */
            walk.mixed = TUMBLE_KDOP_MIXED_PRIMITIVES;
            pose = test_special_turn(&random, k);
            test_scale_pose(&pose, 1 / size);
            look_at(w, models[0], models[1], &pose, &walk, &all);
        }
        pose = test_special_turn(&random, k);
        test_scale_pose(&pose, 1 / size);
        walk.mixed = TUMBLE_KDOP_MIXED_VOLUMES;
        walk.root = TUMBLE_KDOP_ROOT_HULL; /* of the root, or of all nodes */
        assert_true(i % 2 == 0 || models[1]->block->kdop.hull_nodes == models[1]->block->node_count);
        look_at(w, models[0], models[1], &pose, &walk, &all);
        for (int m = 0; m < 2; m++) {
            tumble_model_destroy(models[m]);
            models_free(&meshes[m]);
        }
    }
    assert_true(all.queries == 2 * test_count(500) + (test_count(500) + 1) / 2);
    assert_true(all.loosest < 30 * 0x1p-24); /* rounding, and B's bounds rounded outward */
}

/* No sum of three bounds is less than the farthest of the k-DOP's vertices, and no vertex less than the hull's. */
static void test_order(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    double looser[2] = {0, 0}; /* sums over all nodes and lanes, relative to vertices */
    for (size_t i = 0; i < test_count(300); i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        models_mesh meshes[2] = {{0}, {0}};
        tumble_model *models[2];
        double size, reach = 0, bounds[4][64][TMB_KDOP_MOST];
        make_pair(&random, meshes, &size);
        for (int m = 0; m < 2; m++) {
            const tumble_model_options options = test_kdop_options(k, 1, TUMBLE_KDOP_TUMBLE_VERTICES, 1);
            models[m] = test_model(w->context, &meshes[m], &options);
        }
        tumble_pose pose = test_special_turn(&random, k);
        test_scale_pose(&pose, 1 / size);
        static const tumble_kdop_walk walks[4] = {
            {.tumble = TUMBLE_KDOP_TUMBLE_VERTICES, .root = TUMBLE_KDOP_ROOT_HULL},
            {.tumble = TUMBLE_KDOP_TUMBLE_VERTICES, .root = TUMBLE_KDOP_ROOT_SAME},
            {.tumble = TUMBLE_KDOP_TUMBLE_UNIT, .root = TUMBLE_KDOP_ROOT_SAME},
            {.tumble = TUMBLE_KDOP_TUMBLE_AXES, .root = TUMBLE_KDOP_ROOT_SAME}};
        for (int n = 0; n < 4; n++) {
            sight s = {.name = "all ways", .bounds = bounds[n]};
            look_at(w, models[0], models[1], &pose, &walks[n], &s);
            assert_int_equal(s.queries, 1);
            reach = s.reach;
        }
        const uint32_t nodes = (uint32_t)models[1]->block->node_count;
        assert_true(nodes < 64);
        for (uint32_t node = 1; node <= nodes; node++) {
            for (uint32_t l = 0; l < k; l++) {
                const double room = 128 * 0x1p-24 * (1 + reach); /* for rounding */
                assert_true(bounds[0][node][l] <= bounds[1][node][l] + room);
                assert_true(bounds[1][node][l] <= bounds[2][node][l] + room);
                assert_true(bounds[1][node][l] <= bounds[3][node][l] + room);
                looser[0] += (bounds[2][node][l] - bounds[1][node][l]) / (1 + reach);
                looser[1] += (bounds[3][node][l] - bounds[1][node][l]) / (1 + reach);
            }
        }
        for (int m = 0; m < 2; m++) {
            tumble_model_destroy(models[m]);
            models_free(&meshes[m]);
        }
    }
    assert_true(looser[0] > 0 && looser[1] > looser[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_conservative), TEST_IN_WORLD(test_difficult_sets), TEST_IN_WORLD(test_limits),
        TEST_IN_WORLD(test_tight),        TEST_IN_WORLD(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
