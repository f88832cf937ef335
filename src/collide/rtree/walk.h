/* R-trees against each other: what the setup hands to the walking kernels.
 *
 * The clusters of one model, the probe, are searched for in the trees of the other (Figueiredo, S-CD, figure 4): those
 * that meet the overlapping box are moved into the other's frame, get a box there, and descend its trees. */
#ifndef TUMBLE_SRC_COLLIDE_RTREE_WALK_H
#define TUMBLE_SRC_COLLIDE_RTREE_WALK_H

#include "base/kernel.h"
#include "collide/collider.h"
#include "math/rounding.h"
#include "query/local_map.h"
#include "tree/rtree/rtree.h"

typedef struct tmb_rtree_side {
    const tumble_model *model;
    const tmb_rtree_node *nodes;
    uint32_t pages; /* of a node */
    const tmb_rtree_surface *surfaces;
} tmb_rtree_side;

typedef struct tmb_rtree_state {
    tmb_collider *collider;
    tmb_rtree_side probe, tree;
    int probe_is_b;
    int single;             /* triangles one by one */
    uint32_t probe_surface; /* the id of that of the triangles that are searched for */
    tmb_rtree_box window;   /* in the probe's local frame: nothing outside it can meet the tree */
    tmb_local_map into_b;   /* from A's local coordinates to B's, when A is the probe */
    double slack;           /* of the probe's boxes in the tree's unit: the limit, and what their map may be off by */
    float limit_squared;    /* how far apart triangles may be, in the tree's unit */
    float limit_part;       /* of the slack above that is the limit, for certain */
} tmb_rtree_state;

typedef void tmb_rtree_function(tmb_rtree_state *state);
TMB_DECLARE_KERNELS(tmb_rtree_function, tmb_rtree_walk);

#endif
