#include "estimate.h"

#include <math.h>

typedef long double vec[3];

static void load(vec out, const double in[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = in[i];
    }
}

static void subtract(vec out, const vec x, const vec y)
{
    for (int i = 0; i < 3; i++) {
        out[i] = x[i] - y[i];
    }
}

static long double dot(const vec x, const vec y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(vec out, const vec x, const vec y)
{
    for (int i = 0; i < 3; i++) {
        out[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
    }
}

/* The square of the length of x + s u - t v. */
static long double gap(const vec x, const vec u, long double s, const vec v, long double t)
{
    vec d;
    for (int i = 0; i < 3; i++) {
        d[i] = x[i] + s * u[i] - t * v[i];
    }
    return dot(d, d);
}

static long double point_segment(const vec p, const vec from, const vec to)
{
    vec along, offset;
    subtract(along, to, from);
    subtract(offset, p, from);
    const long double square = dot(along, along);
    long double t = square > 0 ? dot(offset, along) / square : 0;
    t = t > 1 ? 1 : t > 0 ? t : 0;
    return gap(offset, along, -t, along, 0);
}

/* Between inner points of two edges; corners are the business of the others. */
static long double edge_edge(const vec p, const vec q, const vec r, const vec s)
{
    vec u, v, w;
    subtract(u, q, p);
    subtract(v, s, r);
    subtract(w, p, r);
    const long double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const long double determinant = uu * vv - uv * uv;
    if (!(determinant > 0)) {
        return INFINITY;
    }
    const long double x = (uv * vw - vv * uw) / determinant, y = (uu * vw - uv * uw) / determinant;
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? gap(w, u, x, v, y) : (long double)INFINITY;
}

/* Between a point and the inside of a triangle. */
static long double point_face(const vec p, vec t[3])
{
    vec u, v, normal, offset;
    subtract(u, t[1], t[0]);
    subtract(v, t[2], t[0]);
    cross(normal, u, v);
    const long double square = dot(normal, normal);
    for (int i = 0; i < 3 && square > 0; i++) {
        vec edge, side;
        subtract(edge, t[(i + 1) % 3], t[i]);
        subtract(offset, p, t[i]);
        cross(side, edge, offset);
        if (dot(side, normal) < 0) {
            return INFINITY;
        }
    }
    subtract(offset, p, t[0]);
    const long double height = dot(offset, normal);
    return square > 0 ? height * height / square : (long double)INFINITY;
}

static void lower(long double *least, long double value)
{
    *least = value < *least ? value : *least;
}

torture_estimate torture_estimate_distance(const double a[3][3], const double b[3][3])
{
    vec t[2][3];
    long double least = INFINITY, size = 0;
    for (int i = 0; i < 3; i++) {
        load(t[0][i], a[i]);
        load(t[1][i], b[i]);
        for (int k = 0; k < 3; k++) {
            const long double x = fabsl(t[0][i][k]), y = fabsl(t[1][i][k]);
            size = x > size ? x : size;
            size = y > size ? y : size;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3;
            lower(&least, point_segment(t[0][i], t[1][k], t[1][next]));
            lower(&least, point_segment(t[1][i], t[0][k], t[0][next]));
            lower(&least, edge_edge(t[0][i], t[0][(i + 1) % 3], t[1][k], t[1][next]));
        }
        lower(&least, point_face(t[0][i], t[1]));
        lower(&least, point_face(t[1][i], t[0]));
    }
    const long double distance = sqrtl(least);
    return (torture_estimate){distance, 1e-6L * distance + 1e-8L * size};
}

/* The sign of the volume of a tetrahedron, if it is far from 0; else 0. The differences and products are rounded to
 * 2^-64 each, the sum of absolute values is 2^40 times what that can amount to. */
static int volume_sign(const vec p, const vec q, const vec r, const vec s)
{
    vec u, v, w, normal, most;
    subtract(u, q, p);
    subtract(v, r, p);
    subtract(w, s, p);
    cross(normal, u, v);
    for (int i = 0; i < 3; i++) {
        most[i] = fabsl(u[(i + 1) % 3] * v[(i + 2) % 3]) + fabsl(u[(i + 2) % 3] * v[(i + 1) % 3]);
    }
    const long double volume = dot(normal, w);
    const long double bound = 0x1p-20L * (most[0] * fabsl(w[0]) + most[1] * fabsl(w[1]) + most[2] * fabsl(w[2]));
    return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

static int pierces(const vec p, const vec q, vec t[3])
{
    const int from = volume_sign(t[0], t[1], t[2], p), to = volume_sign(t[0], t[1], t[2], q);
    if (from * to >= 0) {
        return 0;
    }
    const int first = volume_sign(p, q, t[0], t[1]), second = volume_sign(p, q, t[1], t[2]);
    return first != 0 && first == second && second == volume_sign(p, q, t[2], t[0]);
}

int torture_surely_meet(const double a[3][3], const double b[3][3])
{
    vec t[2][3];
    for (int i = 0; i < 3; i++) {
        load(t[0][i], a[i]);
        load(t[1][i], b[i]);
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (pierces(t[0][i], t[0][next], t[1]) || pierces(t[1][i], t[1][next], t[0])) {
            return 1;
        }
    }
    return 0;
}
