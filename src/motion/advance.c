/* The search for the first contact: two triangles.
 *
 * Along a direction, the gap between two sets of points that move evenly is a concave function of time: it is above the
 * line between the gaps at both ends of a span, less the bend of the ways. So a direction that parts the triangles at
 * the begin of a span parts them until that line falls to 0. Taking the direction of the closest points, again and
 * again, is Newton's method for their distance; it comes from the side on which they are free. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "motion/exact.h"
#include "motion/first.h"
#include "prim/triangle_distance.h"

#define INWARD (1 - 0x1p-40) /* less than all roundings of a step allow */

/* Two triangles at both ends of a span. */
typedef struct ends {
    double a[2][3][3], b[2][3][3];
} ends;

void tmb_first_corners(const tmb_first *f, int side, uint32_t address, const tmb_placed *at, double out[3][3])
{
    double corners[3][3];
    tmb_model_corners(f->moving[side].model, address, corners);
    for (int i = 0; i < 3; i++) {
        tmb_placed_point(at, corners[i], out[i]);
    }
}

static void place(const tmb_first *f, const tmb_first_pair *pair, double time, double a[3][3], double b[3][3])
{
    const tmb_placed at_a = tmb_placed_at(&f->moving[0], time), at_b = tmb_placed_at(&f->moving[1], time);
    tmb_first_corners(f, 0, pair->a.reference, &at_a, a);
    tmb_first_corners(f, 1, pair->b.reference, &at_b, b);
}

double tmb_first_limit(const tmb_first *f, uint32_t ta, uint32_t tb)
{
    if (!f->thick.is_any || f->thick.is_uniform) {
        return f->limit;
    }
    const tumble_model *a = f->moving[0].model, *b = f->moving[1].model;
    return ldexp(tmb_thickness_beside(&f->thick, f->options->clearance, tmb_model_radius(a, tmb_model_polygon(a, ta)),
                                      tmb_model_radius(b, tmb_model_polygon(b, tb))),
                 -f->exponent);
}

/* ---- Directions ---- */

double tmb_gap_along(const double n[3], const double a[3][3], const double b[3][3])
{
    double most = tmb_dot(n, a[0]), least = tmb_dot(n, b[0]);
    for (int i = 1; i < 3; i++) {
        most = tmb_greater(most, tmb_dot(n, a[i]));
        least = tmb_lesser(least, tmb_dot(n, b[i]));
    }
    return least - most;
}

int tmb_unit_of(const double v[3], double n[3])
{
    const double most = tmb_largest_size(v);
    if (!(most > 0x1p-1000)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        n[k] = v[k] / most;
    }
    const double length = tmb_length(n);
    for (int k = 0; k < 3; k++) {
        n[k] /= length;
    }
    return 1;
}

/* Until which part of the span, at least, h stays above 0 that begins with h0 and, without the bend, ends with h1: then
 * it is h0 + s (h1 - h0) - 4 bend s (1 - s) or more. Infinite if it does so to the end. */
static double free_part(double h0, double h1, double bend)
{
    if (!(h0 > 0)) {
        return 0;
    }
    const double fall = h0 - h1 + 4 * bend;
    if (fall <= 0) {
        return INFINITY;
    }
    const double part = h0 / fall, square = 1 - 16 * (bend / fall) * part; /* quotients: squares could underflow */
    if (square < 0) {
        return INFINITY;
    }
    const double s = 2 * part / (1 + sqrt(square)) * INWARD;
    return s < 1 ? s : INFINITY;
}

/* The part of the span during which this direction parts the triangles. */
static double part_along(const double direction[3], const ends *e, const tmb_span *span)
{
    double n[3];
    return tmb_unit_of(direction, n)
               ? free_part(tmb_gap_along(n, (const double(*)[3])e->a[0], (const double(*)[3])e->b[0]) - span->clear[0],
                           tmb_gap_along(n, (const double(*)[3])e->a[1], (const double(*)[3])e->b[1]) - span->clear[1],
                           span->bend)
               : 0;
}

static double part_both_ways(const double direction[3], const ends *e, const tmb_span *span)
{
    const double other[3] = {-direction[0], -direction[1], -direction[2]};
    return tmb_greater(part_along(direction, e, span), part_along(other, e, span));
}

/* The best of the normals of both triangles and of pairs of edges, as they are at the begin: where the triangles are
 * close, the closest points do not say well what parts them. */
static double part_along_features(const ends *e, const tmb_span *span)
{
    double edges[2][3][3], n[3], best = 0;
    for (int i = 0; i < 3; i++) {
        tmb_subtract(e->a[0][(i + 1) % 3], e->a[0][i], edges[0][i]);
        tmb_subtract(e->b[0][(i + 1) % 3], e->b[0][i], edges[1][i]);
    }
    for (int side = 0; side < 2; side++) {
        tmb_cross(edges[side][0], edges[side][1], n);
        best = tmb_greater(best, part_both_ways(n, e, span));
        for (int i = 0; i < 3; i++) {
            double inside[3];
            tmb_cross(n, edges[side][i], inside);
            best = tmb_greater(best, part_both_ways(inside, e, span));
        }
    }
    for (int i = 0; i < 9; i++) {
        tmb_cross(edges[0][i / 3], edges[1][i % 3], n);
        best = tmb_greater(best, part_both_ways(n, e, span));
    }
    return best;
}

/* ---- A step ---- */

/* How fast the distance of two points of the triangles can fall at most. */
static double fastest(const tmb_first *f, const double arms[2])
{
    const double turning = arms[0] * fabs(f->moving[0].angle) + arms[1] * fabs(f->moving[1].angle);
    double relative[3];
    tmb_subtract(f->moving[1].velocity, f->moving[0].velocity, relative);
    return (tmb_length(relative) + turning + 2 * f->pace) * (1 + 0x1p-40) + 0x1p-500;
}

double tmb_first_fastest(const tmb_first *f)
{
    double arms[2];
    for (int side = 0; side < 2; side++) {
        const tmb_block *block = f->moving[side].model->block;
        arms[side] = tmb_moving_arm(&f->moving[side], block->lower, block->upper);
    }
    return fastest(f, arms);
}

double tmb_first_arm(const tmb_first *f, int side, uint32_t address)
{
    double corners[3][3], arm = 0;
    tmb_model_corners(f->moving[side].model, address, corners);
    for (int i = 0; i < 3; i++) {
        arm = tmb_greater(arm, tmb_moving_arm(&f->moving[side], corners[i], corners[i]));
    }
    return arm;
}

/* The distance at a time; the slow way if it matters. */
static tmb_triangle_distance distance_at(tmb_first *f, double limit, double time, const double a[3][3],
                                         const double b[3][3])
{
    tmb_triangle_distance d;
    const double error = tmb_first_error(f, time);
    f->counters.primitive_tests++;
    tmb_triangles_distance_fast(a, b, &d);
    if (d.lower <= limit + 3 * error && d.upper > limit + 4 * error) {
        tmb_triangles_distance(a, b, &d, &f->exact_tests);
    }
    return d;
}

static int is_contact(const tmb_first *f, double limit, double time, const tmb_triangle_distance *d)
{
    return d->upper <= limit + 4 * tmb_first_error(f, time);
}

/* The end of the span that the next step looks at: bent ways are cut so that the bend takes no more than half of the
 * gap. */
static double shorten(const tmb_first *f, const tmb_first_pair *pair, const double arms[2], double gap)
{
    const double length = pair->to - pair->from;
    const double bend =
        tmb_moving_bend(&f->moving[0], arms[0], length) + tmb_moving_bend(&f->moving[1], arms[1], length);
    if (8 * bend <= gap || !(gap > 0)) {
        return pair->to;
    }
    const double to = pair->from + length * sqrt(gap / (8 * bend));
    return to > pair->from && to < pair->to ? to : pair->to;
}

/* Of motions that do not turn: exactly. */
static void settle(tmb_first *f, const tmb_first_pair *pair)
{
    double a[3][3], b[3][3], below, above;
    tmb_bigfloat_pool *pool = &f->scratch->numbers;
    tmb_model_corners(f->moving[0].model, pair->a.reference, a);
    tmb_model_corners(f->moving[1].model, pair->b.reference, b);
    tmb_bigfloat_pool_rewind(pool);
    f->exact_tests++;
    const int answer = tmb_exact_contact(pool, f->motions, (const double(*)[3])a, (const double(*)[3])b,
                                         f->options->begin, f->options->end, &below, &above);
    if (answer < 0) {
        f->status = tmb_fail_memory(f->query->context, "exact times");
    } else if (answer) {
        tmb_first_note(f, pair, below, above);
    }
}

void tmb_first_contact(tmb_first *f, const tmb_first_pair *pair, double free, double touching)
{
    if (f->is_exact) {
        settle(f, pair);
    } else {
        tmb_first_note(f, pair, free, touching);
    }
}

/* Whether there is a contact a little later, as soon as the tolerance allows. */
static int is_soon(tmb_first *f, const tmb_first_pair *pair, double limit, double *time)
{
    double a[3][3], b[3][3];
    *time = tmb_lesser(pair->from + f->options->tolerance * (1 - 0x1p-20), pair->to);
    if (f->is_exact || !(*time > pair->from)) {
        return 0;
    }
    place(f, pair, *time, a, b);
    const tmb_triangle_distance d = distance_at(f, limit, *time, (const double(*)[3])a, (const double(*)[3])b);
    return is_contact(f, limit, *time, &d);
}

#define PLAIN_STEPS 4 /* before all directions are tried */

int tmb_first_advance(tmb_first *f, tmb_first_pair *pair)
{
    ends e = {.a = {{{0}}}};
    double direction[3], arms[2] = {tmb_first_arm(f, 0, pair->a.reference), tmb_first_arm(f, 1, pair->b.reference)},
                         soon;
    const double limit = tmb_first_limit(f, pair->a.reference, pair->b.reference);
    place(f, pair, pair->from, e.a[0], e.b[0]);
    const tmb_triangle_distance d =
        distance_at(f, limit, pair->from, (const double(*)[3])e.a[0], (const double(*)[3])e.b[0]);
    if (is_contact(f, limit, pair->from, &d)) {
        tmb_first_contact(f, pair, pair->from, pair->from);
        return 0;
    }
    const double gap = d.lower - limit - 2 * tmb_first_error(f, pair->from);
    const double end = shorten(f, pair, arms, gap), length = end - pair->from;
    const tmb_span span =
        tmb_span_of(f, pair->from, end, limit,
                    tmb_moving_bend(&f->moving[0], arms[0], length) + tmb_moving_bend(&f->moving[1], arms[1], length));
    place(f, pair, end, e.a[1], e.b[1]);
    tmb_subtract(d.points[1], d.points[0], direction);
    double part = part_along(direction, &e, &span);
    if (part < 1 && (pair->steps >= PLAIN_STEPS || !(part > 0))) {
        part = tmb_greater(part, part_along_features(&e, &span));
    }
    const double plain = gap / fastest(f, arms) * INWARD,
                 reach = tmb_greater(part < 1 ? part * length : INFINITY, plain);
    const double next = reach < length ? pair->from + reach * INWARD : end;
    if (next >= pair->to) {
        return 0;
    }
    TMB_ASSERT(next >
               pair->from); /* the gap is at least what rounding can do, which is more than a unit of time does */
    const int is_slow = next - pair->from < f->options->tolerance;
    pair->from = next;
    pair->steps++;
    if (f->found && pair->from >= f->touching) {
        return 0;
    }
    if (is_slow && is_soon(f, pair, limit, &soon)) {
        tmb_first_contact(f, pair, pair->from, soon);
        return 0;
    }
    return 1;
}
