/* The slacks of boxtrees, and of hierarchies as boxes in double, from inside: those in use are the ones that proofs/ is
 * about. */
#include "kdop_cases.h"
#include "tree/block.h"
#include "tree/box_view.h"
#include "tree/boxtree/grid.h"

/* Functions that the library keeps to itself. */
#include "collide/boxtree/setup.c"

/* ---- The grid ---- */

static void test_grid_guard(void **state)
{
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {0x1p30, 1, 1};
    const tmb_grid grid = tmb_grid_of(lower, upper); /* of units of 2 */
    assert_true(tmb_grid_units(&grid, 1, 3) == 1.5);
    assert_int_equal(tmb_grid_below(&grid, 0, 200 + 2 * 1.25 * TMB_GRID_GUARD), 100);
    assert_int_equal(tmb_grid_below(&grid, 0, 200 + 2 * 0.75 * TMB_GRID_GUARD), 99);
    assert_int_equal(tmb_grid_above(&grid, 0, 200 - 2 * 1.25 * TMB_GRID_GUARD), 100);
    assert_int_equal(tmb_grid_above(&grid, 0, 200 - 2 * 0.75 * TMB_GRID_GUARD), 101);
}

/* ---- Gaps ---- */

static void test_gaps(void **state)
{
    (void)state;
    scaled_pair pair = {.linear = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .unit = {1, 1}};
    for (int i = 0; i < 6; i++) { /* two boxes from -1 to 1 */
        pair.lower[i / 3][i % 3] = -1;
        pair.upper[i / 3][i % 3] = 1;
    }
    static tmb_walk walk;
    const double s[3] = {1, 0, 0};
    for (uint32_t depth = 0; depth < 100; depth++) {
        pair.depth = depth;
        start_gaps(&walk, &pair, 0, s);
        const double slack = 2 * (TMB_GAP_ROUNDINGS + TMB_GAP_LEVEL_ROUNDINGS * (double)depth) * TMB_DOUBLE_ROUNDING;
        assert_true(walk.start[0] == 2 + slack && walk.start[1] == 2 + slack);
    }
    const double tiny[3] = {0x1p-1060, 0, 0}; /* where nothing but what underflows is left */
    start_gaps(&walk, &pair, 0, tiny);
    assert_true(walk.start[0] == TMB_GAP_UNDERFLOW);
}

/* ---- Boxes ---- */

static tumble_model *a_torus(test_world *w, tumble_model_options options)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 1000));
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] += 100;
    }
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

/* Each tree has its levels, and three more for a leaf that is compared as its triangle. */
static void test_levels(void **state)
{
    test_world *w = *state;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    tumble_model *model = a_torus(w, options);
    static tmb_collider c;
    scaled_pair pair;
    c.encounter.a = c.encounter.b = model;
    c.encounter.relative = tumble_pose_identity();
    scale_pair(&c, &pair);
    assert_int_equal(pair.depth, 2 * model->block->depth + 6);
    tumble_model_destroy(model);
}

/* The margins around the frame's centre are what a local coordinate may be off by, and parts of the centre. */
static void check_margins(tumble_model *model, double rounding)
{
    const tmb_box_view view = tmb_box_view_of(model);
    const double unit = 0.5 / model->frame.scale;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * model->frame.centre[k];
        const double margin = (rounding + TMB_BOX_SUM_ROUNDING) * unit + TMB_BOX_SUM_ROUNDING * fabs(half);
        assert_true(view.lower[k] == half - margin && view.upper[k] == half + margin);
    }
    tumble_model_destroy(model);
}

static void test_box_margins(void **state)
{
    test_world *w = *state;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    check_margins(a_torus(w, options), TMB_BOX_OF_WIDE_ROUNDING);
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    check_margins(a_torus(w, options), TMB_BOX_OF_RTREE_ROUNDING);
    check_margins(a_torus(w, test_kdop_options(18, 1, TUMBLE_KDOP_TUMBLE_AUTO, 0)), TMB_BOX_OF_KDOP_ROUNDING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_guard),
        cmocka_unit_test(test_gaps),
        TEST_IN_WORLD(test_levels),
        TEST_IN_WORLD(test_box_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
