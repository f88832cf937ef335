/* The walk through any hierarchy for the polygons that meet a box or a ball. */
#include <string.h>

#include "base/assert.h"
#include "point/overlap.h"
#include "tree/wide/wide.h"

/* A node that waits. */
typedef struct waiting {
    tmb_box_node node;
    int is_inside; /* the shape holds its box, so all its triangles meet it */
} waiting;

typedef struct walk {
    tmb_overlap *overlap;
    tmb_box_view tree;
    int is_wide;
    tmb_overlap_decode_function *decode;
    size_t count;
} walk;

/* ---- Leaves ---- */

static void visit_cluster(tmb_overlap *o, uint32_t cluster, unsigned slots, int is_inside)
{
    unsigned hits = slots, misses = 0;
    if (!is_inside) {
        o->cluster(o, cluster, &hits, &misses);
        o->result->counters.primitive_tests += (uint64_t)__builtin_popcount(slots);
    }
    for (unsigned rest = slots & ~misses; rest && !o->is_over; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(rest), address = tmb_triangle_address(cluster, slot);
        if (hits >> slot & 1 || tmb_overlap_triangle(o, address)) {
            tmb_overlap_hit(o, tmb_model_polygon(o->model, address));
        }
    }
}

/* The triangles of a leaf, cluster by cluster. */
static void visit_leaf(tmb_overlap *o, const tmb_box_node *leaf, int is_inside)
{
    uint32_t address = leaf->reference, left = leaf->triangle_count;
    while (left > 0 && !o->is_over) {
        const uint32_t cluster = address / TMB_CLUSTER_TRIANGLES;
        unsigned slots = 0;
        for (; left > 0 && address / TMB_CLUSTER_TRIANGLES == cluster; left--) {
            slots |= 1u << address % TMB_CLUSTER_TRIANGLES;
            address = left > 1 ? tmb_box_next_triangle(o->model, address) : address;
        }
        visit_cluster(o, cluster, slots, is_inside);
    }
}

/* ---- Nodes ---- */

/* The children of a wide node, without their boxes as nodes. */
static uint32_t open_wide(const walk *w, const tmb_box_node *node, tmb_box_node *children, tmb_box_lanes *boxes)
{
    const tumble_model *model = w->overlap->model;
    const tmb_wide_node *from = (const tmb_wide_node *)model->nodes + node->reference;
    w->decode(&w->tree, from, boxes);
    for (uint32_t i = 0; i < from->child_count; i++) {
        children[i].reference = from->children + i;
        children[i].triangle_count = 0;
        if (from->is_lowest) {
            tmb_box_set_cluster(model, from->children + i, &children[i]);
        }
    }
    w->overlap->result->counters.bytes_touched += sizeof *from;
    return from->child_count;
}

static uint32_t open_any(const walk *w, const tmb_box_node *node, tmb_box_node *children, tmb_box_lanes *boxes)
{
    const uint32_t count = tmb_box_view_open(&w->tree, node, children);
    for (uint32_t i = 0; i < TMB_BOX_LANES; i++) {
        const tmb_box_node *child = &children[i < count ? i : 0];
        for (int k = 0; k < 3; k++) {
            boxes->lower[k][i] = child->lower[k];
            boxes->upper[k][i] = child->upper[k];
        }
    }
    w->overlap->result->counters.bytes_touched += count * sizeof *children;
    return count;
}

static void push(walk *w, const tmb_box_node *node, int is_inside)
{
    tmb_overlap *o = w->overlap;
    if (!tmb_buffer_reserve(o->query->context, &o->scratch->stack, w->count + 1, sizeof(waiting),
                            w->count * sizeof(waiting))) {
        o->status = tmb_fail_memory(o->query->context, "the search of a query");
        o->is_over = 1;
        return;
    }
    waiting *at = (waiting *)o->scratch->stack.data + w->count++;
    at->node = *node;
    at->is_inside = is_inside;
}

static void open_node(walk *w, const waiting *parent)
{
    tmb_overlap *o = w->overlap;
    tmb_box_node children[TMB_BOX_CHILDREN];
    tmb_box_lanes boxes;
    unsigned near = 255, inside = 255;
    const uint32_t count =
        w->is_wide ? open_wide(w, &parent->node, children, &boxes) : open_any(w, &parent->node, children, &boxes);
    TMB_ASSERT(count > 0 && count <= TMB_BOX_CHILDREN);
    if (!parent->is_inside) {
        near = o->boxes(o, &boxes, &inside);
        o->result->counters.box_tests += count;
    }
    for (uint32_t i = count; i-- > 0 && !o->is_over;) { /* so that they are visited in order */
        if (near >> i & 1) {
            push(w, &children[i], inside >> i & 1);
        }
    }
}

void tmb_overlap_walk(tmb_overlap *o)
{
    waiting next;
    memset(&next, 0, sizeof next);
    walk w = {.overlap = o,
              .tree = tmb_box_view_of(o->model),
              .is_wide = o->model->block->hierarchy == TUMBLE_HIERARCHY_WIDE,
              .decode = TMB_PICK_KERNEL(o->query->context, tmb_overlap_decode)};
    if (tmb_box_view_root(&w.tree, &next.node)) {
        push(&w, &next.node, 0);
    }
    while (w.count > 0 && !o->is_over) {
        next = ((const waiting *)o->scratch->stack.data)[--w.count];
        if (next.node.triangle_count > 0 && next.node.triangle_count <= TMB_BOX_LEAF) {
            visit_leaf(o, &next.node, next.is_inside);
        } else {
            open_node(&w, &next);
        }
    }
}
