/* A hand of 404 triangles, in metres, and its way through the interior.
 *
 * The palm lies in the plane of x and y, the fingers point along y, and the thumb is on the side of +x: a left hand
 * whose palm looks against z. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "interior.h"

enum {
    PALM_SIDES = 8,
    FINGER_SIDES = 6,
    FINGER_RINGS = 6
};

/* Rings of the palm from the wrist to the knuckles: y, half width, half thickness, x of the middle. */
static void add_palm(models_mesh *mesh)
{
    static const double rings[4][4] = {{-0.105, 0.026, 0.018, 0.004},
                                       {-0.075, 0.034, 0.019, 0.006},
                                       {-0.035, 0.041, 0.017, 0.002},
                                       {0.002, 0.041, 0.012, 0}};
    double(*circle)[2] = models_circle(mesh, PALM_SIDES);
    models_loft loft = {.mesh = mesh, .sides = PALM_SIDES};
    for (int i = 0; circle && i < 4; i++) {
        const double centre[3] = {rings[i][3], rings[i][0], 0};
        const double thick[3] = {0, 0, rings[i][2]}, wide[3] = {rings[i][1], 0, 0};
        models_loft_ring(&loft, models_ring(mesh, circle, PALM_SIDES, centre, thick, wide, 1));
    }
    models_loft_end(&loft);
    free(circle);
}

typedef struct finger {
    double root[3];
    double spread;    /* angle from y towards x */
    double slope;     /* angle from the plane of the palm, downwards */
    double curl;      /* further angle at each joint */
    double length[3]; /* of the bones */
    double radius;
} finger;

/* From joint to joint, with a ring at each and one in the middle of the first two bones; the tip is rounded off. */
static void add_finger(models_mesh *mesh, double (*circle)[2], const finger *f)
{
    double centres[FINGER_RINGS][3], at[3] = {f->root[0], f->root[1], f->root[2]}, slope = f->slope;
    const double shape[FINGER_RINGS] = {1.02, 0.97, 1.0, 0.9, 0.84, 0.5}, radius = f->radius;
    double radii[FINGER_RINGS];
    uint32_t count = 0;
    for (int bone = 0; bone < 3; bone++) {
        const double along[3] = {cos(slope) * sin(f->spread), cos(slope) * cos(f->spread), -sin(slope)};
        const double shares[2] = {bone < 2 ? 0 : 0.75, bone == 0 ? 0.5 : 1};
        for (int half = 0; half < 2; half++) {
            if (bone == 1 && half == 1) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                centres[count][k] = at[k] + shares[half] * f->length[bone] * along[k];
            }
            radii[count] = radius * shape[count];
            count++;
        }
        if (bone == 1) { /* the last joint */
            for (int k = 0; k < 3; k++) {
                centres[count][k] = at[k] + f->length[bone] * along[k];
            }
            radii[count] = radius * shape[count];
            count++;
        }
        for (int k = 0; k < 3; k++) {
            at[k] += f->length[bone] * along[k];
        }
        slope += f->curl;
    }
    models_tube(mesh, circle, FINGER_SIDES, centres, radii, count);
}

void models_make_hand(models_mesh *mesh)
{
    static const finger fingers[5] = {
        {{0.029, -0.008, 0.001}, 0.1, 0.12, 0.26, {0.042, 0.026, 0.022}, 0.0092},   /* index */
        {{0.01, 0, 0.002}, 0.02, 0.16, 0.28, {0.047, 0.03, 0.023}, 0.0095},         /* middle */
        {{-0.011, -0.003, 0.001}, -0.06, 0.2, 0.3, {0.043, 0.028, 0.023}, 0.009},   /* ring */
        {{-0.0295, -0.014, 0}, -0.16, 0.24, 0.32, {0.033, 0.021, 0.019}, 0.0078},   /* little */
        {{0.018, -0.078, -0.005}, 0.8, 0.25, 0.16, {0.056, 0.034, 0.028}, 0.0112}}; /* thumb */
    double(*circle)[2] = models_circle(mesh, FINGER_SIDES);
    add_palm(mesh);
    for (int i = 0; circle && i < 5; i++) {
        mesh->surface++;
        add_finger(mesh, circle, &fingers[i]);
    }
    mesh->surface = 0;
    free(circle);
}

void models_make_interior(models_mesh *mesh)
{
    interior_add_structure(mesh);
    interior_add_systems(mesh);
    interior_add_cabin(mesh);
    mesh->surface = 0;
}

/* ---- The path ----
 * Somebody feels his way along the open wall and then over the seats. Stations say where the hand is, as a place on the
 * wall or in the cabin, and how it is held; between them it moves on a smooth curve, and trembles a little. */

typedef struct station {
    double x, y, z;
    double fingers[3]; /* where the fingers point */
    double back[3];    /* where the back of the hand looks */
} station;

/* A place on the left wall: the fingers point up or along, the palm to the wall. */
static station on_left_wall(double x, double angle_in_degrees, double distance, double tilt)
{
    const double angle = angle_in_degrees * MODELS_FULL_TURN / 360, c = cos(angle), s = sin(angle);
    double at[3];
    interior_on_wall(x, angle, distance, at);
    return (station){at[0], at[1], at[2], {sin(tilt), cos(tilt) * s, -cos(tilt) * c}, {0, -c, -s}};
}

/* Catmull and Rom's curve through four values. */
static double curve(double a, double b, double c, double d, double t)
{
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static tumble_pose pose_between(const station s[4], double t, double phase)
{
    const double *from[4] = {&s[0].x, &s[1].x, &s[2].x, &s[3].x};
    double values[9], right[3];
    for (int k = 0; k < 3; k++) {
        const double tremble = 0.0015 * sin(phase * (17 + 3 * k) + k);
        values[k] = curve(from[0][k], from[1][k], from[2][k], from[3][k], t) + tremble;
        values[3 + k] = curve(s[0].fingers[k], s[1].fingers[k], s[2].fingers[k], s[3].fingers[k], t);
        values[6 + k] = curve(s[0].back[k], s[1].back[k], s[2].back[k], s[3].back[k], t) + 0.08 * sin(phase * (11 + k));
    }
    double *fingers = values + 3, *back = values + 6;
    models_normalise(fingers);
    models_cross(fingers, back, right);
    models_normalise(right);
    models_cross(right, fingers, back);
    tumble_pose pose = {{{0}}};
    for (int k = 0; k < 3; k++) {
        const double row[4] = {right[k], fingers[k], back[k], values[k]};
        memcpy(pose.m[k], row, sizeof row);
    }
    return pose;
}

enum {
    STATIONS = 19
};

static void make_stations(station stations[STATIONS])
{
    const station way[STATIONS] = {on_left_wall(0.35, 150, 1.685, 0.3), /* pipes */
                                   on_left_wall(0.55, 140, 1.685, 0.2),
                                   on_left_wall(0.9, 133, 1.69, -0.2),
                                   on_left_wall(1.1, 114, 1.61, 0.1), /* duct */
                                   on_left_wall(1.35, 135, 1.69, 0.6),
                                   on_left_wall(1.6, 150, 1.695, 0.9),
                                   on_left_wall(1.9, 160, 1.695, 0.6),
                                   on_left_wall(2.2, 170, 1.685, 0.2), /* equipment */
                                   on_left_wall(2.5, 178, 1.685, -0.3),
                                   on_left_wall(2.75, 165, 1.685, 0.1),
                                   on_left_wall(2.5, 148, 1.69, 0.5),
                                   on_left_wall(2.1, 138, 1.695, 0.2),
                                   on_left_wall(1.8, 128, 1.69, 0),
                                   on_left_wall(1.6, 113, 1.62, 0.2),
                                   {1.3, -0.1, 0.7, {0, 0.8, -0.6}, {0, 0.6, 0.8}},
                                   {0.98, 0.42, 0.56, {0.1, 0.95, -0.1}, {0, 0.1, 1}},   /* head rest */
                                   {0.8, 0.5, 0.2, {-0.6, 0.4, -0.7}, {-0.9, 0, 0.4}},   /* back */
                                   {0.55, 0.6, -0.057, {-0.3, 0.95, -0.1}, {0, 0.1, 1}}, /* cushion */
                                   {0.52, 0.66, -0.06, {-0.4, 0.9, -0.1}, {0, 0.1, 1}}};
    memcpy(stations, way, sizeof way);
}

int models_make_hand_path(models_scene *scene)
{
    station stations[STATIONS];
    make_stations(stations);
    scene->path = malloc(scene->steps * sizeof *scene->path);
    if (!scene->path) {
        return 0;
    }
    for (scene->path_length = 0; scene->path_length < scene->steps; scene->path_length++) {
        const double share = (double)scene->path_length / (double)scene->steps;
        const double at = share * (STATIONS - 1);
        const int i = (int)at;
        station s[4];
        for (int k = 0; k < 4; k++) {
            const int index = i + k - 1;
            s[k] = stations[index < 0 ? 0 : index >= STATIONS ? STATIONS - 1 : index];
        }
        scene->path[scene->path_length] = pose_between(s, at - i, MODELS_FULL_TURN * 7 * share);
    }
    return 1;
}
