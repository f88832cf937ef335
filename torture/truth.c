#include "truth.h"

#include "estimate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct torture_truth {
    oracle *exact;
    torture_triangles triangles[2];
    tumble_pose relative, pose_a;
    double scale;
    torture_reach reach;
    signed char *meets; /* -1: not known yet */
    unsigned char *is_known;
    mpq_t *squares;
    long double *roots;          /* of those that are known */
    torture_estimate *estimated; /* of others that do not meet; its error is 0 if not known yet */
    tumble_pair *touching;       /* pairs of polygons that meet, once they were asked for */
    size_t touching_count;
    mpq_t least, number, other;
    int has_least;
    size_t estimates, plain;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("torture: out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* ---- Places ---- */

/* As docs/semantics.md says, each operation rounded on its own. */
static void move_point(const tumble_pose *pose, const double in[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const double x = pose->m[i][0] * in[0], y = pose->m[i][1] * in[1], z = pose->m[i][2] * in[2];
        out[i] = ((x + y) + z) + pose->m[i][3];
    }
}

static void set_box(double box[2][3], const double corners[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = fmin(fmin(corners[0][axis], corners[1][axis]), corners[2][axis]);
        box[1][axis] = fmax(fmax(corners[0][axis], corners[1][axis]), corners[2][axis]);
    }
}

static torture_triangles place_triangles(const torture_triangles *from, const tumble_pose *pose)
{
    torture_triangles to = {.count = from->count};
    to.corners = allocate(to.count, sizeof *to.corners);
    to.polygons = allocate(to.count, sizeof *to.polygons);
    to.boxes = allocate(to.count, sizeof *to.boxes);
    for (size_t i = 0; i < to.count; i++) {
        for (int k = 0; k < 3; k++) {
            if (pose) {
                move_point(pose, from->corners[i][k], to.corners[i][k]);
            } else {
                memcpy(to.corners[i][k], from->corners[i][k], sizeof to.corners[i][k]);
            }
        }
        to.polygons[i] = from->polygons[i];
        set_box(to.boxes[i], (const double(*)[3])to.corners[i]);
    }
    return to;
}

/* The most that |m| |x| + |t| is over the triangles, row by row. */
static void find_reach(const tumble_pose *pose, const torture_triangles *t, long double reach[3])
{
    long double most[3] = {0};
    for (size_t i = 0; i < 9 * t->count; i++) {
        most[i % 3] = fmaxl(most[i % 3], fabsl((long double)t->corners[i / 9][i / 3 % 3][i % 3]));
    }
    for (int i = 0; i < 3; i++) {
        reach[i] = fabsl((long double)pose->m[i][3]);
        for (int j = 0; j < 3; j++) {
            reach[i] += fabsl((long double)pose->m[i][j]) * most[j];
        }
    }
}

static int judge_reach(const long double reach[3])
{
    int judged = 1;
    for (int i = 0; i < 3; i++) {
        if (!(reach[i] <= DBL_MAX * (1 + 1e-14L))) {
            return 0;
        }
        if (reach[i] >= DBL_MAX * (1 - 1e-14L)) {
            judged = -1;
        }
    }
    return judged;
}

static void set_reach(torture_truth *t, const torture_triangles triangles[2])
{
    long double into[3], out[3];
    find_reach(&t->relative, &triangles[1], into);
    t->reach.b_into_a = judge_reach(into);
    find_reach(&t->pose_a, &triangles[0], out);
    t->reach.a_out = judge_reach(out);
    for (int i = 0; i < 3; i++) {
        out[i] = fabsl((long double)t->pose_a.m[i][3]);
        for (int j = 0; j < 3; j++) {
            out[i] += fabsl((long double)t->pose_a.m[i][j]) * into[j];
        }
    }
    t->reach.b_out = judge_reach(out);
}

torture_truth *torture_truth_create(oracle *exact, const torture_case *c, size_t pose,
                                    const torture_triangles triangles[2])
{
    torture_truth *t = allocate(1, sizeof *t);
    t->exact = exact;
    t->pose_a = c->has_pose[pose][0] ? c->poses[pose][0] : tumble_pose_identity();
    const tumble_pose pose_b = c->has_pose[pose][1] ? c->poses[pose][1] : tumble_pose_identity();
    t->relative = c->has_pose[pose][0] ? tumble_pose_relative(&t->pose_a, &pose_b) : pose_b;
    t->scale = c->has_pose[pose][0] ? tumble_pose_scale(&t->pose_a) : 1;
    set_reach(t, triangles);
    t->triangles[0] = place_triangles(&triangles[0], NULL);
    t->triangles[1] = place_triangles(&triangles[1], &t->relative);
    const size_t pairs = triangles[0].count * triangles[1].count;
    t->meets = allocate(pairs, 1);
    memset(t->meets, -1, pairs);
    t->is_known = allocate(pairs, 1);
    t->squares = allocate(pairs, sizeof *t->squares);
    t->roots = allocate(pairs, sizeof *t->roots);
    t->estimated = allocate(pairs, sizeof *t->estimated);
    mpq_inits(t->least, t->number, t->other, (mpq_ptr)0);
    return t;
}

void torture_truth_destroy(torture_truth *t)
{
    if (!t) {
        return;
    }
    for (size_t i = 0; i < t->triangles[0].count * t->triangles[1].count; i++) {
        if (t->is_known[i]) {
            mpq_clear(t->squares[i]);
        }
    }
    for (int side = 0; side < 2; side++) {
        free(t->triangles[side].corners);
        free(t->triangles[side].polygons);
        free(t->triangles[side].boxes);
    }
    mpq_clears(t->least, t->number, t->other, (mpq_ptr)0);
    free(t->meets);
    free(t->is_known);
    free(t->squares);
    free(t->roots);
    free(t->estimated);
    free(t->touching);
    free(t);
}

const torture_triangles *torture_truth_triangles(const torture_truth *t, int side)
{
    return &t->triangles[side];
}

const tumble_pose *torture_truth_relative(const torture_truth *t)
{
    return &t->relative;
}

double torture_truth_scale(const torture_truth *t)
{
    return t->scale;
}

torture_reach torture_truth_reach(const torture_truth *t)
{
    return t->reach;
}

/* ---- Two triangles ---- */

/* A lower bound of the square of their distance, by their boxes; long doubles hold all squares and sums of doubles. */
static long double square_below(const torture_truth *t, size_t a, size_t b)
{
    const double(*x)[3] = (const double(*)[3])t->triangles[0].boxes[a];
    const double(*y)[3] = (const double(*)[3])t->triangles[1].boxes[b];
    long double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const long double below = (long double)x[0][axis] - y[1][axis], above = (long double)y[0][axis] - x[1][axis];
        sum += below > 0 ? below * below : above > 0 ? above * above : 0;
    }
    return sum * (1 - 1e-17L * 64);
}

/* What is plain is told by long doubles; one in 16 of that is compared with the truth. */
static int find_meeting(torture_truth *t, size_t a, size_t b)
{
    const double(*x)[3] = (const double(*)[3])t->triangles[0].corners[a];
    const double(*y)[3] = (const double(*)[3])t->triangles[1].corners[b];
    if (square_below(t, a, b) > 0) {
        return 0;
    }
    const int surely = torture_surely_meet(x, y);
    if (surely && ++t->plain % 16 != 0) {
        return 1;
    }
    const int meet = oracle_intersect(t->exact, x, y);
    if (surely && !meet) {
        fputs("torture: its own filter takes two triangles for intersecting that are not\n", stderr);
        abort();
    }
    return meet;
}

int torture_truth_meets(torture_truth *t, size_t a, size_t b)
{
    signed char *known = &t->meets[a * t->triangles[1].count + b];
    if (*known < 0) {
        *known = (signed char)find_meeting(t, a, b);
    }
    return *known;
}

mpq_srcptr torture_truth_square(torture_truth *t, size_t a, size_t b)
{
    const size_t at = a * t->triangles[1].count + b;
    if (!t->is_known[at]) {
        mpq_init(t->squares[at]);
        oracle_squared_distance(t->exact, (const double(*)[3])t->triangles[0].corners[a],
                                (const double(*)[3])t->triangles[1].corners[b], t->squares[at]);
        t->roots[at] = torture_root(t->squares[at]);
        t->is_known[at] = 1;
    }
    return t->squares[at];
}

long double torture_root(mpq_srcptr square)
{
    if (mpq_sgn(square) == 0) {
        return 0;
    }
    long top, bottom;
    long double x = mpz_get_d_2exp(&top, mpq_numref(square));
    x /= mpz_get_d_2exp(&bottom, mpq_denref(square));
    long exponent = top - bottom;
    if (exponent % 2 != 0) {
        x *= 2;
        exponent--;
    }
    return ldexpl(sqrtl(x), (int)(exponent / 2));
}

double torture_truth_approximate(torture_truth *t, size_t a, size_t b)
{
    return (double)(torture_root(torture_truth_square(t, a, b)) * t->scale);
}

/* The distance and what it may be off, without exact distances. One in 64 is compared with the truth. */
static torture_estimate estimate(torture_truth *t, size_t a, size_t b)
{
    const size_t at = a * t->triangles[1].count + b;
    if (t->is_known[at]) {
        return (torture_estimate){t->roots[at], 1e-14L * t->roots[at]};
    }
    if (torture_truth_meets(t, a, b)) {
        return (torture_estimate){0, 0};
    }
    if (t->estimated[at].error > 0) {
        return t->estimated[at];
    }
    const torture_estimate e = torture_estimate_distance((const double(*)[3])t->triangles[0].corners[a],
                                                         (const double(*)[3])t->triangles[1].corners[b]);
    t->estimated[at] = e;
    if (++t->estimates % 64 == 0) {
        (void)torture_truth_square(t, a, b);
        if (fabsl(e.distance - t->roots[at]) > e.error) {
            fprintf(stderr, "torture: its own estimate of a distance is wrong: %.20Lg instead of %.20Lg\n", e.distance,
                    t->roots[at]);
            abort();
        }
    }
    return e;
}

void torture_set_limit(mpq_t out, long double limit)
{
    int exponent;
    mpq_set_d(out, (double)frexpl(limit, &exponent)); /* limits have 53 digits */
    if (exponent >= 0) {
        mpq_mul_2exp(out, out, (mp_bitcnt_t)exponent);
    } else {
        mpq_div_2exp(out, out, (mp_bitcnt_t)-exponent);
    }
}

int torture_truth_within(torture_truth *t, size_t a, size_t b, long double limit)
{
    if (limit == 0) {
        return torture_truth_meets(t, a, b);
    }
    if (isinf(limit)) {
        return 1;
    }
    if (square_below(t, a, b) > limit * limit * (1 + 1e-17L * 64)) {
        return 0;
    }
    const torture_estimate e = estimate(t, a, b);
    if (fabsl(e.distance - limit) > 2 * e.error) {
        return e.distance < limit;
    }
    mpq_srcptr square = torture_truth_square(t, a, b);
    torture_set_limit(t->number, limit);
    mpq_mul(t->number, t->number, t->number);
    return mpq_cmp(square, t->number) <= 0;
}

int torture_compare_distance(double value, mpq_srcptr square, double scale, double tolerance)
{
    const long double truth = torture_root(square) * scale;
    if (truth == 0) {
        return value == 0 ? 0 : value > 0 ? 1 : -1;
    }
    if (value == 0) { /* only models that intersect are so near */
        return -1;
    }
    const long double slack = truth * (tolerance + 1e-15L) + 0x1p-1074L;
    if (isinf(value)) {
        return value < 0 ? -1 : truth + slack > (long double)DBL_MAX ? 0 : 1;
    }
    return value > truth + slack ? 1 : value < truth - slack ? -1 : 0;
}

/* ---- All ---- */

static void take_candidate(torture_truth *t, size_t a, size_t b, long double *bound)
{
    const torture_estimate e = estimate(t, a, b);
    const long double nearest = e.distance - 2 * e.error;
    if (t->has_least && nearest > 0 && nearest * nearest > *bound) {
        return;
    }
    mpq_srcptr square = torture_truth_square(t, a, b);
    if (!t->has_least || mpq_cmp(square, t->least) < 0) {
        mpq_set(t->least, square);
        const long double distance = torture_root(square);
        *bound = distance * distance * (1 + 1e-14L);
    }
    t->has_least = 1;
}

/* First the pair whose boxes are nearest, and one by the least estimate of those that are as near; then all that are
 * not excluded by their boxes. */
static void find_least(torture_truth *t)
{
    const size_t width = t->triangles[1].count, count = t->triangles[0].count * width;
    long double least = INFINITY, bound = INFINITY, best = INFINITY;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        least = fminl(least, square_below(t, i / width, i % width));
    }
    for (size_t i = 0; i < count; i++) {
        if (square_below(t, i / width, i % width) <= least) {
            const torture_estimate e = estimate(t, i / width, i % width);
            first = e.distance < best ? i : first;
            best = fminl(best, e.distance);
        }
    }
    take_candidate(t, first / width, first % width, &bound);
    for (size_t i = 0; i < count; i++) {
        if (square_below(t, i / width, i % width) <= bound) {
            take_candidate(t, i / width, i % width, &bound);
        }
    }
}

mpq_srcptr torture_truth_least(torture_truth *t)
{
    if (t->triangles[0].count == 0 || t->triangles[1].count == 0) {
        return NULL;
    }
    if (!t->has_least) {
        find_least(t);
    }
    return t->least;
}

static int compare_pairs(const void *x, const void *y)
{
    const tumble_pair *p = x, *q = y;
    if (p->polygon_a != q->polygon_a) {
        return p->polygon_a < q->polygon_a ? -1 : 1;
    }
    return (p->polygon_b > q->polygon_b) - (p->polygon_b < q->polygon_b);
}

static tumble_pair *list_pairs(torture_truth *t, long double limit, size_t *count)
{
    const size_t width = t->triangles[1].count, all = t->triangles[0].count * width;
    tumble_pair *pairs = allocate(all, sizeof *pairs);
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < all; i++) {
        if (torture_truth_within(t, i / width, i % width, limit)) {
            pairs[found++] = (tumble_pair){t->triangles[0].polygons[i / width], t->triangles[1].polygons[i % width]};
        }
    }
    qsort(pairs, found, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < found; i++) {
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[i]) != 0) {
            pairs[kept++] = pairs[i];
        }
    }
    *count = kept;
    return pairs;
}

tumble_pair *torture_truth_pairs(torture_truth *t, long double limit, size_t *count)
{
    if (limit != 0) {
        return list_pairs(t, limit, count);
    }
    if (!t->touching) {
        t->touching = list_pairs(t, 0, &t->touching_count);
    }
    *count = t->touching_count;
    tumble_pair *copy = allocate(*count, sizeof *copy);
    memcpy(copy, t->touching, *count * sizeof *copy);
    return copy;
}

size_t torture_truth_triangle_pairs(torture_truth *t, long double limit)
{
    const size_t width = t->triangles[1].count, all = t->triangles[0].count * width;
    size_t found = 0;
    for (size_t i = 0; i < all; i++) {
        found += (size_t)torture_truth_within(t, i / width, i % width, limit);
    }
    return found;
}
