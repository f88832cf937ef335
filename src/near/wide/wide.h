/* Two wide hierarchies in a search for the nearest triangles: what the setup hands to the kernels. */
#ifndef TUMBLE_SRC_NEAR_WIDE_WIDE_H
#define TUMBLE_SRC_NEAR_WIDE_WIDE_H

#include "collide/wide/walk.h"
#include "near/near.h"

/* A pair's numbers are nodes, or both clusters with this bit. Bit 8 j + i of its children: child i of A's node and j of
 * B's are to be examined. */
#define TMB_WIDE_NEAR_CLUSTER 0x80000000u

typedef struct tmb_wide_near {
    tmb_wide_walk walk;
    float unit_of_b;      /* points that are 1 apart in B's local frame are at least this far apart in A's, */
    float most_unit_of_b; /* and at most */
    double unit_of_a;     /* A's local unit: a power of two */
    struct tmb_wide_near_nodes *nodes; /* decoded ones */
    /* From the nearest triangle found of A to that of B, in A's local frame and not longer than 1. */
    float direction[3];
    uint32_t direction_of; /* search->findings then */
} tmb_wide_near;

typedef void tmb_wide_near_function(tmb_near_search *search, const tmb_near_pair *pair);
TMB_DECLARE_KERNELS(tmb_wide_near_function, tmb_wide_near_leave);

#define TMB_WIDE_NEAR_DECODED 8                                              /* nodes of each model */
#define TMB_WIDE_NEAR_NUMBERS (2 * TMB_WIDE_NEAR_DECODED * sizeof(uint32_t)) /* their numbers come first */
#define TMB_WIDE_NEAR_BYTES 32768                                            /* for all of that */

#endif
