/* The slacks and margins of k-DOP trees, from inside: those in use are the ones that proofs/ is about, and the errors
 * that they pay for are smaller, as far as a search can tell. */
#include <stdlib.h>

#include "collide/kdop/walk.h"
#include "kdop_cases.h"
#include "tree/block.h"

/* Functions that the library keeps to itself. */
#include "tree/kdop/fit.c"
#undef GRAIN
#include "tree/kdop/lookup.c"

static void assert_about(double value, double expected)
{
    assert_true(expected > 0);
    if (!(fabs(value - expected) <= 2e-7 * expected)) {
        fail_msg("%a instead of %a", value, expected);
    }
}

/* ---- Rows ---- */

static void test_rows(void **state)
{
    (void)state;
    assert_true(rounded_up(1 - 0.75 * TMB_KDOP_ROW_ROUNDING) == nextafterf(1, 2));
    assert_true(rounded_up(1 - 1.25 * TMB_KDOP_ROW_ROUNDING) == 1);
}

/* ---- Records for lookups ---- */

/* Far away, where doubles are off by about as much as floats. */
static tumble_model *a_torus(test_world *w, uint32_t k)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 1000));
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] += 0x1p30;
    }
    const tumble_model_options options = test_kdop_options(k, 5, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

/* In the place of the kernel: keeps what it was asked, and sees a long point outside with the length 0. */
static tmb_kdop_axis last_axis;
static tmb_kdop_sight spy(const float *const points[3], size_t first, size_t last, const tmb_kdop_axis *axis)
{
    (void)points, (void)first, (void)last;
    last_axis = *axis;
    return (tmb_kdop_sight){{-1, -1}, {0, 0}};
}

static void check_lanes(filling *f, uint32_t node)
{
    double extents[TMB_KDOP_MOST];
    const double most = extents_of(f, node, extents);
    for (uint32_t i = 0; i < f->k / 2; i++) {
        fill_lanes(f, node, (span){0, 1}, i, i + 1);
        for (uint32_t j = 0; j < 2; j++) {
            const double shortest = f->rings.cosine * extents[2 * i + j];
            float length;
            memcpy(&length, &record_at(f, node)[TMB_KDOP_LOOKUP_LANES + 2 * i + j], sizeof length);
            assert_about((double)last_axis.shortest[j], shortest * shortest * (1 - TMB_LOOKUP_SQUARE_MARGIN));
            assert_true((double)length >= TMB_LOOKUP_LENGTH_MARGIN * most / f->rings.cosine * (1 - 1e-6));
            assert_true((double)length <= TMB_LOOKUP_LENGTH_MARGIN * most / f->rings.cosine * (1 + 1e-5));
        }
    }
}

static void test_margins(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        tumble_model *model = a_torus(w, test_kdops[i]);
        filling f = begin_filling(w->context, (tmb_block *)(uintptr_t)model->block);
        const size_t bytes = ((size_t)f.node_count + 1) * tmb_kdop_lookup_words(f.k) * sizeof *f.records;
        uint32_t *records = malloc(bytes);
        assert_non_null(records);
        memcpy(records, f.records, bytes);
        f.records = records;
        f.look = spy;
        for (uint32_t node = TMB_KDOP_ROOT; node <= 20; node++) {
            check_lanes(&f, node);
        }
        const double edge = f.edges[TMB_KDOP_RINGS];
        assert_true(f.axes[0].inside == (float)(edge + TMB_LOOKUP_TANGENT_MARGIN));
        assert_true(f.axes[0].outside == (float)(edge - TMB_LOOKUP_TANGENT_MARGIN));
        for (uint32_t ring = 1; ring < TMB_KDOP_RINGS; ring++) {
            const float below = (float)(f.edges[ring] - 1.125 * TMB_LOOKUP_TANGENT_MARGIN),
                        above = (float)(f.edges[ring] - 0.875 * TMB_LOOKUP_TANGENT_MARGIN);
            assert_int_equal(lane_word(&f, below, 0, 0) & TMB_KDOP_RING_MASK, ring);
            assert_int_equal(lane_word(&f, above, 0, 0) & TMB_KDOP_RING_MASK, ring + 1);
        }
        free(records);
        tumble_model_destroy(model);
    }
}

/* ---- Errors of the kernel, measured ---- */

typedef struct sight_errors {
    double tangent, length; /* the largest ones, as shares of their margins */
} sight_errors;

/* A point around the first direction of a set, at the angle `angle` and at most 1 from the centre. */
static void measure(test_random *random, const tmb_kdop_rings *rings, double angle, sight_errors *most)
{
    double n[3], across[3];
    test_random_vector(random, n);
    test_random_across(random, n, across);
    const double size = tmb_length(n), distance = test_random_range(random, 0.5, 1);
    float numbers[3][8] = {{0}};
    tmb_kdop_axis axis = {.cosine = (float)rings->cosine, .sine = (float)rings->sine, .inside = 16, .outside = 0};
    long double q[3], height = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        const double unit = n[k] / size;
        axis.normal[k] = (float)unit;
        axis.centre[k] = (float)test_random_range(random, -0.3, 0.3);
        numbers[k][0] = (float)((double)axis.centre[k] + distance * (cos(angle) * unit + sin(angle) * across[k]));
        q[k] = (long double)numbers[k][0] - (long double)axis.centre[k];
        height += (long double)unit * q[k];
        square += q[k] * q[k];
    }
    axis.shortest[0] = (float)((double)square * (1 - TMB_LOOKUP_SQUARE_MARGIN));
    axis.shortest[1] = INFINITY;
    const float *const points[3] = {numbers[0], numbers[1], numbers[2]};
    const tmb_kdop_sight seen = tmb_kdop_look_scalar(points, 0, 1, &axis);
    assert_true(seen.tangents[0] >= 0); /* it is long */
    const long double aside = sqrtl(square - height * height), tangent = aside / height;
    const long double length = aside * (long double)rings->sine + height * (long double)rings->cosine;
    if (tangent * tangent < 2) {
        most->tangent = fmax(most->tangent, fabs((double)(tangent * tangent - (long double)seen.tangents[0])));
    }
    if ((double)tangent > rings->sine / rings->cosine) {
        most->length = fmax(most->length, (double)((length - (long double)seen.lengths[0]) / sqrtl(square)));
    }
}

static void test_errors(void **state)
{
    (void)state;
    test_random random = {5201};
    tmb_kdop_rings rings;
    tmb_kdop_make_rings(tmb_kdop_set_of(6), &rings);
    sight_errors most = {0, 0};
    for (size_t i = test_count(200000); i > 0; i--) {
        measure(&random, &rings, test_random_range(&random, 0.5, 1.2), &most);
    }
    most.tangent /= TMB_LOOKUP_TANGENT_MARGIN;
    most.length /= TMB_LOOKUP_LENGTH_MARGIN;
    if (!(most.tangent > 0.03 && most.tangent < 1 && most.length > 0.03 && most.length < 1)) {
        fail_msg("errors of up to %g of the tangents' margin, %g of the lengths'", most.tangent, most.length);
    }
}

/* ---- The setup of a query ---- */

static void test_setup(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        tumble_model *model = a_torus(w, test_kdops[i]);
        tmb_encounter e = {.query = w->query, .a = model, .b = model};
        assert_int_equal(tmb_encounter_place(&e, NULL, NULL), TUMBLE_OK);
        const tumble_kdop_walk walk = {.tumble = TUMBLE_KDOP_TUMBLE_LOOKUP};
        tmb_kdop_state s;
        assert_true(tmb_kdop_set_up(&s, &e, &walk, 0));
        tmb_kdop_rings rings;
        tmb_kdop_make_rings(s.set, &rings);
        const double slack = (double)TMB_KDOP_ROUNDING * (1 + tmb_map_reach(&s.map)) + 3 * tmb_point_error(&e);
        for (uint32_t lane = 0; lane < s.k; lane++) { /* the map is the identity: each lane is its own nearest one */
            double d[3];
            tmb_kdop_lane(s.set, lane, d);
            assert_about((double)s.offsets[lane], slack);
            assert_about((double)s.cones.brief[lane], (1 + TMB_LOOKUP_FACTOR_MARGIN) * rings.cosine);
            assert_about((double)s.cones.straight[lane], 1 + TMB_LOOKUP_FACTOR_MARGIN);
            assert_about((double)s.cones.outside[lane], (1 + TMB_LOOKUP_FACTOR_MARGIN) * rings.cosine * tmb_length(d));
        }
        tumble_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        TEST_IN_WORLD(test_margins),
        cmocka_unit_test(test_errors),
        TEST_IN_WORLD(test_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
