/* Tumble's scenes of meshes. */
#include <stdlib.h>

#include "bodies.h"
#include "failure.h"
#include "tumble/tumble.h"

typedef struct tumble_bodies {
    tumble_context *context;
    tumble_model **models;
    size_t model_count, count;
    tumble_scene *scene;
    tumble_query *query;
    tumble_object *objects;
    tumble_pose *poses;
    size_t state_count;
} tumble_bodies;

tumble_model *bodies_model(tumble_context *context, const peer_mesh *source)
{
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model *model;
    mesh.points = source->points;
    mesh.point_count = source->point_count;
    mesh.indices = source->indices;
    mesh.index_count = 3 * source->triangle_count;
    bench_require(tumble_model_create(context, &mesh, NULL, &model), context, "building a model");
    return model;
}

static void open_scene(tumble_bodies *world, const bodies_plan *plan)
{
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = plan->thread_count;
    bench_require(tumble_context_create(&options, &world->context), NULL, "a context");
    bench_require(tumble_scene_create(world->context, NULL, &world->scene), world->context, "a scene");
    bench_require(tumble_query_create(world->context, &world->query), world->context, "a query");
    world->model_count = plan->mesh_count;
    world->models = bench_allocate(plan->mesh_count, sizeof(tumble_model *));
    for (size_t i = 0; i < plan->mesh_count; i++) {
        world->models[i] = bodies_model(world->context, &plan->meshes[i]);
    }
}

static void add_bodies(tumble_bodies *world, const bodies_plan *plan, const tumble_pose *poses)
{
    tumble_part *parts = bench_allocate(plan->body_count, sizeof *parts);
    for (size_t i = 0; i < plan->body_count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = world->models[plan->mesh_of[i]];
        parts[i].pose = poses[i];
    }
    world->count = plan->body_count;
    world->objects = bench_allocate(plan->body_count, sizeof *world->objects);
    bench_require(tumble_scene_add(world->scene, parts, plan->body_count, world->objects), world->context,
                  "adding bodies");
    free(parts);
}

static void disable(tumble_bodies *world, const bodies_plan *plan)
{
    tumble_object_pair *pairs = bench_allocate(plan->disabled_count + 1, sizeof *pairs);
    for (size_t i = 0; i < plan->disabled_count; i++) {
        pairs[i].a = world->objects[plan->disabled[i].polygon_a];
        pairs[i].b = world->objects[plan->disabled[i].polygon_b];
    }
    if (plan->disabled_count) {
        bench_require(tumble_scene_ignore(world->scene, pairs, plan->disabled_count, true), world->context,
                      "disabling pairs");
    }
    free(pairs);
}

static void *create(const bodies_plan *plan, const tumble_pose *poses)
{
    tumble_bodies *world = bench_allocate(1, sizeof *world);
    open_scene(world, plan);
    add_bodies(world, plan, poses);
    disable(world, plan);
    return world;
}

static void destroy(void *pointer)
{
    tumble_bodies *world = pointer;
    tumble_query_destroy(world->query);
    tumble_scene_destroy(world->scene);
    for (size_t i = 0; i < world->model_count; i++) {
        tumble_model_destroy(world->models[i]);
    }
    tumble_context_destroy(world->context);
    free(world->models);
    free(world->objects);
    free(world->poses);
    free(world);
}

static void place_states(void *pointer, const tumble_pose *poses, size_t state_count)
{
    tumble_bodies *world = pointer;
    free(world->poses);
    world->poses = bench_allocate(world->count * state_count + 1, sizeof *world->poses);
    for (size_t i = 0; i < world->count * state_count; i++) {
        world->poses[i] = poses[i];
    }
    world->state_count = state_count;
}

static void place(void *pointer, const tumble_pose *poses)
{
    place_states(pointer, poses, 1);
}

static bodies_answer ask(tumble_bodies *world, tumble_scene_mode mode)
{
    tumble_scene_question question = tumble_default_scene_question();
    tumble_scene_answer answer;
    bodies_answer sum = {0};
    question.mode = mode;
    bench_require(tumble_scene_move(world->scene, world->objects, world->poses, world->count), world->context,
                  "moving bodies");
    bench_require(tumble_scene_collide(world->query, world->scene, &question, &answer), world->context,
                  "finding contacts");
    sum.candidates = answer.candidate_count;
    sum.body_pairs = answer.meeting_count;
    for (size_t i = 0; i < answer.meeting_count; i++) {
        const tumble_meeting *meeting = &answer.meetings[i];
        sum.triangle_pairs += meeting->pair_count;
        sum.hash += bodies_hash(meeting->a.index - world->objects[0].index, meeting->b.index - world->objects[0].index);
    }
    return sum;
}

static bodies_answer all(void *world)
{
    return ask(world, TUMBLE_SCENE_ALL);
}

static bodies_answer touching(void *world)
{
    return ask(world, TUMBLE_SCENE_PAIRS);
}

static bodies_answer candidates(void *pointer)
{
    tumble_bodies *world = pointer;
    const tumble_object_pair *pairs;
    size_t count;
    bench_require(tumble_scene_move(world->scene, world->objects, world->poses, world->count), world->context,
                  "moving bodies");
    bench_require(tumble_scene_candidates(world->scene, &pairs, &count), world->context, "finding candidates");
    return (bodies_answer){.candidates = count};
}

static void test_states(void *pointer, unsigned char *answers)
{
    const tumble_bodies *world = pointer;
    const tumble_states states = {.objects = world->objects,
                                  .object_count = world->count,
                                  .poses = world->poses,
                                  .state_count = world->state_count};
    tumble_states_answer answer;
    bench_require(tumble_scene_states(world->query, world->scene, &states, NULL, &answer), world->context,
                  "testing states");
    for (size_t i = 0; i < world->state_count; i++) {
        answers[i] = answer.touch[i];
    }
}

const bodies_peer *bodies_tumble(void)
{
    static const bodies_peer list[] = {{"tumble", TUMBLE_VERSION,
                                        "tumble_scene_move, tumble_scene_collide; tumble_scene_states", create, destroy,
                                        place, all, touching, candidates, place_states, test_states},
                                       {.name = NULL}};
    return list;
}
