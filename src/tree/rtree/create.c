/* From triangles to a block with R-trees. */
#include <string.h>

#include "tree/creation.h"
#include "tree/rtree/edit.h"
#include "tree/rtree/rtree.h"

/* Its boxes come later: write_nodes. */
static tumble_status build(tmb_creation *c)
{
    tmb_rtree *draft = tmb_creation_draft(c, sizeof *draft);
    if (!draft) {
        return tmb_fail_memory(c->context, "R-trees");
    }
    const uint32_t *ids = c->mesh->surface_ids;
    uint32_t *surfaces = NULL;
    if (ids && c->triangle_polygons) {
        surfaces = tmb_arena_allocate(&c->arena, c->set.count, sizeof *surfaces);
        if (!surfaces) {
            return tmb_fail_memory(c->context, "the surfaces of triangles");
        }
        for (size_t i = 0; i < c->set.count; i++) {
            surfaces[i] = ids[c->triangle_polygons[i]];
        }
    }
    return tmb_rtree_build(&c->arena, &c->set, surfaces ? surfaces : ids, &c->options, &c->clusters, draft);
}

static void set_header(tmb_creation *c)
{
    const tmb_rtree *tree = c->draft;
    c->header.rtree.width = tmb_rtree_kept_width(c->options.tuning->rtree.width);
    if (tree) {
        c->header.node_count = tree->node_count;
        c->header.depth = tree->depth;
        c->header.rtree = tree->root;
    }
}

static tumble_status write_nodes(tmb_creation *c)
{
    const tmb_rtree *tree = c->draft;
    tmb_rtree_node *nodes = tmb_creation_section(c, TMB_SECTION_NODES);
    const size_t pages = (size_t)tree->node_count * tmb_rtree_pages(c->options.tuning->rtree.width);
    memcpy(nodes, tree->nodes, pages * sizeof *nodes);
    memcpy(nodes + pages, tree->surfaces, tree->root.surface_count * sizeof *tree->surfaces);
    tmb_rtree_fit(c->block);
    return TUMBLE_OK;
}

/* Triangles may come one by one, with a block at the end. */
static tumble_status make_block(tmb_creation *c)
{
    return c->options.tuning->rtree.load >= TUMBLE_RTREE_LOAD_INSERT
               ? tmb_edit_load(c->context, c->mesh, &c->facts, &c->options.tuning->rtree, &c->block)
               : tmb_creation_make_block(c);
}

static int has_valid_tuning(const tumble_tuning *tuning)
{
    return (unsigned)tuning->rtree.load <= TUMBLE_RTREE_LOAD_GUTTMAN_LINEAR &&
           tuning->rtree.width >= TUMBLE_RTREE_WIDTH_LEAST && tuning->rtree.width <= TUMBLE_RTREE_WIDTH_MOST;
}

const tmb_hierarchy_builder tmb_rtree_builder = {.has_valid_tuning = has_valid_tuning,
                                                 .make_block = make_block,
                                                 .build = build,
                                                 .set_header = set_header,
                                                 .write_nodes = write_nodes};
