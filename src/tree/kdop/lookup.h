/* What a node keeps for tumbling by lookup (Fuenfzig and Fellner, section 3): where its points lie around each of the
 * stored directions.
 *
 * Around a lane's direction D there are 31 rings, equal in angle, up to the covering angle of the direction set: the
 * angle within which every vector has some stored direction. Seen from the node's centre c, let a point be `long` if it
 * is farther from c than the cosine of the covering angle times the extent d = max D . (p - c) / |D|. The paper keeps
 * one bit for each ring, that says whether it holds a long point. Of all bits only that of the outermost ring ever
 * decides (docs/kdop.md), so its number is kept, 0 when there is none. Long points outside all rings are given by a
 * length: the largest of their projections onto the outermost ring's edge. d itself follows from the node's bounds.
 *
 * A record is the centre as three floats and then a word for each lane: the length as a float, rounded up so that its
 * lowest five bits are free, in which the ring's number stands. The whole word is the length, then, and not less. */
#ifndef TUMBLE_SRC_TREE_KDOP_LOOKUP_H
#define TUMBLE_SRC_TREE_KDOP_LOOKUP_H

#include "base/kernel.h"
#include "tree/kdop/kdop.h"

#define TMB_KDOP_RINGS 31
#define TMB_KDOP_RING_MASK 31

/* Local coordinates are at most 1. */
#define TMB_KDOP_LENGTH_MOST 4

typedef struct tmb_kdop_rings {
    double cosine, sine; /* of the covering angle */
    /* Ring i reaches from the tangent at i - 1 (from 0, for the first) to that at i, the last to the covering angle at
     * least. The entry at 0 makes any sum in which a positive number is multiplied by it small. */
    float tangents[TMB_KDOP_RINGS + 1];
} tmb_kdop_rings;

/* The same bits on every machine. */
void tmb_kdop_make_rings(const tmb_kdop_set *set, tmb_kdop_rings *rings);

/* A node's record, as floats; the words of the lanes start at TMB_KDOP_LOOKUP_LANES. */
#define TMB_KDOP_LOOKUP_LANES 3
static inline const float *tmb_kdop_lookup(const void *nodes, const tmb_kdop_parts *parts, uint32_t k, uint32_t node)
{
    return (const float *)((const char *)nodes + parts->lookups) + (size_t)node * tmb_kdop_lookup_words(k);
}

/* Fills in the records of a block whose rows are fitted. Takes a time of the order of the triangles times the tree's
 * depth, and 36 bytes per triangle while it works. The result does not depend on the number of threads. Returns 0 if
 * memory runs out. */
int tmb_kdop_fill_lookups(tumble_context *context, uint32_t thread_count, tmb_block *block);

/* ---- For the kernel: points seen along one slab's axis, in both directions ---- */

typedef struct tmb_kdop_axis {
    float normal[3]; /* of unit length */
    float centre[3];
    float cosine, sine; /* of the covering angle */
    float inside,
        outside;       /* squared tangents: no point in a ring is above the first, and none outside below the second */
    float shortest[2]; /* no long point has a squared distance from the centre that is below, for each direction */
} tmb_kdop_axis;

/* Of the long points, for each direction. */
typedef struct tmb_kdop_sight {
    float tangents[2]; /* the largest squared tangent inside; -1 if there is none */
    float lengths[2];  /* the largest length outside, which can be negative; minus infinity if there is none */
} tmb_kdop_sight;

/* Points first to last - 1, by coordinates; seven after them can be read. */
typedef tmb_kdop_sight tmb_kdop_look_function(const float *const points[3], size_t first, size_t last,
                                              const tmb_kdop_axis *axis);
TMB_DECLARE_KERNELS(tmb_kdop_look_function, tmb_kdop_look);

#endif
