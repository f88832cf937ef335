/* Volume, surface and vertices of k-DOPs from their corners and edges. */
#include "tree/kdop/volume.h"

#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "tree/kdop/polytope.h"

/* Of each side twice the area times the length of its normal n: the sum of (from x to) . n over its edges. Relative to
 * the first corner, for the centre of a k-DOP with loose bounds can lie far outside. */
static void sum_sides(const tmb_kdop_set *set, const tmb_polytope *p, double *sums)
{
    double areas[TMB_KDOP_MOST][3] = {{0}};
    for (uint32_t i = 0; i < p->edge_count; i++) {
        const tmb_polytope_edge *e = &p->edges[i];
        double from[3], to[3], area[3];
        tmb_subtract(p->corners[e->from], p->corners[0], from);
        tmb_subtract(p->corners[e->to], p->corners[0], to);
        tmb_cross(from, to, area);
        for (int c = 0; c < 3; c++) {
            areas[e->left][c] += area[c];
            areas[e->right][c] -= area[c];
        }
    }
    for (uint32_t l = 0; l < set->k; l++) {
        double n[3];
        tmb_kdop_lane(set, l, n);
        sums[l] = fmax(tmb_dot(areas[l], n), 0);
    }
}

/* A side whose plane is at the distance h from a point inside has a cone of a third of h times its area. */
tmb_kdop_size tmb_kdop_size_of(uint32_t k, const float *bounds, double margin)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    tmb_polytope p;
    double sums[TMB_KDOP_MOST] = {0};
    tmb_kdop_size size = {0, 0};
    tmb_polytope_of(k, bounds, margin, &p);
    if (p.corner_count == 0) {
        return size;
    }
    sum_sides(set, &p, sums);
    for (uint32_t l = 0; l < k; l++) {
        double n[3];
        tmb_kdop_lane(set, l, n);
        const double square = tmb_dot(n, n);
        size.volume += (p.bounds[l] - tmb_dot(n, p.corners[0])) * sums[l] / (6 * square);
        size.area += sums[l] / (2 * sqrt(square));
    }
    size.volume = fmax(size.volume, 0) * (p.unit * p.unit * p.unit);
    size.area *= p.unit * p.unit;
    return size;
}

double tmb_kdop_volume(uint32_t k, const float *bounds, double margin)
{
    TMB_ASSERT(margin >= 0);
    return k == 6 || k == 18 ? tmb_kdop_volume_estimate(k, bounds, margin) : tmb_kdop_size_of(k, bounds, margin).volume;
}

/* ---- Vertices ---- */

/* Bounds are rounded outward, each by itself, which parts planes that met in one point. So corners are merged when
 * they are this close along each axis; four times as much would not merge more. */
#define CLOSE TMB_KDOP_VERTEX_MERGE

/* Rounding to float moves a coordinate below 2 by 2^-24 at most, merging by 2^-22: no corner by more than
 * sqrt(3) (2^-22 + 2^-24) < 1.09 * 2^-21. The corners' own errors are far smaller, and their planes have been moved
 * outward only. */
uint32_t tmb_kdop_vertices(uint32_t k, const float *bounds, float (*out)[3])
{
    tmb_polytope p;
    uint32_t count = 0;
    tmb_polytope_of(k, bounds, 0, &p);
    for (uint32_t i = 0; i < p.corner_count; i++) {
        for (int c = 0; c < 3; c++) {
            out[count][c] = (float)((p.centre[c] + p.corners[i][c]) * p.unit);
        }
        uint32_t same = 0;
        while (fabsf(out[same][0] - out[count][0]) > CLOSE || fabsf(out[same][1] - out[count][1]) > CLOSE ||
               fabsf(out[same][2] - out[count][2]) > CLOSE) {
            same++;
        }
        count += same == count;
    }
    return count;
}
