#include "device_range.h"

#include <math.h>

/* ---- Models ---- */

/* An exponent of two, often near a limit: of doubles, of floats, of their squares. */
static int any_exponent(test_random *random)
{
    static const int limits[] = {-1074, -1022, -1000, -537, -149, -126, 0, 60, 127, 128, 512, 1000, 1021};
    const int limit = limits[test_random_whole(random, 0, (int)(sizeof limits / sizeof *limits) - 1)];
    const int exponent = test_random_chance(random, 0.5) ? limit + test_random_whole(random, -6, 6)
                                                         : test_random_whole(random, -1074, 1021);
    return exponent < -1074 ? -1074 : exponent > 1021 ? 1021 : exponent;
}

/* Whole coordinates that touch, or any; sizes of one model, or of each triangle. */
static void make_mesh(models_mesh *mesh, test_random *random, int exponent)
{
    static const size_t counts[] = {1, 2, 5, 8, 9, 17, 40, 70};
    const size_t count = counts[test_random_whole(random, 0, 7)];
    if (test_random_chance(random, 0.5)) {
        test_make_lattice(mesh, random, count, 3, 3, 0.2);
        exponent -= 2; /* coordinates up to 6 */
    } else {
        test_make_soup(mesh, random, count, 0.8);
    }
    const int own = test_random_chance(random, 0.3) ? test_random_whole(random, 1, 200) : 0;
    for (size_t i = 0; i < mesh->point_count; i += 3) {
        const int smaller = own ? test_random_whole(random, 0, own) : 0;
        for (size_t k = 3 * i; k < 3 * (i + 3) && k < 3 * mesh->point_count; k++) {
            mesh->points[k] = ldexp(mesh->points[k], exponent - smaller);
        }
    }
}

/* Somewhere: at the origin, or off it by its size, or far away. */
static void shift_mesh(models_mesh *mesh, test_random *random, int exponent)
{
    const int far = test_random_chance(random, 0.5) ? 0 : test_random_whole(random, 0, 60);
    double shift[3];
    for (int k = 0; k < 3; k++) {
        const int axis = exponent + far > 1021 ? 1021 : exponent + far;
        shift[k] = test_random_chance(random, 0.5) ? 0 : ldexp(test_random_range(random, -1, 1), axis);
    }
    test_transform(mesh, 1, shift);
}

void range_set_model(range_scene *s, int k, tumble_context *context, models_mesh *mesh,
                     const tumble_model_options *options)
{
    s->models[0][k] = test_model(context, mesh, options);
    s->exact[0][k] = test_brute_model(context, mesh);
    s->info[k] = test_info(s->models[0][k]);
    models_free(mesh);
}

void range_make_scene(range_scene *s, tumble_context *context, test_random *random, const tumble_model_options *options)
{
    static const int ratios[] = {0, 0, 0, 1, -3, 20, -24, 58, -59, 61, -62, 300, -300, 1000, -1000};
    int exponent = any_exponent(random);
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        make_mesh(&mesh, random, exponent);
        shift_mesh(&mesh, random, exponent);
        range_set_model(s, k, context, &mesh, options);
        exponent += ratios[test_random_whole(random, 0, 14)];
        exponent = exponent < -1074 ? -1074 : exponent > 1021 ? 1021 : exponent;
    }
}

void range_free_scene(range_scene *s)
{
    for (int k = 0; k < 2; k++) {
        tumble_model_destroy((tumble_model *)s->models[0][k]);
        tumble_model_destroy((tumble_model *)s->exact[0][k]);
    }
}

/* ---- Poses ---- */

/* How many times as large as B the model A is, as a power of two, or something else. */
static double any_scale(test_random *random, const range_scene *s)
{
    int exponents[2];
    for (int k = 0; k < 2; k++) {
        double half = 0;
        for (int j = 0; j < 3; j++) {
            half = fmax(half, 0.5 * s->info[k].upper[j] - 0.5 * s->info[k].lower[j]);
        }
        (void)frexp(half, &exponents[k]);
    }
    const int fitting = exponents[0] - exponents[1];
    switch (test_random_whole(random, 0, 4)) {
    case 0: return ldexp(1, fitting);
    case 1: return ldexp(test_random_range(random, 0.5, 2), fitting);
    case 2: return ldexp(1, test_random_whole(random, -140, 140));
    default: return 1;
    }
}

static void scale_pose(tumble_pose *pose, double scale)
{
    for (int i = 0; i < 9; i++) {
        pose->m[i / 3][i % 3] *= scale;
    }
}

tumble_pose range_pose(test_random *random, const range_scene *s)
{
    tumble_pose pose = tumble_pose_identity();
    double centre[3], moved[3];
    switch (test_random_whole(random, 0, 3)) {
    case 0: break;
    case 1: pose = test_quarter_turn((size_t)test_random_whole(random, 0, 23)); break;
    default: pose = test_rational_turn(random); break;
    }
    scale_pose(&pose, any_scale(random, s));
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * s->info[1].lower[k] + 0.5 * s->info[1].upper[k];
    }
    tumble_pose_apply(&pose, centre, moved);
    const double share = test_random_chance(random, 0.5) ? 0 : test_random_range(random, 0, 2);
    const int stays = test_random_chance(random, 0.2);
    for (int k = 0; k < 3 && !stays; k++) {
        const double half = 0.5 * s->info[0].upper[k] - 0.5 * s->info[0].lower[k];
        const double target = 0.5 * s->info[0].lower[k] + 0.5 * s->info[0].upper[k];
        pose.m[k][3] = target - moved[k] + half * test_random_range(random, -share, share);
    }
    return pose;
}
