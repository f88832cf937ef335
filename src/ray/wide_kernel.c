/* A ray through a wide hierarchy: eight boxes at a time, then eight triangles, the nearest first. Compiled once for
 * each instruction set. See docs/single.md for why nothing is missed. */
#include "math/bounds.h"
#include "ray/waiting.h"
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
        const uint8_t *near_steps = tmb_ray_steps(node, local->near_steps[k]);
        const uint8_t *far_steps = tmb_ray_steps(node, local->far_steps[k]);
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

static inline seen8 see_corners(const tmb_ray_local *local, const uint32_t *data, int is_float, size_t count,
                                size_t first)
{
    const int *axis = local->frame.axis;
    const tmb_f8 x = tmb_from_start(&local->frame, data, is_float, first + (size_t)axis[0] * count, axis[0]);
    const tmb_f8 y = tmb_from_start(&local->frame, data, is_float, first + (size_t)axis[1] * count, axis[1]);
    const tmb_f8 z = tmb_from_start(&local->frame, data, is_float, first + (size_t)axis[2] * count, axis[2]);
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

/* What is known of eight triangles: bits of those that the ray may meet, and of those whose insides it surely crosses
 * within its range, which it sees turn left or right; and where they begin. */
typedef struct passed8 {
    unsigned met, left, right;
    float first[8];
    float sure_first[8], sure_last[8]; /* of triangles that are surely crossed: where */
} passed8;

/* Not met: triangles that the ray surely passes on both hands, before its start, or after the limit. */
static inline void pass_triangles(const seen_cluster *c, float limit, float sure_limit, passed8 *out)
{
    const tmb_f8 a = turn(c, 0, 1), b = turn(c, 1, 2), d = turn(c, 2, 0);
    const tmb_f8 least = tmb_f8_min3(a, b, d), most = tmb_f8_max3(a, b, d);
    const tmb_f8 reach_x = tmb_f8_max3(tmb_f8_abs(c->x[0]), tmb_f8_abs(c->x[1]), tmb_f8_abs(c->x[2]));
    const tmb_f8 reach_y = tmb_f8_max3(tmb_f8_abs(c->y[0]), tmb_f8_abs(c->y[1]), tmb_f8_abs(c->y[2]));
    const tmb_f8 reach = tmb_f8_max(reach_x, reach_y);
    const tmb_f8 linear =
        tmb_f8_add(tmb_f8_set(TMB_RAY_TURN_LINEAR), tmb_f8_mul(reach, tmb_f8_set(TMB_RAY_TURN_SQUARE)));
    const tmb_f8 bound = tmb_f8_add(tmb_f8_mul(reach, linear), tmb_f8_set(TMB_RAY_TURN_LEAST));
    const tmb_f8 minus = tmb_f8_neg(bound);
    const tmb_f8 first = tmb_f8_min3(c->z[0], c->z[1], c->z[2]), last = tmb_f8_max3(c->z[0], c->z[1], c->z[2]);
    const tmb_b8 outside = tmb_b8_and(tmb_f8_less(bound, most), tmb_f8_less(least, minus));
    const tmb_b8 late = tmb_f8_less(tmb_f8_set(limit), first);
    const tmb_b8 early = tmb_f8_less(last, tmb_f8_set(-TMB_RAY_BOX_SLACK));
    out->met = 255 & ~tmb_b8_bits(tmb_b8_or(outside, tmb_b8_or(late, early)));
    const tmb_b8 sure =
        tmb_b8_and(tmb_f8_less(tmb_f8_set(TMB_RAY_BOX_SLACK), first), tmb_f8_less(last, tmb_f8_set(sure_limit)));
    out->left = tmb_b8_bits(tmb_b8_and(sure, tmb_f8_less(bound, least)));
    out->right = tmb_b8_bits(tmb_b8_and(sure, tmb_f8_less(most, minus)));
    tmb_f8_storeu(out->first, first);
    if (out->left | out->right) {
        const tmb_f8 weights[3] = {b, d, a};
        const tmb_depths8 depths = tmb_crossing_depths(c->z, weights, bound);
        tmb_f8_storeu(out->sure_first, depths.first);
        tmb_f8_storeu(out->sure_last, depths.last);
    }
}

/* ---- Candidates for the closest hit ---- */

/* A triangle that may be the closest: where it begins; its side is 0 if it is not sure that it is met. */
typedef struct candidate {
    float first;
    int side;
    uint32_t address;
} candidate;

enum {
    MOST_CANDIDATES = 16
};

/* A ray on its way. */
typedef struct walk {
    tmb_ray_search *s;
    const tmb_ray_local *local;
    float limit;      /* what begins later does not matter */
    float sure_limit; /* what ends before is in the range */
    tmb_waiting next;
    uint32_t waiting_count;
    unsigned count;
    candidate candidates[MOST_CANDIDATES];
    tmb_waiting stack[TMB_WIDE_LEVELS * TMB_WIDE];
} walk;

static void drop_late(walk *w)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < w->count; i++) {
        w->candidates[kept] = w->candidates[i];
        kept += !(w->candidates[i].first > w->limit);
    }
    w->count = kept;
}

/* Compares all candidates exactly. */
static void try_candidates(walk *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        tmb_ray_search_try(w->s, w->candidates[i].address);
    }
    w->count = 0;
    const float limit = tmb_ray_local_limit(w->local, w->s->limit);
    w->limit = limit < w->limit ? limit : w->limit;
}

/* What is closest, in the end: mostly one triangle is left, and it is sure. */
static void settle_candidates(walk *w)
{
    drop_late(w);
    if (w->count == 1 && w->candidates[0].side != 0 && w->s->found_count == 0) {
        tmb_ray_search_cross(w->s, w->candidates[0].address, w->candidates[0].side);
    } else if (w->count > 0) {
        try_candidates(w);
    }
}

static inline void add_candidate(walk *w, uint32_t address, int side, float first, float last)
{
    if (w->count == MOST_CANDIDATES) {
        drop_late(w);
        if (w->count > MOST_CANDIDATES / 2) {
            try_candidates(w);
        }
    }
    const float limit = last + 2 * TMB_RAY_BOX_SLACK;
    w->limit = side != 0 && limit < w->limit ? limit : w->limit;
    w->candidates[w->count++] = (candidate){first, side, address};
}

static inline void pass_cluster(walk *w, uint32_t cluster)
{
    seen_cluster seen;
    passed8 passed;
    const unsigned count = tmb_cluster_triangle_count(&w->s->model->places[cluster]);
    tmb_fetch_polygon(w->s->model, w->s->model->places + cluster);
    see_cluster(w->local, w->s->model, cluster, &seen);
    pass_triangles(&seen, w->limit, w->sure_limit, &passed);
    w->s->counters.primitive_tests += count;
    for (unsigned met = passed.met & ((1u << count) - 1); met && !w->s->is_over; met &= met - 1) {
        const unsigned i = (unsigned)__builtin_ctz(met);
        const int side = w->local->left_side * ((int)(passed.left >> i & 1) - (int)(passed.right >> i & 1));
        const uint32_t address = tmb_triangle_address(cluster, i);
        if (w->s->mode == TUMBLE_FIRST) {
            add_candidate(w, address, side, side ? passed.sure_first[i] : passed.first[i],
                          side ? passed.sure_last[i] : 0);
        } else if (side != 0) {
            tmb_ray_search_cross(w->s, address, side);
        } else {
            tmb_ray_search_try(w->s, address);
        }
    }
}

/* ---- All of them ---- */

/* Looks at the next node or cluster; 0: it was the last. */
static inline __attribute__((always_inline)) int advance(walk *w)
{
    const tumble_model *model = w->s->model;
    float near[8];
    if (w->next & 1) {
        pass_cluster(w, (uint32_t)w->next / 2);
        return !w->s->is_over && tmb_take_waiting(w->stack, &w->waiting_count, w->limit, &w->next);
    }
    const tmb_wide_node *node = (const tmb_wide_node *)model->nodes + (uint32_t)w->next / 2;
    if (node->is_lowest) {
        __builtin_prefetch(model->places + node->children);
    }
    const unsigned passed = pass_children(w->local, node, w->limit, near);
    w->s->counters.box_tests += node->child_count;
    if (!passed) {
        return tmb_take_waiting(w->stack, &w->waiting_count, w->limit, &w->next);
    }
    if (node->is_lowest) {
        tmb_fetch_clusters(model, node, passed);
    }
    w->next = tmb_take_nearest(w->stack, &w->waiting_count, node, passed, near);
    return 1;
}

static inline void fetch_next(const walk *w)
{
    if (!(w->next & 1)) {
        const char *node = (const char *)((const tmb_wide_node *)w->s->model->nodes + (uint32_t)w->next / 2);
        __builtin_prefetch(node);
        __builtin_prefetch(node + 64);
    }
}

static void begin_walk(walk *w, tmb_ray_search *s, const tmb_ray_local *local)
{
    w->s = s, w->local = local;
    w->next = 0, w->waiting_count = w->count = 0;
    w->limit = tmb_ray_local_limit(local, s->limit);
    w->sure_limit = w->limit - 4 * TMB_RAY_BOX_SLACK;
}

static void end_walk(walk *w)
{
    if (w->s->mode == TUMBLE_FIRST) {
        settle_candidates(w);
    }
}

static void walk_one(tmb_ray_search *s, const tmb_ray_local *local)
{
    walk w;
    begin_walk(&w, s, local);
    while (advance(&w)) {
    }
    end_walk(&w);
}

/* Rays take turns, so that what one needs next comes from memory while others go on. */
void TMB_KERNEL_NAME(tmb_ray_wide)(tmb_ray_search *const *searches, const tmb_ray_local *locals, unsigned count)
{
    walk walks[TMB_RAYS_IN_TURN];
    walk *left[TMB_RAYS_IN_TURN];
    if (count == 1) {
        walk_one(searches[0], locals);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        begin_walk(&walks[i], searches[i], &locals[i]);
        left[i] = &walks[i];
    }
    while (count > 0) {
        unsigned kept = 0;
        for (unsigned i = 0; i < count; i++) {
            if (advance(left[i])) {
                fetch_next(left[i]);
                left[kept++] = left[i];
            } else {
                end_walk(left[i]);
            }
        }
        count = kept;
    }
}
