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

/* Notes the pairs of two leaf nodes. */
static inline void note(const tmb_join *join, uint32_t node_a, uint32_t node_b, uint64_t grid, tmb_join_output *output)
{
    if (grid == 0 || !has_room(output)) {
        return;
    }
    const uint32_t *objects_a = join->tree->objects + (size_t)node_a * TMB_TREE_FAN;
    const uint32_t *objects_b = join->tree->objects + (size_t)node_b * TMB_TREE_FAN;
    const int is_open = join->filter->is_open;
    uint64_t *next = (uint64_t *)output->pairs.data + output->count;
    for (; grid; grid &= grid - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(grid);
        const uint32_t a = objects_a[bit / TMB_TREE_FAN], b = objects_b[bit % TMB_TREE_FAN];
        *next = tmb_pair_key(a, b);
        next += is_open || tmb_join_allows(join->filter, a, b);
    }
    output->count = (size_t)(next - (uint64_t *)output->pairs.data);
}

/* Pairs of two nodes of one level, which are not the same one. */
static void join_nodes(const tmb_join *join, uint32_t level, uint32_t node_a, uint32_t node_b, tmb_join_output *output)
{
    uint64_t grid = pairs_that_overlap(node_at(join->tree, level, node_a), node_at(join->tree, level, node_b));
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
    const tmb_tree_node *own = node_at(join->tree, level, node);
    uint64_t grid = pairs_that_overlap(own, own) & ONCE;
    if (level == 0) {
        note(join, node, node, grid, output);
        return;
    }
    const uint32_t first = node * TMB_TREE_FAN, below = join->tree->node_count[level - 1];
    for (uint32_t i = 0; i < TMB_TREE_FAN && first + i < below; i++, grid >>= TMB_TREE_FAN) {
        join_within(join, level - 1, first + i, output);
        for (unsigned lanes = grid & 0xff; lanes; lanes &= lanes - 1) {
            join_nodes(join, level - 1, first + i, first + (unsigned)__builtin_ctz(lanes), output);
        }
    }
}

tmb_join_kernel TMB_KERNEL_NAME(tmb_join_run);
void TMB_KERNEL_NAME(tmb_join_run)(const tmb_join *join, tmb_join_task task, tmb_join_output *output)
{
    if (task.node_a == task.node_b) {
        join_within(join, task.level, task.node_a, output);
    } else {
        join_nodes(join, task.level, task.node_a, task.node_b, output);
    }
}

/* ---- Some objects with a tree ---- */

/* Whether the pair counts, and is not found again from the other side. */
static inline int is_wanted(const tmb_probe *search, uint32_t object, uint32_t other)
{
    const int is_twice = !search->moved || tmb_has_bit(search->moved, other);
    return object != other && !(is_twice && object > other) &&
           (search->filter->is_open || tmb_join_allows(search->filter, object, other));
}

/* Notes the pairs of an object with boxes of a leaf node. */
static inline void note_found(const tmb_probe *search, uint32_t node, uint32_t object, unsigned lanes,
                              tmb_join_output *output)
{
    const uint32_t *objects = search->tree->objects + (size_t)node * TMB_TREE_FAN;
    uint64_t *pairs = output->pairs.data;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t other = objects[__builtin_ctz(lanes)];
        pairs[output->count] = tmb_pair_key(object, other);
        output->count += (size_t)is_wanted(search, object, other);
    }
}

static inline unsigned lanes_of(const tmb_probe *search, uint32_t level, uint32_t node, uint32_t object)
{
    const tmb_box *box = &search->boxes[object];
    return lanes_that_overlap(node_at(search->tree, level, node), box->lower, box->upper);
}

/* Below a node. */
static void find(const tmb_probe *search, uint32_t level, uint32_t node, uint32_t object, tmb_join_output *output)
{
    unsigned lanes = lanes_of(search, level, node, object);
    if (level > 0) {
        for (; lanes; lanes &= lanes - 1) {
            find(search, level - 1, node * TMB_TREE_FAN + (unsigned)__builtin_ctz(lanes), object, output);
        }
    } else if (lanes && has_room(output)) {
        note_found(search, node, object, lanes, output);
    }
}

/* Objects go down the tree together, level by level, so that nodes are fetched while others are looked at. */
#define TOGETHER 32
#define VISITS 1024

typedef struct visit {
    uint32_t object, node;
} visit;

static inline void fetch(const tmb_tree_node *node)
{
    for (size_t line = 0; line < sizeof *node; line += 64) {
        __builtin_prefetch((const char *)node + line);
    }
}

/* The visits of the level below. What there is no room for is done at once. */
static inline size_t go_down(const tmb_probe *search, uint32_t level, const visit *visits, size_t count, visit *below,
                             tmb_join_output *output)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t object = visits[i].object, first = visits[i].node * TMB_TREE_FAN;
        unsigned lanes = lanes_of(search, level, visits[i].node, object);
        for (; lanes && next < VISITS; lanes &= lanes - 1) {
            below[next] = (visit){object, first + (unsigned)__builtin_ctz(lanes)};
            fetch(node_at(search->tree, level - 1, below[next++].node));
        }
        for (; lanes; lanes &= lanes - 1) {
            find(search, level - 1, first + (unsigned)__builtin_ctz(lanes), object, output);
        }
    }
    return next;
}

tmb_probe_kernel TMB_KERNEL_NAME(tmb_probe_run);
void TMB_KERNEL_NAME(tmb_probe_run)(const tmb_probe *search, size_t begin, size_t end, tmb_join_output *output)
{
    visit visits[2][VISITS] = {{{0, 0}}};
    for (size_t at = begin; at < end; at += TOGETHER) {
        size_t count = end - at < TOGETHER ? end - at : TOGETHER;
        uint32_t level = search->tree->level_count - 1;
        for (size_t i = 0; i < count; i++) {
            visits[level % 2][i] = (visit){search->objects[at + i], 0};
        }
        for (; level > 0; level--) {
            count = go_down(search, level, visits[level % 2], count, visits[(level - 1) % 2], output);
        }
        for (size_t i = 0; i < count; i++) {
            const unsigned lanes = lanes_of(search, 0, visits[0][i].node, visits[0][i].object);
            if (lanes && has_room(output)) {
                note_found(search, visits[0][i].node, visits[0][i].object, lanes, output);
            }
        }
    }
}
