/* Points in the solids of polygons with a radius: the walk goes to boxes that are within the largest radius. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "prim/point_distance.h"
#include "ray/inside.h"
#include "tree/box_view.h"

typedef struct walk {
    const tmb_inside *inside;
    const tumble_model *model;
    const double *point;
    tumble_counters *counters;
    tmb_thick_place found;
} walk;

static void try_triangle(walk *w, uint32_t address)
{
    double corners[3][3], same[3][3];
    tmb_point_distance distance;
    unsigned long long exact = 0;
    const uint32_t polygon = tmb_model_polygon(w->model, address);
    const tmb_limit radius = tmb_limit_of(tmb_model_radius(w->model, polygon) + w->inside->padding, 1);
    tmb_model_corners(w->model, address, corners);
    tmb_point_distance_fast((const double(*)[3])corners, w->point, &distance);
    w->counters->primitive_tests++;
    if (distance.upper < radius.below) {
        w->found.is_inside = 1;
    } else if (tmb_point_within_limit(&distance, w->point, &radius, &exact)) {
        for (int i = 0; i < 3; i++) {
            memcpy(same[i], w->point, sizeof same[i]);
        }
        w->found.is_inside =
            radius.below > 0 && tmb_triangles_closer((const double(*)[3])corners, (const double(*)[3])same, &radius);
        w->found.polygon = polygon < w->found.polygon ? polygon : w->found.polygon;
    }
    w->counters->exact_tests += exact;
}

static void try_leaf(walk *w, const tmb_box_node *leaf)
{
    uint32_t address = leaf->reference;
    for (uint32_t i = 0; i < leaf->triangle_count && !w->found.is_inside; i++) {
        address = i ? tmb_box_next_triangle(w->model, address) : address;
        try_triangle(w, address);
    }
}

/* Differences are off by 2^-53 of them, and so is the sum of the radii. */
static int is_near(const walk *w, const tmb_box_node *node)
{
    const double reach = w->inside->reach * (1 + TMB_RAY_QUOTIENT_ROUNDING);
    int near = 1;
    for (int k = 0; k < 3; k++) {
        near &= !(node->lower[k] - w->point[k] > reach) && !(w->point[k] - node->upper[k] > reach);
    }
    return near;
}

tmb_thick_place tmb_thick_place_of(const tmb_inside *inside, const double point[3], tumble_counters *counters)
{
    const tumble_model *model = inside->solid.model;
    const tmb_box_view tree = tmb_box_view_of(model);
    walk w = {inside, model, point, counters, {.polygon = UINT32_MAX}};
    tmb_box_node stack[TMB_BOX_WAITING + TMB_BOX_CHILDREN], children[TMB_BOX_CHILDREN];
    uint32_t waiting = (uint32_t)tmb_box_view_root(&tree, stack);
    while (waiting > 0 && !w.found.is_inside) {
        const tmb_box_node node = stack[--waiting];
        if (node.triangle_count) {
            try_leaf(&w, &node);
            continue;
        }
        const uint32_t count = tmb_box_view_children(&tree, &node, children);
        counters->box_tests += count;
        for (uint32_t i = 0; i < count; i++) {
            if (is_near(&w, &children[i])) {
                stack[waiting++] = children[i];
            }
        }
    }
    return w.found;
}
