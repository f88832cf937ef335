/* Poses from the command line and from files. */
#ifndef TUMBLE_CLI_POSES_H
#define TUMBLE_CLI_POSES_H

#include <stddef.h>

#include "options.h"
#include "output.h"
#include "tumble/math.h"

/* The identity when the option was not given. Returns 0 or an exit status after reporting the error. */
int cli_pose_from_argument(tumble_context *context, const cli_pose_argument *argument, const char *option,
                           tumble_pose *out);

/* A path: free(poses). */
typedef struct cli_path {
    tumble_pose *poses;
    size_t count;
} cli_path;

/* A file with a pose a line: 12 numbers separated by blanks or commas. Empty lines and what follows a '#' are skipped.
 * Errors name the line. A file without poses is an error. */
int cli_path_read(tumble_context *context, const char *file_name, cli_path *out);
void cli_path_free(cli_path *path);

/* Writes a pose as one line that reads back as the same numbers. */
void cli_pose_print(FILE *file, const tumble_pose *pose);

#endif
