/* Rays that go together through a wide hierarchy: the packet meets eight boxes, then eight triangles at a time, then
 * each of its rays what is left. Compiled once for each instruction set. See docs/single.md for why nothing is missed.
 */
#include "math/lanes_sixteen.h"
#include "ray/packet.h"
#include "ray/waiting.h"

#define SLACK TMB_RAY_PACKET_SLACK

typedef struct walk {
    tmb_packet *packet;
    const tumble_model *model;
    int any;                        /* any hit will do, not the first */
    float limit;                    /* of all rays */
    unsigned near_steps, far_steps; /* of a node, the planes across the axis that come first and last */
} walk;

/* ---- Eight boxes ---- */

/* Eight planes, from the start. */
static inline tmb_f8 planes(const walk *w, const tmb_wide_node *node, unsigned steps, int i, float more)
{
    const int k = w->packet->frame.axis[i];
    return tmb_f8_add(tmb_f8_set(node->origin[k] - w->packet->origin[i] + more),
                      tmb_f8_mul(tmb_f8_from_u8(tmb_ray_steps(node, steps)), tmb_f8_set(node->scale[k])));
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
    const tmb_f8 slack = tmb_f8_set(SLACK);
    const tmb_b8 beside_x = tmb_b8_or(tmb_f8_less(slack, least_of(x.beyond)), tmb_f8_less(slack, least_of(x.before)));
    const tmb_b8 beside_y = tmb_b8_or(tmb_f8_less(slack, least_of(y.beyond)), tmb_f8_less(slack, least_of(y.before)));
    const tmb_b8 along = tmb_b8_or(tmb_f8_less(tmb_f8_set(w->limit), begin),
                                   tmb_f8_less(end, tmb_f8_set(w->packet->first_of_all - SLACK)));
    out->met = 255 & ~tmb_b8_bits(tmb_b8_or(along, tmb_b8_or(beside_x, beside_y)));
    if (!out->met) {
        return;
    }
    const tmb_f8 reach = reach_of(&x, &y);
    const tmb_f8 linear =
        tmb_f8_add(tmb_f8_set(TMB_RAY_TURN_LINEAR), tmb_f8_mul(reach, tmb_f8_set(TMB_RAY_TURN_SQUARE)));
    tmb_f8_storeu(out->bound, tmb_f8_add(tmb_f8_mul(reach, linear), tmb_f8_set(TMB_RAY_TURN_LEAST)));
    tmb_f8_storeu(out->begin, begin);
    tmb_f8_storeu(out->end, end);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            tmb_f8_storeu(out->at[k][i], at[k][i]);
        }
    }
}

/* ---- All rays and a triangle ---- */

/* Bits of rays that may meet it, and of those that surely cross it and see it turn left or right; and the turns of its
 * edges, the first opposite to the first corner. */
typedef struct met16 {
    unsigned met, left, right;
    tmb_f16 turns[3];
} met16;

/* A corner, from all rays. */
typedef struct seen16 {
    tmb_f16 x, y;
} seen16;

static inline seen16 see_corner(const tmb_packet *p, const float corner[3][8], unsigned triangle)
{
    const tmb_f16 depth = tmb_f16_set(corner[2][triangle]);
    const tmb_f16 x = tmb_f16_sub(tmb_f16_set(corner[0][triangle]), tmb_f16_mul(tmb_f16_loadu(p->slope[0]), depth));
    const tmb_f16 y = tmb_f16_sub(tmb_f16_set(corner[1][triangle]), tmb_f16_mul(tmb_f16_loadu(p->slope[1]), depth));
    return (seen16){tmb_f16_sub(x, tmb_f16_loadu(p->at[0])), tmb_f16_sub(y, tmb_f16_loadu(p->at[1]))};
}

static inline tmb_f16 turn(const seen16 *p, const seen16 *q)
{
    return tmb_f16_sub(tmb_f16_mul(p->x, q->y), tmb_f16_mul(p->y, q->x));
}

static inline void meet(const tmb_packet *p, const triangles8 *t, unsigned i, met16 *out)
{
    const seen16 a = see_corner(p, t->at[0], i), b = see_corner(p, t->at[1], i), c = see_corner(p, t->at[2], i);
    const tmb_f16 ab = turn(&a, &b), bc = turn(&b, &c), ca = turn(&c, &a);
    const tmb_f16 least = tmb_f16_min(tmb_f16_min(ab, bc), ca), most = tmb_f16_max(tmb_f16_max(ab, bc), ca);
    const tmb_f16 bound = tmb_f16_set(t->bound[i]), minus = tmb_f16_set(-t->bound[i]);
    const tmb_f16 first = tmb_f16_loadu(p->first);
    const unsigned outside = tmb_f16_less(bound, most) & tmb_f16_less(least, minus);
    const unsigned in_range = tmb_f16_less_equal(tmb_f16_set(t->begin[i]), tmb_f16_loadu(p->limit)) &
                              tmb_f16_less_equal(first, tmb_f16_set(t->end[i] + SLACK));
    const unsigned sure = tmb_f16_less(first, tmb_f16_set(t->begin[i] - SLACK)) &
                          tmb_f16_less(tmb_f16_set(t->end[i] + SLACK), tmb_f16_loadu(p->last));
    out->met = in_range & ~outside;
    out->left = sure & tmb_f16_less(bound, least);
    out->right = sure & tmb_f16_less(most, minus);
    out->turns[0] = bc, out->turns[1] = ca, out->turns[2] = ab;
}

/* ---- What is known of rays ---- */

typedef struct depths16 {
    tmb_f16 first, last;
} depths16;

/* As tmb_crossing_depths. */
static inline depths16 find_depths(const triangles8 *t, unsigned i, const tmb_f16 turns[3])
{
    const float begin = t->begin[i];
    const tmb_f16 sum = tmb_f16_add(tmb_f16_add(turns[0], turns[1]), turns[2]);
    const tmb_f16 inverse = tmb_f16_div(tmb_f16_set(1), sum);
    const tmb_f16 a = tmb_f16_mul(tmb_f16_set(t->at[0][2][i] - begin), turns[0]);
    const tmb_f16 b = tmb_f16_mul(tmb_f16_set(t->at[1][2][i] - begin), turns[1]);
    const tmb_f16 c = tmb_f16_mul(tmb_f16_set(t->at[2][2][i] - begin), turns[2]);
    const tmb_f16 depth = tmb_f16_add(tmb_f16_set(begin), tmb_f16_mul(tmb_f16_add(tmb_f16_add(a, b), c), inverse));
    const tmb_f16 part = tmb_f16_mul(tmb_f16_set(TMB_RAY_DEPTH_FACTOR * t->bound[i]), tmb_f16_abs(inverse));
    const tmb_f16 error =
        tmb_f16_add(tmb_f16_mul(part, tmb_f16_set(t->end[i] - begin)), tmb_f16_set(TMB_RAY_BOX_SLACK));
    return (depths16){tmb_f16_max(tmb_f16_set(begin), tmb_f16_sub(depth, error)),
                      tmb_f16_min(tmb_f16_set(t->end[i]), tmb_f16_add(depth, error))};
}

static inline void choose(float *of, unsigned set, tmb_f16 if_set)
{
    tmb_f16_storeu(of, tmb_f16_select(set, if_set, tmb_f16_loadu(of)));
}

static inline float float_of_bits(uint32_t bits)
{
    float same;
    memcpy(&same, &bits, sizeof same);
    return same;
}

/* What rays do with a triangle: it is the closest so far of those that are sure, or one that may be met as well. */
static inline void note(const walk *w, const triangles8 *t, unsigned i, uint32_t address, const met16 *m)
{
    tmb_packet *p = w->packet;
    const depths16 depths = find_depths(t, i, m->turns);
    const tmb_f16 slack = tmb_f16_set(SLACK), old_begin = tmb_f16_loadu(p->begin), other = tmb_f16_loadu(p->other);
    const unsigned sure = m->met & (m->left | m->right);
    const unsigned closer = sure & tmb_f16_less(depths.last, tmb_f16_loadu(p->end));
    const tmb_f16 own_begin = tmb_f16_select(sure, depths.first, tmb_f16_set(t->begin[i]));
    const tmb_f16 second = tmb_f16_select(closer, old_begin, own_begin);
    choose(p->other, m->met, tmb_f16_min(other, second));
    choose(p->begin, closer, depths.first);
    choose(p->end, closer, depths.last);
    choose(p->limit, closer, tmb_f16_min(tmb_f16_loadu(p->limit), tmb_f16_add(depths.last, slack)));
    choose(p->address, closer, tmb_f16_set(float_of_bits(address)));
    choose(p->side, closer & m->left, tmb_f16_set(1));
    choose(p->side, closer & m->right, tmb_f16_set(-1));
    if (w->any) {
        choose(p->other, sure, tmb_f16_set(16));
        choose(p->limit, sure, tmb_f16_set(-1));
    }
}

static void pass_cluster(walk *w, uint32_t cluster)
{
    triangles8 triangles;
    const unsigned count = tmb_cluster_triangle_count(&w->model->places[cluster]);
    tmb_fetch_polygon(w->model, w->model->places + cluster);
    pass_triangles(w, cluster, &triangles);
    w->packet->counters.primitive_tests += count;
    met16 results[TMB_CLUSTER_TRIANGLES];
    unsigned noted = 0;
    for (unsigned met = triangles.met & ((1u << count) - 1); met; met &= met - 1) {
        const unsigned i = (unsigned)__builtin_ctz(met);
        meet(w->packet, &triangles, i, &results[i]);
        noted |= (unsigned)(results[i].met != 0) << i;
        w->packet->counters.primitive_tests += w->packet->count;
    }
    for (; noted; noted &= noted - 1) {
        const unsigned i = (unsigned)__builtin_ctz(noted);
        note(w, &triangles, i, tmb_triangle_address(cluster, i), &results[i]);
    }
    w->limit = tmb_f16_max_of(tmb_f16_loadu(w->packet->limit));
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
