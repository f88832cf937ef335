/* Rays through models. */
#include "relate/ray.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/pose.h"
#include "math/predicates.h"
#include "math/vec3.h"
#include "prim/triangle.h"

/* ---- Where a model stands ---- */

/* The box of a box's corners when they are moved. All points in the box are moved into it, as they are rounded:
 * products and sums only grow with their operands, and so does their rounding. */
static void move_box(const tumble_pose *pose, const double lower[3], const double upper[3], double out_lower[3],
                     double out_upper[3])
{
    for (int i = 0; i < 3; i++) {
        double low[3], high[3];
        for (int j = 0; j < 3; j++) {
            const int falls = pose->m[i][j] < 0;
            low[j] = falls ? upper[j] : lower[j];
            high[j] = falls ? lower[j] : upper[j];
        }
        out_lower[i] = tmb_pose_coordinate(pose, i, low[0], low[1], low[2]);
        out_upper[i] = tmb_pose_coordinate(pose, i, high[0], high[1], high[2]);
    }
}

tmb_solid tmb_solid_of(const tumble_model *model, const tumble_pose *pose)
{
    tmb_solid solid = {.model = model, .pose = pose, .tree = tmb_box_view_of(model)};
    memcpy(solid.lower, model->block->lower, sizeof solid.lower);
    memcpy(solid.upper, model->block->upper, sizeof solid.upper);
    if (pose) {
        move_box(pose, model->block->lower, model->block->upper, solid.lower, solid.upper);
    }
    return solid;
}

void tmb_solid_corners(const tmb_solid *solid, uint32_t address, double corners[3][3])
{
    tmb_model_corners(solid->model, address, corners);
    if (!solid->pose) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double x = corners[i][0], y = corners[i][1], z = corners[i][2];
        for (int k = 0; k < 3; k++) {
            corners[i][k] = tmb_pose_coordinate(solid->pose, k, x, y, z);
        }
    }
}

/* ---- A ray ---- */

typedef struct ray {
    const tmb_solid *solid;
    const double *start; /* or near it: */
    double error;
    const tmb_exact_point *exact; /* NULL: the start is a double */
    tmb_bigfloat_pool *pool;      /* for an exact start */
    int axis, sign;               /* along which it goes, and whether to larger coordinates or smaller */
    double lower[3], upper[3];
    tumble_counters *counters;
    tmb_passages *passages; /* NULL: the start is not on the surface, and only parity matters */
} ray;

static int boxes_apart(const double lower_a[3], const double upper_a[3], const double lower_b[3],
                       const double upper_b[3])
{
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        apart |= (lower_a[k] > upper_b[k]) | (lower_b[k] > upper_a[k]);
    }
    return apart;
}

/* Through the nearest side of the box. */
static void choose_direction(ray *r)
{
    double nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double above = r->solid->upper[k] - r->start[k], below = r->start[k] - r->solid->lower[k];
        if (fmin(above, below) < nearest || k == 0) {
            nearest = fmin(above, below), r->axis = k, r->sign = below < above ? -1 : 1;
        }
    }
}

/* ---- A ray and a triangle ---- */

/* Along an axis, the normal (b - a) x (c - a) of three points: its sign. */
static int normal_along(const double a[3], const double b[3], const double c[3], int k)
{
    TMB_ASSERT(k >= 0 && k < 3);
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    const double flat[3][2] = {{a[u], a[v]}, {b[u], b[v]}, {c[u], c[v]}};
    return tmb_orient2d(flat[0], flat[1], flat[2]);
}

/* Whether the ray goes up through a plane, 1, or down. 0: it is parallel to it, or so nearly that it gets there too far
 * away. */
static int way_through(const ray *r, double t[3][3])
{
    return r->sign * normal_along(t[0], t[1], t[2], r->axis);
}

static int edge_along(const ray *r, const double a[3], const double b[3], int k)
{
    return r->exact ? tmb_exact_orient2d(r->pool, a, b, r->exact, k, &r->counters->exact_tests)
                    : normal_along(a, b, r->start, k);
}

/* On which hand it passes an edge. 0 only when the edge's line holds the start. */
static int hand_of_edge(const ray *r, const double a[3], const double b[3])
{
    int sign = r->sign * edge_along(r, a, b, r->axis);
    for (int turn = 1; turn < 3 && sign == 0; turn++) {
        sign = edge_along(r, a, b, (r->axis + turn) % 3);
    }
    return sign;
}

/* 1: the start is below the plane. */
static int side_of_start(const ray *r, double t[3][3])
{
    if (r->exact) {
        return tmb_exact_orient3d(r->pool, t[0], t[1], t[2], r->exact, &r->counters->exact_tests);
    }
    tmb_stage stage;
    const int sign = tmb_orient3d_stage(t[0], t[1], t[2], r->start, &stage);
    r->counters->exact_tests += stage != TMB_STAGE_FILTER;
    return sign;
}

/* It comes to the plane, and all edges are passed on the same hand. A line through the start and an edge is in a plane
 * with the triangle, which is then not passed. */
static int passes(const ray *r, double t[3][3])
{
    const int start = side_of_start(r, t);
    if (start == 0 || way_through(r, t) != start) {
        return 0;
    }
    const int hand = hand_of_edge(r, t[0], t[1]);
    return hand_of_edge(r, t[1], t[2]) == hand && hand_of_edge(r, t[2], t[0]) == hand;
}

static int holds_start(const ray *r, double t[3][3])
{
    const double *p = r->start;
    const double single[3][3] = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    return tmb_triangles_intersect((const double(*)[3])t, single, NULL);
}

static void note_passage(const ray *r, double t[3][3], uint32_t address)
{
    if (passes(r, t)) {
        ++*(way_through(r, t) > 0 ? &r->passages->outward : &r->passages->inward);
    } else if (holds_start(r, t)) {
        const uint32_t polygon = tmb_model_polygon(r->solid->model, address);
        r->passages->polygon = polygon < r->passages->polygon ? polygon : r->passages->polygon;
    }
}

static int misses_box(const ray *r, double t[3][3])
{
    double lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = fmin(fmin(t[0][k], t[1][k]), t[2][k]);
        upper[k] = fmax(fmax(t[0][k], t[1][k]), t[2][k]);
    }
    return boxes_apart(lower, upper, r->lower, r->upper);
}

/* How many triangles of a leaf are passed. */
static unsigned pass_leaf(const ray *r, const tmb_box_node *leaf)
{
    unsigned count = 0;
    uint32_t address = leaf->reference;
    r->counters->primitive_tests += leaf->triangle_count;
    for (uint32_t i = 0; i < leaf->triangle_count; i++) {
        double corners[3][3];
        tmb_solid_corners(r->solid, address, corners);
        if (!misses_box(r, corners)) {
            if (r->passages) {
                note_passage(r, corners, address);
            } else {
                count += (unsigned)passes(r, corners);
            }
        }
        address = tmb_box_next_triangle(r->solid->model, address);
    }
    return count;
}

/* ---- A ray and a model ---- */

static int misses_node(const ray *r, const tmb_box_node *node)
{
    if (!r->solid->pose) {
        return boxes_apart(node->lower, node->upper, r->lower, r->upper);
    }
    double lower[3], upper[3];
    r->counters->box_updates++;
    move_box(r->solid->pose, node->lower, node->upper, lower, upper);
    return boxes_apart(lower, upper, r->lower, r->upper);
}

static unsigned pass_model(const ray *r)
{
    tmb_box_node stack[TMB_BOX_WAITING + TMB_BOX_CHILDREN];
    uint32_t waiting = (uint32_t)tmb_box_view_root(&r->solid->tree, &stack[0]);
    unsigned count = 0;
    while (waiting > 0) {
        const tmb_box_node node = stack[--waiting];
        if (node.triangle_count) {
            count += pass_leaf(r, &node);
            continue;
        }
        tmb_box_node *children = stack + waiting;
        const uint32_t child_count = tmb_box_view_children(&r->solid->tree, &node, children);
        r->counters->box_tests += child_count;
        for (uint32_t i = 0; i < child_count; i++) {
            if (!misses_node(r, &children[i])) {
                stack[waiting++] = children[i];
            }
        }
    }
    return count;
}

/* 0 when the point is outside the model's box. */
static int begin_ray(ray *r)
{
    r->counters->box_tests++;
    for (int k = 0; k < 3; k++) {
        r->lower[k] = r->start[k] - r->error;
        r->upper[k] = r->start[k] + r->error;
    }
    return !boxes_apart(r->lower, r->upper, r->solid->lower, r->solid->upper);
}

static int end_ray(ray *r)
{
    *(r->sign > 0 ? &r->upper[r->axis] : &r->lower[r->axis]) = r->sign * (double)INFINITY;
    return (int)(pass_model(r) % 2);
}

int tmb_is_inside(const tmb_solid *solid, const double point[3], tumble_counters *counters)
{
    TMB_ASSERT(tmb_all_finite(point, 3));
    ray r = {.solid = solid, .start = point, .counters = counters};
    if (!begin_ray(&r)) {
        return 0;
    }
    choose_direction(&r);
    return end_ray(&r);
}

tmb_passages tmb_count_passages(const tmb_solid *solid, const double point[3], tumble_counters *counters)
{
    TMB_ASSERT(tmb_all_finite(point, 3));
    tmb_passages passages = {.polygon = UINT32_MAX};
    ray r = {.solid = solid, .start = point, .counters = counters, .passages = &passages};
    if (begin_ray(&r)) {
        choose_direction(&r);
        (void)end_ray(&r);
    }
    return passages;
}

static ray exact_ray(const tmb_solid *solid, const tmb_exact_point *point, tmb_bigfloat_pool *pool,
                     tumble_counters *counters)
{
    return (ray){.solid = solid,
                 .start = point->near,
                 .error = point->error,
                 .exact = point,
                 .pool = pool,
                 .counters = counters};
}

int tmb_is_inside_exact(const tmb_solid *solid, const tmb_exact_point *point, tmb_bigfloat_pool *pool,
                        tumble_counters *counters)
{
    ray r = exact_ray(solid, point, pool, counters);
    if (!begin_ray(&r)) {
        return 0;
    }
    choose_direction(&r);
    return end_ray(&r);
}

int tmb_is_inside_beside(const tmb_solid *solid, const tmb_exact_point *point, int axis, int larger,
                         tmb_bigfloat_pool *pool, tumble_counters *counters)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    ray r = exact_ray(solid, point, pool, counters);
    if (!begin_ray(&r)) {
        return 0;
    }
    r.axis = axis;
    r.sign = larger ? 1 : -1;
    return end_ray(&r);
}
