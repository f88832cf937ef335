/* Files below a folder, and folders that results go to. */
#ifndef TUMBLE_CLI_FOLDER_H
#define TUMBLE_CLI_FOLDER_H

#include <stddef.h>

/* Start with zeros; free also after an error. */
typedef struct cli_file_list {
    char **paths;
    size_t count, capacity;
} cli_file_list;

/* Adds a file; or, of a folder, all files below it that `wanted` accepts, in the order of their names. Returns 0 or an
 * exit status after reporting the error. */
int cli_list_files(const char *path, int (*wanted)(const char *path), cli_file_list *list);
void cli_free_file_list(cli_file_list *list);

/* Makes a folder, and those above it, unless they exist. */
int cli_make_folders(const char *path);

#endif
