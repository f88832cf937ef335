/* One step of the boxtree's build: which side of the split each triangle goes to (Zachmann 2002, section 4.2).
 *
 * A box is that of a triangle, rounded outward to the grid; the spare lane of its `lower` holds the triangle's number.
 */
#ifndef TUMBLE_SRC_TREE_BOXTREE_SPLIT_H
#define TUMBLE_SRC_TREE_BOXTREE_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "tree/boxtree/grid.h"
#include "tumble/hierarchies.h"

/* What a set of boxes needs to be split: its bounds, and the seeds, that is the least upper and the greatest lower
 * side. */
typedef struct tmb_grid_set {
    tmb_grid_box bounds;
    tmb_grid4 least_upper, greatest_lower;
} tmb_grid_set;

tmb_grid_set tmb_grid_set_empty(void);
static inline void tmb_grid_set_add(tmb_grid_set *set, const tmb_grid_box *box)
{
    set->bounds.lower = tmb_grid_min(set->bounds.lower, box->lower);
    set->bounds.upper = tmb_grid_max(set->bounds.upper, box->upper);
    set->least_upper = tmb_grid_min(set->least_upper, box->upper);
    set->greatest_lower = tmb_grid_max(set->greatest_lower, box->lower);
}

typedef struct tmb_split {
    int axis;
    size_t lower_count; /* the boxes of the lower child come first */
    tmb_grid_set lower, upper;
} tmb_split;

/* Splits `count` >= 2 boxes of the node whose box is `node` and reorders them; `spare` has the same length. Neither
 * child gets more than `most` boxes, where 2 * most >= count. */
void tmb_boxtree_split(const tumble_boxtree_options *options, const tmb_grid_box *node, const tmb_grid_set *set,
                       tmb_grid_box *boxes, tmb_grid_box *spare, size_t count, size_t most, tmb_split *out);

#endif
