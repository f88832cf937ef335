/* The R-tree's row in the table. */
#include <string.h>

#include "tree/hierarchy.h"
#include "tree/rtree/edit.h"
#include "tree/rtree/rtree.h"

static int has_good_counts(const tmb_block *block)
{
    return (block->triangle_count > 0) == (block->rtree.surface_count > 0) &&
           block->rtree.surface_count <= block->cluster_count && block->node_count <= 2 * block->cluster_count &&
           block->depth <= 2 * TMB_RTREE_HEIGHT;
}

static int fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch)
{
    (void)context, (void)thread_count, (void)scratch;
    memcpy((char *)block + block->offsets[TMB_SECTION_NODES], from, (size_t)tmb_rtree_bytes(block));
    tmb_rtree_fit(block);
    return 1;
}

static const tmb_hierarchy_fit fitting = {.fit = fit};
static const tmb_hierarchy_edit editing = {.insert = tmb_edit_insert,
                                           .remove = tmb_edit_remove,
                                           .remove_surface = tmb_edit_remove_surface};

/* A block may hold any number there. */
static void tell(const tmb_block *block, tumble_tuning *out)
{
#define KNOWN_LOAD(name, value, word, text) case value:
    switch (block->rtree.load) {
        TUMBLE_RTREE_LOAD_LIST(KNOWN_LOAD) out->rtree.load = (tumble_rtree_load)block->rtree.load;
    default: break;
    }
#undef KNOWN_LOAD
}

const tmb_hierarchy tmb_hierarchy_RTREE = {
    .number = TUMBLE_HIERARCHY_RTREE,
    .builder = &tmb_rtree_builder,
    .node_bytes = tmb_rtree_bytes,
    .has_good_counts = has_good_counts,
    .validate = tmb_rtree_validate,
    .tell = tell,
    .boxes = &tmb_rtree_boxes,
    .fit = &fitting,
    .edit = &editing,
};
