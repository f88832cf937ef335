/* A heap: bodies fall, turning, and come to rest in layers of a pyramid, where neighbours press into each other a
 * little. Only sums, products, quotients and roots: the motion is the same on every machine. */
#include <math.h>
#include <stdio.h>

#include "world_build.h"

enum {
    HEAP_SHAPES = 6
};

static const char *const shape_names[HEAP_SHAPES] = {"sphere", "box", "torus", "gear", "bolt", "cone"};

/* Bodies fit into cubes of side 2. At the start they are farther apart than their diagonals. */
static const double across = 1.7, upward = 1.15, spread = 1.3;

/* Side of the lowest layer of a pyramid that holds all bodies: two layers of each size. */
static size_t bottom_side(size_t bodies)
{
    size_t side = 0, room = 0;
    while (room < bodies) {
        side++;
        room += 2 * side * side;
    }
    return side;
}

static void add_shapes(models_world *world, size_t triangles, double floor_side)
{
    const double half = 0.5 * floor_side;
    const world_piece floor_piece = {"floor", WORLD_BOX, {-half, -half, -1, half, half, 0}};
    world_add_pieces(world, &floor_piece, 1, 4);
    for (int i = 0; i < HEAP_SHAPES; i++) {
        models_mesh *mesh = world_add_shape(world, shape_names[i]);
        if (mesh && !models_make_sized(mesh, shape_names[i], triangles)) {
            mesh->failed = 1;
        } else if (mesh) {
            models_fit(mesh, 2, 1);
        }
    }
}

/* Lower layers fall first. The motion holds the height from which a body falls, its layer as a share of all, and how
 * much it turns about two axes on the way. */
static void add_body(models_world *world, models_random *random, size_t number, const double place[3], double share)
{
    char name[MODELS_WORLD_NAME];
    snprintf(name, sizeof name, "%s%zu", shape_names[number % HEAP_SHAPES], number);
    const tumble_pose rotation = models_random_rotation(random);
    const double spin_x = models_random_range(random, -3, 3), spin_y = models_random_range(random, -3, 3);
    models_world_object *body = world_add_object(world, name, 1 + (uint32_t)(number % HEAP_SHAPES), MODELS_GROUP_MOVING,
                                                 place[0], place[1], place[2]);
    if (body) {
        const tumble_pose at = body->home;
        body->home = tumble_pose_compose(&at, &rotation);
        body->motion[0] = 6 + 4 * place[2];
        body->motion[1] = share;
        body->motion[2] = spin_x;
        body->motion[3] = spin_y;
    }
}

static void add_bodies(models_world *world, size_t bodies, size_t side, uint64_t seed)
{
    models_random random = {seed};
    size_t number = 0;
    for (size_t layer = 0; layer < 2 * side && number < bodies; layer++) {
        const size_t row = side - layer / 2;
        const double middle = 0.5 * (double)(row - 1) + (layer % 2 ? 0.25 : -0.25);
        for (size_t i = 0; i < row * row && number < bodies && !world->failed; i++) {
            const size_t line = i / row;
            const double x = across * ((double)(i % row) - middle), y = across * ((double)line - middle);
            const double shift_x = models_random_range(&random, -0.15, 0.15);
            const double shift_y = models_random_range(&random, -0.15, 0.15);
            const double place[3] = {x + shift_x, y + shift_y, 0.85 + upward * (double)layer};
            add_body(world, &random, number++, place, 0.5 * (double)layer / (double)side);
        }
    }
}

/* What is left of the fall, 1 to 0. Time runs from 0 to 1; all have come to rest at 0.8. */
static double fall_left(const models_world_object *body, double time)
{
    const double start = 0.4 * body->motion[1], t = (time - start) / 0.4;
    return t <= 0 ? 1 : t >= 1 ? 0 : 1 - t * t;
}

/* Turns by twice the angle whose tangent is `tangent`. */
static tumble_pose turn_by_tangent(int axis, double tangent)
{
    tumble_pose pose = tumble_pose_identity();
    const int one = (axis + 1) % 3, two = (axis + 2) % 3;
    const double square = tangent * tangent;
    pose.m[one][one] = pose.m[two][two] = (1 - square) / (1 + square);
    pose.m[two][one] = 2 * tangent / (1 + square);
    pose.m[one][two] = -pose.m[two][one];
    return pose;
}

static void place_heap(const models_world *world, size_t step, tumble_pose *poses)
{
    const double time = world->step_count > 1 ? (double)step / (double)(world->step_count - 1) : 1;
    for (size_t i = 1; i < world->object_count; i++) {
        const models_world_object *body = &world->objects[i];
        const double left = fall_left(body, time);
        if (left > 0) {
            const tumble_pose x = turn_by_tangent(0, body->motion[2] * left);
            const tumble_pose y = turn_by_tangent(1, body->motion[3] * left);
            const tumble_pose turned = tumble_pose_compose(&body->home, &x);
            poses[i] = tumble_pose_compose(&turned, &y);
            poses[i].m[0][3] *= 1 + spread * left;
            poses[i].m[1][3] *= 1 + spread * left;
            poses[i].m[2][3] += body->motion[0] * left;
        }
    }
}

void world_make_heap(models_world *world, const double *values)
{
    const size_t bodies = (size_t)values[1], side = bottom_side(bodies);
    world->place = place_heap;
    add_shapes(world, (size_t)values[2], across * ((double)side + 3));
    world_add_object(world, "floor", 0, MODELS_GROUP_STILL, 0, 0, 0);
    add_bodies(world, bodies, side, (uint64_t)values[3]);
}
