/* The boxtree's row in the table. */
#include "tree/hierarchy.h"
#include "tree/boxtree/boxtree.h"

static uint64_t node_bytes(const tmb_block *block)
{
    const uint64_t one =
        block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? sizeof(tmb_node_one) : sizeof(tmb_node_two);
    return one * block->boxtree.slot_count;
}

static int has_good_counts(const tmb_block *block)
{
    const tmb_boxtree_root *tree = &block->boxtree;
    if (tree->layout > TUMBLE_BOXTREE_TWO_PLANES) {
        return 0;
    }
    if (block->triangle_count == 0) {
        return block->node_count == 0 && block->depth == 0 && tree->slot_count == 0;
    }
    const uint64_t leaves = tree->layout == TUMBLE_BOXTREE_TWO_PLANES ? block->triangle_count : 0;
    return block->node_count == tree->slot_count + leaves && block->node_count >= 2 * block->triangle_count - 1;
}

static const tmb_hierarchy_fit fitting = {.scratch_bytes = tmb_boxtree_fit_bytes, .fit = tmb_boxtree_fit};

static void tell(const tmb_block *block, tumble_tuning *out)
{
    if (block->node_count) {
        out->boxtree.layout = (tumble_boxtree_layout)block->boxtree.layout;
    }
}

const tmb_hierarchy tmb_hierarchy_BOXTREE = {
    .number = TUMBLE_HIERARCHY_BOXTREE,
    .builder = &tmb_boxtree_builder,
    .node_bytes = node_bytes,
    .has_good_counts = has_good_counts,
    .validate = tmb_boxtree_validate,
    .tell = tell,
    .boxes = &tmb_boxtree_boxes,
    .fit = &fitting,
    .live = &tmb_boxtree_live,
};
