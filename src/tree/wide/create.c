/* From triangles to a block with a wide hierarchy. */
#include "tree/creation.h"
#include "tree/wide/build.h"
#include "tree/wide/fit.h"

/* Its nodes come later: write_nodes. */
static tumble_status build(tmb_creation *c)
{
    tmb_wide_tree *draft = tmb_creation_draft(c, sizeof *draft);
    if (!draft) {
        return tmb_fail_memory(c->context, "a wide hierarchy");
    }
    return tmb_wide_build(&c->arena, &c->set, &c->options, &c->clusters, draft);
}

static void set_header(tmb_creation *c)
{
    const tmb_wide_tree *tree = c->draft;
    if (tree) {
        c->header.node_count = tree->node_count;
        c->header.depth = tree->depth;
    }
}

/* Boxes and slabs follow from the clusters as they are stored. */
static tumble_status write_nodes(tmb_creation *c)
{
    tmb_wide_write_links(c->draft, tmb_creation_section(c, TMB_SECTION_NODES));
    return tmb_wide_fit(c->context, c->options.thread_count, c->block, NULL)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the nodes of a wide hierarchy");
}

static int has_valid_tuning(const tumble_tuning *tuning)
{
    return (unsigned)tuning->wide.axes <= TUMBLE_WIDE_LONGEST_AXIS;
}

const tmb_hierarchy_builder tmb_wide_builder = {
    .has_valid_tuning = has_valid_tuning, .build = build, .set_header = set_header, .write_nodes = write_nodes};
