/* Joins of trees over boxes: all pairs of two nodes' boxes at a time, without branches. Compiled once for each
 * instruction set. */
#include "math/lanes.h"
#include "scene/join.h"

/* Bit i: box i of the node overlaps the box.
 *
 * Where six comparisons cost more, the signs of six differences tell the same: x - y is never rounded to zero, nor
 * below it if x >= y; coordinates are far from overflow; and an infinite one of an empty box is always the larger of a
 * lower and the smaller of an upper end. */
static inline unsigned lanes_that_overlap(const tmb_tree_node *node, const float lower[3], const float upper[3])
{
#if defined(TMB_KERNEL_AVX2) || defined(TMB_KERNEL_AVX512)
    tmb_f8 apart = _mm256_or_ps(tmb_f8_sub(tmb_f8_set(upper[0]), tmb_f8_loadu(node->lower[0])),
                                tmb_f8_sub(tmb_f8_loadu(node->upper[0]), tmb_f8_set(lower[0])));
    for (int k = 1; k < 3; k++) {
        const tmb_f8 before = tmb_f8_sub(tmb_f8_set(upper[k]), tmb_f8_loadu(node->lower[k]));
        const tmb_f8 behind = tmb_f8_sub(tmb_f8_loadu(node->upper[k]), tmb_f8_set(lower[k]));
        apart = _mm256_or_ps(apart, _mm256_or_ps(before, behind));
    }
    return ~(unsigned)_mm256_movemask_ps(apart) & 0xff;
#else
    tmb_b8 meet = tmb_f8_less_equal(tmb_f8_loadu(node->lower[0]), tmb_f8_set(upper[0]));
    meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(lower[0]), tmb_f8_loadu(node->upper[0])));
    for (int k = 1; k < 3; k++) {
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_loadu(node->lower[k]), tmb_f8_set(upper[k])));
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(lower[k]), tmb_f8_loadu(node->upper[k])));
    }
    return tmb_b8_bits(meet);
#endif
}

/* Bit 8 i + j: box i of `a` overlaps box j of `b`. */
static inline uint64_t pairs_that_overlap(const tmb_tree_node *a, const tmb_tree_node *b)
{
    uint64_t pairs = 0;
    for (unsigned i = 0; i < TMB_TREE_FAN; i++) {
        const float lower[3] = {a->lower[0][i], a->lower[1][i], a->lower[2][i]};
        const float upper[3] = {a->upper[0][i], a->upper[1][i], a->upper[2][i]};
        pairs |= (uint64_t)lanes_that_overlap(b, lower, upper) << (TMB_TREE_FAN * i);
    }
    return pairs;
}

/* Of a node with itself: each pair once, and no box with itself. */
#define ONCE 0x0080c0e0f0f8fcfeu

static inline const tmb_tree_node *node_at(const tmb_box_tree *tree, uint32_t level, uint32_t node)
{
    return &tree->levels[level][node];
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

/* Whether the pair counts, and is not found again from the other side. */
static inline int is_wanted(const tmb_join *join, uint32_t a, uint32_t b)
{
    return a != b && !(join->moved && join->moved[b] && a > b) && tmb_join_allows(join->filter, a, b);
}

/* Notes the pairs of two leaf nodes. */
static inline void note(const tmb_join *join, uint32_t node_a, uint32_t node_b, uint64_t grid, tmb_join_output *output)
{
    if (grid == 0 || !has_room(output)) {
        return;
    }
    const uint32_t *objects_a = join->a->objects + (size_t)node_a * TMB_TREE_FAN;
    const uint32_t *objects_b = join->b->objects + (size_t)node_b * TMB_TREE_FAN;
    const int is_open = join->filter->is_open && !join->moved;
    uint64_t *next = (uint64_t *)output->pairs.data + output->count;
    for (; grid; grid &= grid - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(grid);
        const uint32_t a = objects_a[bit / TMB_TREE_FAN], b = objects_b[bit % TMB_TREE_FAN];
        *next = tmb_pair_key(a, b);
        next += is_open || is_wanted(join, a, b);
    }
    output->count = (size_t)(next - (uint64_t *)output->pairs.data);
}

/* Pairs of two nodes of one level, which are not the same one. */
static void join_nodes(const tmb_join *join, uint32_t level, uint32_t node_a, uint32_t node_b, tmb_join_output *output)
{
    uint64_t grid = pairs_that_overlap(node_at(join->a, level, node_a), node_at(join->b, level, node_b));
    if (level == 0) {
        note(join, node_a, node_b, grid, output);
        return;
    }
    for (; grid; grid &= grid - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(grid);
        join_nodes(join, level - 1, node_a * TMB_TREE_FAN + bit / TMB_TREE_FAN,
                   node_b * TMB_TREE_FAN + bit % TMB_TREE_FAN, output);
    }
}

/* All pairs in a node. */
static void join_within(const tmb_join *join, uint32_t level, uint32_t node, tmb_join_output *output)
{
    const tmb_tree_node *own = node_at(join->a, level, node);
    uint64_t grid = pairs_that_overlap(own, own) & ONCE;
    if (level == 0) {
        note(join, node, node, grid, output);
        return;
    }
    const uint32_t first = node * TMB_TREE_FAN, below = join->a->node_count[level - 1];
    for (uint32_t i = 0; i < TMB_TREE_FAN && first + i < below; i++, grid >>= TMB_TREE_FAN) {
        join_within(join, level - 1, first + i, output);
        for (unsigned lanes = grid & 0xff; lanes; lanes &= lanes - 1) {
            join_nodes(join, level - 1, first + i, first + (unsigned)__builtin_ctz(lanes), output);
        }
    }
}

/* Pairs of two nodes of any levels; the box encloses the lower one of them. */
static void descend(const tmb_join *join, tmb_join_task t, const tmb_box *box, tmb_join_output *output)
{
    if (t.level_a == t.level_b) {
        join_nodes(join, t.level_a, t.node_a, t.node_b, output);
        return;
    }
    const int is_a = t.level_a > t.level_b;
    const tmb_tree_node *node = is_a ? node_at(join->a, t.level_a, t.node_a) : node_at(join->b, t.level_b, t.node_b);
    tmb_join_task below = t;
    for (unsigned lanes = lanes_that_overlap(node, box->lower, box->upper); lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (is_a) {
            below.level_a = t.level_a - 1, below.node_a = t.node_a * TMB_TREE_FAN + lane;
        } else {
            below.level_b = t.level_b - 1, below.node_b = t.node_b * TMB_TREE_FAN + lane;
        }
        descend(join, below, box, output);
    }
}

tmb_join_kernel TMB_KERNEL_NAME(tmb_join_run);
void TMB_KERNEL_NAME(tmb_join_run)(const tmb_join *join, tmb_join_task task, tmb_join_output *output)
{
    if (join->a == join->b && task.level_a == task.level_b && task.node_a == task.node_b) {
        join_within(join, task.level_a, task.node_a, output);
    } else {
        const tmb_box box = task.level_a < task.level_b ? tmb_box_tree_bounds(join->a, task.level_a, task.node_a)
                                                        : tmb_box_tree_bounds(join->b, task.level_b, task.node_b);
        descend(join, task, &box, output);
    }
}
