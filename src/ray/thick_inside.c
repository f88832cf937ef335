/* Points in the solids of polygons with a radius: the walk goes to boxes that are within the largest radius. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "prim/cylinder.h"
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

/* Whether the point is in a solid, and then whether it is inside, not on the surface. */
static int is_in_ball_around(const walk *w, const double corners[3][3], const double same[3][3],
                             const tmb_limit *radius, unsigned long long *exact, int *is_inside)
{
    tmb_point_distance distance;
    tmb_point_distance_fast(corners, w->point, &distance);
    if (distance.upper < radius->below) {
        *is_inside = 1;
        return 1;
    }
    const int meets = tmb_point_within_limit(&distance, w->point, radius, exact);
    *is_inside = meets && radius->below > 0 && tmb_triangles_closer(corners, same, radius);
    return meets;
}

static int is_in_cylinder(const walk *w, const double corners[3][3], const double same[3][3], const tmb_limit *radius,
                          unsigned long long *exact, int *is_inside)
{
    const double *ends[2];
    tmb_model_axis(corners, ends);
    const tmb_cylinder cylinder = {ends[0], ends[1], *radius};
    *is_inside = tmb_cylinder_holds(&cylinder, w->point, exact);
    return *is_inside || tmb_triangle_meets_cylinder(same, &cylinder, exact);
}

static void try_triangle(walk *w, uint32_t address)
{
    double corners[3][3], same[3][3];
    unsigned long long exact = 0;
    const uint32_t polygon = tmb_model_polygon(w->model, address);
    const tmb_limit radius = tmb_limit_of(tmb_model_radius(w->model, polygon) + w->inside->padding, 1);
    tmb_model_corners(w->model, address, corners);
    for (int i = 0; i < 3; i++) {
        memcpy(same[i], w->point, sizeof same[i]);
    }
    w->counters->primitive_tests++;
    const int meets = (tmb_model_is_flat(w->model) ? is_in_cylinder : is_in_ball_around)(
        w, (const double(*)[3])corners, (const double(*)[3])same, &radius, &exact, &w->found.is_inside);
    if (meets && !w->found.is_inside) {
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
