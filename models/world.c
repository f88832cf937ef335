/* Worlds of objects that move: which there are, and what their generators share. */
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world_build.h"

static const models_world_kind kinds[] = {
    {"heap",
     "bodies of several shapes that fall onto a floor and come to rest in layers",
     {{"steps", 100, 1, 1e6, 1, "steps of the motion"},
      {"bodies", 100, 1, 10000000, 1, "how many bodies"},
      {"triangles", 200, 12, 10000000, 1, "about so many triangles per body"},
      {"seed", 1, 0, 9007199254740992, 1, "of the random numbers"}},
     world_make_heap},
    {"hall",
     "machine hall: presses with gears at work, carts that drive by, and a crane",
     {{"steps", 100, 1, 1e6, 1, "steps of the motion"},
      {"machines", 12, 1, 1000000, 1, "how many machines"},
      {"sides", 24, 8, 4096, 1, "sides of round parts, a multiple of four"}},
     world_make_hall},
    {"cell",
     "robot cell: an arm of links with joints carries a part past fixtures, and hits one",
     {{"steps", 240, 1, 1e6, 1, "steps of the motion"},
      {"sides", 32, 8, 4096, 1, "sides of round parts, a multiple of four"}},
     world_make_cell},
    {0}};

const models_world_kind *models_worlds(void)
{
    return kinds;
}

const models_world_kind *models_find_world(const char *name)
{
    for (const models_world_kind *kind = kinds; kind->name; kind++) {
        if (strcmp(kind->name, name) == 0) {
            return kind;
        }
    }
    return NULL;
}

void models_world_defaults(const models_world_kind *kind, double *values)
{
    for (int i = 0; i < MODELS_PARAMETERS; i++) {
        values[i] = kind->parameters[i].name ? kind->parameters[i].value : 0;
    }
}

static int has_failed(const models_world *world)
{
    int failed = world->failed;
    for (size_t i = 0; i < world->shape_count; i++) {
        failed |= world->shapes[i].mesh.failed;
    }
    return failed;
}

int models_make_world(models_world *world, const models_world_kind *kind, const double *values)
{
    double defaults[MODELS_PARAMETERS];
    models_world_defaults(kind, defaults);
    memset(world, 0, sizeof *world);
    world->name = kind->name;
    values = values ? values : defaults;
    world->step_count = (size_t)values[0];
    kind->make(world, values);
    if (has_failed(world)) {
        models_free_world(world);
        return 0;
    }
    return 1;
}

void models_free_world(models_world *world)
{
    for (size_t i = 0; i < world->shape_count; i++) {
        models_free(&world->shapes[i].mesh);
    }
    free(world->shapes);
    free(world->objects);
    free(world->joined);
    memset(world, 0, sizeof *world);
}

size_t models_world_triangles(const models_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < world->object_count; i++) {
        count += models_triangle_count(&world->shapes[world->objects[i].shape].mesh);
    }
    return count;
}

void models_world_poses(const models_world *world, size_t step, tumble_pose *poses)
{
    for (size_t i = 0; i < world->object_count; i++) {
        poses[i] = world->objects[i].home;
    }
    world->place(world, step < world->step_count ? step : world->step_count - 1, poses);
}

int models_same_pose(const tumble_pose *a, const tumble_pose *b)
{
    int same = 1;
    for (int i = 0; i < 12; i++) {
        same &= a->m[i / 4][i % 4] == b->m[i / 4][i % 4];
    }
    return same;
}

/* ---- Shapes and objects ---- */

/* The array, with room for one more item. NULL: memory ran out, and the array is as it was. */
static void *reserve(models_world *world, void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const size_t wanted = *capacity ? 2 * *capacity : 16;
    void *larger = realloc(array, wanted * size);
    *capacity = larger ? wanted : *capacity;
    world->failed |= !larger;
    return larger;
}

models_mesh *world_add_shape(models_world *world, const char *name)
{
    models_world_shape *shapes =
        reserve(world, world->shapes, world->shape_count, &world->shape_capacity, sizeof *shapes);
    if (!shapes) {
        return NULL;
    }
    world->shapes = shapes;
    models_world_shape *shape = &shapes[world->shape_count++];
    memset(shape, 0, sizeof *shape);
    snprintf(shape->name, sizeof shape->name, "%s", name);
    return &shape->mesh;
}

uint32_t world_find_shape(const models_world *world, const char *name)
{
    uint32_t number = 0;
    while (number < world->shape_count && strcmp(world->shapes[number].name, name) != 0) {
        number++;
    }
    return number;
}

static void add_piece(models_mesh *mesh, const world_piece *piece, double (*circle)[2], uint32_t sides)
{
    const double *n = piece->numbers;
    if (piece->kind == WORLD_BOX) {
        models_add_aligned_box(mesh, n, n + 3);
        return;
    }
    const double outline[2][2] = {{0, n[4]}, {n[3], n[5]}};
    double axis[3] = {0, 0, 0};
    axis[piece->kind - WORLD_X] = 1;
    models_turned(mesh, circle, sides, n, axis, outline, 2);
}

void world_add_pieces(models_world *world, const world_piece *pieces, size_t count, uint32_t sides)
{
    models_mesh none = {0}, *mesh = &none;
    double(*circle)[2] = models_circle(&none, sides);
    world->failed |= none.failed;
    for (size_t i = 0; i < count && mesh && circle; i++) {
        if (i == 0 || strcmp(pieces[i].shape, pieces[i - 1].shape) != 0) {
            mesh = world_add_shape(world, pieces[i].shape);
        }
        if (mesh) {
            add_piece(mesh, &pieces[i], circle, sides);
        }
    }
    free(circle);
}

models_world_object *world_add_object(models_world *world, const char *name, uint32_t shape, uint32_t group, double x,
                                      double y, double z)
{
    models_world_object *objects =
        reserve(world, world->objects, world->object_count, &world->object_capacity, sizeof *objects);
    if (!objects) {
        return NULL;
    }
    world->objects = objects;
    models_world_object *object = &objects[world->object_count++];
    memset(object, 0, sizeof *object);
    snprintf(object->name, sizeof object->name, "%s", name);
    object->shape = shape;
    object->group = group;
    object->mask = group == MODELS_GROUP_STILL ? ~(uint32_t)MODELS_GROUP_STILL : UINT32_MAX;
    object->home = world_shift(x, y, z);
    return object;
}

void world_join(models_world *world, uint32_t a, uint32_t b)
{
    uint32_t(*joined)[2] = reserve(world, world->joined, world->joined_count, &world->joined_capacity, sizeof *joined);
    if (joined) {
        world->joined = joined;
        joined[world->joined_count][0] = a;
        joined[world->joined_count++][1] = b;
    }
}

/* ---- Motion ---- */

tumble_pose world_turn(int axis, double angle)
{
    tumble_pose pose = tumble_pose_identity();
    const int one = (axis + 1) % 3, two = (axis + 2) % 3;
    pose.m[one][one] = pose.m[two][two] = cos(angle);
    pose.m[two][one] = sin(angle);
    pose.m[one][two] = -pose.m[two][one];
    return pose;
}

tumble_pose world_shift(double x, double y, double z)
{
    const tumble_pose pose = {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
    return pose;
}

double world_ease(double t)
{
    const double u = fmin(1, fmax(0, t));
    return u * u * (3 - 2 * u);
}
