/* The direction sets of k-DOPs: k = 6, 14, 18 and 26 (Klosowski et al. 1998, section 3.3.3) and 12 (the dodecahedron,
 * Fuenfzig and Fellner).
 *
 * A k-DOP is given by k bounds, one per lane. Lane 2 i holds the maximum of D_i . p over its points, lane 2 i + 1 that
 * of -D_i . p, that is minus the minimum. Directions are not of unit length. */
#ifndef TUMBLE_SRC_TREE_KDOP_SETS_H
#define TUMBLE_SRC_TREE_KDOP_SETS_H

#include <stdint.h>

#include "base/assert.h"

#define TMB_KDOP_MOST 26

/* The paper's normals, section 3.3.3: the sides of a cube, then what cuts off its corners, then its edges. */
#define TMB_KDOP_SIDES    \
    {1, 0, 0}, {0, 1, 0}, \
    {                     \
        0, 0, 1           \
    }
#define TMB_KDOP_CORNERS               \
    {1, 1, 1}, {1, -1, 1}, {1, 1, -1}, \
    {                                  \
        1, -1, -1                      \
    }
#define TMB_KDOP_EDGES                                       \
    {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, \
    {                                                        \
        0, 1, -1                                             \
    }
static const double tmb_kdop_directions_6[3][3] = {TMB_KDOP_SIDES};
static const double tmb_kdop_directions_14[7][3] = {TMB_KDOP_SIDES, TMB_KDOP_CORNERS};
static const double tmb_kdop_directions_18[9][3] = {TMB_KDOP_SIDES, TMB_KDOP_EDGES};
static const double tmb_kdop_directions_26[13][3] = {TMB_KDOP_SIDES, TMB_KDOP_CORNERS, TMB_KDOP_EDGES};

/* The faces of a dodecahedron. */
#define TMB_GOLDEN 1.6180339887498949
static const double tmb_kdop_directions_12[6][3] = {{0, 1, TMB_GOLDEN},  {0, -1, TMB_GOLDEN}, {1, TMB_GOLDEN, 0},
                                                    {-1, TMB_GOLDEN, 0}, {TMB_GOLDEN, 0, 1},  {TMB_GOLDEN, 0, -1}};

typedef struct tmb_kdop_set {
    uint32_t k;
    uint32_t corner_count;         /* 2 k - 4 */
    double cover;                  /* every vector has a direction whose angle to it has at least this cosine */
    const double (*directions)[3]; /* D_i, k/2 of them */
    const uint8_t (*corners)[3];   /* lanes whose planes meet in a corner of the unit DOP, all planes at distance 1 */
} tmb_kdop_set;

/* NULL for other numbers than 6, 12, 14, 18 and 26. */
const tmb_kdop_set *tmb_kdop_set_of(uint32_t k);

/* The direction of a lane, with its sign. */
static inline void tmb_kdop_lane(const tmb_kdop_set *set, uint32_t lane, double out[3])
{
    TMB_ASSERT(lane < set->k);
    const double *d = set->directions[lane / 2], sign = lane % 2 ? -1 : 1;
    out[0] = sign * d[0], out[1] = sign * d[1], out[2] = sign * d[2];
}

#endif
