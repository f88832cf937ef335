/* Poses as people and programs write them. */
#include "pose_text.h"

#include <stdio.h>
#include <string.h>

#include "io/number.h"

#define FORMS "write 12 numbers (the rows of a 3x4 matrix), 16 (4x4), or quaternion w x y z  x y z"

enum {
    W_FIRST = 1,
    W_LAST = 4
};

static int is_separator(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == ',' || letter == ';';
}

static int ends_word(char letter)
{
    return letter == '\0' || letter == '#' || letter == '[' || letter == ']' || is_separator(letter);
}

/* ---- what the numbers are ---- */

static int emit(cli_pose_reader *reader, const cli_raw_pose *pose)
{
    return reader->sink(reader->user, pose);
}

static int check_last_row(cli_pose_reader *reader, const double row[4])
{
    if (row[0] == 0 && row[1] == 0 && row[2] == 0 && row[3] == 1) {
        return 0;
    }
    snprintf(reader->message, sizeof reader->message,
             "the fourth row is %.6g %.6g %.6g %.6g, but a pose has 0 0 0 1 there: write the matrix row by row, with "
             "the translation in the last column",
             row[0], row[1], row[2], row[3]);
    return 1;
}

static int emit_matrix(cli_pose_reader *reader, const double *numbers, size_t count)
{
    cli_raw_pose pose = {.is_quaternion = 0};
    memcpy(pose.numbers, numbers, sizeof pose.numbers);
    if (count == 16 && check_last_row(reader, numbers + 12)) {
        return 1;
    }
    return emit(reader, &pose);
}

static int emit_quaternion(cli_pose_reader *reader, const cli_pose_group *group)
{
    if (group->count != 4 && group->count != 7) {
        snprintf(reader->message, sizeof reader->message,
                 "a quaternion with %zu numbers: write four, followed by three of a translation", group->count);
        return 1;
    }
    cli_raw_pose pose = {.is_quaternion = 1};
    for (size_t i = 0; i < group->count; i++) {
        const size_t place = i >= 4 || group->quaternion == W_FIRST ? i : (i + 1) % 4;
        pose.numbers[place] = group->numbers[i];
    }
    return emit(reader, &pose);
}

/* Rows that stood on their own. */
static int flush_rows(cli_pose_reader *reader, cli_pose_group *group)
{
    const size_t count = group->row_count;
    group->row_count = 0;
    if (count == 0) {
        return 0;
    }
    if (count < 3) {
        snprintf(reader->message, sizeof reader->message, "%zu row%s of 4 numbers where a pose has 3 or 4: " FORMS,
                 count, count == 1 ? "" : "s");
        return 1;
    }
    group->has_poses = 1;
    return emit_matrix(reader, group->rows[0], 4 * count);
}

static int add_row(cli_pose_reader *reader, cli_pose_group *group, const double row[4])
{
    if (group->row_count == 4) {
        snprintf(reader->message, sizeof reader->message,
                 "more than 4 rows of 4 numbers: separate poses by an empty "
                 "line, or put each into brackets");
        return 1;
    }
    memcpy(group->rows[group->row_count++], row, 4 * sizeof *row);
    return 0;
}

/* A group is complete: a pose, or a row for the group around it, which may be the same. */
static int settle(cli_pose_reader *reader, cli_pose_group *group, cli_pose_group *around)
{
    const cli_pose_group whole = *group;
    group->count = 0;
    group->quaternion = 0;
    if (whole.count == 4 && !whole.quaternion) {
        return add_row(reader, around, whole.numbers);
    }
    if (whole.count == 0 && !whole.quaternion) {
        return 0;
    }
    if (!whole.quaternion && whole.count != 12 && whole.count != 16) {
        snprintf(reader->message, sizeof reader->message, "%zu number%s where a pose has 12 or 16: " FORMS, whole.count,
                 whole.count == 1 ? "" : "s");
        return 1;
    }
    const int error = flush_rows(reader, around);
    around->has_poses = 1;
    return error              ? error
           : whole.quaternion ? emit_quaternion(reader, &whole)
                              : emit_matrix(reader, whole.numbers, whole.count);
}

/* ---- brackets and words ---- */

static int open_bracket(cli_pose_reader *reader)
{
    if (reader->groups[reader->depth].count > 0) {
        snprintf(reader->message, sizeof reader->message, "a bracket opens after numbers: " FORMS);
        return 1;
    }
    if (reader->depth == CLI_POSE_DEPTH) {
        snprintf(reader->message, sizeof reader->message, "too many brackets: " FORMS);
        return 1;
    }
    reader->groups[++reader->depth] = (cli_pose_group){.count = 0};
    return 0;
}

static int close_bracket(cli_pose_reader *reader)
{
    if (reader->depth == 0) {
        snprintf(reader->message, sizeof reader->message, "']' without '[': " FORMS);
        return 1;
    }
    cli_pose_group *group = &reader->groups[reader->depth], *around = &reader->groups[--reader->depth];
    if (group->count > 0 && (group->row_count > 0 || group->has_poses)) {
        snprintf(reader->message, sizeof reader->message, "numbers beside brackets: " FORMS);
        return 1;
    }
    const int error = flush_rows(reader, group);
    around->has_poses |= group->has_poses;
    return error ? error : settle(reader, group, around);
}

static int read_word(cli_pose_reader *reader, const char *word, size_t length)
{
    cli_pose_group *group = &reader->groups[reader->depth];
    static const char first[] = "quaternion", last[] = "quaternion-xyzw";
    if (group->count == 0 && length == sizeof first - 1 && memcmp(word, first, length) == 0) {
        group->quaternion = W_FIRST;
        return 0;
    }
    if (group->count == 0 && length == sizeof last - 1 && memcmp(word, last, length) == 0) {
        group->quaternion = W_LAST;
        return 0;
    }
    snprintf(reader->message, sizeof reader->message, "'%.*s' is not a number: " FORMS, length < 60 ? (int)length : 60,
             word);
    return 1;
}

/* One number or word; *text moves after it. */
static int read_item(cli_pose_reader *reader, const char **text)
{
    size_t length = 0;
    while (!ends_word((*text)[length])) {
        length++;
    }
    const char *word = *text;
    double number;
    *text += length;
    if (tmb_parse_double(word, word + length, &number) != word + length) {
        return read_word(reader, word, length);
    }
    cli_pose_group *group = &reader->groups[reader->depth];
    if (group->count < 16) {
        group->numbers[group->count] = number;
    }
    group->count++;
    return 0;
}

static int read_line(cli_pose_reader *reader, const char *text)
{
    int error = 0;
    while (!error) {
        while (is_separator(*text)) {
            text++;
        }
        if (*text == '\0' || *text == '#') {
            break;
        }
        if (*text == '[') {
            error = open_bracket(reader);
            text++;
        } else if (*text == ']') {
            error = close_bracket(reader);
            text++;
        } else {
            error = read_item(reader, &text);
        }
    }
    return error;
}

/* ---- lines ---- */

/* Four rows are a pose, and so are three in one line; else they wait for more. */
static int end_line(cli_pose_reader *reader, size_t rows_before)
{
    cli_pose_group *line = &reader->groups[0];
    const int had_numbers = line->count > 0 || line->quaternion;
    if (!had_numbers && line->row_count == rows_before) {
        return flush_rows(reader, line);
    }
    const int error = settle(reader, line, line);
    const int is_whole = line->row_count == 4 || line->row_count >= rows_before + 3;
    return error || !is_whole ? error : flush_rows(reader, line);
}

int cli_pose_feed(cli_pose_reader *reader, const char *line)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (!reader->started && strncmp(line, byte_order_mark, 3) == 0) {
        line += 3;
    }
    reader->started = 1;
    const size_t rows_before = reader->groups[0].row_count;
    const int error = read_line(reader, line);
    return error || reader->depth > 0 ? error : end_line(reader, rows_before);
}

int cli_pose_finish(cli_pose_reader *reader)
{
    if (reader->depth > 0) {
        snprintf(reader->message, sizeof reader->message, "a bracket is not closed: write a ']' for each '['");
        return 1;
    }
    return flush_rows(reader, &reader->groups[0]);
}
