/* The slacks of wide hierarchies, from inside: those in use are the ones that proofs/ is about, and the errors that
 * they pay for are smaller, as far as a search can tell. */
#include "collide/wide/bounds.h"
#include "scenes.h"
#include "tree/wide/fit.h"

/* The two files have functions of one name. */
#define reach_along child_reach_along
#include "tree/wide/fit.c"
#undef reach_along

/* ---- Slabs computed from those of children ---- */

static tmb_wide_patch any_patch(test_random *random)
{
    tmb_wide_patch p;
    float normal[3];
    for (int k = 0; k < 3; k++) {
        const float x = (float)test_random_range(random, -1, 1), y = (float)test_random_range(random, -1, 1);
        p.lower[k] = fminf(x, y);
        p.upper[k] = fmaxf(x, y);
        normal[k] = (float)test_random_range(random, -1, 1);
    }
    tmb_wide_encode_direction(normal, p.direction);
    p.slab_lower = (float)test_random_range(random, -1, 0);
    p.slab_upper = (float)test_random_range(random, 0, 1);
    return p;
}

/* How far points of a patch reach along n, by its slab and its box, with the share that floats have chosen. */
static double exact_reach(const tmb_wide_patch *p, const float n[3])
{
    float m[3], dot = 0, square = 0;
    tmb_wide_decode_direction(p->direction, m);
    for (int k = 0; k < 3; k++) {
        dot += n[k] * m[k];
        square += m[k] * m[k];
    }
    const double share = (double)(dot / square);
    double by_both = share * (double)(share > 0 ? p->slab_upper : p->slab_lower), by_box = 0;
    for (int k = 0; k < 3; k++) {
        const double rest = (double)n[k] - share * (double)m[k];
        by_both += rest * (double)(rest > 0 ? p->upper[k] : p->lower[k]);
        by_box += (double)(n[k] * (n[k] > 0 ? p->upper[k] : p->lower[k]));
    }
    return fmin(by_both, by_box);
}

static void test_slab_levels(void **state)
{
    (void)state;
    test_random random = {5101};
    double most = 0;
    for (size_t i = test_count(200000); i > 0; i--) {
        const tmb_wide_patch p = any_patch(&random), other = any_patch(&random);
        float n[3];
        tmb_wide_decode_direction(other.direction, n);
        const double spare = (double)child_reach_along(&p, n) - exact_reach(&p, n);
        assert_true(spare >= 0);
        most = fmax(most, 1 - spare / (double)TMB_SLAB_LEVEL_ROUNDING);
    }
    assert_true(most > 0.03); /* of the slack; 0.58 of it is proven to be needed */
}

/* Where nothing is rounded, exactly the slack is added. */
static void test_slab_slack(void **state)
{
    (void)state;
    const tmb_wide_patch p = {.lower = {-0.5F, -0.5F, -0.5F},
                              .upper = {0.5F, 0.5F, 0.5F},
                              .slab_lower = -0.25F,
                              .slab_upper = 0.25F,
                              .direction = {127, 0}};
    const float along[3] = {1, 0, 0}, across[3] = {0, 0, 1};
    assert_true(child_reach_along(&p, along) == 0.25F + TMB_SLAB_LEVEL_ROUNDING);
    assert_true(child_reach_along(&p, across) == 0.5F + TMB_SLAB_LEVEL_ROUNDING);
}

/* ---- The setup of a query ---- */

/* Far away, where doubles are off by about as much as floats. */
static tumble_model *a_torus(test_world *w)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 1000));
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] += 0x1p30;
    }
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

/* The largest sum of sizes on the way from B's points to A's frame. */
static double sum_of_sizes(const tmb_encounter *e)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double sum = fabs(e->relative.m[k][3]) + fabs(e->a->frame.centre[k]);
        for (int j = 0; j < 3; j++) {
            sum += fabs(e->relative.m[k][j]) * fmax(fabs(e->b->block->lower[j]), fabs(e->b->block->upper[j]));
        }
        most = fmax(most, sum);
    }
    return most;
}

/* The largest sum of sizes in a row. */
static double row_norm(const tmb_local_map *map)
{
    return fmax(fmax(tmb_sum_of_sizes(map->m[0]), tmb_sum_of_sizes(map->m[1])), tmb_sum_of_sizes(map->m[2]));
}

static void assert_about(float value, double expected)
{
    assert_true(expected > 0);
    if (!(fabs((double)value - expected) <= 1e-6 * expected)) {
        fail_msg("%a instead of %a", (double)value, expected);
    }
}

static void test_setup(void **state)
{
    test_world *w = *state;
    tumble_model *model = a_torus(w);
    test_random random = {5102};
    for (int i = 0; i < 20; i++) {
        const double axis[3] = {1, test_random_unit(&random), test_random_unit(&random)}, limit = i % 2 ? 0.25 : 0;
        tmb_encounter e = {.query = w->query, .a = model, .b = model};
        const double shift[3] = {i, 0, 0};
        tumble_pose pose;
        assert_int_equal(tumble_pose_from_axis_angle(w->context, axis, i, 1, shift, &pose), TUMBLE_OK);
        assert_int_equal(tmb_encounter_place(&e, NULL, &pose), TUMBLE_OK);
        const tmb_local_map into_a = tmb_map_into_a(&e), into_b = tmb_map_inverse(&into_a);
        const double error = tmb_point_error(&e), scale = model->frame.scale, reach = tmb_map_reach(&into_a);
        assert_about((float)error, TMB_POINT_ROUNDING * sum_of_sizes(&e) * scale);
        tmb_wide_walk walk;
        assert_true(tmb_wide_set_up(&e, limit, &into_a, error, &walk));
        assert_about(walk.into_a.slack, TMB_BOX_ROUNDING * (1 + reach) + error);
        assert_about(walk.into_b.slack, TMB_BOX_ROUNDING * (1 + tmb_map_reach(&into_b)) + error * row_norm(&into_b));
        assert_about(walk.leaf_slack, TMB_BOX_ROUNDING * (1 + reach) + error + limit * scale * (1 + TMB_SLAB_ROUNDING));
        assert_about(walk.slab_slack, TMB_SLAB_ROUNDING * (1 + reach) + 2 * error);
    }
    tumble_model_destroy(model);
}

/* ---- Lower bounds of distances ---- */

static float first_lane(tmb_f8 lanes)
{
    float values[TMB_LANES];
    tmb_f8_storeu(values, lanes);
    return values[0];
}

/* Boxes of all children: points at the origin, and points `gap` beside it along x. */
static void set_points(float gap, boxes *a, boxes *b)
{
    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    for (int i = 0; i < TMB_LANES; i++) {
        b->other_lower[0][i] = b->other_upper[0][i] = gap;
    }
}

/* Roots and bounds are rounded down by their slack, and squares count as larger than the limit's from its slack on. */
static void test_lower_bounds(void **state)
{
    (void)state;
    assert_true(first_lane(round_down(tmb_f8_set(1))) == 1 - TMB_BOUND_ROUNDING);
    assert_true(first_lane(round_down(tmb_f8_set(-2))) == -2 - 2 * TMB_BOUND_ROUNDING);

    boxes a, b;
    bounds out;
    set_points(1 + 0.5F * TMB_SQUARE_ROUNDING - 0x1p-22F, &a, &b);
    assert_true(far_boxes(&a, &b, UINT64_MAX, 1, 1, &out) == 0);
    set_points(1 + 0.5F * TMB_SQUARE_ROUNDING + 0x1p-22F, &a, &b);
    assert_true(far_boxes(&a, &b, UINT64_MAX, 1, 1, &out) == UINT64_MAX);
    set_points(2, &a, &b);
    const uint64_t far = far_boxes(&a, &b, UINT64_MAX, 1, 1, &out);
    finish_far(far, &out);
    assert_true(out.lower[0] == 2 - 2 * TMB_BOUND_ROUNDING && out.lower[63] == out.lower[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab_levels),
        cmocka_unit_test(test_slab_slack),
        TEST_IN_WORLD(test_setup),
        cmocka_unit_test(test_lower_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
