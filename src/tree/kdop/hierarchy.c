/* The k-DOP tree's row in the table. */
#include "tree/hierarchy.h"
#include "tree/kdop/kdop.h"

static uint64_t node_bytes(const tmb_block *block)
{
    return block->node_count ? tmb_kdop_parts_of(block).end : 0;
}

static int has_good_counts(const tmb_block *block)
{
    const tmb_kdop_root *root = &block->kdop;
    if (!tmb_kdop_set_of(root->k) || root->leaf < 1 || root->leaf > TUMBLE_KDOP_LEAF_MOST ||
        root->tumble > TUMBLE_KDOP_TUMBLE_VERTICES || root->bare_leaves > 1) {
        return 0;
    }
    if (root->hull_levels > TUMBLE_KDOP_HULL_MOST || root->hull_nodes > block->node_count ||
        !root->hull_nodes != !root->hull_levels || root->hull_nodes > root->hull_count) {
        return 0;
    }
    if (block->triangle_count == 0) {
        return block->node_count == 0 && block->depth == 0;
    }
    return block->node_count % 2 == 1 && block->node_count <= 2 * block->triangle_count - 1 &&
           block->depth <= TMB_KDOP_DEPTH;
}

static int fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch)
{
    (void)scratch;
    return tmb_kdop_fit(context, thread_count, block, from);
}

static void forget(tmb_block *header)
{
    header->kdop =
        (tmb_kdop_root){.k = header->kdop.k, .leaf = header->kdop.leaf, .bare_leaves = header->kdop.bare_leaves};
}

static const tmb_hierarchy_fit fitting = {.fit = fit, .forget = forget};

static void tell(const tmb_block *block, tumble_tuning *out)
{
    out->kdop.k = block->kdop.k;
    out->kdop.leaf = block->kdop.leaf;
    out->kdop.tumble = (tumble_kdop_tumble)block->kdop.tumble;
    out->kdop.hull = block->kdop.hull_levels;
    out->kdop.bare_leaves = block->kdop.bare_leaves != 0;
}

const tmb_hierarchy tmb_hierarchy_KDOP = {
    .number = TUMBLE_HIERARCHY_KDOP,
    .builder = &tmb_kdop_builder,
    .node_bytes = node_bytes,
    .has_good_counts = has_good_counts,
    .validate = tmb_kdop_validate,
    .tell = tell,
    .boxes = &tmb_kdop_boxes,
    .fit = &fitting,
};
