/* Whether two triangles intersect: P. Guigue and O. Devillers, Fast and Robust Triangle-Triangle Overlap Test using
 * Orientation Predicates, Journal of Graphics Tools 8(1), 2003. Nothing is constructed; every decision is the sign of a
 * determinant of the corners.
 *
 * Two triangles with an area whose planes cross: each must reach the plane of the other, and then both cut the common
 * line L in intervals, which must overlap. Let p be the corner that is alone on its side; the edges pq and pr then pass
 * through L transversally, so the lines p1 x1 and p2 x2 (x is q or r) are in one plane only if they meet on L, and the
 * sign of the volume p1 x1 p2 x2 says which of them meets L first.
 *
 * The first part works in doubles and returns; the exact part is in cold functions. */
#include "base/assert.h"
#include "math/bounds.h"
#include "math/filter.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold))
#else
#define NOINLINE
#define COLD
#endif

static inline double largest_size(double a, double b, double c)
{
    return tmb_greater(tmb_greater(fabs(a), fabs(b)), fabs(c));
}

/* The normal n = (a1 - a0) x (a2 - a0) times w = b_i - a0. The operations are those of tmb_determinant_filter, so its
 * bound holds, also with the largest |w| of the three corners in the place of each. */
static inline tmb_sides filter_sides(const double a[3][3], const double b[3][3])
{
    const double ux = a[1][0] - a[0][0], uy = a[1][1] - a[0][1], uz = a[1][2] - a[0][2];
    const double vx = a[2][0] - a[0][0], vy = a[2][1] - a[0][1], vz = a[2][2] - a[0][2];
    const double x1 = uy * vz, x2 = uz * vy, y1 = uz * vx, y2 = ux * vz, z1 = ux * vy, z2 = uy * vx;
    const double nx = x1 - x2, ny = y1 - y2, nz = z1 - z2;
    const double x[3] = {b[0][0] - a[0][0], b[1][0] - a[0][0], b[2][0] - a[0][0]};
    const double y[3] = {b[0][1] - a[0][1], b[1][1] - a[0][1], b[2][1] - a[0][1]};
    const double z[3] = {b[0][2] - a[0][2], b[1][2] - a[0][2], b[2][2] - a[0][2]};
    const double sx = largest_size(x[0], x[1], x[2]), sy = largest_size(y[0], y[1], y[2]),
                 sz = largest_size(z[0], z[1], z[2]);
    const double permanent = (fabs(x1) + fabs(x2)) * sx + (fabs(y1) + fabs(y2)) * sy + (fabs(z1) + fabs(z2)) * sz;
    const double bound = TMB_ERROR_3D * permanent + TMB_ERROR_UNDERFLOW * (sx + sy + sz + 1.0);
    tmb_sides sides = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double height = nx * x[i] + ny * y[i] + nz * z[i];
        sides |= (unsigned)(height > bound) << i | (unsigned)(height < -bound) << (i + 3);
    }
    return sides;
}

tmb_sides tmb_filter_sides(const double a[3][3], const double b[3][3])
{
    return filter_sides(a, b);
}

static inline int all_known(tmb_sides sides)
{
    return ((sides | sides >> 3) & 7) == 7;
}

tmb_sides tmb_resolve_sides(const double a[3][3], const double b[3][3], tmb_sides sides, tmb_stage *stage)
{
    TMB_ASSERT((sides & sides >> 3 & 7) == 0 && sides < 64);
    for (unsigned i = 0; i < 3; i++) {
        if (tmb_side(sides, i) == 0) {
            const int below = tmb_sign3d(a[0], a[1], a[2], b[i], stage);
            sides |= (unsigned)(below < 0) << i | (unsigned)(below > 0) << (i + 3);
        }
    }
    return sides;
}

/* Which corner is alone (0 to 2), plus FLIP when it is below rather than above. */
#define FLIP 4
#define ABOVE(i) (1 << (i))
#define BELOW(i) (8 << (i))
#define ALONE(i, j, k)                                                                                          \
    [ABOVE(i)] = i, [ABOVE(i) | BELOW(j)] = i, [ABOVE(i) | BELOW(k)] = i, [ABOVE(i) | BELOW(j) | BELOW(k)] = i, \
    [BELOW(j) | BELOW(k)] = i, [BELOW(i)] = i | FLIP, [BELOW(i) | ABOVE(j) | ABOVE(k)] = i | FLIP,              \
    [ABOVE(j) | ABOVE(k)] = i | FLIP

static const unsigned char alone[64] = {ALONE(0, 1, 2), ALONE(1, 2, 0), ALONE(2, 0, 1)};
static const unsigned char following[2][3] = {{1, 2, 0}, {2, 0, 1}}; /* the next corner, the one before */

/* Where p1 is below, the other triangle is turned over by exchanging q2 and r2, so that p1 is above it. */
static inline tmb_arrangement arrange(tmb_sides sides_of_a, tmb_sides sides_of_b)
{
    TMB_ASSERT(sides_of_a != 0 && !tmb_on_one_side(sides_of_a));
    TMB_ASSERT(sides_of_b != 0 && !tmb_on_one_side(sides_of_b));
    TMB_ASSERT((sides_of_a & sides_of_a >> 3 & 7) == 0 && sides_of_a < 64);
    TMB_ASSERT((sides_of_b & sides_of_b >> 3 & 7) == 0 && sides_of_b < 64);
    const unsigned a = alone[sides_of_a], b = alone[sides_of_b];
    const unsigned p1 = a & 3, p2 = b & 3, turn1 = b / FLIP, turn2 = a / FLIP;
    return (tmb_arrangement){p1, following[turn1][p1], following[turn1 ^ 1][p1],
                             p2, following[turn2][p2], following[turn2 ^ 1][p2]};
}

tmb_arrangement tmb_arrange(tmb_sides sides_of_a, tmb_sides sides_of_b)
{
    return arrange(sides_of_a, sides_of_b);
}

int tmb_order_on_line(const double p1[3], const double x1[3], const double p2[3], const double x2[3], tmb_stage *stage)
{
    return tmb_sign3d(x1, p2, x2, p1, stage);
}

/* q1 must not come after q2 on the line, nor r1 before r2. */
static COLD int exact_overlap(const double *p1, const double *q1, const double *r1, const double *p2, const double *q2,
                              const double *r2, tmb_stage *stage)
{
    return tmb_order_on_line(p1, q1, p2, q2, stage) <= 0 && tmb_order_on_line(p1, r1, p2, r2, stage) >= 0;
}

static inline int overlap(const double a[3][3], const double b[3][3], tmb_sides sides_of_a, tmb_sides sides_of_b,
                          tmb_stage *stage)
{
    const tmb_arrangement k = arrange(sides_of_a, sides_of_b);
    const double *p1 = a[k.p1], *q1 = a[k.q1], *r1 = a[k.r1], *p2 = b[k.p2], *q2 = b[k.q2], *r2 = b[k.r2];
    const int order_q = tmb_orient3d_filter(q1, p2, q2, p1);
    const int order_r = tmb_orient3d_filter(r1, p2, r2, p1);
    if (order_q > 0 || order_r < 0) {
        return 0;
    }
    return (order_q != 0 && order_r != 0) || exact_overlap(p1, q1, r1, p2, q2, r2, stage);
}

static int boxes_disjoint(const double a[3][3], const double b[3][3])
{
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        const double a_high = tmb_greater(tmb_greater(a[0][k], a[1][k]), a[2][k]),
                     a_low = -tmb_greater(tmb_greater(-a[0][k], -a[1][k]), -a[2][k]);
        const double b_high = tmb_greater(tmb_greater(b[0][k], b[1][k]), b[2][k]),
                     b_low = -tmb_greater(tmb_greater(-b[0][k], -b[1][k]), -b[2][k]);
        apart |= a_high < b_low || b_high < a_low;
    }
    return apart;
}

static COLD int undecided(const double a[3][3], const double b[3][3], tmb_sides sides_of_a, tmb_sides sides_of_b,
                          tmb_stage *stage)
{
    if (boxes_disjoint(a, b)) {
        return 0;
    }
    sides_of_b = tmb_resolve_sides(a, b, sides_of_b, stage);
    if (tmb_on_one_side(sides_of_b)) {
        return 0;
    }
    if (sides_of_b == 0) {
        return tmb_degenerate_intersection(a, b, 0, stage) >= 0;
    }
    sides_of_a = tmb_resolve_sides(b, a, sides_of_a, stage);
    if (tmb_on_one_side(sides_of_a)) {
        return 0;
    }
    if (sides_of_a == 0) {
        return tmb_degenerate_intersection(a, b, 0, stage) >= 0;
    }
    return overlap(a, b, sides_of_a, sides_of_b, stage);
}

/* `b` is not known to be on one side of `a`. A separate function, so that the frequent early answer saves no
 * registers. */
static NOINLINE int straddling(const double a[3][3], const double b[3][3], tmb_sides sides_of_b,
                               unsigned long long *exact)
{
    const tmb_sides sides_of_a = filter_sides(b, a);
    if (tmb_on_one_side(sides_of_a)) {
        return 0;
    }
    tmb_stage stage = TMB_STAGE_FILTER;
    const int result = all_known(sides_of_a) && all_known(sides_of_b) ? overlap(a, b, sides_of_a, sides_of_b, &stage)
                                                                      : undecided(a, b, sides_of_a, sides_of_b, &stage);
    if (exact != 0) {
        *exact += stage != TMB_STAGE_FILTER;
    }
    return result;
}

int tmb_triangles_intersect(const double a[3][3], const double b[3][3], unsigned long long *exact)
{
    const tmb_sides sides_of_b = filter_sides(a, b);
    return tmb_on_one_side(sides_of_b) ? 0 : straddling(a, b, sides_of_b, exact);
}
