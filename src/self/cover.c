/* What two triangles have in common, as a point or a segment with exact ends, and whether segments cover it.
 *
 * Each of its ends is a corner of one triangle that is in the other, or a point where an edge of one passes through the
 * plane of the other, or where two edges cross. So the ends are the extremes of all of these. */
#include "self/cover.h"

#include <string.h>

#include "base/assert.h"
#include "math/predicates.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

typedef const double (*corners)[3];

/* ---- Points ---- */

static tmb_exact_point point_of(tmb_cover *c, const double p[3])
{
    tmb_exact_point out;
    for (int k = 0; k < 4; k++) {
        out.at[k] = tmb_bigfloat_of(&c->pool, k < 3 ? p[k] : 1);
    }
    return out;
}

/* Order by x, then y, then z. */
static int compare(tmb_cover *c, const tmb_exact_point *p, const tmb_exact_point *q)
{
    for (int k = 0; k < 3; k++) {
        const int order = tmb_bigfloat_compare(tmb_bigfloat_multiply(&c->pool, p->at[k], q->at[3]),
                                               tmb_bigfloat_multiply(&c->pool, q->at[k], p->at[3]));
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static void see_point(tmb_cover *c, const tmb_exact_point *p)
{
    c->low = c->is_empty || compare(c, p, &c->low) < 0 ? *p : c->low;
    c->high = c->is_empty || compare(c, p, &c->high) > 0 ? *p : c->high;
    c->is_empty = 0;
}

/* The point that divides p q in the ratio of heights, which have different signs: (p |height_q| + q |height_p|) over
 * the sum of both. */
static void see_division(tmb_cover *c, const double p[3], tmb_bigfloat height_p, const double q[3],
                         tmb_bigfloat height_q)
{
    const tmb_exact_point from = point_of(c, p), to = point_of(c, q);
    tmb_exact_point out;
    height_p.sign *= height_p.sign; /* 0 if memory ran out */
    height_q.sign *= height_q.sign;
    for (int k = 0; k < 4; k++) {
        out.at[k] = tmb_bigfloat_add(&c->pool, tmb_bigfloat_multiply(&c->pool, from.at[k], height_q),
                                     tmb_bigfloat_multiply(&c->pool, to.at[k], height_p));
    }
    see_point(c, &out);
}

/* ---- Heights ---- */

static tmb_bigfloat difference(tmb_cover *c, double x, double y)
{
    return tmb_bigfloat_subtract(&c->pool, tmb_bigfloat_of(&c->pool, x), tmb_bigfloat_of(&c->pool, y));
}

static tmb_bigfloat minor(tmb_cover *c, tmb_bigfloat x, tmb_bigfloat y, tmb_bigfloat z, tmb_bigfloat w)
{
    return tmb_bigfloat_subtract(&c->pool, tmb_bigfloat_multiply(&c->pool, x, y),
                                 tmb_bigfloat_multiply(&c->pool, z, w));
}

/* The determinant of tmb_orient3d for the corners of t and p. */
static tmb_bigfloat height_over_plane(tmb_cover *c, corners t, const double p[3])
{
    tmb_bigfloat u[3], v[3], w[3], sum = {0, 0, 0, NULL};
    for (int k = 0; k < 3; k++) {
        u[k] = difference(c, t[1][k], t[0][k]);
        v[k] = difference(c, t[2][k], t[0][k]);
        w[k] = difference(c, p[k], t[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        sum = tmb_bigfloat_add(&c->pool, sum, tmb_bigfloat_multiply(&c->pool, minor(c, u[m], v[n], u[n], v[m]), w[k]));
    }
    return sum;
}

static tmb_bigfloat height_over_line(tmb_cover *c, const double r[2], const double s[2], const double p[2])
{
    return minor(c, difference(c, s[0], r[0]), difference(c, p[1], r[1]), difference(c, s[1], r[1]),
                 difference(c, p[0], r[0]));
}

/* ---- What is common ---- */

static int meets(const double p[3], const double q[3], corners t)
{
    double segment[3][3];
    memcpy(segment[0], p, sizeof segment[0]);
    memcpy(segment[1], q, sizeof segment[1]);
    memcpy(segment[2], q, sizeof segment[2]);
    return tmb_triangles_intersect((corners)segment, t, NULL);
}

/* Corners of a triangle that are in the other, and points where its edges pass through the other's plane. */
static void see_triangle(tmb_cover *c, corners t, corners other)
{
    for (int i = 0; i < 3; i++) {
        const double *p = t[i], *q = t[(i + 1) % 3];
        if (meets(p, p, other)) {
            const tmb_exact_point corner = point_of(c, p);
            see_point(c, &corner);
        }
        const int side_p = tmb_orient3d(other[0], other[1], other[2], p);
        if (side_p * tmb_orient3d(other[0], other[1], other[2], q) < 0 && meets(p, q, other)) {
            see_division(c, p, height_over_plane(c, other, p), q, height_over_plane(c, other, q));
        }
    }
}

/* Where two edges in one plane cross, if they are not parallel when seen along some axis. */
static void see_crossing(tmb_cover *c, const double *p, const double *q, const double *r, const double *s)
{
    if (tmb_orient3d(p, q, r, s) != 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        double flat[4][2];
        tmb_project(p, axis, flat[0]);
        tmb_project(q, axis, flat[1]);
        tmb_project(r, axis, flat[2]);
        tmb_project(s, axis, flat[3]);
        if (tmb_orient2d(flat[0], flat[1], flat[2]) * tmb_orient2d(flat[0], flat[1], flat[3]) < 0 &&
            tmb_orient2d(flat[2], flat[3], flat[0]) * tmb_orient2d(flat[2], flat[3], flat[1]) < 0) {
            see_division(c, p, height_over_line(c, flat[2], flat[3], flat[0]), q,
                         height_over_line(c, flat[2], flat[3], flat[1]));
            return;
        }
    }
}

void tmb_cover_begin(tmb_cover *c, tumble_context *context, const double a[3][3], const double b[3][3])
{
    memset(c, 0, sizeof *c);
    c->pool.arena.context = context;
    c->is_empty = 1;
    see_triangle(c, a, b);
    see_triangle(c, b, a);
    for (int n = 0; n < 9; n++) {
        see_crossing(c, a[n / 3], a[(n / 3 + 1) % 3], b[n % 3], b[(n % 3 + 1) % 3]);
    }
}

void tmb_cover_add(tmb_cover *c, const double p[3], const double q[3])
{
    double segment[6];
    memcpy(segment, p, 3 * sizeof *segment);
    memcpy(segment + 3, q, 3 * sizeof *segment);
    c->failed |= !tmb_buffer_append(c->pool.arena.context, &c->segments, &c->count, segment, 1, sizeof segment);
}

/* ---- Covering ---- */

/* Whether a point is on the line of p and q; if these are equal, any point is. */
static int is_on_line(tmb_cover *c, const tmb_exact_point *x, const double p[3], const double q[3])
{
    tmb_bigfloat to_q[3], to_x[3];
    int is_parallel = 1;
    for (int k = 0; k < 3; k++) {
        to_q[k] = difference(c, q[k], p[k]);
        to_x[k] = tmb_bigfloat_subtract(&c->pool, x->at[k],
                                        tmb_bigfloat_multiply(&c->pool, tmb_bigfloat_of(&c->pool, p[k]), x->at[3]));
    }
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        is_parallel &= minor(c, to_q[m], to_x[n], to_q[n], to_x[m]).sign == 0;
    }
    return is_parallel;
}

/* If a segment along what is common has the point `at`, which is covered, moves that to the end of the segment. */
static int advance(tmb_cover *c, const double segment[6], tmb_exact_point *at)
{
    const double *p = segment, *q = segment + 3;
    if (!is_on_line(c, at, p, q) || !is_on_line(c, &c->high, p, q)) {
        return 0;
    }
    const tmb_exact_point first = point_of(c, p), second = point_of(c, q);
    const int is_ordered = compare(c, &first, &second) <= 0;
    const tmb_exact_point *start = is_ordered ? &first : &second, *end = is_ordered ? &second : &first;
    if (compare(c, start, at) > 0 || compare(c, end, at) <= 0) {
        return 0;
    }
    *at = *end;
    return 1;
}

static int has_point(tmb_cover *c, const tmb_exact_point *x)
{
    const double(*segments)[6] = c->segments.data;
    for (size_t i = 0; i < c->count; i++) {
        const tmb_exact_point p = point_of(c, segments[i]), q = point_of(c, segments[i] + 3);
        if (is_on_line(c, x, segments[i], segments[i] + 3) && compare(c, &p, x) * compare(c, x, &q) >= 0) {
            return 1;
        }
    }
    return 0;
}

static int is_covered(tmb_cover *c)
{
    const double(*segments)[6] = c->segments.data;
    tmb_exact_point at = c->low;
    if (compare(c, &c->low, &c->high) == 0) {
        return has_point(c, &c->low);
    }
    for (size_t i = 0; i < c->count && compare(c, &at, &c->high) < 0; i++) {
        if (advance(c, segments[i], &at)) {
            i = SIZE_MAX; /* from the first one again */
        }
    }
    return compare(c, &at, &c->high) >= 0;
}

int tmb_cover_end(tmb_cover *c)
{
    TMB_ASSERT(!c->is_empty || c->pool.failed);
    const int covered = c->failed || c->pool.failed || is_covered(c);
    const int failed = c->failed || c->pool.failed;
    tumble_context *context = c->pool.arena.context;
    tmb_buffer_release(context, &c->segments);
    tmb_bigfloat_pool_release(&c->pool);
    return failed ? -1 : covered;
}
