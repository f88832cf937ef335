/* `tumble check --regions` from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* Unit boxes, and a sheet whose rim is in the middle of one. */
static int setup(void **state)
{
    cli_setup(state);
    cli_expect(0, "tumble make box -o a.obj");
    cli_expect(0, "tumble make box -o b.obj");
    cli_write_file("sheet.off", "OFF\n4 1 0\n-1 -1 0.5\n0.5 -1 0.5\n0.5 2 0.5\n-1 2 0.5\n4 0 1 2 3\n");
    cli_write_file("path.txt", "1 0 0 4  0 1 0 0  0 0 1 0\n1 0 0 0.75  0 1 0 0.5  0 0 1 0.5\n");
    return 0;
}

static void json(void **state)
{
    (void)state;
    cJSON *answer =
        cli_json_line(cli_expect(1, "tumble check a.obj b.obj --move-b \"0.5 0.25 0.125\" --regions --json").out, 0);
    assert_true(cli_bool(answer, "collide") && cli_bool(answer, "closed_a") && cli_bool(answer, "closed_b"));
    assert_true(cli_number(answer, "region_count") == 1);
    const cJSON *region = cJSON_GetArrayItem(cli_array(answer, "regions"), 0);
    assert_string_equal(cli_string(region, "kind"), "line");
    assert_true(fabs(cli_number(region, "length") - 4.25) < 1e-12);
    assert_true(cli_number(region, "coplanar") == 0 && cli_number(region, "contacts") > 3);
    static const char *const points[] = {"lower", "upper", "normal_a", "normal_b"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cJSON_GetArraySize(cli_array(region, points[i])), 3);
    assert_int_equal(cJSON_GetArraySize(cli_array(region, "curves")), 1);
    const cJSON *curve = cJSON_GetArrayItem(cli_array(region, "curves"), 0);
    assert_true(cli_bool(curve, "closed") && cli_bool(curve, "sides_known"));
    assert_true(cli_number(curve, "length") == cli_number(region, "length"));
    assert_int_equal(cJSON_GetArraySize(cli_array(curve, "points")), cJSON_GetArraySize(cli_array(curve, "pairs")));
    cJSON_Delete(answer);
    answer = cli_json_line(cli_expect(1, "tumble check a.obj sheet.off --regions --json").out, 0);
    region = cJSON_GetArrayItem(cli_array(answer, "regions"), 0);
    curve = cJSON_GetArrayItem(cli_array(region, "curves"), 0);
    assert_true(!cli_bool(curve, "closed") && !cli_bool(curve, "sides_known") && !cli_bool(answer, "closed_b"));
    assert_int_equal(cJSON_GetArraySize(cli_array(curve, "points")), 1 + cJSON_GetArraySize(cli_array(curve, "pairs")));
    cJSON_Delete(answer);
}

static void paths(void **state)
{
    (void)state;
    const cli_result found = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --regions --json");
    assert_int_equal(cli_count_lines(found.out), 2);
    cJSON *answer = cli_json_line(found.out, 0);
    assert_true(!cli_bool(answer, "collide") && cli_number(answer, "region_count") == 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(answer, "regions")), 0);
    cJSON_Delete(answer);
}

static void text(void **state)
{
    (void)state;
    const char *line = "tumble check a.obj b.obj --regions --move-b";
    const cli_result found = cli_expect(1, "%s \"0.5 0.25 0.125\" --stats --picture curves.svg", line);
    assert_non_null(strstr(found.out, "a.obj and b.obj intersect in 1 region with 1 curve.\n"));
    assert_non_null(strstr(found.out, "closed curves"));
    assert_non_null(strstr(found.out, "4.25"));
    assert_non_null(strstr(found.out, "box tests"));
    char *svg = cli_read_file("curves.svg", NULL);
    assert_non_null(strstr(svg, "where they meet"));
    free(svg);
    assert_non_null(strstr(cli_expect(1, "%s \"0.5 0.5 1\"", line).out, "area"));
    assert_non_null(strstr(cli_expect(1, "%s \"1 1 1\"", line).out, "point"));
    assert_null(strstr(cli_expect(1, "%s \"1 1 1\" --limit 0", line).out, "point"));
    assert_string_equal(cli_expect(0, "%s \"3 0 0\"", line).out, "a.obj and b.obj do not intersect.\n");
}

static void refused(void **state)
{
    (void)state;
    cli_expect_error("tumble check a.obj b.obj --regions --first", "--regions and --first", NULL);
    cli_expect_error("tumble check a.obj b.obj --regions --clearance 1", "--regions and --clearance", NULL);
    cli_expect_error("tumble check a.obj b.obj --regions --relation", "--regions and --relation", NULL);
    cli_expect_error("tumble check a.obj b.obj --regions --budget-boxes 9", "--regions has no budget", NULL);
    cli_expect_error("tumble check a.obj b.obj --regions --poses path.txt", "--json", NULL);
    cli_expect_error("tumble check a.obj b.obj --regions --radius-a 1", "model A has a radius", NULL);
    cli_expect_error("tumble check a.obj --self --regions", "--regions compares two models", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(json), cmocka_unit_test(paths), cmocka_unit_test(text),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
