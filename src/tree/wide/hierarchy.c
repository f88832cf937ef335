/* The wide hierarchy's row in the table. */
#include "tree/hierarchy.h"
#include "tree/wide/fit.h"

static uint64_t node_bytes(const tmb_block *block)
{
    return sizeof(tmb_wide_node) * block->node_count;
}

static int has_good_counts(const tmb_block *block)
{
    if (block->triangle_count == 0) {
        return block->node_count == 0 && block->depth == 0;
    }
    return block->node_count >= 1 && block->node_count <= 4 * block->cluster_count && block->depth >= 1 &&
           block->depth <= TMB_WIDE_LEVELS;
}

static size_t scratch_bytes(const tmb_block *block)
{
    return (size_t)block->node_count * sizeof(tmb_wide_patch);
}

static int fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch)
{
    tmb_wide_copy_links(from, (size_t)block->node_count,
                        (tmb_wide_node *)((char *)block + block->offsets[TMB_SECTION_NODES]));
    return tmb_wide_fit(context, thread_count, block, scratch);
}

static const tmb_hierarchy_fit fitting = {.scratch_bytes = scratch_bytes, .fit = fit};

const tmb_hierarchy tmb_hierarchy_WIDE = {
    .number = TUMBLE_HIERARCHY_WIDE,
    .builder = &tmb_wide_builder,
    .node_bytes = node_bytes,
    .has_good_counts = has_good_counts,
    .validate = tmb_wide_validate,
    .boxes = &tmb_wide_boxes,
    .fit = &fitting,
    .live = &tmb_wide_live,
};
