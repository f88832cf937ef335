/* Editing R-trees: packing parts of them anew, and everything that traverses whole trees.
 *
 * Insertions and removals leave nodes that overlap more than packed ones. A subtree of height h (levels of nodes) is
 * therefore packed anew once h/24 of its triangles have come or gone. Packing t triangles takes t log t steps, that is
 * about h for each of them, so that each level adds a constant to the cost of an update: log n in all, amortised. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "tree/rtree/edit.h"

#define SHARE 24
#define SMALL 8        /* updates that never matter */
#define ROOM 0.25      /* of a new frame is used */
#define KEPT 65536     /* bytes of scratch memory, from one edit to the next */
#define CRAMPED 0x1p8  /* a frame that much finer is worth it, */
#define BLURRED 0x1p14 /* and this one cannot wait */

/* ---- Whole trees ---- */

static void collect(const tmb_edit *e, uint32_t root, uint32_t height, tmb_edit_triangle *out, size_t *count)
{
    if (height == 0) {
        *count += tmb_edit_read_cluster(e, root, out + *count);
        return;
    }
    const tmb_rtree_node *node = tmb_edit_at(e, root);
    for (uint32_t i = 0; i < node->count; i++) {
        collect(e, tmb_rtree_child(node, i), height - 1, out, count);
    }
}

/* Frees the nodes of a tree and its clusters. */
static void release(tmb_edit *e, uint32_t root, uint32_t height, int of_surfaces)
{
    if (height == 0) {
        if (!of_surfaces) {
            tmb_edit_unring_cluster(e, root);
            tmb_edit_give_cluster(e, root);
        }
        return;
    }
    for (uint32_t i = 0; i < tmb_edit_at(e, root)->count; i++) {
        release(e, tmb_rtree_child(tmb_edit_at(e, root), i), height - 1, of_surfaces);
    }
    tmb_edit_give_node(e, root);
}

void tmb_edit_clear_surface(tmb_edit *e, uint32_t surface)
{
    const tmb_rtree_surface own = e->surfaces[surface];
    e->triangle_count -= own.triangle_count;
    release(e, own.root, own.height, 0);
    tmb_edit_unhang_surface(e, surface);
    tmb_edit_drop_surface(e, surface);
    e->top_updates++;
}

/* ---- A plan: everything that can fail comes before the first change ---- */

typedef struct plan {
    size_t count;                      /* triangles, or surfaces */
    tmb_edit_triangle *given, *sorted; /* triangles as they come, and in the order of the clusters */
    uint32_t *starts;                  /* where each cluster begins, and the end */
    size_t leaf_count;                 /* clusters, or surfaces */
    tmb_edit_entry *entries, *above;   /* of a level, and of the next one */
    tmb_rtree_item *items;
    tmb_sort_item *keys;
} plan;

static size_t rounded(size_t bytes)
{
    return (bytes + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
}

static void *carve(char **at, size_t count, size_t size)
{
    void *piece = *at;
    *at += rounded(count * size);
    return piece;
}

static int begin_plan(tmb_edit *e, plan *p, size_t count)
{
    const size_t one =
        2 * sizeof *p->given + sizeof *p->starts + 2 * sizeof *p->entries + sizeof *p->items + 2 * sizeof *p->keys;
    if (!tmb_buffer_reserve(e->context, &e->scratch, (count + 1) * one + 8 * TMB_CACHE_LINE, 1, 0)) {
        return 0;
    }
    char *at = e->scratch.data;
    *p = (plan){.count = count};
    p->given = carve(&at, count, sizeof *p->given);
    p->sorted = carve(&at, count, sizeof *p->sorted);
    p->starts = carve(&at, count + 1, sizeof *p->starts);
    p->entries = carve(&at, count, sizeof *p->entries);
    p->above = carve(&at, count, sizeof *p->above);
    p->items = carve(&at, count, sizeof *p->items);
    p->keys = carve(&at, 2 * count, sizeof *p->keys);
    return 1;
}

static void pack_items(tmb_edit *e, plan *p, size_t count, uint32_t width)
{
    uint64_t levels = 1;
    for (size_t rest = count / width; rest > 0; rest /= 2) {
        levels++;
    }
    e->work += count * levels;
    tmb_rtree_pack(e->load, p->items, count, width, p->keys);
}

/* The triangles into clusters. */
static void plan_clusters(tmb_edit *e, plan *p)
{
    const size_t groups = tmb_rtree_groups(p->count, e->cluster_most);
    for (size_t i = 0; i < p->count; i++) {
        const tmb_rtree_box box = tmb_edit_triangle_box(e, &p->given[i]);
        p->items[i] = tmb_rtree_item_of(&box, (uint32_t)i);
    }
    pack_items(e, p, p->count, e->cluster_most);
    for (size_t i = 0; i < p->count; i++) {
        p->sorted[i] = p->given[p->items[i].number];
    }
    for (size_t i = 0; i < groups; i++) {
        size_t at = tmb_rtree_group(p->count, groups, i);
        const size_t end = tmb_rtree_group(p->count, groups, i + 1);
        while (at < end) {
            p->starts[p->leaf_count++] = (uint32_t)at;
            at += tmb_edit_fitting(p->sorted + at, (uint32_t)(end - at));
        }
    }
    p->starts[p->leaf_count] = (uint32_t)p->count;
}

static size_t power_of_least(const tmb_edit *e, uint32_t exponent)
{
    size_t power = 1;
    while (exponent-- > 0) {
        power *= e->least;
    }
    return power;
}

/* How many nodes level `level` of a tree with `height` levels has over `count` children; height 0: as few as
 * possible. */
static size_t node_groups(const tmb_edit *e, size_t count, uint32_t level, uint32_t height)
{
    const size_t fewest = tmb_rtree_groups(count, e->width), least = height ? power_of_least(e, height - 1 - level) : 1;
    return fewest > least ? fewest : least;
}

/* All nodes of a tree over the planned leaves; 0: it cannot have this height. */
static size_t plan_nodes(const tmb_edit *e, const plan *p, uint32_t height)
{
    size_t total = 0, count = p->leaf_count;
    for (uint32_t level = 0; height ? level < height : count > 1; level++) {
        const size_t groups = node_groups(e, count, level, height);
        if (height && count / groups < e->least) {
            return 0;
        }
        total += groups;
        count = groups;
    }
    return count == 1 ? total : 0;
}

/* ---- Carrying it out ---- */

static void write_clusters(tmb_edit *e, plan *p)
{
    for (size_t i = 0; i < p->leaf_count; i++) {
        const uint32_t cluster = tmb_edit_take_cluster(e);
        tmb_edit_write_cluster(e, cluster, p->sorted + p->starts[i], p->starts[i + 1] - p->starts[i]);
        p->entries[i] = (tmb_edit_entry){cluster, tmb_edit_cluster_box(e, cluster)};
    }
}

static void write_level(tmb_edit *e, plan *p, uint32_t surface, size_t *count, uint32_t level, uint32_t height)
{
    const size_t groups = node_groups(e, *count, level, height);
    for (size_t i = 0; i < *count; i++) {
        p->items[i] = tmb_rtree_item_of(&p->entries[i].box, (uint32_t)i);
    }
    pack_items(e, p, *count, e->width);
    for (size_t i = 0; i < groups; i++) {
        const size_t begin = tmb_rtree_group(*count, groups, i), end = tmb_rtree_group(*count, groups, i + 1);
        tmb_edit_entry children[TUMBLE_RTREE_WIDTH_MOST];
        for (size_t j = begin; j < end; j++) {
            children[j - begin] = p->entries[p->items[j].number];
        }
        const uint32_t node = tmb_edit_take_node(e, level);
        tmb_edit_fill_node(e, surface, node, children, (uint32_t)(end - begin));
        p->above[i] = (tmb_edit_entry){node, tmb_edit_node_box(tmb_edit_at(e, node))};
    }
    memcpy(p->entries, p->above, groups * sizeof *p->entries);
    *count = groups;
}

/* The nodes over the entries; returns the height. The root is then the first entry. */
static uint32_t write_nodes(tmb_edit *e, plan *p, uint32_t surface, uint32_t height)
{
    size_t count = p->leaf_count;
    uint32_t level = 0;
    for (; height ? level < height : count > 1; level++) {
        write_level(e, p, surface, &count, level, height);
    }
    return level;
}

int tmb_edit_build_surface(tmb_edit *e, uint32_t surface, const tmb_edit_triangle *more, size_t count)
{
    TMB_ASSERT(surface < e->surface_count);
    TMB_ASSERT(count == 0 || more);
    const tmb_rtree_surface old = e->surfaces[surface];
    const int is_new = old.root == TMB_EDIT_NONE;
    plan p;
    size_t collected = 0;
    if (!begin_plan(e, &p, old.triangle_count + count)) {
        return 0;
    }
    if (!is_new) {
        collect(e, old.root, old.height, p.given, &collected);
    }
    if (count > 0) {
        memcpy(p.given + collected, more, count * sizeof *more);
    }
    plan_clusters(e, &p);
    /* and nodes for the tree over surfaces, where it goes next */
    if (!tmb_edit_reserve(e, p.leaf_count, plan_nodes(e, &p, 0) + tmb_rtree_height_most(e->width) + 1, 0)) {
        return 0;
    }
    if (!is_new) {
        release(e, old.root, old.height, 0);
    }
    write_clusters(e, &p);
    const uint32_t height = write_nodes(e, &p, surface, 0);
    tmb_edit_set_root(e, surface, p.entries[0].child, height);
    e->surfaces[surface].triangle_count = (uint32_t)p.count;
    e->triangle_count += (uint32_t)count;
    e->frame_updates += count;
    if (!is_new) {
        tmb_edit_leaf_changed(e, TMB_EDIT_NONE, surface);
    }
    return 1;
}

/* A node that is not a root; its height stays. If that is impossible the node is left unchanged, and is tried again
 * after another share of changes. */
static void rebuild_node(tmb_edit *e, uint32_t surface, uint32_t number)
{
    TMB_ASSERT(number < e->node_used);
    const uint32_t height = tmb_edit_at(e, number)->level + 1, parent = e->node_facts[number].parent;
    plan p;
    size_t collected = 0, nodes;
    e->node_facts[number].updates = 0;
    if (!begin_plan(e, &p, e->node_facts[number].triangles)) {
        return;
    }
    collect(e, number, height, p.given, &collected);
    plan_clusters(e, &p);
    nodes = plan_nodes(e, &p, height);
    if (nodes == 0 || !tmb_edit_reserve(e, p.leaf_count, nodes, 0)) {
        return;
    }
    uint32_t position = 0;
    while (tmb_rtree_child(tmb_edit_at(e, parent), position) != number) {
        position++;
    }
    release(e, number, height, 0);
    write_clusters(e, &p);
    (void)write_nodes(e, &p, surface, height);
    tmb_edit_at(e, parent)[position / TMB_RTREE_LANES].child[position % TMB_RTREE_LANES] = p.entries[0].child;
    e->node_facts[p.entries[0].child].parent = parent;
    tmb_edit_node_changed(e, surface, p.entries[0].child);
}

void tmb_edit_note_update(tmb_edit *e, uint32_t cluster)
{
    TMB_ASSERT(cluster < e->cluster_used);
    uint32_t worn = TMB_EDIT_NONE, height = 1, parent = e->cluster_parents[cluster];
    e->frame_updates++;
    if (e->one_by_one) {
        return;
    }
    for (; !(parent & TMB_EDIT_ROOT); parent = e->node_facts[parent].parent, height++) {
        tmb_edit_node *facts = &e->node_facts[parent];
        facts->updates++;
        if ((uint64_t)facts->updates * SHARE > (uint64_t)facts->triangles * height + SMALL * SHARE) {
            worn = parent;
        }
    }
    const uint32_t surface = parent & ~TMB_EDIT_ROOT;
    if (worn == TMB_EDIT_NONE) {
        return;
    }
    if (e->node_facts[worn].parent & TMB_EDIT_ROOT) {
        e->node_facts[worn].updates = 0;
        e->top_updates += (uint32_t)tmb_edit_build_surface(e, surface, NULL, 0);
    } else {
        rebuild_node(e, surface, worn);
    }
}

static int rebuild_top(tmb_edit *e)
{
    const tmb_rtree_root old = e->header.rtree;
    plan p;
    e->top_updates = 0;
    if (!begin_plan(e, &p, e->surface_count)) {
        return 0;
    }
    p.leaf_count = p.count;
    if (!tmb_edit_reserve(e, 0, plan_nodes(e, &p, 0), 0)) {
        return 0;
    }
    for (uint32_t i = 0; i < e->surface_count; i++) {
        p.entries[i] = (tmb_edit_entry){i, tmb_edit_tree_box(e, i)};
    }
    release(e, old.root, old.height, 1);
    const uint32_t height = write_nodes(e, &p, TMB_EDIT_NONE, 0);
    tmb_edit_set_root(e, TMB_EDIT_NONE, p.entries[0].child, height);
    return 1;
}

int tmb_edit_keep_low(tmb_edit *e, uint32_t surface)
{
    if (surface != TMB_EDIT_NONE && e->surfaces[surface].height > TMB_EDIT_TALL &&
        !tmb_edit_build_surface(e, surface, NULL, 0)) {
        return 0;
    }
    return e->header.rtree.height <= TMB_EDIT_TALL || rebuild_top(e);
}

/* Whether no node has too few children, so that the height is what it may be. */
static int is_filled(const tmb_edit *e, uint32_t root, uint32_t height, uint32_t least)
{
    if (height == 0) {
        return 1;
    }
    const tmb_rtree_node *node = tmb_edit_at(e, root);
    int filled = node->count >= least;
    for (uint32_t i = 0; i < node->count && filled; i++) {
        filled = is_filled(e, tmb_rtree_child(node, i), height - 1, e->least);
    }
    return filled;
}

int tmb_edit_repair(tmb_edit *e)
{
    for (uint32_t i = 0; i < e->surface_count; i++) {
        if (!is_filled(e, e->surfaces[i].root, e->surfaces[i].height, 2) && !tmb_edit_build_surface(e, i, NULL, 0)) {
            return 0;
        }
    }
    return e->surface_count == 0 || is_filled(e, e->header.rtree.root, e->header.rtree.height, 2) || rebuild_top(e);
}

/* ---- Frames ---- */

static tmb_edit_bounds find_bounds(const tmb_edit *e)
{
    tmb_edit_bounds bounds = tmb_edit_empty_bounds;
    for (uint32_t i = 0; i < e->cluster_used; i++) {
        if (tmb_cluster_triangle_count(e->places + i) > 0) {
            tmb_edit_widen_bounds(&bounds, &e->cluster_bounds[i]);
        }
    }
    return bounds;
}

/* Nodes of a tree over surfaces come after the trees of these. */
static void refit_tree(tmb_edit *e, uint32_t surface, uint32_t root, uint32_t height)
{
    if (height == 0) {
        return;
    }
    tmb_edit_entry entries[TUMBLE_RTREE_WIDTH_MOST];
    const tmb_rtree_node *node = tmb_edit_at(e, root);
    const uint32_t count = node->count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t child = entries[i].child = tmb_rtree_child(node, i);
        refit_tree(e, surface, child, height - 1);
        entries[i].box = height > 1                 ? tmb_edit_node_box(tmb_edit_at(e, child))
                         : surface == TMB_EDIT_NONE ? tmb_edit_tree_box(e, child)
                                                    : tmb_edit_cluster_box(e, child);
    }
    tmb_edit_fill_node(e, surface, root, entries, count);
}

void tmb_edit_refit(tmb_edit *e, const tmb_edit_bounds *more)
{
    tmb_edit_bounds bounds = find_bounds(e);
    if (more) {
        tmb_edit_widen_bounds(&bounds, more);
    }
    e->frame = (tmb_local_frame){.scale = 1};
    if (bounds.lower[0] <= bounds.upper[0]) {
        e->frame = tmb_local_frame_of(bounds.lower, bounds.upper);
        e->frame.scale *= ROOM;
    }
    e->frame_updates = 0;
    if (e->surface_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < e->surface_count; i++) {
        const tmb_rtree_surface own = e->surfaces[i];
        refit_tree(e, i, own.root, own.height);
        tmb_edit_set_root(e, i, own.root, own.height);
    }
    refit_tree(e, TMB_EDIT_NONE, e->header.rtree.root, e->header.rtree.height);
    tmb_edit_set_root(e, TMB_EDIT_NONE, e->header.rtree.root, e->header.rtree.height);
}

/* ---- The end of an edit ---- */

/* Those of a fresh model, to the bit. */
static void tell_bounds(tmb_edit *e)
{
    const tmb_edit_bounds none = {{0}, {0}}, *bounds = e->surface_count > 0 ? tmb_edit_model_bounds(e) : &none;
    for (int k = 0; k < 3; k++) {
        e->header.lower[k] = bounds->lower[k] + 0.0; /* a zero is positive */
        e->header.upper[k] = bounds->upper[k] + 0.0;
    }
}

/* How many times as fine a frame made for the model would be. */
static double finer(const tmb_edit *e)
{
    const tmb_edit_bounds *bounds = tmb_edit_model_bounds(e);
    return tmb_local_frame_of(bounds->lower, bounds->upper).scale * ROOM / e->frame.scale;
}

/* Not for every model that has shrunk, lest it take turns with one that grows; but where floats of the old frame no
 * longer tell triangles apart, at once. What was sorted in that frame, then, is hardly sorted at all. */
static void renew_frame(tmb_edit *e)
{
    const double gain = finer(e);
    const int is_blurred = gain > BLURRED;
    if (!is_blurred && !(gain > CRAMPED && e->frame_updates > e->triangle_count)) {
        return;
    }
    const int is_worn = is_blurred && e->frame_updates * SHARE > e->triangle_count;
    tmb_edit_refit(e, NULL);
    for (uint32_t i = 0; i < e->surface_count && is_worn; i++) {
        (void)tmb_edit_build_surface(e, i, NULL, 0);
    }
    e->top_updates += is_worn ? e->surface_count : 0;
}

void tmb_edit_finish(tmb_edit *e)
{
    if (e->surface_count > 0) {
        renew_frame(e);
    }
    if (e->surface_count > 0 && e->top_updates > e->surface_count / 2 + SMALL && !e->one_by_one) {
        (void)rebuild_top(e);
    }
    if (e->scratch.capacity > KEPT) {
        tmb_buffer_release(e->context, &e->scratch);
    }
    tell_bounds(e);
    e->header.triangle_count = e->triangle_count;
    e->header.polygon_count = e->polygon_count;
    e->header.polygon_limit = e->polygon_limit;
    e->header.cluster_count = e->cluster_used;
    e->header.points_are_float = (uint32_t)e->is_float;
    e->header.rtree.surface_count = e->surface_count;
}
