/* Tumble's scenes: every box is a cube with a pose. The library makes the boxes from the poses, and that counts. */
#include <stdlib.h>

#include "broad.h"
#include "failure.h"
#include "tumble/tumble.h"

typedef struct tumble_world {
    tumble_context *context;
    tumble_model *cube;
    tumble_scene *scene;
    tumble_object *objects, *moved;
    tumble_pose *poses;
    size_t count, moved_count;
    const tumble_object_pair *pairs;
    size_t pair_count;
} tumble_world;

static tumble_model *make_cube(tumble_context *context)
{
    static const uint32_t corners[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double points[24];
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model *cube;
    for (int i = 0; i < 24; i++) {
        points[i] = (i / 3) >> (i % 3) & 1 ? 0.5 : -0.5;
    }
    mesh.points = points;
    mesh.point_count = 8;
    mesh.indices = corners;
    mesh.index_count = sizeof corners / sizeof *corners;
    bench_require(tumble_model_create(context, &mesh, NULL, &cube), context, "a cube");
    return cube;
}

static tumble_pose pose_of(const broad_box *box)
{
    tumble_pose pose = tumble_pose_identity();
    for (int k = 0; k < 3; k++) {
        pose.m[k][k] = (double)box->high[k] - (double)box->low[k];
        pose.m[k][3] = 0.5 * ((double)box->high[k] + (double)box->low[k]);
    }
    return pose;
}

static void place(void *pointer, const broad_box *boxes)
{
    tumble_world *world = pointer;
    for (size_t i = 0; i < world->count; i++) {
        world->poses[i] = pose_of(&boxes[i]);
        world->moved[i] = world->objects[i];
    }
    world->moved_count = world->count;
}

static void place_some(void *pointer, const broad_box *boxes, const uint32_t *which, size_t count)
{
    tumble_world *world = pointer;
    for (size_t i = 0; i < count; i++) {
        world->poses[i] = pose_of(&boxes[which[i]]);
        world->moved[i] = world->objects[which[i]];
    }
    world->moved_count = count;
}

static void move(tumble_world *world)
{
    if (world->moved_count) {
        bench_require(tumble_scene_move(world->scene, world->moved, world->poses, world->moved_count), world->context,
                      "moving boxes");
    }
}

static size_t find(void *pointer)
{
    tumble_world *world = pointer;
    bench_require(tumble_scene_candidates(world->scene, &world->pairs, &world->pair_count), world->context,
                  "finding pairs");
    return world->pair_count;
}

static size_t step(void *world)
{
    move(world);
    return find(world);
}

static void place_and_move(void *world, const broad_box *boxes)
{
    place(world, boxes);
    move(world);
}

static void add_parts(tumble_world *world)
{
    tumble_part *parts = bench_allocate(world->count, sizeof *parts);
    for (size_t i = 0; i < world->count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = world->cube;
        parts[i].pose = world->poses[i];
        parts[i].user = i;
    }
    bench_require(tumble_scene_add(world->scene, parts, world->count, world->objects), world->context, "adding boxes");
    free(parts);
}

static void *create(const broad_box *boxes, size_t count)
{
    tumble_world *world = bench_allocate(1, sizeof *world);
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = 1;
    world->count = count;
    world->objects = bench_allocate(count, sizeof *world->objects);
    world->moved = bench_allocate(count, sizeof *world->moved);
    world->poses = bench_allocate(count, sizeof *world->poses);
    bench_require(tumble_context_create(&options, &world->context), NULL, "a context");
    world->cube = make_cube(world->context);
    bench_require(tumble_scene_create(world->context, NULL, &world->scene), world->context, "a scene");
    place(world, boxes);
    add_parts(world);
    world->moved_count = 0;
    step(world);
    return world;
}

static void destroy(void *pointer)
{
    tumble_world *world = pointer;
    tumble_scene_destroy(world->scene);
    tumble_model_destroy(world->cube);
    tumble_context_destroy(world->context);
    free(world->objects);
    free(world->moved);
    free(world->poses);
    free(world);
}

static uint32_t number_of(const tumble_world *world, tumble_object object)
{
    return object.index - world->objects[0].index; /* indices of a new scene are consecutive */
}

static void pairs(void *pointer, tumble_pair *out)
{
    const tumble_world *world = pointer;
    for (size_t i = 0; i < world->pair_count; i++) {
        out[i].polygon_a = number_of(world, world->pairs[i].a);
        out[i].polygon_b = number_of(world, world->pairs[i].b);
    }
}

const broad_peer *broad_tumble(void)
{
    static const broad_peer list[] = {{"tumble", TUMBLE_VERSION, "tumble_scene_move, tumble_scene_candidates", 0,
                                       create, destroy, place, place_some, step, step, pairs, 1, 0},
                                      {"tumble-moved", TUMBLE_VERSION, "tumble_scene_candidates alone", 0, create,
                                       destroy, place_and_move, NULL, find, NULL, pairs, 1, 1},
                                      {.name = NULL}};
    return list;
}
