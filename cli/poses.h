/* Poses from the command line and from files. */
#ifndef TUMBLE_CLI_POSES_H
#define TUMBLE_CLI_POSES_H

#include <stddef.h>
#include <stdio.h>

#include "options.h"
#include "tumble/math.h"

/* Where the options put a model: --pose, then every --move and --turn in the order in which they were given. */
typedef struct cli_placement {
    cli_words pose;
    cli_steps steps;
} cli_placement;

/* The pose and the steps, and the steps alone; the identity where there is nothing. Return 0 or an exit status after
 * reporting the error. */
int cli_placement_pose(tumble_context *context, const cli_placement *placement, int orthonormalise, tumble_pose *out);
int cli_placement_steps(tumble_context *context, const cli_placement *placement, tumble_pose *out);

/* Finite numbers between blanks, commas, semicolons or brackets. Returns how many there are, of which the first
 * `capacity` are stored; SIZE_MAX: there is a word that is none. */
size_t cli_scan_numbers(const char *text, double *numbers, size_t capacity);

/* A path: free(poses). */
typedef struct cli_path {
    tumble_pose *poses;
    size_t count;
} cli_path;

/* A file with poses in any of the forms of pose_text.h, or standard input for "-". `outer` is applied after each.
 * Errors name the line and the step. A file without poses is an error. */
int cli_path_read(tumble_context *context, const char *file_name, int orthonormalise, const tumble_pose *outer,
                  cli_path *out);
void cli_path_free(cli_path *path);

/* Writes a pose as one line that reads back as the same numbers. */
void cli_pose_print(FILE *file, const tumble_pose *pose);

#endif
