#include "near_pairs.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* 10^e, e uniform. */
static double power(test_random *random, double least, double most)
{
    return pow(10, test_random_range(random, least, most));
}

static void set(double point[3], double x, double y, double z)
{
    point[0] = x;
    point[1] = y;
    point[2] = z;
}

/* Somewhere in a cube, but on the side of z = 0 that `side` tells, and not nearer than `height`. */
static void set_aside(test_random *random, double point[3], double size, double side, double height)
{
    const double x = test_random_range(random, -size, size), y = test_random_range(random, -size, size);
    set(point, x, y, side * (height + test_random_range(random, 0, size)));
}

/* Around the origin, in the plane z. */
static void set_around(test_random *random, double triangle[3][3], double size, double z)
{
    const double turn = test_random_range(random, 0, 2 * PI);
    for (int i = 0; i < 3; i++) {
        const double angle = turn + 2 * PI * (i + test_random_range(random, -0.15, 0.15)) / 3;
        const double radius = size * test_random_range(random, 0.2, 1);
        set(triangle[i], radius * cos(angle), radius * sin(angle), z);
    }
}

/* A turn and a shift, rounded, which leaves nothing of axes. */
static void turn(test_random *random, test_pair *pair, double shift)
{
    double x[3], y[3], offset[3], matrix[3][3];
    do {
        for (int k = 0; k < 3; k++) {
            x[k] = test_random_range(random, -1, 1);
            y[k] = test_random_range(random, -1, 1);
            offset[k] = shift * test_random_range(random, -1, 1);
        }
        for (int k = 0; k < 3; k++)
            matrix[2][k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
    } while (sqrt(matrix[2][0] * matrix[2][0] + matrix[2][1] * matrix[2][1] + matrix[2][2] * matrix[2][2]) < 0.1);
    for (int k = 0; k < 3; k++) {
        matrix[0][k] = x[k];
        matrix[1][k] = matrix[2][(k + 1) % 3] * x[(k + 2) % 3] - matrix[2][(k + 2) % 3] * x[(k + 1) % 3];
    }
    for (int i = 0; i < 6; i++) {
        double *point = i < 3 ? pair->a[i] : pair->b[i - 3], old[3];
        memcpy(old, point, sizeof old);
        for (int k = 0; k < 3; k++)
            point[k] = old[0] * matrix[0][k] + old[1] * matrix[1][k] + old[2] * matrix[2][k] + offset[k];
    }
}

/* Each of these is nearest in the named features, at the height h over the origin. */

static void corner_face(test_random *random, test_pair *pair, double h)
{
    set_around(random, pair->a, power(random, -3, 3), 0);
    set(pair->b[0], 0, 0, h);
    set_aside(random, pair->b[1], power(random, -3, 3), 1, h);
    set_aside(random, pair->b[2], power(random, -3, 3), 1, h);
}

static void edge_edge(test_random *random, test_pair *pair, double h)
{
    set(pair->a[0], -power(random, -3, 3), 0, 0);
    set(pair->a[1], power(random, -3, 3), 0, 0);
    set_aside(random, pair->a[2], power(random, -3, 3), -1, 0);
    const double slope = test_random_chance(random, 0.5) ? 0 : power(random, -12, 3), length = power(random, -3, 3);
    set(pair->b[0], -slope * length, -length, h);
    set(pair->b[1], slope * length, length, h);
    set_aside(random, pair->b[2], power(random, -3, 3), 1, h);
}

static void corner_edge(test_random *random, test_pair *pair, double h)
{
    set(pair->a[0], -power(random, -3, 3), 0, 0);
    set(pair->a[1], power(random, -3, 3), 0, 0);
    set_aside(random, pair->a[2], power(random, -3, 3), -1, 0);
    set(pair->b[0], 0, 0, h);
    set_aside(random, pair->b[1], power(random, -3, 3), 1, h);
    set_aside(random, pair->b[2], power(random, -3, 3), 1, h);
}

static void corner_corner(test_random *random, test_pair *pair, double h)
{
    set(pair->a[0], 0, 0, 0);
    set_aside(random, pair->a[1], power(random, -3, 3), -1, 0);
    set_aside(random, pair->a[2], power(random, -3, 3), -1, 0);
    set(pair->b[0], 0, 0, h);
    set_aside(random, pair->b[1], power(random, -3, 3), 1, h);
    set_aside(random, pair->b[2], power(random, -3, 3), 1, h);
}

static void parallel_faces(test_random *random, test_pair *pair, double h)
{
    set_around(random, pair->a, power(random, -3, 3), 0);
    set_around(random, pair->b, power(random, -3, 3), h);
}

static void parallel_edges(test_random *random, test_pair *pair, double h)
{
    const double at = test_random_range(random, -2, 2);
    set(pair->a[0], -1, 0, 0);
    set(pair->a[1], test_random_range(random, -0.5, 1), 0, 0);
    set_aside(random, pair->a[2], power(random, -3, 3), -1, 0);
    set(pair->b[0], at, 0, h);
    set(pair->b[1], at + test_random_range(random, -3, 3), 0, h);
    set_aside(random, pair->b[2], power(random, -3, 3), 1, h);
}

/* In one plane, on both sides of a strip of width h. */
static void coplanar(test_random *random, test_pair *pair, double h)
{
    corner_corner(random, pair, h);
    if (test_random_chance(random, 0.5))
        pair->a[1][2] = 0;
    if (test_random_chance(random, 0.5))
        pair->b[1][2] = h;
    for (int i = 0; i < 3; i++)
        pair->a[i][0] = pair->b[i][0] = 0;
}

/* Points and segments. */
static void flat(test_random *random, test_pair *pair, double h)
{
    edge_edge(random, pair, h);
    memcpy(pair->a[2], pair->a[test_random_whole(random, 0, 1)], sizeof pair->a[2]);
    if (test_random_chance(random, 0.3))
        memcpy(pair->a[1], pair->a[0], sizeof pair->a[1]);
    if (test_random_chance(random, 0.7))
        memcpy(pair->b[2], pair->b[test_random_whole(random, 0, 1)], sizeof pair->b[2]);
    if (test_random_chance(random, 0.3))
        memcpy(pair->b[1], pair->b[0], sizeof pair->b[1]);
}

typedef void make_at(test_random *random, test_pair *pair, double h);
static make_at *const makers[] = {corner_face,    edge_edge,      corner_edge, corner_corner,
                                  parallel_faces, parallel_edges, coplanar,    flat};

static void any_at(test_random *random, test_pair *pair, double h)
{
    makers[test_random_whole(random, 0, (int)(sizeof makers / sizeof *makers) - 1)](random, pair, h);
}

#define MAKE_NEAR(maker)                                             \
    static void maker##_near(test_random *random, test_pair *pair)   \
    {                                                                \
        maker(random, pair, power(random, -3, 1));                   \
        if (test_random_chance(random, 0.5))                         \
            turn(random, pair, test_random_chance(random, 0.5) * 5); \
    }
MAKE_NEAR(corner_face)
MAKE_NEAR(edge_edge)
MAKE_NEAR(corner_edge)
MAKE_NEAR(corner_corner)
MAKE_NEAR(parallel_faces)
MAKE_NEAR(parallel_edges)
MAKE_NEAR(coplanar)
MAKE_NEAR(flat)

/* As near as doubles can be. */
static void any_very_near(test_random *random, test_pair *pair)
{
    any_at(random, pair, power(random, -300, -3));
}

/* Near, and rounded in some directions. */
static void turned(test_random *random, test_pair *pair)
{
    any_at(random, pair, power(random, -17, -3));
    turn(random, pair, test_random_chance(random, 0.5) * power(random, -2, 4));
}

static void far_away(test_random *random, test_pair *pair)
{
    any_at(random, pair, power(random, 3, 9));
    turn(random, pair, test_random_chance(random, 0.5) * power(random, -2, 8));
}

/* All sizes that doubles have, the triangles not always of the same. */
static void scaled(test_random *random, test_pair *pair)
{
    any_at(random, pair, power(random, -6, 3));
    const int of_a = test_random_whole(random, -1070, 1000),
              of_b = test_random_chance(random, 0.5) ? of_a : test_random_whole(random, -1070, 1000);
    for (int i = 0; i < 9; i++) {
        pair->a[i / 3][i % 3] = ldexp(pair->a[i / 3][i % 3], of_a);
        pair->b[i / 3][i % 3] = ldexp(pair->b[i / 3][i % 3], of_b);
    }
}

/* Whole numbers, and a shift by such a vector of whole length, so that the distance is often a whole number. */
static void whole_numbers(test_random *random, test_pair *pair)
{
    static const int shifts[4][3] = {{3, 4, 0}, {2, 3, 6}, {4, 4, 7}, {5, 12, 0}};
    const int *shift = shifts[test_random_whole(random, 0, 3)], times = test_random_whole(random, 1, 9);
    const double factor = ldexp(1, test_random_whole(random, -3, 3));
    const int size = test_random_whole(random, 1, 4);
    for (int i = 0; i < 9; i++) {
        pair->a[i / 3][i % 3] = -factor * test_random_whole(random, 0, size);
        pair->b[i / 3][i % 3] = factor * (test_random_whole(random, 0, size) + times * shift[i % 3]);
    }
    for (int k = 0; k < 3; k++) {
        pair->a[0][k] = 0;
        pair->b[0][k] = factor * times * shift[k];
    }
}

/* The same corner but for an ulp or two, or the other triangle moved by that. */
static void ulps_apart(test_random *random, test_pair *pair)
{
    any_at(random, pair, 0);
    turn(random, pair, 1);
    for (int i = 0; i < 9; i++)
        pair->b[i / 3][i % 3] = test_step_ulps(pair->b[i / 3][i % 3], test_random_whole(random, -2, 2));
}

static const test_generator generators[] = {
    {"corner over face", corner_face_near, 200, 0},
    {"edge over edge", edge_edge_near, 200, 0},
    {"corner over edge", corner_edge_near, 200, 0},
    {"corner over corner", corner_corner_near, 200, 0},
    {"parallel faces", parallel_faces_near, 200, 0},
    {"parallel edges", parallel_edges_near, 200, 0},
    {"apart in one plane", coplanar_near, 200, 0},
    {"segments and points", flat_near, 200, 0},
    {"very near", any_very_near, 100, 0},
    {"near in any direction", turned, 300, 0},
    {"far away", far_away, 300, 0},
    {"all sizes", scaled, 200, 0},
    {"whole numbers", whole_numbers, 300, 0},
    {"ulps apart", ulps_apart, 300, 0},
    {NULL, NULL, 0, 0},
};

const test_generator *test_near_generators(void)
{
    return generators;
}
