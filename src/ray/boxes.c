/* A ray through any hierarchy, as a tree of boxes in doubles, the nearest first. */
#include <math.h>

#include "math/bounds.h"
#include "math/vec3.h"
#include "ray/search.h"
#include "tree/box_view.h"

typedef struct span {
    double near, far;
} span;

/* Quotients outward: a difference and a quotient are off by at most 2^-53 of the result each, and 2^-1074 where it
 * underflows. Infinity stays. */
static double round_down(double x)
{
    return (x > 0 ? x * (1 - TMB_RAY_QUOTIENT_ROUNDING) : x * (1 + TMB_RAY_QUOTIENT_ROUNDING)) - 0x1p-1020;
}

static double round_up(double x)
{
    return (x < 0 ? x * (1 - TMB_RAY_QUOTIENT_ROUNDING) : x * (1 + TMB_RAY_QUOTIENT_ROUNDING)) + 0x1p-1020;
}

/* The parameters between two planes; a difference that overflows says nothing. */
static span between(double origin, double direction, double lower, double upper)
{
    const double first = (direction > 0 ? lower : upper) - origin, second = (direction > 0 ? upper : lower) - origin;
    return (span){isfinite(first) ? round_down(first / direction) : -INFINITY,
                  isfinite(second) ? round_up(second / direction) : INFINITY};
}

/* A side of a box, moved outward by the model's radius; by a little more, as the sum is rounded. */
static double enlarged(double side, double reach)
{
    const double sum = side + reach;
    return reach == 0 ? side : sum + copysign(TMB_RAY_QUOTIENT_ROUNDING * fabs(sum) + 0x1p-1020, reach);
}

/* The parameters for which the ray may be in a box; near > far if it is not. */
static span span_of(const tmb_ray_search *s, const tmb_box_node *node)
{
    span all = {s->ray.first, s->limit};
    for (int k = 0; k < 3; k++) {
        const double o = s->ray.origin[k], d = s->ray.direction[k];
        const double lower = enlarged(node->lower[k], -s->reach), upper = enlarged(node->upper[k], s->reach);
        if (d == 0) {
            if (o < lower || o > upper) {
                return (span){1, 0};
            }
            continue;
        }
        const span own = between(o, d, lower, upper);
        all.near = tmb_greater(own.near, all.near);
        all.far = tmb_lesser(own.far, all.far);
    }
    return all;
}

typedef struct waiting_node {
    tmb_box_node node;
    double near;
} waiting_node;

/* The nearest comes last, and is left first. */
static uint32_t push(waiting_node *stack, uint32_t count, uint32_t bottom, const tmb_box_node *node, double near)
{
    uint32_t at = count;
    for (; at > bottom && stack[at - 1].near < near; at--) {
        stack[at] = stack[at - 1];
    }
    stack[at] = (waiting_node){*node, near};
    return count + 1;
}

static void try_leaf(tmb_ray_search *s, const tmb_box_node *leaf)
{
    uint32_t address = leaf->reference;
    for (uint32_t i = 0; i < leaf->triangle_count && !s->is_over; i++) {
        address = i ? tmb_box_next_triangle(s->model, address) : address;
        tmb_ray_search_try(s, address);
    }
}

void tmb_ray_walk_boxes(tmb_ray_search *s)
{
    const tmb_box_view tree = tmb_box_view_of(s->model);
    waiting_node stack[TMB_BOX_WAITING + TMB_BOX_CHILDREN];
    stack[0].near = s->ray.first;
    uint32_t waiting = (uint32_t)tmb_box_view_root(&tree, &stack[0].node);
    while (waiting > 0 && !s->is_over) {
        const waiting_node next = stack[--waiting];
        if (next.near > s->limit) {
            continue;
        }
        if (next.node.triangle_count) {
            try_leaf(s, &next.node);
            continue;
        }
        tmb_box_node children[TMB_BOX_CHILDREN];
        const uint32_t count = tmb_box_view_children(&tree, &next.node, children), bottom = waiting;
        s->counters.box_tests += count;
        for (uint32_t i = 0; i < count; i++) {
            const span passed = span_of(s, &children[i]);
            if (passed.near <= passed.far) {
                waiting = push(stack, waiting, bottom, &children[i], passed.near);
            }
        }
    }
}
