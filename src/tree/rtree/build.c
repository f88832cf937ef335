/* R-trees over surfaces and triangles, bulk loaded: the triangles of a surface into clusters, these into nodes, level
 * by level, and the surfaces likewise. */
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "tree/mesh_validate.h"
#include "tree/rtree/rtree.h"

typedef struct building {
    const tmb_triangle_set *set;
    tumble_rtree_load load;
    uint32_t width, cluster_most;
    tmb_local_frame frame;
    tmb_rtree_item *items; /* of the level that is packed */
    tmb_rtree_box *boxes;  /* of what the items stand for */
    tmb_sort_item *keys;   /* scratch memory, two for each triangle */
    uint32_t *sorted;      /* triangles, in the order of their surfaces */
    tmb_cluster_draft *drafts;
    uint32_t *order; /* of the triangles, in that of the drafts */
    size_t draft_count;
    size_t surface_drafts; /* of these, before the surface that is built */
    tmb_rtree *tree;
} building;

/* ---- Boxes ---- */

static const tmb_rtree_box empty_box = {{4, 4, 4}, {-4, -4, -4}};

/* Where it lies, well enough for sorting. */
static tmb_rtree_box triangle_box(const building *b, uint32_t triangle)
{
    tmb_rtree_box box = empty_box;
    for (int i = 0; i < 3; i++) {
        tmb_rtree_box corner;
        double p[3];
        tmb_mesh_point(b->set->mesh, b->set->corners[3 * (size_t)triangle + (size_t)i], p);
        for (int k = 0; k < 3; k++) {
            corner.lower[k] = corner.upper[k] = (float)((p[k] - b->frame.centre[k]) * b->frame.scale);
        }
        tmb_rtree_widen(&box, &corner);
    }
    return box;
}

/* ---- Clusters ---- */

/* Appends the clusters of a group of triangles: one, or two where their corners are too many. */
static void add_group(building *b, const tmb_rtree_item *items, size_t count, size_t *triangle)
{
    TMB_ASSERT(count >= 1 && count <= b->cluster_most);
    tmb_rtree_box box = empty_box;
    tmb_cluster_draft *draft = &b->drafts[b->draft_count];
    memset(draft, 0, sizeof *draft);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = b->set->corners + 3 * (size_t)items[i].number;
        if (!tmb_cluster_add(draft, corners)) {
            b->boxes[b->draft_count++ - b->surface_drafts] = box;
            box = empty_box;
            draft = &b->drafts[b->draft_count];
            memset(draft, 0, sizeof *draft);
            (void)tmb_cluster_add(draft, corners);
        }
        const tmb_rtree_box own = triangle_box(b, items[i].number);
        tmb_rtree_widen(&box, &own);
        b->order[(*triangle)++] = items[i].number;
    }
    b->boxes[b->draft_count++ - b->surface_drafts] = box;
}

static void cluster_surface(building *b, size_t begin, size_t end)
{
    const size_t count = end - begin, groups = tmb_rtree_groups(count, b->cluster_most);
    size_t triangle = begin;
    for (size_t i = 0; i < count; i++) {
        const tmb_rtree_box box = triangle_box(b, b->sorted[begin + i]);
        b->items[i] = tmb_rtree_item_of(&box, b->sorted[begin + i]);
    }
    tmb_rtree_pack(b->load, b->items, count, b->cluster_most, b->keys);
    for (size_t i = 0; i < groups; i++) {
        const size_t first = tmb_rtree_group(count, groups, i), last = tmb_rtree_group(count, groups, i + 1);
        add_group(b, b->items + first, last - first, &triangle);
    }
}

/* ---- Trees ---- */

typedef struct subtree {
    uint32_t root, height;
    tmb_rtree_box box;
} subtree;

static void add_node(building *b, const tmb_rtree_item *items, size_t count, uint32_t level, tmb_rtree_box *box)
{
    TMB_ASSERT(count >= 1 && count <= b->width);
    TMB_ASSERT(level < tmb_rtree_height_most(b->width));
    const uint32_t pages = tmb_rtree_pages(b->width);
    tmb_rtree_node *node = &b->tree->nodes[(size_t)b->tree->node_count++ * pages];
    memset(node, 0, pages * sizeof *node);
    node->count = (uint32_t)count;
    node->level = level;
    for (size_t i = 0; i < count; i++) {
        node[i / TMB_RTREE_LANES].child[i % TMB_RTREE_LANES] = items[i].number;
    }
    *box = empty_box;
}

/* A tree over `count` children with the numbers from `first` on, whose boxes are b->boxes[0 .. count]. */
static subtree build_tree(building *b, uint32_t first, size_t count)
{
    TMB_ASSERT(count > 0);
    subtree out = {.root = first, .height = 0};
    for (size_t i = 0; i < count; i++) {
        b->items[i] = tmb_rtree_item_of(&b->boxes[i], first + (uint32_t)i);
    }
    while (count > 1) {
        const size_t groups = tmb_rtree_groups(count, b->width);
        const uint32_t base = b->tree->node_count;
        tmb_rtree_pack(b->load, b->items, count, b->width, b->keys);
        tmb_rtree_box *above = (tmb_rtree_box *)(void *)b->keys;
        for (size_t i = 0; i < groups; i++) {
            const size_t begin = tmb_rtree_group(count, groups, i), end = tmb_rtree_group(count, groups, i + 1);
            add_node(b, b->items + begin, end - begin, out.height, &above[i]);
            for (size_t j = begin; j < end; j++) {
                tmb_rtree_widen(&above[i], &b->boxes[b->items[j].number - first]);
            }
        }
        for (size_t i = 0; i < groups; i++) {
            b->boxes[i] = above[i];
            b->items[i] = tmb_rtree_item_of(&above[i], base + (uint32_t)i);
        }
        out.root = first = base;
        count = groups;
        out.height++;
    }
    out.box = b->boxes[0];
    return out;
}

/* ---- Surfaces ---- */

static size_t sort_by_surface(building *b, const uint32_t *surface_of)
{
    size_t surfaces = 1;
    for (size_t i = 0; i < b->set->count; i++) {
        b->keys[i] = (tmb_sort_item){surface_of ? surface_of[i] : 0, i};
    }
    const tmb_sort_item *sorted = surface_of ? tmb_sort(b->keys, b->keys + b->set->count, b->set->count) : b->keys;
    for (size_t i = 0; i < b->set->count; i++) {
        b->sorted[i] = (uint32_t)sorted[i].value;
        surfaces += i > 0 && sorted[i].key != sorted[i - 1].key;
    }
    return surfaces;
}

static subtree build_surface(building *b, size_t begin, size_t end, uint32_t id, tmb_rtree_surface *out)
{
    b->surface_drafts = b->draft_count;
    cluster_surface(b, begin, end);
    const subtree tree = build_tree(b, (uint32_t)b->surface_drafts, b->draft_count - b->surface_drafts);
    *out = (tmb_rtree_surface){tree.root, tree.height, id, (uint32_t)(end - begin)};
    return tree;
}

static uint32_t id_of(const building *b, const uint32_t *surface_of, size_t i)
{
    return surface_of ? surface_of[b->sorted[i]] : 0;
}

static void build_all(building *b, const uint32_t *surface_of, tmb_rtree_box *boxes)
{
    uint32_t surfaces = 0, highest = 0;
    for (size_t begin = 0, end; begin < b->set->count; begin = end) {
        const uint32_t id = id_of(b, surface_of, begin);
        for (end = begin + 1; end < b->set->count && id_of(b, surface_of, end) == id; end++) {
        }
        const subtree tree = build_surface(b, begin, end, id, &b->tree->surfaces[surfaces]);
        boxes[surfaces++] = tree.box;
        highest = tree.height > highest ? tree.height : highest;
    }
    memcpy(b->boxes, boxes, surfaces * sizeof *boxes);
    const subtree top = build_tree(b, 0, surfaces);
    b->tree->root = (tmb_rtree_root){.surface_count = surfaces,
                                     .root = top.root,
                                     .height = top.height,
                                     .load = b->load,
                                     .width = tmb_rtree_kept_width(b->width)};
    b->tree->depth = top.height + highest + 1;
}

tumble_status tmb_rtree_build(tmb_arena *arena, const tmb_triangle_set *set, const uint32_t *surface_of,
                              const tumble_model_options *options, tmb_clusters *clusters, tmb_rtree *out)
{
    TMB_ASSERT(set->count > 0);
    const size_t count = set->count;
    building b = {.set = set,
                  .load = options->tuning->rtree.load,
                  .width = options->tuning->rtree.width,
                  .cluster_most = tmb_rtree_cluster_most(options->tuning->rtree.width),
                  .frame = tmb_local_frame_of(set->lower, set->upper),
                  .items = tmb_arena_allocate(arena, count, sizeof *b.items),
                  .keys = tmb_arena_allocate(arena, 2 * count, sizeof *b.keys),
                  .sorted = tmb_arena_allocate(arena, count, sizeof *b.sorted),
                  .order = tmb_arena_allocate(arena, count, sizeof *b.order),
                  .tree = out};
    if (!b.items || !b.keys || !b.sorted || !b.order) {
        return tmb_fail_memory(arena->context, "building R-trees");
    }
    /* each surface fills up to one group that is not full, and each group becomes two clusters at most; a level of a
     * tree has half as many nodes as the one below, or with odd numbers and narrow nodes a little more */
    const size_t surfaces = sort_by_surface(&b, surface_of), most = 2 * (count / b.cluster_most + surfaces);
    const size_t nodes = (b.width < 4 ? 2 : 1) * (most + surfaces);
    b.drafts = tmb_arena_allocate(arena, most, sizeof *b.drafts);
    b.boxes = tmb_arena_allocate(arena, most, sizeof *b.boxes);
    tmb_rtree_box *boxes = tmb_arena_allocate(arena, surfaces, sizeof *boxes);
    out->nodes = tmb_arena_allocate(arena, nodes, tmb_rtree_pages(b.width) * sizeof *out->nodes);
    out->surfaces = tmb_arena_allocate(arena, surfaces, sizeof *out->surfaces);
    if (!b.drafts || !b.boxes || !boxes || !out->nodes || !out->surfaces) {
        return tmb_fail_memory(arena->context, "building R-trees");
    }
    build_all(&b, surface_of, boxes);
    *clusters = (tmb_clusters){.drafts = b.drafts, .count = b.draft_count, .order = b.order};
    return TUMBLE_OK;
}
