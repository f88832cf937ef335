/* Whether a triangle is within a distance of a solid box: exactly, as it is of the triangles that the faces consist of.
 *
 * If they do not meet, let p and q be nearest points of the triangle and the box. Along some axis they differ; there p
 * is beyond a face of the box, on which q lies. So only faces beyond which the triangle reaches have to be asked. */
#include "base/assert.h"
#include "math/vec3.h"
#include "prim/triangle_box.h"

/* Half of a face: its corners 0, 1, 2 or 3, 2, 1 of four. */
static void half_of_face(const double lower[3], const double upper[3], int axis, int is_upper, int half,
                         double out[3][3])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 3; i++) {
        const int corner = half ? 3 - i : i;
        out[i][axis] = is_upper ? upper[axis] : lower[axis];
        out[i][u] = corner & 1 ? upper[u] : lower[u];
        out[i][v] = corner & 2 ? upper[v] : lower[v];
    }
}

static int is_near_face(const double t[3][3], const double lower[3], const double upper[3], int axis, int is_upper,
                        const tmb_limit *limit, unsigned long long *exact)
{
    int near = 0;
    for (int half = 0; half < 2 && !near; half++) {
        double face[3][3];
        half_of_face(lower, upper, axis, is_upper, half, face);
        near = tmb_triangles_within_limit(t, (const double(*)[3])face, limit, exact);
    }
    return near;
}

int tmb_triangle_near_box(const double t[3][3], const double lower[3], const double upper[3], const tmb_limit *limit,
                          unsigned long long *exact)
{
    TMB_ASSERT(limit->above >= 0);
    int near = tmb_triangle_meets_box(t, lower, upper, exact);
    for (int k = 0; k < 3 && !near && limit->above > 0; k++) {
        const double least = tmb_lesser(tmb_lesser(t[0][k], t[1][k]), t[2][k]);
        const double most = tmb_greater(tmb_greater(t[0][k], t[1][k]), t[2][k]);
        near = (least < lower[k] && is_near_face(t, lower, upper, k, 0, limit, exact)) ||
               (most > upper[k] && is_near_face(t, lower, upper, k, 1, limit, exact));
    }
    return near;
}
