/* Adversarial sets of triangles: for builds, for boxes, for rounding. */
#include "sets.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void add_triangle(models_mesh *mesh, double corners[3][3])
{
    uint32_t numbers[3];
    for (int i = 0; i < 3; i++) {
        numbers[i] = models_point(mesh, corners[i][0], corners[i][1], corners[i][2]);
    }
    models_triangle(mesh, numbers[0], numbers[1], numbers[2]);
}

/* Positions and sizes in a geometric progression along the diagonal: each split can part with one triangle only. */
static void make_progression(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double size = ldexp(1 + 0.1 * test_random_unit(random), -(int)(i % 1000));
        double corners[3][3];
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] = size * (1 + 0.3 * test_random_unit(random));
        }
        add_triangle(mesh, corners);
    }
}

static void make_slow_progression(models_mesh *mesh, test_random *random, size_t count)
{
    double size = 1;
    for (size_t i = 0; i < count; i++, size *= 0.999) {
        double corners[3][3];
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] =
                size * (k % 3 == 0 ? 1 + 0.01 * test_random_unit(random) : test_random_unit(random));
        }
        add_triangle(mesh, corners);
    }
}

static void make_line(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) {
            const double t = (double)test_random_whole(random, -1000, 1000);
            corners[k][0] = t, corners[k][1] = 2 * t, corners[k][2] = -3 * t;
        }
        add_triangle(mesh, corners);
    }
}

static void make_points(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] = k < 3 ? (double)test_random_whole(random, -4, 4) : corners[0][k % 3];
        }
        add_triangle(mesh, corners);
    }
}

static void make_needles(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] =
                k < 6 ? test_random_range(random, -1, 1) : corners[1][k % 3] * (1 + 1e-14 * test_random_unit(random));
        }
        add_triangle(mesh, corners);
    }
}

static void make_coincident(models_mesh *mesh, test_random *random, size_t count)
{
    double corners[3][3] = {{-8, -8, -1}, {8, -8, 0}, {-8, 8, 1}};
    (void)random;
    for (size_t i = 0; i < count; i++) {
        add_triangle(mesh, corners);
    }
}

/* Triangles that all contain a common point, of ever larger size. */
static void make_nested(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double size = 1 + (double)i;
        double corners[3][3] = {{-size, -size, -size}, {2 * size, -size, size}, {-size, 2 * size, 0}};
        corners[0][2] *= test_random_unit(random);
        add_triangle(mesh, corners);
    }
}

static void make_huge_and_tiny(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_soup(mesh, random, count, 1e-4);
    for (int i = 0; i < 3; i++) {
        double corners[3][3] = {{-1e6, -1e6, i}, {1e6, -1e6, -i}, {0, 1e6, 0}};
        add_triangle(mesh, corners);
    }
}

static void make_two_clusters(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_soup(mesh, random, count, 0.3);
    for (size_t i = 0; i < mesh->point_count / 2; i++) {
        mesh->points[3 * i] += 1e10;
    }
}

static void make_scaled(models_mesh *mesh, test_random *random, size_t count, double scale)
{
    const double zero[3] = {0, 0, 0};
    test_make_soup(mesh, random, count, 0.4);
    test_transform(mesh, scale, zero);
}

static void make_large_numbers(models_mesh *mesh, test_random *random, size_t count)
{
    make_scaled(mesh, random, count, 1e300);
}

static void make_largest_numbers(models_mesh *mesh, test_random *random, size_t count)
{
    make_scaled(mesh, random, count, 0.5 * DBL_MAX); /* coordinates reach 0.6 of the largest double */
}

static void make_small_numbers(models_mesh *mesh, test_random *random, size_t count)
{
    make_scaled(mesh, random, count, 1e-300);
}

static void make_denormals(models_mesh *mesh, test_random *random, size_t count)
{
    make_scaled(mesh, random, count, 1e-319);
}

static void make_least_numbers(models_mesh *mesh, test_random *random, size_t count)
{
    const double zero[3] = {0, 0, 0};
    test_make_lattice(mesh, random, count, 5, 2, 0.3);
    test_transform(mesh, 0x1p-1074, zero);
}

static void make_far_away(models_mesh *mesh, test_random *random, size_t count)
{
    const double shift[3] = {1e6, -1e6, 1e6 + 0.1};
    test_make_soup(mesh, random, count, 0.4);
    test_transform(mesh, 1e-3, shift);
}

/* So far away that a few hundred ulps are all there is. */
static void make_farthest_away(models_mesh *mesh, test_random *random, size_t count)
{
    const double shift[3] = {1e15, -1e15, 1e15};
    test_make_lattice(mesh, random, count, 8, 3, 0.2);
    test_transform(mesh, 0.125, shift);
}

/* Flat and far along one axis, tiny along the others. */
static void make_flat_and_far(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_lattice(mesh, random, count, 9, 4, 0.2);
    for (size_t i = 0; i < mesh->point_count; i++) {
        mesh->points[3 * i] = 1e300;
        mesh->points[3 * i + 1] *= 1e-300;
        mesh->points[3 * i + 2] *= 0x1p-1074;
    }
}

static void make_flat_and_farthest(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_lattice(mesh, random, count, 9, 4, 0.2);
    for (size_t i = 0; i < mesh->point_count; i++) {
        mesh->points[3 * i] *= 0x1p-1074;
        mesh->points[3 * i + 1] = -DBL_MAX;
        mesh->points[3 * i + 2] *= 0x1p-1074;
    }
}

static void make_all_magnitudes(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_lattice(mesh, random, count, 9, 4, 0.1);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = ldexp(mesh->points[i], test_random_whole(random, -40, 40));
    }
}

/* One point that all triangles share. */
static void make_fan(models_mesh *mesh, test_random *random, size_t count)
{
    const uint32_t centre = models_point(mesh, 0.1, 0.2, 0.3);
    uint32_t before = models_point(mesh, 1, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const double t = 0.01 * (double)i;
        const uint32_t next = models_point(mesh, 1 - t, t * test_random_unit(random), t * t);
        models_triangle(mesh, centre, before, next);
        before = next;
    }
}

/* Many copies of few triangles between triangles that share nothing: runs of eight with 24 corners where on average
 * there are few. */
static void make_crowd(models_mesh *mesh, test_random *random, size_t count)
{
    const size_t alone = count / 4;
    test_make_soup(mesh, random, count - 3 * alone, 0.3);
    const uint32_t last = (uint32_t)mesh->point_count - 1;
    for (size_t i = 0; i < 3 * alone; i++) {
        models_triangle(mesh, last - 2, last - (uint32_t)(i % 2), last);
    }
}

/* A flat sheet, level but for one axis. */
static void make_sheet(models_mesh *mesh, test_random *random, size_t count)
{
    test_make_lattice(mesh, random, count, 9, 3, 0.1);
    for (size_t i = 0; i < mesh->point_count; i++) {
        mesh->points[3 * i + 1] = 0.7;
    }
}

/* Groups that are tiny compared with their distance from the centre, and from each other. */
static void make_dust(models_mesh *mesh, test_random *random, size_t count)
{
    double corners[3][3] = {{1, 1, 1}, {-1, -1, -1}, {1, 1, 1}};
    add_triangle(mesh, corners);
    for (size_t i = 1; i < count; i++) {
        const double size = ldexp(1, -10 * (int)(i / 100 % 12));
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] = (k % 3 == 0 ? 0 : 0.7) + (k % 3 == 1 ? 0 : size * test_random_unit(random));
        }
        add_triangle(mesh, corners);
    }
}

/* So near to each other, off the centre, that a sum with another coordinate does not tell them apart. */
static void make_crumbs(models_mesh *mesh, test_random *random, size_t count)
{
    double corners[3][3] = {{1, 1, 1}, {-1, -1, -1}, {1, 1, 1}};
    add_triangle(mesh, corners);
    for (size_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corners[k][0] = 1e-20 * test_random_unit(random), corners[k][1] = 0.7, corners[k][2] = 0.3;
        }
        add_triangle(mesh, corners);
    }
}

/* In a plane whose normal the directions of slabs hold exactly: slabs of no thickness but for rounding. */
static void make_thin(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        const double x = test_random_unit(random), y = test_random_unit(random);
        for (int k = 0; k < 3; k++) {
            const double s = x + 0.1 * test_random_unit(random), t = y + 0.1 * test_random_unit(random);
            corners[k][0] = s + 63 * t, corners[k][1] = -s, corners[k][2] = 0.37 - 32 * t; /* normal to (32, 32, 63) */
        }
        add_triangle(mesh, corners);
    }
}

const test_set test_sets[TEST_SETS] = {
    {"progression", make_progression, 1},
    {"slow progression", make_slow_progression, 1},
    {"line", make_line, 1},
    {"points", make_points, 1},
    {"needles", make_needles, 1},
    {"coincident", make_coincident, 1},
    {"nested", make_nested, 1},
    {"huge and tiny", make_huge_and_tiny, 1},
    {"two clusters", make_two_clusters, 1},
    {"large numbers", make_large_numbers, 1},
    {"largest numbers", make_largest_numbers, 0},
    {"small numbers", make_small_numbers, 1},
    {"denormals", make_denormals, 1},
    {"least numbers", make_least_numbers, 1},
    {"far away", make_far_away, 1},
    {"farthest away", make_farthest_away, 1},
    {"flat and far", make_flat_and_far, 1},
    {"flat and farthest", make_flat_and_farthest, 0},
    {"all magnitudes", make_all_magnitudes, 1},
    {"fan", make_fan, 1},
    {"crowd", make_crowd, 1},
    {"sheet", make_sheet, 1},
    {"dust", make_dust, 1},
    {"crumbs", make_crumbs, 1},
    {"thin", make_thin, 1},
};

const test_set *test_find_set(const char *name)
{
    for (size_t i = 0; i < TEST_SETS; i++) {
        if (strcmp(test_sets[i].name, name) == 0) {
            return &test_sets[i];
        }
    }
    fail_msg("there is no set \"%s\"", name);
    return NULL;
}

tumble_pose test_pose_over(test_random *random, const tumble_model_info *info, int turns, size_t number)
{
    tumble_pose pose = turns && number % 4 ? test_rational_turn(random) : tumble_pose_identity();
    if (turns && number % 8 == 4) {
        pose = test_quarter_turn((size_t)test_random_whole(random, 0, 23));
    }
    double centre[3], moved[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * info->lower[k] + 0.5 * info->upper[k];
    }
    tumble_pose_apply(&pose, centre, moved);
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * info->upper[k] - 0.5 * info->lower[k];
        const double share = number % 3 ? test_random_range(random, -0.3, 0.3) : 0;
        pose.m[k][3] = centre[k] - moved[k] + half * share;
    }
    return pose;
}
