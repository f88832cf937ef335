/* The reader of poses: any text is read or rejected with a message, and what was read reads back as the same
 * numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static int feed_lines(cli_pose_reader *reader, char *text)
{
    int failed = 0;
    for (char *line = text; line && !failed;) {
        char *end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        failed = cli_pose_feed(reader, line);
        line = end ? end + 1 : NULL;
    }
    return failed ? failed : cli_pose_finish(reader);
}

static int keep(void *user, const cli_raw_pose *pose)
{
    *(cli_raw_pose *)user = *pose;
    return 0;
}

/* As a nested list, or as the quaternion that it was. */
static int read_back(void *user, const cli_raw_pose *pose)
{
    const double *n = pose->numbers;
    char text[1024];
    int used = snprintf(text, sizeof text, pose->is_quaternion ? "[quaternion " : "[[");
    for (int i = 0; i < (pose->is_quaternion ? 7 : 12); i++) {
        const char *joint = pose->is_quaternion || i % 4 < 3 ? "," : i < 11 ? "],\n[" : "]";
        used += snprintf(text + used, sizeof text - (size_t)used, "%.17g%s", n[i], joint);
    }
    snprintf(text + used, sizeof text - (size_t)used, "]");
    cli_raw_pose again = {.is_quaternion = -1};
    cli_pose_reader reader = {.sink = keep, .user = &again};
    require(feed_lines(&reader, text) == 0 && again.is_quaternion == pose->is_quaternion);
    for (int i = 0; i < (pose->is_quaternion ? 7 : 12); i++) {
        require(again.numbers[i] == n[i] || (again.numbers[i] != again.numbers[i] && n[i] != n[i]));
    }
    ++*(size_t *)user;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    size_t count = 0;
    cli_pose_reader reader = {.sink = read_back, .user = &count};
    const int failed = feed_lines(&reader, text);
    require((failed != 0) == (reader.message[0] != '\0'));
    free(text);
    return 0;
}
