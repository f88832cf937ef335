/* Files of 'tumble scene'. */
#include "scene_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "grow.h"
#include "message.h"
#include "pose_check.h"
#include "pose_text.h"
#include "word_lines.h"

typedef struct scene_reader {
    tumble_context *context;
    const char *path;
    int orthonormalise;
    cli_scene_file *scene;
} scene_reader;

/* ---- Poses ---- */

typedef struct single_pose {
    cli_raw_pose pose;
    size_t count;
} single_pose;

static int keep_pose(void *user, const cli_raw_pose *pose)
{
    single_pose *single = user;
    single->pose = *pose;
    single->count++;
    return 0;
}

/* The pose at the end of a line, which is that of the named object. */
static int read_pose(const scene_reader *reader, const cli_line *line, const char *name, tumble_pose *out)
{
    single_pose single = {.count = 0};
    cli_pose_reader poses = {.sink = keep_pose, .user = &single};
    line->rest[strcspn(line->rest, "#")] = '\0';
    if (cli_pose_feed(&poses, line->rest) || cli_pose_finish(&poses)) {
        return cli_error("%s:%zu: '%s': %s", line->file, line->number, name, poses.message);
    }
    if (single.count != 1) {
        return cli_error("%s:%zu: '%s' has %s: give it 12 numbers, the rows of a 3x4 matrix", line->file, line->number,
                         name, single.count ? "more than one pose" : "no pose");
    }
    char subject[512];
    snprintf(subject, sizeof subject, "%s:%zu: '%.100s'", line->file, line->number, name);
    return cli_pose_from_raw(reader->context, &single.pose, reader->orthonormalise, subject, out);
}

/* ---- Objects ---- */

/* A path that stands in a file, from where the command runs. */
static char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    const size_t folder = slash && path[0] != '/' ? (size_t)(slash - file) + 1 : 0;
    char *joined = malloc(folder + strlen(path) + 1);
    if (joined) {
        memcpy(joined, file, folder);
        memcpy(joined + folder, path, strlen(path) + 1);
    }
    return joined;
}

static int add_object(void *user, cli_line *line)
{
    const scene_reader *reader = user;
    cli_scene_file *scene = reader->scene;
    char *name, *mesh;
    int error = cli_next_word(line, &name);
    error = error ? error : cli_next_word(line, &mesh);
    if (!error && !*name) {
        return cli_error("%s:%zu: the name is empty: give a name, a mesh file and 12 numbers", line->file,
                         line->number);
    }
    if (!error && !*mesh) {
        return cli_error("%s:%zu: '%s' has no mesh: give a name, a mesh file and 12 numbers", line->file, line->number,
                         name);
    }
    if (error) {
        return error;
    }
    cli_scene_object *objects = cli_grow(scene->objects, scene->object_count, &scene->object_capacity, sizeof *objects);
    if (!objects) {
        return cli_memory_error("the scene");
    }
    scene->objects = objects;
    cli_scene_object *object = &objects[scene->object_count++];
    *object = (cli_scene_object){.name = strdup(name), .mesh = path_beside(reader->path, mesh), .line = line->number};
    if (!object->name || !object->mesh) {
        return cli_memory_error("the scene");
    }
    return read_pose(reader, line, object->name, &object->pose);
}

/* qsort has no argument for the objects. */
typedef struct named {
    const char *name;
    size_t number;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->number < y->number ? -1 : 1;
}

/* Sorts the names; the same one twice is an error. */
static int sort_names(cli_scene_file *scene, const char *path)
{
    named *names = malloc((scene->object_count + 1) * sizeof *names);
    scene->by_name = malloc((scene->object_count + 1) * sizeof *scene->by_name);
    if (!names || !scene->by_name) {
        free(names);
        return cli_memory_error("the scene");
    }
    for (size_t i = 0; i < scene->object_count; i++) {
        names[i] = (named){scene->objects[i].name, i};
    }
    qsort(names, scene->object_count, sizeof *names, compare_names);
    int error = 0;
    for (size_t i = 0; i < scene->object_count && !error; i++) {
        scene->by_name[i] = names[i].number;
        if (i > 0 && strcmp(names[i - 1].name, names[i].name) == 0) {
            error = cli_error("%s:%zu: there is an object '%s' in line %zu already: give each a name of its own",
                              cli_file_name(path), scene->objects[names[i].number].line, names[i].name,
                              scene->objects[names[i - 1].number].line);
        }
    }
    free(names);
    return error;
}

int cli_scene_read(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *out)
{
    scene_reader reader = {context, path, orthonormalise, out};
    const int error = cli_read_lines(path, "a scene", add_object, &reader);
    if (!error && out->object_count == 0) {
        return cli_error("%s: there are no objects: give a line for each, with a name, a mesh file and 12 numbers",
                         cli_file_name(path));
    }
    return error ? error : sort_names(out, path);
}

/* ---- Motions ---- */

/* The next word, which must be an object's name. */
static int read_object(const cli_scene_file *scene, cli_line *line, const char *what, size_t *out)
{
    char *name;
    const int error = cli_next_word(line, &name);
    if (error || !*name) {
        return error ? error : cli_error("%s:%zu: the line is too short: give %s", line->file, line->number, what);
    }
    size_t first = 0, last = scene->object_count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        const int order = strcmp(scene->objects[scene->by_name[middle]].name, name);
        if (order == 0) {
            *out = scene->by_name[middle];
            return 0;
        }
        *(order < 0 ? &first : &last) = middle + (order < 0);
    }
    return cli_error("%s:%zu: the scene has no object '%s': give a name that the scene's file has", line->file,
                     line->number, name);
}

static int read_step(cli_line *line, uint64_t *out)
{
    char *word, *end = NULL;
    const int error = cli_next_word(line, &word);
    if (error) {
        return error;
    }
    errno = 0;
    *out = strtoull(word, &end, 10);
    if (*end || end == word || *word == '-' || errno) {
        return cli_error("%s:%zu: '%s' is not the number of a step: give a step, an object's name and 12 numbers",
                         line->file, line->number, word);
    }
    return 0;
}

/* Steps go up, and move an object once. */
static int check_order(const cli_scene_file *scene, const cli_line *line, uint64_t step, size_t number)
{
    const cli_scene_object *object = &scene->objects[number];
    if (scene->motion_count > 0 && scene->motions[scene->motion_count - 1].step > step) {
        return cli_error("%s:%zu: step %llu comes after step %llu: sort the lines by their steps", line->file,
                         line->number, (unsigned long long)step,
                         (unsigned long long)scene->motions[scene->motion_count - 1].step);
    }
    if (object->moved && object->moved_step == step) {
        return cli_error("%s:%zu: step %llu has moved '%s' in line %zu already: leave one of them out", line->file,
                         line->number, (unsigned long long)step, object->name, object->moved);
    }
    return 0;
}

static int add_motion(void *user, cli_line *line)
{
    const scene_reader *reader = user;
    cli_scene_file *scene = reader->scene;
    cli_scene_motion motion = {.step = 0};
    int error = read_step(line, &motion.step);
    error = error ? error : read_object(scene, line, "a step, an object's name and 12 numbers", &motion.object);
    error = error ? error : check_order(scene, line, motion.step, motion.object);
    error = error ? error : read_pose(reader, line, scene->objects[motion.object].name, &motion.pose);
    if (error) {
        return error;
    }
    cli_scene_motion *motions = cli_grow(scene->motions, scene->motion_count, &scene->motion_capacity, sizeof *motions);
    if (!motions) {
        return cli_memory_error("the motions");
    }
    scene->motions = motions;
    motions[scene->motion_count++] = motion;
    scene->objects[motion.object].moved = line->number;
    scene->objects[motion.object].moved_step = motion.step;
    return 0;
}

int cli_scene_read_motions(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *scene)
{
    scene_reader reader = {context, path, orthonormalise, scene};
    const int error = cli_read_lines(path, "steps", add_motion, &reader);
    if (!error && scene->motion_count == 0) {
        return cli_error("%s: there are no motions: give a line for each, with a step, a name and 12 numbers",
                         cli_file_name(path));
    }
    return error;
}

/* ---- Ignored pairs ---- */

static int add_ignored(void *user, cli_line *line)
{
    const scene_reader *reader = user;
    cli_scene_file *scene = reader->scene;
    cli_scene_pair pair = {0, 0};
    char *more = NULL;
    int error = read_object(scene, line, "the names of two objects", &pair.a);
    error = error ? error : read_object(scene, line, "the names of two objects", &pair.b);
    error = error ? error : cli_next_word(line, &more);
    if (!error && *more) {
        return cli_error("%s:%zu: '%s' is one word too many: give the names of two objects", line->file, line->number,
                         more);
    }
    if (!error && pair.a == pair.b) {
        return cli_error("%s:%zu: both are '%s': give the names of two objects", line->file, line->number,
                         scene->objects[pair.a].name);
    }
    if (error) {
        return error;
    }
    cli_scene_pair *ignored = cli_grow(scene->ignored, scene->ignored_count, &scene->ignored_capacity, sizeof *ignored);
    if (!ignored) {
        return cli_memory_error("the ignored pairs");
    }
    scene->ignored = ignored;
    ignored[scene->ignored_count++] = pair;
    return 0;
}

int cli_scene_read_ignored(tumble_context *context, const char *path, cli_scene_file *scene)
{
    scene_reader reader = {context, path, 0, scene};
    return cli_read_lines(path, "pairs of names", add_ignored, &reader);
}

void cli_scene_free(cli_scene_file *scene)
{
    for (size_t i = 0; i < scene->object_count; i++) {
        free(scene->objects[i].name);
        free(scene->objects[i].mesh);
    }
    free(scene->objects);
    free(scene->by_name);
    free(scene->motions);
    free(scene->ignored);
    *scene = (cli_scene_file){.objects = NULL};
}
