/* Folders. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

enum {
    MOST_LEVELS = 64 /* of folders in folders: a link may lead upward */
};

static int add_file(cli_file_list *list, const char *path)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 16;
        char **paths = realloc(list->paths, capacity * sizeof *paths);
        if (!paths) {
            return cli_memory_error("a list of files");
        }
        list->paths = paths;
        list->capacity = capacity;
    }
    char *copy = strdup(path);
    if (!copy) {
        return cli_memory_error("a list of files");
    }
    list->paths[list->count++] = copy;
    return 0;
}

static int list_files(const char *path, int (*wanted)(const char *path), int level, cli_file_list *list);

static int list_entry(const char *folder, const char *name, int (*wanted)(const char *path), int level,
                      cli_file_list *list)
{
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    struct stat status;
    int error = 0;
    if (!path) {
        return cli_memory_error("a file name");
    }
    snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
    if (stat(path, &status) == 0 && (S_ISDIR(status.st_mode) || wanted(path))) {
        error = list_files(path, wanted, level + 1, list);
    }
    free(path);
    return error;
}

/* By bytes: alphasort would follow the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int list_folder(const char *path, int (*wanted)(const char *path), int level, cli_file_list *list)
{
    struct dirent **entries;
    const int count = level < MOST_LEVELS ? scandir(path, &entries, is_visible, by_name) : 0;
    int error = 0;
    if (count < 0) {
        return cli_error("%s: the folder cannot be read (%s): check its permissions", path, strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        error = error ? error : list_entry(path, entries[i]->d_name, wanted, level, list);
        free(entries[i]);
    }
    if (level < MOST_LEVELS) {
        free(entries);
    }
    return error;
}

static int list_files(const char *path, int (*wanted)(const char *path), int level, cli_file_list *list)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return list_folder(path, wanted, level, list);
    }
    return add_file(list, path);
}

int cli_list_files(const char *path, int (*wanted)(const char *path), cli_file_list *list)
{
    const size_t before = list->count;
    const int error = list_files(path, wanted, 0, list);
    if (!error && list->count == before) {
        return cli_error("%s: the folder has no model files: give one that has, or the files themselves", path);
    }
    return error;
}

void cli_free_file_list(cli_file_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
}

static int make_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode))) {
        return 0;
    }
    return cli_error("%s: the folder cannot be made (%s): choose another name with -o", path, strerror(errno));
}

int cli_make_folders(const char *path)
{
    char *copy = strdup(path);
    if (!copy) {
        return cli_memory_error("a file name");
    }
    int error = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !error; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        error = make_folder(copy);
        *slash = '/';
    }
    error = error ? error : make_folder(copy);
    free(copy);
    return error;
}
