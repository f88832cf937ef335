/* Two hierarchies of any kind as trees of boxes, from a front on: what the setup hands to the kernels.
 *
 * A pair of the front has copies of its two nodes, which carry all that is needed to go on: boxes of a boxtree are not
 * found again without those of their parents. */
#ifndef TUMBLE_SRC_COLLIDE_BOXES_FRONT_H
#define TUMBLE_SRC_COLLIDE_BOXES_FRONT_H

#include "collide/boxes/walk.h"
#include "collide/front.h"

typedef struct tmb_boxes_pair {
    /* a: a number that pairs have in common only if their nodes were opened together; b: which of the two were */
    tmb_front_pair head;
    tmb_box_node nodes[2];
} tmb_boxes_pair;

#define TMB_BOXES_OPENED_A 1u
#define TMB_BOXES_OPENED_B 2u

typedef struct tmb_boxes_front {
    tmb_boxes_walk walk;
    uint32_t visits;           /* of all walks with this front, each with a number */
    tmb_box_node opened[2];    /* the nodes that were opened last, */
    tmb_box_siblings below[2]; /* and their children */
    int has_opened[2];
    tmb_box_siblings alone[2]; /* nodes that stay */
} tmb_boxes_front;

typedef void tmb_boxes_front_function(tmb_front *front);
TMB_DECLARE_KERNELS(tmb_boxes_front_function, tmb_boxes_front_walk);

#endif
