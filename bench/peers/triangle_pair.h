/* Whether two triangles touch, in plain doubles: what Embree leaves to its caller. T. Moller, A fast triangle-triangle
 * intersection test, Journal of Graphics Tools 2(2), 1997, in the form without divisions and without tolerances. */
#ifndef TUMBLE_BENCH_TRIANGLE_PAIR_H
#define TUMBLE_BENCH_TRIANGLE_PAIR_H

#include <cmath>
#include <utility>

namespace triangle_pair
{

struct vector {
    double x, y, z;
};

inline vector operator-(const vector &a, const vector &b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline double dot(const vector &a, const vector &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline vector cross(const vector &a, const vector &b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A point as seen along one axis. */
struct flat {
    double u, v;
};

inline double turn(const flat &a, const flat &b, const flat &c)
{
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

inline bool on_both_sides(double one, double other)
{
    return (one <= 0 && other >= 0) || (one >= 0 && other <= 0);
}

/* Two segments: each has the other's ends on both sides, or on its line and within its range. */
inline bool edges_cross(const flat &a, const flat &b, const flat &c, const flat &d)
{
    const bool ranges = std::fmin(a.u, b.u) <= std::fmax(c.u, d.u) && std::fmin(c.u, d.u) <= std::fmax(a.u, b.u) &&
                        std::fmin(a.v, b.v) <= std::fmax(c.v, d.v) && std::fmin(c.v, d.v) <= std::fmax(a.v, b.v);
    return ranges && on_both_sides(turn(a, b, c), turn(a, b, d)) && on_both_sides(turn(c, d, a), turn(c, d, b));
}

inline bool inside(const flat &p, const flat *t)
{
    const double one = turn(t[0], t[1], p), two = turn(t[1], t[2], p), three = turn(t[2], t[0], p);
    return (one >= 0 && two >= 0 && three >= 0) || (one <= 0 && two <= 0 && three <= 0);
}

inline bool coplanar_touch(const vector &normal, const vector *a, const vector *b)
{
    const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
    flat f[3], g[3];
    for (int i = 0; i < 3; i++) {
        f[i] = x > y && x > z ? flat{a[i].y, a[i].z} : y > z ? flat{a[i].z, a[i].x} : flat{a[i].x, a[i].y};
        g[i] = x > y && x > z ? flat{b[i].y, b[i].z} : y > z ? flat{b[i].z, b[i].x} : flat{b[i].x, b[i].y};
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            if (edges_cross(f[i], f[(i + 1) % 3], g[k], g[(k + 1) % 3])) {
                return true;
            }
        }
    }
    return inside(f[0], g) || inside(g[0], f);
}

/* Where a triangle meets the line of both planes: base + (one / weight_one) and base + (two / weight_two). */
struct span {
    double base, one, two, weight_one, weight_two;
};

/* From the corners' places along the line, p, and their distances from the other plane, d; false when all are 0. */
inline bool find_span(const double *p, const double *d, span *out)
{
    int alone; /* the corner that is on its own side */
    if (d[0] * d[1] > 0) {
        alone = 2;
    } else if (d[0] * d[2] > 0) {
        alone = 1;
    } else if (d[1] * d[2] > 0 || d[0] != 0) {
        alone = 0;
    } else if (d[1] != 0) {
        alone = 1;
    } else if (d[2] != 0) {
        alone = 2;
    } else {
        return false;
    }
    const int i = (alone + 1) % 3, k = (alone + 2) % 3;
    *out = {p[alone], (p[i] - p[alone]) * d[alone], (p[k] - p[alone]) * d[alone], d[alone] - d[i], d[alone] - d[k]};
    return true;
}

/* The distances of b's corners from a's plane, times a constant; false when all are on one side. */
inline bool crosses_plane(const vector &normal, const vector &origin, const vector *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = dot(normal, b[i] - origin);
    }
    return !(out[0] * out[1] > 0 && out[0] * out[2] > 0);
}

inline bool spans_meet(const span &s, const span &t)
{
    const double ws = s.weight_one * s.weight_two, wt = t.weight_one * t.weight_two, base_s = s.base * ws * wt,
                 base_t = t.base * ws * wt;
    double s0 = base_s + s.one * s.weight_two * wt, s1 = base_s + s.two * s.weight_one * wt;
    double t0 = base_t + t.one * t.weight_two * ws, t1 = base_t + t.two * t.weight_one * ws;
    if (s0 > s1) {
        std::swap(s0, s1);
    }
    if (t0 > t1) {
        std::swap(t0, t1);
    }
    return s0 <= t1 && t0 <= s1;
}

inline bool touch(const vector *a, const vector *b)
{
    double from_a[3], from_b[3];
    const vector normal_a = cross(a[1] - a[0], a[2] - a[0]);
    if (!crosses_plane(normal_a, a[0], b, from_a)) {
        return false;
    }
    const vector normal_b = cross(b[1] - b[0], b[2] - b[0]);
    if (!crosses_plane(normal_b, b[0], a, from_b)) {
        return false;
    }
    const vector line = cross(normal_a, normal_b);
    const double x = std::fabs(line.x), y = std::fabs(line.y), z = std::fabs(line.z);
    double along_a[3], along_b[3];
    for (int i = 0; i < 3; i++) {
        along_a[i] = x > y && x > z ? a[i].x : y > z ? a[i].y : a[i].z;
        along_b[i] = x > y && x > z ? b[i].x : y > z ? b[i].y : b[i].z;
    }
    span span_a, span_b;
    if (!find_span(along_a, from_b, &span_a) || !find_span(along_b, from_a, &span_b)) {
        return coplanar_touch(normal_a, a, b);
    }
    return spans_meet(span_a, span_b);
}

} // namespace triangle_pair

#endif
