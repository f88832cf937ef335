/* Two trees of k-DOPs in a search for the nearest triangles: what the setup hands to the kernels. A pair's numbers are
 * nodes. See docs/proximity-kdop.md. */
#ifndef TUMBLE_SRC_QUERY_KDOP_NEAR_H
#define TUMBLE_SRC_QUERY_KDOP_NEAR_H

#include "query/kdop_walk.h"
#include "query/near.h"

typedef struct tmb_kdop_near {
    tmb_kdop_state state;
    double unit_of_a; /* A's local unit: a power of two */
    tmb_kdop_slot_function *slot_of;
} tmb_kdop_near;

typedef void tmb_kdop_near_function(tmb_near_search *search, const tmb_near_pair *pair);
typedef struct tmb_kdop_near_kernels {
    tmb_kdop_near_function *leave_6, *leave_12, *leave_14, *leave_18, *leave_26;
} tmb_kdop_near_kernels;
TMB_DECLARE_KERNELS(const tmb_kdop_near_kernels, tmb_kdop_near_kernels);

#endif
