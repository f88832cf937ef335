/* Joins of trees over boxes, eight boxes against one at a time. Compiled once for each instruction set. */
#include "math/lanes.h"
#include "scene/join.h"

/* Bit i: box i of the node overlaps the box. */
static inline unsigned lanes_that_overlap(const tmb_tree_node *node, const tmb_box *box)
{
    tmb_b8 meet = tmb_f8_less_equal(tmb_f8_loadu(node->lower[0]), tmb_f8_set(box->upper[0]));
    meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(box->lower[0]), tmb_f8_loadu(node->upper[0])));
    for (int k = 1; k < 3; k++) {
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_loadu(node->lower[k]), tmb_f8_set(box->upper[k])));
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(box->lower[k]), tmb_f8_loadu(node->upper[k])));
    }
    return tmb_b8_bits(meet);
}

static inline tmb_box lane_of(const tmb_tree_node *node, unsigned lane)
{
    return (tmb_box){{node->lower[0][lane], node->lower[1][lane], node->lower[2][lane]},
                     {node->upper[0][lane], node->upper[1][lane], node->upper[2][lane]}};
}

static inline const tmb_tree_node *node_at(const tmb_box_tree *tree, uint32_t level, uint32_t node)
{
    return &tree->levels[level][node];
}

/* Whether the pair counts, and is not found again from the other side. */
static inline int is_wanted(const tmb_join *join, uint32_t a, uint32_t b)
{
    return a != b && !(join->moved && join->moved[b] && a > b) && tmb_join_allows(join->filter, a, b);
}

/* Notes the pairs of object `a` with the lanes. */
static inline void note(const tmb_join *join, uint32_t a, const uint32_t *objects, unsigned lanes,
                        tmb_join_output *output)
{
    uint64_t *pairs = output->pairs.data;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t b = objects[__builtin_ctz(lanes)];
        if (is_wanted(join, a, b)) {
            pairs[output->count++] = tmb_pair_key(a, b);
        }
    }
}

static inline int has_room(tmb_join_output *output)
{
    const size_t most = TMB_TREE_FAN * TMB_TREE_FAN;
    if (output->count + most > output->pairs.capacity / sizeof(uint64_t) &&
        !tmb_buffer_reserve(output->context, &output->pairs, output->count + most, sizeof(uint64_t),
                            output->count * sizeof(uint64_t))) {
        output->failed = 1;
    }
    return !output->failed;
}

/* The pairs in one leaf node. */
static void join_leaf(const tmb_join *join, uint32_t node, tmb_join_output *output)
{
    const tmb_tree_node *leaf = node_at(join->a, 0, node);
    const uint32_t *objects = join->a->objects + (size_t)node * TMB_TREE_FAN;
    if (has_room(output)) {
        for (unsigned i = 0; i + 1 < TMB_TREE_FAN; i++) {
            const tmb_box box = lane_of(leaf, i);
            note(join, objects[i], objects, lanes_that_overlap(leaf, &box) & ~0u << (i + 1), output);
        }
    }
}

/* Those of two leaf nodes; `box` encloses the second. */
static void join_leaves(const tmb_join *join, uint32_t node_a, uint32_t node_b, const tmb_box *box,
                        tmb_join_output *output)
{
    const tmb_tree_node *a = node_at(join->a, 0, node_a), *b = node_at(join->b, 0, node_b);
    const uint32_t *objects_a = join->a->objects + (size_t)node_a * TMB_TREE_FAN;
    const uint32_t *objects_b = join->b->objects + (size_t)node_b * TMB_TREE_FAN;
    if (has_room(output)) {
        for (unsigned rows = lanes_that_overlap(a, box); rows; rows &= rows - 1) {
            const unsigned i = (unsigned)__builtin_ctz(rows);
            const tmb_box one = lane_of(a, i);
            note(join, objects_a[i], objects_b, lanes_that_overlap(b, &one), output);
        }
    }
}

/* Pairs of two nodes, which are not the same one; boxes enclose them. */
static void join_nodes(const tmb_join *join, tmb_join_task t, const tmb_box *box_a, const tmb_box *box_b,
                       tmb_join_output *output)
{
    if (t.level_a == 0 && t.level_b == 0) {
        join_leaves(join, t.node_a, t.node_b, box_b, output);
    } else if (t.level_a == t.level_b) {
        const tmb_tree_node *a = node_at(join->a, t.level_a, t.node_a), *b = node_at(join->b, t.level_b, t.node_b);
        for (unsigned rows = lanes_that_overlap(a, box_b); rows; rows &= rows - 1) {
            const unsigned i = (unsigned)__builtin_ctz(rows);
            const tmb_box one = lane_of(a, i);
            for (unsigned lanes = lanes_that_overlap(b, &one); lanes; lanes &= lanes - 1) {
                const unsigned j = (unsigned)__builtin_ctz(lanes);
                const tmb_box other = lane_of(b, j);
                join_nodes(join,
                           (tmb_join_task){t.level_a - 1, t.node_a * TMB_TREE_FAN + i, t.level_b - 1,
                                           t.node_b * TMB_TREE_FAN + j},
                           &one, &other, output);
            }
        }
    } else if (t.level_a > t.level_b) {
        const tmb_tree_node *a = node_at(join->a, t.level_a, t.node_a);
        for (unsigned rows = lanes_that_overlap(a, box_b); rows; rows &= rows - 1) {
            const unsigned i = (unsigned)__builtin_ctz(rows);
            const tmb_box one = lane_of(a, i);
            join_nodes(join, (tmb_join_task){t.level_a - 1, t.node_a * TMB_TREE_FAN + i, t.level_b, t.node_b}, &one,
                       box_b, output);
        }
    } else {
        const tmb_tree_node *b = node_at(join->b, t.level_b, t.node_b);
        for (unsigned lanes = lanes_that_overlap(b, box_a); lanes; lanes &= lanes - 1) {
            const unsigned j = (unsigned)__builtin_ctz(lanes);
            const tmb_box other = lane_of(b, j);
            join_nodes(join, (tmb_join_task){t.level_a, t.node_a, t.level_b - 1, t.node_b * TMB_TREE_FAN + j}, box_a,
                       &other, output);
        }
    }
}

/* All pairs in a node. */
static void join_within(const tmb_join *join, uint32_t level, uint32_t number, tmb_join_output *output)
{
    if (level == 0) {
        join_leaf(join, number, output);
        return;
    }
    const tmb_tree_node *node = node_at(join->a, level, number);
    const uint32_t first = number * TMB_TREE_FAN;
    for (unsigned i = 0; i < TMB_TREE_FAN && first + i < join->a->node_count[level - 1]; i++) {
        const tmb_box one = lane_of(node, i);
        join_within(join, level - 1, first + i, output);
        for (unsigned lanes = lanes_that_overlap(node, &one) & ~0u << (i + 1); lanes; lanes &= lanes - 1) {
            const unsigned j = (unsigned)__builtin_ctz(lanes);
            const tmb_box other = lane_of(node, j);
            join_nodes(join, (tmb_join_task){level - 1, first + i, level - 1, first + j}, &one, &other, output);
        }
    }
}

tmb_join_kernel TMB_KERNEL_NAME(tmb_join_run);
void TMB_KERNEL_NAME(tmb_join_run)(const tmb_join *join, tmb_join_task task, tmb_join_output *output)
{
    if (join->a == join->b && task.level_a == task.level_b && task.node_a == task.node_b) {
        join_within(join, task.level_a, task.node_a, output);
    } else {
        const tmb_box box_a = tmb_box_tree_bounds(join->a, task.level_a, task.node_a);
        const tmb_box box_b = tmb_box_tree_bounds(join->b, task.level_b, task.node_b);
        if (tmb_boxes_overlap(&box_a, &box_b)) {
            join_nodes(join, task, &box_a, &box_b, output);
        }
    }
}
