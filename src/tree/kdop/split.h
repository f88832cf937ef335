/* Cutting a set of triangles in two (Klosowski et al. 1998, section 3.3.4): across which axis, and where.
 *
 * A triangle lies where its centroid does. The centroid's coordinate along an axis and, among equal ones, the
 * triangle's number make a key; a cut is a key, and triangles with smaller ones go to the first child. */
#ifndef TUMBLE_SRC_TREE_KDOP_SPLIT_H
#define TUMBLE_SRC_TREE_KDOP_SPLIT_H

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "tree/kdop/sets.h"
#include "tumble/hierarchies.h"

typedef struct tmb_kdop_item {
    float centroid[3]; /* local */
    uint32_t triangle;
} tmb_kdop_item;

#define TMB_KDOP_AXES (TMB_KDOP_MOST / 2)

/* Lanes of the bounds of a triangle: those of the k-DOP when volumes are needed, and of x, y and z when these are
 * needed and not among them; up to a multiple of four, for loads of four, with zeros. */
#define TMB_KDOP_ROW_MOST 28

typedef struct tmb_kdop_rules {
    tumble_kdop_options options;
    uint32_t axis_count; /* candidates */
    float axes[TMB_KDOP_AXES][3];
    double lengths[TMB_KDOP_AXES];
    int wants_volumes;
    uint32_t row_lanes; /* 0: no rule needs bounds of triangles */
    uint32_t axis_lane; /* where the candidates' lanes start, when their lengths are needed */
    double row_axes[TMB_KDOP_ROW_MOST / 2][3];
    const float *rows; /* by the triangle's number */
} tmb_kdop_rules;

/* Everything but the rows. */
void tmb_kdop_rules_of(const tumble_kdop_options *options, tmb_kdop_rules *rules);

/* Cuts two triangles or more: the first children's come first in `items` afterwards, and their number, neither 0 nor
 * all, is returned. `keys` is scratch memory of the same length. When `balanced` is set, the cut is at the median. */
uint32_t tmb_kdop_split(const tmb_kdop_rules *rules, tmb_kdop_item *items, uint64_t *keys, uint32_t count,
                        int balanced);

/* ---- For the parts of the splitter ---- */

static inline float tmb_kdop_coordinate(const tmb_kdop_item *item, const float axis[3])
{
    return (axis[0] * item->centroid[0] + axis[1] * item->centroid[1]) + axis[2] * item->centroid[2];
}

/* Keys are in the order of coordinates; 0 and -0 are equal. */
static inline uint64_t tmb_kdop_key(float coordinate, uint32_t triangle)
{
    TMB_ASSERT(!isnan(coordinate));
    const float positive = coordinate + 0.0F;
    uint32_t bits;
    memcpy(&bits, &positive, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : (uint32_t)1 << 31;
    return (uint64_t)bits << 32 | triangle;
}

/* A place to cut. */
typedef struct tmb_kdop_cut {
    uint32_t axis;
    uint64_t key;
    double cost; /* infinite: one child would be empty */
} tmb_kdop_cut;

/* The cheapest of all places along an axis, where it is cheaper than `best`, which it then replaces. The cost is the
 * sum of the children's volumes, widened by `margin`, times their triangles, or with MIN_MAX the larger such product.
 */
void tmb_kdop_split_best(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count, uint32_t axis,
                         double margin, tmb_kdop_cut *best);

/* Joins bounds. */
static inline void tmb_kdop_join(float *restrict bounds, const float *restrict more, uint32_t lanes)
{
    for (uint32_t l = 0; l < lanes; l++) {
        bounds[l] = more[l] > bounds[l] ? more[l] : bounds[l];
    }
}
void tmb_kdop_join_none(float *bounds, uint32_t lanes);

/* A statement with the number of a row's lanes as the constant `lanes`, so that joining them is a few instructions. */
#define TMB_KDOP_LANES_CASE(number, statement) \
    {                                          \
        enum {                                 \
            lanes = number                     \
        };                                     \
        statement;                             \
        break;                                 \
    }
#define TMB_KDOP_WITH_LANES(row_lanes, statement)              \
    switch (row_lanes) {                                       \
    case 8: TMB_KDOP_LANES_CASE(8, statement)                  \
    case 12: TMB_KDOP_LANES_CASE(12, statement)                \
    case 16: TMB_KDOP_LANES_CASE(16, statement)                \
    case 20: TMB_KDOP_LANES_CASE(20, statement)                \
    default: TMB_KDOP_LANES_CASE(TMB_KDOP_ROW_MOST, statement) \
    }

double tmb_kdop_measure(const tmb_kdop_rules *rules, const float *bounds, double margin);

#endif
