/* Rays that go together through a wide hierarchy: the packet meets eight boxes, then eight triangles at a time, then each
 * of its rays what is left. Compiled once for each instruction set. See docs/single.md for why nothing is missed. */
#include "ray/packet.h"
#include "ray/waiting.h"

#define SLACK TMB_RAY_PACKET_SLACK

typedef struct walk {
    tmb_packet *packet;
    const tumble_model *model;
    int any;     /* any hit will do, not the first */
    float limit; /* of all rays */
    unsigned near_steps, far_steps; /* of a node, the planes across the axis that come first and last */
} walk;

/* ---- Eight boxes ---- */

/* Eight planes, from the start. */
static inline tmb_f8 planes(const walk *w, const tmb_wide_node *node, unsigned steps, int i, float more)
{
    const int k = w->packet->frame.axis[i];
    return tmb_f8_add(tmb_f8_set(node->origin[k] - w->packet->origin[i] + more),
                      tmb_f8_mul(tmb_f8_from_u8(node->lower[0] + steps), tmb_f8_set(node->scale[k])));
}

static inline tmb_f8 side_at(const tmb_packet_side *side, int i, tmb_f8 depth)
{
    return tmb_f8_add(tmb_f8_set(side->at[i]), tmb_f8_mul(tmb_f8_set(side->slope[i]), depth));
}

/* The children of a node that the packet may meet, and at which depth each begins. */
static inline unsigned pass_children(const walk *w, const tmb_wide_node *node, float near[8])
{
    const tmb_packet *p = w->packet;
    tmb_f8 first = planes(w, node, w->near_steps, 2, p->is_backward ? SLACK : -SLACK);
    tmb_f8 last = planes(w, node, w->far_steps, 2, p->is_backward ? -SLACK : SLACK);
    if (p->is_backward) {
        first = tmb_f8_neg(first), last = tmb_f8_neg(last);
    }
    first = tmb_f8_max(first, tmb_f8_set(p->first_of_all));
    last = tmb_f8_min(last, tmb_f8_set(w->limit));
    tmb_b8 passed = tmb_f8_less_equal(first, last);
    for (int i = 0; i < 2; i++) {
        const unsigned lower = (unsigned)(TMB_WIDE * p->frame.axis[i]);
        const tmb_f8 least = side_at(&p->least, i, p->least.slope[i] < 0 ? last : first);
        const tmb_f8 most = side_at(&p->most, i, p->most.slope[i] < 0 ? first : last);
        passed = tmb_b8_and(passed, tmb_f8_less_equal(least, planes(w, node, lower + 3 * TMB_WIDE, i, SLACK)));
        passed = tmb_b8_and(passed, tmb_f8_less_equal(planes(w, node, lower, i, -SLACK), most));
    }
    tmb_f8_storeu(near, first);
    return tmb_b8_bits(passed) & ((1u << node->child_count) - 1);
}

/* ---- Eight triangles ---- */

/* Those of a cluster, by corners: x, y and the depth; and in which depths they lie. */
typedef struct triangles8 {
    _Alignas(32) float at[3][3][8];
    float bound[8], begin[8], end[8];
    unsigned met; /* bits of those that the packet may meet */
} triangles8;

static inline tmb_f8 corners_of(const walk *w, const uint32_t *data, uint32_t count, uint32_t first, int i)
{
    const tmb_ray_frame *frame = &w->packet->frame;
    return tmb_from_start(frame, data, w->model->is_float, first + (uint32_t)frame->axis[i] * count, frame->axis[i]);
}

static inline void see_corners(const walk *w, uint32_t cluster, tmb_f8 at[3][3])
{
    const tmb_cluster_place *place = &w->model->places[cluster];
    const uint32_t *data = w->model->clusters + place->offset;
    const uint32_t count = tmb_cluster_corner_count(place, w->model->is_float);
    for (int i = 0; i < 3; i++) {
        tmb_f8 both[2];
        both[0] = corners_of(w, data, count, 0, i);
        both[1] = count > 8 ? corners_of(w, data, count, 8, i) : both[0];
        if (i == 2 && w->packet->is_backward) {
            both[0] = tmb_f8_neg(both[0]), both[1] = tmb_f8_neg(both[1]);
        }
        for (int k = 0; k < 3; k++) {
            at[k][i] = tmb_f8_lookup(both, tmb_i8_nibbles(data[k]));
        }
    }
}

/* How far corners are beyond the packet, and before it: along x or y. */
typedef struct beside8 {
    tmb_f8 beyond[3], before[3];
} beside8;

static inline beside8 see_beside(const walk *w, tmb_f8 at[3][3], int i)
{
    beside8 b;
    for (int k = 0; k < 3; k++) {
        b.beyond[k] = tmb_f8_sub(at[k][i], side_at(&w->packet->most, i, at[k][2]));
        b.before[k] = tmb_f8_sub(side_at(&w->packet->least, i, at[k][2]), at[k][i]);
    }
    return b;
}

static inline tmb_f8 least_of(const tmb_f8 a[3])
{
    return tmb_f8_min3(a[0], a[1], a[2]);
}

/* No corner is farther from any ray. */
static inline tmb_f8 reach_of(const beside8 *x, const beside8 *y)
{
    const tmb_f8 reach_x = tmb_f8_min(least_of(x->beyond), least_of(x->before));
    const tmb_f8 reach_y = tmb_f8_min(least_of(y->beyond), least_of(y->before));
    return tmb_f8_sub(tmb_f8_set(SLACK), tmb_f8_min(reach_x, reach_y));
}

static inline void pass_triangles(const walk *w, uint32_t cluster, triangles8 *out)
{
    tmb_f8 at[3][3];
    see_corners(w, cluster, at);
    const tmb_f8 begin = tmb_f8_min3(at[0][2], at[1][2], at[2][2]), end = tmb_f8_max3(at[0][2], at[1][2], at[2][2]);
    const beside8 x = see_beside(w, at, 0), y = see_beside(w, at, 1);
    const tmb_f8 slack = tmb_f8_set(SLACK), reach = reach_of(&x, &y);
    const tmb_b8 beside_x = tmb_b8_or(tmb_f8_less(slack, least_of(x.beyond)), tmb_f8_less(slack, least_of(x.before)));
    const tmb_b8 beside_y = tmb_b8_or(tmb_f8_less(slack, least_of(y.beyond)), tmb_f8_less(slack, least_of(y.before)));
    const tmb_b8 along = tmb_b8_or(tmb_f8_less(tmb_f8_set(w->limit), begin),
                                   tmb_f8_less(end, tmb_f8_set(w->packet->first_of_all - SLACK)));
    const tmb_f8 linear =
        tmb_f8_add(tmb_f8_set(TMB_RAY_TURN_LINEAR), tmb_f8_mul(reach, tmb_f8_set(TMB_RAY_TURN_SQUARE)));
    out->met = 255 & ~tmb_b8_bits(tmb_b8_or(along, tmb_b8_or(beside_x, beside_y)));
    tmb_f8_storeu(out->bound, tmb_f8_add(tmb_f8_mul(reach, linear), tmb_f8_set(TMB_RAY_TURN_LEAST)));
    tmb_f8_storeu(out->begin, begin);
    tmb_f8_storeu(out->end, end);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            tmb_f8_storeu(out->at[k][i], at[k][i]);
        }
    }
}

/* ---- Eight rays and a triangle ---- */

/* Bits of rays that may meet it, and of those that surely cross it and see it turn left or right. */
typedef struct met8 {
    unsigned met, left, right;
    float first[8], last[8]; /* of the latter, between which depths */
} met8;

/* A corner, from eight rays. */
typedef struct seen8 {
    tmb_f8 x, y;
} seen8;

static inline seen8 see_corner(const tmb_packet *p, unsigned lane, const float corner[3][8], unsigned triangle)
{
    const tmb_f8 depth = tmb_f8_set(corner[2][triangle]);
    const tmb_f8 x = tmb_f8_sub(tmb_f8_set(corner[0][triangle]), tmb_f8_mul(tmb_f8_loadu(p->slope[0] + lane), depth));
    const tmb_f8 y = tmb_f8_sub(tmb_f8_set(corner[1][triangle]), tmb_f8_mul(tmb_f8_loadu(p->slope[1] + lane), depth));
    return (seen8){tmb_f8_sub(x, tmb_f8_loadu(p->at[0] + lane)), tmb_f8_sub(y, tmb_f8_loadu(p->at[1] + lane))};
}

static inline tmb_f8 turn(const seen8 *p, const seen8 *q)
{
    return tmb_f8_sub(tmb_f8_mul(p->x, q->y), tmb_f8_mul(p->y, q->x));
}

static inline void meet(const tmb_packet *p, unsigned lane, const triangles8 *t, unsigned i, met8 *out)
{
    const seen8 a = see_corner(p, lane, t->at[0], i), b = see_corner(p, lane, t->at[1], i);
    const seen8 c = see_corner(p, lane, t->at[2], i);
    const tmb_f8 ab = turn(&a, &b), bc = turn(&b, &c), ca = turn(&c, &a);
    const tmb_f8 least = tmb_f8_min3(ab, bc, ca), most = tmb_f8_max3(ab, bc, ca);
    const tmb_f8 bound = tmb_f8_set(t->bound[i]), minus = tmb_f8_set(-t->bound[i]);
    const tmb_f8 begin = tmb_f8_set(t->begin[i]), end = tmb_f8_set(t->end[i]);
    const tmb_f8 first = tmb_f8_loadu(p->first + lane), last = tmb_f8_loadu(p->last + lane);
    const tmb_b8 outside = tmb_b8_and(tmb_f8_less(bound, most), tmb_f8_less(least, minus));
    const tmb_b8 in_range = tmb_b8_and(tmb_f8_less_equal(begin, tmb_f8_loadu(p->limit + lane)),
                                       tmb_f8_less_equal(first, tmb_f8_set(t->end[i] + SLACK)));
    const tmb_b8 sure = tmb_b8_and(tmb_f8_less(first, tmb_f8_sub(begin, tmb_f8_set(SLACK))),
                                   tmb_f8_less(tmb_f8_add(end, tmb_f8_set(SLACK)), last));
    out->met = tmb_b8_bits(tmb_b8_andnot(in_range, outside));
    if (!out->met) {
        return;
    }
    out->left = tmb_b8_bits(tmb_b8_and(sure, tmb_f8_less(bound, least)));
    out->right = tmb_b8_bits(tmb_b8_and(sure, tmb_f8_less(most, minus)));
    const tmb_f8 depths[3] = {tmb_f8_set(t->at[0][2][i]), tmb_f8_set(t->at[1][2][i]), tmb_f8_set(t->at[2][2][i])};
    const tmb_f8 weights[3] = {bc, ca, ab};
    const tmb_depths8 where = tmb_crossing_depths(depths, weights, bound);
    tmb_f8_storeu(out->first, where.first);
    tmb_f8_storeu(out->last, where.last);
}

/* ---- What is known of a ray ---- */

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

/* The ray may meet a triangle; surely, on that side, unless it is 0. */
static inline void note(const walk *w, unsigned ray, uint32_t address, int side, float begin, float end)
{
    tmb_packet *p = w->packet;
    if (side == 0 || !(end < p->end[ray])) {
        p->other[ray] = lesser(p->other[ray], begin);
        return;
    }
    p->other[ray] = w->any ? 16 : lesser(p->other[ray], p->begin[ray]);
    p->begin[ray] = begin;
    p->end[ray] = end;
    p->address[ray] = address;
    p->side[ray] = (int8_t)side;
    p->limit[ray] = w->any ? -1 : lesser(p->limit[ray], end + SLACK);
}

static inline void pass_rays(const walk *w, const triangles8 *t, uint32_t cluster, unsigned i, unsigned lane)
{
    met8 m;
    meet(w->packet, lane, t, i, &m);
    for (unsigned met = m.met; met; met &= met - 1) {
        const unsigned ray = (unsigned)__builtin_ctz(met);
        const int side = w->packet->left_side * ((int)(m.left >> ray & 1) - (int)(m.right >> ray & 1));
        note(w, lane + ray, tmb_triangle_address(cluster, i), side, side ? m.first[ray] : t->begin[i],
             side ? m.last[ray] : 0);
    }
}

static void pass_cluster(walk *w, uint32_t cluster)
{
    triangles8 triangles;
    const unsigned count = tmb_cluster_triangle_count(&w->model->places[cluster]);
    tmb_fetch_polygon(w->model, w->model->places + cluster);
    pass_triangles(w, cluster, &triangles);
    w->packet->counters.primitive_tests += count;
    for (unsigned met = triangles.met & ((1u << count) - 1); met; met &= met - 1) {
        const unsigned i = (unsigned)__builtin_ctz(met);
        w->packet->counters.primitive_tests += w->packet->count;
        for (unsigned lane = 0; lane < w->packet->count; lane += TMB_LANES) {
            pass_rays(w, &triangles, cluster, i, lane);
        }
    }
    w->limit = tmb_f8_max_of(tmb_f8_max(tmb_f8_loadu(w->packet->limit), tmb_f8_loadu(w->packet->limit + 8)));
}

/* ---- All of them ---- */

void TMB_KERNEL_NAME(tmb_ray_packet)(tmb_packet *packet, const tumble_model *model, int any)
{
    const unsigned lower = (unsigned)(TMB_WIDE * packet->frame.axis[2]), upper = lower + 3 * TMB_WIDE;
    walk w = {.packet = packet,
              .model = model,
              .any = any,
              .limit = 8,
              .near_steps = packet->is_backward ? upper : lower,
              .far_steps = packet->is_backward ? lower : upper};
    tmb_waiting stack[TMB_WIDE_LEVELS * TMB_WIDE], next = 0;
    uint32_t count = 0;
    float near[8];
    do {
        if (next & 1) {
            pass_cluster(&w, (uint32_t)next / 2);
            continue;
        }
        const tmb_wide_node *node = (const tmb_wide_node *)model->nodes + (uint32_t)next / 2;
        const unsigned passed = pass_children(&w, node, near);
        packet->counters.box_tests += node->child_count;
        if (passed) {
            if (node->is_lowest) {
                tmb_fetch_clusters(model, node, passed);
            }
            const tmb_waiting nearest = tmb_take_nearest(stack, &count, node, passed, near);
            stack[count++] = nearest;
        }
    } while (tmb_take_waiting(stack, &count, w.limit, &next));
}
