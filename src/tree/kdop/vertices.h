/* The vertices of all k-DOPs of a tree, for tumbling by them. */
#ifndef TUMBLE_SRC_TREE_KDOP_VERTICES_H
#define TUMBLE_SRC_TREE_KDOP_VERTICES_H

#include "tree/model.h"

/* Where the vertices of each row of a block start, and in one more number where the last ones end: from the rows'
 * bounds, and before there is room for the vertices themselves. `*total` is their number; `first` is undefined if that
 * takes more than 32 bits. Returns 0 if memory for the threads runs out. */
int tmb_kdop_count_vertices(tumble_context *context, uint32_t thread_count, const tmb_block *block, uint32_t *first,
                            uint64_t *total);

/* Writes the block's vertices, and `first`; its header says how many there are. Neither result depends on the number of
 * threads. */
int tmb_kdop_write_vertices(tumble_context *context, uint32_t thread_count, tmb_block *block, const uint32_t *first);

#endif
