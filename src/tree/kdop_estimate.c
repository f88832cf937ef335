/* Volumes of k-DOPs by formulas.
 *
 * k = 6, 18 and 26. From the box, the edges' planes cut off a prism each and the corners' planes a tetrahedron each.
 * With a, b, c <= the depths to which the planes of the three edges at a corner cut, measured along the box's sides
 * from the corner, and e that of the corner's plane: a prism has the volume a^2 / 2 times the edge's length; two prisms
 * of a corner share {x + y < a, x + z < b}, which is a^2 b / 2 - a^3 / 6 for a <= b; all three share that of the
 * smaller two less (a + b - c)^3 / 12, where this is positive, c being the largest; the tetrahedron {x + y + z < e} has
 * outside of the prisms, when e > max(c, s / 2) with s = a + b + c, (2 e - s)^3 / 12 - (e - a - b)^3 / 6 - (e - a -
 * c)^3 / 6 - (e - b - c)^3 / 6 + (c - a - b)^3 / 12, taking only what is positive: its section with x + y + z = t is a
 * triangle of side 2 t - s without three corners.
 *
 * For k = 18 this is exact, when the bounds are those of a set of points. Prisms of parallel edges are then disjoint,
 * since a point of the set lies in each side of the box. Prisms of other edges share a corner, or are {x + y < a} and
 * {(l - y) + z < b} with l the box's length along y. There, all points of the set have x + z >= a + b - l, so these two
 * share only what the prism of the edge between them contains as well: in the sum over pairs and triples of prisms both
 * cancel. The bounds with a margin are those of the points' neighbourhoods, and as good.
 * For k = 26, tetrahedra can reach over more than their corner; in fat sets they do not.
 *
 * k = 12 and 14: the least parallelepiped that three slabs make. */
#include <math.h>

#include "tree/kdop_volume.h"

static inline double positive(double x)
{
    return x > 0 ? x : 0;
}
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double cube(double x)
{
    return x * x * x;
}

/* ---- k = 6, 18, 26 ---- */

/* Where the lanes of TMB_KDOP_CORNERS and TMB_KDOP_EDGES start; signs are 0 for + and 1 for -. */
static inline uint32_t corner_lane(uint32_t first, uint32_t x, uint32_t y, uint32_t z)
{
    return first + 2 * ((x ^ y) + 2 * (x ^ z)) + x;
}
static inline uint32_t edge_lane(uint32_t first, uint32_t pair, uint32_t one, uint32_t other)
{
    return first + 2 * (pair + 3 * (one ^ other)) + one;
}

/* What is cut off at a corner by its plane alone, less what its three prisms count twice. */
static inline double corner_volume(double a, double b, double c, double e)
{
    const double least = smaller(smaller(a, b), c), most = larger(larger(a, b), c);
    const double middle = larger(smaller(a, b), smaller(larger(a, b), c)), sum = (a + b) + c;
    const double shared = (least * least + middle * middle) * most / 2 - (cube(least) + cube(middle)) / 6 +
                          cube(positive(least + middle - most)) / 12;
    const double pairs = cube(positive(e - a - b)) + cube(positive(e - a - c)) + cube(positive(e - b - c));
    const double cut = (cube(positive(2 * e - sum)) + cube(positive(most - least - middle))) / 12 - pairs / 6;
    return (e > larger(most, sum / 2) ? cut : 0) - shared;
}

typedef struct depths {
    double edges[3][2][2]; /* of xy, xz, yz; by signs */
    double corners[2][2][2];
} depths;

/* How far the planes cut into the box; with a margin m, bounds grow by m, sqrt(2) m and sqrt(3) m. */
static void find_depths(uint32_t k, const float *bounds, double margin, depths *out)
{
    static const uint8_t sides[3][2] = {{0, 2}, {0, 4}, {2, 4}};
    const double edge_margin = (2 - 1.4142135623730951) * margin, corner_margin = (3 - 1.7320508075688772) * margin;
    const uint32_t edges = k == 18 ? 6 : 14;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        for (uint32_t pair = 0; pair < 3 && z == 0; pair++) {
            const double box = (double)bounds[sides[pair][0] + x] + (double)bounds[sides[pair][1] + y];
            out->edges[pair][x][y] = positive(box - (double)bounds[edge_lane(edges, pair, x, y)] + edge_margin);
        }
        const double box = ((double)bounds[x] + (double)bounds[2 + y]) + (double)bounds[4 + z];
        out->corners[x][y][z] = k == 26 ? positive(box - (double)bounds[corner_lane(6, x, y, z)] + corner_margin) : 0;
    }
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
    double prisms = 0, corners = 0;
    find_depths(k, bounds, margin, &d);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t one = i & 1, other = i >> 1;
        const double xy = d.edges[0][one][other], xz = d.edges[1][one][other], yz = d.edges[2][one][other];
        prisms += (xy * xy * length[2] + xz * xz * length[1]) + yz * yz * length[0];
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        corners += corner_volume(d.edges[0][x][y], d.edges[1][x][z], d.edges[2][y][z], d.corners[x][y][z]);
    }
    return larger(box - prisms / 2 - corners, 0x1p-10 * box * (k == 26)); /* too much may be cut off for k = 26 */
}

/* ---- k = 12, 14 ---- */

static void find_widths(uint32_t k, const float *bounds, double margin, double *out)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    for (uint32_t i = 0; i < k / 2; i++) {
        const double *d = set->directions[i];
        const double length = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
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
                *least = smaller(*least, w[i] * w[j] * w[l]);
            }
        }
    }
    return positive(smaller(small / (2 * TMB_GOLDEN), large / (2 * TMB_GOLDEN + 2)));
}

/* Determinants are 1 with two sides of the cube, 2 with one of them, if not 0, and 4 with none. */
static double least_of_14(const float *bounds, double margin)
{
    double w[7];
    find_widths(14, bounds, margin, w);
    const double *corners = w + 3, sides = smaller(smaller(w[0] * w[1], w[0] * w[2]), w[1] * w[2]);
    const double pairs[3][2] = {{smaller(corners[0], corners[3]), smaller(corners[1], corners[2])},
                                {smaller(corners[0], corners[1]), smaller(corners[2], corners[3])},
                                {smaller(corners[0], corners[2]), smaller(corners[1], corners[3])}};
    double least = w[0] * w[1] * w[2];
    for (int i = 0; i < 4; i++) {
        const double others = corners[(i + 1) & 3] * corners[(i + 2) & 3] * corners[(i + 3) & 3];
        least = smaller(least, smaller(sides * corners[i], others / 4));
    }
    for (int i = 0; i < 3; i++) {
        least = smaller(least, w[i] * pairs[i][0] * pairs[i][1] / 2);
    }
    return positive(least);
}

double tmb_kdop_volume_estimate(uint32_t k, const float *bounds, double margin)
{
    return k == 12   ? least_of_12(bounds, margin)
           : k == 14 ? least_of_14(bounds, margin)
                     : cut_box_volume(k, bounds, margin);
}
