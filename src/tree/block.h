/* The layout of a model's block, and its checksum. */
#ifndef TUMBLE_SRC_TREE_BLOCK_H
#define TUMBLE_SRC_TREE_BLOCK_H

#include "tree/model.h"

/* Fills in offsets and total size from the counts and flags; `has_polygons`, `has_surfaces` and `has_points` say
 * whether these optional sections are present. Returns 0 if a size overflows. */
int tmb_block_layout(tmb_block *block, int has_polygons, int has_surfaces, int has_points);

uint64_t tmb_block_node_bytes(const tmb_block *block);

/* Of the triangles' polygons, where they are stored. */
uint64_t tmb_block_polygon_bytes(const tmb_block *block);

/* Corners of all clusters together. */
uint64_t tmb_block_corner_count(const tmb_block *block);

/* Clears what no section fills: the clusters' slack, and the ends of the sections' last cache lines. */
void tmb_block_clear_ends(tmb_block *block);

/* Of everything after the checksum's field. */
uint64_t tmb_block_checksum(const tmb_block *block);

/* Whether a block of `size` bytes is complete and valid; checks every count and index in it. */
tumble_status tmb_block_check(tumble_context *context, const tmb_block *block, size_t size);

#endif
