/* From triangles to a block with a boxtree. */
#include <string.h>

#include "tree/boxtree/boxtree.h"
#include "tree/creation.h"

static tumble_status build(tmb_creation *c)
{
    tmb_boxtree *draft = tmb_creation_draft(c, sizeof *draft);
    if (!draft) {
        return tmb_fail_memory(c->context, "a boxtree");
    }
    const uint32_t threads = c->options.thread_count;
    const tumble_status status = tmb_boxtree_build(&c->arena, &c->set, &c->options, draft);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!tmb_clusters_group(&c->arena, threads, c->set.corners, draft->order, c->set.count, &c->clusters)) {
        return tmb_fail_memory(c->context, "the clusters");
    }
    tmb_boxtree_readdress(draft, c->clusters.addresses);
    return TUMBLE_OK;
}

static void set_header(tmb_creation *c)
{
    const tmb_boxtree *tree = c->draft;
    if (tree) {
        c->header.node_count = tree->node_count;
        c->header.depth = tree->depth;
        c->header.boxtree = tree->root;
    }
}

static tumble_status write_nodes(tmb_creation *c)
{
    const tmb_boxtree *tree = c->draft;
    memcpy(tmb_creation_section(c, TMB_SECTION_NODES), tree->nodes, tree->node_bytes);
    return TUMBLE_OK;
}

static int has_valid_tuning(const tumble_tuning *tuning)
{
    const tumble_boxtree_options *tree = &tuning->boxtree;
    return (unsigned)tree->layout <= TUMBLE_BOXTREE_TWO_PLANES && (unsigned)tree->axes <= TUMBLE_BOXTREE_LONGEST_AXIS &&
           (unsigned)tree->criterion <= TUMBLE_BOXTREE_VOLUME_COUNT &&
           (unsigned)tree->growth <= TUMBLE_BOXTREE_GROW_RUNNING &&
           (unsigned)tree->planes <= TUMBLE_BOXTREE_PLANES_PARALLEL && tree->trim >= 0 && tree->trim <= 1;
}

const tmb_hierarchy_builder tmb_boxtree_builder = {
    .has_valid_tuning = has_valid_tuning, .build = build, .set_header = set_header, .write_nodes = write_nodes};
