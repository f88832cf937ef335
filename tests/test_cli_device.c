/* The command on devices: listing them, checks of many poses on them, and generated poses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "device_cases.h"
#include "support.h"

/* Without a loader there is no OpenCL. */
#define NO_OPENCL "TUMBLE_OPENCL_LIBRARY=/nowhere/libOpenCL.so "

enum {
    MOST_DEVICES = 8
};

static struct {
    char names[MOST_DEVICES][24];
    size_t count;
} devices;

static void find_devices(void)
{
    cJSON *json = cli_json_line(cli_expect(0, "tumble devices --json").out, 0);
    const cJSON *list = cli_array(json, "devices"), *item;
    cJSON_ArrayForEach(item, list)
    {
        assert_true(devices.count < MOST_DEVICES);
        snprintf(devices.names[devices.count++], sizeof devices.names[0], "%s", cli_string(item, "device"));
    }
    cJSON_Delete(json);
}

/* TUMBLE_TEST_OPENCL=none hides the devices of OpenCL; else there must be one, if the library was built for them. */
static void require_devices(void)
{
    if (!device_has_opencl()) {
        assert_int_equal(setenv("TUMBLE_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", 1), 0);
    }
    find_devices();
#ifdef TUMBLE_FAULT_OPENCL
    assert_int_equal(devices.count > 1, device_has_opencl());
#endif
}

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n");
    cli_expect(0, "tumble make gear --triangles 500 -o gear.obj");
    cli_expect(0, "tumble make torus --triangles 500 -o torus.off");
    cli_expect(0, "tumble make poses gear.obj torus.off --count 60 --seed 5 -o poses.txt");
    require_devices();
    return 0;
}

/* ---- tumble devices ---- */

static void test_devices(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble devices --json").out, 0);
    const cJSON *list = cli_array(json, "devices"), *item;
    size_t number = 0;
    char hint[64] = "--poses FILE --device cpu\n"; /* an OpenCL device that is the processor is slower than threads */
    int has_gpu = 0;
    cJSON_ArrayForEach(item, list)
    {
        char name[24];
        snprintf(name, sizeof name, "opencl:%zu", number - 1);
        if (cli_bool(item, "gpu") && !has_gpu) {
            snprintf(hint, sizeof hint, "--poses FILE --device %s\n", name);
            has_gpu = 1;
        }
        assert_string_equal(cli_string(item, "device"), number ? name : "cpu");
        assert_string_equal(cli_string(item, "kind"), number ? "opencl" : "cpu");
        assert_true(cli_number(item, "units") >= 1);
        assert_true(number == 0 || cli_number(item, "memory_bytes") > 0);
        assert_true(strlen(cli_string(item, "name")) > 0);
        assert_true(number == 0 || strlen(cli_string(item, "platform")) > 0);
        assert_true(number == 0 || strlen(cli_string(item, "version")) > 0);
        assert_true(number > 0 || (cli_bool(item, "doubles") && !cli_bool(item, "gpu")));
        number++;
    }
    cJSON_Delete(json);
    const char *out = cli_expect(0, "tumble devices").out;
    assert_true(strncmp(out, "cpu\n  name ", 11) == 0);
    assert_int_equal(strstr(out, "\nopencl:0\n") != NULL, devices.count > 1);
    assert_non_null(strstr(out, hint));
    assert_true(has_gpu || devices.count < 2 || strstr(out, "processor: --device cpu is faster on it") != NULL);
    out = cli_expect(0, NO_OPENCL "tumble devices").out;
    assert_null(strstr(out, "opencl:0"));
    assert_non_null(strstr(out, "There is no OpenCL device. To get one, install"));
    assert_non_null(strstr(out, "pocl-opencl-icd"));
    cli_expect_error("tumble devices cpu", "one argument too many", NULL);
}

/* ---- the same answers ---- */

/* Without what the queries did, which devices do not tell. */
static char *without_stats(const char *text)
{
    char *copy = strdup(text), *out = copy;
    for (const char *at = copy; *at;) {
        static const char key[] = ", \"stats\": {";
        if (strncmp(at, key, sizeof key - 1) == 0) {
            at = strchr(at, '}') + 1;
        } else {
            *out++ = *at++;
        }
    }
    *out = '\0';
    return copy;
}

static const char *const questions[] = {"--all",   "--limit 2",        "--limit 0",
                                        "--count", "--all --segments", "--segments --limit 3"};

static void test_same_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        char *expected = without_stats(
            cli_expect(1, "tumble check gear.obj torus.off --poses poses.txt --json %s", questions[i]).out);
        assert_int_equal(cli_count_lines(expected), 60);
        for (size_t d = 0; d < (i % 2 ? devices.count : 1); d++) { /* starting OpenCL takes its time */
            const char *out = cli_expect(1, "tumble check gear.obj torus.off --poses poses.txt --json %s --device %s",
                                         questions[i], devices.names[d])
                                  .out;
            assert_string_equal(out, expected);
        }
        free(expected);
    }
}

/* Text of a device is the same with what it took behind it, the times only with --stats. */
static void check_text(const char *line, const char *device)
{
    char *expected = strdup(cli_run("%s", line).out);
    cli_result result = cli_run("%s --device %s", line, device);
    assert_string_equal(result.err, "");
    assert_memory_equal(result.out, expected, strlen(expected));
    assert_non_null(strstr(result.out, " per second\n"));
    assert_null(strstr(result.out, "  waiting "));
    result = cli_run("%s --stats --device %s", line, device);
    assert_memory_equal(result.out, expected, strlen(expected));
    const char *rest = result.out + strlen(expected);
    static const char *const words[] = {" on ",      " per second\n", "  opening ", "  waiting ", "  run ",
                                        "  models ", "  upload ",     "  result ",  "  retried ", "  exact "};
    for (size_t i = 0; i < 10; i++) { /* threads have nothing to bring anywhere */
        assert_int_equal(strstr(rest, words[i]) != NULL, i < 5 || strcmp(device, "cpu") != 0);
    }
    free(expected);
}

static void test_same_text(void **state)
{
    (void)state;
    for (size_t d = 0; d < devices.count; d++) {
        for (size_t i = d; i < 4; i += 2) {
            char line[256];
            snprintf(line, sizeof line, "tumble check gear.obj torus.off --poses poses.txt %s", questions[i]);
            check_text(line, devices.names[d]);
        }
        check_text("tumble check gear.obj torus.off", devices.names[d]);
        check_text("tumble check gear.obj torus.off --segments", devices.names[d]);
        if (d > 0) {
            continue;
        }
        check_text("tumble check gear.obj gear.obj --count", devices.names[d]);
        check_text("tumble check gear.obj torus.off --pose-a '2 0 0 1  0 2 0 0  0 0 2 0'", devices.names[d]);
        check_text("tumble check cube.obj gear.obj --pose-b '1 0 0 99  0 1 0 0  0 0 1 0'", devices.names[d]);
    }
}

/* Yes or no is the same; a pair is told with --first only, and is one of all. */
static void test_first_and_test(void **state)
{
    (void)state;
    char *all = strdup(cli_expect(1, "tumble check gear.obj torus.off --poses poses.txt --json").out);
    for (size_t d = 0; d < 2 * devices.count; d++) {
        const int first = d % 2 == 0;
        char *out = strdup(cli_expect(1, "tumble check gear.obj torus.off --poses poses.txt --json --%s --device %s",
                                      first ? "first" : "test", devices.names[d / 2])
                               .out);
        for (size_t step = 0; step < 60; step++) {
            cJSON *expected = cli_json_line(all, step), *json = cli_json_line(out, step);
            const int collide = cli_bool(expected, "collide");
            assert_int_equal(cli_bool(json, "collide"), collide);
            const cJSON *pairs = cJSON_GetObjectItem(json, "pairs"), *item;
            assert_int_equal(pairs != NULL, first);
            assert_int_equal(cJSON_GetArraySize(pairs), first && collide);
            int found = cJSON_GetArraySize(pairs) == 0;
            cJSON_ArrayForEach(item, cli_array(expected, "pairs"))
            {
                found |= cJSON_Compare(item, cJSON_GetArrayItem(pairs, 0), 1);
            }
            assert_true(found);
            cJSON_Delete(expected);
            cJSON_Delete(json);
        }
        free(out);
    }
    free(all);
    const char *out = cli_expect(1, "tumble check cube.obj cube.obj --test --device cpu").out;
    assert_memory_equal(out, "cube.obj and cube.obj intersect.\n", 33);
    out = cli_expect(0, "tumble check cube.obj cube.obj --test --device cpu --pose-b '1 0 0 9 0 1 0 0 0 0 1 0'").out;
    assert_memory_equal(out, "cube.obj and cube.obj do not intersect.\n", 40);
    out = cli_expect(1, "tumble check gear.obj torus.off --poses poses.txt --test --device cpu").out;
    assert_null(strstr(out, "polygon"));
    assert_non_null(strstr(out, "  intersect\n"));
}

/* Lists that are longer than there was room for, in several batches. */
static void test_long_lists(void **state)
{
    (void)state;
    char *text = malloc(5000 * 64), *at = text;
    for (int i = 0; i < 4500; i++) {
        at += sprintf(at, "1 0 0 %d 0 1 0 0 0 0 1 0\n", i % 700 == 5 || i % 700 == 6 || i == 4499 ? i % 2 : 50);
    }
    cli_write_file("rare.txt", text);
    free(text);
    cli_expect(0, "tumble make sphere --triangles 1500 -o ball.obj");
    static const char *const options[] = {"--segments", ""};
    for (size_t i = 0; i < 2; i++) {
        char *expected =
            without_stats(cli_expect(1, "tumble check ball.obj ball.obj --poses rare.txt --json %s", options[i]).out);
        assert_int_equal(cli_count_lines(expected), 4500);
        for (size_t d = 0; d < (i ? 1 : devices.count); d++) {
            assert_string_equal(cli_expect(1, "tumble check ball.obj ball.obj --poses rare.txt --json %s --device %s",
                                           options[i], devices.names[d])
                                    .out,
                                expected);
        }
        free(expected);
    }
}

static void test_stats(void **state)
{
    (void)state;
    for (size_t d = 0; d < devices.count; d++) {
        const cli_result result = cli_expect(
            1, "tumble check gear.obj torus.off --poses poses.txt --json --stats --device %s", devices.names[d]);
        assert_int_equal(cli_count_lines(result.out), 61);
        cJSON *json = cli_json_line(result.out, 60);
        assert_string_equal(cli_string(json, "device"), devices.names[d]);
        assert_true(cli_number(json, "checks") == 60);
        assert_true(cli_number(json, "checks_per_second") > 0);
        assert_true(cli_number(json, "retried") == 0);
        assert_true(cli_number(json, "exact") >= 0);
        const cJSON *times = cli_object(json, "microseconds");
        assert_true(cli_number(times, "run") > 0);
        assert_true(cli_number(times, "opening") >= 0 && cli_number(times, "models") >= 0);
        assert_true(cli_number(times, "waiting") >= 0 && cli_number(times, "upload") >= 0);
        assert_true(cli_number(times, "result") >= 0);
        cJSON_Delete(json);
    }
}

/* The pool takes every hierarchy, and any number of threads; OpenCL devices take boxtrees too. */
static void test_hierarchies(void **state)
{
    (void)state;
    static const char *const options[] = {
        "cpu --threads 1",
        "cpu --threads 3",
        "cpu --hierarchy boxtree --overlap sat",
        "cpu --hierarchy kdop --k 14 --traversal environment",
        "cpu --hierarchy rtree",
        "opencl --hierarchy boxtree",
        "opencl --hierarchy boxtree --layout two-planes --overlap axes --direction a-into-b"};
    char *expected = NULL;
    for (size_t i = 0; i < (devices.count > 1 ? 7 : 5); i++) {
        const char *out =
            cli_expect(0, "tumble check gear.obj torus.off --poses poses.txt --json --device %s | sed 's/, \"hier.*//'",
                       options[i])
                .out;
        expected = expected ? expected : strdup(out);
        assert_string_equal(out, expected);
    }
    free(expected);
}

/* ---- many poses ---- */

static void test_counting(void **state)
{
    (void)state;
    const char *out = cli_expect(1, "tumble check cube.obj cube.obj --count").out;
    assert_string_equal(out, "cube.obj and cube.obj intersect: 30 pairs of polygons.\n");
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --count --json").out, 0);
    assert_true(cli_number(json, "pair_count") == 30);
    assert_null(cJSON_GetObjectItem(json, "pairs")); /* an empty list would say that there are none */
    cJSON_Delete(json);
}

/* A table of steps has as many lines as --limit says. */
static void test_many_lines(void **state)
{
    (void)state;
    char text[4096], *at = text;
    for (int i = 0; i < 50; i++) {
        at += sprintf(at, "1 0 0 %d 0 1 0 0 0 0 1 0\n", i % 2 ? 9 : 0);
    }
    cli_write_file("alternating.txt", text);
    const char *out = cli_expect(1, "tumble check cube.obj cube.obj --poses alternating.txt").out;
    assert_non_null(strstr(out, "\n  19     free\n  ... and 30 lines more: --limit 50 lists them all"));
    out = cli_expect(1, "tumble check cube.obj cube.obj --poses alternating.txt --limit 50").out;
    assert_non_null(strstr(out, "\n  49     free\n"));
    assert_null(strstr(out, "more"));
    assert_string_equal(cli_expect(1, "tumble check cube.obj cube.obj --poses alternating.txt --limit 0").out,
                        "cube.obj and cube.obj intersect at 25 of 50 poses.\n");
}

/* An interrupt ends the work, and leaves no file. */
static void test_interrupt(void **state)
{
    (void)state;
    cli_expect(0, "tumble make sphere --triangles 20000 -o large.ply");
    cli_expect(0, "yes '1 0 0 0  0 1 0 0  0 0 1 0' | head -20000 >same.txt");
    const size_t files = cli_count_files();
    for (size_t d = 0; d < devices.count; d++) {
        const cli_result result =
            cli_run("tumble check large.ply large.ply --poses same.txt --count --device %s -o result.txt & "
                    "sleep 0.5; kill -TERM $!; wait $!",
                    devices.names[d]);
        assert_int_equal(result.status, 128 + 15);
        assert_int_equal(cli_count_files(), files);
    }
}

/* ---- poses to try ---- */

static void test_make_poses(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(
        cli_expect(0, "tumble make poses gear.obj torus.off --count 60 --seed 5 -o again.txt --json").out, 0);
    assert_string_equal(cli_string(json, "file"), "again.txt");
    assert_true(cli_number(json, "poses") == 60);
    const double hits = cli_number(json, "intersect");
    assert_true(hits > 12 && hits < 48);
    cJSON_Delete(json);
    cli_expect(0, "cmp poses.txt again.txt");
    assert_string_equal(cli_expect(0, "grep -vc '^#' again.txt").out, "60\n");
    char line[128];
    snprintf(line, sizeof line, "gear.obj and torus.off intersect at %.0f of 60 poses.\n", hits);
    assert_string_equal(cli_expect(1, "tumble check gear.obj torus.off --poses again.txt --limit 0").out, line);
    cli_expect(0, "tumble make poses gear.obj torus.off --count 60 --seed 6 -o other.txt");
    assert_int_equal(cli_run("cmp -s poses.txt other.txt").status, 1);
    /* all are near, but not nearer than asked */
    cli_expect(0, "tumble make poses cube.obj cube.obj --count 20 --spread 0.01 -o close.txt");
    cli_expect(1, "tumble check cube.obj cube.obj --poses close.txt --test --clearance 0.02 --json -o close.json");
    assert_string_equal(cli_expect(0, "grep -c '\"collide\": true' close.json").out, "20\n");
    cli_expect(0, "tumble make poses cube.obj cube.obj -o default.txt");
    assert_string_equal(cli_expect(0, "grep -vc '^#' default.txt").out, "1000\n");
}

static void test_make_poses_errors(void **state)
{
    (void)state;
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cli_expect_error("tumble make poses cube.obj cube.obj", "-o poses.txt", NULL);
    cli_expect_error("tumble make poses cube.obj -o p.txt", "two models", NULL);
    cli_expect_error("tumble make poses cube.obj empty.off -o p.txt", "empty.off: it has no faces", NULL);
    cli_expect_error("tumble make poses cube.obj empty.off --allow-empty -o p.txt",
                     "empty.off: the model has no polygons", NULL);
    cli_expect_error("tumble make poses cube.obj none.off -o p.txt", "none.off", NULL);
    cli_expect_error("tumble make poses cube.obj cube.obj -o p.txt --count 0", "--count", "out of range", NULL);
    cli_expect_error("tumble make poses cube.obj cube.obj -o p.txt --device gpu", "--device 'gpu' is unknown", NULL);
    cli_expect_error("tumble make pose cube.obj cube.obj -o p.txt", "did you mean 'poses'", NULL);
}

/* ---- errors ---- */

/* A check that has no answer is told by its step. */
static void test_bad_step(void **state)
{
    (void)state;
    cli_write_file("huge.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1e200 0 0 0 0 1e200 0 0 0 0 1e200 0\n");
    for (size_t d = 0; d < devices.count; d++) {
        char line[256];
        snprintf(line, sizeof line,
                 "tumble check cube.obj gear.obj --pose-a '1e-200 0 0 0 0 1e-200 0 0 0 0 1e-200 0' --poses huge.txt "
                 "--device %s",
                 devices.names[d]);
        cli_expect_error(line, "step 1: B's pose becomes infinite", NULL);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const others[][2] = {{"--clearance 1", "--clearance"},
                                            {"--relation", "--relation"},
                                            {"--budget-us 5", "a budget"},
                                            {"--budget-boxes 5", "a budget"},
                                            {"--surfaces all", "--surfaces"}};
    for (size_t i = 0; i < 5; i++) {
        char line[128];
        snprintf(line, sizeof line, "tumble check cube.obj gear.obj --device cpu %s", others[i][0]);
        cli_expect_error(line, "--device cannot answer", others[i][1], "leave one of them out", NULL);
    }
    cli_expect_error("tumble check cube.obj gear.obj --device cpu --coherence all", "--coherence", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --device cpu --first --segments", "segments", "--device", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --retry", "--retry", "give --device", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --count --segments", "--count", "--all", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --count --surfaces all", "--count and --surfaces", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --count --relation", "--relation and --count", NULL);
    cli_expect_error("tumble check cube.obj gear.obj --count --budget-us 5", "leave --count or the budget out", NULL);
}

static void test_unknown_devices(void **state)
{
    (void)state;
    static const char *const words[] = {"gpu", "", "openc", "opencl0", "cpu:0", "0"};
    for (size_t i = 0; i < 6; i++) {
        char line[128], message[64];
        snprintf(line, sizeof line, "tumble check cube.obj gear.obj --device '%s'", words[i]);
        snprintf(message, sizeof message, "--device '%s' is unknown", words[i]);
        cli_expect_error(line, message, "tumble devices", NULL);
    }
    static const char *const numbers[] = {"opencl:99", "opencl:", "opencl:x", "opencl:-1", "opencl:99999999999"};
    for (size_t i = 0; i < 5 && devices.count > 1; i++) {
        char line[128];
        snprintf(line, sizeof line, "tumble check cube.obj gear.obj --device %s", numbers[i]);
        cli_expect_error(line, numbers[i], "there is no such device", "tumble devices", NULL);
    }
    cli_expect_error(NO_OPENCL "tumble check cube.obj gear.obj --device opencl", "there is no OpenCL device",
                     "pocl-opencl-icd", "--device cpu", NULL);
    /* unless threads are good enough */
    const cli_result result = cli_run(NO_OPENCL "tumble check cube.obj cube.obj --device opencl --retry --count");
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.err, "tumble: warning: --device opencl: there is no OpenCL device here; threads"));
    assert_non_null(strstr(result.out, " on cpu ("));
    if (devices.count > 1) {
        cli_expect_error("tumble check cube.obj gear.obj --hierarchy kdop --device opencl", "--hierarchy wide", NULL);
    }
}

/* ---- devices that fail ---- */

#ifdef TUMBLE_FAULT_OPENCL

/* A kernel that cannot be started, from this one on. */
#define FAULT                                                                                    \
    "TUMBLE_OPENCL_LIBRARY=" TUMBLE_FAULT_OPENCL " TUMBLE_FAULT_CODE=-5 TUMBLE_FAULT_FOREVER=1 " \
    "TUMBLE_FAULT_NAME=clEnqueueNDRangeKernel TUMBLE_FAULT_CALL=%d "

enum {
    CALLS = 40 /* more than it takes to open a device; the others are those of batches */
};

/* Each start of a kernel fails once: the message says what to do, or threads give the same answers. */
static void test_failing_device(void **state)
{
    (void)state;
    if (devices.count < 2) {
        skip();
    }
    static const char line[] = "tumble check gear.obj torus.off --poses poses.txt --json --count";
    char *expected = without_stats(cli_expect(1, "%s", line).out);
    int at_open = 0, at_work = 0;
    for (int call = 1; call < CALLS; call++) {
        const cli_result failed = cli_run(FAULT "%s --device opencl:0", call, line);
        if (failed.status == 1) { /* there are not so many */
            break;
        }
        assert_int_equal(failed.status, 2);
        assert_string_equal(failed.out, "");
        assert_non_null(strstr(failed.err, "tumble: error: device opencl:0: "));
        assert_non_null(strstr(failed.err, ": use --device cpu, or --retry"));
        const cli_result retried = cli_run(FAULT "%s --device opencl:0 --retry", call, line);
        assert_int_equal(retried.status, 1);
        assert_string_equal(retried.out, expected);
        at_open += strncmp(retried.err, "tumble: warning: device opencl:0: ", 34) == 0;
        at_work += strncmp(retried.err, "tumble: note: device opencl:0 failed to answer ", 47) == 0;
        assert_int_equal(at_open + at_work, call);
    }
    assert_true(at_open > 0 && at_work > 0);
    free(expected);
}

#endif

/* ---- tumble scene ---- */

static void test_scene(void **state)
{
    (void)state;
    cli_write_file("pile.txt", "low cube.obj 1 0 0 0 0 1 0 0 0 0 1 0\n"
                               "high cube.obj 1 0 0 0.5 0 1 0 0.5 0 0 1 0.5\n"
                               "gear gear.obj 1 0 0 1 0 1 0 0 0 0 1 0\n"
                               "torus torus.off 1 0 0 1 0 1 0 0 0 0 1 0\n"
                               "away cube.obj 1 0 0 90 0 1 0 0 0 0 1 0\n");
    cli_write_file("motion.txt", "1 high 1 0 0 9 0 1 0 0 0 0 1 0\n2 torus 1 0 0 9.5 0 1 0 0 0 0 1 0\n");
    static const char command[] = "tumble scene pile.txt --steps motion.txt --json --nearest";
    char *expected = strdup(cli_expect(1, "%s", command).out);
    for (size_t i = 0; i < devices.count; i++) {
        assert_string_equal(cli_expect(1, "%s --device %s", command, devices.names[i]).out, expected);
    }
    free(expected);
    cli_expect_error("tumble scene pile.txt --device cuda", "cuda", "tumble devices", NULL);
    cli_expect_error("tumble scene pile.txt --retry", "--retry", "--device opencl", NULL);
    cli_expect_error(NO_OPENCL "tumble scene pile.txt --device opencl", "no OpenCL device", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices),         cmocka_unit_test(test_same_json),
        cmocka_unit_test(test_same_text),       cmocka_unit_test(test_first_and_test),
        cmocka_unit_test(test_long_lists),      cmocka_unit_test(test_stats),
        cmocka_unit_test(test_hierarchies),     cmocka_unit_test(test_counting),
        cmocka_unit_test(test_many_lines),      cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_make_poses),      cmocka_unit_test(test_make_poses_errors),
        cmocka_unit_test(test_bad_step),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unknown_devices), cmocka_unit_test(test_scene),
#ifdef TUMBLE_FAULT_OPENCL
        cmocka_unit_test(test_failing_device),
#endif
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
