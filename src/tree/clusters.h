/* Makes the clusters of a model: triangles into drafts, and drafts into the block. */
#ifndef TUMBLE_SRC_TREE_CLUSTERS_H
#define TUMBLE_SRC_TREE_CLUSTERS_H

#include "base/arena.h"
#include "tree/cluster.h"
#include "tumble/model.h"

/* The clusters of a set of triangles, which come in some sequence. */
typedef struct tmb_clusters {
    const tmb_cluster_draft *drafts;
    size_t count;
    const uint32_t *order;     /* triangle i in the order of the drafts is number order[i] of the set; NULL: number i */
    const uint32_t *addresses; /* of triangle i of the sequence; may be NULL if not needed */
} tmb_clusters;

/* A draft that is not the last of a run has this many triangles at least: it is closed by a triangle that finds less
 * than three corners free, so it has 14 corners. Hence no address is as large as twice the number of triangles. */
#define TMB_CLUSTERS_LEAST 5

/* Cuts a sequence into drafts, greedily; its triangle i is number order[i] of `corners` (NULL: number i), which has
 * three points per triangle. Where starts[i] is not 0, a draft starts with triangle i (NULL: wherever it may). The
 * triangles keep their order. Returns 0 if memory runs out; the memory is the arena's. */
int tmb_clusters_cut(tmb_arena *arena, const uint32_t *corners, const uint32_t *order, const uint8_t *starts,
                     size_t count, tmb_clusters *out);

/* The same with fewer corners: within each run of that many triangles, neighbours are grouped. `order` is not NULL. The
 * result does not depend on the number of threads. */
#define TMB_CLUSTERS_RUN 1024
int tmb_clusters_group(tmb_arena *arena, uint32_t thread_count, const uint32_t *corners, const uint32_t *order,
                       size_t count, tmb_clusters *out);

/* Units of 4 bytes that all data take. */
uint64_t tmb_clusters_units(const tmb_clusters *clusters, int is_float);

/* Writes the data of one cluster. */
void tmb_cluster_write(const tumble_mesh *mesh, const tmb_cluster_draft *draft, int is_float, uint32_t *out);

/* Writes a place for each cluster, one more, and the data, whose units must be less than 2^32; the slack after them is
 * not written. The result does not depend on the number of threads. Returns 0 if memory for them runs out. */
int tmb_clusters_write(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                       const tmb_clusters *clusters, int is_float, tmb_cluster_place *places, uint32_t *data);

#endif
