/* `tumble check --continuous` from end to end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
