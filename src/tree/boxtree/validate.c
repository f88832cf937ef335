/* Whether the nodes of a loaded block form one tree. Checks what a traversal relies on for memory safety: references in
 * range, no cycle, each triangle in one leaf, no deeper than the header says, cuts that are finite. */
#include "tree/boxtree/boxtree.h"
#include "tree/leaf_marks.h"

typedef struct checker {
    tumble_context *context;
    const tmb_block *block;
    tmb_leaf_marks marks;
} checker;

static tumble_status bad_node(const checker *c, uint64_t node, const char *what)
{
    return tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: node %llu %s", (unsigned long long)node,
                    what);
}

static int good_cut(float cut)
{
    return cut >= 0 && cut < 0x1p31f;
}

/* Nodes are in depth-first order, so every reference to a node must be the next number. That alone excludes cycles and
 * sharing. */
typedef struct pending {
    uint64_t node;
    uint64_t depth;
} pending;

#define STACK_LIMIT 256

static tumble_status check_leaf(checker *c, uint64_t node, uint64_t address, uint64_t depth)
{
    const char *wrong = tmb_leaf_mark(&c->marks, address);
    if (wrong) {
        return bad_node(c, node, wrong);
    }
    return depth > c->block->depth ? bad_node(c, node, "lies deeper than the header says") : TUMBLE_OK;
}

static tumble_status check_one_plane(checker *c, const tmb_node_one *nodes)
{
    const uint64_t count = c->block->boxtree.slot_count;
    pending stack[STACK_LIMIT] = {{0, 0}};
    size_t waiting = 1;
    uint64_t next = 1;
    while (waiting > 0) {
        const pending p = stack[--waiting];
        const uint32_t word = nodes[p.node].word, kind = tmb_one_kind(word);
        if (tmb_one_side(word) > 5 || !good_cut(nodes[p.node].cut)) {
            return bad_node(c, p.node, "has no valid plane");
        }
        if (kind == TMB_NODE_LEAF) {
            const tumble_status status = check_leaf(c, p.node, tmb_one_index(word), p.depth);
            if (status != TUMBLE_OK) {
                return status;
            }
            continue;
        }
        const uint64_t children = kind == TMB_NODE_TWIN ? 2 : 1;
        if (kind > TMB_NODE_SINGLE || tmb_one_index(word) != next || next + children > count) {
            return bad_node(c, p.node, "has no valid children");
        }
        if (p.depth >= c->block->depth || waiting + children > STACK_LIMIT) {
            return bad_node(c, p.node, "lies deeper than the header says");
        }
        for (uint64_t k = children; k-- > 0;) {
            stack[waiting++] = (pending){next + k, p.depth + 1};
        }
        next += children;
    }
    return next == count ? TUMBLE_OK : bad_node(c, next, "belongs to no parent");
}

static tumble_status check_two_planes(checker *c, const tmb_node_two *nodes)
{
    const uint64_t count = c->block->boxtree.slot_count;
    pending stack[STACK_LIMIT] = {{c->block->boxtree.root, 0}};
    size_t waiting = 1;
    uint64_t next = 0;
    while (waiting > 0) {
        const pending p = stack[--waiting];
        if (p.node & TMB_TWO_LEAF) {
            const tumble_status status = check_leaf(c, next, p.node & (TMB_TWO_LEAF - 1), p.depth);
            if (status != TUMBLE_OK) {
                return status;
            }
            continue;
        }
        if (p.node != next || next >= count) {
            return bad_node(c, p.node, "is out of order");
        }
        const tmb_node_two *node = &nodes[next++];
        if (tmb_two_axis(node) > 2 || !good_cut(node->cut[0]) || !good_cut(node->cut[1])) {
            return bad_node(c, p.node, "has no valid planes");
        }
        if (p.depth >= c->block->depth || waiting + 2 > STACK_LIMIT) {
            return bad_node(c, p.node, "lies deeper than the header says");
        }
        for (int k = 1; k >= 0; k--) {
            const uint32_t child = tmb_two_reference(node->child[k]);
            if (k == 0 || child != TMB_TWO_NONE) {
                stack[waiting++] = (pending){child, p.depth + 1};
            }
        }
    }
    return next == count ? TUMBLE_OK : bad_node(c, next, "belongs to no parent");
}

/* Both follow from the bounds. */
static tumble_status check_root(tumble_context *context, const tmb_block *block)
{
    const tmb_boxtree_root *root = &block->boxtree;
    const tmb_grid grid = tmb_grid_of(block->lower, block->upper);
    for (int k = 0; k < 3; k++) {
        if (root->extent[k] != tmb_grid_above(&grid, k, block->upper[k])) {
            return tmb_fail(context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: its root box is not valid");
        }
    }
    if (root->exponent != grid.exponent || block->depth > STACK_LIMIT) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: its grid is not valid");
    }
    return TUMBLE_OK;
}

tumble_status tmb_boxtree_validate(tumble_context *context, const tmb_block *block, const void *nodes)
{
    checker c = {.context = context, .block = block};
    tumble_status status = check_root(context, block);
    if (status == TUMBLE_OK) {
        status = tmb_leaf_marks_begin(context, block, &c.marks);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    status =
        block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? check_one_plane(&c, nodes) : check_two_planes(&c, nodes);
    if (status == TUMBLE_OK) {
        status = tmb_leaf_marks_all(context, &c.marks, block->triangle_count);
    }
    tmb_leaf_marks_end(context, &c.marks);
    return status;
}
