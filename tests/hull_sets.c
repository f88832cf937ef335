#include "hull_sets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set(double point[3], double x, double y, double z)
{
    point[0] = x;
    point[1] = y;
    point[2] = z;
}

static double whole(test_random *random, int least, int most)
{
    return (double)test_random_whole(random, least, most);
}

/* ---- Solids ---- */

static void make_cube(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[i][k] = test_random_range(random, -1, 1);
        }
    }
}

static void random_unit(test_random *random, double point[3])
{
    double square;
    do {
        for (int k = 0; k < 3; k++) {
            point[k] = test_random_range(random, -1, 1);
        }
        square = point[0] * point[0] + point[1] * point[1] + point[2] * point[2];
    } while (square > 1 || square < 0.01);
    const double length = sqrt(square);
    set(point, point[0] / length, point[1] / length, point[2] / length);
}

static void make_sphere(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        random_unit(random, points[i]);
    }
}

static void make_duplicates(test_random *random, double (*points)[3], size_t count)
{
    make_sphere(random, points, count);
    for (size_t i = count / 4; i < count; i++) {
        memcpy(points[i], points[test_random_bits(random) % (count / 4 + 1)], sizeof *points);
    }
}

/* All over the faces of a cube, many of them on its edges, and negative zeros among the zeros. */
static void make_faces(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[i][k] = test_random_chance(random, 0.3) ? whole(random, 0, 1) : test_random_unit(random);
        }
        const int face = test_random_whole(random, 0, 5);
        points[i][face % 3] = face < 3 ? 1 : test_random_chance(random, 0.5) ? 0.0 : -0.0;
    }
}

static void make_turned_faces(test_random *random, double (*points)[3], size_t count)
{
    make_faces(random, points, count);
    for (size_t i = 0; i < count; i++) {
        const double x = points[i][0], y = points[i][1], z = points[i][2];
        set(points[i], 0.36 * x + 0.48 * y - 0.8 * z, -0.8 * x + 0.6 * y, 0.48 * x + 0.64 * y + 0.6 * z);
    }
}

static void make_lattice(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set(points[i], whole(random, -2, 2), whole(random, -2, 2), whole(random, -2, 2));
    }
}

/* Whole vectors whose squares are 1481 and 1482: many lie in common planes, and those of the larger square are just
 * outside. */
static void make_lattice_sphere(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double rest;
        do {
            points[i][0] = whole(random, -38, 38);
            points[i][1] = whole(random, -38, 38);
            rest = 1481 + whole(random, 0, 1) - points[i][0] * points[i][0] - points[i][1] * points[i][1];
            points[i][2] = rest < 0 ? 0 : floor(sqrt(rest));
        } while (rest < 0 || points[i][2] * points[i][2] != rest);
        points[i][2] *= test_random_chance(random, 0.5) ? 1 : -1;
    }
}

/* Groups on a paraboloid, of sizes from 1 down to 2^-40. */
static void make_groups(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double size = ldexp(1, -test_random_whole(random, 0, 40));
        const double x = size * test_random_range(random, -1, 1), y = size * test_random_range(random, -1, 1);
        set(points[i], x, y, x * x + y * y);
    }
}

static void make_needle(test_random *random, double (*points)[3], size_t count)
{
    make_sphere(random, points, count);
    for (size_t i = 0; i < count; i++) {
        points[i][0] *= 1e-12;
        points[i][1] *= 1e-9;
    }
}

/* On a circle, rounded. */
static void on_circle(test_random *random, double point[3], double z)
{
    const double t = test_random_range(random, -1, 1), side = test_random_chance(random, 0.5) ? 1 : -1;
    set(point, side * (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), z);
}

static void make_cylinder(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        on_circle(random, points[i], whole(random, 0, 1));
    }
}

/* A rim that is nearly flat between a wide base and a low tip, which joins all of it when its turn comes. */
static void make_hat(test_random *random, double (*points)[3], size_t count)
{
    static const double others[6][3] = {{-10, -10, 0}, {10, -10, 0},   {-10, 10, 0},
                                        {10, 10, 0},   {0.1, 0.1, -5}, {0.01, 0.02, 0.105}};
    for (size_t i = 0; i < count; i++) {
        on_circle(random, points[i], 0.1 + 1e-10 * test_random_unit(random));
    }
    for (size_t i = 0; i < 6; i++) {
        memcpy(points[(i + 1) * count / 7], others[i], sizeof others[i]);
    }
}

/* A corner of a convex polygon on a lattice of unit 8. */
static void on_rim(test_random *random, double point[3])
{
    const double x = whole(random, -6, 6), side = test_random_chance(random, 0.5) ? 8 : -8;
    set(point, 8 * x, side * (36 - x * x), 0);
}

/* The same on a lattice: a rim with points inside its edges, a tip, and points that share lines and planes with both:
 * below the tip, on its edges, and beyond it on their lines. */
static void make_lattice_hat(test_random *random, double (*points)[3], size_t count)
{
    const double tip[3] = {0, 0, 24};
    for (size_t i = 0; i < count; i++) {
        double p[3], q[3], share = 1;
        on_rim(random, p);
        on_rim(random, q);
        switch (test_random_whole(random, 0, 19)) {
        case 0: memcpy(q, tip, sizeof q); break;
        case 1: memcpy(p, tip, sizeof p); break;
        case 2: set(p, 0, 0, whole(random, 0, 24)); break;
        case 3: share = 0.5; break;
        case 4:
            memcpy(q, tip, sizeof q);
            share = 0.125 * whole(random, 0, 8);
            break;
        case 5:
            memcpy(q, tip, sizeof q);
            share = -0.125;
            break;
        default: break;
        }
        for (int k = 0; k < 3; k++) {
            points[i][k] = q[k] + share * (p[k] - q[k]);
        }
    }
    set(points[count / 3], 0, 0, -40);
}

/* ---- Extreme numbers ---- */

static void scale(double (*points)[3], size_t count, double factor)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[i][k] *= factor;
        }
    }
}

static void make_tiny(test_random *random, double (*points)[3], size_t count)
{
    make_sphere(random, points, count);
    scale(points, count, 1e-300);
}

static void make_huge(test_random *random, double (*points)[3], size_t count)
{
    make_faces(random, points, count);
    scale(points, count, 1e150);
}

static void make_mixed(test_random *random, double (*points)[3], size_t count)
{
    make_sphere(random, points, count);
    for (size_t i = 0; i < count; i++) {
        scale(points + i, 1, ldexp(1, test_random_whole(random, -1000, 500)));
    }
}

static void make_denormal(test_random *random, double (*points)[3], size_t count)
{
    make_lattice(random, points, count);
    scale(points, count, 0x1p-1074);
}

static void make_largest(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const double size = test_step_ulps(DBL_MAX, -test_random_whole(random, 0, 3));
            points[i][k] = test_random_chance(random, 0.5) ? size : -size;
        }
    }
}

static void make_far(test_random *random, double (*points)[3], size_t count)
{
    make_sphere(random, points, count);
    for (size_t i = 0; i < count; i++) {
        points[i][0] += 1e9;
        points[i][2] -= 1e12;
    }
}

/* ---- Flat sets, and nearly flat ones ---- */

static void make_equal(test_random *random, double (*points)[3], size_t count)
{
    make_cube(random, points, 1);
    for (size_t i = 1; i < count; i++) {
        memcpy(points[i], points[0], sizeof *points);
    }
}

static void make_axis_line(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set(points[i], 0.1, test_random_range(random, -1, 1), -7);
    }
}

static void make_lattice_line(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double t = whole(random, -20, 20);
        set(points[i], 3 * t + 1, 5 - 7 * t, 2 * t);
    }
}

static void make_rounded_line(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double t = test_random_unit(random);
        set(points[i], 0.1 + 0.3 * t, 0.7 * t, 1 - 0.9 * t);
    }
}

/* One border of it is made of both zeros. */
static void make_axis_plane(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double z = whole(random, 0, 3);
        set(points[i], test_random_range(random, -1, 1), 0.1, z == 0 && test_random_chance(random, 0.5) ? -0.0 : z);
    }
}

static void make_lattice_plane(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double u = whole(random, -5, 5), v = whole(random, -5, 5);
        set(points[i], u - 2 * v, 2 * u + v, 3 * u + 4 * v + 7);
    }
}

/* On a parabola in a plane: every point is a corner. */
static void make_parabola(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double u = whole(random, -3000, 3000), v = u * u;
        set(points[i], u - 2 * v, 2 * u + v, 3 * u + 4 * v + 7);
    }
}

static void make_rounded_plane(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double u = test_random_unit(random), v = test_random_unit(random);
        set(points[i], 0.36 * u - 0.48 * v, 0.8 * u + 0.6 * v, 0.58 * u - 0.44 * v);
    }
}

static void make_stepped_plane(test_random *random, double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set(points[i], whole(random, 0, 60), whole(random, 0, 60), test_step_ulps(1, test_random_whole(random, -2, 2)));
    }
}

const hull_set hull_sets[HULL_SETS] = {
    {"cube", make_cube, 3},
    {"sphere", make_sphere, 3},
    {"duplicates", make_duplicates, 3},
    {"faces", make_faces, 3},
    {"turned faces", make_turned_faces, 3},
    {"lattice", make_lattice, 3},
    {"lattice sphere", make_lattice_sphere, 3},
    {"groups", make_groups, 3},
    {"needle", make_needle, 3},
    {"cylinder", make_cylinder, 3},
    {"hat", make_hat, 3},
    {"lattice hat", make_lattice_hat, 3},
    {"tiny", make_tiny, 3},
    {"huge", make_huge, 3},
    {"mixed", make_mixed, 3},
    {"denormal", make_denormal, 3},
    {"largest", make_largest, 3},
    {"far", make_far, 3},
    {"equal", make_equal, 0},
    {"axis line", make_axis_line, 1},
    {"lattice line", make_lattice_line, 1},
    {"rounded line", make_rounded_line, 3},
    {"axis plane", make_axis_plane, 2},
    {"lattice plane", make_lattice_plane, 2},
    {"parabola", make_parabola, 2},
    {"rounded plane", make_rounded_plane, 3},
    {"stepped plane", make_stepped_plane, 3},
};

/* ---- Cases ---- */

void hull_case_make(hull_case *c, tmb_arena *arena, const double (*points)[3], size_t count)
{
    c->points = points;
    c->count = count;
    assert_true(tmb_hull_build(arena, points, count, &c->hull));
    assert_in_range(c->hull.count, 1, count);
    c->corners = malloc(c->hull.count * sizeof *c->corners);
    for (uint32_t i = 0; i < c->hull.count; i++) {
        assert_true(c->hull.vertices[i] < count && (i == 0 || c->hull.vertices[i] > c->hull.vertices[i - 1]));
        memcpy(c->corners[i], points[c->hull.vertices[i]], sizeof *c->corners);
    }
    c->view = (tmb_hull_view){(const double(*)[3])c->corners, c->hull.first, c->hull.neighbours, c->hull.count};
    assert_true(tmb_hull_validate(&c->view, c->hull.first[c->hull.count]));
    assert_true(c->hull.first[c->hull.count] < 6 * (size_t)c->hull.count);
}

/* ---- Directions ---- */

static const double *any_point(test_random *random, const hull_case *c)
{
    return test_random_chance(random, 0.5) ? c->corners[test_random_bits(random) % c->view.count]
                                           : c->points[test_random_bits(random) % c->count];
}

static void difference(test_random *random, const hull_case *c, double out[3])
{
    const double *p = any_point(random, c), *q = any_point(random, c);
    set(out, p[0] / 2 - q[0] / 2, p[1] / 2 - q[1] / 2, p[2] / 2 - q[2] / 2);
}

/* To a size of about 1, so that products of two do not leave the range. */
static void normalise(double v[3])
{
    int exponent;
    (void)frexp(fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), &exponent);
    set(v, ldexp(v[0], -exponent), ldexp(v[1], -exponent), ldexp(v[2], -exponent));
}

static void normal(test_random *random, const hull_case *c, double out[3])
{
    double a[3], b[3];
    difference(random, c, a);
    difference(random, c, b);
    normalise(a);
    normalise(b);
    set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

void hull_direction(test_random *random, const hull_case *c, size_t number, double direction[3])
{
    switch (number % 8) {
    case 0: set(direction, whole(random, -1, 1), whole(random, -1, 1), whole(random, -1, 1)); break;
    case 1: random_unit(random, direction); break;
    case 2: difference(random, c, direction); break;
    case 3:
    case 4:
    case 5: normal(random, c, direction); break;
    case 6: /* at right angles to an edge */
        difference(random, c, direction);
        set(direction, direction[1], -direction[0], 0);
        break;
    default:
        random_unit(random, direction);
        scale((double(*)[3])direction, 1, ldexp(1, test_random_whole(random, -1000, 1000)));
        break;
    }
    if (test_random_chance(random, 0.3)) {
        const int k = test_random_whole(random, 0, 2);
        direction[k] = test_step_ulps(direction[k], test_random_whole(random, -2, 2));
    }
}
