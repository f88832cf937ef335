/* Poses for experiments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"

/* Turning about z and x at once, by the same angle: first about x, then about z. G. Zachmann, Minimal hierarchical
 * collision detection, VRST 2002, section 5. */
tumble_pose models_tumbling_pose(size_t step, size_t steps, double distance)
{
    const double angle = steps ? MODELS_FULL_TURN * (double)(step % steps) / (double)steps : 0;
    const double c = cos(angle), s = sin(angle);
    const tumble_pose pose = {{{c, -s * c, s * s, distance}, {s, c * c, -c * s, 0}, {0, s, c, 0}}};
    return pose;
}

/* ---- Quaternions (w, x, y, z). Only sums, products, quotients and roots: paths are the same on every machine ---- */

static void normalise_quaternion(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) {
        q[k] /= length;
    }
}

/* a after b */
static void multiply_quaternions(const double a[4], const double b[4], double out[4])
{
    const double product[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, product, sizeof product);
    normalise_quaternion(out);
}

tumble_pose models_quaternion_pose(const double q[4], const double position[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const tumble_pose pose = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0]},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1]},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2]}}};
    return pose;
}

/* ---- Billiard paths ---- */

static void random_direction(models_random *random, double direction[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = models_random_range(random, -1, 1);
            square += direction[k] * direction[k];
        }
    } while (square > 1 || square < 1e-6);
    for (int k = 0; k < 3; k++) {
        direction[k] /= sqrt(square);
    }
}

static void random_quaternion(models_random *random, double q[4])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = models_random_range(random, -1, 1);
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 1e-6);
    normalise_quaternion(q);
}

/* A turn by about the wanted angle around a random axis: its half angle has the tangent spin / 2. */
static void random_turn(models_random *random, double spin, double turn[4])
{
    turn[0] = 1;
    random_direction(random, turn + 1);
    for (int k = 1; k < 4; k++) {
        turn[k] *= spin / 2;
    }
    normalise_quaternion(turn);
}

models_flight models_start_flight(const models_billiard *billiard)
{
    models_flight flight = {.billiard = billiard, .random = {billiard->seed}};
    random_direction(&flight.random, flight.direction);
    random_turn(&flight.random, billiard->spin, flight.turn);
    return flight;
}

tumble_pose models_random_place(models_flight *flight)
{
    for (int k = 0; k < 3; k++) {
        flight->position[k] =
            models_random_range(&flight->random, flight->billiard->lower[k], flight->billiard->upper[k]);
    }
    random_quaternion(&flight->random, flight->orientation);
    return models_quaternion_pose(flight->orientation, flight->position);
}

/* A direction of the other half of space. */
static void turn_aside(models_flight *flight)
{
    double direction[3], along = 0;
    random_direction(&flight->random, direction);
    for (int k = 0; k < 3; k++) {
        along += direction[k] * flight->direction[k];
    }
    for (int k = 0; k < 3; k++) {
        flight->direction[k] = along > 0 ? -direction[k] : direction[k];
    }
}

/* Back to where it was free, and on from there. */
static void bounce(models_flight *flight)
{
    const models_bounce kind = flight->billiard->bounce;
    memcpy(flight->position, flight->free_position, sizeof flight->position);
    memcpy(flight->orientation, flight->free_orientation, sizeof flight->orientation);
    if (kind == MODELS_BOUNCE_ASIDE) {
        turn_aside(flight);
    }
    for (int k = 0; k < 3 && kind != MODELS_BOUNCE_ASIDE; k++) {
        flight->direction[k] = -flight->direction[k];
        flight->turn[k + 1] = -flight->turn[k + 1];
    }
    if (kind != MODELS_BOUNCE_RETRACE) {
        random_turn(&flight->random, flight->billiard->spin, flight->turn);
    }
}

static void turn_back_at_walls(models_flight *flight)
{
    for (int k = 0; k < 3; k++) {
        const double next = flight->position[k] + flight->billiard->stride * flight->direction[k];
        if (next < flight->billiard->lower[k] || next > flight->billiard->upper[k]) {
            flight->direction[k] = -flight->direction[k];
        }
    }
}

tumble_pose models_next_place(models_flight *flight, int touched)
{
    if (touched) {
        bounce(flight);
    } else {
        memcpy(flight->free_position, flight->position, sizeof flight->position);
        memcpy(flight->free_orientation, flight->orientation, sizeof flight->orientation);
    }
    turn_back_at_walls(flight);
    for (int k = 0; k < 3; k++) {
        flight->position[k] += flight->billiard->stride * flight->direction[k];
    }
    multiply_quaternions(flight->turn, flight->orientation, flight->orientation);
    return models_quaternion_pose(flight->orientation, flight->position);
}

int models_fly(models_scene *scene, models_touches *touches, void *user)
{
    const int most_tries = 100000;
    if (scene->path) {
        return 1;
    }
    models_flight flight = models_start_flight(&scene->billiard);
    tumble_pose pose = models_random_place(&flight);
    int tries = 1;
    while (touches(user, &pose) && tries++ < most_tries) {
        pose = models_random_place(&flight);
    }
    tumble_pose *path = tries > most_tries ? NULL : malloc((scene->steps + 1) * sizeof *path);
    if (!path) {
        return 0;
    }
    int touched = 0;
    for (size_t step = 0; step < scene->steps; step++) {
        path[step] = pose;
        pose = models_next_place(&flight, touched);
        touched = touches(user, &pose);
    }
    scene->path = path;
    scene->path_length = scene->steps;
    return 1;
}
