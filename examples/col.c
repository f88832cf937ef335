/* The interface that US patent 6,862,026 gives to its device: objects are sent once, then checks run while the program
 * does other things. A torus flies past a wheel. Usage: col [STEPS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tumble/col.h>

#include "shapes.h"

enum {
    OBJECTS = 2,
    ROOM = 1000 /* intersections */
};

static colObject send_object(colContext *context, const shape *s)
{
    const colObject id = colNewObject(context);
    for (size_t i = 0; i < 3 * s->triangle_count; i++) {
        colIndex(context, s->corners[i]);
    }
    for (size_t v = 0; v < s->point_count; v++) {
        colVertex(context, s->points[3 * v], s->points[3 * v + 1], s->points[3 * v + 2]);
    }
    colEndObject(context); /* returns when the hierarchy is computed and on the device */
    return id;
}

/* As OpenGL has it, column after column: turned about z by `angle`, and moved along x. */
static void move_object(double matrix[16], double angle, double x)
{
    const double c = cos(angle), s = sin(angle);
    const double columns[16] = {c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, 0, 0.25, 1};
    for (int i = 0; i < 16; i++) {
        matrix[i] = columns[i];
    }
}

/* Draws a frame, say. */
static void do_other_things(size_t *frames)
{
    ++*frames;
}

/* Moves the second object step by step; the number of steps at which they intersect. */
static int fly(colContext *context, const colObject id[OBJECTS], int steps)
{
    static uint32_t indices[2 * ROOM];
    static colVec points[2 * ROOM];
    int hits = 0;
    for (int step = 0; step < steps; step++) {
        double matrix[16];
        size_t frames = 0;
        colResult result;
        move_object(matrix, 0.3 * step, 3 - 6.0 * step / steps);
        const colPending check = colCheck(context, id[0], id[1], matrix, indices, points, ROOM);
        do {
            do_other_things(&frames);
        } while (!colPoll(context, check));
        if (colWait(context, check, 60, &result) == TUMBLE_OK && result.collide) {
            printf("step %2d: %4d pairs of polygons; the first are %u and %u, at (%.3f, %.3f, %.3f)\n", step,
                   (int)result.pair_count, indices[0], indices[1], points[0].x, points[0].y, points[0].z);
            hits++;
        }
    }
    return hits;
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 20;
    shape shapes[OBJECTS];
    if (!make_wheel(&shapes[0], 24)) {
        return 1;
    }
    if (!make_torus(&shapes[1], 70)) {
        free_shape(&shapes[0]);
        return 1;
    }
    colObject id[OBJECTS];
    colContext *context = colInit(NULL);
    for (int i = 0; i < OBJECTS; i++) {
        id[i] = send_object(context, &shapes[i]);
        free_shape(&shapes[i]);
    }
    const int hits = fly(context, id, steps);
    for (int i = 0; i < OBJECTS; i++) {
        colDeleteObject(context, id[i]);
    }
    char text[256];
    const tumble_status status = colError(context, text, sizeof text); /* of all the calls above */
    if (status != TUMBLE_OK) {
        fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
    }
    colShutdown(context);
    return status != TUMBLE_OK || hits == 0;
}
