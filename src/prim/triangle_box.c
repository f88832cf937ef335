/* Whether a triangle meets a box, by exact signs of determinants of their coordinates.
 *
 * Two convex polytopes are apart if and only if they are apart along the normal of a face of one, or a direction that
 * is perpendicular to an edge of each. For an edge of the box, which is parallel to an axis, that is a question about
 * the projections along the axis, a triangle and a rectangle: they are apart if and only if they are along the normal
 * of a side of one of them, beyond that side. So what remains after the bounding boxes are three times three lines, and
 * the plane of the triangle. All signs are those of determinants of coordinates of the two. */
#include "prim/triangle_box.h"

#include "base/assert.h"
#include "math/predicates.h"
#include "math/vec3.h"

static int boxes_apart(const double t[3][3], const double lower[3], const double upper[3])
{
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        apart |= tmb_lesser(tmb_lesser(t[0][k], t[1][k]), t[2][k]) > upper[k];
        apart |= tmb_greater(tmb_greater(t[0][k], t[1][k]), t[2][k]) < lower[k];
    }
    return apart;
}

static int holds(const double point[3], const double lower[3], const double upper[3])
{
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        inside &= (point[k] >= lower[k]) & (point[k] <= upper[k]);
    }
    return inside;
}

/* Whether the rectangle is strictly beyond the line of a side from a to b, c being on the other hand or on it. */
static int is_beyond_side(const double a[2], const double b[2], const double c[2], const double lower[2],
                          const double upper[2])
{
    const int inner = tmb_orient2d(a, b, c);
    int outer = 0;
    for (int i = 0; i < 4; i++) {
        const double corner[2] = {i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1]};
        const int sign = tmb_orient2d(a, b, corner);
        if (sign == 0 || sign == inner || (i > 0 && sign != outer)) {
            return 0;
        }
        outer = sign;
    }
    return 1;
}

/* Whether the projections along an axis are apart along the normal of a side of the triangle's. */
static int projections_apart(const double t[3][3], const double lower[3], const double upper[3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double low[2] = {lower[u], lower[v]}, high[2] = {upper[u], upper[v]};
    const double flat[3][2] = {{t[0][u], t[0][v]}, {t[1][u], t[1][v]}, {t[2][u], t[2][v]}};
    return is_beyond_side(flat[0], flat[1], flat[2], low, high) ||
           is_beyond_side(flat[1], flat[2], flat[0], low, high) || is_beyond_side(flat[2], flat[0], flat[1], low, high);
}

/* Whether the box is strictly on one side of the plane. */
static int is_beside_plane(const double t[3][3], const double lower[3], const double upper[3])
{
    int side = 0;
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1],
                                  i & 4 ? upper[2] : lower[2]};
        const int sign = tmb_orient3d(t[0], t[1], t[2], corner);
        if (sign == 0 || (i > 0 && sign != side)) {
            return 0;
        }
        side = sign;
    }
    return 1;
}

int tmb_triangle_meets_box(const double t[3][3], const double lower[3], const double upper[3],
                           unsigned long long *exact)
{
    TMB_ASSERT(tmb_all_finite(t[0], 9) && tmb_all_finite(lower, 3) && tmb_all_finite(upper, 3));
    if (boxes_apart(t, lower, upper)) {
        return 0;
    }
    if (holds(t[0], lower, upper) || holds(t[1], lower, upper) || holds(t[2], lower, upper)) {
        return 1;
    }
    if (exact) {
        ++*exact;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (projections_apart(t, lower, upper, axis)) {
            return 0;
        }
    }
    return !is_beside_plane(t, lower, upper);
}
