/* Leaves of any hierarchies in a search for the nearest triangles: which of their triangles are to be compared. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/bounds.h"
#include "math/pose.h"
#include "near/boxes/boxes.h"
#include "query/local_map.h"

#define LANES TMB_BOX_LEAF
_Static_assert(TMB_BOX_LEAF == TMB_BOX_LANES, "triangles of a leaf are lanes");

/* The triangles of a leaf, in A's frame. */
struct tmb_triangle_lanes {
    tmb_box_lanes boxes;
    tmb_box_lanes all;           /* lane 0: around all of them */
    double corners[3][3][LANES]; /* of each corner, each axis */
    uint32_t addresses[LANES];
    uint32_t count, node;
};

size_t tmb_triangle_lanes_bytes(void)
{
    return 2 * TMB_BOX_LEAVES * sizeof(tmb_triangle_lanes);
}

void tmb_triangle_lanes_begin(tmb_boxes_near *near, void *memory)
{
    for (int side = 0; side < 2; side++) {
        near->triangles[side] = (tmb_triangle_lanes *)memory + side * TMB_BOX_LEAVES;
        for (int i = 0; i < TMB_BOX_LEAVES; i++) {
            near->triangles[side][i].node = UINT32_MAX;
        }
    }
}

static void load_triangle(const tmb_near_search *s, int side, tmb_triangle_lanes *out, uint32_t lane)
{
    TMB_ASSERT(lane < LANES);
    const tmb_boxes_near *near = s->walk.data;
    const tumble_pose *pose = &s->encounter.relative;
    double own[3][3];
    tmb_model_corners(near->trees[side].model, out->addresses[lane], own);
    for (int k = 0; k < 3; k++) {
        double lower = DBL_MAX, upper = -DBL_MAX;
        for (int i = 0; i < 3; i++) {
            const double x =
                side == TMB_BOXES_A ? own[i][k] : tmb_pose_coordinate(pose, k, own[i][0], own[i][1], own[i][2]);
            out->corners[i][k][lane] = x;
            lower = x < lower ? x : lower;
            upper = x > upper ? x : upper;
        }
        out->boxes.lower[k][lane] = lower;
        out->boxes.upper[k][lane] = upper;
    }
}

static void load_run(const tmb_near_search *s, int side, const tmb_box_group *group, uint32_t lane,
                     tmb_triangle_lanes *out)
{
    const tmb_boxes_near *near = s->walk.data;
    uint32_t address = group->reference[lane];
    for (uint32_t i = 0; i < group->triangle_count[lane]; i++) {
        address = i ? tmb_box_next_triangle(near->trees[side].model, address) : address;
        out->addresses[out->count] = address;
        load_triangle(s, side, out, out->count++);
    }
}

static void bound_all(tmb_triangle_lanes *out)
{
    for (int k = 0; k < 3; k++) {
        out->all.lower[k][0] = out->boxes.lower[k][0];
        out->all.upper[k][0] = out->boxes.upper[k][0];
        for (uint32_t i = 1; i < out->count; i++) {
            out->all.lower[k][0] = fmin(out->boxes.lower[k][i], out->all.lower[k][0]);
            out->all.upper[k][0] = fmax(out->boxes.upper[k][i], out->all.upper[k][0]);
        }
    }
}

static const tmb_triangle_lanes *triangles_of(tmb_near_search *s, int side, uint32_t node)
{
    const tmb_boxes_near *near = s->walk.data;
    tmb_triangle_lanes *out = &near->triangles[side][node % TMB_BOX_LEAVES];
    if (out->node == node) {
        return out;
    }
    const tmb_box_group *groups = s->scratch->boxes[side].data;
    const tmb_box_group *group = &groups[node / TMB_BOX_LANES];
    const uint32_t lane = node % TMB_BOX_LANES;
    out->node = node;
    out->count = 0;
    if (tmb_box_is_leaf(group, lane)) {
        load_run(s, side, group, lane, out);
    } else {
        const tmb_box_group *below = &groups[group->children[lane]];
        for (uint32_t i = 0; i < below->count; i++) {
            load_run(s, side, below, i, out);
        }
    }
    bound_all(out);
    return out;
}

/* ---- Lower bounds: number 8 j + i is that of triangle i of A and j of B ---- */

static void measure_along(const tmb_triangle_lanes *t, const double axis[3], const double origin[3],
                          double lower[LANES], double upper[LANES])
{
    for (uint32_t i = 0; i < t->count; i++) {
        lower[i] = DBL_MAX;
        upper[i] = -DBL_MAX;
        for (int c = 0; c < 3; c++) {
            tmb_widen_along(axis, origin, t->corners[c][0][i], t->corners[c][1][i], t->corners[c][2][i], &lower[i],
                            &upper[i]);
        }
    }
}

static void raise_along(const tmb_triangle_lanes *a, const tmb_triangle_lanes *b, double *bounds)
{
    double origin[3], axis[3], lower_a[LANES], upper_a[LANES], lower_b[LANES], upper_b[LANES];
    if (!tmb_box_axis(&a->all, 0, &b->all, 0, origin, axis)) {
        return;
    }
    measure_along(a, axis, origin, lower_a, upper_a);
    measure_along(b, axis, origin, lower_b, upper_b);
    for (uint32_t j = 0; j < b->count; j++) {
        for (uint32_t i = 0; i < a->count; i++) {
            const double gap = tmb_gap_along(upper_a[i], lower_b[j]);
            bounds[8 * j + i] = gap > 0 && gap > bounds[8 * j + i] ? gap : bounds[8 * j + i];
        }
    }
}

/* The nearest pair that is left; when it is not within the bound, none is. */
static unsigned next_pair(const double *bounds, uint64_t pairs)
{
    TMB_ASSERT(pairs != 0);
    unsigned nearest = (unsigned)__builtin_ctzll(pairs);
    for (; pairs; pairs &= pairs - 1) {
        const unsigned pair = (unsigned)__builtin_ctzll(pairs);
        nearest = bounds[pair] < bounds[nearest] ? pair : nearest;
    }
    return nearest;
}

/* Pairs that are within the bound; the least of the bounds of the others. */
static uint64_t close_pairs(const tmb_triangle_lanes *a, const tmb_triangle_lanes *b, const double *bounds,
                            double bound, double *least)
{
    uint64_t close = 0;
    for (uint32_t j = 0; j < b->count; j++) {
        for (uint32_t i = 0; i < a->count; i++) {
            const double lower = bounds[8 * j + i];
            close |= (uint64_t)(lower <= bound) << (8 * j + i);
            *least = lower > bound && lower < *least ? lower : *least;
        }
    }
    return close;
}

/* In doubles. */
static void compare_lanes(tmb_near_search *s, uint32_t node_a, uint32_t node_b)
{
    const tmb_triangle_lanes *a = triangles_of(s, TMB_BOXES_A, node_a), *b = triangles_of(s, TMB_BOXES_B, node_b);
    double bounds[LANES * LANES], least = INFINITY;
    for (uint32_t j = 0; j < b->count; j++) {
        tmb_box_distances(&a->boxes, &b->boxes, j, bounds + 8 * j);
    }
    raise_along(a, b, bounds);
    uint64_t left = close_pairs(a, b, bounds, s->bound, &least);
    while (left && !tmb_near_is_over(s)) {
        const unsigned pair = next_pair(bounds, left);
        if (bounds[pair] > s->bound) {
            least = bounds[pair]; /* the others were not within the bound before it fell */
            break;
        }
        left &= ~((uint64_t)1 << pair);
        tmb_near_compare(s, a->addresses[pair % 8], b->addresses[pair / 8]);
    }
    s->has_compared = 1;
    s->least = least < s->least ? least : s->least;
}

/* ---- A leaf and nodes that are much smaller than its triangles ----
 *
 * Boxes of large triangles hardly says which of the small nodes is nearest. So each node is taken as a ball, whose
 * centre has an exact distance from the triangles. */

typedef struct ball {
    double centre[3], radius;
} ball;

/* Around a box: the radius is rounded upward, with what the centre is off by. */
static ball ball_around(const double lower[3], const double upper[3])
{
    TMB_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    ball out;
    double square = 0, most = 0, half[3];
    for (int k = 0; k < 3; k++) {
        out.centre[k] = 0.5 * lower[k] + 0.5 * upper[k];
        half[k] = tmb_greater(upper[k] - out.centre[k], out.centre[k] - lower[k]);
        most = tmb_greater(half[k], most);
    }
    for (int k = 0; k < 3 && most > 0; k++) {
        square += half[k] / most * (half[k] / most);
    }
    out.radius = most * sqrt(square) * (1 + TMB_BALL_RADIUS_ROUNDING) + TMB_BALL_LEAST_MARGIN;
    return out;
}

static ball ball_of_lane(const tmb_box_lanes *boxes, uint32_t lane)
{
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = boxes->lower[k][lane];
        upper[k] = boxes->upper[k][lane];
    }
    return ball_around(lower, upper);
}

static ball ball_of_all(const tmb_box_lanes *boxes, uint32_t count)
{
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = boxes->lower[k][0];
        upper[k] = boxes->upper[k][0];
        for (uint32_t i = 1; i < count; i++) {
            lower[k] = fmin(boxes->lower[k][i], lower[k]);
            upper[k] = fmax(boxes->upper[k][i], upper[k]);
        }
    }
    return ball_around(lower, upper);
}

static tmb_triangle_distance distance_from(const tmb_triangle_lanes *t, uint32_t lane, const double point[3])
{
    TMB_ASSERT(lane < t->count);
    double triangle[3][3], points[3][3];
    tmb_triangle_distance out;
    for (int i = 0; i < 9; i++) {
        triangle[i / 3][i % 3] = t->corners[i / 3][i % 3][lane];
        points[i / 3][i % 3] = point[i % 3];
    }
    tmb_triangles_distance_fast((const double(*)[3])triangle, (const double(*)[3])points, &out);
    return out;
}

/* The triangles that can be nearest to something in a ball. */
static unsigned nearest_to(const tmb_triangle_lanes *t, const ball *all)
{
    double lower[LANES], least = INFINITY;
    unsigned lanes = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const tmb_triangle_distance distance = distance_from(t, i, all->centre);
        lower[i] = distance.lower;
        least = distance.upper < least ? distance.upper : least;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        lanes |= lower[i] > (least + 2 * all->radius) * (1 + TMB_BALL_DISTANCE_ROUNDING) ? 0 : 1u << i;
    }
    return lanes;
}

void tmb_boxes_raise_small(tmb_near_search *s, int side, uint32_t leaf, const tmb_box_group *small, double *bounds,
                           uint32_t stride)
{
    TMB_ASSERT(stride > 0);
    TMB_ASSERT(small->count > 0 && small->count <= TMB_BOX_LANES);
    const tmb_triangle_lanes *t = triangles_of(s, side, leaf);
    const tmb_box_lanes *boxes = &small->in[TMB_BOXES_A];
    const ball all = ball_of_all(boxes, small->count);
    const unsigned lanes = nearest_to(t, &all);
    s->encounter.box_tests += t->count + small->count * (uint64_t)__builtin_popcount(lanes);
    for (uint32_t i = 0; i < small->count; i++) {
        if (s->deadline < INFINITY && tmb_seconds() >= s->deadline) {
            break; /* what is not raised is right as well */
        }
        const ball each = ball_of_lane(boxes, i);
        double least = INFINITY;
        for (unsigned rest = lanes; rest; rest &= rest - 1) {
            const double lower = distance_from(t, (uint32_t)__builtin_ctz(rest), each.centre).lower;
            least = lower < least ? lower : least;
        }
        const double lower = (least - each.radius) * (1 - TMB_BALL_DISTANCE_ROUNDING) - TMB_DOUBLE_LEAST;
        bounds[stride * i] = lower > 0 && lower < DBL_MAX && lower > bounds[stride * i] ? lower : bounds[stride * i];
    }
}

/* ---- In floats ---- */

/* The clusters that have triangles of a leaf. What else is in them is compared as well: that is faster than to pick. */
typedef struct clusters {
    uint32_t numbers[TMB_BOX_LEAF], count;
} clusters;

static void add_run(const tumble_model *model, const tmb_box_group *group, uint32_t lane, clusters *out)
{
    uint32_t address = group->reference[lane];
    for (uint32_t n = 0; n < group->triangle_count[lane]; n++) {
        address = n ? tmb_box_next_triangle(model, address) : address;
        uint32_t i = 0;
        while (i < out->count && out->numbers[i] != address / TMB_CLUSTER_TRIANGLES) {
            i++;
        }
        out->numbers[i] = address / TMB_CLUSTER_TRIANGLES;
        out->count = i < out->count ? out->count : i + 1;
    }
}

static clusters clusters_of(const tmb_near_search *s, int side, uint32_t node)
{
    const tmb_boxes_near *near = s->walk.data;
    const tumble_model *model = near->trees[side].model;
    const tmb_box_group *groups = s->scratch->boxes[side].data;
    const tmb_box_group *group = &groups[node / TMB_BOX_LANES];
    const uint32_t lane = node % TMB_BOX_LANES;
    clusters out = {.count = 0};
    if (tmb_box_is_leaf(group, lane)) {
        add_run(model, group, lane, &out);
    } else {
        const tmb_box_group *below = &groups[group->children[lane]];
        for (uint32_t i = 0; i < below->count; i++) {
            add_run(model, below, i, &out);
        }
    }
    return out;
}

#define MOST_CLUSTER_PAIRS 12 /* for which floats are faster */

void tmb_boxes_near_leaves(tmb_near_search *s, uint32_t node_a, uint32_t node_b)
{
    const tmb_boxes_near *near = s->walk.data;
    if (!near->clusters) {
        compare_lanes(s, node_a, node_b);
        return;
    }
    const clusters a = clusters_of(s, TMB_BOXES_A, node_a), b = clusters_of(s, TMB_BOXES_B, node_b);
    if (a.count * b.count > MOST_CLUSTER_PAIRS) {
        compare_lanes(s, node_a, node_b);
        return;
    }
    for (uint32_t n = 0; n < a.count * b.count && !tmb_near_is_over(s); n++) {
        near->clusters(s, a.numbers[n % a.count], b.numbers[n / a.count]);
    }
}
