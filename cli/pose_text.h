/* Poses as people and programs write them: 12 or 16 numbers, flat or in brackets, in one line or a row per line, or a
 * quaternion. */
#ifndef TUMBLE_CLI_POSE_TEXT_H
#define TUMBLE_CLI_POSE_TEXT_H

#include <stddef.h>

/* What was written, before anybody has looked whether it is a pose. */
typedef struct cli_raw_pose {
    int is_quaternion;
    double numbers[12]; /* the first three rows of a matrix; or w x y z, then the translation */
} cli_raw_pose;

enum {
    CLI_POSE_DEPTH = 6, /* of brackets */
    CLI_POSE_MESSAGE = 320
};

/* Numbers that belong together: of a line, or between two brackets. */
typedef struct cli_pose_group {
    int quaternion; /* 0: none; else where w stands, 1: first, 4: last */
    double numbers[16];
    size_t count; /* of the numbers, also of those that have no room */
    double rows[4][4];
    size_t row_count;
    int has_poses;
} cli_pose_group;

/* Takes one pose; returns 0, or something else to stop. */
typedef int cli_pose_sink(void *user, const cli_raw_pose *pose);

/* Start with {sink, user}. */
typedef struct cli_pose_reader {
    cli_pose_sink *sink;
    void *user;
    int started;
    size_t depth; /* group[0] is the line */
    cli_pose_group groups[CLI_POSE_DEPTH + 1];
    char message[CLI_POSE_MESSAGE]; /* what is wrong and what to do; empty when it was the sink that stopped */
} cli_pose_reader;

/* Feed the lines one by one, with or without their ends, then finish. Both return 0 to go on. */
int cli_pose_feed(cli_pose_reader *reader, const char *line);
int cli_pose_finish(cli_pose_reader *reader);

#endif
