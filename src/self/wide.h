/* A wide hierarchy against itself. */
#ifndef TUMBLE_SRC_SELF_WIDE_H
#define TUMBLE_SRC_SELF_WIDE_H

#include "base/kernel.h"
#include "self/self.h"
#include "tree/wide/wide.h"

/* Two nodes, or one with itself. */
typedef struct tmb_self_nodes {
    uint32_t a, b;
} tmb_self_nodes;

/* What a pair of nodes that are not both lowest leaves at most, and what waits in a traversal. */
#define TMB_SELF_OPENED (TMB_WIDE * TMB_WIDE)
#define TMB_SELF_WAITING ((2 * TMB_WIDE_LEVELS + 1) * TMB_SELF_OPENED)

/* Whether a pair has clusters as children, on both sides. */
static inline int tmb_self_is_lowest(const tmb_wide_node *nodes, tmb_self_nodes pair)
{
    return nodes[pair.a].is_lowest && nodes[pair.b].is_lowest;
}

/* The pairs below one that is not lowest. */
typedef size_t tmb_self_open_function(tmb_self *self, tmb_self_part *part, tmb_self_nodes pair,
                                      tmb_self_nodes out[TMB_SELF_OPENED]);
TMB_DECLARE_KERNELS(tmb_self_open_function, tmb_self_open_wide);

/* All that is below a pair. */
typedef void tmb_self_visit_function(tmb_self *self, tmb_self_part *part, size_t start, tmb_self_nodes pair);
TMB_DECLARE_KERNELS(tmb_self_visit_function, tmb_self_visit_wide);

#endif
