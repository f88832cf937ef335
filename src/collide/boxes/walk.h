/* Two hierarchies of any kind against each other, as trees of boxes in double (tree/box_view.h): for two different
 * hierarchies, for two of one kind that their own walk does not do for, and where floats cannot tell anything because
 * the models are too far apart or too different in size. docs/mixed.md says why no pair is lost.
 *
 * The walk goes down both trees at once and depth first. A floor of its way down has up to eight siblings of each
 * model, and the pairs of them that are still to be examined. Where a node stays while the other is opened, the next
 * floor goes on with the siblings that it is one of. */
#ifndef TUMBLE_SRC_COLLIDE_BOXES_WALK_H
#define TUMBLE_SRC_COLLIDE_BOXES_WALK_H

#include "base/kernel.h"
#include "collide/collider.h"
#include "query/box_frames.h"

typedef struct tmb_box_siblings {
    tmb_box_lanes in[2];           /* A's frame and B's */
    double size[TMB_BOX_CHILDREN]; /* the longest side, about, in A's unit */
    tmb_box_node nodes[TMB_BOX_CHILDREN];
    uint32_t count;
    uint32_t opened; /* the one whose children are the siblings one floor below; TMB_BOX_CHILDREN: none */
} tmb_box_siblings;

typedef struct tmb_box_floor {
    tmb_box_siblings side[2];
    uint64_t left;    /* pairs to be examined: bit 8 j + i for A's i and B's j */
    uint32_t from[2]; /* the floors that have A's and B's siblings: this one, or one above */
    uint32_t only[2]; /* the one of them that is compared; TMB_BOX_CHILDREN: all */
} tmb_box_floor;

typedef struct tmb_boxes_walk {
    tmb_collider *collider;
    tmb_box_view trees[2];
    tmb_box_frames frames;
    double far[2]; /* boxes are apart when they are farther apart than this along an axis of A, or of B */
    tmb_box_floor *floors;
    size_t room;
} tmb_boxes_walk;

/* Makes room for floors up to this one; 0, and the collider has the status, if memory runs out. */
int tmb_boxes_reserve(tmb_boxes_walk *walk, size_t floor);

typedef void tmb_boxes_function(tmb_boxes_walk *walk);
TMB_DECLARE_KERNELS(tmb_boxes_function, tmb_boxes_walk);

#endif
