/* tumble scene: from files to a scene. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "load.h"
#include "message.h"
#include "progress.h"
#include "scene.h"

/* A mesh file, and an object that has it. */
typedef struct mesh_of {
    char *file; /* its only path */
    size_t object;
    size_t number; /* of the file */
} mesh_of;

static int compare_meshes(const void *a, const void *b)
{
    const mesh_of *x = a, *y = b;
    const int order = strcmp(x->file, y->file);
    return order ? order : x->object < y->object ? -1 : 1;
}

/* Sorted by file, so that those with the same one follow each other. Also counts the files. */
static int find_meshes(const scene_run *run, mesh_of *meshes, size_t *file_count)
{
    const size_t count = run->file.object_count;
    for (size_t i = 0; i < count; i++) {
        const cli_scene_object *object = &run->file.objects[i];
        meshes[i] = (mesh_of){realpath(object->mesh, NULL), i, 0};
        if (!meshes[i].file) {
            return cli_error(
                "%s:%zu: the mesh '%s' of '%s' cannot be opened (%s): give a file, relative to the scene's",
                cli_file_name(run->path), object->line, object->mesh, object->name, strerror(errno));
        }
    }
    qsort(meshes, count, sizeof *meshes, compare_meshes);
    for (size_t i = 1; i < count; i++) {
        meshes[i].number = meshes[i - 1].number + (strcmp(meshes[i].file, meshes[i - 1].file) != 0);
    }
    *file_count = meshes[count - 1].number + 1;
    return 0;
}

static int load_mesh(scene_run *run, const char *path, tumble_model **out)
{
    cli_surfaces surfaces = {0};
    cli_frame frame;
    const int error =
        cli_load_model(run->context, path, &run->settings->load, run->load_sections, out, &surfaces, &frame);
    cli_free_surfaces(&surfaces);
    return error;
}

/* Each file once. Where there are several, the progress is that of all. */
static int load_meshes(scene_run *run, const mesh_of *meshes, size_t file_count)
{
    cli_progress *progress = file_count > 1 ? cli_progress_begin("loading the meshes") : NULL;
    int error = 0;
    for (size_t i = 0; i < run->file.object_count && !error; i++) {
        tumble_model **model = &run->owned[meshes[i].number];
        if (meshes[i].number == run->owned_count) {
            error = load_mesh(run, run->file.objects[meshes[i].object].mesh, model);
            run->owned_count += !error;
            cli_progress_set(progress, (double)run->owned_count / (double)file_count);
        }
        run->models[meshes[i].object] = *model;
    }
    cli_progress_end(progress);
    return error;
}

static int load_models(scene_run *run)
{
    const size_t count = run->file.object_count;
    mesh_of *meshes = calloc(count, sizeof *meshes);
    run->models = calloc(count, sizeof *run->models);
    run->owned = calloc(count, sizeof *run->owned);
    if (!meshes || !run->models || !run->owned) {
        free(meshes);
        return cli_memory_error("the models");
    }
    size_t file_count = 0;
    int error = find_meshes(run, meshes, &file_count);
    error = error ? error : load_meshes(run, meshes, file_count);
    for (size_t i = 0; i < count; i++) {
        free(meshes[i].file);
    }
    free(meshes);
    return error;
}

static int add_objects(scene_run *run)
{
    const size_t count = run->file.object_count;
    tumble_part *parts = calloc(count, sizeof *parts);
    run->objects = calloc(count, sizeof *run->objects);
    if (!parts || !run->objects) {
        free(parts);
        return cli_memory_error("the scene");
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = run->models[i];
        parts[i].pose = run->file.objects[i].pose;
    }
    const tumble_status status = tumble_scene_add(run->scene, parts, count, run->objects);
    free(parts);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, run->path);
}

static int create_scene(scene_run *run)
{
    tumble_query **queries[] = {&run->query, &run->relate, &run->near};
    tumble_scene_options options = tumble_default_scene_options();
    options.broad = (tumble_broad)run->settings->broad;
    tumble_status status = tumble_scene_create(run->context, &options, &run->scene);
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        status = tumble_query_create(run->context, queries[i]);
    }
    return status == TUMBLE_OK ? add_objects(run) : cli_library_error(run->context, status, "the scene");
}

/* With --retry the pool stands in for a device that cannot be opened. */
static int use_device(scene_run *run)
{
    const cli_device_options *wanted = &run->settings->device;
    tumble_device_options options = tumble_default_device_options();
    uint32_t number;
    const int error = cli_find_device(wanted, &number);
    if (error) {
        return error;
    }
    options.thread_count = (uint32_t)run->settings->load.threads;
    options.retry_on_cpu = wanted->retry != 0;
    tumble_status status = tumble_device_open(run->context, number, &options, &run->device);
    if (status != TUMBLE_OK && number > 0 && wanted->retry) {
        cli_warning("device %s cannot be opened; threads of this machine are used instead",
                    cli_name_device(number).text);
        status = tumble_device_open(run->context, 0, &options, &run->device);
    }
    if (status == TUMBLE_OK) {
        status = tumble_scene_use_device(run->scene, run->device);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "--device");
}

static int ignore_pairs(scene_run *run)
{
    const size_t count = run->file.ignored_count;
    tumble_object_pair *pairs = malloc((count + 1) * sizeof *pairs);
    if (!pairs) {
        return cli_memory_error("the ignored pairs");
    }
    for (size_t i = 0; i < count; i++) {
        const cli_scene_pair *pair = &run->file.ignored[i];
        pairs[i] = (tumble_object_pair){run->objects[pair->a], run->objects[pair->b]};
    }
    const tumble_status status = tumble_scene_ignore(run->scene, pairs, count, true);
    free(pairs);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, run->settings->ignore);
}

int cli_scene_load(scene_run *run)
{
    const scene_settings *s = run->settings;
    int error = cli_create_context(&s->load, &run->context);
    error = error ? error : cli_scene_read(run->context, run->path, s->orthonormalise, &run->file);
    error = error || !s->steps ? error : cli_scene_read_motions(run->context, s->steps, s->orthonormalise, &run->file);
    error = error || !s->ignore ? error : cli_scene_read_ignored(run->context, s->ignore, &run->file);
    error = error ? error : load_models(run);
    error = error ? error : create_scene(run);
    error = error || !s->device.device ? error : use_device(run);
    return error || run->file.ignored_count == 0 ? error : ignore_pairs(run);
}

void cli_scene_unload(scene_run *run)
{
    tumble_query_destroy(run->query);
    tumble_query_destroy(run->relate);
    tumble_query_destroy(run->near);
    tumble_scene_destroy(run->scene);
    tumble_device_close(run->device);
    for (size_t i = 0; i < run->owned_count; i++) {
        tumble_model_destroy(run->owned[i]);
    }
    free(run->models);
    free(run->owned);
    free(run->objects);
    cli_scene_free(&run->file);
    tumble_context_destroy(run->context);
}
