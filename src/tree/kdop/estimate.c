/* Volumes of k-DOPs by formulas.
 *
 * k = 6, 18 and 26. From the box, the edges' planes cut off a prism each and the corners' planes a tetrahedron each.
 * With a, b, c <= the depths to which the planes of the three edges at a corner cut, measured along the box's sides
 * from the corner, and e that of the corner's plane: a prism has the volume a^2 / 2 times the edge's length; two prisms
 * of a corner share {x + y < a, x + z < b}, which is a^2 b / 2 - a^3 / 6 for a <= b; all three share that of the
 * smaller two less (a + b - c)^3 / 12, where this is positive, c being the largest; the tetrahedron {x + y + z < e} has
 * outside the prisms, when e > max(c, s / 2) with s = a + b + c, (2 e - s)^3 / 12 - (e - a - b)^3 / 6 - (e - a - c)^3 /
 * 6 - (e - b - c)^3 / 6 + (c - a - b)^3 / 12, taking only what is positive: its section with x + y + z = t is a
 * triangle of side 2 t - s without three corners.
 *
 * For k = 18 this is exact, when the bounds are those of a set of points. Prisms of parallel edges are then disjoint,
 * since a point of the set lies in each side of the box. Prisms of other edges share a corner, or are {x + y < a} and
 * {(l - y) + z < b} with l the box's length along y. There, all points of the set have x + z >= a + b - l, so these two
 * share only what the prism of the edge between them contains as well: in the sum over pairs and triples of prisms both
 * cancel. The bounds with a margin are those of the points' neighbourhoods, and as good. For k = 26, tetrahedra can
 * reach over more than their corner; in fat sets they do not.
 *
 * k = 12 and 14: the least parallelepiped that three slabs make. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "tree/kdop/volume.h"

/* x or 0, exactly and without a branch. */
static inline double positive(double x)
{
    return (x + fabs(x)) / 2;
}
static inline double cube(double x)
{
    return x * x * x;
}

/* ---- k = 6, 18, 26 ---- */

/* Corners are numbered by their signs, 0 for + and 1 for -: x + 2 y + 4 z; likewise the four edges between two sides.
 * Their lanes follow from the order of TMB_KDOP_CORNERS and TMB_KDOP_EDGES. */
static const uint8_t corner_lanes[8] = {0, 7, 2, 5, 4, 3, 6, 1};
static const uint8_t edge_lanes[3][4] = {{0, 7, 6, 1}, {2, 9, 8, 3}, {4, 11, 10, 5}};
static const uint8_t edge_sides[3][2] = {{0, 2}, {0, 4}, {2, 4}};

/* How deep the planes cut, from each corner: the three edges at it, and itself. */
typedef struct depths {
    double xy[8], xz[8], yz[8], corner[8];
} depths;

/* With a margin m, bounds grow by m, sqrt(2) m and sqrt(3) m. */
static inline void find_edges(const float *bounds, const float *edges, double margin, double out[3][4])
{
    const double more = (2 - 1.4142135623730951) * margin;
    for (int pair = 0; pair < 3; pair++) {
        for (int i = 0; i < 4; i++) {
            const double box =
                (double)bounds[edge_sides[pair][0] + (i & 1)] + (double)bounds[edge_sides[pair][1] + (i >> 1)];
            out[pair][i] = positive(box - (double)edges[edge_lanes[pair][i]] + more);
        }
    }
}

static inline void find_corners(const float *bounds, const float *corners, double margin, double out[8])
{
    const double more = (3 - 1.7320508075688772) * margin;
    for (int i = 0; i < 8; i++) {
        const double box = ((double)bounds[i & 1] + (double)bounds[2 + (i >> 1 & 1)]) + (double)bounds[4 + (i >> 2)];
        out[i] = positive(box - (double)corners[corner_lanes[i]] + more);
    }
}

/* What is cut off at a corner by its plane alone, less what its three prisms count twice. A plane that cuts off nothing
 * is moved to where it just does. */
static inline double corner_volume(double a, double b, double c, double e, int has_plane)
{
    const double least = tmb_lesser(tmb_lesser(a, b), c), most = tmb_greater(tmb_greater(a, b), c);
    const double sum = (a + b) + c, middle = tmb_greater(tmb_lesser(a, b), tmb_lesser(tmb_greater(a, b), c));
    const double shared = (least * least + middle * middle) * most / 2 - (cube(least) + cube(middle)) / 6 +
                          cube(positive(least + middle - most)) / 12;
    if (!has_plane) {
        return -shared;
    }
    const double depth = tmb_greater(e, tmb_greater(most, sum / 2));
    const double pairs = cube(positive(depth - a - b)) + cube(positive(depth - a - c)) + cube(positive(depth - b - c));
    return (cube(2 * depth - sum) + cube(positive(most - least - middle))) / 12 - pairs / 6 - shared;
}

static inline double sum_corners(const depths *d, int has_planes)
{
    double volumes[8];
    for (int i = 0; i < 8; i++) {
        volumes[i] = corner_volume(d->xy[i], d->xz[i], d->yz[i], d->corner[i], has_planes);
    }
    return ((volumes[0] + volumes[1]) + (volumes[2] + volumes[3])) +
           ((volumes[4] + volumes[5]) + (volumes[6] + volumes[7]));
}

static double cut_box_volume(uint32_t k, const float *bounds, double margin)
{
    const double length[3] = {(double)bounds[0] + (double)bounds[1] + 2 * margin,
                              (double)bounds[2] + (double)bounds[3] + 2 * margin,
                              (double)bounds[4] + (double)bounds[5] + 2 * margin};
    const double box = length[0] * length[1] * length[2];
    if (k == 6) {
        return positive(box);
    }
    depths d;
    double edges[3][4], prisms = 0;
    find_edges(bounds, bounds + (k == 18 ? 6 : 14), margin, edges);
    for (int i = 0; i < 4; i++) {
        prisms += (edges[0][i] * edges[0][i] * length[2] + edges[1][i] * edges[1][i] * length[1]) +
                  edges[2][i] * edges[2][i] * length[0];
    }
    for (int i = 0; i < 8; i++) {
        d.xy[i] = edges[0][i & 3], d.xz[i] = edges[1][(i & 1) + (i >> 2) * 2], d.yz[i] = edges[2][i >> 1];
    }
    if (k == 18) {
        memset(d.corner, 0, sizeof d.corner);
        return positive(box - prisms / 2 - sum_corners(&d, 0));
    }
    find_corners(bounds, bounds + 6, margin, d.corner);
    return tmb_greater(box - prisms / 2 - sum_corners(&d, 1), 0x1p-10 * box); /* too much may have been cut off */
}

/* ---- k = 12, 14 ---- */

static void find_widths(uint32_t k, const float *bounds, double margin, double *out)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    for (uint32_t i = 0; i < k / 2; i++) {
        const double *d = set->directions[i];
        const double length = tmb_length(d);
        out[i] = (double)bounds[2 * i] + (double)bounds[2 * i + 1] + 2 * margin * length;
    }
}

/* Three of the dodecahedron's normals have the determinant 2 g or 2 g + 2, in absolute value: the latter where a bit is
 * set, for all triples in order. */
#define LARGE_OF_12 0xC353Cu

static double least_of_12(const float *bounds, double margin)
{
    double w[6], small = INFINITY, large = INFINITY;
    uint32_t bits = LARGE_OF_12;
    find_widths(12, bounds, margin, w);
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t j = i + 1; j < 6; j++) {
            for (uint32_t l = j + 1; l < 6; l++, bits >>= 1) {
                double *least = bits & 1 ? &large : &small;
                *least = tmb_lesser(*least, w[i] * w[j] * w[l]);
            }
        }
    }
    return positive(tmb_lesser(small / (2 * TMB_GOLDEN), large / (2 * TMB_GOLDEN + 2)));
}

/* Determinants are 1 with two sides of the cube, 2 with one of them, if not 0, and 4 with none. */
static double least_of_14(const float *bounds, double margin)
{
    double w[7];
    find_widths(14, bounds, margin, w);
    const double *corners = w + 3, sides = tmb_lesser(tmb_lesser(w[0] * w[1], w[0] * w[2]), w[1] * w[2]);
    const double pairs[3][2] = {{tmb_lesser(corners[0], corners[3]), tmb_lesser(corners[1], corners[2])},
                                {tmb_lesser(corners[0], corners[1]), tmb_lesser(corners[2], corners[3])},
                                {tmb_lesser(corners[0], corners[2]), tmb_lesser(corners[1], corners[3])}};
    double least = w[0] * w[1] * w[2];
    for (int i = 0; i < 4; i++) {
        const double others = corners[(i + 1) & 3] * corners[(i + 2) & 3] * corners[(i + 3) & 3];
        least = tmb_lesser(least, tmb_lesser(sides * corners[i], others / 4));
    }
    for (int i = 0; i < 3; i++) {
        least = tmb_lesser(least, w[i] * pairs[i][0] * pairs[i][1] / 2);
    }
    return positive(least);
}

double tmb_kdop_volume_estimate(uint32_t k, const float *bounds, double margin)
{
    TMB_ASSERT(margin >= 0);
    return k == 12   ? least_of_12(bounds, margin)
           : k == 14 ? least_of_14(bounds, margin)
                     : cut_box_volume(k, bounds, margin);
}
