/* tumble_distance: nearest pairs, limits, errors, coherence, budgets and lists, against the truth. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

static const double tolerance = 1e-14;

enum {
    UNDECIDED = 16,
    ARRAY = 64
};

typedef struct reply {
    tumble_status status;
    tumble_distance_result result;
    tumble_near *pairs;
    tumble_near array[ARRAY];
    tumble_undecided undecided[UNDECIDED];
    tumble_near last;
    uint32_t calls, stop_at;
    int has_stopped, is_falling, is_scaled;
} reply;

static bool on_pair(void *user, const tumble_near *pair)
{
    reply *r = user;
    const double told = pair->distance; /* rounded once more where it is scaled, or where doubles lack digits */
    const int is_rounded = r->is_scaled || told <= DBL_MIN || told > DBL_MAX;
    r->is_falling &= r->calls == 0 || told < r->last.distance || (is_rounded && told == r->last.distance);
    r->last = *pair;
    r->has_stopped = ++r->calls == r->stop_at;
    return r->has_stopped;
}

static tumble_distance_options options_of(const torture_question *q, reply *r)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.relative_error = q->relative_error;
    options.absolute_error = q->absolute_error;
    options.within = q->within.value;
    options.enough = q->enough.value;
    options.want_pairs = q->want_pairs;
    options.coherence = q->coherence;
    options.budget_box_tests = q->budget;
    options.tuning = q->tuned ? &q->tuning : NULL;
    options.undecided = r->undecided;
    options.undecided_capacity = q->budget ? UNDECIDED : 0;
    if (q->has_array) {
        options.pairs = r->array;
        options.pair_capacity = q->capacity;
    }
    if (q->has_callback) {
        options.callback = on_pair;
        options.callback_user = r;
        r->stop_at = q->stop_at;
    }
    return options;
}

static void renumber(const torture_stage *s, const torture_question *q, tumble_near *near)
{
    near->polygon_a = torture_shape_polygon(torture_stage_recipe(s, q, 0), near->polygon_a);
    near->polygon_b = torture_shape_polygon(torture_stage_recipe(s, q, 1), near->polygon_b);
}

static void ask(torture_stage *s, const torture_question *q, tumble_query *query, const tumble_model *a,
                const tumble_model *b, void *out)
{
    reply *r = out;
    memset(r, 0, sizeof *r);
    r->is_falling = 1;
    r->is_scaled = s->c->has_pose[q->pose][0];
    const tumble_distance_options options = options_of(q, r);
    r->status = tumble_distance(query, a, torture_pose(s->c, q->pose, 0), b, torture_pose(s->c, q->pose, 1), &options,
                                &r->result);
    if (r->status == TUMBLE_OK && r->result.pairs) {
        r->pairs = malloc((r->result.pair_count + 1) * sizeof *r->pairs);
        if (!r->pairs) {
            abort();
        }
        memcpy(r->pairs, r->result.pairs, r->result.pair_count * sizeof *r->pairs);
        for (size_t i = 0; i < r->result.pair_count; i++) {
            renumber(s, q, &r->pairs[i]);
        }
    }
    if (s->world->slip == TORTURE_SLIP_DISTANCE &&
        torture_stage_recipe(s, q, 0)->hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
        r->result.nearest.distance *= 1 + 1e-12;
    }
}

/* ---- Checking ---- */

/* The square of the distance of two polygons; NULL when there are none of these numbers. */
static mpq_srcptr polygon_square(torture_stage *s, const torture_question *q, uint32_t a, uint32_t b)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    const torture_triangles *x = torture_truth_triangles(t, 0), *y = torture_truth_triangles(t, 1);
    mpq_srcptr least = NULL;
    for (size_t i = 0; i < x->count; i++) {
        for (size_t j = 0; j < y->count && x->polygons[i] == a; j++) {
            if (y->polygons[j] == b) {
                mpq_srcptr square = torture_truth_square(t, i, j);
                least = !least || mpq_cmp(square, least) < 0 ? square : least;
            }
        }
    }
    return least;
}

static int check_bounds(torture_stage *s, const torture_question *q, const reply *r, mpq_srcptr least)
{
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    const double lower = r->result.lower, upper = r->result.upper;
    if (!(lower >= 0) || !(upper >= 0)) {
        return torture_wrong(s, "bounds %.17g and %.17g", lower, upper);
    }
    if (!least) {
        return isinf(upper) ? 1 : torture_wrong(s, "upper is %.17g, and there is no pair", upper);
    }
    const long double truth = torture_root(least) * scale;
    if (torture_compare_distance(lower, least, scale, tolerance) > 0) {
        return torture_wrong(s, "lower is %.17g, and the distance is %.17Lg", lower, truth);
    }
    if (torture_compare_distance(upper, least, scale, tolerance) < 0) {
        return torture_wrong(s, "upper is %.17g, and the distance is %.17Lg", upper, truth);
    }
    return 1;
}

static double largest_of_both(torture_stage *s, const torture_question *q, const tumble_near *near)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    const torture_triangles *a = torture_truth_triangles(t, 0), *b = torture_truth_triangles(t, 1);
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        largest = near->polygon_a < a->count ? fmax(largest, fabs(a->corners[near->polygon_a][i / 3][i % 3])) : largest;
        largest = near->polygon_b < b->count ? fmax(largest, fabs(b->corners[near->polygon_b][i / 3][i % 3])) : largest;
    }
    return largest;
}

/* How far from the triangle of a polygon a point is, in roundings of the largest coordinate. */
static int is_on_polygon(torture_stage *s, const torture_question *q, int side, const tumble_near *near)
{
    const uint32_t polygon = side ? near->polygon_b : near->polygon_a;
    const double *point = side ? near->point_b : near->point_a;
    const torture_triangles *t = torture_truth_triangles(torture_stage_truth(s, q->pose), side);
    if (!torture_only_triangles(&s->c->shapes[side]) || polygon >= t->count) {
        return 1;
    }
    double dot[3][3], largest = near->distance == 0 ? largest_of_both(s, q, near) : 0; /* of a common point */
    mpq_t square;
    mpq_init(square);
    for (int i = 0; i < 9; i++) {
        dot[i / 3][i % 3] = point[i % 3];
        largest = fmax(largest, fabs(t->corners[polygon][i / 3][i % 3]));
    }
    oracle_squared_distance(s->world->oracle, (const double(*)[3])dot, (const double(*)[3])t->corners[polygon], square);
    const long double off = torture_root(square);
    mpq_clear(square);
    return off <= 16 * (0x1p-53L * largest + 0x1p-1074L);
}

/* Whether A's pose may take a point beyond the largest double along an axis. */
static int may_overflow(torture_stage *s, const torture_question *q, int axis)
{
    const double *row = s->c->poses[q->pose][0].m[axis];
    for (int side = 0; side < 2 && s->c->has_pose[q->pose][0]; side++) {
        const torture_triangles *t = torture_truth_triangles(torture_stage_truth(s, q->pose), side);
        for (size_t i = 0; i < 3 * t->count; i++) {
            const double *corner = t->corners[i / 3][i % 3];
            long double most = fabsl((long double)row[3]);
            for (int k = 0; k < 3; k++) {
                most += fabsl((long double)row[k] * corner[k]);
            }
            if (most > DBL_MAX * (1 - 0x1p-48L)) {
                return 1;
            }
        }
    }
    return 0;
}

static int check_points(torture_stage *s, const torture_question *q, const tumble_near *near)
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = near->point_a[axis], b = near->point_b[axis];
        if (isnan(a) || isnan(b) || ((isinf(a) || isinf(b)) && !may_overflow(s, q, axis))) {
            return torture_wrong(s, "a nearest point is not finite");
        }
    }
    if (s->c->has_pose[q->pose][0] || q->level != 0) {
        return 1;
    }
    if (!is_on_polygon(s, q, 0, near) || !is_on_polygon(s, q, 1, near)) {
        return torture_wrong(s, "a nearest point of (%u, %u) is not on its polygon", near->polygon_a, near->polygon_b);
    }
    return 1;
}

/* One pair: its distance is that of its polygons, or of some of their triangles. */
static int check_near(torture_stage *s, const torture_question *q, const tumble_near *near)
{
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    mpq_srcptr square = polygon_square(s, q, near->polygon_a, near->polygon_b);
    if (!square) {
        return torture_wrong(s, "the nearest polygons are (%u, %u), which do not exist", near->polygon_a,
                             near->polygon_b);
    }
    const int simple = torture_only_triangles(&s->c->shapes[0]) && torture_only_triangles(&s->c->shapes[1]);
    const int order = torture_compare_distance(near->distance, square, scale, tolerance);
    if (order < 0 || (simple && order > 0)) {
        return torture_wrong(s, "the distance of (%u, %u) is %.17g instead of %.17Lg", near->polygon_a, near->polygon_b,
                             near->distance, torture_root(square) * scale);
    }
    return check_points(s, q, near);
}

/* Not farther than asked for. */
static int check_excess(torture_stage *s, const torture_question *q, const reply *r, mpq_srcptr least)
{
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    const long double truth = torture_root(least) * scale, found = r->result.nearest.distance;
    const long double most = truth * (1 + (long double)q->relative_error) + q->absolute_error;
    const long double slack = 1e-15L + 3 * tolerance;
    const int overflows = isinf(r->result.nearest.distance) && truth > DBL_MAX * (1 - slack);
    if (overflows) {
        return 1;
    }
    if (found > most * (1 + slack) + 2 * 0x1p-1074L && !(found <= q->enough.value * (1 + slack))) {
        return torture_wrong(s, "the distance found is %.17Lg, and the models' is %.17Lg", found, truth);
    }
    if (found > q->within.value * (1 + slack) + 2 * 0x1p-1074L) {
        return torture_wrong(s, "the distance found is %.17Lg, beyond %.17g", found, q->within.value);
    }
    return 1;
}

static int is_within(torture_stage *s, const torture_question *q, mpq_srcptr least)
{
    const long double limit = torture_limit_in_a(s, q, q->within.value);
    if (!least || isinf(limit)) {
        return least != NULL;
    }
    mpq_t square;
    mpq_init(square);
    torture_set_limit(square, limit);
    mpq_mul(square, square, square);
    const int within = mpq_cmp(least, square) <= 0;
    mpq_clear(square);
    return within;
}

static int check_answer(torture_stage *s, const torture_question *q, const reply *r, mpq_srcptr least)
{
    const tumble_answer expected = is_within(s, q, least) ? TUMBLE_YES : TUMBLE_NO;
    const tumble_answer answer = r->result.answer;
    const int may_be_open = q->budget && !r->result.is_complete;
    if (!q->budget && !r->result.is_complete) {
        return torture_wrong(s, "a search without budget is not complete");
    }
    if (answer != expected && !(answer == TUMBLE_MAYBE && may_be_open)) {
        return torture_wrong(s, "the answer is %d instead of %d (0 no, 1 yes, 2 maybe)", answer, expected);
    }
    return 1;
}

/* What was not compared is at least as far as it says. */
static int check_undecided(torture_stage *s, const torture_question *q, const reply *r, mpq_srcptr least)
{
    const size_t count = r->result.undecided_count < UNDECIDED ? (size_t)r->result.undecided_count : UNDECIDED;
    for (size_t i = 1; i < count; i++) {
        if (r->undecided[i].lower < r->undecided[i - 1].lower) {
            return torture_wrong(s, "the undecided pairs are not in order");
        }
    }
    if (!least || count == 0 || r->result.is_complete) {
        return 1;
    }
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    const double best = r->result.answer == TUMBLE_YES ? r->result.nearest.distance : q->within.value;
    if (torture_compare_distance(fmin(fmax(r->undecided[0].lower, 0), best), least, scale, tolerance) > 0) {
        return torture_wrong(s, "nothing undecided is nearer than %.17g, and the distance is %.17Lg",
                             r->undecided[0].lower, torture_root(least) * scale);
    }
    return 1;
}

static int same_near(const tumble_near *x, const tumble_near *y)
{
    return x->polygon_a == y->polygon_a && x->polygon_b == y->polygon_b && x->distance == y->distance;
}

static int check_callback(torture_stage *s, const torture_question *q, const reply *r)
{
    if (!r->is_falling) {
        return torture_wrong(s, "a pair came that is not closer than the one before");
    }
    if (q->has_callback && s->world->slip != TORTURE_SLIP_DISTANCE &&
        (r->calls > 0) != (r->result.answer == TUMBLE_YES)) {
        return torture_wrong(s, "%u pairs came, and the answer is %d", r->calls, r->result.answer);
    }
    return 1;
}

/* ---- The list ---- */

static int listed(const reply *r, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < r->result.pair_count; i++) {
        if (r->pairs[i].polygon_a == a && r->pairs[i].polygon_b == b) {
            return 1;
        }
    }
    return 0;
}

static int check_listed(torture_stage *s, const torture_question *q, const reply *r, long double most)
{
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    for (size_t i = 0; i < r->result.pair_count; i++) {
        const tumble_near *near = &r->pairs[i];
        if (i > 0 && (near[-1].polygon_a > near->polygon_a ||
                      (near[-1].polygon_a == near->polygon_a && near[-1].polygon_b >= near->polygon_b))) {
            return torture_wrong(s, "the list of near pairs is not in order");
        }
        mpq_srcptr square = polygon_square(s, q, near->polygon_a, near->polygon_b);
        if (!square || torture_compare_distance(near->distance, square, scale, tolerance) != 0) {
            return torture_wrong(s, "the distance of the listed (%u, %u) is %.17g instead of %.17Lg", near->polygon_a,
                                 near->polygon_b, near->distance, square ? torture_root(square) * scale : -1.0L);
        }
        if (torture_root(square) * scale > most * (1 + 4 * tolerance) + 0x1p-1073L) {
            return torture_wrong(s, "(%u, %u) is listed and too far", near->polygon_a, near->polygon_b);
        }
    }
    return 1;
}

static int check_list(torture_stage *s, const torture_question *q, const reply *r)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    const double scale = torture_truth_scale(t);
    const double nearest = r->result.nearest.distance;
    const long double errors = nearest * (1 + (long double)q->relative_error) + q->absolute_error;
    const long double most =
        isfinite(nearest) && errors > DBL_MAX ? DBL_MAX : errors; /* none that no double can hold */
    if (!r->pairs || !check_listed(s, q, r, most)) {
        return torture_wrong(s, "there is no list");
    }
    const torture_triangles *x = torture_truth_triangles(t, 0), *y = torture_truth_triangles(t, 1);
    int exponent;
    const long double sure = most * (1 - 4 * tolerance) - 0x1p-1073L;
    const double digits = (double)frexpl(sure / scale, &exponent);
    const long double limit = ldexpl(digits, exponent);
    for (size_t i = 0; i < x->count * y->count && sure >= 0; i++) {
        const size_t a = i / y->count, b = i % y->count;
        if (torture_truth_within(t, a, b, limit) && !listed(r, x->polygons[a], y->polygons[b]) &&
            torture_root(torture_truth_square(t, a, b)) * scale <= sure) {
            return torture_wrong(s, "(%u, %u) is not listed, at %.17Lg", x->polygons[a], y->polygons[b],
                                 torture_root(torture_truth_square(t, a, b)) * scale);
        }
    }
    const size_t stored = q->has_array ? (q->capacity < r->result.pair_count ? q->capacity : r->result.pair_count) : 0;
    for (size_t i = 0; i < stored; i++) {
        if (r->array[i].distance != r->pairs[i].distance) {
            return torture_wrong(s, "the array has other pairs than the view");
        }
    }
    return 1;
}

/* ---- All together ---- */

static int check_yes(torture_stage *s, const torture_question *q, const reply *r, mpq_srcptr least)
{
    return check_near(s, q, &r->result.nearest) && (!r->result.is_complete || check_excess(s, q, r, least)) &&
           (!q->want_pairs || !r->result.is_complete || check_list(s, q, r)) &&
           (!q->has_callback || same_near(&r->last, &r->result.nearest) ||
            torture_wrong(s, "the last pair that came is not the result"));
}

static int check_result(torture_stage *s, const torture_question *q, reply *r)
{
    mpq_srcptr least = torture_truth_least(torture_stage_truth(s, q->pose));
    renumber(s, q, &r->result.nearest);
    renumber(s, q, &r->last);
    if (!check_callback(s, q, r) || !check_bounds(s, q, r, least)) {
        return 0;
    }
    if (r->has_stopped) {
        return check_near(s, q, &r->last);
    }
    return check_answer(s, q, r, least) && check_undecided(s, q, r, least) &&
           (r->result.answer != TUMBLE_YES || check_yes(s, q, r, least));
}

static int check(torture_stage *s, const torture_question *q, reply *r)
{
    if (r->has_stopped) {
        return r->status == TUMBLE_ERROR_CANCELLED
                   ? check_result(s, q, r)
                   : torture_wrong(s, "%s after the callback stopped", tumble_status_name(r->status));
    }
    return torture_check_status(s, q, r->status, 1, q->want_pairs ? -1 : 0) ? check_result(s, q, r) : !s->wrong[0];
}

int torture_ask_distance(torture_stage *s, torture_question *q)
{
    reply replies[TORTURE_THREADS];
    (void)torture_limit_value(s, q, &q->within);
    (void)torture_limit_value(s, q, &q->enough);
    if (!torture_ask_on_threads(s, q, ask, replies, sizeof *replies)) {
        return 0;
    }
    int right = 1;
    for (uint32_t i = 0; i < q->threads; i++) {
        right = right && check(s, q, &replies[i]);
        free(replies[i].pairs);
    }
    return right;
}
