/* The query's handle and its one entrance. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "math/bounds.h"
#include "math/pose.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"
#include "query/collider.h"

tumble_status tumble_query_create(tumble_context *context, tumble_query **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the result is null");
    }
    *out = tmb_allocate(context, 1, sizeof **out);
    if (!*out) {
        return tmb_fail_memory(context, "a query");
    }
    memset(*out, 0, sizeof **out);
    (*out)->context = context;
    return TUMBLE_OK;
}

void tumble_query_destroy(tumble_query *query)
{
    if (!query) {
        return;
    }
    tmb_buffer *buffers[] = {&query->stack,         &query->walk,          &query->pairs,       &query->contacts,
                             &query->surfaces,      &query->seen,          &query->sort,        &query->tumbled,
                             &query->seen_surfaces, &query->marks,         &query->kdop_tables, &query->near.heap,
                             &query->near.stack,    &query->near.walk,     &query->near.lanes,  &query->near.kept,
                             &query->near.boxes[0], &query->near.boxes[1], &query->meetings};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(query->context, buffers[i]);
    }
    tmb_release(query->context, query);
}

void tumble_init_collide_options(tumble_collide_options *collide_options, size_t size)
{
    const tumble_collide_options defaults = {
        .size = size, .kdop = {.traversal = TUMBLE_KDOP_TRAVERSAL_BOTH, .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES}};
    tmb_copy_defaults(collide_options, size, &defaults, sizeof defaults);
}

/* ---- The triangle test at the leaves ---- */

static inline double least_of(double x, double y, double z)
{
    const double xy = x < y ? x : y;
    return xy < z ? xy : z;
}

static inline double greatest_of(double x, double y, double z)
{
    const double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* What is outside is farther away than the limit, for certain. */
static __attribute__((noinline)) void enlarge_moved_box(tmb_collider *c)
{
    for (int k = 0; k < 3; k++) {
        c->moved_lower[k] = nextafter(c->moved_lower[k] - c->limit, -INFINITY);
        c->moved_upper[k] = nextafter(c->moved_upper[k] + c->limit, INFINITY);
    }
}

static void move_triangle(tmb_collider *c, uint32_t triangle)
{
    double corners[3][3];
    tmb_model_corners(c->b, triangle, corners);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            c->moved[i][k] = tmb_pose_coordinate(&c->relative, k, corners[i][0], corners[i][1], corners[i][2]);
        }
        c->moved_lower[k] = least_of(c->moved[0][k], c->moved[1][k], c->moved[2][k]);
        c->moved_upper[k] = greatest_of(c->moved[0][k], c->moved[1][k], c->moved[2][k]);
    }
    if (c->limit > 0) {
        enlarge_moved_box(c);
    }
    c->moved_triangle = triangle;
}

/* Leaves of a restricted boxtree are loose, so most pairs end here. Which axis separates cannot be guessed: no
 * branches. */
static inline int misses_moved_box(const tmb_collider *c, double t[3][3])
{
    int misses = 0;
    for (int k = 0; k < 3; k++) {
        misses |= greatest_of(t[0][k], t[1][k], t[2][k]) < c->moved_lower[k];
        misses |= least_of(t[0][k], t[1][k], t[2][k]) > c->moved_upper[k];
    }
    return misses;
}

/* Whether a triangle that meets the moved one's enlarged box is nevertheless farther from the box itself than the
 * limit. Gaps that count are off by at most 2^-51 of the limit. */
static int is_far_from_moved_box(const tmb_collider *c, double t[3][3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double above = c->moved_lower[k] - greatest_of(t[0][k], t[1][k], t[2][k]);
        const double below = least_of(t[0][k], t[1][k], t[2][k]) - c->moved_upper[k];
        const double gap = (above > below ? above : below) + c->limit;
        square += gap > 0 ? gap * gap : 0;
    }
    return square > c->limit * c->limit * (1 + TMB_MOVED_BOX_ROUNDING) +
                        TMB_MOVED_BOX_UNDERFLOW; /* which may underflow, or be infinite */
}

static __attribute__((noinline)) int is_within_limit(tmb_collider *c, double corners[3][3])
{
    return !is_far_from_moved_box(c, corners) &&
           tmb_triangles_within((const double(*)[3])corners, (const double(*)[3])c->moved, c->limit, &c->exact_tests);
}

static inline int is_hit(tmb_collider *c, double corners[3][3])
{
    return c->limit > 0
               ? is_within_limit(c, corners)
               : tmb_triangles_intersect((const double(*)[3])corners, (const double(*)[3])c->moved, &c->exact_tests);
}

int tmb_collider_leaf(tmb_collider *c, uint32_t ta, uint32_t tb)
{
    double corners[3][3];
    if (c->by_surface && tmb_surfaces_are_known(c, ta, tb)) {
        return 0;
    }
    tmb_cluster_triangle(c->places_a, c->clusters_a, c->is_float_a, ta, corners);
    if (tb != c->moved_triangle) {
        move_triangle(c, tb);
    }
    c->primitive_tests++;
    if (misses_moved_box(c, corners) || !is_hit(c, corners)) {
        return 0;
    }
    return tmb_results_add(c, ta, tb, corners, c->moved);
}

int tmb_collider_hit(tmb_collider *c, uint32_t ta, uint32_t tb)
{
    double corners[3][3];
    if (c->want_contacts) {
        tmb_model_corners(c->a, ta, corners);
        if (tb != c->moved_triangle) {
            move_triangle(c, tb);
        }
    }
    return tmb_results_add(c, ta, tb, corners, c->moved);
}

/* ---- The entrance ---- */

static tumble_status check_arguments(tumble_query *query, const tumble_model *a, const tumble_model *b,
                                     const tumble_collide_options *options, const tumble_collide_result *result)
{
    tumble_context *context = query->context;
    if (!a || !b) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "a model is null");
    }
    if (!result || result->size != sizeof *result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: set the result's size field to sizeof first");
    }
    if (options->size != sizeof *options) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: start from tumble_default_collide_options");
    }
    if ((unsigned)options->mode > TUMBLE_COLLIDE_SURFACES || (unsigned)options->overlap > TUMBLE_OVERLAP_SAT_LITE ||
        (unsigned)options->direction > TUMBLE_DIRECTION_BOTH ||
        (unsigned)options->kdop.tumble > TUMBLE_KDOP_TUMBLE_AXES ||
        (unsigned)options->kdop.root > TUMBLE_KDOP_ROOT_SAME ||
        (unsigned)options->kdop.traversal > TUMBLE_KDOP_TRAVERSAL_BOTH ||
        (unsigned)options->kdop.mixed > TUMBLE_KDOP_MIXED_PRIMITIVES || !(options->kdop.epsilon >= 0) ||
        (unsigned)options->rtree.probe > TUMBLE_RTREE_PROBE_A) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: an option has no such value");
    }
    if (!(options->clearance >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: the clearance is negative or not a number");
    }
    if ((options->pair_capacity && !options->pairs) || (options->contact_capacity && !options->contacts) ||
        (options->surface_pair_capacity && !options->surface_pairs)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: a capacity is given without an array");
    }
    return TUMBLE_OK;
}

/* No point of the model has a larger coordinate k, when the pose moves it. */
static double pose_reach(const tumble_pose *pose, int k, const tumble_model *model)
{
    double reach = fabs(pose->m[k][3]);
    for (int j = 0; j < 3; j++) {
        const double low = fabs(model->block->lower[j]), high = fabs(model->block->upper[j]);
        reach += fabs(pose->m[k][j]) * (low > high ? low : high);
    }
    return reach;
}

/* Whether no point of the model can become infinite when the pose moves it. */
static int stays_finite(const tumble_pose *pose, const tumble_model *model)
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        finite &= isfinite(pose_reach(pose, k, model)) != 0;
    }
    return finite;
}

/* The same for the points of B as they lie in A's frame, which A's pose moves. */
static int moved_stay_finite(const tmb_collider *c)
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        double reach = fabs(c->pose_a.m[k][3]);
        for (int j = 0; j < 3; j++) {
            reach += fabs(c->pose_a.m[k][j]) * pose_reach(&c->relative, j, c->b);
        }
        finite &= isfinite(reach) != 0;
    }
    return finite;
}

tumble_status tmb_collider_set_poses(tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    tumble_context *context = c->query->context;
    const tumble_pose identity = tumble_pose_identity();
    pose_a = pose_a ? pose_a : &identity;
    pose_b = pose_b ? pose_b : &identity;
    tumble_status status = tumble_pose_check(context, pose_a);
    if (status == TUMBLE_OK) {
        status = tumble_pose_check(context, pose_b);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    c->pose_a = *pose_a;
    c->has_pose_a = !tmb_pose_is_identity(pose_a);
    c->relative = tumble_pose_relative(pose_a, pose_b);
    if (!stays_finite(&c->relative, c->b)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE,
                        "B's points become infinite when they are moved into A's frame");
    }
    if (c->want_contacts && !stays_finite(&c->pose_a, c->a)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "contacts become infinite when A's pose moves them");
    }
    return TUMBLE_OK;
}

/* The clearance in A's frame. */
static tumble_status set_limit(tmb_collider *c)
{
    const double clearance = c->options->clearance;
    c->limit = c->has_pose_a ? clearance / tumble_pose_scale(&c->pose_a) : clearance;
    c->is_special = c->by_surface || c->limit > 0;
    if (c->want_contacts && c->limit > 0 && !moved_stay_finite(c)) {
        return tmb_fail(c->query->context, TUMBLE_ERROR_NOT_FINITE,
                        "contacts become infinite when A's pose moves them");
    }
    return TUMBLE_OK;
}

/* The hierarchy that both models have; brute force when they have not the same. */
static tumble_hierarchy common_hierarchy(const tmb_block *a, const tmb_block *b)
{
    const int same = a->hierarchy == b->hierarchy && (a->hierarchy != TUMBLE_HIERARCHY_KDOP || a->kdop.k == b->kdop.k);
    return same ? (tumble_hierarchy)a->hierarchy : TUMBLE_HIERARCHY_BRUTE;
}

static void look_at_given(tmb_collider *c)
{
    int stop = 0;
    for (size_t i = 0; i < c->given_count && !stop; i++) {
        const tmb_given_pair *pair = &c->given[i];
        stop = pair->is_hit ? tmb_collider_hit(c, pair->a, pair->b) : tmb_collider_leaf(c, pair->a, pair->b);
    }
}

void tmb_collider_walk(tmb_collider *c)
{
    if (c->given) {
        look_at_given(c);
        return;
    }
    if (c->a->block->triangle_count == 0 || c->b->block->triangle_count == 0) {
        return;
    }
    switch (common_hierarchy(c->a->block, c->b->block)) {
    case TUMBLE_HIERARCHY_BOXTREE: tmb_collide_boxtree(c); break;
    case TUMBLE_HIERARCHY_WIDE: tmb_collide_wide(c); break;
    case TUMBLE_HIERARCHY_KDOP: tmb_collide_kdop(c); break;
    case TUMBLE_HIERARCHY_RTREE: tmb_collide_rtree(c); break;
    default: tmb_collide_brute(c);
    }
}

/* Bytes that a look at a triangle touches. */
static uint64_t triangle_bytes(const tumble_model *model)
{
    return sizeof(tmb_cluster_place) + 3 * sizeof(uint32_t) + 9 * (model->is_float ? sizeof(float) : sizeof(double));
}

tumble_counters tmb_collider_counters(const tmb_collider *c, double seconds)
{
    const uint64_t pair_bytes = triangle_bytes(c->a) + triangle_bytes(c->b);
    return (tumble_counters){.box_tests = c->box_tests,
                             .box_updates = c->box_updates,
                             .primitive_tests = c->primitive_tests,
                             .exact_tests = c->exact_tests,
                             .bytes_touched = c->node_bytes + c->primitive_tests * pair_bytes,
                             .seconds = seconds};
}

static void report(const tmb_collider *c, double seconds, tumble_collide_result *result)
{
    result->collide = c->collide;
    result->pair_count = c->pair_count;
    result->contact_count = c->contact_count;
    result->surface_pair_count = c->surface_pair_count;
    result->first = c->first;
    result->counters = tmb_collider_counters(c, seconds);
}

void tmb_collider_begin(tmb_collider *c, tumble_query *query, const tumble_model *a, const tumble_model *b,
                        const tumble_collide_options *options)
{
    memset(c, 0, sizeof *c);
    c->query = query;
    c->a = a;
    c->b = b;
    c->places_a = a->places;
    c->clusters_a = a->clusters;
    c->is_float_a = a->is_float;
    c->options = options;
    c->moved_triangle = UINT32_MAX;
}

tumble_status tmb_collider_prepare(tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    tumble_status status = tmb_results_begin(c);
    if (status == TUMBLE_OK) {
        status = tmb_collider_set_poses(c, pose_a, pose_b);
    }
    if (status == TUMBLE_OK) {
        status = set_limit(c);
    }
    return status;
}

tumble_status tmb_collider_run(tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    const tumble_status status = tmb_collider_prepare(c, pose_a, pose_b);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_collider_walk(c);
    return tmb_results_end(c);
}

tumble_status tmb_collide_given(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                const tumble_model *b, const tumble_pose *pose_b, const tumble_collide_options *options,
                                const tmb_given_pair *given, size_t given_count, tumble_collide_result *result)
{
    const double start = tmb_seconds();
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, options);
    collider.given = given;
    collider.given_count = given_count;
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    report(&collider, tmb_seconds() - start, result);
    return status;
}

tumble_status tumble_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                             const tumble_model *b, const tumble_pose *pose_b, const tumble_collide_options *options,
                             tumble_collide_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_collide_options defaults = tumble_default_collide_options();
    options = options ? options : &defaults;
    tumble_status status = check_arguments(query, a, b, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_collide_result){.size = sizeof *result};
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, options);
    status = tmb_collider_run(&collider, pose_a, pose_b);
    report(&collider, tmb_seconds() - start, result);
    return status;
}
