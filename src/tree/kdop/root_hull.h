/* The convex hull that a k-DOP tree can keep, to tumble its root exactly (Klosowski et al. 1998, section 4.1, method
 * I).
 */
#ifndef TUMBLE_SRC_TREE_KDOP_ROOT_HULL_H
#define TUMBLE_SRC_TREE_KDOP_ROOT_HULL_H

#include "tree/clusters.h"
#include "tree/kdop/hull/hull.h"
#include "tree/kdop/kdop.h"

/* As it is built. The memory is the arena's. */
typedef struct tmb_kdop_hull {
    const double (*points)[3]; /* of the model, each once */
    tmb_hull hull;             /* whose vertices are numbers of these */
    uint32_t count, link_count;
} tmb_kdop_hull;

/* Of the points that the clusters use. Returns 0 if memory runs out. */
int tmb_kdop_build_hull(tmb_arena *arena, const tumble_mesh *mesh, const tmb_clusters *clusters, tmb_kdop_hull *out);

/* Writes it to its parts of a block. */
void tmb_kdop_write_hull(const tmb_kdop_hull *hull, tmb_block *block);

/* As it is stored. */
tmb_hull_view tmb_kdop_hull_of(const tmb_block *block, const void *nodes);

#endif
