/* tumble_clearance_along: how close two moving models come.
 *
 * Pairs of nodes and of triangles wait with a span of time and a bound: during the span they are at least that far
 * apart. The pair with the least bound is examined first, and is opened or its span is halved, until the least bound is
 * as large as a distance that was found, less the error that is allowed. See docs/motion.md, Clearance. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/vec3.h"
#include "motion/sweep.h"
#include "prim/triangle_distance.h"

#define INWARD (1 - 0x1p-40) /* less than all roundings of a bound allow */
#define TANGENTS 6

tumble_clearance_along_options tumble_default_clearance_along_options(void)
{
    return (tumble_clearance_along_options){.relative_error = 1e-6, .within = INFINITY, .end = 1};
}

typedef struct search {
    tmb_first first;
    const tumble_clearance_along_options *options;
    double within;    /* in units: what is farther apart is of no interest */
    double upper;     /* in units: the least distance that was found, or infinity */
    double unsplit;   /* the least bound of a span that doubles cannot halve */
    double time;      /* when the least distance was found */
    tumble_near near; /* and of what */
} search;

/* ---- What is still of interest ---- */

/* A pair whose bound is not below this cannot improve the result. */
static double interesting_below(const search *s)
{
    const tumble_clearance_along_options *o = s->options;
    const double least = s->upper < INFINITY
                             ? (s->upper - ldexp(o->absolute_error, -s->first.exponent)) / (1 + o->relative_error)
                             : INFINITY;
    return tmb_lesser(least, s->within);
}

static void wait(search *s, double bound, const tmb_first_pair *pair)
{
    if (bound < interesting_below(s)) {
        tmb_first_wait(&s->first, bound, pair);
    }
}

/* ---- Bounds of boxes ---- */

/* The distance of two boxes that move evenly, at the part s of a span, and how fast it grows with s. It is a convex
 * function of s, as each axis has the largest of two linear functions and 0. */
static double box_distance(const tmb_swept *a, const tmb_swept *b, double s, double *slope)
{
    double square = 0, product = 0;
    for (int k = 0; k < 3; k++) {
        const double above[2] = {b->lower[0][k] - a->upper[0][k], b->lower[1][k] - a->upper[1][k]};
        const double below[2] = {a->lower[0][k] - b->upper[0][k], a->lower[1][k] - b->upper[1][k]};
        const double gap_above = above[0] + s * (above[1] - above[0]);
        const double gap_below = below[0] + s * (below[1] - below[0]);
        const double gap = tmb_greater(gap_above, gap_below);
        if (gap > 0) {
            square += gap * gap;
            product += gap * (gap_above > gap_below ? above[1] - above[0] : below[1] - below[0]);
        }
    }
    const double distance = sqrt(square);
    *slope = distance > 0 ? product / distance : 0;
    return distance;
}

/* The least distance of the boxes during the span, or less: tangents of a convex function are below it. */
static double least_box_distance(const tmb_swept *a, const tmb_swept *b)
{
    double ends[2] = {0, 1}, distances[2], slopes[2], least = 0;
    distances[0] = box_distance(a, b, 0, &slopes[0]);
    if (slopes[0] >= 0) {
        return distances[0];
    }
    distances[1] = box_distance(a, b, 1, &slopes[1]);
    if (slopes[1] <= 0) {
        return distances[1];
    }
    for (int i = 0; i < TANGENTS; i++) {
        const double s =
            (distances[0] - distances[1] + slopes[1] * ends[1] - slopes[0] * ends[0]) / (slopes[1] - slopes[0]);
        least = distances[0] + slopes[0] * (s - ends[0]);
        if (!(s > ends[0] && s < ends[1]) || !(least > 0)) {
            break;
        }
        double slope;
        const double distance = box_distance(a, b, s, &slope);
        if (slope == 0 || distance - least <= 0.01 * distance) {
            break;
        }
        const int end = slope > 0;
        ends[end] = s, distances[end] = distance, slopes[end] = slope;
    }
    return tmb_greater(least, 0);
}

/* A lower bound of the distance, less the radii, of all points in two boxes during the span. The bend and the rounding
 * are those of the whole span. */
static double box_bound(const search *s, const tmb_swept *a, const tmb_swept *b, double to, double bend)
{
    const tmb_first *f = &s->first;
    return tmb_greater(least_box_distance(a, b) * INWARD - (f->limit + bend + 2 * tmb_first_error(f, to)), 0);
}

/* ---- Nodes ---- */

static void open_node(search *s, const tmb_descent *way, int side, double bend_of_other)
{
    const tmb_first_pair *pair = way->pair;
    tmb_first *f = &s->first;
    tmb_box_node children[TMB_BOX_CHILDREN];
    const tmb_box_node *opened = side ? &pair->b : &pair->a, *other = side ? &pair->a : &pair->b;
    const uint32_t count = tmb_box_view_open(&f->trees[side], opened, children);
    const tmb_swept other_swept = tmb_sweep_node(way, !side, other);
    f->counters.box_updates += count + 1;
    f->counters.box_tests += count;
    for (uint32_t i = 0; i < count; i++) {
        const tmb_swept child = tmb_sweep_node(way, side, &children[i]);
        const double bend = tmb_node_bend(f, side, &children[i], pair->to - pair->from) + bend_of_other;
        tmb_first_pair below = *pair;
        *(side ? &below.b : &below.a) = children[i];
        wait(s, box_bound(s, &child, &other_swept, pair->to, bend), &below);
    }
}

/* A normal of each triangle of a leaf, of any length, where it is at the begin of the span. */
static void set_normals(const tmb_swept_leaf *leaf, double normals[TMB_BOX_LEAF][3])
{
    for (uint32_t i = 0; i < leaf->count; i++) {
        const double(*corners)[3] = leaf->corners[i][0];
        double edges[2][3], n[3];
        tmb_subtract(corners[1], corners[0], edges[0]);
        tmb_subtract(corners[2], corners[0], edges[1]);
        tmb_cross(edges[0], edges[1], n);
        if (!tmb_unit_of(n, normals[i])) {
            memset(normals[i], 0, sizeof normals[i]);
        }
    }
}

/* The gap of two triangles along a direction or against it, at both ends of a span: the lesser, as it is concave. */
static double gap_both_ways(const double n[3], double a[2][3][3], double b[2][3][3])
{
    double along = INFINITY, against = INFINITY;
    for (int end = 0; end < 2; end++) {
        double low[2], high[2];
        for (int side = 0; side < 2; side++) {
            double(*const corners)[3] = side ? b[end] : a[end];
            const double at[3] = {tmb_dot(n, corners[0]), tmb_dot(n, corners[1]), tmb_dot(n, corners[2])};
            low[side] = tmb_lesser(at[0], tmb_lesser(at[1], at[2]));
            high[side] = tmb_greater(at[0], tmb_greater(at[1], at[2]));
        }
        along = tmb_lesser(along, low[1] - high[0]);
        against = tmb_lesser(against, low[0] - high[1]);
    }
    return tmb_greater(along, against);
}

static void cross_leaves(search *s, const tmb_descent *way, double bend)
{
    const tmb_first_pair *pair = way->pair;
    tmb_swept_leaf a, b;
    tmb_sweep_leaf(way, 0, &pair->a, &a);
    tmb_sweep_leaf(way, 1, &pair->b, &b);
    double normals[2][TMB_BOX_LEAF][3];
    set_normals(&a, normals[0]);
    set_normals(&b, normals[1]);
    const double less = s->first.limit + bend + 2 * tmb_first_error(&s->first, pair->to);
    s->first.counters.box_tests += (uint64_t)a.count * b.count;
    for (uint32_t j = 0; j < b.count; j++) {
        for (uint32_t i = 0; i < a.count; i++) {
            const double bound = box_bound(s, &a.boxes[i], &b.boxes[j], pair->to, bend);
            if (bound < interesting_below(s)) {
                const double gap = tmb_greater(gap_both_ways(normals[0][i], a.corners[i], b.corners[j]),
                                               gap_both_ways(normals[1][j], a.corners[i], b.corners[j]));
                tmb_first_pair triangles = {.from = pair->from, .to = pair->to, .are_triangles = 1};
                triangles.a.reference = a.addresses[i];
                triangles.b.reference = b.addresses[j];
                wait(s, tmb_greater(bound, gap * INWARD - less), &triangles);
            }
        }
    }
}

static double nodes_bend(const tmb_first *f, const tmb_first_pair *pair, double span)
{
    return tmb_node_bend(f, 0, &pair->a, span) + tmb_node_bend(f, 1, &pair->b, span);
}

static void split_span(search *s, const tmb_first_pair *pair)
{
    const double middle = 0.5 * (pair->from + pair->to), ends[3] = {pair->from, middle, pair->to};
    for (int half = 0; half < 2; half++) {
        tmb_first_pair part = *pair;
        part.from = ends[half], part.to = ends[half + 1];
        const tmb_descent way = tmb_descent_of(&s->first, &part, part.from, part.to);
        const tmb_swept a = tmb_sweep_node(&way, 0, &pair->a), b = tmb_sweep_node(&way, 1, &pair->b);
        s->first.counters.box_tests++;
        wait(s, box_bound(s, &a, &b, part.to, nodes_bend(&s->first, pair, part.to - part.from)), &part);
    }
}

static void leave_nodes(search *s, const tmb_first_pair *pair)
{
    tmb_first *f = &s->first;
    const double size_a = tmb_node_size(f, 0, &pair->a), size_b = tmb_node_size(f, 1, &pair->b);
    const double bend = nodes_bend(f, pair, pair->to - pair->from);
    if (tmb_bends_much(f, pair, bend, tmb_greater(size_a, size_b))) {
        split_span(s, pair);
        return;
    }
    const tmb_descent way = tmb_descent_of(f, pair, pair->from, pair->to);
    if (tmb_node_is_leaf(&pair->a) && tmb_node_is_leaf(&pair->b)) {
        cross_leaves(s, &way, bend);
    } else {
        const int side = tmb_node_is_leaf(&pair->a) || (!tmb_node_is_leaf(&pair->b) && size_b > size_a);
        open_node(s, &way, side, tmb_node_bend(f, !side, side ? &pair->a : &pair->b, pair->to - pair->from));
    }
}

/* ---- Triangles ---- */

static void place(const tmb_first *f, const tmb_first_pair *pair, double time, double corners[2][3][3])
{
    for (int side = 0; side < 2; side++) {
        const tmb_placed at = tmb_placed_at(&f->moving[side], time);
        tmb_first_corners(f, side, side ? pair->b.reference : pair->a.reference, &at, corners[side]);
    }
}

/* Notes a distance, of placed triangles, if it is the least so far. */
static void note(search *s, const tmb_first_pair *pair, double time, double thickness, const tmb_triangle_distance *d)
{
    tmb_first *f = &s->first;
    const double upper = tmb_greater(d->upper - thickness * INWARD, 0) + 2 * tmb_first_error(f, time);
    if (!(upper < s->upper)) {
        return;
    }
    s->upper = upper;
    s->time = time;
    s->near = tmb_first_near(f, pair->a.reference, pair->b.reference, d);
}

/* The distance of placed triangles: exactly if it may be the least so far. */
static void measure(search *s, const tmb_first_pair *pair, double time, double thickness, double corners[2][3][3],
                    tmb_triangle_distance *d)
{
    tmb_first *f = &s->first;
    const double(*a)[3] = (const double(*)[3])corners[0], (*b)[3] = (const double(*)[3])corners[1];
    f->counters.primitive_tests++;
    tmb_triangles_distance_fast(a, b, d);
    if (d->lower - thickness < s->upper) {
        tmb_triangles_distance(a, b, d, &f->exact_tests);
        note(s, pair, time, thickness, d);
    }
}

/* Along the direction of the closest points, the gap of the triangles is a concave function of time, without the bend:
 * not less than at one end of a part of the span. */
static double half_bound(const search *s, const double direction[3], double corners[2][2][3][3], double thickness,
                         double to, double bend)
{
    double gaps[2], n[3];
    if (!tmb_unit_of(direction, n)) {
        return 0;
    }
    for (int end = 0; end < 2; end++) {
        gaps[end] = tmb_gap_along(n, (const double(*)[3])corners[end][0], (const double(*)[3])corners[end][1]);
    }
    return tmb_greater(tmb_lesser(gaps[0], gaps[1]) * INWARD - (thickness + bend + 2 * tmb_first_error(&s->first, to)),
                       0);
}

/* Halves the span: their distance in the middle is a candidate, and its direction bounds both halves. */
static void leave_triangles(search *s, double bound, const tmb_first_pair *pair)
{
    tmb_first *f = &s->first;
    const double middle = 0.5 * (pair->from + pair->to),
                 thickness = tmb_first_limit(f, pair->a.reference, pair->b.reference);
    const double arms[2] = {tmb_first_arm(f, 0, pair->a.reference), tmb_first_arm(f, 1, pair->b.reference)};
    double corners[3][2][3][3], direction[3];
    tmb_triangle_distance d;
    place(f, pair, middle, corners[1]);
    measure(s, pair, middle, thickness, corners[1], &d);
    if (!(middle > pair->from && middle < pair->to)) {
        s->unsplit = tmb_lesser(s->unsplit, bound);
        return;
    }
    place(f, pair, pair->from, corners[0]);
    place(f, pair, pair->to, corners[2]);
    tmb_subtract(d.points[1], d.points[0], direction);
    const double ends[3] = {pair->from, middle, pair->to};
    for (int half = 0; half < 2; half++) {
        tmb_first_pair part = *pair;
        part.from = ends[half], part.to = ends[half + 1];
        const double span = part.to - part.from;
        const double bend =
            tmb_moving_bend(&f->moving[0], arms[0], span) + tmb_moving_bend(&f->moving[1], arms[1], span);
        wait(s, tmb_greater(bound, half_bound(s, direction, &corners[half], thickness, part.to, bend)), &part);
    }
}

/* ---- A first guess ---- */

/* At one time, from the roots down to those children that are the nearest: some triangles that are close. */
static int nearest_child(const tmb_descent *way, int side, tmb_first_pair *pair)
{
    const tmb_first *f = way->first;
    tmb_box_node children[TMB_BOX_CHILDREN];
    tmb_box_node *opened = side ? &pair->b : &pair->a;
    const tmb_swept other = tmb_sweep_node(way, !side, side ? &pair->a : &pair->b);
    const uint32_t count = tmb_box_view_open(&f->trees[side], opened, children);
    double least = INFINITY, slope;
    uint32_t best = 0;
    for (uint32_t i = 0; i < count; i++) {
        const tmb_swept child = tmb_sweep_node(way, side, &children[i]);
        const double distance = box_distance(&child, &other, 0, &slope);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    *opened = children[best];
    return (int)count;
}

static void compare_at(search *s, const tmb_first_pair *pair, double time)
{
    tmb_first *f = &s->first;
    double corners[2][3][3];
    tmb_triangle_distance d;
    place(f, pair, time, corners);
    measure(s, pair, time, tmb_first_limit(f, pair->a.reference, pair->b.reference), corners, &d);
}

static void guess(search *s, const tmb_first_pair *root, double time)
{
    tmb_first_pair pair = *root;
    const tmb_descent way = tmb_descent_of(&s->first, &pair, time, time);
    while (!tmb_node_is_leaf(&pair.a) || !tmb_node_is_leaf(&pair.b)) {
        const int side =
            tmb_node_is_leaf(&pair.a) ||
            (!tmb_node_is_leaf(&pair.b) && tmb_node_size(&s->first, 1, &pair.b) > tmb_node_size(&s->first, 0, &pair.a));
        s->first.counters.box_tests += (uint64_t)nearest_child(&way, side, &pair);
    }
    tmb_first_pair triangles = {.are_triangles = 1};
    triangles.a.reference = pair.a.reference;
    for (uint32_t i = 0; i < pair.a.triangle_count; i++) {
        triangles.b.reference = pair.b.reference;
        for (uint32_t j = 0; j < pair.b.triangle_count; j++) {
            compare_at(s, &triangles, time);
            triangles.b.reference = j + 1 < pair.b.triangle_count
                                        ? tmb_box_next_triangle(s->first.moving[1].model, triangles.b.reference)
                                        : 0;
        }
        triangles.a.reference =
            i + 1 < pair.a.triangle_count ? tmb_box_next_triangle(s->first.moving[0].model, triangles.a.reference) : 0;
    }
}

/* ---- The search ---- */

/* Whether the two bounds are as near as asked for, or as near as rounding lets them be. */
static int is_settled(const search *s, double next)
{
    const double enough = ldexp(s->options->enough, -s->first.exponent);
    return next >= interesting_below(s) || s->upper <= enough ||
           (s->upper < INFINITY && s->upper - next <= 8 * tmb_first_error(&s->first, s->options->end));
}

static void run(search *s)
{
    tmb_first *f = &s->first;
    tmb_first_pair root = {.from = s->options->begin, .to = s->options->end};
    if (!tmb_box_view_root(&f->trees[0], &root.a) || !tmb_box_view_root(&f->trees[1], &root.b)) {
        return;
    }
    tmb_first_wait(f, 0, &root);
    for (int i = 0; i < 3; i++) {
        guess(s, &root, root.from + 0.5 * i * (root.to - root.from));
    }
    while (f->status == TUMBLE_OK && !is_settled(s, tmb_first_next(f))) {
        if (tmb_first_is_spent(f)) {
            f->is_spent = 1;
            break;
        }
        if (tmb_watch_ends(f->query->watch)) {
            f->status = tmb_fail(f->query->context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
            break;
        }
        const double bound = tmb_first_next(f);
        const tmb_first_pair pair = tmb_first_take(f);
        if (pair.are_triangles) {
            leave_triangles(s, bound, &pair);
        } else {
            leave_nodes(s, &pair);
        }
    }
}

static void report(search *s, double start, tumble_clearance_along_result *result)
{
    tmb_first *f = &s->first;
    const double known = tmb_lesser(tmb_lesser(tmb_first_next(f), s->unsplit), interesting_below(s));
    const double lower = tmb_greater(tmb_lesser(known, s->upper), 0) * INWARD;
    const tmb_scaled least = {lower, f->exponent};
    f->counters.exact_tests = f->exact_tests;
    f->counters.bytes_touched = f->counters.box_updates * sizeof(tmb_box_node);
    f->counters.seconds = tmb_seconds() - start;
    *result = (tumble_clearance_along_result){.is_complete = !f->is_spent,
                                              .lower = isfinite(lower) ? tmb_scaled_below(least) : lower,
                                              .upper = tmb_scaled_above((tmb_scaled){s->upper, f->exponent}),
                                              .time = s->time,
                                              .nearest = s->near,
                                              .counters = f->counters};
}

static tumble_status check_options(tumble_query *query, const tumble_clearance_along_options *o)
{
    return o->relative_error >= 0 && o->absolute_error >= 0 && o->within >= 0 && o->enough >= 0
               ? TUMBLE_OK
               : tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT,
                          "clearance_along: an error, `within` or `enough` is negative");
}

tumble_status tumble_clearance_along(tumble_query *query, const tumble_model *a, const tumble_motion *motion_a,
                                     const tumble_model *b, const tumble_motion *motion_b,
                                     const tumble_clearance_along_options *options,
                                     tumble_clearance_along_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_clearance_along_options defaults = tumble_default_clearance_along_options();
    const tumble_motion still = tumble_motion_still(NULL);
    const tumble_model *models[2] = {a, b};
    const tumble_motion *motions[2] = {motion_a ? motion_a : &still, motion_b ? motion_b : &still};
    options = options ? options : &defaults;
    const tumble_first_contact_options common = {.begin = options->begin,
                                                 .end = options->end,
                                                 .budget_microseconds = options->budget_microseconds,
                                                 .budget_box_tests = options->budget_box_tests};
    search s = {.options = options, .upper = INFINITY, .unsplit = INFINITY, .time = options->begin};
    tumble_status status = tmb_first_begin(&s.first, "clearance_along", query, models, motions, &common, result, start);
    status = status == TUMBLE_OK ? check_options(query, options) : status;
    if (status == TUMBLE_OK) {
        s.within = ldexp(options->within, -s.first.exponent);
        run(&s);
        status = s.first.status;
    }
    if (status == TUMBLE_OK) {
        report(&s, start, result);
    }
    return tmb_query_end(query, status);
}
