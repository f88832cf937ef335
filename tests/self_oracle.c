#include "self_oracle.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    mpq_t at[3];
} point;

/* A convex polygon, segment or point, by its corners in order, some of them repeated. */
enum {
    CORNERS = 24
};
typedef struct region {
    point corners[CORNERS];
    int count;
} region;

static void begin_point(point *p)
{
    for (int k = 0; k < 3; k++)
        mpq_init(p->at[k]);
}

static void end_point(point *p)
{
    for (int k = 0; k < 3; k++)
        mpq_clear(p->at[k]);
}

static void begin_region(region *r)
{
    for (int i = 0; i < CORNERS; i++)
        begin_point(&r->corners[i]);
    r->count = 0;
}

static void end_region(region *r)
{
    for (int i = 0; i < CORNERS; i++)
        end_point(&r->corners[i]);
}

static void copy_point(point *to, const point *from)
{
    for (int k = 0; k < 3; k++)
        mpq_set(to->at[k], from->at[k]);
}

static int equal_points(const point *p, const point *q)
{
    return mpq_equal(p->at[0], q->at[0]) && mpq_equal(p->at[1], q->at[1]) && mpq_equal(p->at[2], q->at[2]);
}

static void set_point(point *p, const double from[3])
{
    for (int k = 0; k < 3; k++)
        mpq_set_d(p->at[k], from[k]);
}

static void subtract(point *out, const point *p, const point *q)
{
    for (int k = 0; k < 3; k++)
        mpq_sub(out->at[k], p->at[k], q->at[k]);
}

static void cross(point *out, const point *p, const point *q)
{
    mpq_t product;
    mpq_init(product);
    for (int k = 0; k < 3; k++) {
        mpq_mul(out->at[k], p->at[(k + 1) % 3], q->at[(k + 2) % 3]);
        mpq_mul(product, p->at[(k + 2) % 3], q->at[(k + 1) % 3]);
        mpq_sub(out->at[k], out->at[k], product);
    }
    mpq_clear(product);
}

static void dot(mpq_t out, const point *p, const point *q)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(product, p->at[k], q->at[k]);
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

static int is_zero(const point *p)
{
    return !mpq_sgn(p->at[0]) && !mpq_sgn(p->at[1]) && !mpq_sgn(p->at[2]);
}

/* The normal of three points; 0 if they are on a line. */
static int normal_of(point *n, const point *p, const point *q, const point *r)
{
    point u, v;
    begin_point(&u), begin_point(&v);
    subtract(&u, q, p);
    subtract(&v, r, p);
    cross(n, &u, &v);
    end_point(&u), end_point(&v);
    return !is_zero(n);
}

/* ---- Cutting ---- */

static void height_over(mpq_t out, const point *n, const point *anchor, const point *p)
{
    point difference;
    begin_point(&difference);
    subtract(&difference, p, anchor);
    dot(out, n, &difference);
    end_point(&difference);
}

static void add_corner(region *r, const point *p)
{
    if (r->count == CORNERS)
        abort();
    copy_point(&r->corners[r->count++], p);
}

/* The point between p and q where the height is 0. */
static void add_cut(region *r, const point *p, const mpq_t at_p, const point *q, const mpq_t at_q)
{
    point cut;
    mpq_t share, step;
    begin_point(&cut);
    mpq_inits(share, step, (mpq_ptr)0);
    mpq_sub(share, at_p, at_q);
    mpq_div(share, at_p, share);
    for (int k = 0; k < 3; k++) {
        mpq_sub(step, q->at[k], p->at[k]);
        mpq_mul(step, step, share);
        mpq_add(cut.at[k], p->at[k], step);
    }
    add_corner(r, &cut);
    mpq_clears(share, step, (mpq_ptr)0);
    end_point(&cut);
}

/* Keeps what has a height of at least 0. */
static void cut_region(region *r, const point *n, const point *anchor)
{
    region kept;
    mpq_t here, next;
    begin_region(&kept);
    mpq_inits(here, next, (mpq_ptr)0);
    for (int i = 0; i < r->count; i++) {
        const point *p = &r->corners[i], *q = &r->corners[(i + 1) % r->count];
        height_over(here, n, anchor, p);
        height_over(next, n, anchor, q);
        if (mpq_sgn(here) >= 0)
            add_corner(&kept, p);
        if (mpq_sgn(here) * mpq_sgn(next) < 0)
            add_cut(&kept, p, here, q, next);
    }
    r->count = 0;
    for (int i = 0; i < kept.count; i++) {
        int known = 0;
        for (int j = 0; j < r->count; j++)
            known |= equal_points(&kept.corners[i], &r->corners[j]);
        if (!known)
            add_corner(r, &kept.corners[i]);
    }
    mpq_clears(here, next, (mpq_ptr)0);
    end_region(&kept);
}

static void cut_both_ways(region *r, point *n, const point *anchor)
{
    cut_region(r, n, anchor);
    for (int k = 0; k < 3; k++)
        mpq_neg(n->at[k], n->at[k]);
    cut_region(r, n, anchor);
}

/* Cuts with the planes along the line of two points, and with those across its ends. */
static void cut_to_segment(region *r, const point *p, const point *q)
{
    point n, axis, direction;
    begin_point(&n), begin_point(&axis), begin_point(&direction);
    subtract(&direction, q, p);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            mpq_set_si(axis.at[i], i == k, 1);
        cross(&n, &axis, &direction);
        cut_both_ways(r, &n, p); /* on the line */
    }
    cut_region(r, &direction, p);
    subtract(&direction, p, q);
    cut_region(r, &direction, q);
    if (is_zero(&direction)) { /* one point */
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                mpq_set_si(axis.at[i], i == k, 1);
            cut_both_ways(r, &axis, p);
        }
    }
    end_point(&n), end_point(&axis), end_point(&direction);
}

/* The ends of points on a line: those that have the others between them. */
static void ends_of(const point *t, int count, const point **low, const point **high)
{
    *low = *high = &t[0];
    for (int i = 1; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            const point **end = side ? high : low;
            int order = 0;
            for (int k = 0; k < 3 && order == 0; k++)
                order = mpq_cmp(t[i].at[k], (*end)->at[k]);
            if (side ? order > 0 : order < 0)
                *end = &t[i];
        }
    }
}

static void cut_with_triangle(region *r, const point t[3])
{
    point n, inward, edge;
    begin_point(&n), begin_point(&inward), begin_point(&edge);
    if (normal_of(&n, &t[0], &t[1], &t[2])) {
        for (int i = 0; i < 3; i++) {
            subtract(&edge, &t[(i + 1) % 3], &t[i]);
            cross(&inward, &n, &edge);
            cut_region(r, &inward, &t[i]);
        }
        cut_both_ways(r, &n, &t[0]);
    } else {
        const point *low, *high;
        ends_of(t, 3, &low, &high);
        cut_to_segment(r, low, high);
    }
    end_point(&n), end_point(&inward), end_point(&edge);
}

/* ---- Two triangles ---- */

typedef struct meeting {
    region common;
    point a[3], b[3];
} meeting;

static void begin_meeting(meeting *m, const double a[3][3], const double b[3][3])
{
    begin_region(&m->common);
    for (int i = 0; i < 3; i++) {
        begin_point(&m->a[i]), begin_point(&m->b[i]);
        set_point(&m->a[i], a[i]), set_point(&m->b[i], b[i]);
        int known = 0;
        for (int j = 0; j < m->common.count; j++)
            known |= equal_points(&m->a[i], &m->common.corners[j]);
        if (!known)
            add_corner(&m->common, &m->a[i]);
    }
    cut_with_triangle(&m->common, m->b);
}

static void end_meeting(meeting *m)
{
    end_region(&m->common);
    for (int i = 0; i < 3; i++)
        end_point(&m->a[i]), end_point(&m->b[i]);
}

static int spans_plane(const region *r)
{
    point n;
    int spans = 0;
    begin_point(&n);
    for (int i = 2; i < r->count; i++)
        spans |= normal_of(&n, &r->corners[0], &r->corners[1], &r->corners[i]);
    end_point(&n);
    return spans;
}

static int triangle_has_area(const point t[3])
{
    point n;
    begin_point(&n);
    const int has = normal_of(&n, &t[0], &t[1], &t[2]);
    end_point(&n);
    return has;
}

/* Strictly inside of each edge, in the plane. The triangle has an area. */
static int is_inside(const point t[3], const point *p)
{
    point n, edge, inward;
    mpq_t height;
    int inside = 1;
    begin_point(&n), begin_point(&edge), begin_point(&inward);
    mpq_init(height);
    (void)normal_of(&n, &t[0], &t[1], &t[2]);
    height_over(height, &n, &t[0], p);
    inside &= mpq_sgn(height) == 0;
    for (int i = 0; i < 3; i++) {
        subtract(&edge, &t[(i + 1) % 3], &t[i]);
        cross(&inward, &n, &edge);
        height_over(height, &inward, &t[i], p);
        inside &= mpq_sgn(height) > 0;
    }
    mpq_clear(height);
    end_point(&n), end_point(&edge), end_point(&inward);
    return inside;
}

static int in_one_plane(const point a[3], const point b[3])
{
    point n;
    mpq_t height;
    int flat = 1;
    begin_point(&n);
    mpq_init(height);
    (void)normal_of(&n, &a[0], &a[1], &a[2]);
    for (int i = 0; i < 3; i++) {
        height_over(height, &n, &a[0], &b[i]);
        flat &= mpq_sgn(height) == 0;
    }
    mpq_clear(height);
    end_point(&n);
    return flat;
}

/* Of triangles with a common point. If their insides meet, the middle of all that is common is inside both. */
static tumble_self_kind kind_of(const meeting *m)
{
    if (!triangle_has_area(m->a) || !triangle_has_area(m->b))
        return TUMBLE_SELF_DEGENERATE;
    point middle;
    mpq_t count;
    begin_point(&middle);
    mpq_init(count);
    mpq_set_si(count, m->common.count, 1);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < m->common.count; i++)
            mpq_add(middle.at[k], middle.at[k], m->common.corners[i].at[k]);
        mpq_div(middle.at[k], middle.at[k], count);
    }
    const int insides_meet = is_inside(m->a, &middle) && is_inside(m->b, &middle);
    mpq_clear(count);
    end_point(&middle);
    if (!insides_meet)
        return TUMBLE_SELF_TOUCHING;
    return in_one_plane(m->a, m->b) ? TUMBLE_SELF_OVERLAPPING : TUMBLE_SELF_CROSSING;
}

/* ---- What polygons share ---- */

typedef const double corner[3];

static int same(corner p, corner q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static int has_corner(const self_polygon *p, corner c)
{
    for (size_t i = 0; i < 3 * p->count; i++)
        if (same(p->triangles[i / 3][i % 3], c))
            return 1;
    return 0;
}

int self_share_corner(const self_polygon *p, const self_polygon *q)
{
    for (size_t i = 0; i < 3 * p->count; i++)
        if (has_corner(q, p->triangles[i / 3][i % 3]))
            return 1;
    return 0;
}

/* An edge of an odd number of its triangles, each of which counts once. */
static int has_edge(const self_polygon *p, corner c, corner d)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const self_polygon one = {&p->triangles[i], 1};
        count += has_corner(&one, c) && has_corner(&one, d);
    }
    return count % 2 == 1;
}

static int on_segment(const point *x, corner c, corner d)
{
    region r;
    point p, q;
    begin_region(&r);
    begin_point(&p), begin_point(&q);
    set_point(&p, c), set_point(&q, d);
    add_corner(&r, x);
    cut_to_segment(&r, &p, &q);
    const int on = r.count > 0;
    end_point(&p), end_point(&q);
    end_region(&r);
    return on;
}

/* Whether a point is a common corner or on a common edge. */
static int is_shared(const point *x, const self_polygon *p, const self_polygon *q)
{
    for (size_t t = 0; t < p->count; t++) {
        for (int i = 0; i < 3; i++) {
            const double *c = p->triangles[t][i], *d = p->triangles[t][(i + 1) % 3];
            if (has_corner(q, c) && on_segment(x, c, c))
                return 1;
            if (!same(c, d) && has_edge(p, c, d) && has_edge(q, c, d) && on_segment(x, c, d))
                return 1;
        }
    }
    return 0;
}

/* Points of a segment that is common: its ends, the corners on it, and the middles between all of these. If they are
 * shared, all of it is. */
static int segment_is_shared(const region *r, const self_polygon *p, const self_polygon *q)
{
    enum {
        MOST = 200
    };
    static point marks[MOST];
    int count = 0, shared = 1;
    const point *low, *high;
    point middle;
    begin_point(&middle);
    ends_of(r->corners, r->count, &low, &high);
    for (int i = 0; i < r->count; i++)
        begin_point(&marks[count]), copy_point(&marks[count++], &r->corners[i]);
    for (size_t i = 0; i < 3 * p->count && count < MOST; i++)
        begin_point(&marks[count]), set_point(&marks[count++], p->triangles[i / 3][i % 3]);
    for (int i = 0; i < count && shared; i++) {
        for (int j = i; j < count && shared; j++) {
            for (int k = 0; k < 3; k++) {
                mpq_add(middle.at[k], marks[i].at[k], marks[j].at[k]);
                mpq_div_2exp(middle.at[k], middle.at[k], 1);
            }
            region one;
            begin_region(&one);
            add_corner(&one, &middle);
            cut_to_segment(&one, low, high);
            shared = one.count == 0 || is_shared(&middle, p, q);
            end_region(&one);
        }
    }
    for (int i = 0; i < count; i++)
        end_point(&marks[i]);
    end_point(&middle);
    return shared;
}

static int all_is_shared(const region *r, const self_polygon *p, const self_polygon *q)
{
    if (r->count == 0)
        return 1;
    return !spans_plane(r) && segment_is_shared(r, p, q);
}

static int same_corners(const self_polygon *p, const self_polygon *q)
{
    for (size_t i = 0; i < 3 * p->count; i++)
        if (!has_corner(q, p->triangles[i / 3][i % 3]))
            return 0;
    for (size_t i = 0; i < 3 * q->count; i++)
        if (!has_corner(p, q->triangles[i / 3][i % 3]))
            return 0;
    return 1;
}

tumble_self_kind self_truth(const self_polygon *p, const self_polygon *q, int soup)
{
    unsigned best = 0;
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j < q->count; j++) {
            meeting m;
            begin_meeting(&m, p->triangles[i], q->triangles[j]);
            if (m.common.count > 0 && (soup || !all_is_shared(&m.common, p, q))) {
                const unsigned kind = (unsigned)kind_of(&m);
                best = best == 0 || kind < best ? kind : best;
            }
            end_meeting(&m);
        }
    }
    if (best != 0 && best != TUMBLE_SELF_DEGENERATE && same_corners(p, q))
        return TUMBLE_SELF_DUPLICATE;
    return (tumble_self_kind)best;
}
