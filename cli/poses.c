/* Poses from the command line and from files. */
#include "poses.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "grow.h"
#include "io/number.h"
#include "message.h"
#include "pose_check.h"
#include "pose_text.h"

/* ---- from options ---- */

enum {
    LONGEST_TEXT = 4096
};

/* The value in one piece; 0: it is too long. */
static int join(const cli_words *words, char text[LONGEST_TEXT])
{
    int used = snprintf(text, LONGEST_TEXT, "%s", words->first);
    for (size_t i = 0; i < words->more_count && used < LONGEST_TEXT; i++) {
        used += snprintf(text + used, (size_t)(LONGEST_TEXT - used), " %s", words->more[i]);
    }
    return used < LONGEST_TEXT;
}

typedef struct single_pose {
    cli_raw_pose pose;
    size_t count;
} single_pose;

static int keep_single(void *user, const cli_raw_pose *pose)
{
    single_pose *single = user;
    single->pose = *pose;
    single->count++;
    return 0;
}

static int read_single(const char *option, char *text, single_pose *out)
{
    cli_pose_reader reader = {.sink = keep_single, .user = out};
    int failed = 0;
    for (char *line = text; line && !failed;) { /* also an option may have several */
        char *end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        failed = cli_pose_feed(&reader, line);
        line = end ? end + 1 : NULL;
    }
    failed = failed ? failed : cli_pose_finish(&reader);
    if (failed) {
        return cli_error("--%s: %s", option, reader.message);
    }
    if (out->count == 0) {
        return cli_error("--%s is empty: give a pose, as in --%s \"1 0 0 5  0 1 0 0  0 0 1 0\"", option, option);
    }
    return out->count == 1 ? 0
                           : cli_error("--%s has %zu poses: give one, as in --%s \"1 0 0 5  0 1 0 0  0 0 1 0\"", option,
                                       out->count, option);
}

static int read_pose(tumble_context *context, const cli_words *words, int orthonormalise, tumble_pose *out)
{
    char text[LONGEST_TEXT], subject[32];
    single_pose single = {.count = 0};
    snprintf(subject, sizeof subject, "--%s", words->option->name);
    const int error = join(words, text) ? read_single(words->option->name, text, &single)
                                        : cli_error("%s: the value is too long: give one pose", subject);
    return error ? error : cli_pose_from_raw(context, &single.pose, orthonormalise, subject, out);
}

size_t cli_scan_numbers(const char *text, double *numbers, size_t capacity)
{
    static const char separators[] = " \t\r\n,;[]";
    size_t count = 0;
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        const size_t length = strcspn(text, separators);
        double number;
        if (tmb_parse_double(text, text + length, &number) != text + length || !isfinite(number)) {
            return SIZE_MAX;
        }
        if (count < capacity) {
            numbers[count] = number;
        }
        count++;
        text += length;
    }
    return count;
}

static int move_of(const char *option, const char *text, tumble_pose *out)
{
    double by[3];
    if (cli_scan_numbers(text, by, 3) != 3) {
        return cli_error("--%s '%s' is not a translation: give three numbers, as in --%s \"0 0 12.5\"", option, text,
                         option);
    }
    *out = tumble_pose_identity();
    for (int i = 0; i < 3; i++) {
        out->m[i][3] = by[i];
    }
    return 0;
}

/* The sine and cosine of degrees, exact for right angles. */
static void sine_and_cosine(double degrees, double *sine, double *cosine)
{
    const double turn = remainder(degrees, 360), quarter = nearbyint(turn / 90);
    const double rest = (turn - 90 * quarter) * (3.14159265358979323846 / 180), s = sin(rest), c = cos(rest);
    switch (((int)quarter + 4) % 4) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

/* Rodrigues' formula; about x, y and z the matrix has exact zeros and ones. */
static int turn_about(const char *option, const double axis[3], double degrees, tumble_pose *out)
{
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (!(length > 0) || !isfinite(length)) {
        return cli_error("--%s: the axis is 0 0 0, which has no direction: give x, y, z or another axis", option);
    }
    const double u[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    double sine, cosine;
    sine_and_cosine(degrees, &sine, &cosine);
    *out = tumble_pose_identity();
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        out->m[i][i] = u[i] * u[i] + (1 - u[i] * u[i]) * cosine;
        out->m[i][i1] = u[i] * u[i1] * (1 - cosine) - sine * u[i2];
        out->m[i][i2] = u[i] * u[i2] * (1 - cosine) + sine * u[i1];
    }
    return 0;
}

static int turn_of(const char *option, const char *text, tumble_pose *out)
{
    const char *start = text + strspn(text, " \t\"[");
    const int letter = start[0] >= 'x' && start[0] <= 'z'   ? start[0] - 'x'
                       : start[0] >= 'X' && start[0] <= 'Z' ? start[0] - 'X'
                                                            : -1;
    double numbers[4] = {0};
    const size_t count =
        cli_scan_numbers(letter >= 0 ? start + 1 : start, letter >= 0 ? numbers + 3 : numbers, letter >= 0 ? 1 : 4);
    if (count != (letter >= 0 ? 1U : 4U)) {
        return cli_error("--%s '%s' is not an axis and an angle: give x, y, z or three numbers, then degrees, as in "
                         "--%s \"z 90\" or --%s \"1 1 0 45\"",
                         option, text, option, option);
    }
    if (letter >= 0) {
        numbers[letter] = 1;
    }
    return turn_about(option, numbers, numbers[3], out);
}

int cli_placement_steps(tumble_context *context, const cli_placement *placement, tumble_pose *out)
{
    *out = tumble_pose_identity();
    for (size_t i = 0; i < placement->steps.count; i++) {
        const cli_words *words = &placement->steps.items[i];
        const char *name = words->option->name;
        char text[LONGEST_TEXT];
        tumble_pose step;
        int error = join(words, text) ? 0 : cli_error("--%s: the value is too long: give a few numbers", name);
        error = error ? error : strncmp(name, "turn", 4) == 0 ? turn_of(name, text, &step) : move_of(name, text, &step);
        if (error) {
            return error;
        }
        *out = tumble_pose_compose(&step, out);
    }
    const tumble_status status = tumble_pose_check(context, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, "the moves and turns");
}

int cli_placement_pose(tumble_context *context, const cli_placement *placement, int orthonormalise, tumble_pose *out)
{
    tumble_pose steps;
    *out = tumble_pose_identity();
    int error = placement->pose.option ? read_pose(context, &placement->pose, orthonormalise, out) : 0;
    error = error ? error : cli_placement_steps(context, placement, &steps);
    if (!error && placement->steps.count > 0) {
        *out = tumble_pose_compose(&steps, out);
    }
    return error;
}

/* ---- from files ---- */

/* Where the reader of a file stands. */
typedef struct path_file {
    tumble_context *context;
    const char *name;
    size_t line;
    int orthonormalise;
    const tumble_pose *outer; /* NULL: nothing is applied */
    cli_path *path;
    size_t capacity;
    int error;
} path_file;

static int path_grow(path_file *file)
{
    cli_path *path = file->path;
    tumble_pose *poses = cli_grow(path->poses, path->count, &file->capacity, sizeof *poses);
    if (!poses) {
        return cli_memory_error("the poses");
    }
    path->poses = poses;
    return 0;
}

static int keep_pose(void *user, const cli_raw_pose *raw)
{
    path_file *file = user;
    char subject[4200];
    tumble_pose pose;
    snprintf(subject, sizeof subject, "%s: line %zu, step %zu", file->name, file->line, file->path->count);
    file->error = cli_pose_from_raw(file->context, raw, file->orthonormalise, subject, &pose);
    file->error = file->error ? file->error : path_grow(file);
    if (!file->error) {
        file->path->poses[file->path->count++] = file->outer ? tumble_pose_compose(file->outer, &pose) : pose;
    }
    return file->error;
}

static int reader_error(const path_file *file, const cli_pose_reader *reader)
{
    return file->error
               ? file->error
               : cli_error("%s: line %zu, step %zu: %s", file->name, file->line, file->path->count, reader->message);
}

static int read_lines(path_file *file, FILE *stream)
{
    cli_pose_reader reader = {.sink = keep_pose, .user = file};
    char *line = NULL;
    size_t capacity = 0;
    int failed = 0;
    while (!failed && getline(&line, &capacity, stream) >= 0) {
        file->line++;
        failed = cli_pose_feed(&reader, line);
    }
    free(line);
    if (!failed && ferror(stream)) {
        return cli_error("%s: cannot be read (%s): give a file with poses", file->name, strerror(errno));
    }
    failed = failed ? failed : cli_pose_finish(&reader);
    return failed ? reader_error(file, &reader) : 0;
}

int cli_path_read(tumble_context *context, const char *file_name, int orthonormalise, const tumble_pose *outer,
                  cli_path *out)
{
    *out = (cli_path){NULL, 0};
    path_file file = {.context = context,
                      .name = cli_file_name(file_name),
                      .orthonormalise = orthonormalise,
                      .outer = outer,
                      .path = out};
    FILE *stream = cli_open_text(file_name, "a file with a pose per line");
    if (!stream) {
        return CLI_EXIT_ERROR;
    }
    int error = read_lines(&file, stream);
    cli_close_text(stream);
    if (!error && out->count == 0) {
        error = cli_error("%s: has no poses: write 12 numbers per line, the rows of a 3x4 matrix", file.name);
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
