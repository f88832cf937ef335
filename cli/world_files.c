/* A generated world as files for 'tumble scene'. */
#include "world_files.h"

#include <stdlib.h>

#include "demo_files.h"
#include "message.h"
#include "output.h"
#include "poses.h"
#include "progress.h"
#include "tumble/io.h"

enum {
    LONGEST_PATH = CLI_DEMO_LONGEST_PATH
};

static int write_meshes(tumble_context *context, const models_world *world, const char *folder)
{
    for (size_t i = 0; i < world->shape_count; i++) {
        char path[LONGEST_PATH + MODELS_WORLD_NAME];
        const tumble_mesh view = models_view(&world->shapes[i].mesh);
        snprintf(path, sizeof path, "%s/%s.obj", folder, world->shapes[i].name);
        cli_hold_interrupts();
        const tumble_status status = tumble_mesh_write(context, &view, path, TUMBLE_FORMAT_OBJ);
        cli_release_interrupts();
        if (status != TUMBLE_OK) {
            return cli_library_error(context, status, path);
        }
    }
    return 0;
}

static int write_scene(const models_world *world, const char *folder, const tumble_pose *poses)
{
    char path[LONGEST_PATH];
    cli_output output;
    snprintf(path, sizeof path, "%s/" CLI_WORLD_SCENE, folder);
    const int error = cli_output_open(&output, path);
    if (error) {
        return error;
    }
    fputs("# A line per object: its name, its mesh and its pose, the three rows of a 3x4 matrix.\n", output.file);
    for (size_t i = 0; i < world->object_count; i++) {
        const models_world_object *object = &world->objects[i];
        fprintf(output.file, "%s %s.obj ", object->name, world->shapes[object->shape].name);
        cli_pose_print(output.file, &poses[i]);
    }
    return cli_output_close(&output);
}

/* What has moved since the step before, which `last` holds. Returns how many lines that are. */
static size_t write_step(const models_world *world, size_t step, tumble_pose *last, tumble_pose *now, FILE *file)
{
    size_t count = 0;
    models_world_poses(world, step, now);
    for (size_t i = 0; i < world->object_count; i++) {
        if (!models_same_pose(&now[i], &last[i])) {
            fprintf(file, "%zu %s ", step, world->objects[i].name);
            cli_pose_print(file, &now[i]);
            last[i] = now[i];
            count++;
        }
    }
    return count;
}

static int write_steps(const models_world *world, const char *folder, tumble_pose *poses, size_t *motions)
{
    char path[LONGEST_PATH];
    cli_output output;
    snprintf(path, sizeof path, "%s/" CLI_WORLD_STEPS, folder);
    const int error = cli_output_open(&output, path);
    if (error) {
        return error;
    }
    cli_progress *progress = cli_progress_begin("writing the steps");
    fputs("# A line per motion: the step, the object's name and its new pose.\n", output.file);
    for (size_t step = 1; step < world->step_count; step++) {
        *motions += write_step(world, step, poses, poses + world->object_count, output.file);
        cli_progress_set(progress, (double)step / (double)world->step_count);
    }
    cli_progress_end(progress);
    return cli_output_close(&output);
}

int cli_write_world(tumble_context *context, const models_world *world, const char *folder, size_t *motions)
{
    size_t count = 0;
    tumble_pose *poses = malloc(2 * world->object_count * sizeof *poses);
    if (!poses) {
        return cli_memory_error("the poses");
    }
    models_world_poses(world, 0, poses);
    int error = cli_make_folder(folder);
    error = error ? error : write_meshes(context, world, folder);
    error = error ? error : write_scene(world, folder, poses);
    error = error || world->step_count < 2 ? error : write_steps(world, folder, poses, &count);
    if (motions) {
        *motions = count;
    }
    free(poses);
    return error;
}
