/* `tumble check A --self` and `tumble info --full` from end to end. */
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads, clean; and with a triangle that pierces its top, which has the number 1. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";
static const char needle[] = "v 0.25 0.25 0.5\nv 0.5 0.25 0.5\nv 0.375 0.25 1.5\nf 9 10 11\n";

static int setup(void **state)
{
    cli_setup(state);
    char both[512] = {0};
    strcat(strcat(both, cube), needle);
    cli_write_file("cube.obj", cube);
    cli_write_file("both.obj", both);
    return 0;
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble check cube.obj --self").out, "cube.obj does not intersect itself\n");
    const cli_result found = cli_expect(1, "tumble check --self both.obj --segments");
    assert_non_null(strstr(found.out, "both.obj intersects itself: 1 pair of polygons\n"));
    assert_non_null(strstr(found.out, "crossing"));
    assert_non_null(strstr(found.out, "(0.3125, 0.25, 1)"));
    assert_string_equal(cli_expect(1, "tumble check both.obj --self --test").out, "both.obj intersects itself\n");
    assert_non_null(strstr(cli_expect(1, "tumble check both.obj --self --count --stats").out, "1 pair of polygons"));
    assert_non_null(strstr(cli_expect(1, "tumble check cube.obj --self --soup --limit 2").out, "... and 10 more"));
    assert_non_null(strstr(cli_expect(0, "tumble check cube.obj --self --clearance 0.5").out, "is not within 0.5"));
    assert_non_null(strstr(cli_expect(1, "tumble check cube.obj --self --clearance 1").out, "3 pairs"));
    assert_non_null(strstr(cli_expect(0, "tumble check cube.obj --self --clearance 1 --rings 2").out, "is not within"));
    assert_non_null(strstr(cli_expect(0, "tumble check --self --help").out, "tumble check A --self"));
}

static void test_json(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(1, "tumble check both.obj --self --json --segments").out, 0);
    double pair[2];
    assert_true(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 1);
    cli_pair(json, 0, pair);
    assert_true(pair[0] == 1 && pair[1] == 6);
    assert_string_equal(cJSON_GetArrayItem(cli_array(json, "kinds"), 0)->valuestring, "crossing");
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "segments")), 1);
    assert_string_equal(cli_string(cli_object(json, "a"), "file"), "both.obj");
    assert_true(cli_number(cli_object(json, "stats"), "microseconds") > 0);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble check cube.obj --self --json --count --hierarchy kdop").out, 0);
    assert_false(cli_bool(json, "collide"));
    assert_true(cli_number(json, "pair_count") == 0);
    assert_null(cJSON_GetObjectItem(json, "pairs"));
    cJSON_Delete(json);
}

static void test_info(void **state)
{
    (void)state;
    assert_non_null(strstr(cli_expect(0, "tumble info cube.obj --full").out, "does not intersect itself"));
    assert_null(strstr(cli_expect(0, "tumble info both.obj").out, "itself"));
    assert_non_null(
        strstr(cli_expect(0, "tumble info both.obj --full --picture places.svg").out, "intersects itself: 1 pair"));
    char *picture = cli_read_file("places.svg", NULL);
    assert_non_null(strstr(picture, "Where the model intersects itself"));
    assert_non_null(strstr(picture, "polygons that intersect"));
    free(picture);
    cJSON *json = cli_json_line(cli_expect(0, "tumble info both.obj --full --json").out, 0);
    assert_true(cli_bool(json, "intersects_itself"));
    assert_true(cli_number(json, "self_pair_count") == 1);
    cJSON_Delete(json);
    cli_expect(1, "tumble check both.obj --self --picture places.svg --view top -o answer.txt");
    cli_expect(1, "tumble check cube.obj --self --clearance 1 --picture near.svg");
}

static void test_refusals(void **state)
{
    (void)state;
    cli_expect_error("tumble check both.obj cube.obj --self", "one model", NULL);
    cli_expect_error("tumble check both.obj --self --relation", "--relation", "--self", NULL);
    cli_expect_error("tumble check both.obj --self --rings 2", "--clearance", NULL);
    cli_expect_error("tumble check both.obj --self --soup --clearance 1 --rings 2", "--soup", NULL);
    cli_expect_error("tumble check both.obj --self --test --segments", "--segments", NULL);
    cli_expect_error("tumble check both.obj --self --view top", "--picture", NULL);
    cli_expect_error("tumble check both.obj cube.obj --soup", "--self", NULL);
    cli_expect_error("tumble info both.obj --picture a.svg", "--full", NULL);
    cli_expect_error("tumble check both.obj --self --picture a.gif", "a.gif", NULL);
}

/* A path in the shape of a U, as a tube; its arms are 3 apart. */
static void test_radius(void **state)
{
    (void)state;
    cli_write_file("path.txt", "0 0 0\n4 0 0\n4 3 0\n0 3 0\n");
    cli_expect(0, "tumble make polyline --points path.txt --radius 1.25 -o thin.tumble");
    cli_expect(0, "tumble make polyline --points path.txt --radius 1.5 -o thick.tumble");
    cli_expect(0, "tumble check thin.tumble --self");
    assert_non_null(strstr(cli_expect(1, "tumble check thick.tumble --self").out, "near"));
    cli_expect(0, "tumble check thick.tumble --self --rings 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_json),     cmocka_unit_test(test_info),
        cmocka_unit_test(test_radius), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
