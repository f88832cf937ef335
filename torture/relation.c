/* The relation of two models, from the definitions in docs/proximity.md. Where surfaces meet without passing through
 * each other, points are tried: one that is inside proves that they cross. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"

/* ---- Surfaces that do not meet ---- */

static void own_box(const torture_triangles *t, double box[2][3])
{
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = INFINITY, box[1][axis] = -INFINITY;
        for (size_t i = 0; i < 3 * t->count; i++) {
            box[0][axis] = fmin(box[0][axis], t->corners[i / 3][i % 3][axis]);
            box[1][axis] = fmax(box[1][axis], t->corners[i / 3][i % 3][axis]);
        }
    }
}

/* A's box, and the box of the moved corners of B's box. */
static int boxes_apart(const torture_truth *truth, const torture_triangles own[2])
{
    double a[2][3], b[2][3], moved[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    own_box(&own[0], a);
    own_box(&own[1], b);
    const tumble_pose *pose = torture_truth_relative(truth);
    int apart = 0;
    for (int i = 0; i < 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = b[i & 1][0] * pose->m[axis][0], y = b[i >> 1 & 1][1] * pose->m[axis][1];
            const double z = b[i >> 2][2] * pose->m[axis][2], at = ((x + y) + z) + pose->m[axis][3];
            moved[0][axis] = fmin(moved[0][axis], at);
            moved[1][axis] = fmax(moved[1][axis], at);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        apart |= a[0][axis] > moved[1][axis] || moved[0][axis] > a[1][axis];
    }
    return apart;
}

typedef struct census {
    size_t inside, outside, unknown;
} census;

/* Where the parts of one are, if the other is closed. */
static census count_parts(const torture_truth *truth, const torture_triangles own[2], int side, int other_closed)
{
    census c = {0, 0, 0};
    const torture_triangles *t = torture_truth_triangles(truth, side);
    uint32_t *parts = malloc((t->count + 1) * sizeof *parts);
    if (!parts) {
        abort();
    }
    const size_t count = other_closed ? torture_find_parts(&own[side], parts) : 0;
    torture_point point;
    torture_point_init(&point);
    for (size_t part = 0; part < count; part++) {
        size_t i = 0;
        while (parts[i] != part) {
            i++;
        }
        torture_point_set(&point, t->corners[i][0]);
        const torture_side where = torture_locate(torture_truth_triangles(truth, 1 - side), &point);
        c.inside += where == TORTURE_INSIDE;
        c.outside += where == TORTURE_OUTSIDE;
        c.unknown += where == TORTURE_UNKNOWN || where == TORTURE_ON_SURFACE;
    }
    torture_point_clear(&point);
    free(parts);
    return c;
}

static void relate_apart(torture_relation *r, const torture_truth *truth, const torture_triangles own[2])
{
    r->relation = TUMBLE_RELATION_APART;
    r->is_certain = 1;
    if (own[0].count == 0 || own[1].count == 0 || boxes_apart(truth, own)) {
        return;
    }
    const census a = count_parts(truth, own, 0, r->closed[1]), b = count_parts(truth, own, 1, r->closed[0]);
    if (a.unknown || b.unknown) {
        r->is_certain = -1;
    } else if ((a.inside && a.outside) || (b.inside && b.outside)) {
        r->relation = TUMBLE_RELATION_CROSSING;
    } else if (a.inside) {
        r->relation = TUMBLE_RELATION_A_IN_B;
    } else if (b.inside) {
        r->relation = TUMBLE_RELATION_B_IN_A;
    } else if (!r->closed[0] || !r->closed[1]) {
        r->relation = TUMBLE_RELATION_UNDEFINED;
    }
}

/* ---- Surfaces that meet ---- */

/* Whether each has corners on both sides of the other's plane and they have more than a point in common. */
static int pass_through(oracle *exact, const double a[3][3], const double b[3][3])
{
    const oracle_common common = oracle_describe(exact, a, b);
    if (common.dimension != 1 || common.coplanar || common.dimension_a != 2 || common.dimension_b != 2) {
        return 0;
    }
    torture_point corners[2][3], difference[3];
    for (int i = 0; i < 3; i++) {
        torture_point_init(&corners[0][i]);
        torture_point_init(&corners[1][i]);
        torture_point_init(&difference[i]);
        torture_point_set(&corners[0][i], a[i]);
        torture_point_set(&corners[1][i], b[i]);
    }
    int both = 1;
    for (int side = 0; side < 2; side++) {
        int plus = 0, minus = 0;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 9; k++) {
                mpq_sub(difference[k / 3].at[k % 3], corners[side][k / 3].at[k % 3], corners[1 - side][i].at[k % 3]);
            }
            const int sign = torture_orientation(&difference[0], &difference[1], &difference[2]);
            plus += sign > 0;
            minus += sign < 0;
        }
        both &= plus && minus;
    }
    for (int i = 0; i < 3; i++) {
        torture_point_clear(&corners[0][i]);
        torture_point_clear(&corners[1][i]);
        torture_point_clear(&difference[i]);
    }
    return both;
}

static int any_passes_through(torture_truth *truth, oracle *exact)
{
    const torture_triangles *a = torture_truth_triangles(truth, 0), *b = torture_truth_triangles(truth, 1);
    for (size_t i = 0; i < a->count * b->count; i++) {
        const size_t x = i / b->count, y = i % b->count;
        if (torture_truth_meets(truth, x, y) &&
            pass_through(exact, (const double(*)[3])a->corners[x], (const double(*)[3])b->corners[y])) {
            return 1;
        }
    }
    return 0;
}

/* A point of a triangle, somewhere: a corner, if it has no area, as only these count. */
static void draw_point(test_random *random, oracle *exact, const torture_triangles *t, torture_point *out)
{
    torture_point x, y;
    const double(*c)[3] = (const double(*)[3])t->corners[test_random_bits(random) % t->count];
    if (oracle_describe(exact, c, c).dimension_a < 2) {
        torture_point_set(out, c[test_random_bits(random) % 3]);
        return;
    }
    const int first = (int)(test_random_bits(random) % 3);
    torture_point_init(&x);
    torture_point_init(&y);
    torture_point_set(&x, c[first]);
    torture_point_set(&y, c[(first + 1) % 3]);
    const double shares[] = {0, 1, 0.5, 0.25, ldexp(1, -test_random_whole(random, 1, 30))};
    torture_point_mix(out, &x, &y, shares[test_random_bits(random) % 5]);
    torture_point_set(&x, c[(first + 2) % 3]);
    torture_point_mix(out, &x, out, shares[test_random_bits(random) % 5]);
    torture_point_clear(&x);
    torture_point_clear(&y);
}

/* Whether a point that was tried is inside both, or on the surface of one and inside the other. */
static int find_witness(const torture_truth *truth, oracle *exact, const int closed[2], uint64_t seed)
{
    test_random random = {seed};
    torture_point point, other;
    int found = 0;
    torture_point_init(&point);
    torture_point_init(&other);
    for (int i = 0; i < 24 && !found; i++) {
        const int side = i % 2;
        draw_point(&random, exact, torture_truth_triangles(truth, side), &point);
        if (closed[1 - side]) {
            found = torture_locate(torture_truth_triangles(truth, 1 - side), &point) == TORTURE_INSIDE;
        }
        if (!found && closed[0] && closed[1]) {
            draw_point(&random, exact, torture_truth_triangles(truth, 0), &other);
            torture_point_mix(&point, &point, &other, 0.5);
            found = torture_locate(torture_truth_triangles(truth, 0), &point) == TORTURE_INSIDE &&
                    torture_locate(torture_truth_triangles(truth, 1), &point) == TORTURE_INSIDE;
        }
    }
    torture_point_clear(&point);
    torture_point_clear(&other);
    return found;
}

static int any_meets(torture_truth *truth)
{
    const size_t a = torture_truth_triangles(truth, 0)->count, b = torture_truth_triangles(truth, 1)->count;
    for (size_t i = 0; i < a * b; i++) {
        if (torture_truth_meets(truth, i / b, i % b)) {
            return 1;
        }
    }
    return 0;
}

torture_relation torture_find_relation(torture_truth *truth, oracle *exact, const torture_triangles own[2],
                                       uint64_t seed)
{
    torture_relation r = {.closed = {torture_is_closed(&own[0], 0), torture_is_closed(&own[1], 0)}};
    r.meet = any_meets(truth);
    if (!r.meet) {
        relate_apart(&r, truth, own);
    } else if (any_passes_through(truth, exact) || find_witness(truth, exact, r.closed, seed)) {
        r.relation = TUMBLE_RELATION_CROSSING;
        r.is_certain = 1;
    } else {
        r.relation = TUMBLE_RELATION_TOUCHING;
        r.is_certain = !r.closed[0] && !r.closed[1];
    }
    return r;
}
