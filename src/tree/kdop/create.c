/* From triangles to a block with a tree of k-DOPs. */
#include <string.h>

#include "tree/creation.h"
#include "tree/kdop/lookup.h"
#include "tree/kdop/node_hulls.h"
#include "tree/kdop/vertices.h"

typedef struct kdop_draft {
    tmb_kdop_tree tree;
} kdop_draft;

/* Leaves with one triangle allow any clusters. Others need their triangles in sequence, and larger ones in clusters of
 * their own. */
static int cluster_leaves(tmb_creation *c)
{
    const kdop_draft *draft = c->draft;
    const uint32_t *corners = c->set.corners, *order = draft->tree.order;
    if (c->options.tuning->kdop.leaf == 1) {
        return tmb_clusters_group(&c->arena, c->options.thread_count, corners, order, c->set.count, &c->clusters);
    }
    uint8_t *starts = NULL;
    if (c->options.tuning->kdop.leaf >= TMB_KDOP_CLUSTERED) {
        starts = tmb_arena_allocate(&c->arena, c->set.count, sizeof *starts);
        if (!starts) {
            return 0;
        }
        tmb_kdop_mark_leaves(&draft->tree, c->set.count, starts);
    }
    return tmb_clusters_cut(&c->arena, corners, order, starts, c->set.count, &c->clusters);
}

/* Its bounds come later: write_nodes. */
static tumble_status build(tmb_creation *c)
{
    kdop_draft *draft = tmb_creation_draft(c, sizeof *draft);
    if (!draft) {
        return tmb_fail_memory(c->context, "a k-DOP tree");
    }
    const tumble_status status = tmb_kdop_build(&c->arena, &c->set, &c->options, &draft->tree);
    if (status != TUMBLE_OK) {
        return status;
    }
    return cluster_leaves(c) ? TUMBLE_OK : tmb_fail_memory(c->context, "the clusters");
}

static void set_header(tmb_creation *c)
{
    const tumble_kdop_options *options = &c->options.tuning->kdop;
    const kdop_draft *draft = c->draft;
    c->header.kdop = (tmb_kdop_root){.k = options->k, .leaf = options->leaf, .bare_leaves = options->bare_leaves};
    if (options->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        c->header.kdop.tumble = TUMBLE_KDOP_TUMBLE_LOOKUP;
    }
    if (draft) {
        c->header.node_count = draft->tree.node_count;
        c->header.depth = draft->tree.depth;
    }
}

/* The number of vertices is known only after the k-DOPs' bounds. */
static tumble_status add_vertices(tmb_creation *c)
{
    uint32_t *first = tmb_arena_allocate(&c->arena, (size_t)tmb_kdop_volumes(&c->header) + 2, sizeof *first);
    uint64_t total;
    if (!first || !tmb_kdop_count_vertices(c->context, c->options.thread_count, c->block, first, &total)) {
        return tmb_fail_memory(c->context, "the vertices of a k-DOP tree");
    }
    if (total > UINT32_MAX) {
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE,
                        "the k-DOPs have %llu vertices, more than 32 bits can count", (unsigned long long)total);
    }
    c->header.kdop.tumble = TUMBLE_KDOP_TUMBLE_VERTICES;
    c->header.kdop.vertex_count = (uint32_t)total;
    const tumble_status status = tmb_creation_enlarge(c);
    if (status != TUMBLE_OK) {
        return status;
    }
    return tmb_kdop_write_vertices(c->context, c->options.thread_count, c->block, first)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the threads that build a model");
}

/* They are built from what the block has. */
static tumble_status add_hulls(tmb_creation *c)
{
    const uint32_t levels = c->options.tuning->kdop.hull;
    tmb_kdop_hulls hulls;
    if (!tmb_kdop_build_hulls(&c->arena, c->block, levels, &hulls)) {
        return tmb_fail_memory(c->context, "the convex hulls of a k-DOP tree");
    }
    if (hulls.point_count > UINT32_MAX || hulls.link_count > UINT32_MAX) { /* coverage: a model of 10^8 triangles */
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE,
                        "the convex hulls have %llu points and %llu neighbours of "
                        "these, more than 32 bits can count: keep those of fewer levels",
                        (unsigned long long)hulls.point_count, (unsigned long long)hulls.link_count);
    }
    c->header.kdop.hull_count = (uint32_t)hulls.point_count;
    c->header.kdop.hull_links = (uint32_t)hulls.link_count;
    c->header.kdop.hull_nodes = hulls.count;
    c->header.kdop.hull_levels = levels;
    const tumble_status status = tmb_creation_enlarge(c);
    if (status == TUMBLE_OK) {
        tmb_kdop_write_hulls(&hulls, c->block);
    }
    return status;
}

static tumble_status write_nodes(tmb_creation *c)
{
    const kdop_draft *draft = c->draft;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(c->block);
    char *nodes = tmb_creation_section(c, TMB_SECTION_NODES);
    const tmb_kdop_view view = tmb_kdop_view_of(c->block, nodes);
    if (view.has_bare_leaves) {
        memset(nodes, 0, parts.rows);
    }
    memset(nodes + parts.lookups - TMB_CACHE_LINE, 0,
           parts.end - parts.lookups + TMB_CACHE_LINE); /* also what lies between the parts */
    tmb_kdop_write(&draft->tree, c->set.count, c->clusters.addresses, (uint32_t *)(void *)(nodes + parts.links),
                   view.link_step);
    const uint32_t threads = c->options.thread_count;
    int ok = tmb_kdop_fit(c->context, threads, c->block, NULL);
    if (ok && c->header.kdop.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        ok = tmb_kdop_fill_lookups(c->context, threads, c->block);
    }
    if (!ok) {
        return tmb_fail_memory(c->context, "the nodes of a k-DOP tree");
    }
    const int vertices = c->options.tuning->kdop.tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    const tumble_status status = vertices ? add_vertices(c) : TUMBLE_OK;
    return status == TUMBLE_OK && c->options.tuning->kdop.hull ? add_hulls(c) : status;
}

static int has_valid_tuning(const tumble_tuning *tuning)
{
    const tumble_kdop_options *kdop = &tuning->kdop;
    return tmb_kdop_set_of(kdop->k) && kdop->leaf >= 1 && kdop->leaf <= TUMBLE_KDOP_LEAF_MOST &&
           kdop->hull <= TUMBLE_KDOP_HULL_MOST && (unsigned)kdop->split <= TUMBLE_KDOP_SPLIT_MIN_MAX &&
           (unsigned)kdop->at <= TUMBLE_KDOP_AT_BEST && (unsigned)kdop->tumble <= TUMBLE_KDOP_TUMBLE_AXES;
}

const tmb_hierarchy_builder tmb_kdop_builder = {
    .has_valid_tuning = has_valid_tuning, .build = build, .set_header = set_header, .write_nodes = write_nodes};
