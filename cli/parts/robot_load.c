/* Robots: from a URDF file to the parts of an assembly. */
#include "robot_load.h"

#include <stdio.h>
#include <string.h>

#include "clash_files.h"
#include "foreign.h"
#include "io/file.h"
#include "io/json_read.h"
#include "message.h"
#include "robot_shape.h"
#include "word_lines.h"

enum {
    MOST_VALUES = 7 /* of a joint */
};

int cli_is_robot(const char *path)
{
    return strcmp(cli_ending_of(path).text, "urdf") == 0;
}

/* What the readers of texts say tells what to do. */
static int text_error(const clash_run *run, tumble_status status, const char *path)
{
    return status == TUMBLE_ERROR_FORMAT ? cli_error("%s", tmb_last_error(run->context).text)
                                         : cli_library_error(run->context, status, path);
}

/* A file as text; the caller releases the buffer in any case. */
static int read_text(const clash_run *run, const char *path, tmb_buffer *data, tmb_source *source)
{
    size_t size;
    const tumble_status status = tmb_file_read(run->context, path, data, &size);
    *source = (tmb_source){run->context, path, data->data, status == TUMBLE_OK ? size : 0};
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
}

/* ---- pairs ---- */

static int read_pairs(const clash_run *run, cli_robot *robot)
{
    const cli_robot_options *options = &run->settings->robot;
    tmb_buffer data = {0};
    tmb_source source;
    const char *unknown = "";
    if (!options->srdf) {
        const tumble_status status = cli_robot_disable_adjacent(robot);
        return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, robot->source.name);
    }
    int error = read_text(run, options->srdf, &data, &source);
    if (!error) {
        const tumble_status status = cli_srdf_apply(&source, options->state, robot, &unknown);
        error = status == TUMBLE_OK ? 0 : text_error(run, status, options->srdf);
    }
    if (!error && *unknown) {
        cli_warning("%s: the robot has no link '%s', of which pairs are disabled; correct the name, or leave it out",
                    options->srdf, unknown);
    }
    tmb_buffer_release(run->context, &data);
    return error;
}

/* ---- values of joints ---- */

typedef struct joint_reader {
    const clash_run *run;
    cli_robot *robot;
} joint_reader;

static int set_joint(void *user, cli_line *line)
{
    joint_reader *r = user;
    double values[MOST_VALUES + 1];
    size_t count = 0;
    char *name, *word;
    int error = cli_next_word(line, &name);
    while (!error) {
        error = cli_next_word(line, &word);
        const char *end = word + strlen(word);
        if (error || word == end) {
            break;
        }
        if (count > MOST_VALUES || tmb_parse_double(word, end, &values[count]) != end ||
            !(values[count] - values[count] == 0)) {
            return cli_error("%s:%zu: '%s' is no value of a joint: give the name of a joint and a number", line->file,
                             line->number, word);
        }
        count++;
    }
    const tumble_status status = error ? TUMBLE_OK : cli_robot_set(r->robot, name, values, count);
    if (status == TUMBLE_ERROR_FORMAT) {
        return cli_error("%s:%zu: %s", line->file, line->number, tmb_last_error(r->run->context).text);
    }
    return error;
}

/* A member for each joint: a number, or an array of them. */
static tumble_status read_json_joints(const tmb_source *source, cli_robot *robot)
{
    tmb_json_reader json;
    tmb_json_begin(&json, source);
    tmb_json_enter(&json, '{');
    for (const char *key; (key = tmb_json_key(&json)) != NULL;) {
        double values[MOST_VALUES + 1];
        size_t count = 0;
        if (tmb_json_next(&json) != '[') {
            values[count++] = tmb_json_read_number(&json);
        } else {
            tmb_json_enter(&json, '[');
            while (json.status == TUMBLE_OK && tmb_json_item(&json)) {
                const double value = tmb_json_read_number(&json);
                values[count < MOST_VALUES ? count : MOST_VALUES] = value;
                count += count <= MOST_VALUES;
            }
        }
        if (json.status == TUMBLE_OK && cli_robot_set(robot, key, values, count) != TUMBLE_OK) {
            const tmb_error error = tmb_last_error(source->context);
            tmb_json_fail(&json, TUMBLE_ERROR_FORMAT, "%.200s", error.text);
        }
    }
    return tmb_json_end(&json);
}

static int read_joints(const clash_run *run, cli_robot *robot)
{
    const char *path = run->settings->robot.joints;
    tmb_buffer data = {0};
    tmb_source source;
    if (!path) {
        return 0;
    }
    if (strcmp(cli_ending_of(path).text, "json") != 0) {
        joint_reader reader = {run, robot};
        return cli_read_lines(path, "values of joints", set_joint, &reader);
    }
    int error = read_text(run, path, &data, &source);
    if (!error) {
        const tumble_status status = read_json_joints(&source, robot);
        error = status == TUMBLE_OK ? 0 : text_error(run, status, path);
    }
    tmb_buffer_release(run->context, &data);
    return error;
}

/* ---- parts ---- */

/* "robot/link", and the shape's name or number where the link has several. */
static void make_path(const cli_robot *robot, uint32_t number, char *out, size_t capacity)
{
    const cli_robot_shape *shape = &robot->shapes[number];
    uint32_t first = number, count = 0;
    while (first > 0 && robot->shapes[first - 1].link == shape->link) {
        first--;
    }
    while (first + count < robot->shape_count && robot->shapes[first + count].link == shape->link) {
        count++;
    }
    const int length = snprintf(out, capacity, "%.200s/%.200s", robot->name, robot->links[shape->link].name);
    if (count > 1 && *shape->name) {
        snprintf(out + length, capacity - (size_t)length, "/%.200s", shape->name);
    } else if (count > 1) {
        snprintf(out + length, capacity - (size_t)length, "/%u", (unsigned)(number - first));
    }
}

/* The frame's transform after a pose. */
static void compose(const double outer[12], const tumble_pose *inner, double out[12])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? outer[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++) {
                sum += outer[4 * i + k] * inner->m[k][j];
            }
            out[4 * i + j] = sum;
        }
    }
}

static int add_shape(clash_run *run, cli_robot *robot, uint32_t number, const tumble_pose *links,
                     const double frame[12])
{
    const cli_robot_shape *shape = &robot->shapes[number];
    const tumble_pose there = tumble_pose_compose(&links[shape->link], &shape->origin);
    char path[700];
    double transform[12];
    tumble_assembly_item item = {.name = robot->links[shape->link].name,
                                 .path = path,
                                 .file = robot->source.name,
                                 .class_name = "link",
                                 .transform = transform};
    const int error = cli_robot_model(run, robot, shape, &item.model, &item.broken);
    if (error) {
        return error;
    }
    make_path(robot, number, path, sizeof path);
    compose(frame, &there, transform);
    const tumble_status status = tumble_assembly_add(run->assembly, &item);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, robot->source.name);
}

/* Shapes of one link, and of pairs that are disabled. */
static int ignore_pairs(clash_run *run, const cli_robot *robot, size_t first)
{
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < robot->shape_count; i++) {
        for (uint32_t j = 0; j < i && status == TUMBLE_OK; j++) {
            const uint32_t a = robot->shapes[i].link, b = robot->shapes[j].link;
            if (a == b || robot->disabled[(size_t)a * robot->link_count + b]) {
                status = tumble_assembly_ignore(run->assembly, (uint32_t)first + i, (uint32_t)first + j);
            }
        }
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, robot->source.name);
}

static int add_shapes(clash_run *run, cli_robot *robot, const double frame[12])
{
    tumble_pose *links = tmb_arena_allocate(&robot->arena, robot->link_count, sizeof *links);
    size_t first;
    (void)tumble_assembly_parts(run->assembly, &first);
    const tumble_status status = links ? cli_robot_place(robot, links) : tmb_fail_memory(run->context, "a robot");
    int error = status == TUMBLE_OK ? 0 : text_error(run, status, robot->source.name);
    for (uint32_t i = 0; i < robot->shape_count && !error; i++) {
        error = add_shape(run, robot, i, links, frame);
    }
    return error ? error : ignore_pairs(run, robot, first);
}

int cli_load_robot(clash_run *run, const char *path)
{
    static const cli_frame metres_up_z = {1, 3};
    cli_robot robot = {.arena = {.context = run->context}};
    tmb_buffer data = {0};
    tmb_source source;
    double frame[12];
    int error = read_text(run, path, &data, &source);
    if (!error) {
        const tumble_status status = cli_urdf_parse(&source, &robot);
        error = status == TUMBLE_OK ? 0 : text_error(run, status, path);
    }
    error = error ? error : read_pairs(run, &robot);
    error = error ? error : read_joints(run, &robot);
    error = error ? error : cli_clash_place(run, path, &metres_up_z, frame);
    error = error ? error : add_shapes(run, &robot, frame);
    tmb_arena_release(&robot.arena);
    tmb_buffer_release(run->context, &data);
    return error;
}
