/* The slacks of distances in doubles, from inside: those in use are the ones that proofs/ is about, and the errors that
 * they pay for are smaller, as far as a search can tell. Exact values are long doubles, with 11 more bits. */
#include <math.h>

#include "near/boxes/boxes.h"
#include "near/near.h"
#include "query/box_frames.h"
#include "support.h"

/* Functions that the library keeps to itself. */
#include "prim/triangle_distance.c"

typedef long double exact;

static double any(test_random *random)
{
    return test_random_range(random, -1, 1);
}

/* Triangles of one size, apart along z. */
static void make_triangles(test_random *random, double a[3][3], double b[3][3])
{
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = any(random);
        b[i / 3][i % 3] = any(random) + (i % 3 == 2 ? 2.5 : 0);
    }
}

/* ---- Gaps of triangles ---- */

/* Along n as it is, over its length. */
static exact exact_gap(const double a[3][3], const double b[3][3], const double n[3])
{
    exact least = INFINITY, square = 0;
    for (int k = 0; k < 3; k++) {
        square += (exact)n[k] * (exact)n[k];
    }
    for (int i = 0; i < 9; i++) {
        exact sum = 0;
        for (int k = 0; k < 3; k++) {
            sum += (exact)n[k] * ((exact)b[i / 3][k] - (exact)a[i % 3][k]);
        }
        least = fminl(least, sum);
    }
    return least / sqrtl(square);
}

/* The direction that is used is a scaled one. */
static void scaled_direction(const double direction[3], double n[3])
{
    const double factor = 1.0 / sqrt(tmb_dot(direction, direction));
    for (int k = 0; k < 3; k++) {
        n[k] = direction[k] * factor;
    }
}

static void test_triangle_gaps(void **state)
{
    (void)state;
    test_random random = {6101};
    double least = INFINITY;
    for (size_t i = test_count(100000); i > 0; i--) {
        double a[3][3], b[3][3], n[3];
        const double direction[3] = {any(&random), any(&random), test_random_range(&random, 1, 2)};
        differences d;
        make_triangles(&random, a, b);
        subtract_corners((const double(*)[3])a, (const double(*)[3])b, 1.0, &d);
        scaled_direction(direction, n);
        const exact truth = exact_gap((const double(*)[3])a, (const double(*)[3])b, n);
        double used[3];
        const double gap = lower_bound(&d, direction, used);
        if (truth > 0.1L) {
            const double spare = (double)((truth - (exact)gap) / truth) / U;
            assert_true(spare >= 0);
            least = fmin(least, spare);
        }
    }
    assert_true(least < 10); /* of 13 and more: much less would not do */
}

/* Where nothing is rounded, exactly the slack is taken off or added. */
static void test_triangle_slacks(void **state)
{
    (void)state;
    const double a[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, b[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    differences d;
    subtract_corners(a, b, 1.0, &d);
    double n[3];
    const double up[3] = {0, 0, 1};
    assert_true(lower_bound(&d, up, n) == 1 - (TMB_DISTANCE_GAP_TERMS + TMB_DISTANCE_GAP) * U);

    nearest found;
    edge_pairs edges = {.s = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, .t = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
    bound_edges(&d, &edges, 0, 0, &found); /* from (1, 0, 0) to (1, 0, 1): both edges of size 1 count */
    assert_true(found.value == 1 && found.upper == 1 + (TMB_DISTANCE_LENGTH + 2 * TMB_DISTANCE_EDGES) * U);

    face_pairs face = {.normal = {0, 0, 1}, .s = {0}, .t = {0}, .squared = {1, 1, 1}};
    const double to[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    bound_face(&d, &face, to, 0, 0, &found);
    assert_true(found.upper == 1 + (TMB_DISTANCE_LENGTH + TMB_DISTANCE_OUTSIDE) * U);
    face.s[0] = face.t[0] = 1; /* not in the face, but all the same: two edges of size 1 */
    const double there[3][3] = {{1, 1, 0}, {1, 0, 1}, {1, 1, 1}};
    bound_face(&d, &face, there, 0, 0, &found);
    assert_true(found.upper == 1 + (TMB_DISTANCE_LENGTH + 2 * TMB_DISTANCE_EDGES + TMB_DISTANCE_OUTSIDE) * U);
}

/* ---- Corners behind others ---- */

/* Directions that are known but for a rounding. */
static void test_behind(void **state)
{
    (void)state;
    test_random random = {6102};
    size_t behind = 0, ahead = 0;
    double least = INFINITY;
    for (size_t i = test_count(200000); i > 0; i--) {
        const double q[3] = {any(&random), any(&random), any(&random)};
        const double way[3] = {any(&random), any(&random), test_random_range(&random, 1, 2)};
        double p[3] = {any(&random), any(&random)}, size = 0;
        p[2] = q[2] - (way[0] * (p[0] - q[0]) + way[1] * (p[1] - q[1])) / way[2] +
               test_random_range(&random, -12 * U, 4 * U); /* nearly abreast */
        exact sum = 0;
        for (int k = 0; k < 3; k++) {
            const exact error = test_random_range(&random, -U, U), term = (exact)p[k] - (exact)q[k];
            sum += (exact)way[k] * (1 + error) * term;
            size += fabs(way[k] * (double)term);
        }
        const double t[3][3] = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
        const double other[3][3] = {{q[0], q[1], q[2]}, {q[0], q[1], q[2]}, {q[0], q[1], q[2]}};
        if (is_behind(t, other, way)) {
            assert_true(sum <= 0);
            least = fmin(least, (double)-sum / size / U);
            behind++;
        } else {
            ahead += sum < 0;
        }
    }
    assert_true(least < 5); /* of 6: much less would not do */
    assert_true(behind > test_count(1000) && ahead > test_count(1000));
}

/* Where nothing is rounded, exactly the slack decides. */
static void test_behind_slack(void **state)
{
    (void)state;
    const double way[3] = {1, 1, 0}, a[3][3] = {{0, 0, 0}, {-9, 0, 0}, {0, -9, 0}}, below[3] = {0, 0, 0};
    double t[3][3] = {{1, -1 - 10 * U, 0}, {0, 0, 0}, {-9, 0, 0}}; /* two corners in common */
    assert_false(is_behind((const double(*)[3])t, a, way));
    t[0][1] = -1 - 14 * U;
    assert_true(is_behind((const double(*)[3])t, a, way));
    assert_true(tmb_triangles_are_behind((const double(*)[3])t, a, a, a, way));
    const double far[3][3] = {{-20, 0, 0}, {0, 0, 0}, {0, -9, 0}};
    assert_true(tmb_triangles_are_behind(far, a, a, a, way));
    assert_false(tmb_triangles_are_behind(a, far, a, a, way)); /* the other way */
    assert_true(tmb_triangles_are_behind(a, a, a, a, way));
    assert_false(tmb_triangles_are_behind(a, a, a, a, below)); /* not known */
}

/* ---- Points of triangles ---- */

/* Between the points of two edges, for s and t as they are. */
static exact exact_length(const double a[3][3], const double b[3][3], int i, int j, double s, double t)
{
    exact square = 0;
    for (int k = 0; k < 3; k++) {
        const exact x = a[i][k] + (exact)s * ((exact)a[next_corner[i]][k] - (exact)a[i][k]);
        const exact y = b[j][k] + (exact)t * ((exact)b[next_corner[j]][k] - (exact)b[j][k]);
        square += (y - x) * (y - x);
    }
    return sqrtl(square);
}

static void test_triangle_points(void **state)
{
    (void)state;
    test_random random = {6102};
    double most = 0;
    for (size_t i = test_count(100000); i > 0; i--) {
        double a[3][3], b[3][3];
        differences d;
        edge_pairs edges;
        nearest found;
        make_triangles(&random, a, b);
        subtract_corners((const double(*)[3])a, (const double(*)[3])b, 1.0, &d);
        const double s = test_random_unit(&random), t = test_random_unit(&random);
        edges.s[1][2] = s, edges.t[1][2] = t;
        bound_edges(&d, &edges, 1, 2, &found);
        const exact truth = exact_length((const double(*)[3])a, (const double(*)[3])b, 1, 2, s, t);
        assert_true((exact)found.upper >= truth && (exact)found.lower <= truth);
        most = fmax(most, (double)(truth - (exact)found.value) / (found.upper - found.value));
    }
    assert_true(most > 0.05 && most <= 1); /* of the slack */
}

/* ---- A limit ---- */

static void test_beyond_plane(void **state)
{
    (void)state;
    const double a[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, b[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    /* n = (0, 0, 1), and the terms have the sum 1; limits have the unit U below 1 */
    const double edge = TMB_BEYOND_PLANE_TERMS + TMB_BEYOND_PLANE_LENGTH;
    assert_true(is_beyond_plane(a, b, 1 - (edge + 2) * U));
    assert_false(is_beyond_plane(a, b, 1 - (edge - 2) * U));
    const double near = 1 + TMB_CLOSE_CORNERS / 2 * U; /* its square has twice as much */
    assert_true(has_close_corners(a, b, near + 2 * U));
    assert_false(has_close_corners(a, b, near - 2 * U));
}

/* ---- Boxes ---- */

static void test_box_distances(void **state)
{
    (void)state;
    test_random random = {6103};
    double least = INFINITY, most = 0;
    for (size_t i = test_count(20000); i > 0; i--) {
        tmb_box_lanes eight, one;
        double lower[TMB_BOX_LANES];
        for (int j = 0; j < 3 * TMB_BOX_LANES; j++) {
            eight.lower[j / TMB_BOX_LANES][j % TMB_BOX_LANES] = any(&random) - 2;
            eight.upper[j / TMB_BOX_LANES][j % TMB_BOX_LANES] = -any(&random) * 0.5;
            one.lower[j / TMB_BOX_LANES][j % TMB_BOX_LANES] = any(&random) * 0.5 + 1;
            one.upper[j / TMB_BOX_LANES][j % TMB_BOX_LANES] = 3;
        }
        tmb_box_distances(&eight, &one, 0, lower);
        for (int j = 0; j < TMB_BOX_LANES; j++) {
            exact square = 0;
            for (int k = 0; k < 3; k++) {
                const exact gap = (exact)one.lower[k][0] - (exact)eight.upper[k][j];
                square += gap > 0 ? gap * gap : 0;
            }
            const double spare = (double)(1 - (exact)lower[j] / sqrtl(square)) / U;
            assert_true(!(square > 0.01L) || spare >= 0);
            least = fmin(least, spare), most = fmax(most, spare);
        }
    }
    /* 8 are taken off; halved, some would be too large by the errors, of which there are up to 4.5 */
    assert_true(least < 6.5 && most > 9.5);
    tmb_box_lanes zero = {.lower = {{0}}}, unit = {.lower = {{1}, {0}, {0}}, .upper = {{1}, {0}, {0}}};
    double lower[TMB_BOX_LANES];
    tmb_box_distances(&zero, &unit, 0, lower);
    assert_true(lower[0] == 1 - TMB_BOX_DISTANCE_ROUNDING);
}

static void test_along_axis(void **state)
{
    (void)state;
    test_random random = {6104};
    double most = 0;
    for (size_t i = test_count(100000); i > 0; i--) {
        const double axis[3] = {any(&random), any(&random), any(&random)},
                     origin[3] = {any(&random), any(&random), any(&random)},
                     p[3] = {any(&random), any(&random), any(&random)};
        double lower = INFINITY, upper = -INFINITY;
        exact truth = 0;
        for (int k = 0; k < 3; k++) {
            truth += (exact)axis[k] * ((exact)p[k] - (exact)origin[k]);
        }
        tmb_widen_along(axis, origin, p[0], p[1], p[2], &lower, &upper);
        assert_true((exact)lower <= truth && truth <= (exact)upper);
        const double middle = 0.5 * lower + 0.5 * upper;
        most = fmax(most, fabs((double)(truth - (exact)middle)) / (0.5 * (upper - lower)));
    }
    assert_true(most > 0.3);
    const double axis[3] = {1, 0, 0}, origin[3] = {0, 0, 0};
    double lower = INFINITY, upper = -INFINITY;
    tmb_widen_along(axis, origin, 1, 0, 0, &lower, &upper);
    assert_true(lower == 1 - TMB_ALONG_AXIS_ROUNDINGS * U && upper == 1 + TMB_ALONG_AXIS_ROUNDINGS * U);
    assert_true(tmb_gap_along(1, 2) == 1 - TMB_ALONG_AXIS_GAP_ROUNDING);
}

/* ---- Ageing ---- */

/* What a bound is after B has moved on, as the search computes it. */
static double aged(tmb_near_search *s, double bound, double moved, double total)
{
    tmb_near_pair room;
    s->kept = &room, s->kept_room = 1, s->kept_count = 0, s->moved = moved;
    tmb_near_keep(s, bound, 0, 0, 0);
    return room.lower - total * (1 + TMB_MOTION_ROUNDING);
}

static void test_ageing(void **state)
{
    (void)state;
    static tmb_near_search search;
    test_random random = {6105};
    double least = INFINITY;
    for (size_t i = test_count(200000); i > 0; i--) {
        const double bound = test_random_range(&random, -1, 1), moved = ldexp(test_random_unit(&random), -20);
        const double total = moved + ldexp(test_random_unit(&random), -30);
        const exact truth = (exact)bound + (exact)moved - (exact)total;
        const double spare = (double)(truth - (exact)aged(&search, bound, moved, total)) / fabs(bound) / U;
        assert_true(spare >= 0);
        least = fmin(least, spare);
    }
    assert_true(least < 2.5); /* of 4 */
    assert_true(aged(&search, 1, 0, 0) == 1 - TMB_AGEING_ROUNDING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle_gaps),   cmocka_unit_test(test_triangle_slacks),
        cmocka_unit_test(test_behind),          cmocka_unit_test(test_behind_slack),
        cmocka_unit_test(test_triangle_points), cmocka_unit_test(test_beyond_plane),
        cmocka_unit_test(test_box_distances),   cmocka_unit_test(test_along_axis),
        cmocka_unit_test(test_ageing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
