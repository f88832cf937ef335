/* Building and changing trees over boxes. */
#include "scene/box_tree.h"

#include <string.h>

#include "base/tasks.h"
#include "scene/order.h"

/* Nodes that a thread fills at a time, and nanoseconds for each. */
#define GRAIN 512
#define NODE_NANOSECONDS 30

/* Leaf nodes whose boxes are fetched early. */
#define AHEAD 4

static uint32_t nodes_for(uint32_t count)
{
    return count / TMB_TREE_FAN + (count % TMB_TREE_FAN != 0);
}

/* The levels, and how many nodes they have in all. */
static size_t plan(tmb_box_tree *tree, uint32_t count)
{
    size_t total = 0;
    tree->count = count;
    tree->level_count = 0;
    for (uint32_t n = count; n > 0 && (n > 1 || tree->level_count == 0);) {
        n = nodes_for(n);
        TMB_ASSERT(tree->level_count < TMB_TREE_LEVELS);
        tree->node_count[tree->level_count++] = n;
        total += n;
    }
    return total;
}

static int reserve(tumble_context *context, tmb_box_tree *tree, size_t total)
{
    const size_t leaves = tree->level_count ? tree->node_count[0] : 0;
    if (!tmb_buffer_reserve(context, &tree->nodes, total, sizeof(tmb_tree_node), 0) ||
        !tmb_buffer_reserve(context, &tree->object_room, leaves * TMB_TREE_FAN, sizeof(uint32_t),
                            tree->object_room.capacity) ||
        !tmb_buffer_reserve(context, &tree->home_room, leaves, sizeof(tmb_box), 0)) {
        return 0;
    }
    tmb_tree_node *node = tree->nodes.data;
    for (uint32_t l = 0; l < tree->level_count; l++) {
        tree->levels[l] = node;
        node += tree->node_count[l];
    }
    tree->objects = tree->object_room.data;
    tree->homes = tree->home_room.data;
    return 1;
}

static void set_lane(tmb_tree_node *node, uint32_t lane, const tmb_box *box)
{
    for (int k = 0; k < 3; k++) {
        node->lower[k][lane] = box->lower[k];
        node->upper[k][lane] = box->upper[k];
    }
}

static tmb_box lane_of(const tmb_tree_node *node, uint32_t lane)
{
    tmb_box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = node->lower[k][lane];
        box.upper[k] = node->upper[k][lane];
    }
    return box;
}

static tmb_box bounds_of(const tmb_tree_node *node)
{
    tmb_box box;
    for (int k = 0; k < 3; k++) {
        float lower = node->lower[k][0], upper = node->upper[k][0];
        for (int i = 1; i < TMB_TREE_FAN; i++) {
            lower = node->lower[k][i] < lower ? node->lower[k][i] : lower;
            upper = node->upper[k][i] > upper ? node->upper[k][i] : upper;
        }
        box.lower[k] = lower;
        box.upper[k] = upper;
    }
    return box;
}

/* A leaf node's boxes may move by half of its size on every side. */
static tmb_box home_of(const tmb_box *bounds)
{
    tmb_box home;
    for (int k = 0; k < 3; k++) {
        const float room = (bounds->upper[k] - bounds->lower[k]) * 0.5F;
        home.lower[k] = bounds->lower[k] - room;
        home.upper[k] = bounds->upper[k] + room;
    }
    return home;
}

typedef struct filling {
    tmb_box_tree *tree;
    const tmb_box *boxes;
    uint32_t level;
} filling;

/* Boxes lie anywhere in memory. */
static inline void prefetch_boxes(const tmb_box_tree *tree, const tmb_box *boxes, size_t place)
{
    for (size_t i = place; i < place + TMB_TREE_FAN && i < tree->count; i++) {
        __builtin_prefetch(&boxes[tree->objects[i]]);
    }
}

static void fill_leaves(void *shared, size_t begin, size_t end)
{
    const filling *f = shared;
    tmb_box_tree *tree = f->tree;
    const tmb_box none = tmb_box_empty();
    for (size_t n = begin; n < end; n++) {
        tmb_tree_node *node = &tree->levels[0][n];
        prefetch_boxes(tree, f->boxes, (n + AHEAD) * TMB_TREE_FAN);
        for (uint32_t i = 0; i < TMB_TREE_FAN; i++) {
            const size_t place = n * TMB_TREE_FAN + i;
            const int is_used = place < tree->count;
            set_lane(node, i, is_used ? &f->boxes[tree->objects[place]] : &none);
        }
        const tmb_box bounds = bounds_of(node);
        tree->homes[n] = home_of(&bounds);
    }
}

static void fill_level(void *shared, size_t begin, size_t end)
{
    const filling *f = shared;
    const tmb_box none = tmb_box_empty();
    const uint32_t below = f->tree->node_count[f->level - 1];
    for (size_t n = begin; n < end; n++) {
        for (uint32_t i = 0; i < TMB_TREE_FAN; i++) {
            const size_t child = n * TMB_TREE_FAN + i;
            const tmb_box box = child < below ? bounds_of(&f->tree->levels[f->level - 1][child]) : none;
            set_lane(&f->tree->levels[f->level][n], i, &box);
        }
    }
}

static int fill(tumble_context *context, uint32_t threads, filling *f, tmb_range_body *body)
{
    const size_t count = f->tree->node_count[f->level];
    return tmb_parallel_for(context, tmb_threads_for_time(threads, count, NODE_NANOSECONDS), count, GRAIN, body, f);
}

/* The nodes, which are not filled yet, are the room for sorting: they take more than 16 bytes for each box, if there
 * are eight of them. */
static void sort_objects(tmb_box_tree *tree, const tmb_box *boxes, const uint32_t *objects)
{
    _Static_assert(sizeof(tmb_tree_node) >= 2 * TMB_TREE_FAN * sizeof(uint64_t), "room for sorting");
    if (objects != tree->objects) {
        memcpy(tree->objects, objects, tree->count * sizeof *objects);
    }
    tmb_order_boxes(boxes, tree->objects, tree->count, tree->nodes.data);
    for (size_t place = tree->count; place < (size_t)tree->node_count[0] * TMB_TREE_FAN; place++) {
        tree->objects[place] = UINT32_MAX;
    }
}

int tmb_box_tree_build(tumble_context *context, uint32_t thread_count, tmb_box_tree *tree, const tmb_box *boxes,
                       const uint32_t *objects, uint32_t count)
{
    const int is_own = objects == tree->objects;
    const size_t total = plan(tree, count);
    filling f = {tree, boxes, 0};
    int is_done = reserve(context, tree, total);
    if (is_done && count > 0) {
        sort_objects(tree, boxes, is_own ? tree->objects : objects);
        is_done = fill(context, thread_count, &f, fill_leaves);
    }
    for (f.level = 1; is_done && f.level < tree->level_count; f.level++) {
        is_done = fill(context, thread_count, &f, fill_level);
    }
    if (!is_done) {
        plan(tree, 0);
    }
    return is_done;
}

void tmb_box_tree_release(tumble_context *context, tmb_box_tree *tree)
{
    tmb_buffer_release(context, &tree->nodes);
    tmb_buffer_release(context, &tree->object_room);
    tmb_buffer_release(context, &tree->home_room);
}

tmb_box tmb_box_tree_at(const tmb_box_tree *tree, uint32_t place)
{
    TMB_ASSERT(place < tree->count);
    return lane_of(&tree->levels[0][place / TMB_TREE_FAN], place % TMB_TREE_FAN);
}

tmb_box tmb_box_tree_bounds(const tmb_box_tree *tree, uint32_t level, uint32_t node)
{
    TMB_ASSERT(level < tree->level_count);
    TMB_ASSERT(node < tree->node_count[level]);
    return bounds_of(&tree->levels[level][node]);
}

int tmb_box_tree_fits(const tmb_box_tree *tree, uint32_t place, const tmb_box *box)
{
    TMB_ASSERT(place < tree->count);
    const tmb_box *home = &tree->homes[place / TMB_TREE_FAN];
    for (int k = 0; k < 3; k++) {
        if (!(box->lower[k] >= home->lower[k] && box->upper[k] <= home->upper[k])) {
            return 0;
        }
    }
    return 1;
}

static int is_same(const tmb_box *a, const tmb_box *b)
{
    int is_equal = 1;
    for (int k = 0; k < 3; k++) {
        is_equal &= a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
    }
    return is_equal;
}

void tmb_box_tree_put(tmb_box_tree *tree, uint32_t place, const tmb_box *box)
{
    TMB_ASSERT(place < tree->count);
    set_lane(&tree->levels[0][place / TMB_TREE_FAN], place % TMB_TREE_FAN, box);
    uint32_t child = place / TMB_TREE_FAN;
    for (uint32_t l = 1; l < tree->level_count; l++, child /= TMB_TREE_FAN) {
        tmb_tree_node *node = &tree->levels[l][child / TMB_TREE_FAN];
        const tmb_box bounds = bounds_of(&tree->levels[l - 1][child]), old = lane_of(node, child % TMB_TREE_FAN);
        if (is_same(&bounds, &old)) {
            return;
        }
        set_lane(node, child % TMB_TREE_FAN, &bounds);
    }
}
