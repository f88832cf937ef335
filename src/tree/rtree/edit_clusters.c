/* Clusters of R-trees that change: triangles into them and out of them. Nothing here allocates. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/rounding.h"
#include "tree/rtree/edit.h"

/* ---- The triangles of a polygon ---- */

static void put_polygon(tmb_edit *e, uint32_t address, uint32_t polygon)
{
    TMB_ASSERT(address / TMB_CLUSTER_TRIANGLES < e->cluster_used);
    const uint8_t packed[4] = {(uint8_t)polygon, (uint8_t)(polygon >> 8), (uint8_t)(polygon >> 16),
                               (uint8_t)(polygon >> 24)};
    memcpy(e->polygons + 4 * (size_t)address, packed, sizeof packed);
}

static uint32_t polygon_at(const tmb_edit *e, uint32_t address)
{
    TMB_ASSERT(address / TMB_CLUSTER_TRIANGLES < e->cluster_used);
    TMB_ASSERT(address % TMB_CLUSTER_TRIANGLES <
               tmb_cluster_triangle_count(e->places + address / TMB_CLUSTER_TRIANGLES));
    const uint8_t *p = e->polygons + 4 * (size_t)address;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void ring(tmb_edit *e, uint32_t address)
{
    uint32_t *known = &e->polygon_addresses[polygon_at(e, address)];
    if (*known == TMB_EDIT_NONE) {
        e->rings[address] = (tmb_edit_ring){address, address};
        *known = address;
        e->polygon_count++;
        return;
    }
    const uint32_t next = e->rings[*known].next;
    e->rings[address] = (tmb_edit_ring){next, *known};
    e->rings[next].previous = address;
    e->rings[*known].next = address;
}

static void unring(tmb_edit *e, uint32_t address)
{
    TMB_ASSERT(e->rings[e->rings[address].next].previous == address);
    TMB_ASSERT(e->rings[e->rings[address].previous].next == address);
    uint32_t *known = &e->polygon_addresses[polygon_at(e, address)];
    const tmb_edit_ring own = e->rings[address];
    if (own.next == address) {
        *known = TMB_EDIT_NONE;
        e->polygon_count--;
        return;
    }
    e->rings[own.next].previous = own.previous;
    e->rings[own.previous].next = own.next;
    *known = *known == address ? own.next : *known;
}

void tmb_edit_unring_cluster(tmb_edit *e, uint32_t cluster)
{
    for (uint32_t t = 0; t < tmb_cluster_triangle_count(e->places + cluster); t++) {
        unring(e, tmb_triangle_address(cluster, t));
    }
}

/* ---- Reading and writing ---- */

uint32_t tmb_edit_read_cluster(const tmb_edit *e, uint32_t cluster, tmb_edit_triangle *out)
{
    TMB_ASSERT(cluster < e->cluster_used);
    const uint32_t count = tmb_cluster_triangle_count(e->places + cluster);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t address = tmb_triangle_address(cluster, t);
        tmb_cluster_triangle(e->places, e->clusters, e->is_float, address, out[t].corners);
        out[t].polygon = polygon_at(e, address);
        out[t].reserved = 0;
    }
    return count;
}

/* Distinct corners. */
typedef struct packing {
    uint32_t words[3], triangle_count, corner_count;
    double corners[TMB_CLUSTER_CORNERS][3];
} packing;

/* Also of zeros: what is stored is what was given. */
static int same_bits(const double a[3], const double b[3])
{
    uint64_t x[3], y[3];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

/* 0, and nothing has changed, when it does not fit. */
static int pack_triangle(packing *p, const tmb_edit_triangle *triangle)
{
    uint32_t numbers[3], count = p->corner_count;
    if (p->triangle_count == TMB_CLUSTER_TRIANGLES) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t i = 0;
        while (i < count && !same_bits(p->corners[i], triangle->corners[k])) {
            i++;
        }
        if (i == TMB_CLUSTER_CORNERS) {
            return 0;
        }
        memcpy(p->corners[i], triangle->corners[k], sizeof *p->corners);
        count += i == count;
        numbers[k] = i;
    }
    for (int k = 0; k < 3; k++) {
        p->words[k] |= numbers[k] << 4 * p->triangle_count;
    }
    p->corner_count = count;
    p->triangle_count++;
    return 1;
}

uint32_t tmb_edit_fitting(const tmb_edit_triangle *triangles, uint32_t count)
{
    packing p = {.triangle_count = 0};
    while (p.triangle_count < count && pack_triangle(&p, &triangles[p.triangle_count])) {
    }
    return p.triangle_count;
}

static tmb_edit_bounds bounds_of(const tmb_edit_triangle *triangles, uint32_t count)
{
    TMB_ASSERT(count > 0);
    tmb_edit_bounds bounds = tmb_edit_empty_bounds;
    for (uint32_t i = 0; i < 9 * count; i++) {
        const uint32_t k = i % 3;
        const double x = triangles[i / 9].corners[i / 3 % 3][k];
        bounds.lower[k] = x < bounds.lower[k] ? x : bounds.lower[k];
        bounds.upper[k] = x > bounds.upper[k] ? x : bounds.upper[k];
    }
    return bounds;
}

void tmb_edit_write_cluster(tmb_edit *e, uint32_t cluster, const tmb_edit_triangle *triangles, uint32_t count)
{
    TMB_ASSERT(cluster < e->cluster_used);
    TMB_ASSERT(count <= TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(tmb_edit_fitting(triangles, count) == count);
    packing p = {.triangle_count = 0};
    uint32_t *words = e->clusters + e->places[cluster].offset;
    float *floats = (float *)(words + TMB_CLUSTER_HEAD_FLOAT);
    double *doubles = (double *)(void *)(words + TMB_CLUSTER_HEAD_DOUBLE);
    for (uint32_t t = 0; t < count; t++) {
        (void)pack_triangle(&p, &triangles[t]);
        put_polygon(e, tmb_triangle_address(cluster, t), triangles[t].polygon);
    }
    memcpy(words, p.words, sizeof p.words);
    for (uint32_t i = 0; i < TMB_CLUSTER_CORNERS; i++) {
        const double *corner = p.corners[i < p.corner_count ? i : 0];
        for (uint32_t k = 0; k < 3; k++) {
            if (e->is_float) {
                floats[k * TMB_CLUSTER_CORNERS + i] = (float)corner[k];
            } else {
                doubles[k * TMB_CLUSTER_CORNERS + i] = corner[k];
            }
        }
    }
    e->places[cluster].triangles = tmb_cluster_triangles(TMB_CLUSTER_TRIANGLES * cluster, count);
    e->cluster_bounds[cluster] = bounds_of(triangles, count);
    for (uint32_t t = 0; t < count; t++) {
        ring(e, tmb_triangle_address(cluster, t));
    }
    e->work++;
}

/* ---- Boxes ---- */

static tmb_rtree_box rounded(const tmb_edit *e, const tmb_edit_bounds *bounds)
{
    tmb_rtree_box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = tmb_float_below((bounds->lower[k] - e->frame.centre[k]) * e->frame.scale);
        box.upper[k] = tmb_float_above((bounds->upper[k] - e->frame.centre[k]) * e->frame.scale);
    }
    return box;
}

static tmb_rtree_box box_of(const tmb_edit *e, const tmb_edit_triangle *triangles, uint32_t count)
{
    const tmb_edit_bounds bounds = bounds_of(triangles, count);
    return rounded(e, &bounds);
}

tmb_rtree_box tmb_edit_triangle_box(const tmb_edit *e, const tmb_edit_triangle *triangle)
{
    return box_of(e, triangle, 1);
}

tmb_rtree_box tmb_edit_cluster_box(const tmb_edit *e, uint32_t cluster)
{
    TMB_ASSERT(cluster < e->cluster_used);
    return rounded(e, &e->cluster_bounds[cluster]);
}

int tmb_edit_in_frame(const tmb_local_frame *frame, const double point[3])
{
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        inside &= fabs((point[k] - frame->centre[k]) * frame->scale) <= 1;
    }
    return inside;
}

/* ---- Inserting ---- */

typedef struct triangle_list {
    const tmb_edit_triangle *items;
    uint32_t count;
} triangle_list;

static int both_fit(const void *user, const uint8_t *order, uint32_t first)
{
    const triangle_list *list = user;
    packing p[2] = {{.triangle_count = 0}, {.triangle_count = 0}};
    for (uint32_t i = 0; i < list->count; i++) {
        if (!pack_triangle(&p[i >= first], &list->items[order[i]])) {
            return 0;
        }
    }
    return 1;
}

/* Shares out the triangles of a cluster and one more, which are too many or have too many corners: 5 always fit. */
static void split_cluster(tmb_edit *e, const tmb_edit_triangle *triangles, uint32_t count, uint32_t first,
                          uint32_t second)
{
    TMB_ASSERT(count >= 2 * e->cluster_least && count <= TMB_CLUSTER_TRIANGLES + 1);
    TMB_ASSERT(first != second);
    tmb_rtree_box boxes[TMB_CLUSTER_TRIANGLES + 1];
    tmb_edit_triangle sorted[TMB_CLUSTER_TRIANGLES + 1];
    uint8_t order[TMB_EDIT_SPLIT_MOST];
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = tmb_edit_triangle_box(e, &triangles[i]);
    }
    const triangle_list list = {triangles, count};
    const uint32_t cut = tmb_edit_split(e, boxes, count, e->cluster_least, both_fit, &list, order);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = triangles[order[i]];
    }
    tmb_edit_write_cluster(e, first, sorted, cut);
    tmb_edit_write_cluster(e, second, sorted + cut, count - cut);
}

static uint32_t choose_cluster(tmb_edit *e, uint32_t surface, const tmb_rtree_box *box)
{
    const tmb_edit_tree tree = tmb_edit_tree_of(e, surface);
    uint32_t number = *tree.root;
    for (uint32_t height = *tree.height; height > 0; height--) {
        number = tmb_edit_choose(e, tmb_edit_at(e, number), box);
    }
    return number;
}

/* A cluster beside one that is already in the tree. */
static void insert_cluster(tmb_edit *e, uint32_t surface, uint32_t known, uint32_t added)
{
    TMB_ASSERT(known != added);
    const uint32_t parent = e->cluster_parents[known];
    const tmb_edit_entry entry = {added, tmb_edit_cluster_box(e, added)};
    if (!(parent & TMB_EDIT_ROOT)) {
        tmb_edit_leaf_changed(e, surface, known);
        tmb_edit_insert_leaf(e, surface, parent, &entry);
        return;
    }
    const tmb_edit_entry entries[2] = {{known, tmb_edit_cluster_box(e, known)}, entry};
    const uint32_t root = tmb_edit_take_node(e, 0);
    tmb_edit_fill_node(e, surface, root, entries, 2);
    tmb_edit_set_root(e, surface, root, 1);
    tmb_edit_node_changed(e, surface, root);
}

static uint32_t put_triangle(tmb_edit *e, uint32_t surface, const tmb_edit_triangle *triangle);

/* The first time that a cluster is full, some of its triangles are reinserted. Returns 0 if it is not the first time,
 * or the rest would not fit either. */
static int reinsert(tmb_edit *e, uint32_t surface, uint32_t cluster, const tmb_edit_triangle *triangles, uint32_t count)
{
    TMB_ASSERT(count <= TMB_CLUSTER_TRIANGLES + 1);
    tmb_rtree_box boxes[TMB_CLUSTER_TRIANGLES + 1];
    tmb_edit_triangle sorted[TMB_CLUSTER_TRIANGLES + 1];
    uint8_t order[TMB_EDIT_SPLIT_MOST];
    const uint32_t moved = tmb_edit_reinserted(e->cluster_most);
    if (!tmb_edit_reinserts(e, surface) || e->reinserted & 1 || e->cluster_parents[cluster] & TMB_EDIT_ROOT) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = tmb_edit_triangle_box(e, &triangles[i]);
    }
    tmb_edit_sort_by_distance(boxes, count, order);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = triangles[order[i]];
    }
    const uint32_t kept = count - moved;
    if (tmb_edit_fitting(sorted + moved, kept) < kept) {
        return 0;
    }
    e->reinserted |= 1;
    tmb_edit_write_cluster(e, cluster, sorted + moved, kept);
    tmb_edit_leaf_changed(e, surface, cluster);
    for (uint32_t i = moved; i-- > 0;) {
        (void)put_triangle(e, surface, &sorted[i]);
    }
    return 1;
}

static uint32_t put_triangle(tmb_edit *e, uint32_t surface, const tmb_edit_triangle *triangle)
{
    tmb_edit_triangle triangles[TMB_CLUSTER_TRIANGLES + 1];
    const tmb_rtree_box box = tmb_edit_triangle_box(e, triangle);
    const uint32_t cluster = choose_cluster(e, surface, &box);
    const uint32_t count = tmb_edit_read_cluster(e, cluster, triangles);
    triangles[count] = *triangle;
    tmb_edit_unring_cluster(e, cluster);
    if (count < e->cluster_most && tmb_edit_fitting(triangles, count + 1) == count + 1) {
        tmb_edit_write_cluster(e, cluster, triangles, count + 1);
        tmb_edit_leaf_changed(e, surface, cluster);
    } else if (!reinsert(e, surface, cluster, triangles, count + 1)) {
        const uint32_t added = tmb_edit_take_cluster(e);
        split_cluster(e, triangles, count + 1, cluster, added);
        insert_cluster(e, surface, cluster, added);
    }
    return cluster;
}

uint32_t tmb_edit_insert_triangle(tmb_edit *e, uint32_t surface, const tmb_edit_triangle *triangle)
{
    TMB_ASSERT(surface < e->surface_count);
    e->surfaces[surface].triangle_count++;
    e->triangle_count++;
    e->reinserted = 0;
    return put_triangle(e, surface, triangle);
}

/* A leaf that is inserted splits a node on each level at most, and one more becomes the root. With reinsertions there
 * are more leaves: those of a cluster, and on each level those of a node. */
int tmb_edit_reserve_one(tmb_edit *e, uint32_t surface)
{
    const size_t height = surface == TMB_EDIT_NONE ? 0 : e->surfaces[surface].height;
    const size_t levels = height + 2, top = e->header.rtree.height + 2, again = tmb_edit_reinserted(e->width);
    const size_t leaves = e->one_by_one ? 1 + again * (1 + levels) : 1;
    return tmb_edit_reserve(e, 1 + again, leaves * levels + top, 1);
}

/* ---- Removing ---- */

uint32_t tmb_edit_surface_of(const tmb_edit *e, uint32_t cluster)
{
    TMB_ASSERT(cluster < e->cluster_used);
    uint32_t parent = e->cluster_parents[cluster];
    while (!(parent & TMB_EDIT_ROOT)) {
        parent = e->node_facts[parent].parent;
    }
    return parent & ~TMB_EDIT_ROOT;
}

/* The neighbour into which a small cluster goes best; TMB_EDIT_NONE: there is none. */
static uint32_t joining_cluster(const tmb_edit *e, uint32_t cluster, const tmb_edit_triangle *own, uint32_t count)
{
    const uint32_t parent = e->cluster_parents[cluster];
    uint32_t best = TMB_EDIT_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; !(parent & TMB_EDIT_ROOT) && i < tmb_edit_at(e, parent)->count; i++) {
        tmb_edit_triangle triangles[2 * TMB_CLUSTER_TRIANGLES];
        const uint32_t other = tmb_rtree_child(tmb_edit_at(e, parent), i),
                       others = tmb_edit_read_cluster(e, other, triangles);
        memcpy(triangles + others, own, count * sizeof *own);
        if (other == cluster || others + count > e->cluster_most ||
            tmb_edit_fitting(triangles, others + count) < others + count) {
            continue;
        }
        const tmb_rtree_box before = box_of(e, triangles, others), after = box_of(e, triangles, others + count);
        const double growth = tmb_edit_area(&after) - tmb_edit_area(&before);
        if (best == TMB_EDIT_NONE || growth < least) {
            best = other;
            least = growth;
        }
    }
    return best;
}

/* Removes an empty cluster from its tree, and the surface if it is empty too. */
static void remove_cluster(tmb_edit *e, uint32_t surface, uint32_t cluster)
{
    const int is_last = tmb_edit_remove_leaf(e, surface, cluster);
    tmb_edit_give_cluster(e, cluster);
    if (is_last) {
        tmb_edit_unhang_surface(e, surface);
        tmb_edit_drop_surface(e, surface);
        e->top_updates++;
    }
}

void tmb_edit_remove_triangle(tmb_edit *e, uint32_t address)
{
    TMB_ASSERT(address / TMB_CLUSTER_TRIANGLES < e->cluster_used);
    TMB_ASSERT(address % TMB_CLUSTER_TRIANGLES <
               tmb_cluster_triangle_count(e->places + address / TMB_CLUSTER_TRIANGLES));
    const uint32_t cluster = address / TMB_CLUSTER_TRIANGLES, surface = tmb_edit_surface_of(e, cluster);
    tmb_edit_triangle triangles[2 * TMB_CLUSTER_TRIANGLES];
    uint32_t count = tmb_edit_read_cluster(e, cluster, triangles);
    tmb_edit_unring_cluster(e, cluster);
    triangles[address % TMB_CLUSTER_TRIANGLES] = triangles[--count];
    e->surfaces[surface].triangle_count--;
    e->triangle_count--;
    const uint32_t other =
        count < e->cluster_least && count > 0 ? joining_cluster(e, cluster, triangles, count) : TMB_EDIT_NONE;
    if (other != TMB_EDIT_NONE) {
        e->places[cluster].triangles = tmb_cluster_triangles(TMB_CLUSTER_TRIANGLES * cluster, 0);
        tmb_edit_unring_cluster(e, other);
        memcpy(triangles + TMB_CLUSTER_TRIANGLES, triangles, count * sizeof *triangles);
        const uint32_t others = tmb_edit_read_cluster(e, other, triangles);
        memmove(triangles + others, triangles + TMB_CLUSTER_TRIANGLES, count * sizeof *triangles);
        tmb_edit_write_cluster(e, other, triangles, others + count);
        tmb_edit_leaf_changed(e, surface, other);
        remove_cluster(e, surface, cluster);
    } else if (count > 0) {
        tmb_edit_write_cluster(e, cluster, triangles, count);
        tmb_edit_leaf_changed(e, surface, cluster);
    } else {
        remove_cluster(e, surface, cluster);
    }
}
