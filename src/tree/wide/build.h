/* Builds the clusters and the tree of a wide hierarchy; its boxes follow from them (tree/wide/fit.h). */
#ifndef TUMBLE_SRC_TREE_WIDE_BUILD_H
#define TUMBLE_SRC_TREE_WIDE_BUILD_H

#include "base/kernel.h"
#include "tree/clusters.h"
#include "tree/triangle_set.h"
#include "tree/wide/wide.h"

/* Without addresses. The memory is the arena's. */
tumble_status tmb_wide_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_clusters *out, tmb_wide_tree *tree);

/* Kernel: the draft of `count` triangles; 0 when they have too many corners. */
typedef int tmb_wide_draft_function(const uint32_t *corners, const uint32_t *triangles, uint32_t count,
                                    tmb_cluster_draft *draft);
TMB_DECLARE_KERNELS(tmb_wide_draft_function, tmb_wide_draft);

#endif
