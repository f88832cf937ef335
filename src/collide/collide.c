/* Collision queries: the entrance, and the triangle test at the leaves. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "collide/collider.h"
#include "collide/front.h"
#include "collide/touch.h"
#include "math/bounds.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"
#include "query/apart.h"
#include "query/cylinders.h"

static void release_scratch(tumble_context *context, void *data)
{
    tmb_collide_scratch *scratch = data;
    tmb_buffer *buffers[] = {&scratch->stack,         &scratch->walk,     &scratch->pairs,
                             &scratch->contacts,      &scratch->surfaces, &scratch->seen,
                             &scratch->seen_surfaces, &scratch->sort,     &scratch->sorted};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_hot_release(context, &scratch->hot);
}

tmb_collide_scratch *tmb_collide_scratch_of(tumble_query *query)
{
    return tmb_query_scratch(query, TMB_SCRATCH_COLLIDE, sizeof(tmb_collide_scratch), release_scratch);
}

tumble_collide_options tumble_default_collide_options(void)
{
    return (tumble_collide_options){.mode = TUMBLE_ALL};
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
    TMB_ASSERT(c->limit > 0);
    for (int k = 0; k < 3; k++) {
        c->moved_lower[k] = nextafter(c->moved_lower[k] - c->limit, -INFINITY);
        c->moved_upper[k] = nextafter(c->moved_upper[k] + c->limit, INFINITY);
    }
}

static void move_triangle(tmb_collider *c, uint32_t triangle)
{
    TMB_ASSERT(triangle / TMB_CLUSTER_TRIANGLES < c->encounter.b->block->cluster_count);
    double corners[3][3];
    tmb_model_corners(c->encounter.b, triangle, corners);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            c->moved[i][k] =
                tmb_pose_coordinate(&c->encounter.relative, k, corners[i][0], corners[i][1], corners[i][2]);
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
    TMB_ASSERT(c->limit > 0);
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

static tmb_limit limit_of(const tmb_collider *c, double clearance)
{
    return tmb_limit_of(clearance, c->encounter.has_pose_a ? tumble_pose_scale(&c->encounter.pose_a) : 1);
}

/* Of two polygons with radii of their own. */
static tmb_limit own_limit(const tmb_collider *c, uint32_t ta, uint32_t tb)
{
    const tmb_encounter *e = &c->encounter;
    const double radius_a = tmb_model_radius(e->a, tmb_model_polygon(e->a, ta));
    const double radius_b = tmb_model_radius(e->b, tmb_model_polygon(e->b, tb));
    return limit_of(c, tmb_thickness_beside(&e->thick, c->options->clearance, radius_a, radius_b));
}

static __attribute__((noinline)) int is_within_limit(tmb_collider *c, double corners[3][3], uint32_t ta, uint32_t tb)
{
    TMB_ASSERT(c->limit > 0);
    if (is_far_from_moved_box(c, corners)) {
        return 0;
    }
    if (c->has_flat_ends) {
        const tmb_encounter *e = &c->encounter;
        const tmb_cylinder_pair pair = {&c->encounter,
                                        {(const double(*)[3])corners, (const double(*)[3])c->moved},
                                        {tmb_model_polygon(e->a, ta), tmb_model_polygon(e->b, tb)}};
        return tmb_cylinders_within(&pair, c->options->clearance);
    }
    const tmb_limit near = c->has_radii ? own_limit(c, ta, tb) : c->near;
    return tmb_triangles_within_limit((const double(*)[3])corners, (const double(*)[3])c->moved, &near,
                                      &c->encounter.exact_tests);
}

static inline int is_hit(tmb_collider *c, double corners[3][3], uint32_t ta, uint32_t tb)
{
    return c->limit > 0 ? is_within_limit(c, corners, ta, tb)
                        : tmb_triangles_intersect((const double(*)[3])corners, (const double(*)[3])c->moved,
                                                  &c->encounter.exact_tests);
}

int tmb_collider_leaf(tmb_collider *c, uint32_t ta, uint32_t tb)
{
    TMB_ASSERT(ta / TMB_CLUSTER_TRIANGLES < c->encounter.a->block->cluster_count);
    TMB_ASSERT(tb / TMB_CLUSTER_TRIANGLES < c->encounter.b->block->cluster_count);
    TMB_ASSERT(c->encounter.status == TUMBLE_OK);
    double corners[3][3];
    if (c->by_surface && tmb_surfaces_are_known(c, ta, tb)) {
        return 0;
    }
    tmb_cluster_triangle(c->places_a, c->clusters_a, c->is_float_a, ta, corners);
    if (tb != c->moved_triangle) {
        move_triangle(c, tb);
    }
    c->encounter.primitive_tests++;
    if (misses_moved_box(c, corners)) {
        return 0;
    }
    return is_hit(c, corners, ta, tb) ? tmb_results_add(c, ta, tb, corners, c->moved)
                                      : c->encounter.status != TUMBLE_OK;
}

int tmb_collider_hit(tmb_collider *c, uint32_t ta, uint32_t tb)
{
    TMB_ASSERT(ta / TMB_CLUSTER_TRIANGLES < c->encounter.a->block->cluster_count);
    TMB_ASSERT(tb / TMB_CLUSTER_TRIANGLES < c->encounter.b->block->cluster_count);
    double corners[3][3];
    if (c->want_contacts) {
        tmb_model_corners(c->encounter.a, ta, corners);
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
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: the result is null");
    }
    if ((unsigned)options->mode > TUMBLE_SURFACES) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: there is no mode %u", (unsigned)options->mode);
    }
    const tumble_status status = options->tuning ? tmb_tuning_check_walk(context, options->tuning) : TUMBLE_OK;
    if (status != TUMBLE_OK) {
        return status;
    }
    if ((unsigned)options->coherence > TUMBLE_COHERENCE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "collide: the coherence %d is unknown",
                        (int)options->coherence);
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

static tumble_status set_poses(tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    const tumble_status status = tmb_encounter_place(&c->encounter, pose_a, pose_b);
    if (status == TUMBLE_OK && c->want_contacts && !tmb_encounter_a_stays_finite(&c->encounter)) {
        return tmb_fail(c->encounter.query->context, TUMBLE_ERROR_NOT_FINITE,
                        "contacts become infinite when A's pose moves them");
    }
    return status;
}

/* The clearance in A's frame, and the radii. */
static tumble_status set_limit(tmb_collider *c)
{
    double clearance = c->options->clearance;
    c->is_special = c->by_surface;
    if (c->encounter.thick.is_any && !c->is_thin) {
        const tumble_status status = tmb_thickness_check(c->encounter.query->context, &c->encounter.thick, clearance);
        if (status != TUMBLE_OK) {
            return status;
        }
        c->has_flat_ends = tmb_encounter_has_cylinders(&c->encounter);
        clearance = tmb_thickness_plus(&c->encounter.thick, clearance);
        clearance += c->has_flat_ends ? tmb_cylinders_slack(&c->encounter, clearance) : 0;
        c->has_radii = !c->encounter.thick.is_uniform && clearance > 0 && clearance < INFINITY;
    }
    if (clearance == 0) {
        return TUMBLE_OK;
    }
    c->near = limit_of(c, clearance);
    c->limit = c->near.above;
    c->is_special = 1;
    if (c->want_contacts && !c->sink.on_contact && !tmb_encounter_b_stays_finite(&c->encounter)) {
        return tmb_fail(c->encounter.query->context, TUMBLE_ERROR_NOT_FINITE,
                        "contacts become infinite when A's pose moves them");
    }
    return TUMBLE_OK;
}

static void look_at_given(tmb_collider *c)
{
    TMB_ASSERT(c->given);
    int stop = 0;
    for (size_t i = 0; i < c->given_count && !stop; i++) {
        const tmb_given_pair *pair = &c->given[i];
        stop = pair->is_hit ? tmb_collider_hit(c, pair->a, pair->b) : tmb_collider_leaf(c, pair->a, pair->b);
    }
}

/* The walks of single hierarchies. The others are compared by their boxes. */
static int (*const walks[])(tmb_collider *collider) = {
    [TUMBLE_HIERARCHY_BRUTE] = tmb_collide_brute,     [TUMBLE_HIERARCHY_WIDE] = tmb_collide_wide,
#if !defined(TUMBLE_WIDE_ONLY)
    [TUMBLE_HIERARCHY_BOXTREE] = tmb_collide_boxtree, [TUMBLE_HIERARCHY_KDOP] = tmb_collide_kdop,
    [TUMBLE_HIERARCHY_RTREE] = tmb_collide_rtree,
#endif
};

/* 0 when the models have different hierarchies, or theirs has no walk that does for them. */
static int walk_alike(tmb_collider *c)
{
    const uint32_t number = c->encounter.a->block->hierarchy;
    return number == c->encounter.b->block->hierarchy && number < sizeof walks / sizeof *walks && walks[number] &&
           walks[number](c);
}

/* From the roots. */
static void walk_cold(tmb_collider *c)
{
    if (!walk_alike(c) && c->encounter.status == TUMBLE_OK) {
        tmb_collide_boxes(c);
    }
}

void tmb_collider_walk(tmb_collider *c)
{
    TMB_ASSERT(c->encounter.status == TUMBLE_OK);
    TMB_ASSERT(c->limit >= 0);
    if (c->given) {
        look_at_given(c);
        return;
    }
    if (c->encounter.a->block->triangle_count == 0 || c->encounter.b->block->triangle_count == 0) {
        return;
    }
    if (c->is_hot) {
        tmb_hot_walk(c, walk_cold);
    } else {
        walk_cold(c);
    }
}

void tmb_collider_report(const tmb_collider *c, double seconds, tumble_collide_result *result)
{
    *result = (tumble_collide_result){.collide = c->collide != 0,
                                      .first = c->first,
                                      .pair_count = c->pair_count,
                                      .contact_count = c->contact_count,
                                      .surface_pair_count = c->surface_pair_count,
                                      .counters = tmb_encounter_counters(&c->encounter, seconds)};
    if (c->wants_views && c->scratch && c->encounter.status == TUMBLE_OK) {
        result->pairs = tmb_result_view(&c->pairs, &c->scratch->pairs);
        result->contacts = tmb_result_view(&c->contacts, &c->scratch->contacts);
        result->surface_pairs = tmb_result_view(&c->surfaces, &c->scratch->surfaces);
    }
}

void tmb_collider_begin(tmb_collider *c, tumble_query *query, const tumble_model *a, const tumble_model *b,
                        const tumble_collide_options *options)
{
    TMB_ASSERT(query && a && b && options);
    TMB_ASSERT(a->context && b->context);
    memset(c, 0, sizeof *c);
    c->encounter.query = query;
    c->encounter.a = a;
    c->encounter.b = b;
    c->places_a = a->places;
    c->clusters_a = a->clusters;
    c->is_float_a = a->is_float;
    c->options = options;
    c->tuning = tmb_tuning_or_default(options->tuning);
    c->moved_triangle = UINT32_MAX;
}

tumble_status tmb_collider_prepare(tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    c->scratch = tmb_collide_scratch_of(c->encounter.query);
    tumble_status status = c->scratch ? tmb_results_begin(c) : TUMBLE_ERROR_MEMORY;
    if (status == TUMBLE_OK) {
        status = set_poses(c, pose_a, pose_b);
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
    TMB_ASSERT(given || given_count == 0);
    const double start = tmb_seconds();
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, options);
    collider.given = given;
    collider.given_count = given_count;
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    tmb_collider_report(&collider, tmb_seconds() - start, result);
    return status;
}

tumble_status tmb_collide_touch(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                const tumble_model *b, const tumble_pose *pose_b, double clearance,
                                tumble_counters *counters, int *touch)
{
    const tumble_collide_options options = {.mode = TUMBLE_TEST, .clearance = clearance};
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, &options);
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    const tmb_encounter *e = &collider.encounter;
    counters->box_tests += e->box_tests;
    counters->box_updates += e->box_updates;
    counters->primitive_tests += e->primitive_tests;
    counters->exact_tests += e->exact_tests;
    counters->bytes_touched += tmb_encounter_counters(e, 0).bytes_touched;
    *touch = collider.collide;
    return tmb_query_end(query, status);
}

/* The scale of a plain pose, to within some roundings. */
static double plain_scale(const tumble_pose *pose)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += tmb_dot(pose->m[k], pose->m[k]);
    }
    return sqrt(sum / 3);
}

/* Two wide models whose boxes decide, before anything is set up. Other hierarchies walk, to tell how they work. A sum
 * of radii that is infinite is no limit within which anything is apart. */
static int are_plainly_apart(const tumble_query *query, const tumble_model *a, const tmb_placed *at_a,
                             const tumble_model *b, const tmb_placed *at_b, const tumble_collide_options *options)
{
    const tmb_encounter e = {.query = (tumble_query *)query, .a = a, .b = b};
    double reach = options->clearance;
    if (a->block->hierarchy != TUMBLE_HIERARCHY_WIDE || b->block->hierarchy != TUMBLE_HIERARCHY_WIDE ||
        options->coherence != TUMBLE_COHERENCE_NONE || !at_a->is_plain || !at_b->is_plain) {
        return 0;
    }
    if (tmb_encounter_is_thick(&e)) {
        if (tmb_model_is_flat(a) || tmb_model_is_flat(b)) { /* not every question about them is answered */
            return 0;
        }
        const double of_a = plain_scale(at_a->pose) * (a->radius + query->padding[0]);
        const double of_b = plain_scale(at_b->pose) * (b->radius + query->padding[1]);
        reach = (reach + of_a + of_b) * (1 + 16 * TMB_DOUBLE_ROUNDING); /* at least the sum that counts */
    }
    return tmb_placed_apart(query->context, at_a, at_b, reach);
}

tumble_status tumble_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                             const tumble_model *b, const tumble_pose *pose_b, const tumble_collide_options *options,
                             tumble_collide_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_collide_options defaults = tumble_default_collide_options();
    options = options ? options : &defaults;
    tumble_status status = check_arguments(query, a, b, options, result);
    if (status != TUMBLE_OK) {
        return tmb_query_end(query, status);
    }
    tmb_placed at_a, at_b;
    tmb_place(a, pose_a, &at_a);
    tmb_place(b, pose_b, &at_b);
    if (are_plainly_apart(query, a, &at_a, b, &at_b, options)) {
        *result = (tumble_collide_result){.counters = {.box_tests = 1}};
        return TUMBLE_OK;
    }
    const double start = tmb_seconds();
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, options);
    collider.encounter.is_plain = at_a.is_plain && at_b.is_plain;
    collider.wants_views = 1;
    collider.is_hot = options->coherence != TUMBLE_COHERENCE_NONE;
    status = tmb_collider_run(&collider, pose_a, pose_b);
    tmb_collider_report(&collider, tmb_seconds() - start, result);
    return tmb_query_end(query, status);
}
