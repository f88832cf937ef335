/* Where the mesh files of a robot are. */
#include "robot_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct file_search {
    cli_robot *robot;
    const char *package, *inner; /* of package://package/inner; lengths: up to the slash, all */
    size_t package_length;
    const char *found;
    tumble_status status;
} file_search;

static int is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* "one/two/three" of the first `size` bytes, another `length`, and the rest; only if there is such a file. */
static void try_path(file_search *s, const char *folder, size_t size, const char *middle, size_t length)
{
    const size_t room = size + length + strlen(s->inner) + 3;
    char *path = s->found || s->status != TUMBLE_OK ? NULL : tmb_arena_allocate(&s->robot->arena, room, 1);
    if (!path) {
        s->status = s->found || s->status != TUMBLE_OK ? s->status : tmb_fail_memory(s->robot->arena.context, "a path");
        return;
    }
    snprintf(path, room, "%.*s/%.*s%s%s", (int)size, folder, (int)length, middle, length ? "/" : "", s->inner);
    s->found = is_file(path) ? path : NULL;
}

/* In a folder with packages, or in one that is the package. */
static void try_folder(file_search *s, const char *folder, size_t size)
{
    while (size > 1 && folder[size - 1] == '/') {
        size--;
    }
    size_t start = size;
    while (start > 0 && folder[start - 1] != '/') {
        start--;
    }
    try_path(s, folder, size, s->package, s->package_length);
    if (size - start == s->package_length && memcmp(folder + start, s->package, s->package_length) == 0) {
        try_path(s, folder, size, "", 0);
    }
}

/* Folders with ':' between them; `below` is where in them packages are. */
static void try_list(file_search *s, const char *list, const char *below)
{
    for (const char *at = list; at && *at;) {
        const size_t size = strcspn(at, ":"), room = size + strlen(below) + 1;
        char *folder = size ? tmb_arena_allocate(&s->robot->arena, room, 1) : NULL;
        if (folder) {
            snprintf(folder, room, "%.*s%s", (int)size, at, below);
            try_folder(s, folder, room - 1);
        }
        at += size + (at[size] == ':');
    }
}

/* The folder of the robot's file and those above it. */
static void try_above(file_search *s)
{
    char *full = realpath(s->robot->source.name, NULL);
    for (size_t size = full ? strlen(full) : 0; size > 0;) {
        while (size > 0 && full[size - 1] != '/') {
            size--;
        }
        size -= size > 0;
        try_folder(s, full, size);
    }
    free(full);
}

static tumble_status lost(cli_robot *robot, const cli_robot_shape *shape, const char *advice)
{
    return tmb_fail_at_line(&robot->source, shape->at, TUMBLE_ERROR_FORMAT, "the file %.120s was not found: %s",
                            shape->file, advice);
}

static tumble_status find_in_packages(cli_robot *robot, const cli_robot_shape *shape, const char *name,
                                      const char *packages, const char **out)
{
    while (*name == '/') {
        name++;
    }
    file_search s = {.robot = robot, .package = name, .package_length = strcspn(name, "/"), .status = TUMBLE_OK};
    s.inner = name + s.package_length + (name[s.package_length] == '/');
    try_list(&s, packages, "");
    try_list(&s, getenv("ROS_PACKAGE_PATH"), "");
    try_list(&s, getenv("AMENT_PREFIX_PATH"), "/share");
    try_above(&s);
    *out = s.found;
    return s.status != TUMBLE_OK || s.found ? s.status
                                            : lost(robot, shape, "say with --packages which folder has the package");
}

/* Beside the robot's file. */
static tumble_status find_beside(cli_robot *robot, const cli_robot_shape *shape, const char *name, const char **out)
{
    const char *own = robot->source.name, *slash = strrchr(own, '/');
    const size_t folder = slash && *name != '/' ? (size_t)(slash - own) + 1 : 0, room = folder + strlen(name) + 1;
    char *path = tmb_arena_allocate(&robot->arena, room, 1);
    if (!path) {
        return tmb_fail_memory(robot->arena.context, "a path");
    }
    snprintf(path, room, "%.*s%s", (int)folder, own, name);
    *out = path;
    return is_file(path) ? TUMBLE_OK : lost(robot, shape, "put it there, or correct the name");
}

tumble_status cli_robot_file(cli_robot *robot, const cli_robot_shape *shape, const char *packages, const char **out)
{
    const char *scheme = strstr(shape->file, "://"), *name = scheme ? scheme + 3 : shape->file;
    const size_t length = scheme ? (size_t)(scheme - shape->file) : 0;
    if (!scheme || (length == 4 && memcmp(shape->file, "file", 4) == 0)) {
        return find_beside(robot, shape, name, out);
    }
    if ((length == 7 && memcmp(shape->file, "package", 7) == 0) ||
        (length == 5 && memcmp(shape->file, "model", 5) == 0)) {
        return find_in_packages(robot, shape, name, packages, out);
    }
    return tmb_fail_at_line(&robot->source, shape->at, TUMBLE_ERROR_FORMAT,
                            "the file name %.120s begins with an unknown word: use package://, model:// or file://",
                            shape->file);
}
