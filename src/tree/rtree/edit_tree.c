/* Editing R-trees: choosing where a box goes, splitting full nodes, and merging nodes with too few children (Beckmann
 * et al. 1990). Nothing here allocates. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "tree/rtree/edit.h"

/* ---- Boxes ---- */

const tmb_rtree_box tmb_edit_empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static tmb_rtree_box joined(const tmb_rtree_box *a, const tmb_rtree_box *b)
{
    tmb_rtree_box box = *a;
    tmb_rtree_widen(&box, b);
    return box;
}

/* Half of its surface: the volume of flat things is 0. */
double tmb_edit_area(const tmb_rtree_box *box)
{
    const double x = (double)box->upper[0] - (double)box->lower[0], y = (double)box->upper[1] - (double)box->lower[1],
                 z = (double)box->upper[2] - (double)box->lower[2];
    return x >= 0 && y >= 0 && z >= 0 ? (x * y + y * z) + z * x : 0;
}

static double margin(const tmb_rtree_box *box)
{
    TMB_ASSERT(box->lower[0] <= box->upper[0] && box->lower[1] <= box->upper[1] && box->lower[2] <= box->upper[2]);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += (double)box->upper[k] - (double)box->lower[k];
    }
    return sum;
}

static double overlap(const tmb_rtree_box *a, const tmb_rtree_box *b)
{
    tmb_rtree_box common;
    for (int k = 0; k < 3; k++) {
        common.lower[k] = a->lower[k] > b->lower[k] ? a->lower[k] : b->lower[k];
        common.upper[k] = a->upper[k] < b->upper[k] ? a->upper[k] : b->upper[k];
    }
    return tmb_edit_area(&common);
}

static tmb_edit_entry get_entry(const tmb_rtree_node *node, uint32_t i)
{
    TMB_ASSERT(i < node->count);
    const tmb_rtree_node *page = node + i / TMB_RTREE_LANES;
    const uint32_t lane = i % TMB_RTREE_LANES;
    tmb_edit_entry entry = {.child = page->child[lane]};
    for (int k = 0; k < 3; k++) {
        entry.box.lower[k] = page->lower[k][lane];
        entry.box.upper[k] = page->upper[k][lane];
    }
    return entry;
}

static void put_entry(tmb_rtree_node *node, uint32_t i, const tmb_edit_entry *entry)
{
    TMB_ASSERT(i < TUMBLE_RTREE_WIDTH_MOST);
    tmb_rtree_node *page = node + i / TMB_RTREE_LANES;
    const uint32_t lane = i % TMB_RTREE_LANES;
    page->child[lane] = entry->child;
    for (int k = 0; k < 3; k++) {
        page->lower[k][lane] = entry->box.lower[k];
        page->upper[k][lane] = entry->box.upper[k];
    }
}

tmb_rtree_box tmb_edit_node_box(const tmb_rtree_node *node)
{
    TMB_ASSERT(node->count > 0 && node->count <= TUMBLE_RTREE_WIDTH_MOST);
    tmb_rtree_box box = tmb_edit_empty_box;
    for (uint32_t i = 0; i < node->count; i++) {
        const tmb_edit_entry entry = get_entry(node, i);
        tmb_rtree_widen(&box, &entry.box);
    }
    return box;
}

const tmb_edit_bounds tmb_edit_empty_bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

void tmb_edit_widen_bounds(tmb_edit_bounds *bounds, const tmb_edit_bounds *other)
{
    for (int k = 0; k < 3; k++) {
        bounds->lower[k] = other->lower[k] < bounds->lower[k] ? other->lower[k] : bounds->lower[k];
        bounds->upper[k] = other->upper[k] > bounds->upper[k] ? other->upper[k] : bounds->upper[k];
    }
}

/* ---- Trees ---- */

tmb_edit_tree tmb_edit_tree_of(tmb_edit *e, uint32_t surface)
{
    TMB_ASSERT(surface == TMB_EDIT_NONE || surface < e->surface_count);
    if (surface == TMB_EDIT_NONE) {
        return (tmb_edit_tree){surface, &e->header.rtree.root, &e->header.rtree.height};
    }
    return (tmb_edit_tree){surface, &e->surfaces[surface].root, &e->surfaces[surface].height};
}

static tmb_rtree_box leaf_box(tmb_edit *e, uint32_t surface, uint32_t leaf)
{
    if (surface != TMB_EDIT_NONE) {
        return tmb_edit_cluster_box(e, leaf);
    }
    const tmb_rtree_surface *own = &e->surfaces[leaf];
    return own->height ? tmb_edit_node_box(tmb_edit_at(e, own->root)) : tmb_edit_cluster_box(e, own->root);
}

tmb_rtree_box tmb_edit_tree_box(tmb_edit *e, uint32_t surface)
{
    const tmb_edit_tree tree = tmb_edit_tree_of(e, surface);
    return *tree.height ? tmb_edit_node_box(tmb_edit_at(e, *tree.root)) : leaf_box(e, surface, *tree.root);
}

/* Of a node, a surface or a cluster. */
static const tmb_edit_bounds *bounds_of(const tmb_edit *e, uint32_t surface, int is_node, uint32_t child)
{
    if (!is_node && surface == TMB_EDIT_NONE) {
        const tmb_rtree_surface *own = &e->surfaces[child];
        is_node = own->height > 0;
        child = own->root;
    }
    return is_node ? &e->node_facts[child].bounds : &e->cluster_bounds[child];
}

const tmb_edit_bounds *tmb_edit_model_bounds(const tmb_edit *e)
{
    TMB_ASSERT(e->surface_count > 0);
    return bounds_of(e, TMB_EDIT_NONE, e->header.rtree.height > 0, e->header.rtree.root);
}

static uint32_t root_mark(uint32_t surface)
{
    TMB_ASSERT(surface == TMB_EDIT_NONE || surface < TMB_EDIT_ROOT);
    return surface == TMB_EDIT_NONE ? TMB_EDIT_NONE : TMB_EDIT_ROOT | surface;
}

static int is_root(uint32_t parent)
{
    return (parent & TMB_EDIT_ROOT) != 0;
}

void tmb_edit_set_parent(tmb_edit *e, uint32_t surface, int is_node, uint32_t child, uint32_t parent)
{
    if (is_node) {
        e->node_facts[child].parent = parent;
    } else if (surface == TMB_EDIT_NONE) {
        e->surface_parents[child] = parent;
    } else {
        e->cluster_parents[child] = parent;
    }
}

void tmb_edit_set_root(tmb_edit *e, uint32_t surface, uint32_t root, uint32_t height)
{
    const tmb_edit_tree tree = tmb_edit_tree_of(e, surface);
    *tree.root = root;
    *tree.height = height;
    tmb_edit_set_parent(e, surface, height > 0, root, root_mark(surface));
}

static uint32_t leaf_parent(const tmb_edit *e, uint32_t surface, uint32_t leaf)
{
    return surface == TMB_EDIT_NONE ? e->surface_parents[leaf] : e->cluster_parents[leaf];
}

static uint32_t position_of(const tmb_rtree_node *node, uint32_t child)
{
    TMB_ASSERT(node->count > 0);
    uint32_t i = 0;
    while (tmb_rtree_child(node, i) != child) {
        i++;
    }
    return i;
}

/* What is known of a node from its children: triangles and their bounds. */
static void sum_up(tmb_edit *e, uint32_t surface, uint32_t number)
{
    const tmb_rtree_node *node = tmb_edit_at(e, number);
    tmb_edit_node *facts = &e->node_facts[number];
    facts->triangles = 0;
    facts->bounds = tmb_edit_empty_bounds;
    for (uint32_t i = 0; i < node->count; i++) {
        const uint32_t child = tmb_rtree_child(node, i);
        if (surface != TMB_EDIT_NONE) {
            facts->triangles +=
                node->level > 0 ? e->node_facts[child].triangles : tmb_cluster_triangle_count(e->places + child);
        }
        tmb_edit_widen_bounds(&facts->bounds, bounds_of(e, surface, node->level > 0, child));
    }
}

/* Places without a child have the empty box, and child 0. */
static void clear_entries(const tmb_edit *e, tmb_rtree_node *node)
{
    const tmb_edit_entry none = {0, tmb_edit_empty_box};
    for (uint32_t i = node->count; i < e->pages * TMB_RTREE_LANES; i++) {
        put_entry(node, i, &none);
    }
}

void tmb_edit_fill_node(tmb_edit *e, uint32_t surface, uint32_t number, const tmb_edit_entry *entries, uint32_t count)
{
    TMB_ASSERT(count >= 1 && count <= e->width);
    TMB_ASSERT(number < e->node_used);
    tmb_rtree_node *node = tmb_edit_at(e, number);
    node->count = count;
    for (uint32_t i = 0; i < count; i++) {
        put_entry(node, i, &entries[i]);
        tmb_edit_set_parent(e, surface, node->level > 0, entries[i].child, number);
    }
    clear_entries(e, node);
    sum_up(e, surface, number);
    e->work++;
}

/* From a node up to the root: the boxes and counts above follow those below. Then the tree over surfaces. */
void tmb_edit_node_changed(tmb_edit *e, uint32_t surface, uint32_t number)
{
    TMB_ASSERT(number < e->node_used);
    for (;;) {
        sum_up(e, surface, number);
        e->work++;
        const uint32_t parent = e->node_facts[number].parent;
        if (is_root(parent)) {
            break;
        }
        const tmb_edit_entry entry = {number, tmb_edit_node_box(tmb_edit_at(e, number))};
        put_entry(tmb_edit_at(e, parent), position_of(tmb_edit_at(e, parent), number), &entry);
        number = parent;
    }
    if (surface != TMB_EDIT_NONE) {
        tmb_edit_leaf_changed(e, TMB_EDIT_NONE, surface);
    }
}

void tmb_edit_leaf_changed(tmb_edit *e, uint32_t surface, uint32_t leaf)
{
    const uint32_t parent = leaf_parent(e, surface, leaf);
    if (!is_root(parent)) {
        const tmb_edit_entry entry = {leaf, leaf_box(e, surface, leaf)};
        put_entry(tmb_edit_at(e, parent), position_of(tmb_edit_at(e, parent), leaf), &entry);
        tmb_edit_node_changed(e, surface, parent);
    } else if (surface != TMB_EDIT_NONE) {
        tmb_edit_leaf_changed(e, TMB_EDIT_NONE, surface);
    }
}

/* ---- Choosing ---- */

typedef struct choice {
    double overlap, growth, area;
} choice;

static int is_better(const choice *a, const choice *b)
{
    if (a->overlap != b->overlap) {
        return a->overlap < b->overlap;
    }
    return a->growth != b->growth ? a->growth < b->growth : a->area < b->area;
}

/* By how much more a child would overlap the others. */
static double more_overlap(const tmb_rtree_box *boxes, uint32_t count, uint32_t own, const tmb_rtree_box *grown)
{
    double more = 0;
    for (uint32_t i = 0; i < count; i++) {
        more += i == own ? 0 : overlap(&boxes[i], grown) - overlap(&boxes[i], &boxes[own]);
    }
    return more;
}

/* The least growth; in R*-trees, where children are leaves, the least growth of what they have in common with others.
 */
uint32_t tmb_edit_choose(const tmb_edit *e, const tmb_rtree_node *node, const tmb_rtree_box *box)
{
    TMB_ASSERT(node->count > 0 && node->count <= e->width);
    const int by_overlap = node->level == 0 && !tmb_edit_is_guttman(e);
    tmb_rtree_box boxes[TUMBLE_RTREE_WIDTH_MOST];
    choice best = {0};
    uint32_t best_child = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        boxes[i] = get_entry(node, i).box;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const tmb_rtree_box grown = joined(&boxes[i], box);
        const double area = tmb_edit_area(&boxes[i]);
        const choice own = {by_overlap ? more_overlap(boxes, node->count, i, &grown) : 0, tmb_edit_area(&grown) - area,
                            area};
        if (i == 0 || is_better(&own, &best)) {
            best = own;
            best_child = i;
        }
    }
    return tmb_rtree_child(node, best_child);
}

/* ---- Cutting ---- */

/* Numbers of boxes by their lower or upper sides along an axis; equals by the other side. */
static void sort_boxes(const tmb_rtree_box *boxes, uint32_t count, int axis, int by_upper, uint8_t *order)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    for (uint32_t i = 0; i < count; i++) {
        const float low = boxes[i].lower[axis], high = boxes[i].upper[axis];
        const float first = by_upper ? high : low, second = by_upper ? low : high;
        uint32_t at = i;
        for (; at > 0; at--) {
            const tmb_rtree_box *other = &boxes[order[at - 1]];
            const float other_first = by_upper ? other->upper[axis] : other->lower[axis];
            const float other_second = by_upper ? other->lower[axis] : other->upper[axis];
            if (other_first < first || (other_first == first && other_second <= second)) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = (uint8_t)i;
    }
}

typedef struct cut {
    double overlap, area;
    uint32_t first; /* how many are in the first group; 0: none was found */
    uint8_t order[TMB_EDIT_SPLIT_MOST];
} cut;

typedef struct cutting {
    const tmb_rtree_box *boxes;
    uint32_t count, least;
    tmb_edit_fits *fits;
    const void *user;
} cutting;

/* All cuts of one order: the sum of their margins, and the best of them where it is better than `best`. */
static double try_order(const cutting *c, const uint8_t *order, cut *best)
{
    tmb_rtree_box firsts[TMB_EDIT_SPLIT_MOST + 1], seconds[TMB_EDIT_SPLIT_MOST + 1];
    double margins = 0;
    firsts[0] = seconds[c->count] = tmb_edit_empty_box;
    for (uint32_t i = 0; i < c->count; i++) {
        firsts[i + 1] = joined(&firsts[i], &c->boxes[order[i]]);
    }
    for (uint32_t i = c->count; i > 0; i--) {
        seconds[i - 1] = joined(&seconds[i], &c->boxes[order[i - 1]]);
    }
    for (uint32_t i = c->least; i <= c->count - c->least; i++) {
        const double common = overlap(&firsts[i], &seconds[i]);
        const double area = tmb_edit_area(&firsts[i]) + tmb_edit_area(&seconds[i]);
        const int better = best->first == 0 || common < best->overlap || (common == best->overlap && area < best->area);
        margins += margin(&firsts[i]) + margin(&seconds[i]);
        if (better && (!c->fits || c->fits(c->user, order, i))) {
            best->overlap = common, best->area = area, best->first = i;
            memcpy(best->order, order, c->count);
        }
    }
    return margins;
}

/* The axis is the one with the least margins. */
static uint32_t split_by_margins(const tmb_rtree_box *boxes, uint32_t count, uint32_t least, tmb_edit_fits *fits,
                                 const void *user, uint8_t order[TMB_EDIT_SPLIT_MOST])
{
    TMB_ASSERT(count <= TMB_EDIT_SPLIT_MOST);
    TMB_ASSERT(least >= 1 && 2 * least <= count);
    const cutting c = {boxes, count, least, fits, user};
    double best_margins = INFINITY;
    cut best = {.first = 0};
    for (int axis = 0; axis < 3; axis++) {
        cut own = {.first = 0};
        double margins = 0;
        for (int by_upper = 0; by_upper < 2; by_upper++) {
            uint8_t sorted[TMB_EDIT_SPLIT_MOST];
            sort_boxes(boxes, count, axis, by_upper, sorted);
            margins += try_order(&c, sorted, &own);
        }
        if (own.first && (best.first == 0 || margins < best_margins)) {
            best_margins = margins;
            best = own;
        }
    }
    memcpy(order, best.order, count);
    return best.first;
}

uint32_t tmb_edit_split(const tmb_edit *e, const tmb_rtree_box *boxes, uint32_t count, uint32_t least,
                        tmb_edit_fits *fits, const void *user, uint8_t order[TMB_EDIT_SPLIT_MOST])
{
    if (tmb_edit_is_guttman(e)) {
        const int is_linear = e->load == TUMBLE_RTREE_LOAD_GUTTMAN_LINEAR;
        const uint32_t first = tmb_edit_split_guttman(boxes, count, least, is_linear, order);
        if (!fits || fits(user, order, first)) {
            return first;
        }
    }
    return split_by_margins(boxes, count, least, fits, user, order);
}

void tmb_edit_sort_by_distance(const tmb_rtree_box *boxes, uint32_t count, uint8_t order[TMB_EDIT_SPLIT_MOST])
{
    TMB_ASSERT(count <= TMB_EDIT_SPLIT_MOST);
    tmb_rtree_box all = tmb_edit_empty_box;
    double distances[TMB_EDIT_SPLIT_MOST];
    for (uint32_t i = 0; i < count; i++) {
        tmb_rtree_widen(&all, &boxes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        distances[i] = 0;
        for (int k = 0; k < 3; k++) {
            const double off =
                ((double)boxes[i].lower[k] + (double)boxes[i].upper[k]) - ((double)all.lower[k] + (double)all.upper[k]);
            distances[i] += off * off;
        }
        for (; at > 0 && distances[order[at - 1]] < distances[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = (uint8_t)i;
    }
}

/* Cuts entries in two nodes. What has changed below is shared out. */
static void split_entries(tmb_edit *e, uint32_t surface, const tmb_edit_entry *entries, uint32_t count, uint32_t first,
                          uint32_t second)
{
    TMB_ASSERT(first != second);
    TMB_ASSERT(count >= 2 * e->least);
    tmb_rtree_box boxes[TMB_EDIT_SPLIT_MOST] = {entries[0].box};
    tmb_edit_entry sorted[TMB_EDIT_SPLIT_MOST] = {{0}};
    uint8_t order[TMB_EDIT_SPLIT_MOST];
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = entries[i].box;
    }
    const uint32_t left = tmb_edit_split(e, boxes, count, e->least, NULL, NULL, order);
    const uint32_t updates = e->node_facts[first].updates + e->node_facts[second].updates;
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = entries[order[i]];
    }
    tmb_edit_fill_node(e, surface, first, sorted, left);
    tmb_edit_fill_node(e, surface, second, sorted + left, count - left);
    e->node_facts[first].updates = updates / 2;
    e->node_facts[second].updates = updates - updates / 2;
}

/* ---- Inserting ---- */

static void grow_root(tmb_edit *e, uint32_t surface, uint32_t first, uint32_t second)
{
    const tmb_edit_tree tree = tmb_edit_tree_of(e, surface);
    const uint32_t height = *tree.height, root = tmb_edit_take_node(e, height);
    const tmb_edit_entry entries[2] = {{first, tmb_edit_node_box(tmb_edit_at(e, first))},
                                       {second, tmb_edit_node_box(tmb_edit_at(e, second))}};
    tmb_edit_fill_node(e, surface, root, entries, 2);
    e->node_facts[root].updates = e->node_facts[first].updates + e->node_facts[second].updates;
    tmb_edit_set_root(e, surface, root, height + 1);
}

int tmb_edit_reinserts(const tmb_edit *e, uint32_t surface)
{
    return e->one_by_one && !tmb_edit_is_guttman(e) && surface != TMB_EDIT_NONE &&
           e->surfaces[surface].height <= TMB_EDIT_TALL / 2;
}

/* The first time that a level is full, some children are reinserted. Returns 0 if it is not the first time. */
static int reinsert(tmb_edit *e, uint32_t surface, uint32_t number, const tmb_edit_entry *entries)
{
    const uint32_t level = tmb_edit_at(e, number)->level, all = e->width + 1, moved = tmb_edit_reinserted(e->width);
    const uint32_t bit = 2u << (level % (TMB_EDIT_TALL / 2));
    tmb_rtree_box boxes[TUMBLE_RTREE_WIDTH_MOST + 1];
    tmb_edit_entry sorted[TUMBLE_RTREE_WIDTH_MOST + 1];
    uint8_t order[TMB_EDIT_SPLIT_MOST];
    if (!tmb_edit_reinserts(e, surface) || e->reinserted & bit || is_root(e->node_facts[number].parent)) {
        return 0;
    }
    e->reinserted |= bit;
    for (uint32_t i = 0; i < all; i++) {
        boxes[i] = entries[i].box;
    }
    tmb_edit_sort_by_distance(boxes, all, order);
    for (uint32_t i = 0; i < all; i++) {
        sorted[i] = entries[order[i]];
    }
    tmb_edit_fill_node(e, surface, number, sorted + moved, all - moved);
    tmb_edit_node_changed(e, surface, number);
    for (uint32_t i = moved; i-- > 0;) { /* the nearest of them first */
        uint32_t to = *tmb_edit_tree_of(e, surface).root;
        while (tmb_edit_at(e, to)->level > level) {
            to = tmb_edit_choose(e, tmb_edit_at(e, to), &sorted[i].box);
        }
        tmb_edit_insert_leaf(e, surface, to, &sorted[i]);
    }
    return 1;
}

void tmb_edit_insert_leaf(tmb_edit *e, uint32_t surface, uint32_t number, const tmb_edit_entry *entry)
{
    TMB_ASSERT(number < e->node_used);
    tmb_edit_entry entries[TUMBLE_RTREE_WIDTH_MOST + 1];
    tmb_edit_entry added = *entry;
    while (tmb_edit_at(e, number)->count == e->width) {
        const uint32_t parent = e->node_facts[number].parent;
        for (uint32_t i = 0; i < e->width; i++) {
            entries[i] = get_entry(tmb_edit_at(e, number), i);
        }
        entries[e->width] = added;
        if (reinsert(e, surface, number, entries)) {
            return;
        }
        const uint32_t other = tmb_edit_take_node(e, tmb_edit_at(e, number)->level);
        split_entries(e, surface, entries, e->width + 1, number, other);
        if (is_root(parent)) {
            grow_root(e, surface, number, other);
            tmb_edit_node_changed(e, surface, number);
            return;
        }
        const tmb_edit_entry own = {number, tmb_edit_node_box(tmb_edit_at(e, number))};
        put_entry(tmb_edit_at(e, parent), position_of(tmb_edit_at(e, parent), number), &own);
        added = (tmb_edit_entry){other, tmb_edit_node_box(tmb_edit_at(e, other))};
        number = parent;
    }
    tmb_rtree_node *node = tmb_edit_at(e, number);
    put_entry(node, node->count++, &added);
    tmb_edit_set_parent(e, surface, node->level > 0, added.child, number);
    tmb_edit_node_changed(e, surface, number);
}

/* ---- Removing ---- */

static void remove_entry(const tmb_edit *e, tmb_rtree_node *node, uint32_t child)
{
    const tmb_edit_entry last = get_entry(node, node->count - 1);
    put_entry(node, position_of(node, child), &last);
    node->count--;
    clear_entries(e, node);
}

/* A root with one child is replaced by it. */
static void shrink_root(tmb_edit *e, uint32_t surface)
{
    const tmb_edit_tree tree = tmb_edit_tree_of(e, surface);
    while (*tree.height > 0 && tmb_edit_at(e, *tree.root)->count == 1) {
        const uint32_t root = *tree.root, child = tmb_rtree_child(tmb_edit_at(e, root), 0);
        tmb_edit_set_root(e, surface, child, *tree.height - 1);
        tmb_edit_give_node(e, root);
    }
    if (*tree.height > 0) {
        tmb_edit_node_changed(e, surface, *tree.root);
    } else {
        tmb_edit_leaf_changed(e, surface, *tree.root);
    }
}

/* The neighbour that grows least by joining; `number` itself where there is none. */
static uint32_t best_neighbour(const tmb_edit *e, uint32_t parent, uint32_t number)
{
    const tmb_rtree_node *node = tmb_edit_at(e, parent);
    const tmb_rtree_box own = tmb_edit_node_box(tmb_edit_at(e, number));
    uint32_t best = number;
    double least = INFINITY;
    for (uint32_t i = 0; i < node->count; i++) {
        const tmb_edit_entry entry = get_entry(node, i);
        const tmb_rtree_box both = joined(&entry.box, &own);
        const double growth = tmb_edit_area(&both) - tmb_edit_area(&entry.box);
        if (entry.child != number && (best == number || growth < least)) {
            best = entry.child;
            least = growth;
        }
    }
    return best;
}

/* Merges a node with too few children into a neighbour, or redistributes the children of both. Returns 1 if the node is
 * gone. */
static int join_neighbour(tmb_edit *e, uint32_t surface, uint32_t parent, uint32_t number)
{
    const uint32_t other = best_neighbour(e, parent, number);
    tmb_edit_entry entries[TMB_EDIT_SPLIT_MOST];
    uint32_t count = 0;
    if (other == number) {
        return 0;
    }
    for (uint32_t i = 0; i < tmb_edit_at(e, other)->count; i++) {
        entries[count++] = get_entry(tmb_edit_at(e, other), i);
    }
    for (uint32_t i = 0; i < tmb_edit_at(e, number)->count; i++) {
        entries[count++] = get_entry(tmb_edit_at(e, number), i);
    }
    if (count > e->width) {
        split_entries(e, surface, entries, count, other, number);
    } else {
        e->node_facts[other].updates += e->node_facts[number].updates;
        tmb_edit_fill_node(e, surface, other, entries, count);
        remove_entry(e, tmb_edit_at(e, parent), number);
        tmb_edit_give_node(e, number);
    }
    const tmb_edit_entry entry = {other, tmb_edit_node_box(tmb_edit_at(e, other))};
    put_entry(tmb_edit_at(e, parent), position_of(tmb_edit_at(e, parent), other), &entry);
    return count <= e->width;
}

int tmb_edit_remove_leaf(tmb_edit *e, uint32_t surface, uint32_t leaf)
{
    TMB_ASSERT(surface == TMB_EDIT_NONE || surface < e->surface_count);
    uint32_t number = leaf_parent(e, surface, leaf);
    if (is_root(number)) {
        return 1;
    }
    remove_entry(e, tmb_edit_at(e, number), leaf);
    while (!is_root(e->node_facts[number].parent) && tmb_edit_at(e, number)->count < e->least) {
        const uint32_t parent = e->node_facts[number].parent;
        if (tmb_edit_at(e, number)->count == 0) {
            remove_entry(e, tmb_edit_at(e, parent), number);
            tmb_edit_give_node(e, number);
        } else if (!join_neighbour(e, surface, parent, number)) {
            break;
        }
        number = parent;
    }
    if (!is_root(e->node_facts[number].parent)) {
        tmb_edit_node_changed(e, surface, number);
    } else if (tmb_edit_at(e, number)->count > 0) {
        shrink_root(e, surface);
    } else {
        tmb_edit_give_node(e, number);
        return 1;
    }
    return 0;
}

/* ---- Surfaces ---- */

void tmb_edit_hang_surface(tmb_edit *e, uint32_t surface)
{
    TMB_ASSERT(surface < e->surface_count);
    const tmb_edit_tree tree = tmb_edit_tree_of(e, TMB_EDIT_NONE);
    const tmb_edit_entry entry = {surface, leaf_box(e, TMB_EDIT_NONE, surface)};
    if (e->surface_count == 1) {
        tmb_edit_set_root(e, TMB_EDIT_NONE, surface, 0);
        return;
    }
    if (*tree.height == 0) {
        const tmb_edit_entry entries[2] = {{*tree.root, leaf_box(e, TMB_EDIT_NONE, *tree.root)}, entry};
        const uint32_t root = tmb_edit_take_node(e, 0);
        tmb_edit_fill_node(e, TMB_EDIT_NONE, root, entries, 2);
        tmb_edit_set_root(e, TMB_EDIT_NONE, root, 1);
        return;
    }
    uint32_t number = *tree.root;
    while (tmb_edit_at(e, number)->level > 0) {
        number = tmb_edit_choose(e, tmb_edit_at(e, number), &entry.box);
    }
    tmb_edit_insert_leaf(e, TMB_EDIT_NONE, number, &entry);
}

void tmb_edit_unhang_surface(tmb_edit *e, uint32_t surface)
{
    TMB_ASSERT(surface < e->surface_count);
    if (tmb_edit_remove_leaf(e, TMB_EDIT_NONE, surface)) {
        e->header.rtree.root = e->header.rtree.height = 0;
    }
}
