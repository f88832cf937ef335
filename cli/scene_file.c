/* Files of 'tumble scene'. */
#include "scene_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "message.h"
#include "pose_check.h"
#include "pose_text.h"

/* ---- Lines ---- */

typedef struct line_reader {
    tumble_context *context;
    const char *path, *name; /* the second is for messages */
    int orthonormalise;
    size_t line;
    cli_scene_file *scene;
} line_reader;

/* One line without its comment; returns 0 to go on. */
typedef int line_sink(line_reader *reader, char *line);

static const char blanks[] = " \t\r\n";

static int read_lines(line_reader *reader, const char *what, line_sink *sink)
{
    FILE *file = cli_open_text(reader->path, what);
    if (!file) {
        return CLI_EXIT_ERROR;
    }
    char *line = NULL;
    size_t capacity = 0;
    int error = 0;
    errno = 0;
    while (!error && getline(&line, &capacity, file) >= 0) {
        reader->line++;
        line[strcspn(line, "#")] = '\0';
        char *start = line + (reader->line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        start += strspn(start, blanks);
        error = *start ? sink(reader, start) : 0;
    }
    if (!error && ferror(file)) {
        error = cli_error("%s: cannot be read: %s", reader->name, strerror(errno));
    }
    free(line);
    cli_close_text(file);
    return error;
}

/* The next word of a line, ended by a zero; empty if there is none. Moves on to what follows. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, blanks);
    char *end = word + strcspn(word, blanks);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

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

/* The pose at the end of a line. */
static int read_pose(const line_reader *reader, const char *text, tumble_pose *out)
{
    single_pose single = {.count = 0};
    cli_pose_reader poses = {.sink = keep_pose, .user = &single};
    if (cli_pose_feed(&poses, text) || cli_pose_finish(&poses)) {
        return cli_error("%s:%zu: %s", reader->name, reader->line, poses.message);
    }
    if (single.count != 1) {
        return cli_error("%s:%zu: the line ends with %zu poses: give one, 12 numbers", reader->name, reader->line,
                         single.count);
    }
    char subject[512];
    snprintf(subject, sizeof subject, "%s:%zu", reader->name, reader->line);
    return cli_pose_from_raw(reader->context, &single.pose, reader->orthonormalise, subject, out);
}

/* Room for one more item. */
static int reserve(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return 0;
    }
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    larger = realloc(old, wanted * size);
    if (!larger) {
        return cli_memory_error("the scene");
    }
    memcpy(array, &larger, sizeof larger);
    *capacity = wanted;
    return 0;
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

static int add_object(line_reader *reader, char *line)
{
    cli_scene_file *scene = reader->scene;
    char *rest = line;
    const char *name = next_word(&rest), *mesh = next_word(&rest);
    if (!*mesh) {
        return cli_error("%s:%zu: '%s' has no mesh: give a name, a mesh file and 12 numbers", reader->name,
                         reader->line, name);
    }
    int error = reserve(&scene->objects, scene->object_count, &scene->object_capacity, sizeof *scene->objects);
    if (error) {
        return error;
    }
    cli_scene_object *object = &scene->objects[scene->object_count];
    *object = (cli_scene_object){strdup(name), path_beside(reader->path, mesh), tumble_pose_identity(), reader->line};
    scene->object_count++;
    if (!object->name || !object->mesh) {
        return cli_memory_error("the scene");
    }
    return read_pose(reader, rest, &object->pose);
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
static int sort_names(const line_reader *reader)
{
    cli_scene_file *scene = reader->scene;
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
                              reader->name, scene->objects[names[i].number].line, names[i].name,
                              scene->objects[names[i - 1].number].line);
        }
    }
    free(names);
    return error;
}

int cli_scene_read(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *out)
{
    line_reader reader = {context, path, cli_file_name(path), orthonormalise, 0, out};
    int error = read_lines(&reader, "a scene", add_object);
    if (!error && out->object_count == 0) {
        error = cli_error("%s: there are no objects: give a line for each, with a name, a mesh file and 12 numbers",
                          reader.name);
    }
    return error ? error : sort_names(&reader);
}

/* ---- Motions ---- */

/* The number of an object; object_count if there is none of that name. */
static size_t find_object(const cli_scene_file *scene, const char *name)
{
    size_t first = 0, last = scene->object_count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        const int order = strcmp(scene->objects[scene->by_name[middle]].name, name);
        if (order == 0) {
            return scene->by_name[middle];
        }
        if (order < 0) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return scene->object_count;
}

static int add_motion(line_reader *reader, char *line)
{
    cli_scene_file *scene = reader->scene;
    char *rest = line, *end = NULL;
    const char *number = next_word(&rest), *name = next_word(&rest);
    errno = 0;
    const uint64_t step = strtoull(number, &end, 10);
    if (*end || end == number || *number == '-' || errno) {
        return cli_error("%s:%zu: '%s' is not the number of a step: give a step, an object's name and 12 numbers",
                         reader->name, reader->line, number);
    }
    const size_t object = find_object(scene, name);
    if (object == scene->object_count) {
        return cli_error("%s:%zu: the scene has no object '%s'", reader->name, reader->line, name);
    }
    if (scene->motion_count > 0 && scene->motions[scene->motion_count - 1].step > step) {
        return cli_error("%s:%zu: step %llu comes after step %llu: sort the lines by their steps", reader->name,
                         reader->line, (unsigned long long)step,
                         (unsigned long long)scene->motions[scene->motion_count - 1].step);
    }
    int error = reserve(&scene->motions, scene->motion_count, &scene->motion_capacity, sizeof *scene->motions);
    if (error) {
        return error;
    }
    cli_scene_motion *motion = &scene->motions[scene->motion_count];
    *motion = (cli_scene_motion){step, object, tumble_pose_identity()};
    error = read_pose(reader, rest, &motion->pose);
    scene->motion_count += !error;
    return error;
}

int cli_scene_read_motions(tumble_context *context, const char *path, int orthonormalise, cli_scene_file *scene)
{
    line_reader reader = {context, path, cli_file_name(path), orthonormalise, 0, scene};
    const int error = read_lines(&reader, "steps", add_motion);
    if (!error && scene->motion_count == 0) {
        return cli_error("%s: there are no motions: give a line for each, with a step, a name and 12 numbers",
                         reader.name);
    }
    return error;
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
    *scene = (cli_scene_file){.objects = NULL};
}
