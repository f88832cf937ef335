/* Whether a tree of k-DOPs from outside is one: what a walk relies on for its memory. */
#include "tree/kdop.h"
#include "tree/leaf_marks.h"

typedef struct checker {
    tumble_context *context;
    const tmb_block *block;
    const uint32_t *rows;
    tmb_leaf_marks marks;
} checker;

static tumble_status bad_node(const checker *c, uint64_t node, const char *what)
{
    return tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: node %llu %s", (unsigned long long)node,
                    what);
}

/* Local coordinates are at most 1, and no direction has components that add up to more than 3. */
static int good_bounds(const uint32_t *row, uint32_t k)
{
    const float *bounds = (const float *)row;
    int good = 1;
    for (uint32_t l = 0; l < k; l++) {
        good &= bounds[l] >= -4 && bounds[l] <= 4;
    }
    return good;
}

static tumble_status check_leaf(checker *c, uint32_t node, uint32_t address, uint32_t count)
{
    if (count > c->block->kdop.leaf) {
        return bad_node(c, node, "is a leaf with too many triangles");
    }
    const uint32_t first = address;
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = tmb_leaf_mark(&c->marks, address);
        if (wrong) {
            return bad_node(c, node, wrong);
        }
        address = tmb_kdop_next_address(c->marks.places, address);
    }
    if (c->block->kdop.leaf >= TMB_KDOP_CLUSTERED && (first | address) % TMB_CLUSTER_TRIANGLES != 0) {
        return bad_node(c, node, "is a leaf that is not made of whole clusters");
    }
    return TUMBLE_OK;
}

typedef struct pending {
    uint32_t node, depth;
} pending;

/* Pairs of children stand in the order in which a depth-first walk meets their parents: that alone excludes cycles and
 * double use. */
static tumble_status check_rows(checker *c)
{
    const uint32_t k = c->block->kdop.k, end = (uint32_t)c->block->node_count + 1;
    pending stack[TMB_KDOP_DEPTH + 2] = {{TMB_KDOP_ROOT, 0}};
    uint32_t waiting = 1, next = TMB_KDOP_ROOT + 1;
    while (waiting > 0) {
        const pending p = stack[--waiting];
        const uint32_t *row = tmb_kdop_row(c->rows, k, p.node);
        if (!good_bounds(row, k)) {
            return bad_node(c, p.node, "has bounds out of range");
        }
        if (tmb_kdop_count(k, row)) {
            const tumble_status status = check_leaf(c, p.node, tmb_kdop_link(k, row), tmb_kdop_count(k, row));
            if (status != TUMBLE_OK) {
                return status;
            }
            continue;
        }
        if (tmb_kdop_link(k, row) != next || end - next < 2) {
            return bad_node(c, p.node, "has no valid children");
        }
        if (p.depth >= c->block->depth) {
            return bad_node(c, p.node, "lies deeper than the header says");
        }
        stack[waiting++] = (pending){next + 1, p.depth + 1};
        stack[waiting++] = (pending){next, p.depth + 1};
        next += 2;
    }
    return next == end ? TUMBLE_OK : bad_node(c, next, "belongs to no parent");
}

tumble_status tmb_kdop_check(tumble_context *context, const tmb_block *block, const void *nodes)
{
    checker c = {.context = context, .block = block, .rows = nodes};
    tumble_status status = tmb_leaf_marks_begin(context, block, &c.marks);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = check_rows(&c);
    if (status == TUMBLE_OK) {
        status = tmb_leaf_marks_all(context, &c.marks, block->triangle_count);
    }
    tmb_leaf_marks_end(context, &c.marks);
    return status;
}
