/* A tree over boxes is searched for those that overlap one box. Compiled once for each instruction set. */
#include "math/lanes.h"
#include "scene/search.h"

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

static void search_node(const tmb_box_tree *tree, uint32_t level, uint32_t number, const tmb_box *box,
                        tmb_join_output *output)
{
    unsigned left = lanes_that_overlap(&tree->levels[level][number], box);
    if (level == 0 && left) {
        if (!tmb_buffer_reserve(output->context, &output->pairs, output->count + TMB_TREE_FAN, sizeof(uint64_t),
                                output->count * sizeof(uint64_t))) {
            output->failed = 1;
            return;
        }
        for (uint64_t *pairs = output->pairs.data; left; left &= left - 1) {
            pairs[output->count++] = tree->objects[(size_t)number * TMB_TREE_FAN + (unsigned)__builtin_ctz(left)];
        }
    }
    for (; left && !output->failed; left &= left - 1) {
        search_node(tree, level - 1, number * TMB_TREE_FAN + (unsigned)__builtin_ctz(left), box, output);
    }
}

tmb_tree_search_kernel TMB_KERNEL_NAME(tmb_search_tree);
void TMB_KERNEL_NAME(tmb_search_tree)(const tmb_box_tree *tree, const tmb_box *box, tmb_join_output *output)
{
    if (tree->level_count > 0) {
        search_node(tree, tree->level_count - 1, 0, box, output);
    }
}
