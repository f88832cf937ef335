/* Poses from the command line and from files. */
#include "poses.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "message.h"

int cli_pose_from_argument(tumble_context *context, const cli_pose_argument *argument, const char *option,
                           tumble_pose *out)
{
    *out = tumble_pose_identity();
    if (!argument->given) {
        return 0;
    }
    const tumble_status status = tumble_pose_from_matrix(context, argument->numbers, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, option);
}

static int path_grow(cli_path *path, size_t *capacity)
{
    if (path->count < *capacity) {
        return 1;
    }
    const size_t larger = *capacity ? 2 * *capacity : 256;
    tumble_pose *poses = realloc(path->poses, larger * sizeof *poses);
    if (!poses) {
        return 0;
    }
    path->poses = poses;
    *capacity = larger;
    return 1;
}

/* Whether a line holds a pose; then it is in *out. Errors go to *error. */
static int read_line(tumble_context *context, const char *file_name, size_t line_number, const char *line,
                     tumble_pose *out, int *error)
{
    double numbers[12];
    const char *stop;
    const size_t count = cli_scan_numbers(line, numbers, 12, &stop);
    if (stop) {
        *error = cli_error("%s: line %zu: '%.*s' is not a number: write 12 numbers a line, the rows of a 3x4 matrix",
                           file_name, line_number, (int)strcspn(stop, " \t\r\n,;#"), stop);
        return 0;
    }
    if (count == 0) {
        return 0;
    }
    if (count != 12) {
        *error =
            cli_error("%s: line %zu: %zu numbers where a pose has 12: write the three rows of a 3x4 matrix in one line",
                      file_name, line_number, count);
        return 0;
    }
    const tumble_status status = tumble_pose_from_matrix(context, numbers, out);
    if (status != TUMBLE_OK) {
        char subject[4200];
        snprintf(subject, sizeof subject, "%s: line %zu", file_name, line_number);
        *error = cli_library_error(context, status, subject);
        return 0;
    }
    return 1;
}

static int read_lines(tumble_context *context, FILE *file, const char *file_name, cli_path *out)
{
    char *line = NULL;
    size_t line_capacity = 0, capacity = 0;
    int error = 0;
    for (size_t line_number = 1; !error && getline(&line, &line_capacity, file) >= 0; line_number++) {
        tumble_pose pose;
        if (!read_line(context, file_name, line_number, line, &pose, &error)) {
            continue;
        }
        if (!path_grow(out, &capacity)) {
            error = cli_memory_error("the poses");
            break;
        }
        out->poses[out->count++] = pose;
    }
    if (!error && ferror(file)) {
        error = cli_error("%s: cannot be read (%s): give a file with one pose a line", file_name, strerror(errno));
    }
    free(line);
    return error;
}

int cli_path_read(tumble_context *context, const char *file_name, cli_path *out)
{
    *out = (cli_path){NULL, 0};
    FILE *file = fopen(file_name, "r");
    if (!file) {
        return cli_error("%s: cannot be opened (%s): give a file with one pose a line", file_name, strerror(errno));
    }
    int error = read_lines(context, file, file_name, out);
    fclose(file);
    if (!error && out->count == 0) {
        error = cli_error("%s: has no poses: write 12 numbers a line, the rows of a 3x4 matrix", file_name);
    }
    if (error) {
        cli_path_free(out);
    }
    return error;
}

void cli_path_free(cli_path *path)
{
    free(path->poses);
    *path = (cli_path){NULL, 0};
}

void cli_pose_print(FILE *file, const tumble_pose *pose)
{
    for (int i = 0; i < 12; i++) {
        char text[TMB_NUMBER_TEXT + 1];
        size_t length = tmb_format_double(pose->m[i / 4][i % 4], text);
        text[length++] = i < 11 ? ' ' : '\n';
        fwrite(text, 1, length, file);
    }
}
