/* The convex hulls that a k-DOP tree can keep of the nodes of its first levels, to tumble these exactly (Klosowski et
 * al. 1998, section 4.1, method I). */
#ifndef TUMBLE_SRC_TREE_KDOP_NODE_HULLS_H
#define TUMBLE_SRC_TREE_KDOP_NODE_HULLS_H

#include "tree/kdop/hull/hull.h"
#include "tree/kdop/kdop.h"

/* A hull as it is built. */
typedef struct tmb_kdop_hull {
    uint32_t node;
    uint32_t children; /* the number of the first child's hull; the second one's follows; 0: not kept */
    double (*points)[3];
    tmb_hull hull; /* its vertices are no numbers of these points, which are the vertices themselves */
} tmb_kdop_hull;

/* All of them, in ascending order of the nodes. The memory is the arena's. */
typedef struct tmb_kdop_hulls {
    tmb_kdop_hull *items;
    uint32_t count;
    uint64_t point_count, link_count; /* of all together */
} tmb_kdop_hulls;

/* Of a block whose clusters, links and counts are there. Returns 0 if memory runs out. */
int tmb_kdop_build_hulls(tmb_arena *arena, const tmb_block *block, uint32_t levels, tmb_kdop_hulls *out);

/* Writes them to their parts of a block, whose header has their counts. */
void tmb_kdop_write_hulls(const tmb_kdop_hulls *hulls, tmb_block *block);

/* The number of a node's hull; TMB_KDOP_NO_HULL: it has none. */
#define TMB_KDOP_NO_HULL UINT32_MAX
uint32_t tmb_kdop_find_hull(const void *nodes, const tmb_kdop_parts *parts, uint32_t hull_count, uint32_t node);

/* The last node that has one, of one hull or more. */
uint32_t tmb_kdop_last_hull(const void *nodes, const tmb_kdop_parts *parts, uint32_t hull_count);

/* Hull number i as it is stored. */
tmb_hull_view tmb_kdop_hull_view(const void *nodes, const tmb_kdop_parts *parts, uint32_t i);

#endif
