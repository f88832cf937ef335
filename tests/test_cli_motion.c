/* `tumble check --continuous` from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

#define PI 3.14159265358979323846

/* A wall across the x axis, and a thin plate that passes through it between two poses, and turns back. */
static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("wall.obj", "v 0 -1 -1\nv 0 1 -1\nv 0 1 1\nv 0 -1 1\nf 1 2 3 4\n");
    cli_write_file("plate.obj", "v 0 -1 -1\nv 0 1 -1\nv 0 0 1\nf 1 2 3\n");
    cli_write_file("path.txt", "1 0 0 -3 0 1 0 0 0 0 1 0\n1 0 0 1 0 1 0 0 0 0 1 0\n1 0 0 5 0 1 0 0 0 0 1 0\n"
                               "1 0 0 -3 0 1 0 0 0 0 1 0\n");
    cli_write_file("one.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n");
    cli_write_file("away.txt", "1 0 0 3 0 1 0 0 0 0 1 0\n-1 0 0 4 0 -1 0 0 0 0 1 0\n");
    return 0;
}

static void test_text(void **state)
{
    (void)state;
    const cli_result found = cli_expect(1, "tumble check wall.obj plate.obj --poses path.txt --continuous --stats");
    assert_non_null(strstr(found.out, "wall.obj and plate.obj are in contact 2 times along the path of 4 poses.\n"));
    assert_non_null(strstr(found.out, "free until"));
    assert_non_null(strstr(found.out, "0.75"));
    assert_non_null(strstr(found.out, "2.625"));
    assert_non_null(strstr(found.out, "box tests"));
    assert_non_null(strstr(cli_expect(1, "tumble check wall.obj plate.obj --poses path.txt --continuous --limit 1").out,
                           "... and 1 more"));
    assert_string_equal(cli_expect(0, "tumble check wall.obj plate.obj --poses away.txt --continuous").out,
                        "wall.obj and plate.obj are free all along the path of 2 poses.\n");
    assert_non_null(
        strstr(cli_expect(0, "tumble check wall.obj plate.obj --poses away.txt --continuous --clearance 1").out,
               "farther apart than the clearance"));
}

static void test_json(void **state)
{
    (void)state;
    static const double times[2] = {0.75, 2.625};
    cJSON *json = cli_json_line(
        cli_expect(1, "tumble check wall.obj plate.obj --poses path.txt --continuous --tolerance 1e-6 --json").out, 0);
    assert_true(cli_bool(json, "collide"));
    const cJSON *intervals = cli_array(json, "intervals");
    assert_int_equal(cJSON_GetArraySize(intervals), 2);
    for (int i = 0; i < 2; i++) {
        const cJSON *at = cJSON_GetArrayItem(intervals, i);
        assert_true(cli_number(at, "free_until") <= times[i] && cli_number(at, "free_from") >= times[i]);
        assert_true(fabs(cli_number(at, "touching_at") - times[i]) <= 1e-6);
        assert_true(fabs(cli_number(at, "touching_until") - times[i]) <= 2e-6);
        assert_int_equal(cJSON_GetArraySize(cli_array(at, "pair")), 2);
    }
    assert_true(cli_number(cli_object(json, "stats"), "microseconds") > 0);
    cJSON_Delete(json);
    json = cli_json_line(
        cli_expect(1, "tumble check wall.obj plate.obj --poses away.txt --continuous --clearance 3 --json").out, 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "intervals")), 1);
    cJSON_Delete(json);
}

/* The JSON is, apart from the inputs and the statistics, to the letter what the documentation says. */
static void test_json_members(void **state)
{
    (void)state;
    static const char *const members[] = {"free_until", "touching_at", "touching_until", "free_from", "pair"};
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check wall.obj plate.obj --poses path.txt --continuous --json").out, 0);
    const cJSON *interval = cJSON_GetArrayItem(cli_array(json, "intervals"), 0);
    assert_int_equal(cJSON_GetArraySize(interval), 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(cJSON_GetArrayItem(interval, i)->string, members[i]);
    }
    assert_true(cJSON_GetArrayItem(cli_array(interval, "pair"), 0)->valueint == 0);
    assert_true(cJSON_GetArrayItem(cli_array(interval, "pair"), 1)->valueint == 0);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble check wall.obj plate.obj --poses away.txt --continuous --json").out, 0);
    assert_false(cli_bool(json, "collide"));
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "intervals")), 0);
    cJSON_Delete(json);
}

enum {
    PASSAGES = 60
};

/* Adding the number of the pose does not make a proven time later: each passage is at a quotient of whole numbers, and
 * on a line, so that its piece knows the time to the last bit. */
static void test_rounding(void **state)
{
    (void)state;
    char text[100 * (PASSAGES + 1)] = "", *end = text;
    double quotients[PASSAGES][2];
    int last = -1, count = 0;
    end += sprintf(end, "1 0 0 -1 0 1 0 0 0 0 1 0\n");
    for (int i = 0; i < PASSAGES; i++) {
        const int to = i % 2 ? -1 - (7 * i) % 31 : 2 + (5 * i) % 29;
        quotients[i][0] = abs(last), quotients[i][1] = abs(to - last);
        last = to;
        end += sprintf(end, "1 0 0 %d 0 1 0 0 0 0 1 0\n", to);
    }
    cli_write_file("rounding.txt", text);
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check wall.obj plate.obj --poses rounding.txt --continuous --json").out, 0);
    const cJSON *found = cli_array(json, "intervals");
    assert_int_equal(cJSON_GetArraySize(found), PASSAGES);
    for (int i = 0; i < PASSAGES; i++) {
        const cJSON *at = cJSON_GetArrayItem(found, i);
        const double free_until = cli_number(at, "free_until") - i, free_from = cli_number(at, "free_from") - i;
        assert_true(fma(free_until, quotients[i][1], -quotients[i][0]) <= 0);
        assert_true(fma(free_from, quotients[i][1], -quotients[i][0]) >= 0);
        count += fabs(fma(free_until, quotients[i][1], -quotients[i][0])) < 1e-10; /* close enough to be seen */
    }
    assert_true(count > PASSAGES / 2);
    cJSON_Delete(json);
}

/* Poses that do not move, that move by nearly nothing, from beyond where there is anything, and by half turns. */
static void test_degenerate(void **state)
{
    (void)state;
    cli_write_file("same.txt", "1 0 0 3 0 1 0 0 0 0 1 0\n1 0 0 3 0 1 0 0 0 0 1 0\n1 0 0 3 0 1 0 0 0 0 1 0\n");
    cli_write_file("rests.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
    cli_write_file("tiny.txt", "1 0 0 1e-300 0 1 0 0 0 0 1 0\n1 0 0 -3e-300 0 1 0 0 0 0 1 0\n");
    cli_write_file("huge.txt", "1 0 0 -1e300 0 1 0 0 0 0 1 0\n1 0 0 1e300 0 1 0 0 0 0 1 0\n");
    cli_write_file("pin.obj", "v -2 0.25 0\nv -2.5 0.25 0\nv -2 0.25 0.25\nf 1 2 3\n");
    cli_write_file("hand.obj", "v 0 0 0\nv 3 0 0\nv 3 0 0.5\nf 1 2 3\n");
    cli_write_file("half.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n-1 0 0 0 0 -1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
    cli_expect(0, "tumble check wall.obj plate.obj --poses same.txt --continuous");
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check wall.obj plate.obj --poses rests.txt --continuous --json").out, 0);
    const cJSON *at = cJSON_GetArrayItem(cli_array(json, "intervals"), 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "intervals")), 1);
    assert_true(cli_number(at, "free_until") == 0 && cli_number(at, "touching_at") == 0);
    assert_true(cli_number(at, "touching_until") == 2 && cli_number(at, "free_from") == 2);
    cJSON_Delete(json);
    static const char *const files[] = {"tiny.txt", "huge.txt"};
    static const double times[] = {0.25, 0.5};
    for (int i = 0; i < 2; i++) {
        json = cli_json_line(
            cli_expect(1, "tumble check wall.obj plate.obj --poses %s --continuous --json", files[i]).out, 0);
        at = cJSON_GetArrayItem(cli_array(json, "intervals"), 0);
        assert_true(cli_number(at, "free_until") <= times[i] && cli_number(at, "free_until") >= times[i] - 1e-3);
        assert_true(cli_number(at, "touching_at") == times[i]);
        cJSON_Delete(json);
    }
    /* two half turns, of which the first passes the pin just before it ends */
    json = cli_json_line(
        cli_expect(1, "tumble check pin.obj hand.obj --poses half.txt --continuous --tolerance 1e-6 --json").out, 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "intervals")), 1);
    at = cJSON_GetArrayItem(cli_array(json, "intervals"), 0);
    assert_true(fabs(cli_number(at, "touching_at") - (1 - atan(0.25 / 2) / PI)) <= 1.1e-6);
    assert_true(fabs(cli_number(at, "touching_until") - (1 - atan(0.25 / 2.5) / PI)) <= 1.1e-6);
    cJSON_Delete(json);
}

/* The demonstration finds the gouge and the clamp, and writes what it says. */
static void test_milling(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int gouges;
    } tools[3] = {{"mill", 2}, {"capsule", 1}, {"ball", 1}};
    const cli_result result = cli_run("tumble demo milling --rows 3 --json");
    assert_int_equal(result.status, 0);
    cJSON *json = cli_json_line(result.out, 0);
    assert_int_equal((int)cli_number(json, "moves"), 3 * 81 - 1);
    for (int i = 0; i < 3; i++) {
        const cJSON *tool = cJSON_GetArrayItem(cli_array(json, "tools"), i);
        const cJSON *gouges = cli_array(tool, "gouges");
        assert_string_equal(cli_string(tool, "name"), tools[i].name);
        assert_int_equal(cJSON_GetArraySize(gouges), tools[i].gouges);
        const cJSON *deep = cJSON_GetArrayItem(gouges, tools[i].gouges - 1);
        assert_true(cli_number(deep, "touching_at") > 81 + 29 && cli_number(deep, "free_from") < 81 + 37);
        assert_true(cli_number(tool, "clearance") > 0.1 && cli_number(tool, "clearance") < 0.2);
        assert_true(cli_number(tool, "microseconds") > 0);
    }
    const cJSON *file;
    size_t files = 0;
    cJSON_ArrayForEach(file, cli_array(json, "files"))
    {
        free(cli_read_file(file->valuestring, NULL));
        files++;
    }
    assert_true(files >= 2);
    cJSON_Delete(json);
    const char *text = cli_run("tumble demo milling --rows 2 -o other").out;
    assert_non_null(strstr(text, "Where it cuts the die or the clamp"));
    assert_non_null(strstr(text, "milling-gouge.svg"));
    char *plot = cli_read_file("other/milling-clearance.svg", NULL);
    assert_non_null(strstr(plot, "gouge: move"));
    free(plot);
    cli_expect_error("tumble demo milling --rows 1", "out of range", NULL);
    cli_expect_error("tumble demo milling x", "'x' is one argument too many", NULL);
}

static void test_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble check wall.obj plate.obj --continuous", "--poses", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses one.txt --continuous", "only one", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --tolerance 0.1", "--continuous", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --continuous --first", "--first", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --continuous --relation", "--relation", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --continuous --segments", "--segments", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --continuous --plot a.svg", "--plot", NULL);
    cli_expect_error("tumble check wall.obj plate.obj --poses path.txt --continuous --budget-us 5", "budget", NULL);
    cli_expect_error("tumble check wall.obj --self --continuous", "--continuous", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),         cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_json_members), cmocka_unit_test(test_rounding),
                                       cmocka_unit_test(test_degenerate),   cmocka_unit_test(test_milling),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
