/* A ray through a wide hierarchy: eight boxes at a time, then eight triangles, the nearest first. Compiled once for
 * each instruction set. See docs/single.md for why nothing is missed. */
#include <string.h>

#include "math/bounds.h"
#include "math/lanes_double.h"
#include "ray/wide.h"

/* ---- Eight boxes ---- */

/* The children of a node that the ray may pass, and where it gets to each. The planes of a box are origin + steps *
 * scale, so the parameters at which the ray meets them are linear in the steps. */
static inline unsigned pass_children(const tmb_ray_local *local, const tmb_wide_node *node, float limit, float near[8])
{
    tmb_f8 first = tmb_f8_zero(), last = tmb_f8_set(limit);
    for (int k = 0; k < 3; k++) {
        const float inverse = local->inverse[k];
        const tmb_f8 unit = tmb_f8_set(node->scale[k] * inverse);
        const tmb_f8 near_base = tmb_f8_set((node->origin[k] - local->near_origin[k]) * inverse);
        const tmb_f8 far_base = tmb_f8_set((node->origin[k] - local->far_origin[k]) * inverse);
        const uint8_t *near_steps = local->negative[k] ? node->upper[k] : node->lower[k];
        const uint8_t *far_steps = local->negative[k] ? node->lower[k] : node->upper[k];
        first = tmb_f8_max(first, tmb_f8_add(near_base, tmb_f8_mul(tmb_f8_from_u8(near_steps), unit)));
        last = tmb_f8_min(last, tmb_f8_add(far_base, tmb_f8_mul(tmb_f8_from_u8(far_steps), unit)));
    }
    tmb_f8_storeu(near, first);
    return tmb_b8_bits(tmb_f8_less_equal(first, last)) & ((1u << node->child_count) - 1);
}

/* ---- Eight triangles ---- */

/* Eight corners, seen along the ray: x and y across it, z along it, as a parameter. */
typedef struct seen8 {
    tmb_f8 x, y, z;
} seen8;

static inline tmb_f8 from_start(const tmb_ray_local *local, const uint32_t *data, int is_float, size_t at, int k)
{
    if (local->in_floats) {
        const float *x = (const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT) + at;
        return tmb_f8_mul(tmb_f8_sub(tmb_f8_loadu(x), tmb_f8_set(local->start_float[k])),
                          tmb_f8_set(local->scale_float));
    }
    const tmb_d8 x = is_float ? tmb_d8_from_f32((const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT) + at)
                              : tmb_d8_loadu((const double *)(const void *)(data + TMB_CLUSTER_HEAD_DOUBLE) + at);
    return tmb_f8_from_d8(tmb_d8_mul(tmb_d8_sub(x, tmb_d8_set(local->start[k])), tmb_d8_set(local->scale)));
}

static inline seen8 see_corners(const tmb_ray_local *local, const uint32_t *data, int is_float, size_t count,
                                size_t first)
{
    const int *axis = local->axis;
    const tmb_f8 x = from_start(local, data, is_float, first + (size_t)axis[0] * count, axis[0]);
    const tmb_f8 y = from_start(local, data, is_float, first + (size_t)axis[1] * count, axis[1]);
    const tmb_f8 z = from_start(local, data, is_float, first + (size_t)axis[2] * count, axis[2]);
    return (seen8){tmb_f8_sub(x, tmb_f8_mul(tmb_f8_set(local->shear[0]), z)),
                   tmb_f8_sub(y, tmb_f8_mul(tmb_f8_set(local->shear[1]), z)),
                   tmb_f8_mul(z, tmb_f8_set(local->inverse_longest))};
}

/* The corners of the triangles of a cluster. */
typedef struct seen_cluster {
    tmb_f8 x[3], y[3], z[3];
} seen_cluster;

static inline void see_cluster(const tmb_ray_local *local, const tumble_model *model, uint32_t cluster,
                               seen_cluster *out)
{
    const tmb_cluster_place *place = &model->places[cluster];
    const uint32_t *data = model->clusters + place->offset;
    const uint32_t count = tmb_cluster_corner_count(place, model->is_float);
    const seen8 low = see_corners(local, data, model->is_float, count, 0);
    const seen8 high = count > 8 ? see_corners(local, data, model->is_float, count, 8) : low;
    const tmb_f8 x[2] = {low.x, high.x}, y[2] = {low.y, high.y}, z[2] = {low.z, high.z};
    for (int i = 0; i < 3; i++) {
        const tmb_i8 numbers = tmb_i8_nibbles(data[i]);
        out->x[i] = tmb_f8_lookup(x, numbers);
        out->y[i] = tmb_f8_lookup(y, numbers);
        out->z[i] = tmb_f8_lookup(z, numbers);
    }
}

static inline tmb_f8 turn(const seen_cluster *c, int p, int q)
{
    return tmb_f8_sub(tmb_f8_mul(c->x[p], c->y[q]), tmb_f8_mul(c->y[p], c->x[q]));
}

static inline tmb_f8 max3(tmb_f8 a, tmb_f8 b, tmb_f8 c)
{
    return tmb_f8_max(tmb_f8_max(a, b), c);
}

static inline tmb_f8 min3(tmb_f8 a, tmb_f8 b, tmb_f8 c)
{
    return tmb_f8_min(tmb_f8_min(a, b), c);
}

/* The triangles that the ray may meet: not those that it surely passes on both hands, before its start, or after the
 * limit. */
static inline unsigned pass_triangles(const seen_cluster *c, float limit)
{
    const tmb_f8 a = turn(c, 0, 1), b = turn(c, 1, 2), d = turn(c, 2, 0);
    const tmb_f8 reach_x = max3(tmb_f8_abs(c->x[0]), tmb_f8_abs(c->x[1]), tmb_f8_abs(c->x[2]));
    const tmb_f8 reach_y = max3(tmb_f8_abs(c->y[0]), tmb_f8_abs(c->y[1]), tmb_f8_abs(c->y[2]));
    const tmb_f8 reach = tmb_f8_max(reach_x, reach_y);
    const tmb_f8 linear =
        tmb_f8_add(tmb_f8_set(TMB_RAY_TURN_LINEAR), tmb_f8_mul(reach, tmb_f8_set(TMB_RAY_TURN_SQUARE)));
    const tmb_f8 bound = tmb_f8_add(tmb_f8_mul(reach, linear), tmb_f8_set(TMB_RAY_TURN_LEAST));
    const tmb_b8 right = tmb_f8_less(min3(a, b, d), tmb_f8_neg(bound)), left = tmb_f8_less(bound, max3(a, b, d));
    const tmb_b8 late = tmb_f8_less(tmb_f8_set(limit), min3(c->z[0], c->z[1], c->z[2]));
    const tmb_b8 early = tmb_f8_less(max3(c->z[0], c->z[1], c->z[2]), tmb_f8_set(-TMB_RAY_BOX_SLACK));
    return 255 & ~tmb_b8_bits(tmb_b8_or(tmb_b8_and(left, right), tmb_b8_or(late, early)));
}

static inline float pass_cluster(tmb_ray_search *s, const tmb_ray_local *local, uint32_t cluster, float limit)
{
    seen_cluster seen;
    const unsigned count = tmb_cluster_triangle_count(&s->model->places[cluster]);
    see_cluster(local, s->model, cluster, &seen);
    unsigned met = pass_triangles(&seen, limit) & ((1u << count) - 1);
    s->counters.primitive_tests += count - (unsigned)__builtin_popcount(met);
    if (!met) {
        return limit;
    }
    for (; met && !s->is_over; met &= met - 1) {
        tmb_ray_search_try(s, tmb_triangle_address(cluster, (uint32_t)__builtin_ctz(met)));
    }
    return tmb_ray_local_limit(local, s->limit);
}

/* ---- All of them ---- */

typedef struct waiting {
    float near;
    uint32_t reference; /* twice the number of a node, or of a cluster and one more */
} waiting;

static inline waiting child_of(const tmb_wide_node *node, unsigned i, const float near[8])
{
    return (waiting){near[i], 2 * (node->children + i) + node->is_lowest};
}

/* Data that are looked at soon: those of all clusters that are met, before the first. */
static inline void fetch_clusters(const tumble_model *model, const tmb_wide_node *node, unsigned passed)
{
    for (; passed; passed &= passed - 1) {
        const uint32_t *data = model->clusters + model->places[node->children + (uint32_t)__builtin_ctz(passed)].offset;
        __builtin_prefetch(data);
        __builtin_prefetch(data + 16);
        __builtin_prefetch(data + 32);
    }
}

/* The nearest child, and the others on the stack, the nearer ones above. */
static inline waiting take_nearest(waiting *stack, uint32_t *waiting_count, const tmb_wide_node *node, unsigned passed,
                                   const float near[8])
{
    const uint32_t bottom = *waiting_count;
    uint32_t count = bottom;
    waiting nearest = child_of(node, (unsigned)__builtin_ctz(passed), near);
    for (passed &= passed - 1; passed; passed &= passed - 1) {
        const waiting child = child_of(node, (unsigned)__builtin_ctz(passed), near);
        const waiting far = child.near < nearest.near ? nearest : child;
        nearest = child.near < nearest.near ? child : nearest;
        uint32_t at = count++;
        for (; at > bottom && stack[at - 1].near < far.near; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = far;
    }
    *waiting_count = count;
    return nearest;
}

/* The next on the stack that is not too far; 0: there is none. */
static inline int take_waiting(const waiting *stack, uint32_t *count, float limit, waiting *next)
{
    while (*count > 0) {
        *next = stack[--*count];
        if (next->near <= limit) {
            return 1;
        }
    }
    return 0;
}

void TMB_KERNEL_NAME(tmb_ray_wide)(tmb_ray_search *s, const tmb_ray_local *local)
{
    const tmb_wide_node *nodes = s->model->nodes;
    waiting stack[TMB_WIDE_LEVELS * TMB_WIDE], next = {0, 0};
    uint32_t count = 0;
    float limit = tmb_ray_local_limit(local, s->limit), near[8];
    do {
        while (!(next.reference & 1)) {
            const tmb_wide_node *node = nodes + next.reference / 2;
            const unsigned passed = pass_children(local, node, limit, near);
            s->counters.box_tests += node->child_count;
            if (passed) {
                if (node->is_lowest) {
                    fetch_clusters(s->model, node, passed);
                }
                next = take_nearest(stack, &count, node, passed, near);
            } else if (!take_waiting(stack, &count, limit, &next)) {
                return;
            }
        }
        limit = pass_cluster(s, local, next.reference / 2, limit);
    } while (!s->is_over && take_waiting(stack, &count, limit, &next));
}
