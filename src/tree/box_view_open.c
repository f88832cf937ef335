/* Opening nodes of trees of boxes so that up to eight come out, whatever the hierarchy is. */
#include <float.h>

#include "base/assert.h"
#include "tree/box_view.h"

/* The box of some triangles that follow each other. */
static void bound_triangles(const tumble_model *model, uint32_t address, uint32_t count, tmb_box_node *node)
{
    TMB_ASSERT(count > 0);
    for (int k = 0; k < 3; k++) {
        node->lower[k] = DBL_MAX;
        node->upper[k] = -DBL_MAX;
    }
    for (uint32_t n = 0; n < count; n++) {
        double corners[3][3];
        address = n ? tmb_box_next_triangle(model, address) : address;
        tmb_model_corners(model, address, corners);
        for (int i = 0; i < 9; i++) {
            const double x = corners[i / 3][i % 3];
            node->lower[i % 3] = x < node->lower[i % 3] ? x : node->lower[i % 3];
            node->upper[i % 3] = x > node->upper[i % 3] ? x : node->upper[i % 3];
        }
    }
}

/* A run of more triangles than a leaf has, cut where clusters end. */
static uint32_t cut_run(const tumble_model *model, const tmb_box_node *run, tmb_box_node *parts)
{
    const uint32_t slot = run->reference % TMB_CLUSTER_TRIANGLES, first = run->reference / TMB_CLUSTER_TRIANGLES;
    const uint32_t total = slot + run->triangle_count; /* from the first cluster's first on */
    uint32_t clusters = 0, count = 0;
    for (uint32_t seen = 0; seen < total; clusters++) {
        seen += tmb_cluster_triangle_count(model->places + first + clusters);
    }
    const uint32_t each = (clusters + TMB_BOX_CHILDREN - 1) / TMB_BOX_CHILDREN;
    for (uint32_t cluster = 0, seen = slot; cluster < clusters; count++) {
        const uint32_t begin = seen, at = tmb_triangle_address(first + cluster, cluster == 0 ? slot : 0);
        seen -= cluster == 0 ? slot : 0;
        for (uint32_t i = 0; i < each && cluster < clusters; i++, cluster++) {
            seen += tmb_cluster_triangle_count(model->places + first + cluster);
        }
        seen = seen < total ? seen : total;
        parts[count] = *run;
        parts[count].reference = at;
        parts[count].triangle_count = seen - begin;
        bound_triangles(model, at, seen - begin, &parts[count]);
    }
    return count;
}

static double extent_of(const tmb_box_node *node)
{
    return (node->upper[0] - node->lower[0]) + (node->upper[1] - node->lower[1]) + (node->upper[2] - node->lower[2]);
}

/* The largest inner node; `count` when there is none. */
static uint32_t largest_inner(const tmb_box_node *nodes, uint32_t count)
{
    uint32_t largest = count;
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i].triangle_count == 0 && (largest == count || extent_of(&nodes[i]) > extent_of(&nodes[largest]))) {
            largest = i;
        }
    }
    return largest;
}

/* Nodes of binary trees are left together with the largest of their children, until there are eight. */
static uint32_t leave_binary(const tmb_box_view *tree, tmb_box_node *children, uint32_t count)
{
    TMB_ASSERT(count > 0 && count <= TMB_BOX_CHILDREN);
    while (count < TMB_BOX_CHILDREN) {
        tmb_box_node below[TMB_BOX_CHILDREN];
        const uint32_t inner = largest_inner(children, count);
        if (inner == count) {
            break;
        }
        const uint32_t more = tmb_box_view_children(tree, &children[inner], below);
        children[inner] = below[0];
        if (more == 2) {
            children[count++] = below[1];
        }
    }
    return count;
}

uint32_t tmb_box_view_open(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node children[TMB_BOX_CHILDREN])
{
    if (node->triangle_count) {
        return cut_run(tree->model, node, children);
    }
    uint32_t count = tmb_box_view_children(tree, node, children);
    if (tree->reader->is_binary) {
        count = leave_binary(tree, children, count);
    }
    if (tree->reader->has_loose_leaves) {
        for (uint32_t i = 0; i < count; i++) {
            if (children[i].triangle_count) {
                bound_triangles(tree->model, children[i].reference, children[i].triangle_count, &children[i]);
            }
        }
    }
    return count;
}
