/* The walk through any hierarchy, as boxes in doubles, in a search for what is nearest to a point. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "point/point.h"

/* A node that waits. */
typedef struct waiting {
    double lower; /* nothing below it is closer */
    tmb_box_node node;
} waiting;

typedef struct walk {
    tmb_point_search *search;
    tmb_point_cluster_function *cluster;
    tmb_box_view tree;
    tmb_box_lanes point; /* lane 0 */
    size_t count;
} walk;

/* The triangles of a leaf, cluster by cluster. */
static void visit_leaf(const walk *w, const tmb_box_node *leaf)
{
    uint32_t address = leaf->reference, left = leaf->triangle_count;
    while (left > 0) {
        const uint32_t cluster = address / TMB_CLUSTER_TRIANGLES;
        unsigned slots = 0;
        for (; left > 0 && address / TMB_CLUSTER_TRIANGLES == cluster; left--) {
            slots |= 1u << address % TMB_CLUSTER_TRIANGLES;
            address = left > 1 ? tmb_box_next_triangle(w->search->model, address) : address;
        }
        w->cluster(w->search, cluster, slots);
    }
}

static void bound_boxes(const walk *w, const tmb_box_node *nodes, uint32_t count, double lower[TMB_BOX_LANES])
{
    tmb_box_lanes boxes;
    for (uint32_t i = 0; i < TMB_BOX_LANES; i++) {
        const tmb_box_node *node = &nodes[i < count ? i : 0];
        for (int k = 0; k < 3; k++) {
            boxes.lower[k][i] = node->lower[k];
            boxes.upper[k][i] = node->upper[k];
        }
    }
    tmb_box_distances(&boxes, &w->point, 0, lower);
}

static void push(walk *w, size_t first, const tmb_box_node *node, double lower)
{
    tmb_point_search *s = w->search;
    if (!tmb_buffer_reserve(s->context, &s->memory->stack, w->count + 1, sizeof(waiting), w->count * sizeof(waiting))) {
        s->status = tmb_fail_memory(s->context, "the search of a query");
        return;
    }
    waiting *stack = s->memory->stack.data;
    size_t at = w->count++;
    for (; at > first && stack[at - 1].lower < lower; at--) {
        stack[at] = stack[at - 1];
    }
    stack[at].lower = lower;
    stack[at].node = *node;
}

/* Pushes the children that may be near, the nearest last. */
static void open_node(walk *w, const tmb_box_node *node)
{
    tmb_point_search *s = w->search;
    tmb_box_node children[TMB_BOX_CHILDREN];
    double lower[TMB_BOX_LANES];
    const uint32_t count = tmb_box_view_open(&w->tree, node, children);
    const size_t first = w->count;
    TMB_ASSERT(count > 0 && count <= TMB_BOX_CHILDREN);
    bound_boxes(w, children, count, lower);
    for (uint32_t i = 0; i < count && s->status == TUMBLE_OK; i++) {
        if (lower[i] <= s->bound) {
            push(w, first, &children[i], lower[i]);
        }
    }
    s->counters.box_tests += count;
    s->counters.bytes_touched += count * sizeof *children;
}

void tmb_point_boxes(tmb_point_search *s)
{
    walk w = {
        .search = s, .cluster = TMB_PICK_KERNEL(s->context, tmb_point_cluster), .tree = tmb_box_view_of(s->model)};
    tmb_box_node root;
    for (int k = 0; k < 3; k++) {
        w.point.lower[k][0] = w.point.upper[k][0] = s->point[k];
    }
    if (tmb_box_view_root(&w.tree, &root)) {
        push(&w, 0, &root, -INFINITY);
    }
    while (w.count > 0 && s->status == TUMBLE_OK) {
        const waiting next = ((const waiting *)s->memory->stack.data)[--w.count];
        if (next.lower > s->bound) {
            continue;
        }
        if (next.node.triangle_count > 0 && next.node.triangle_count <= TMB_BOX_LEAF) {
            visit_leaf(&w, &next.node);
        } else {
            open_node(&w, &next.node);
        }
    }
}
