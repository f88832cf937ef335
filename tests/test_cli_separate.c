/* `tumble separate` from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

static const char path[] = "1 0 0 4  0 1 0 0  0 0 1 0\n"
                           "1 0 0 0.75  0 1 0 0.5  0 0 1 0.5\n"
                           "1 0 0 0.5  0 1 0 0.5  0 0 1 0.25\n"
                           "1 0 0 1  0 1 0 0  0 0 1 0\n";

/* Unit boxes, a sheet through the middle of one, and one that is nowhere near. */
static int setup(void **state)
{
    cli_setup(state);
    cli_expect(0, "tumble make box -o a.obj");
    cli_expect(0, "tumble make box -o b.obj");
    cli_write_file("sheet.off", "OFF\n4 1 0\n-1 -1 0.5\n2 -1 0.5\n2 2 0.5\n-1 2 0.5\n4 0 1 2 3\n");
    cli_write_file("path.txt", path);
    return 0;
}

static cJSON *ask(int status, const char *options)
{
    return cli_json_line(cli_expect(status, "tumble separate a.obj b.obj --json %s", options).out, 0);
}

static void check_null(const cJSON *json, const char *key)
{
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, key)));
}

static void check_point(const cJSON *json, const char *key, double x, double y, double z)
{
    const cJSON *point = cli_array(json, key);
    const double expected[3] = {x, y, z};
    assert_int_equal(cJSON_GetArraySize(point), 3);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(cJSON_GetArrayItem(point, k)->valuedouble - expected[k]) < 1e-12);
    }
}

static void any_direction(void **state)
{
    (void)state;
    cJSON *json = ask(1, "--move-b \"0.75 0.25 0.5\"");
    assert_string_equal(cli_string(json, "relation"), "crossing");
    assert_true(cli_number(json, "lower") <= 0.25 && cli_number(json, "upper") >= 0.25);
    assert_true(cli_number(json, "upper") - cli_number(json, "lower") < 1e-9);
    check_point(json, "translation", 0.25, 0, 0);
    check_point(json, "normal", 1, 0, 0);
    assert_true(cli_number(json, "polygon_a") < 12 && cli_number(json, "polygon_b") < 12);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "deepest")), 3);
    assert_true(fabs(cli_number(json, "depth_a") + cli_number(json, "depth_b") - 0.25) < 1e-9);
    assert_true(cli_bool(json, "complete") && cli_number(json, "directions") >= 1);
    assert_null(cJSON_GetObjectItem(json, "tight"));
    assert_null(cJSON_GetObjectItem(json, "within"));
    assert_true(cli_number(cli_object(json, "stats"), "box_tests") > 0);
    cJSON_Delete(json);
    json = ask(1, "--move-b \"0.75 0.25 0.5\" --directions 1");
    assert_true(cli_number(json, "directions") == 1);
    cJSON_Delete(json);
}

static void along(void **state)
{
    (void)state;
    cJSON *json = ask(1, "--move-b \"0.75 0.25 0.5\" --along \"0 -4 0\" --touching");
    assert_true(fabs(cli_number(json, "upper") - 1.25) < 1e-14 && cli_bool(json, "tight"));
    assert_true(cli_number(json, "lower_along") == 0.3125 && cli_number(json, "upper_along") == 0.3125);
    check_point(json, "translation", 0, -1.25, 0);
    assert_null(cJSON_GetObjectItem(json, "deepest"));
    cJSON_Delete(json);
}

static void limits(void **state)
{
    (void)state;
    cJSON *json = ask(1, "--move-b \"0.5 0.5 0.5\" --within 0.25");
    assert_string_equal(cli_string(json, "within"), "no");
    assert_true(cli_number(json, "lower") > 0.25);
    check_null(json, "upper");
    check_null(json, "translation");
    check_null(json, "polygon_a");
    cJSON_Delete(json);
    json = ask(1, "--move-b \"0.5 0.5 0.5\" --within 0.75 --enough 0.75");
    assert_string_equal(cli_string(json, "within"), "yes");
    cJSON_Delete(json);
    json = ask(1, "--move-b \"0.5 0.5 0.5\" --budget-boxes 1");
    assert_false(cli_bool(json, "complete"));
    cJSON_Delete(json);
    const char *line = "tumble separate a.obj b.obj --move-b \"0.5 0.5 0.5\"";
    assert_non_null(strstr(cli_expect(1, "%s --within 0.25", line).out, "No move of at most 0.25 parts them."));
    assert_non_null(strstr(cli_expect(1, "%s --budget-boxes 1", line).out, "The budget was spent"));
}

static void nothing_to_do(void **state)
{
    (void)state;
    cJSON *json = ask(0, "--move-b \"3 0 0\"");
    assert_true(cli_number(json, "upper") == 0 && cli_number(json, "lower") == 0);
    check_null(json, "translation");
    check_null(json, "deepest");
    cJSON_Delete(json);
    assert_string_equal(cli_expect(0, "tumble separate a.obj b.obj --move-b \"1 0 0\" --touching").out,
                        "a.obj and b.obj: touching. No move is needed.\n");
    const cli_result touching = cli_expect(1, "tumble separate a.obj b.obj --move-b \"1 0 0\"");
    assert_non_null(strstr(touching.out, "a.obj and b.obj: touching. Moving b.obj by"));
}

static void text(void **state)
{
    (void)state;
    const cli_result found = cli_expect(1, "tumble separate a.obj b.obj --move-b \"0.75 0.25 0.5\" --stats");
    assert_non_null(strstr(found.out, "crossing. Moving b.obj by (0.25, 0, 0), which is 0.25 long, parts them.\n"));
    assert_non_null(strstr(found.out, "The shortest move is 0.25 long.\n"));
    assert_non_null(strstr(found.out, "touch last.\n"));
    assert_non_null(strstr(found.out, "box tests"));
    const cli_result open = cli_expect(1, "tumble separate a.obj sheet.off --along \"0 0 1\"");
    assert_non_null(strstr(open.out, "This is the shortest move along that direction.\n"));
    cli_expect_error("tumble separate a.obj sheet.off", "model B is open", "give a direction", NULL);
}

static void paths(void **state)
{
    (void)state;
    const char *line = "tumble separate a.obj b.obj --poses path.txt --touching";
    const cli_result found = cli_expect(1, "%s", line);
    assert_non_null(strstr(found.out, "must be parted at 2 of 4 poses, deepest at step 2: 0.5.\n"));
    assert_int_equal(cli_count_lines(found.out), 7);
    assert_non_null(strstr(cli_expect(1, "%s --limit 1 --stats", line).out, "... and 3 steps more"));
    const cli_result lines = cli_expect(1, "%s --json", line);
    static const double depths[] = {0, 0.25, 0.5, 0};
    assert_int_equal(cli_count_lines(lines.out), 4);
    for (size_t i = 0; i < 4; i++) {
        cJSON *json = cli_json_line(lines.out, i);
        assert_true(cli_number(json, "step") == (double)i);
        assert_true(fabs(cli_number(json, "upper") - depths[i]) < 1e-12);
        cJSON_Delete(json);
    }
    cli_write_file("apart.txt", "1 0 0 4  0 1 0 0  0 0 1 0\n1 0 0 5  0 1 0 0  0 0 1 0\n");
    assert_non_null(strstr(cli_expect(0, "tumble separate a.obj b.obj --poses apart.txt --plot apart.svg").out,
                           "need no move at any of 2 poses.\n"));
}

static char *drawn(const char *file)
{
    char *svg = cli_read_file(file, NULL);
    assert_non_null(strstr(svg, "</svg>"));
    return svg;
}

static void drawings(void **state)
{
    (void)state;
    cli_expect(1,
               "tumble separate a.obj b.obj --poses path.txt --touching --plot plot.svg --picture deepest.svg --stats");
    char *svg = drawn("plot.svg");
    assert_non_null(strstr(svg, "deepest: step 2, 0.5"));
    assert_non_null(strstr(svg, "depth: the shortest move that was found"));
    assert_non_null(strstr(svg, ">distance<"));
    assert_non_null(strstr(svg, "time of a query"));
    free(svg);
    svg = drawn("deepest.svg");
    assert_non_null(strstr(svg, "class=\"move\""));
    assert_non_null(strstr(svg, "Step 2 of the path: crossing; the shortest move is 0.5 long"));
    assert_non_null(strstr(svg, "the move of B, 0.5 long"));
    free(svg);
    /* A short move is drawn longer; one toward the viewer is a ring; none has no arrow. */
    cli_expect(1, "tumble separate a.obj b.obj --move-b \"1 0.25 0.25\" --picture short.svg");
    svg = drawn("short.svg");
    assert_non_null(strstr(svg, "class=\"move\""));
    free(svg);
    cli_expect(1, "tumble separate a.obj b.obj --move-b \"0.75 0.25 0.25\" --picture ring.svg --view right");
    svg = drawn("ring.svg");
    assert_null(strstr(svg, "class=\"move\""));
    free(svg);
    cli_expect(0, "tumble separate a.obj b.obj --move-b \"3 0 0\" --picture none.svg");
    svg = drawn("none.svg");
    assert_null(strstr(svg, "class=\"move\""));
    assert_non_null(strstr(svg, "Apart, no move is needed"));
    free(svg);
}

/* Of open models only the surfaces count. Whether these are free is not known when the budget is spent. */
static void open_models(void **state)
{
    (void)state;
    cli_write_file("tent.off", "OFF\n4 3 0\n0 0 40\n-40 -40 -9\n40 -40 -9\n0 40 -9\n3 0 1 2\n3 0 2 3\n3 0 3 1\n");
    const char *line = "tumble separate tent.off sheet.off --along \"0 0 1\"";
    assert_string_equal(cli_expect(0, "%s", line).out, "tent.off and sheet.off: undefined. No move is needed.\n");
    assert_non_null(strstr(cli_expect(3, "%s --budget-boxes 1", line).out, "No move was found"));
}

static void refused(void **state)
{
    (void)state;
    cli_expect_error("tumble separate a.obj b.obj --along \"0 1\"", "--along '0 1'", "three numbers", NULL);
    cli_expect_error("tumble separate a.obj b.obj --along \"0 0 0\"", "has no direction", NULL);
    cli_expect_error("tumble separate a.obj b.obj --limit 3", "--limit", "--poses", NULL);
    cli_expect_error("tumble separate a.obj b.obj --poses path.txt --coherence all", "--coherence", NULL);
    cli_expect_error("tumble separate a.obj b.obj --plot x.svg", "--plot", NULL);
    cli_expect_error("tumble separate a.obj b.obj --radius-a 1", "model A has a radius", NULL);
    cli_expect_error("tumble separate a.obj", "two models", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_direction), cmocka_unit_test(along),       cmocka_unit_test(limits),
        cmocka_unit_test(nothing_to_do), cmocka_unit_test(text),        cmocka_unit_test(paths),
        cmocka_unit_test(drawings),      cmocka_unit_test(open_models), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
