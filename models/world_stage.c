/* A world in a scene of the library. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

static int allocate(const models_world *world, models_stage *stage)
{
    const size_t shapes = world->shape_count + 1, objects = world->object_count + 1;
    memset(stage, 0, sizeof *stage);
    stage->models = calloc(shapes, sizeof *stage->models);
    stage->objects = calloc(objects, sizeof *stage->objects);
    stage->poses = calloc(objects, sizeof *stage->poses);
    stage->moved = calloc(objects, sizeof *stage->moved);
    stage->moved_poses = calloc(objects, sizeof *stage->moved_poses);
    return stage->models && stage->objects && stage->poses && stage->moved && stage->moved_poses;
}

static tumble_status add_objects(const models_world *world, tumble_scene *scene, models_stage *stage)
{
    tumble_part *parts = calloc(world->object_count + 1, sizeof *parts);
    if (!parts) {
        return TUMBLE_ERROR_MEMORY;
    }
    models_world_poses(world, 0, stage->poses);
    for (size_t i = 0; i < world->object_count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = stage->models[world->objects[i].shape];
        parts[i].pose = stage->poses[i];
        parts[i].group = world->objects[i].group;
        parts[i].mask = world->objects[i].mask;
        parts[i].user = i;
    }
    const tumble_status status = tumble_scene_add(scene, parts, world->object_count, stage->objects);
    stage->object_count = status == TUMBLE_OK ? world->object_count : 0;
    free(parts);
    return status;
}

tumble_status models_open_stage(tumble_context *context, const models_world *world, const tumble_model_options *options,
                                tumble_scene *scene, models_stage *stage)
{
    if (!allocate(world, stage)) {
        return TUMBLE_ERROR_MEMORY;
    }
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < world->shape_count && status == TUMBLE_OK; i++) {
        const tumble_mesh view = models_view(&world->shapes[i].mesh);
        status = tumble_model_create(context, &view, options, &stage->models[i]);
        stage->shape_count = i + (status == TUMBLE_OK);
    }
    return status == TUMBLE_OK ? add_objects(world, scene, stage) : status;
}

void models_plan_stage(models_stage *stage, const models_world *world, size_t step)
{
    tumble_pose *now = stage->moved_poses;
    stage->moved_count = 0;
    models_world_poses(world, step, now);
    for (size_t i = 0; i < stage->object_count; i++) {
        if (!models_same_pose(&now[i], &stage->poses[i])) {
            stage->poses[i] = now[i];
            stage->moved[stage->moved_count] = stage->objects[i];
            now[stage->moved_count++] = now[i];
        }
    }
}

tumble_status models_move_stage(models_stage *stage, const models_world *world, size_t step, tumble_scene *scene)
{
    models_plan_stage(stage, world, step);
    return stage->moved_count ? tumble_scene_move(scene, stage->moved, stage->moved_poses, stage->moved_count)
                              : TUMBLE_OK;
}

void models_close_stage(models_stage *stage)
{
    for (size_t i = 0; i < stage->shape_count; i++) {
        tumble_model_destroy(stage->models[i]);
    }
    free(stage->models);
    free(stage->objects);
    free(stage->poses);
    free(stage->moved);
    free(stage->moved_poses);
    memset(stage, 0, sizeof *stage);
}
