/* The unit and the up axis of a model's coordinates. */
#include "frame.h"

#include <math.h>
#include <stdlib.h>

#include "io/mesh_buffer.h"
#include "message.h"

enum {
    UNIT_COUNT = 6
};

const cli_choice cli_units[] = {{"um", 1, NULL}, {"mm", 2, NULL}, {"cm", 3, NULL}, {"m", 4, NULL},
                                {"in", 5, NULL}, {"ft", 6, NULL}, {NULL, 0, NULL}};

const cli_choice cli_axes[] = {{"x", 1, NULL}, {"y", 2, NULL}, {"z", 3, NULL}, {NULL, 0, NULL}};

static double metres_of(int unit)
{
    static const double metres[UNIT_COUNT + 1] = {0, 1e-6, 1e-3, 1e-2, 1, 0.0254, 0.3048};
    return metres[unit];
}

/* Units are compared as files state them, sometimes in float. */
static int same_length(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fabs(b);
}

cli_frame_word cli_unit_word(const cli_frame *frame)
{
    cli_frame_word word = {"none"};
    for (int i = 1; i <= UNIT_COUNT; i++) {
        if (same_length(frame->metres, metres_of(i))) {
            snprintf(word.text, sizeof word.text, "%s", cli_choice_word(cli_units, i));
            return word;
        }
    }
    if (frame->metres > 0) {
        snprintf(word.text, sizeof word.text, "%.9g m", frame->metres);
    }
    return word;
}

cli_frame_word cli_up_word(const cli_frame *frame)
{
    cli_frame_word word = {"none"};
    if (frame->up) {
        snprintf(word.text, sizeof word.text, "%s%s", frame->up < 0 ? "-" : "",
                 cli_choice_word(cli_axes, abs(frame->up)));
    }
    return word;
}

void cli_json_frame(cli_json *json, const cli_frame *frame)
{
    if (frame->metres > 0) {
        cli_json_text(json, "unit", cli_unit_word(frame).text);
        cli_json_real(json, "unit_metres", frame->metres);
    }
    if (frame->up) {
        cli_json_text(json, "up", cli_up_word(frame).text);
    }
}

/* ---- conversion ---- */

/* Lengths are multiplied by `times` and divided by `by`. Both are integers for the units above, so that 1 mm is 0.001 m
 * and 1.5 in are 38.1 mm to the last bit. */
typedef struct ratio {
    double times, by;
} ratio;

/* In tenths of a micrometre, of which all units above are whole multiples. */
static double tenths_of(double metres)
{
    static const double tenths[UNIT_COUNT] = {10, 1e4, 1e5, 1e7, 254000, 3048000};
    for (int i = 0; i < UNIT_COUNT; i++) {
        if (same_length(metres, metres_of(i + 1))) {
            return tenths[i];
        }
    }
    return 1e7 * metres;
}

static ratio ratio_of(double from, double to)
{
    const double a = tenths_of(from), b = tenths_of(to);
    double divisor = a, rest = b;
    if (a != nearbyint(a)) {
        return (ratio){a / b, 1};
    }
    while (rest > 0) {
        const double next = fmod(divisor, rest);
        divisor = rest;
        rest = next;
    }
    return (ratio){a / divisor, b / divisor};
}

/* A turn by a right angle, or by two: coordinate `axis[i]` times `sign[i]` becomes coordinate i. */
typedef struct turn {
    int axis[3];
    double sign[3];
} turn;

/* Turns the axis `from`, which may be negative, to `to`, within the plane of both. */
static turn turn_of(int from, int to)
{
    turn made = {{0, 1, 2}, {1, 1, 1}};
    const int a = abs(from) - 1, b = to - 1;
    if (a != b) {
        made.axis[b] = a, made.sign[b] = from < 0 ? -1 : 1;
        made.axis[a] = b, made.sign[a] = -made.sign[b];
    } else if (from < 0) {
        made.sign[b] = -1, made.sign[(b + 1) % 3] = -1;
    }
    return made;
}

static int convert_points(const char *path, const turn *turning, ratio scale, tumble_mesh_buffer *buffer)
{
    double *points = buffer->points.data;
    for (size_t i = 0; i < buffer->point_count; i++) {
        double *point = points + 3 * i, moved[3];
        for (int k = 0; k < 3; k++) {
            moved[k] = turning->sign[k] * point[turning->axis[k]] * scale.times / scale.by;
        }
        for (int k = 0; k < 3; k++) {
            if (!isfinite(moved[k])) {
                return cli_error("%s: point %zu is too large to be converted: leave --units out", path, i);
            }
            point[k] = moved[k] + 0.0; /* no negative zeros */
        }
    }
    return 0;
}

static int unknown_error(const char *path, const char *what, const char *option, const char *word)
{
    return cli_error("%s: it states no %s, so --%s %s cannot convert it: state it with --assume-%s", path, what, option,
                     word, option);
}

/* What is to be done, and what becomes of the frame. Returns 0 or an exit status after reporting the error. */
static int plan(const char *path, const cli_frame_options *options, cli_frame *frame, ratio *scale, turn *turning)
{
    *scale = (ratio){1, 1};
    *turning = turn_of(1, 1);
    frame->metres = frame->metres > 0 ? frame->metres : metres_of(options->assumed_units);
    frame->up = frame->up ? frame->up : options->assumed_up;
    if (options->units && !(frame->metres > 0)) {
        return unknown_error(path, "unit", "units", cli_choice_word(cli_units, options->units));
    }
    if (options->up && !frame->up) {
        return unknown_error(path, "up axis", "up", cli_choice_word(cli_axes, options->up));
    }
    if (options->units) {
        *scale = ratio_of(frame->metres, metres_of(options->units));
        frame->metres = metres_of(options->units);
    }
    if (options->up) {
        *turning = turn_of(frame->up, options->up);
        frame->up = options->up;
    }
    return 0;
}

int cli_convert_frame(const char *path, const cli_frame_options *options, cli_frame *frame, tumble_mesh_buffer *buffer)
{
    ratio scale;
    turn turning;
    const int error = plan(path, options, frame, &scale, &turning);
    return error || !(options->units || options->up) ? error : convert_points(path, &turning, scale, buffer);
}

int cli_frame_transform(const char *path, const cli_frame_options *options, cli_frame *frame, double transform[12])
{
    ratio scale;
    turn turning;
    const int error = plan(path, options, frame, &scale, &turning);
    for (int i = 0; i < 12 && !error; i++) {
        const int row = i / 4, is_there = i % 4 == turning.axis[row];
        transform[i] = is_there ? turning.sign[row] * scale.times / scale.by : 0;
    }
    return error;
}

int cli_same_unit(double metres_a, double metres_b)
{
    return same_length(metres_a, metres_b);
}

int cli_convert_saved_frame(const char *path, const cli_frame_options *options, cli_frame *frame)
{
    *frame = (cli_frame){metres_of(options->assumed_units), options->assumed_up};
    const int other_units = options->units && options->units != options->assumed_units;
    if (other_units || (options->up && options->up != options->assumed_up)) {
        const char *option = other_units ? "units" : "up";
        return cli_error("%s: a saved model keeps its coordinates, and --%s cannot convert it: give --%s to 'tumble "
                         "build', or the mesh it was built from",
                         path, option, option);
    }
    return 0;
}

void cli_warn_of_frames(const char *const paths[2], const cli_frame frames[2])
{
    const cli_frame *a = &frames[0], *b = &frames[1];
    if (a->metres > 0 && b->metres > 0 && !same_length(a->metres, b->metres)) {
        cli_warning("the unit of %s is %s and that of %s is %s, and they are compared as they are; --units %s converts "
                    "both",
                    paths[0], cli_unit_word(a).text, paths[1], cli_unit_word(b).text, cli_unit_word(a).text);
    }
    if (a->up && b->up && a->up != b->up) {
        cli_warning("in %s %s is up and in %s %s, and they are compared as they are; --up %s turns both", paths[0],
                    cli_up_word(a).text, paths[1], cli_up_word(b).text, cli_choice_word(cli_axes, abs(a->up)));
    }
}
