/* Two k-DOP trees in a search for the nearest triangles: what the setup hands to the kernels. See
 * docs/proximity-proofs.md. */
#ifndef TUMBLE_SRC_NEAR_KDOP_KDOP_H
#define TUMBLE_SRC_NEAR_KDOP_KDOP_H

#include "collide/kdop/walk.h"
#include "near/near.h"

/* A pair's numbers are nodes. Bit 2 j + i of its children: child i of A's node (or the node itself, when it stays) and
 * j of B's are to be examined. Two more bits say which nodes do not stay, where that was chosen before. */
#define TMB_KDOP_NEAR_ALL 15
#define TMB_KDOP_NEAR_INTO_A 16
#define TMB_KDOP_NEAR_INTO_B 32

typedef struct tmb_kdop_near {
    tmb_kdop_state state;
    double unit_of_a; /* A's local unit: a power of two */
    tmb_kdop_slot_function *slot_of;
    tmb_kdop_leaf_function *bounds_of; /* of a bare leaf of A */
} tmb_kdop_near;

typedef void tmb_kdop_near_function(tmb_near_search *search, const tmb_near_pair *pair);
typedef struct tmb_kdop_near_kernels {
    tmb_kdop_near_function *leave_6, *leave_12, *leave_14, *leave_18, *leave_26;
} tmb_kdop_near_kernels;
TMB_DECLARE_KERNELS(const tmb_kdop_near_kernels, tmb_kdop_near_kernels);

#endif
