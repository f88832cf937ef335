/* Two wide hierarchies, from a front on: what the setup hands to the kernels. */
#ifndef TUMBLE_SRC_COLLIDE_WIDE_FRONT_H
#define TUMBLE_SRC_COLLIDE_WIDE_FRONT_H

#include "collide/front.h"
#include "collide/wide/walk.h"

/* A pair of the front is two nodes; bit 8 j + i of its children means child i of A's and j of B's. */
typedef struct tmb_wide_front {
    tmb_wide_walk walk;
    float unit_of_b;      /* points that are 1 apart in B's local frame are at least this far apart in A's, */
    float most_unit_of_b; /* and at most */
    double unit_of_a;     /* A's local unit: a power of two */
} tmb_wide_front;

typedef void tmb_wide_front_function(tmb_front *front);
TMB_DECLARE_KERNELS(tmb_wide_front_function, tmb_wide_front_walk);

#endif
