/* `tumble check` from end to end, and what all commands share: help, errors, output. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli_run.h"
#include "support.h"
#include "tumble/tumble.h"

/* The unit cube as six quads: bottom, top, front, back, left, right. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A triangle that pierces the top of the cube, number 1, and nothing else. It meets one of the top's two triangles. */
static const char needle[] = "OFF\n3 1 0\n0.25 0.25 0.5\n0.5 0.25 0.5\n0.375 0.25 1.5\n3 0 1 2\n";

static const char far_away[] = "\"1 0 0 10  0 1 0 0  0 0 1 0\"";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("needle.off", needle);
    return 0;
}

/* ---- help, version, usage ---- */

static const char *const commands[] = {"check", "distance", "info", "build", "make", "demo"};
enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static void help_teaches(const char *text, const char *command)
{
    static const char *const parts[] = {"\nUsage:\n  tumble ", "\nExamples:\n  tumble ", "\nExit status:\n  0  ",
                                        "--json"};
    for (size_t i = 0; i < 4; i++) {
        if (!strstr(text, parts[i])) {
            fail_msg("the help of %s has no '%s'", command, parts[i]);
        }
    }
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (strcspn(line, "\n") > 100) {
            fail_msg("the help of %s has a line that is too long: %.100s", command, line);
        }
    }
}

static void test_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char start[32];
        snprintf(start, sizeof start, "tumble %s: ", commands[i]);
        char *text = strdup(cli_expect(0, "tumble %s --help", commands[i]).out);
        assert_memory_equal(text, start, strlen(start));
        help_teaches(text, commands[i]);
        assert_string_equal(text, cli_expect(0, "tumble help %s", commands[i]).out);
        assert_string_equal(text, cli_expect(0, "tumble %s -h", commands[i]).out);
        free(text);
    }
}

static void test_general_help(void **state)
{
    (void)state;
    char *text = strdup(cli_expect(0, "tumble --help").out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        assert_non_null(strstr(text, commands[i]));
    }
    assert_string_equal(text, cli_expect(0, "tumble help").out);
    const cli_result without = cli_run("tumble");
    assert_int_equal(without.status, 2);
    assert_string_equal(without.out, "");
    assert_string_equal(without.err, text);
    free(text);
}

static void test_version(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble --version").out, "tumble " TUMBLE_VERSION "\n");
}

static void test_usage_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble chekc cube.obj needle.off", "'chekc'", "did you mean 'check'", NULL);
    cli_expect_error("tumble xyzzy", "'xyzzy'", "tumble help", NULL);
    cli_expect_error("tumble help demmo", "'demmo'", "did you mean 'demo'", NULL);
    cli_expect_error("tumble --verbose", "'--verbose'", NULL);
    cli_expect_error("tumble check cube.obj", "two models", "tumble check --help", NULL);
    cli_expect_error("tumble check cube.obj needle.off cube.obj", "'cube.obj' is one argument too many", NULL);
    cli_expect_error("tumble check cube.obj needle.off --segment", "did you mean '--segments'", NULL);
    cli_expect_error("tumble check cube.obj needle.off --jsno", "did you mean '--json'", NULL);
    cli_expect_error("tumble check cube.obj needle.off --qqqqqqqq", "'--qqqqqqqq'", "--help", NULL);
    cli_expect_error("tumble check cube.obj needle.off -x", "'-x'", NULL);
    cli_expect_error("tumble check cube.obj needle.off --json=yes", "takes no value", NULL);
    cli_expect_error("tumble check cube.obj needle.off --limit", "--limit needs a value", NULL);
    cli_expect_error("tumble check cube.obj needle.off --limit=many", "'many' is not a number", NULL);
    cli_expect_error("tumble check cube.obj needle.off --limit=", "is not a number", NULL);
    cli_expect_error("tumble check cube.obj needle.off --limit -1", "out of range", "at least 0", NULL);
    cli_expect_error("tumble check cube.obj needle.off --limit 1.5", "out of range", "whole number", NULL);
    cli_expect_error("tumble check cube.obj needle.off --trim 1.5", "out of range", "from 0 to 1", NULL);
    cli_expect_error("tumble check cube.obj needle.off --trim nan", "out of range", NULL);
    cli_expect_error("tumble check cube.obj needle.off --hierarchy boxtee", "did you mean 'boxtree'", NULL);
    cli_expect_error("tumble check cube.obj needle.off --overlap what", "axes, tables, sat, sat-lite", NULL);
    cli_expect_error("tumble check cube.obj needle.off --test --segments", "--test", "--segments", NULL);
}

static void test_options_forms(void **state)
{
    (void)state;
    cli_write_file("--odd.obj", cube);
    cli_expect(1, "tumble check needle.off --limit=1 -- --odd.obj");
    cli_expect(1, "tumble check --limit 1 --limit 2 needle.off cube.obj --all"); /* the last one counts */
    cli_expect(1, "tumble check needle.off cube.obj -otext.txt && cat text.txt");
    cli_expect(1, "tumble check needle.off cube.obj --output=text.txt");
}

/* ---- answers ---- */

static void test_exit_status(void **state)
{
    (void)state;
    cli_expect(1, "tumble check cube.obj needle.off");
    cli_expect(0, "tumble check cube.obj needle.off --pose-b %s", far_away);
    cli_expect(0, "tumble check cube.obj needle.off --pose-a %s", far_away);
    cli_expect(1, "tumble check cube.obj needle.off --pose-a %s --pose-b %s", far_away, far_away);
    cli_expect(1, "tumble check cube.obj needle.off --first");
    cli_expect(1, "tumble check cube.obj needle.off --test");
    cli_expect(0, "tumble check cube.obj needle.off --test --pose-b %s", far_away);
}

static void check_stats(const cJSON *json)
{
    const cJSON *stats = cli_object(json, "stats");
    static const char *const keys[] = {"box_tests",   "box_updates",   "primitive_tests",
                                       "exact_tests", "bytes_touched", "microseconds"};
    for (size_t i = 0; i < 6; i++) {
        assert_true(cli_number(stats, keys[i]) >= 0);
    }
    assert_true(cli_number(stats, "microseconds") > 0);
}

static void test_json(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj needle.off --json").out, 0);
    assert_true(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 1);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 1);
    double pair[2];
    cli_pair(json, 0, pair);
    assert_true(pair[0] == 1 && pair[1] == 0); /* the top, the only triangle */
    assert_string_equal(cli_string(json, "hierarchy"), "wide");
    check_stats(json);
    assert_true(cli_number(cli_object(json, "stats"), "primitive_tests") >= 1);
    assert_null(cJSON_GetObjectItem(json, "step"));
    assert_null(cJSON_GetObjectItem(json, "segments"));
    cJSON_Delete(json);

    const cli_result free_result = cli_expect(0, "tumble check cube.obj needle.off --json --pose-b %s", far_away);
    assert_int_equal(cli_count_lines(free_result.out), 1);
    json = cli_json_line(free_result.out, 0);
    assert_false(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 0);
    cJSON_Delete(json);
}

static void check_inputs(const char *line)
{
    const cli_result result = cli_run("%s", line);
    assert_in_range(result.status, 0, 1);
    cJSON *json = cli_json_line(result.out, 0);
    assert_string_equal(cli_string(cli_object(json, "a"), "file"), "cube.obj");
    assert_string_equal(cli_string(cli_object(json, "b"), "file"), "./needle.off");
    assert_true(cli_number(cli_object(json, "a"), "polygons") == 6);
    assert_true(cli_number(cli_object(json, "b"), "polygons") == 1);
    cJSON_Delete(json);
}

/* Whoever reads the answer later knows what it is about. */
static void test_json_names_inputs(void **state)
{
    (void)state;
    check_inputs("tumble check cube.obj ./needle.off --json");
    check_inputs("tumble check cube.obj ./needle.off --json --relation");
    check_inputs("tumble check cube.obj ./needle.off --json --budget-boxes 9");
    check_inputs("tumble check cube.obj ./needle.off --json --device cpu");
    check_inputs("tumble distance cube.obj ./needle.off --json");
}

/* Exchanging A and B exchanges the numbers. */
static void test_json_swapped(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(1, "tumble check needle.off cube.obj --json").out, 0);
    double pair[2];
    cli_pair(json, 0, pair);
    assert_true(pair[0] == 0 && pair[1] == 1);
    cJSON_Delete(json);
}

static void test_limit(void **state)
{
    (void)state;
    for (int limit = 0; limit <= 3; limit++) {
        cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --json --limit %d", limit).out, 0);
        assert_true(cli_number(json, "pair_count") == 30);
        assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), limit);
        for (int i = 0; i < limit; i++) {
            static const double expected[3][2] = {{0, 0}, {0, 2}, {0, 3}};
            double pair[2];
            cli_pair(json, (size_t)i, pair);
            assert_true(pair[0] == expected[i][0] && pair[1] == expected[i][1]);
        }
        cJSON_Delete(json);
    }
}

static void test_first(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --json --first").out, 0);
    assert_true(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 1);
    double pair[2];
    cli_pair(json, 0, pair);
    assert_true(pair[0] == pair[1] || (int)pair[0] / 2 != (int)pair[1] / 2);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 1);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble check cube.obj needle.off --json --first").out, 0);
    cli_pair(json, 0, pair);
    assert_true(pair[0] == 1 && pair[1] == 0);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble check cube.obj needle.off --json --first --pose-b %s", far_away).out, 0);
    assert_true(cli_number(json, "pair_count") == 0);
    cJSON_Delete(json);
}

/* Whether, and nothing else: what was not asked is not told, not even as an empty list. */
static void test_test(void **state)
{
    (void)state;
    static const char *const poses[] = {"\"1 0 0 0  0 1 0 0  0 0 1 0\"", far_away};
    for (int i = 0; i < 2; i++) {
        cJSON *json = cli_json_line(
            cli_expect(1 - i, "tumble check cube.obj needle.off --json --test --pose-b %s", poses[i]).out, 0);
        assert_int_equal(cli_bool(json, "collide"), 1 - i);
        assert_null(cJSON_GetObjectItem(json, "pairs"));
        assert_null(cJSON_GetObjectItem(json, "pair_count"));
        cJSON_Delete(json);
    }
    assert_string_equal(cli_expect(1, "tumble check cube.obj needle.off --test").out,
                        "cube.obj and needle.off intersect.\n");
}

/* ---- segments ---- */

static void get_point(const cJSON *segment, int index, double out[3])
{
    const cJSON *points = cli_array(segment, "points");
    assert_int_equal(cJSON_GetArraySize(points), 2);
    const cJSON *point = cJSON_GetArrayItem(points, index);
    assert_int_equal(cJSON_GetArraySize(point), 3);
    for (int i = 0; i < 3; i++) {
        assert_true(cJSON_IsNumber(cJSON_GetArrayItem(point, i)));
        out[i] = cJSON_GetArrayItem(point, i)->valuedouble;
    }
}

static void test_segments(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj needle.off --segments --json").out, 0);
    const cJSON *segments = cli_array(json, "segments");
    assert_int_equal(cJSON_GetArraySize(segments), 1);
    const cJSON *segment = cJSON_GetArrayItem(segments, 0);
    assert_int_equal(cJSON_GetArrayItem(cli_array(segment, "pair"), 0)->valueint, 1);
    assert_int_equal(cJSON_GetArrayItem(cli_array(segment, "pair"), 1)->valueint, 0);
    assert_false(cli_bool(segment, "coplanar"));
    double from[3], to[3];
    get_point(segment, 0, from);
    get_point(segment, 1, to);
    assert_true(fabs(fmin(from[0], to[0]) - 0.3125) < 1e-12 && fabs(fmax(from[0], to[0]) - 0.4375) < 1e-12);
    assert_true(from[1] == 0.25 && to[1] == 0.25 && from[2] == 1 && to[2] == 1);
    cJSON_Delete(json);
}

/* Two triangles in one plane, and segments in the frame of the poses. */
static void test_coplanar_segments(void **state)
{
    (void)state;
    cli_write_file("flat.off", "OFF\n3 1 0\n0 0 0\n2 0 0\n0 2 0\n3 0 1 2\n");
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check flat.off flat.off --segments --json --first --pose-a %s --pose-b %s",
                                 far_away, far_away)
                          .out,
                      0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "segments")), 1);
    const cJSON *segment = cJSON_GetArrayItem(cli_array(json, "segments"), 0);
    assert_true(cli_bool(segment, "coplanar"));
    double point[3];
    get_point(segment, 0, point);
    assert_true(point[0] >= 10 && point[0] <= 12 && point[1] >= 0 && point[1] <= 2 && point[2] == 0);
    cJSON_Delete(json);
}

/* The segments listed are those of the pairs listed. */
static void test_segments_limit(void **state)
{
    (void)state;
    for (int limit = 0; limit <= 4; limit += 2) {
        cJSON *json =
            cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --segments --json --limit %d", limit).out, 0);
        assert_true(cli_number(json, "pair_count") == 30);
        const cJSON *segments = cli_array(json, "segments"), *segment;
        size_t index = 0;
        cJSON_ArrayForEach(segment, segments)
        {
            double pair[2];
            const cJSON *numbers = cli_array(segment, "pair");
            for (;; index++) {
                cli_pair(json, index, pair);
                if (pair[0] == cJSON_GetArrayItem(numbers, 0)->valueint &&
                    pair[1] == cJSON_GetArrayItem(numbers, 1)->valueint) {
                    break;
                }
            }
        }
        assert_true(limit == 0 ? segments->child == NULL : index + 1 == (size_t)limit);
        cJSON_Delete(json);
    }
}

/* ---- text ---- */

static void test_text(void **state)
{
    (void)state;
    cli_result result = cli_expect(1, "tumble check cube.obj needle.off");
    assert_non_null(strstr(result.out, "cube.obj and needle.off intersect: 1 pair of polygons."));
    result = cli_expect(0, "tumble check cube.obj needle.off --pose-b %s", far_away);
    assert_string_equal(result.out, "cube.obj and needle.off do not intersect.\n");
    result = cli_expect(1, "tumble check cube.obj cube.obj");
    assert_non_null(strstr(result.out, "30 pairs of polygons"));
    assert_non_null(strstr(result.out, "10 pairs more: --limit 30 lists them all"));
    assert_int_equal(cli_count_lines(result.out), 24);
    result = cli_expect(1, "tumble check cube.obj cube.obj --limit 30");
    assert_int_equal(cli_count_lines(result.out), 33);
    result = cli_expect(1, "tumble check cube.obj needle.off --segments");
    assert_non_null(strstr(result.out, "(0.3125, 0.25, 1)"));
    assert_non_null(strstr(result.out, "(0.4375, 0.25, 1)"));
    result = cli_expect(1, "tumble check cube.obj needle.off --first");
    assert_non_null(strstr(result.out, "polygon 1 of the first with polygon 0 of the second"));
    result = cli_expect(1, "tumble check cube.obj needle.off --stats --test");
    assert_non_null(strstr(result.out, "N_v"));
    assert_non_null(strstr(result.out, "N_u"));
    assert_non_null(strstr(result.out, "N_p"));
}

/* ---- files in ---- */

static void test_bad_files(void **state)
{
    (void)state;
    cli_expect_error("tumble check missing.obj cube.obj", "missing.obj", NULL);
    cli_expect_error("tumble check cube.obj missing.obj", "missing.obj", NULL);
    cli_expect_error("tumble check . cube.obj", NULL);
    cli_write_file("broken.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    cli_expect_error("tumble check broken.obj cube.obj", "broken.obj", "3", NULL);
    cli_write_file("nan.off", "OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n");
    cli_expect_error("tumble check cube.obj nan.off", "nan.off", NULL);
    cli_write_file("noise.xyz", "this is no mesh at all\n");
    cli_expect_error("tumble check noise.xyz cube.obj", "noise.xyz", NULL);
}

static void test_empty_model(void **state)
{
    (void)state;
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cli_expect(0, "tumble check empty.off cube.obj --allow-empty");
    cli_expect(0, "tumble check cube.obj empty.off --allow-empty --segments");
    cJSON *json = cli_json_line(cli_expect(0, "tumble check empty.off empty.off --allow-empty --json").out, 0);
    assert_false(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 0);
    cJSON_Delete(json);
}

/* A degenerate triangle is a segment or a point, and takes part. */
static void test_degenerate(void **state)
{
    (void)state;
    cli_write_file("point.off", "OFF\n3 2 0\n0.5 0.5 1\n5 5 5\n6 6 6\n3 1 1 2\n3 0 0 0\n");
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj point.off --json").out, 0);
    assert_true(cli_number(json, "pair_count") == 1);
    double pair[2];
    cli_pair(json, 0, pair);
    assert_true(pair[0] == 1 && pair[1] == 1);
    cJSON_Delete(json);
}

/* ---- output ---- */

static void test_output_file(void **state)
{
    (void)state;
    cli_expect(1, "tumble check cube.obj cube.obj --json -o result.json");
    char *text = cli_read_file("result.json", NULL);
    cJSON *json = cli_json_line(text, 0);
    assert_true(cli_number(json, "pair_count") == 30);
    cJSON_Delete(json);
    free(text);
    const size_t files = cli_count_files();
    cli_expect_error("tumble check cube.obj cube.obj -o missing/result.json", "missing/result.json",
                     "cannot be written", NULL);
    cli_expect_error("tumble check cube.obj cube.obj -o /dev/full", "/dev/full", "cannot be written", NULL);
    cli_expect_error("tumble check missing.obj cube.obj -o result2.json", NULL);
    assert_int_equal(cli_count_files(), files);
    cli_expect(1, "tumble check cube.obj cube.obj --json -o /dev/null");
}

static void test_stdout_troubles(void **state)
{
    (void)state;
    cli_expect_error("tumble check cube.obj cube.obj --json >/dev/full", "cannot be written", NULL);
    cli_expect_error("tumble --help >/dev/full", "cannot be written", NULL);
    cli_expect_error("tumble check cube.obj cube.obj >&-", "cannot be written", NULL);
    cli_expect_error("tumble info cube.obj >&-", "cannot be written", NULL);
    cli_expect(1, "tumble check cube.obj cube.obj 2>&- <&-");
}

static void write_long_path(const char *name, size_t count)
{
    static const char line[] = "1 0 0 0 0 1 0 0 0 0 1 0\n";
    const size_t length = strlen(line);
    char *text = malloc(count * length);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * length, line, length);
    }
    cli_write_bytes(name, text, count * length);
    free(text);
}

/* Without a reader the command stops, silently, with the status of an error. */
static void test_closed_pipe(void **state)
{
    (void)state;
    write_long_path("long.txt", 5000);
    const cli_result result = cli_run(
        "{ tumble check cube.obj cube.obj --poses long.txt --json; echo $? >status.txt; } | head -n 1 >line.txt");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    char *line = cli_read_file("line.txt", NULL), *status = cli_read_file("status.txt", NULL);
    cJSON_Delete(cli_json_line(line, 0));
    assert_string_equal(status, "2\n");
    free(line);
    free(status);
}

static void wait_for_files(size_t count)
{
    const struct timespec pause = {0, 5000000};
    for (int i = 0; i < 2000 && cli_count_files() < count; i++) {
        nanosleep(&pause, NULL);
    }
    assert_int_equal(cli_count_files(), count);
}

/* An interrupt while a file is being written leaves nothing of it. */
static void test_interrupt(void **state)
{
    (void)state;
    write_long_path("very_long.txt", 400000);
    const size_t files = cli_count_files();
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        if (chdir(cli_folder()) != 0 || dup2(null, 1) < 0) {
            _exit(99);
        }
        execlp("tumble", "tumble", "check", "cube.obj", "cube.obj", "--poses", "very_long.txt", "--json", "-o",
               "interrupted.json", (char *)NULL);
        _exit(99);
    }
    wait_for_files(files + 1);
    assert_int_equal(kill(child, SIGINT), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_int_equal(cli_count_files(), files);
}

/* ---- documentation ---- */

static char *read_document(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/../../docs/%s", TUMBLE_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s cannot be opened", path);
    }
    char *text = calloc(1, 1 << 18);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    fclose(file);
    return text;
}

/* "\-\-name" of the man page becomes "--name". */
static void remove_backslashes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Whether the option is there as a whole word. */
static int mentions(const char *text, const char *option)
{
    const size_t length = strlen(option);
    for (const char *found = strstr(text, option); found; found = strstr(found + 1, option)) {
        const char next = found[length];
        if (!(next >= 'a' && next <= 'z') && next != '-') {
            return 1;
        }
    }
    return 0;
}

static size_t check_documented(const char *help, const char *command, const char *document, const char *name)
{
    size_t count = 0;
    for (const char *line = help; *line; line += strcspn(line, "\n") + 1) {
        const char *option = strstr(line, "--");
        if (!option || option - line != 6 || option - line > (long)strcspn(line, "\n")) {
            continue;
        }
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(option, " \n"), option);
        if (!mentions(document, word)) {
            fail_msg("%s of 'tumble %s' is missing in %s", word, command, name);
        }
        count++;
    }
    return count;
}

static void test_options_are_documented(void **state)
{
    (void)state;
    char *manual = read_document("tumble.1"), *reference = read_document("command-line.md");
    remove_backslashes(manual);
    size_t count = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *help = cli_expect(0, "tumble %s --help all", commands[i]).out;
        count += check_documented(help, commands[i], manual, "docs/tumble.1");
        check_documented(help, commands[i], reference, "docs/command-line.md");
    }
    assert_true(count >= 60);
    free(manual);
    free(reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_general_help),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_usage_errors),
        cmocka_unit_test(test_options_forms),
        cmocka_unit_test(test_exit_status),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_names_inputs),
        cmocka_unit_test(test_json_swapped),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_test),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_coplanar_segments),
        cmocka_unit_test(test_segments_limit),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_empty_model),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_output_file),
        cmocka_unit_test(test_stdout_troubles),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_options_are_documented),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
