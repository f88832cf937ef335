/* Walks R-trees: a box against the 8 children of a node at a time. Compiled once for each instruction set. */
#include "base/assert.h"
#include "collide/leaf_lanes.h"
#include "collide/rtree/walk.h"
#include "math/bits.h"
#include "math/lanes.h"
#include "math/pose.h"

/* What waits in a descent: a node, a surface or a cluster. */
typedef struct waiting {
    uint32_t number, height; /* of the tree below: 0 means a leaf of its kind */
    int of_surfaces;
} waiting;

typedef struct descent {
    const tmb_rtree_side *side;
    tmb_rtree_box box;
    waiting stack[TMB_RTREE_WAITING];
    uint32_t top;
    uint32_t surface; /* the id of the surface whose tree was entered last, */
    uint32_t below;   /* and what waits below it */
} descent;

static void begin_descent(descent *d, const tmb_rtree_side *side, const tmb_rtree_box *box)
{
    const tmb_rtree_root *root = &side->model->block->rtree;
    d->side = side;
    d->box = *box;
    d->top = 1;
    d->stack[0] = (waiting){root->root, root->height, 1};
}

/* Children of a page that meet the box. */
static inline unsigned meeting_children(const tmb_rtree_node *node, uint32_t count, const tmb_rtree_box *box)
{
    tmb_b8 meet = tmb_f8_less_equal(tmb_f8_loadu(node->lower[0]), tmb_f8_set(box->upper[0]));
    meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(box->lower[0]), tmb_f8_loadu(node->upper[0])));
    for (int k = 1; k < 3; k++) {
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_loadu(node->lower[k]), tmb_f8_set(box->upper[k])));
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(box->lower[k]), tmb_f8_loadu(node->upper[k])));
    }
    return tmb_b8_bits(meet) & ((1u << count) - 1);
}

/* Of these, the ones whose distance from the box, which has been enlarged by the limit, is at most the limit. */
static unsigned close_children(const tmb_rtree_state *s, const tmb_rtree_node *node, const tmb_rtree_box *box,
                               unsigned meet)
{
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        const tmb_f8 above = tmb_f8_sub(tmb_f8_loadu(node->lower[k]), tmb_f8_set(box->upper[k]));
        const tmb_f8 below = tmb_f8_sub(tmb_f8_set(box->lower[k]), tmb_f8_loadu(node->upper[k]));
        const tmb_f8 gap = tmb_f8_add(tmb_f8_max(above, below), tmb_f8_set(s->limit_part));
        const tmb_f8 positive = tmb_f8_max(gap, tmb_f8_zero());
        square = tmb_f8_add(square, tmb_f8_mul(positive, positive));
    }
    return meet & ~tmb_b8_bits(tmb_f8_less(tmb_f8_set(s->limit_squared), square));
}

/* Whether a surface of the tree is known to intersect the probe's, and nothing more is asked. */
static inline int is_known(const tmb_rtree_state *s, uint32_t surface)
{
    return s->collider->by_surface &&
           tmb_pair_set_has(&s->collider->seen_surfaces, s->probe_is_b ? tmb_polygon_key(surface, s->probe_surface)
                                                                       : tmb_polygon_key(s->probe_surface, surface));
}

/* Pushes the children of a node that meet the box, so that the first is popped first. */
static inline void push_children(descent *d, const tmb_rtree_state *s, waiting w)
{
    tmb_collider *c = s->collider;
    const tmb_rtree_node *node = d->side->nodes + (size_t)w.number * d->side->pages;
    const uint32_t pages = (node->count + TMB_RTREE_LANES - 1) / TMB_RTREE_LANES;
    c->encounter.box_tests += node->count;
    c->encounter.node_bytes += pages * sizeof *node;
    for (uint32_t page = pages; page-- > 0;) {
        const uint32_t left = node->count - page * TMB_RTREE_LANES;
        unsigned meet = meeting_children(node + page, left < TMB_RTREE_LANES ? left : TMB_RTREE_LANES, &d->box);
        if (c->limit > 0 && d->side == &s->tree) {
            meet = close_children(s, node + page, &d->box, meet);
        }
        while (meet) {
            const unsigned i = 31u - (unsigned)__builtin_clz(meet);
            meet &= ~(1u << i);
            d->stack[d->top++] = (waiting){node[page].child[i], w.height - 1, w.of_surfaces};
        }
    }
}

/* The next cluster whose leaf entry meets the box; 0 when there is none. */
static int next_cluster(descent *d, const tmb_rtree_state *s, uint32_t *cluster)
{
    TMB_ASSERT(d->top <= TMB_RTREE_WAITING);
    while (d->top > 0) {
        const waiting w = d->stack[--d->top];
        if (w.height == 0 && !w.of_surfaces) {
            *cluster = w.number;
            return 1;
        }
        if (w.height == 0) {
            const tmb_rtree_surface *surface = &d->side->surfaces[w.number];
            if (d->side == &s->tree && is_known(s, surface->id)) {
                continue;
            }
            d->surface = surface->id;
            d->below = d->top;
            d->stack[d->top++] = (waiting){surface->root, surface->height, 0};
            continue;
        }
        push_children(d, s, w);
    }
    return 0;
}

/* After a test that found something new: what is left of the surface's tree need not be examined. */
static inline void leave_known(descent *d, const tmb_rtree_state *s)
{
    if (is_known(s, d->surface)) {
        d->top = d->below;
    }
}

/* ---- The probe's triangles ---- */

static inline int meets_window(const tmb_rtree_state *s, double t[3][3])
{
    const tmb_local_frame *frame = &s->probe.model->frame;
    int meets = 1;
    for (int k = 0; k < 3; k++) {
        const double xy = t[0][k] < t[1][k] ? t[0][k] : t[1][k], low = xy < t[2][k] ? xy : t[2][k];
        const double yx = t[0][k] > t[1][k] ? t[0][k] : t[1][k], high = yx > t[2][k] ? yx : t[2][k];
        meets &= (low - frame->centre[k]) * frame->scale <= (double)s->window.upper[k];
        meets &= (high - frame->centre[k]) * frame->scale >= (double)s->window.lower[k];
    }
    return meets;
}

/* A point of the probe in local coordinates of the tree. B's points are moved as the triangle test moves them, which
 * makes the box optimal; A's by the inverse map, with its slack. */
static inline void move_point(const tmb_rtree_state *s, const double p[3], double out[3])
{
    const tmb_local_frame *to = &s->tree.model->frame, *from = &s->probe.model->frame;
    if (s->probe_is_b) {
        for (int k = 0; k < 3; k++) {
            const double moved = tmb_pose_coordinate(&s->collider->encounter.relative, k, p[0], p[1], p[2]);
            out[k] = (moved - to->centre[k]) * to->scale;
        }
        return;
    }
    double local[3];
    for (int k = 0; k < 3; k++) {
        local[k] = (p[k] - from->centre[k]) * from->scale;
    }
    for (int k = 0; k < 3; k++) {
        const double *row = s->into_b.m[k];
        out[k] = (row[0] * local[0] + row[1] * local[1]) + (row[2] * local[2] + s->into_b.shift[k]);
    }
}

static void widen_by(const tmb_rtree_state *s, double t[3][3], double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        double p[3];
        move_point(s, t[i], p);
        for (int k = 0; k < 3; k++) {
            lower[k] = p[k] < lower[k] ? p[k] : lower[k];
            upper[k] = p[k] > upper[k] ? p[k] : upper[k];
        }
    }
}

static tmb_rtree_box rounded_box(const tmb_rtree_state *s, const double lower[3], const double upper[3])
{
    TMB_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    tmb_rtree_box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = tmb_float_below(lower[k] - s->slack);
        box.upper[k] = tmb_float_above(upper[k] + s->slack);
    }
    return box;
}

/* The paper's loop: one triangle of the probe against all of the tree that its box meets. 1: stop. */
static int probe_triangle(tmb_rtree_state *s, uint32_t address, double corners[3][3])
{
    tmb_collider *c = s->collider;
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    widen_by(s, corners, lower, upper);
    const tmb_rtree_box box = rounded_box(s, lower, upper);
    descent d;
    uint32_t cluster;
    c->encounter.box_updates++;
    begin_descent(&d, &s->tree, &box);
    while (next_cluster(&d, s, &cluster)) {
        const uint64_t known = c->surface_pair_count;
        const uint32_t count = tmb_cluster_triangle_count(s->tree.model->places + cluster);
        c->encounter.box_tests += count;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t other = tmb_triangle_address(cluster, i);
            if (s->probe_is_b ? tmb_collider_leaf(c, other, address) : tmb_collider_leaf(c, address, other)) {
                return 1;
            }
        }
        if (c->surface_pair_count != known) {
            leave_known(&d, s);
        }
    }
    return 0;
}

/* A cluster of the probe at once: its triangles in the window have one box, and pairs of clusters are tested as such.
 */
static int probe_cluster(tmb_rtree_state *s, uint32_t own, const double lower[3], const double upper[3],
                         const double origin[3])
{
    TMB_ASSERT(own < s->probe.model->block->cluster_count);
    TMB_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    tmb_collider *c = s->collider;
    const tmb_rtree_box box = rounded_box(s, lower, upper);
    const tumble_pose *pose = s->probe_is_b ? &c->encounter.relative : NULL,
                      *other_pose = s->probe_is_b ? NULL : &c->encounter.relative;
    descent d;
    uint32_t cluster;
    int ready = 0;
    cluster_lanes lanes, other;
    c->encounter.box_updates++;
    if (tmb_watch_ends(c->encounter.query->watch)) {
        tmb_collider_cancel(c);
        return 1;
    }
    begin_descent(&d, &s->tree, &box);
    while (next_cluster(&d, s, &cluster)) {
        const uint64_t known = c->surface_pair_count;
        if (!ready) {
            expand_cluster(s->probe.model, own, pose, origin, &lanes);
            ready = 1;
        }
        expand_cluster(s->tree.model, cluster, other_pose, origin, &other);
        if (s->probe_is_b ? test_clusters(c, &other, &lanes) : test_clusters(c, &lanes, &other)) {
            return 1;
        }
        if (c->surface_pair_count != known) {
            leave_known(&d, s);
        }
    }
    return 0;
}

/* In A's frame, near the cluster: where coordinates of both are taken from. */
static void origin_of(const tmb_rtree_state *s, double corner[3], double origin[3])
{
    for (int k = 0; k < 3; k++) {
        origin[k] = s->probe_is_b
                        ? tmb_pose_coordinate(&s->collider->encounter.relative, k, corner[0], corner[1], corner[2])
                        : corner[k];
    }
}

/* 1: stop. */
static int visit_probe(tmb_rtree_state *s, uint32_t cluster)
{
    TMB_ASSERT(cluster < s->probe.model->block->cluster_count);
    const tumble_model *model = s->probe.model;
    const uint32_t count = tmb_cluster_triangle_count(model->places + cluster);
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    double origin[3] = {0, 0, 0};
    int any = 0;
    s->collider->encounter.box_tests += count;
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        const uint32_t address = tmb_triangle_address(cluster, i);
        tmb_model_corners(model, address, corners);
        if (!meets_window(s, corners)) {
            continue;
        }
        if (s->single) {
            if (probe_triangle(s, address, corners)) {
                return 1;
            }
            continue;
        }
        widen_by(s, corners, lower, upper);
        if (!any) {
            origin_of(s, corners[0], origin);
        }
        any = 1;
    }
    return any && probe_cluster(s, cluster, lower, upper, origin);
}

void TMB_KERNEL_NAME(tmb_rtree_walk)(tmb_rtree_state *s)
{
    descent d;
    uint32_t cluster;
    begin_descent(&d, &s->probe, &s->window);
    while (next_cluster(&d, s, &cluster)) {
        s->probe_surface = d.surface;
        if (visit_probe(s, cluster)) {
            return;
        }
    }
}
