/* The convex hulls of nodes of a k-DOP tree.
 *
 * The vertices of a hull are among those of the hulls of its parts. So hulls are built from the deepest level up, and
 * only the deepest ones look at triangles: many levels take little longer than one. */
#include "tree/kdop/node_hulls.h"

#include <string.h>

#include "base/assert.h"

/* ---- Which nodes ---- */

typedef struct hull_builder {
    tmb_arena *arena;
    const tmb_block *block;
    tmb_kdop_view tree;
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    uint32_t levels;
    tmb_kdop_hulls *out;
} hull_builder;

static const uint32_t *links_at(const hull_builder *b, uint32_t node)
{
    return tmb_kdop_links(&b->tree, node);
}

/* Numbers of nodes ascend: those of children are given out in the order in which this meets their parents. */
static void list_children(const hull_builder *b, uint32_t item, uint32_t level)
{
    tmb_kdop_hull *items = b->out->items;
    const uint32_t *links = links_at(b, items[item].node), first = b->out->count;
    if (level + 1 >= b->levels || links[1]) {
        return;
    }
    items[item].children = first;
    items[first] = (tmb_kdop_hull){.node = links[0]};
    items[first + 1] = (tmb_kdop_hull){.node = links[0] + 1};
    b->out->count += 2;
    list_children(b, first, level + 1);
    list_children(b, first + 1, level + 1);
}

static int list_nodes(const hull_builder *b)
{
    TMB_ASSERT(b->levels >= 1 && b->levels <= TUMBLE_KDOP_HULL_MOST);
    const uint64_t most = ((uint64_t)1 << b->levels) - 1;
    b->out->items =
        tmb_arena_allocate(b->arena, most < b->block->node_count ? most : b->block->node_count, sizeof *b->out->items);
    if (!b->out->items) {
        return 0;
    }
    b->out->items[0] = (tmb_kdop_hull){.node = TMB_KDOP_ROOT};
    b->out->count = 1;
    list_children(b, 0, 0);
    return 1;
}

/* ---- Their points ---- */

/* Points, each once, in the order in which they come: that of the leaves, which the hull is built faster from. */
typedef struct point_list {
    double (*points)[3];
    size_t count;
    uint32_t *table; /* open addressing: one more than the number of a point; 0: free */
    size_t mask;
} point_list;

static uint64_t hash_of(const double point[3])
{
    uint64_t words[3], hash = 0;
    memcpy(words, point, sizeof words);
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ words[k]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return hash;
}

static void add_point(point_list *list, const double point[3])
{
    size_t place = (size_t)hash_of(point) & list->mask;
    while (list->table[place]) {
        if (memcmp(list->points[list->table[place] - 1], point, sizeof list->points[0]) == 0) {
            return;
        }
        place = (place + 1) & list->mask;
    }
    memcpy(list->points[list->count++], point, sizeof list->points[0]);
    list->table[place] = (uint32_t)list->count;
}

static void add_leaf(const hull_builder *b, const uint32_t *links, point_list *list)
{
    uint32_t address = links[0];
    for (uint32_t i = links[1]; i > 0; i--) {
        double corners[3][3];
        tmb_cluster_triangle(b->places, b->clusters, (int)b->block->points_are_float, address, corners);
        for (int c = 0; c < 3; c++) {
            add_point(list, corners[c]);
        }
        address = tmb_next_triangle(b->places, address);
    }
}

static void add_leaves(const hull_builder *b, uint32_t node, point_list *list)
{
    const uint32_t *links = links_at(b, node);
    while (!links[1]) { /* the second child is done in the same call */
        add_leaves(b, links[0], list);
        links = links_at(b, links[0] + 1);
    }
    add_leaf(b, links, list);
}

static size_t count_triangles(const hull_builder *b, uint32_t node)
{
    const uint32_t *links = links_at(b, node);
    size_t count = 0;
    while (!links[1]) {
        count += count_triangles(b, links[0]);
        links = links_at(b, links[0] + 1);
    }
    return count + links[1];
}

/* The corners of the triangles below a node. */
static int list_corners(const hull_builder *b, tmb_arena *own, uint32_t node, point_list *list)
{
    const size_t most = 3 * count_triangles(b, node);
    size_t room = 2;
    while (room < 2 * most) {
        room *= 2;
    }
    *list = (point_list){.points = tmb_arena_allocate(own, most, sizeof *list->points),
                         .table = tmb_arena_allocate(own, room, sizeof *list->table),
                         .mask = room - 1};
    if (!list->points || !list->table) {
        return 0;
    }
    memset(list->table, 0, room * sizeof *list->table);
    add_leaves(b, node, list);
    return 1;
}

/* The vertices of both children's hulls. */
static int join_children(tmb_arena *own, const tmb_kdop_hull *children, point_list *list)
{
    const size_t first = children[0].hull.count, second = children[1].hull.count;
    *list =
        (point_list){.points = tmb_arena_allocate(own, first + second, sizeof *list->points), .count = first + second};
    if (!list->points) {
        return 0;
    }
    memcpy(list->points, children[0].points, first * sizeof *list->points);
    memcpy(list->points + first, children[1].points, second * sizeof *list->points);
    return 1;
}

/* ---- All together ---- */

static int build_hull(const hull_builder *b, tmb_kdop_hull *item)
{
    tmb_arena own = {.context = b->arena->context};
    point_list list;
    int ok = item->children ? join_children(&own, b->out->items + item->children, &list)
                            : list_corners(b, &own, item->node, &list);
    ok = ok && tmb_hull_build(b->arena, (const double(*)[3])list.points, list.count, &item->hull);
    if (ok) {
        item->points = tmb_arena_allocate(b->arena, item->hull.count, sizeof *item->points);
        ok = item->points != NULL;
    }
    for (uint32_t i = 0; ok && i < item->hull.count; i++) {
        memcpy(item->points[i], list.points[item->hull.vertices[i]], sizeof *item->points);
    }
    tmb_arena_release(&own);
    return ok;
}

int tmb_kdop_build_hulls(tmb_arena *arena, const tmb_block *block, uint32_t levels, tmb_kdop_hulls *out)
{
    const char *base = (const char *)block;
    const hull_builder b = {.arena = arena,
                            .block = block,
                            .tree = tmb_kdop_view_of(block, base + block->offsets[TMB_SECTION_NODES]),
                            .places = (const tmb_cluster_place *)(base + block->offsets[TMB_SECTION_PLACES]),
                            .clusters = (const uint32_t *)(base + block->offsets[TMB_SECTION_CLUSTERS]),
                            .levels = levels,
                            .out = out};
    *out = (tmb_kdop_hulls){.count = 0};
    if (!list_nodes(&b)) {
        return 0;
    }
    for (uint32_t i = out->count; i-- > 0;) {
        if (!build_hull(&b, &out->items[i])) {
            return 0;
        }
        out->point_count += out->items[i].hull.count;
        out->link_count += out->items[i].hull.first[out->items[i].hull.count];
    }
    return 1;
}

/* ---- As they are stored ---- */

void tmb_kdop_write_hulls(const tmb_kdop_hulls *hulls, tmb_block *block)
{
    TMB_ASSERT(hulls->count == block->kdop.hull_nodes && hulls->point_count == block->kdop.hull_count &&
               hulls->link_count == block->kdop.hull_links);
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    char *nodes = (char *)block + block->offsets[TMB_SECTION_NODES];
    tmb_kdop_hull_place *places = (tmb_kdop_hull_place *)(nodes + parts.hull_places), place = {0};
    double(*points)[3] = (double(*)[3])(nodes + parts.hull_points);
    uint32_t *first = (uint32_t *)(nodes + parts.hull_first), *links = (uint32_t *)(nodes + parts.hull_links);
    for (uint32_t i = 0; i < hulls->count; i++) {
        const tmb_kdop_hull *item = &hulls->items[i];
        const uint32_t count = item->hull.count, link_count = item->hull.first[count];
        place.node = item->node;
        places[i] = place;
        memcpy(points + place.point, item->points, count * sizeof *points);
        memcpy(first + place.point + i, item->hull.first, (count + 1) * sizeof *first);
        memcpy(links + place.link, item->hull.neighbours, link_count * sizeof *links);
        place.point += count;
        place.link += link_count;
    }
    place.node = 0;
    places[hulls->count] = place;
}

static const tmb_kdop_hull_place *places_of(const void *nodes, const tmb_kdop_parts *parts)
{
    return (const tmb_kdop_hull_place *)((const char *)nodes + parts->hull_places);
}

uint32_t tmb_kdop_last_hull(const void *nodes, const tmb_kdop_parts *parts, uint32_t hull_count)
{
    TMB_ASSERT(hull_count > 0);
    return places_of(nodes, parts)[hull_count - 1].node;
}

uint32_t tmb_kdop_find_hull(const void *nodes, const tmb_kdop_parts *parts, uint32_t hull_count, uint32_t node)
{
    const tmb_kdop_hull_place *places = places_of(nodes, parts);
    uint32_t low = 0, high = hull_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (places[middle].node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < hull_count && places[low].node == node ? low : TMB_KDOP_NO_HULL;
}

tmb_hull_view tmb_kdop_hull_view(const void *nodes, const tmb_kdop_parts *parts, uint32_t i)
{
    const tmb_kdop_hull_place *place = places_of(nodes, parts) + i;
    const char *bytes = nodes;
    return (tmb_hull_view){.points = (const double(*)[3])(bytes + parts->hull_points) + place[0].point,
                           .first = (const uint32_t *)(bytes + parts->hull_first) + place[0].point + i,
                           .neighbours = (const uint32_t *)(bytes + parts->hull_links) + place[0].link,
                           .count = place[1].point - place[0].point};
}
