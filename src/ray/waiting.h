/* What walks through wide hierarchies share, of a ray and of a packet: nodes and clusters that wait on a stack, data
 * that are fetched early, and corners of clusters. For kernels. */
#ifndef TUMBLE_SRC_RAY_WAITING_H
#define TUMBLE_SRC_RAY_WAITING_H

#include <string.h>

#include "math/lanes_double.h"
#include "ray/wide.h"

static inline tmb_f8 tmb_f8_max3(tmb_f8 a, tmb_f8 b, tmb_f8 c)
{
    return tmb_f8_max(tmb_f8_max(a, b), c);
}

static inline tmb_f8 tmb_f8_min3(tmb_f8 a, tmb_f8 b, tmb_f8 c)
{
    return tmb_f8_min(tmb_f8_min(a, b), c);
}

/* Between which depths lines cross triangles that they surely cross. Corners' depths are weighted by the turns of the
 * opposite edges, none of which is off by more than the bound: so the mean is off by at most three times the bound
 * times the range of depths, as a part of their sum. */
typedef struct tmb_depths8 {
    tmb_f8 first, last;
} tmb_depths8;

static inline tmb_depths8 tmb_crossing_depths(const tmb_f8 depths[3], const tmb_f8 weights[3], tmb_f8 bound)
{
    const tmb_f8 first = tmb_f8_min3(depths[0], depths[1], depths[2]);
    const tmb_f8 last = tmb_f8_max3(depths[0], depths[1], depths[2]);
    const tmb_f8 sum = tmb_f8_add(tmb_f8_add(weights[0], weights[1]), weights[2]);
    const tmb_f8 inverse = tmb_f8_div(tmb_f8_set(1), sum);
    const tmb_f8 a = tmb_f8_mul(tmb_f8_sub(depths[0], first), weights[0]);
    const tmb_f8 b = tmb_f8_mul(tmb_f8_sub(depths[1], first), weights[1]);
    const tmb_f8 c = tmb_f8_mul(tmb_f8_sub(depths[2], first), weights[2]);
    const tmb_f8 depth = tmb_f8_add(first, tmb_f8_mul(tmb_f8_add(tmb_f8_add(a, b), c), inverse));
    const tmb_f8 part = tmb_f8_mul(tmb_f8_mul(tmb_f8_set(TMB_RAY_DEPTH_FACTOR), bound), tmb_f8_abs(inverse));
    const tmb_f8 error = tmb_f8_add(tmb_f8_mul(part, tmb_f8_sub(last, first)), tmb_f8_set(TMB_RAY_BOX_SLACK));
    return (tmb_depths8){tmb_f8_max(first, tmb_f8_sub(depth, error)), tmb_f8_min(last, tmb_f8_add(depth, error))};
}

/* What waits on the stack, as a number that is the smaller the nearer it is: the bits of the parameter where it begins,
 * and twice the number of a node, or of a cluster and one more. */
typedef uint64_t tmb_waiting;

static inline tmb_waiting tmb_waiting_child(const tmb_wide_node *node, unsigned i, const float near[8])
{
    uint32_t bits;
    memcpy(&bits, near + i, sizeof bits);
    return (uint64_t)(bits & INT32_MAX) << 32 | (2 * (node->children + i) + node->is_lowest);
}

static inline float tmb_waiting_near(tmb_waiting item)
{
    const uint32_t bits = (uint32_t)(item >> 32);
    float near;
    memcpy(&near, &bits, sizeof near);
    return near;
}

static inline void tmb_fetch_polygon(const tumble_model *model, const tmb_cluster_place *place)
{
    if (model->polygons) {
        __builtin_prefetch(model->polygons + (size_t)model->polygon_bytes * tmb_cluster_first_triangle(place));
    }
}

/* Data that are looked at soon: those of all clusters that are met, before the first. */
static inline void tmb_fetch_clusters(const tumble_model *model, const tmb_wide_node *node, unsigned passed)
{
    for (; passed; passed &= passed - 1) {
        const uint32_t *data = model->clusters + model->places[node->children + (uint32_t)__builtin_ctz(passed)].offset;
        __builtin_prefetch(data);
        __builtin_prefetch(data + 16);
        __builtin_prefetch(data + 32);
    }
}

/* Puts the smaller first. */
static inline void tmb_order_waiting(tmb_waiting *a, tmb_waiting *b)
{
    const tmb_waiting least = *a < *b ? *a : *b, most = *a < *b ? *b : *a;
    *a = least;
    *b = most;
}

/* More than three: the nearest, and the others on the stack. */
static tmb_waiting tmb_take_nearest_of_many(tmb_waiting *stack, uint32_t *waiting_count, const tmb_wide_node *node,
                                            unsigned passed, const float near[8])
{
    tmb_waiting *const bottom = stack + *waiting_count, *top = bottom;
    for (; passed; passed &= passed - 1) {
        const tmb_waiting child = tmb_waiting_child(node, (unsigned)__builtin_ctz(passed), near);
        tmb_waiting *at = top++;
        for (; at > bottom && at[-1] < child; at--) {
            at[0] = at[-1];
        }
        *at = child;
    }
    *waiting_count = (uint32_t)(top - stack) - 1;
    return top[-1];
}

/* The nearest child, and the others on the stack, the nearer ones above. */
static inline tmb_waiting tmb_take_nearest(tmb_waiting *stack, uint32_t *waiting_count, const tmb_wide_node *node,
                                           unsigned passed, const float near[8])
{
    tmb_waiting a = tmb_waiting_child(node, (unsigned)__builtin_ctz(passed), near);
    const unsigned others = passed & (passed - 1);
    if (!others) {
        return a;
    }
    tmb_waiting b = tmb_waiting_child(node, (unsigned)__builtin_ctz(others), near);
    const unsigned rest = others & (others - 1);
    if (!rest) {
        tmb_order_waiting(&a, &b);
        stack[(*waiting_count)++] = b;
        return a;
    }
    if (rest & (rest - 1)) {
        return tmb_take_nearest_of_many(stack, waiting_count, node, passed, near);
    }
    tmb_waiting c = tmb_waiting_child(node, (unsigned)__builtin_ctz(rest), near);
    tmb_order_waiting(&a, &b);
    tmb_order_waiting(&b, &c);
    tmb_order_waiting(&a, &b);
    stack[*waiting_count] = c;
    stack[*waiting_count + 1] = b;
    *waiting_count += 2;
    return a;
}

/* The next on the stack that is not too far; 0: there is none. */
static inline int tmb_take_waiting(const tmb_waiting *stack, uint32_t *count, float limit, tmb_waiting *next)
{
    while (*count > 0) {
        *next = stack[--*count];
        if (tmb_waiting_near(*next) <= limit) {
            return 1;
        }
    }
    return 0;
}

/* A coordinate of eight corners, the first of which has this number, from the start. */
static inline tmb_f8 tmb_from_start(const tmb_ray_frame *frame, const uint32_t *data, int is_float, size_t at, int k)
{
    if (frame->in_floats) {
        const float *x = (const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT) + at;
        return tmb_f8_mul(tmb_f8_sub(tmb_f8_loadu(x), tmb_f8_set(frame->start_float[k])),
                          tmb_f8_set(frame->scale_float));
    }
    const tmb_d8 x = is_float ? tmb_d8_from_f32((const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT) + at)
                              : tmb_d8_loadu((const double *)(const void *)(data + TMB_CLUSTER_HEAD_DOUBLE) + at);
    return tmb_f8_from_d8(tmb_d8_mul(tmb_d8_sub(x, tmb_d8_set(frame->start[k])), tmb_d8_set(frame->scale)));
}

#endif
