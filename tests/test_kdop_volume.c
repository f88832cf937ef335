/* Volumes, surfaces and vertices of k-DOPs, against two ways that have nothing in common with the library's: sides as
 * polygons in their planes, clipped one by one in long double; and the dual of the linear program for how far a k-DOP
 * reaches, over all triples of planes. Directions are those of the set as stored. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/bounds.h"
#include "support.h"
#include "tree/kdop/polytope.h"
#include "tree/kdop/volume.h"

typedef long double real;

static const uint32_t all_k[] = {6, 12, 14, 18, 26};

/* ---- Oracles ---- */

typedef struct planes {
    uint32_t k;
    real normals[TMB_KDOP_MOST][3], bounds[TMB_KDOP_MOST];
} planes;

static planes planes_of(uint32_t k, const float *bounds, double margin)
{
    planes p = {.k = k};
    for (uint32_t l = 0; l < k; l++) {
        double d[3];
        tmb_kdop_lane(tmb_kdop_set_of(k), l, d);
        const real length = sqrtl((real)d[0] * d[0] + (real)d[1] * d[1] + (real)d[2] * d[2]);
        for (int i = 0; i < 3; i++) {
            p.normals[l][i] = d[i];
        }
        p.bounds[l] = bounds[l] + (real)margin * length;
    }
    return p;
}

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const real a[3], const real b[3], real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The part of a polygon with n . p <= bound (Sutherland and Hodgman). */
static size_t clip_polygon(real (*points)[3], size_t count, const real n[3], real bound)
{
    real out[4 + 2 * TMB_KDOP_MOST][3];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const real *p = points[i], *q = points[(i + 1) % count];
        const real hp = dot(n, p) - bound, hq = dot(n, q) - bound;
        if (hp <= 0) {
            memcpy(out[kept++], p, sizeof *out);
        }
        if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
            for (int k = 0; k < 3; k++) {
                out[kept][k] = p[k] + (q[k] - p[k]) * (hp / (hp - hq));
            }
            kept++;
        }
    }
    memcpy(points, out, kept * sizeof *out);
    return kept;
}

/* The side of a plane: a large square that is clipped by all others. */
static real side_area(const planes *all, uint32_t side)
{
    const real *n = all->normals[side], square = dot(n, n), reach = 64;
    const int flat =
        fabsl(n[0]) < fabsl(n[1]) ? (fabsl(n[0]) < fabsl(n[2]) ? 0 : 2) : (fabsl(n[1]) < fabsl(n[2]) ? 1 : 2);
    real axis[3] = {flat == 0, flat == 1, flat == 2}, u[3], v[3], points[4 + 2 * TMB_KDOP_MOST][3];
    cross(n, axis, u);
    cross(n, u, v);
    const real lu = sqrtl(dot(u, u)), lv = sqrtl(dot(v, v));
    for (int i = 0; i < 4; i++) {
        const real a = (i == 0 || i == 3 ? 1 : -1) * reach / lu, b = (i < 2 ? 1 : -1) * reach / lv;
        for (int k = 0; k < 3; k++) {
            points[i][k] = n[k] * all->bounds[side] / square + u[k] * a + v[k] * b;
        }
    }
    size_t count = 4;
    for (uint32_t l = 0; l < all->k && count > 0; l++) {
        count = l == side ? count : clip_polygon(points, count, all->normals[l], all->bounds[l]);
    }
    real sum[3] = {0, 0, 0}, part[3];
    for (size_t i = 0; i < count; i++) {
        cross(points[i], points[(i + 1) % count], part);
        sum[0] += part[0], sum[1] += part[1], sum[2] += part[2];
    }
    return sqrtl(dot(sum, sum)) / 2;
}

/* Told from one of its points, so that little cancels. */
static tmb_kdop_size oracle_size(uint32_t k, const float *bounds, double margin, const real inside[3])
{
    planes all = planes_of(k, bounds, margin);
    for (uint32_t l = 0; l < k; l++) {
        all.bounds[l] -= dot(all.normals[l], inside);
    }
    real volume = 0, area = 0;
    for (uint32_t l = 0; l < k; l++) {
        const real side = side_area(&all, l);
        volume += side * all.bounds[l] / sqrtl(dot(all.normals[l], all.normals[l])) / 3;
        area += side;
    }
    return (tmb_kdop_size){(double)volume, (double)area};
}

/* The largest u . p is the least sum of weights times bounds, over all triples of planes whose normals add up to u with
 * weights that are not negative. Weights a little below 0 are allowed, as they change little. */
static real oracle_reach(const planes *all, const real u[3])
{
    real least = INFINITY;
    for (uint32_t a = 0; a < all->k; a++) {
        for (uint32_t b = a + 1; b < all->k; b++) {
            real ab[3], bc[3], ca[3];
            cross(all->normals[a], all->normals[b], ab);
            for (uint32_t c = b + 1; c < all->k; c++) {
                const real determinant = dot(ab, all->normals[c]);
                if (fabsl(determinant) < 0.5L) {
                    continue;
                }
                cross(all->normals[b], all->normals[c], bc);
                cross(all->normals[c], all->normals[a], ca);
                const real wa = dot(u, bc) / determinant, wb = dot(u, ca) / determinant, wc = dot(u, ab) / determinant;
                if (wa > -1e-17L && wb > -1e-17L && wc > -1e-17L) {
                    least = fminl(least, wa * all->bounds[a] + wb * all->bounds[b] + wc * all->bounds[c]);
                }
            }
        }
    }
    return least;
}

/* ---- Point sets ---- */

enum {
    KINDS = 13,
    POINTS = 24
};
static const char *const kind_names[KINDS] = {"point",
                                              "segment",
                                              "segment along a direction",
                                              "triangle",
                                              "flat along a direction",
                                              "flat along x",
                                              "lattice",
                                              "needle",
                                              "cloud",
                                              "sphere",
                                              "small and far",
                                              "origin",
                                              "tiny"};

static void random_vector(test_random *random, double size, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = test_random_range(random, -size, size);
    }
}

/* Local coordinates, so at most 1. */
static size_t make_points(test_random *random, uint32_t k, int kind, double (*points)[3])
{
    static const size_t counts[KINDS] = {1, 2, 2, 3, 6, 6, 8, 5, 16, 24, 6, 2, 9};
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    const double *d = set->directions[(uint32_t)test_random_whole(random, 0, (int)k / 2 - 1)];
    double base[3], other[3];
    random_vector(random, 0.4, base);
    random_vector(random, 0.4, other);
    for (size_t i = 0; i < counts[kind]; i++) {
        double p[3];
        random_vector(random, 0.5, p);
        const double t = test_random_unit(random),
                     across = (p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int j = 0; j < 3; j++) {
            double *x = &points[i][j];
            switch (kind) {
            case 2: *x = base[j] + (i ? 0.2 * d[j] : 0); break;
            case 4: *x = p[j] - across * d[j]; break;
            case 5: *x = j == 0 ? base[0] : p[j]; break;
            case 6: *x = test_random_whole(random, -2, 2) * 0.25; break;
            case 7: *x = base[j] + t * other[j] + 0x1p-18 * p[j]; break;
            case 9: *x = 0.9 * p[j] / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); break;
            case 10: *x = (j == 1 ? -0.9 : 0.9) + 0x1p-9 * p[j]; break;
            case 11: *x = 0; break;
            case 12: *x = base[j] + 0x1p-19 * p[j]; break;
            default: *x = p[j]; break;
            }
        }
    }
    return counts[kind];
}

/* Rounded to nearest, or outward as in rows. */
static void bounds_of(uint32_t k, double (*points)[3], size_t count, int outward, float *out)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    for (uint32_t l = 0; l < k; l++) {
        double d[3], most = -INFINITY;
        tmb_kdop_lane(set, l, d);
        for (size_t i = 0; i < count; i++) {
            most = fmax(most, d[0] * points[i][0] + d[1] * points[i][1] + d[2] * points[i][2]);
        }
        out[l] = outward ? nextafterf((float)(most + 0x1p-50), INFINITY) : (float)most;
    }
}

/* Bounds that no set of points has: some planes lie behind the others. */
static void loosen(test_random *random, uint32_t k, float *bounds)
{
    for (uint32_t l = 0; l < k; l++) {
        bounds[l] += test_random_chance(random, 0.5) ? (float)test_random_range(random, 0, 0.6) : 0;
    }
}

/* ---- Tests ---- */

static void assert_close(double found, double expected, double error, uint32_t k, int kind, const char *what)
{
    if (!(fabs(found - expected) <= error)) {
        fail_msg("%s of a %u-DOP (%s): %.17g instead of %.17g, error %g", what, k, kind_names[kind], found, expected,
                 found - expected);
    }
}

/* The library moves planes by 2^-38 of at most 4, which changes the volume by that times the surface, and the surface
 * by that times the edges; sums of cubes of lengths are rounded. */
static void check_size(uint32_t k, const float *bounds, double margin, const double point[3], int kind, int tight)
{
    const real inside[3] = {point[0], point[1], point[2]};
    const tmb_kdop_size expected = oracle_size(k, bounds, margin, inside);
    const tmb_kdop_size found = tmb_kdop_size_of(k, bounds, margin);
    const double error = 0x1p-35 * expected.area + 0x1p-60;
    assert_close(found.volume, expected.volume, error, k, kind, "volume");
    assert_close(found.area, expected.area, 0x1p-32, k, kind, "area");
    if (tight) { /* bounds are rounded to 2^-24 of at most 3 each, and then no longer those of a set of points */
        const double volume = tmb_kdop_volume(k, bounds, margin);
        assert_close(volume, expected.volume, 0x1p-21 * expected.area + 0x1p-48, k, kind, "volume of points");
    }
}

static void test_sizes(void **state)
{
    (void)state;
    test_random random = {11};
    for (size_t i = 0; i < 5; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t n = test_count(20); n > 0; n--) {
                double points[POINTS][3];
                float bounds[TMB_KDOP_MOST];
                const size_t count = make_points(&random, all_k[i], kind, points);
                bounds_of(all_k[i], points, count, 1, bounds);
                check_size(all_k[i], bounds, 0, points[0], kind, 1);
                check_size(all_k[i], bounds, n % 2 ? 0x1p-14 : 0.125, points[0], kind, 1);
                loosen(&random, all_k[i], bounds);
                check_size(all_k[i], bounds, n % 2 ? 0x1p-14 : 0, points[0], kind, 0);
            }
        }
    }
}

/* Sets whose bounds are exact: then the volumes are, too. */
static void test_exact_sizes(void **state)
{
    (void)state;
    test_random random = {12};
    for (size_t i = 0; i < 5; i++) {
        const uint32_t k = all_k[i];
        for (size_t n = test_count(200); n > 0; n--) {
            double points[POINTS][3];
            float bounds[TMB_KDOP_MOST];
            const size_t count = make_points(&random, k, 6, points);
            bounds_of(k, points, count, 0, bounds);
            const real inside[3] = {points[0][0], points[0][1], points[0][2]};
            const tmb_kdop_size expected = oracle_size(k, bounds, 0, inside);
            const double error = k == 12 ? 0x1p-33 : 0x1p-45;
            assert_close(tmb_kdop_volume(k, bounds, 0), expected.volume, error, k, 6, "exact volume");
            assert_close(tmb_kdop_size_of(k, bounds, 0).area, expected.area, error, k, 6, "exact area");
        }
        float ones[TMB_KDOP_MOST], zeros[TMB_KDOP_MOST] = {0};
        for (uint32_t l = 0; l < k; l++) {
            const double *d = tmb_kdop_set_of(k)->directions[l / 2];
            ones[l] = (float)sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
        const double sphere = tmb_kdop_volume(k, ones, 0);
        const double side = sqrt(50 - 22 * sqrt(5)); /* of a dodecahedron around a sphere of radius 1 */
        assert_close(sphere,
                     k == 12  ? (15 + 7 * sqrt(5)) / 4 * side * side * side
                     : k == 6 ? 8
                              : sphere,
                     1e-6, k, 9, "volume");
        assert_true(k == 6 || (sphere > 4.18879 && sphere < 5.6));
        assert_true(tmb_kdop_volume(k, zeros, 0) <= (k == 12 ? 0x1p-60 : 0));
    }
}

/* Half-spaces that share nothing. */
static void test_empty(void **state)
{
    (void)state;
    test_random random = {13};
    size_t empty = 0;
    for (size_t n = test_count(1000); n > 0; n--) {
        const uint32_t k = all_k[n % 5];
        float bounds[TMB_KDOP_MOST], vertices[TMB_POLYTOPE_CORNERS][3];
        for (uint32_t l = 0; l < k; l++) {
            bounds[l] = (float)test_random_range(&random, -0.4, 1);
        }
        const planes all = planes_of(k, bounds, 0);
        real width = INFINITY; /* a negative one, where there is nothing */
        for (int i = 0; i < 20; i++) {
            double u[3];
            random_vector(&random, 1, u);
            const real forth[3] = {u[0], u[1], u[2]}, back[3] = {-u[0], -u[1], -u[2]};
            width = fminl(width, oracle_reach(&all, forth) + oracle_reach(&all, back));
        }
        const uint32_t count = tmb_kdop_vertices(k, bounds, vertices);
        const tmb_kdop_size size = tmb_kdop_size_of(k, bounds, 0);
        assert_true(count <= 2 * k - 4 && size.volume >= 0 && isfinite(size.volume));
        if (width < -1e-6L) {
            assert_true(count == 0 && size.volume <= 0 && size.area <= 0);
            empty++;
        }
    }
    assert_true(empty > test_count(1000) / 50);
}

/* Each corner has three edges, and sides, edges and corners are those of one simple polytope (Euler). */
static void check_polytope(uint32_t k, const float *bounds, double margin)
{
    tmb_polytope p;
    uint32_t degrees[TMB_POLYTOPE_CORNERS] = {0}, sides = 0, seen = 0;
    tmb_polytope_of(k, bounds, margin, &p);
    for (uint32_t i = 0; i < p.edge_count; i++) {
        const tmb_polytope_edge *e = &p.edges[i];
        assert_true(e->from < p.corner_count && e->to < p.corner_count && e->from != e->to && e->left != e->right);
        degrees[e->from]++, degrees[e->to]++;
        seen |= (uint32_t)1 << e->left | (uint32_t)1 << e->right;
    }
    for (uint32_t i = 0; i < p.corner_count; i++) {
        assert_int_equal(degrees[i], 3);
    }
    for (; seen; seen &= seen - 1) {
        sides++;
    }
    assert_true(sides >= 4 && sides <= k);
    assert_int_equal(p.corner_count, 2 * sides - 4);
    assert_int_equal(p.edge_count, 3 * sides - 6);
}

static void check_vertices(test_random *random, uint32_t k, const float *bounds, int kind)
{
    float vertices[TMB_POLYTOPE_CORNERS][3];
    const uint32_t count = tmb_kdop_vertices(k, bounds, vertices);
    const planes all = planes_of(k, bounds, 0);
    assert_true(count >= 1 && count <= 2 * k - 4);
    for (uint32_t n = 0; n < 12; n++) {
        double u[3];
        random_vector(random, 1, u);
        if (n % 3 == 0) { /* a direction of the set, or near one */
            tmb_kdop_lane(tmb_kdop_set_of(k), (uint32_t)test_random_whole(random, 0, (int)k - 1), u);
            u[n % 2] += n % 4 ? 0 : 1e-9;
        }
        const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const real unit[3] = {u[0] / length, u[1] / length, u[2] / length};
        real farthest = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            const real v[3] = {vertices[i][0], vertices[i][1], vertices[i][2]};
            farthest = fmaxl(farthest, dot(unit, v));
        }
        assert_close((double)farthest, (double)oracle_reach(&all, unit), TMB_KDOP_VERTEX_ERROR, k, kind, "reach");
    }
}

static void test_vertices(void **state)
{
    (void)state;
    test_random random = {14};
    for (size_t i = 0; i < 5; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t n = test_count(5); n > 0; n--) {
                double points[POINTS][3];
                float bounds[TMB_KDOP_MOST];
                const size_t count = make_points(&random, all_k[i], kind, points);
                bounds_of(all_k[i], points, count, 1, bounds);
                check_polytope(all_k[i], bounds, n % 2 ? 0 : 0x1p-14);
                check_vertices(&random, all_k[i], bounds, kind);
                loosen(&random, all_k[i], bounds);
                check_polytope(all_k[i], bounds, 0);
                check_vertices(&random, all_k[i], bounds, kind);
            }
        }
    }
}

/* Where many planes meet, their corners become one. */
static void test_merging(void **state)
{
    (void)state;
    test_random random = {15};
    for (size_t i = 0; i < 5; i++) {
        for (size_t n = test_count(50); n > 0; n--) {
            double points[POINTS][3];
            float bounds[TMB_KDOP_MOST], vertices[TMB_POLYTOPE_CORNERS][3];
            const size_t count = make_points(&random, all_k[i], 0, points);
            bounds_of(all_k[i], points, count, 1, bounds);
            assert_in_range(tmb_kdop_vertices(all_k[i], bounds, vertices), 1, 4);
            make_points(&random, all_k[i], 2, points);
            bounds_of(all_k[i], points, 2, 1, bounds);
            assert_in_range(tmb_kdop_vertices(all_k[i], bounds, vertices), 2, all_k[i] == 6 || all_k[i] == 12 ? 20 : 8);
        }
    }
}

/* Estimates are of the size of the volume, and do not fail. For fat sets they are good. */
static void test_estimates(void **state)
{
    (void)state;
    test_random random = {16};
    static const double most[] = {1, 2.2, 2.2, 1.0001, 1.3}, least[] = {1, 1, 1, 0.9999, 0.9};
    for (size_t i = 0; i < 5; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t n = test_count(20); n > 0; n--) {
                double points[POINTS][3];
                float bounds[TMB_KDOP_MOST];
                const size_t count = make_points(&random, all_k[i], kind, points);
                bounds_of(all_k[i], points, count, 1, bounds);
                const double estimate = tmb_kdop_volume_estimate(all_k[i], bounds, 0x1p-14);
                assert_true(estimate > 0 && estimate < 64);
                const double volume = tmb_kdop_volume(all_k[i], bounds, 0x1p-14);
                if (kind == 8 || kind == 9) {
                    assert_true(estimate >= volume * least[i] * 0.999999 && estimate <= volume * most[i] * 1.000001);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),    cmocka_unit_test(test_exact_sizes), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_vertices), cmocka_unit_test(test_merging),     cmocka_unit_test(test_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
