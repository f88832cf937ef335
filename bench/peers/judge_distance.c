/* Who is right about a distance. */
#include "judge_distance.h"

#include <math.h>
#include <stdlib.h>

#include "failure.h"

typedef long double vector[3];

typedef struct plain_triangle {
    vector corners[3];
} plain_triangle;

typedef struct ball {
    double centre[3], radius;
} ball;

enum {
    BUNDLE = 32, /* triangles, one after the other along a Z-curve */
    CURVE_BITS = 10
};

typedef struct soup {
    plain_triangle *triangles;
    ball *balls; /* of each triangle */
    size_t count;
    ball *bundles;
    size_t bundle_count;
} soup;

/* ---- Two triangles ---- */

static void subtract(const vector a, const vector b, vector out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

static long double dot(const vector a, const vector b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const vector a, const vector b, vector out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* What follows is squared. The distance of a + s u from b + t v. */
static long double between(const vector a, const vector u, long double s, const vector b, const vector v, long double t)
{
    vector gap;
    for (int i = 0; i < 3; i++) {
        gap[i] = (a[i] - b[i]) + (s * u[i] - t * v[i]);
    }
    return dot(gap, gap);
}

static long double point_to_segment(const vector p, const vector from, const vector to)
{
    vector along, away;
    subtract(to, from, along);
    subtract(p, from, away);
    const long double length = dot(along, along);
    const long double t = length > 0 ? fminl(1, fmaxl(0, dot(away, along) / length)) : 0;
    return between(p, along, 0, from, along, t);
}

/* Where the common perpendicular meets both segments; else a corner or an end is closer, which others examine. */
static long double segment_to_segment(const plain_triangle *a, int i, const plain_triangle *b, int k)
{
    vector u, v, w;
    subtract(a->corners[(i + 1) % 3], a->corners[i], u);
    subtract(b->corners[(k + 1) % 3], b->corners[k], v);
    subtract(a->corners[i], b->corners[k], w);
    const long double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const long double determinant = uu * vv - uv * uv;
    const long double s = (uv * vw - vv * uw) / determinant, t = (uu * vw - uv * uw) / determinant;
    if (!(determinant > 0) || !(s >= 0 && s <= 1 && t >= 0 && t <= 1)) {
        return INFINITY;
    }
    return between(a->corners[i], u, s, b->corners[k], v, t);
}

static long double point_to_triangle(const vector p, const plain_triangle *triangle)
{
    vector u, v, w, normal, along_u, along_v;
    const vector *corners = triangle->corners;
    long double best =
        fminl(point_to_segment(p, corners[0], corners[1]),
              fminl(point_to_segment(p, corners[1], corners[2]), point_to_segment(p, corners[2], corners[0])));
    subtract(corners[1], corners[0], u);
    subtract(corners[2], corners[0], v);
    subtract(p, corners[0], w);
    cross(u, v, normal);
    cross(w, v, along_u);
    cross(u, w, along_v);
    const long double area = dot(normal, normal), s = dot(along_u, normal), t = dot(along_v, normal);
    if (area > 0 && s >= 0 && t >= 0 && s + t <= area) {
        const long double height = dot(w, normal);
        best = fminl(best, height * height / area);
    }
    return best;
}

/* Of triangles that do not intersect. */
static long double triangle_distance(const plain_triangle *a, const plain_triangle *b)
{
    long double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        best = fminl(best, point_to_triangle(a->corners[i], b));
        best = fminl(best, point_to_triangle(b->corners[i], a));
        for (int k = 0; k < 3; k++) {
            best = fminl(best, segment_to_segment(a, i, b, k));
        }
    }
    return sqrtl(best);
}

/* ---- Two meshes ---- */

/* Around the middle of the box of some triangles; a little larger than it need be, for rounding. */
static ball ball_around(const plain_triangle *triangles, size_t count)
{
    ball out = {{0, 0, 0}, 0};
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const double x = (double)triangles[i / 3].corners[i % 3][axis];
            lower[axis] = fmin(lower[axis], x);
            upper[axis] = fmax(upper[axis], x);
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        out.centre[axis] = 0.5 * (lower[axis] + upper[axis]);
    }
    for (size_t i = 0; i < 3 * count; i++) {
        const long double *p = triangles[i / 3].corners[i % 3];
        const double x = (double)p[0] - out.centre[0], y = (double)p[1] - out.centre[1],
                     z = (double)p[2] - out.centre[2];
        out.radius = fmax(out.radius, sqrt(x * x + y * y + z * z));
    }
    out.radius += 1e-9 * (out.radius + fabs(out.centre[0]) + fabs(out.centre[1]) + fabs(out.centre[2]));
    return out;
}

/* The place of a triangle's first corner on a Z-curve through a cube around everything; coordinates are within `reach`
 * of 0. */
static uint32_t curve_place(const plain_triangle *triangle, double reach)
{
    uint32_t place = 0;
    for (int bit = CURVE_BITS - 1; bit >= 0; bit--) {
        for (int axis = 0; axis < 3; axis++) {
            const double share = 0.5 + 0.499 * (double)triangle->corners[0][axis] / reach;
            place = 2 * place + ((uint32_t)(share * (1 << CURVE_BITS)) >> bit & 1);
        }
    }
    return place;
}

typedef struct placed_triangle {
    uint32_t place;
    plain_triangle triangle;
} placed_triangle;

static int compare_places(const void *one, const void *other)
{
    const uint32_t a = ((const placed_triangle *)one)->place, b = ((const placed_triangle *)other)->place;
    return (a > b) - (a < b);
}

/* Neighbours come after one another. */
static void sort_triangles(plain_triangle *triangles, size_t count)
{
    double reach = 1e-300;
    placed_triangle *list = bench_allocate(count, sizeof *list);
    for (size_t i = 0; i < 3 * count; i++) {
        reach = fmax(reach, fabs((double)triangles[i / 3].corners[0][i % 3]));
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = (placed_triangle){.place = curve_place(&triangles[i], reach), .triangle = triangles[i]};
    }
    qsort(list, count, sizeof *list, compare_places);
    for (size_t i = 0; i < count; i++) {
        triangles[i] = list[i].triangle;
    }
    free(list);
}

/* `pose` may be NULL. */
static soup make_soup(const peer_mesh *mesh, const tumble_pose *pose)
{
    soup out = {.count = mesh->triangle_count, .bundle_count = (mesh->triangle_count + BUNDLE - 1) / BUNDLE};
    out.triangles = bench_allocate(out.count, sizeof *out.triangles);
    out.balls = bench_allocate(out.count, sizeof *out.balls);
    out.bundles = bench_allocate(out.bundle_count, sizeof *out.bundles);
    for (size_t i = 0; i < 3 * out.count; i++) {
        const double *p = mesh->points + 3 * (size_t)mesh->indices[i];
        double moved[3] = {p[0], p[1], p[2]};
        if (pose) {
            tumble_pose_apply(pose, p, moved);
        }
        for (size_t axis = 0; axis < 3; axis++) {
            out.triangles[i / 3].corners[i % 3][axis] = moved[axis];
        }
    }
    sort_triangles(out.triangles, out.count);
    for (size_t i = 0; i < out.count; i++) {
        out.balls[i] = ball_around(&out.triangles[i], 1);
    }
    for (size_t i = 0; i < out.bundle_count; i++) {
        const size_t left = out.count - i * BUNDLE;
        out.bundles[i] = ball_around(&out.triangles[i * BUNDLE], left < BUNDLE ? left : BUNDLE);
    }
    return out;
}

static void free_soup(soup *s)
{
    free(s->triangles);
    free(s->balls);
    free(s->bundles);
}

static int may_be_closer(const ball *a, const ball *b, double distance)
{
    const double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1], z = a->centre[2] - b->centre[2];
    const double reach = a->radius + b->radius + distance;
    return x * x + y * y + z * z <= reach * reach;
}

/* Between one corner of each bundle: no more than a bound, from which on little is left to do. */
static long double first_bound(const soup *a, const soup *b)
{
    long double best = INFINITY;
    for (size_t i = 0; i < a->bundle_count; i++) {
        for (size_t k = 0; k < b->bundle_count; k++) {
            vector gap;
            subtract(a->triangles[i * BUNDLE].corners[0], b->triangles[k * BUNDLE].corners[0], gap);
            best = fminl(best, dot(gap, gap));
        }
    }
    return sqrtl(best);
}

static long double compare_bundles(const soup *a, size_t i, const soup *b, size_t k, long double best)
{
    const size_t a_end = i * BUNDLE + BUNDLE < a->count ? i * BUNDLE + BUNDLE : a->count;
    const size_t b_end = k * BUNDLE + BUNDLE < b->count ? k * BUNDLE + BUNDLE : b->count;
    for (size_t m = i * BUNDLE; m < a_end; m++) {
        for (size_t n = k * BUNDLE; n < b_end; n++) {
            if (may_be_closer(&a->balls[m], &b->balls[n], (double)best)) {
                best = fminl(best, triangle_distance(&a->triangles[m], &b->triangles[n]));
            }
        }
    }
    return best;
}

double judge_distance(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose)
{
    soup one = make_soup(a, NULL), other = make_soup(b, pose);
    long double best = first_bound(&one, &other);
    for (size_t i = 0; i < one.bundle_count; i++) {
        for (size_t k = 0; k < other.bundle_count; k++) {
            if (may_be_closer(&one.bundles[i], &other.bundles[k], (double)best)) {
                best = compare_bundles(&one, i, &other, k, best);
            }
        }
    }
    free_soup(&one);
    free_soup(&other);
    return (double)best;
}
