/* Making the clusters of a model: cutting a sequence of triangles into drafts, and writing drafts into the block. */
#ifndef TUMBLE_SRC_TREE_CLUSTERS_H
#define TUMBLE_SRC_TREE_CLUSTERS_H

#include "base/context.h"
#include "tree/cluster.h"
#include "tumble/model.h"

/* Most drafts that tmb_clusters_cut makes of `count` triangles: one that is not the last is closed by a triangle that
 * finds less than three corners free, so it has 14 corners and five triangles at least. */
static inline size_t tmb_clusters_most(size_t count)
{
    return (count + 4) / 5;
}

/* Cuts a sequence into drafts, greedily: its triangle i is number order[i] of `corners` (null: number i itself), with
 * three points each. The triangles keep their order. Returns the number of drafts. */
size_t tmb_clusters_cut(const uint32_t *corners, const uint32_t *order, size_t count, tmb_cluster_draft *drafts);

/* The address of each triangle in the order of the drafts. */
void tmb_clusters_addresses(const tmb_cluster_draft *drafts, size_t count, uint32_t *addresses);

/* Units of 4 bytes that all data take. */
uint64_t tmb_clusters_units(const tmb_cluster_draft *drafts, size_t count, int is_float);

/* Writes the data of one cluster. */
void tmb_cluster_write(const tumble_mesh *mesh, const tmb_cluster_draft *draft, int is_float, uint32_t *out);

/* Writes `count` + 1 places and the data, whose units must be less than 2^32; the slack behind them is not written. The
 * result does not depend on the number of threads. Returns 0 when there is no memory for them. */
int tmb_clusters_write(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                       const tmb_cluster_draft *drafts, size_t count, int is_float, tmb_cluster_place *places,
                       uint32_t *data);

#endif
