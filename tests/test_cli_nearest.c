/* `tumble nearest`: text, JSON, files of points, boxes and balls, pictures and errors. */
#include <stdio.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads: bottom, top, front, back, left, right; and without its top. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";
static const char open_cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                "f 4 3 2 1\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("open.obj", open_cube);
    cli_write_file("points.txt", "# two points\n0.5 0.5 3\n\n[0.5, 0.5, 0.75] # inside\n");
    cli_write_file("short.txt", "0 0\n");
    cli_write_file("none.txt", "# nothing\n");
    return 0;
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble nearest cube.obj --point '0.5 0.5 3'").out,
                        "polygon 1 at distance 2, point 0.5 0.5 1\n");
    assert_string_equal(cli_expect(0, "tumble nearest cube.obj --point '4 5 1' --count 2").out,
                        "polygon 1 at distance 5, point 1 1 1\npolygon 3 at distance 5, point 1 1 1\n");
    assert_string_equal(cli_expect(0, "tumble nearest cube.obj --point '0.5 0.5 3' --within 1.5").out,
                        "nothing is that near\n");
    assert_string_equal(cli_expect(1, "tumble nearest cube.obj --point '0.5 0.5 0.75' --signed").out,
                        "polygon 1 at distance -0.25, point 0.5 0.5 1\n");
    const cli_result open = cli_run("tumble nearest open.obj --point '0.5 0.5 0.25' --signed");
    assert_int_equal(open.status, 0);
    assert_string_equal(open.out, "polygon 0 at distance 0.25, point 0.5 0.5 0\n");
    assert_non_null(strstr(open.err, "open.obj is open"));
    cli_expect(1, "tumble nearest cube.obj --point '0.5 0.5 1'");
}

static void test_file(void **state)
{
    (void)state;
    assert_string_equal(
        cli_expect(0, "tumble nearest cube.obj --points points.txt").out,
        "point 0: polygon 1 at distance 2, point 0.5 0.5 1\npoint 1: polygon 1 at distance 0.25, point 0.5 0.5 1\n");
    assert_string_equal(
        cli_expect(1, "tumble nearest cube.obj --points - --signed --json < points.txt").out,
        "{\"file\": \"cube.obj\", \"closed\": true, \"points\": [{\"point\": [0.5, 0.5, 3], \"closest\": "
        "[{\"polygon\": "
        "1, \"distance\": 2, \"lower\": 1.9999999999999978, \"upper\": 2.000000000000001, \"point\": [0.5, 0.5, 1]}]}, "
        "{\"point\": [0.5, 0.5, 0.75], \"closest\": [{\"polygon\": 1, \"distance\": -0.25, \"lower\": "
        "-0.2500000000000001, \"upper\": -0.24999999999999972, \"point\": [0.5, 0.5, 1]}]}]}\n");
}

static void test_shapes(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(1, "tumble nearest cube.obj --point '0.5 0.5 3' --sphere 2").out, "polygon 1\n");
    assert_string_equal(cli_expect(0, "tumble nearest cube.obj --point '0.5 0.5 3' --sphere 1.99").out,
                        "nothing meets the ball\n");
    assert_string_equal(cli_expect(1, "tumble nearest cube.obj --point '0 0 0' --sphere 0 --find count").out,
                        "3 polygons meet the ball\n");
    assert_string_equal(cli_expect(1, "tumble nearest cube.obj --point '0.5 0.5 3' --box '1 1 2' --json").out,
                        "{\"file\": \"cube.obj\", \"overlap\": true, \"polygon_count\": 5, \"polygons\": [1, 2, 3, 4, "
                        "5]}\n");
    assert_string_equal(cli_expect(0, "tumble nearest cube.obj --point '0.5 0.5 3' --box '2.5 1 1' --find test").out,
                        "nothing meets the box\n");
    assert_string_equal(
        cli_expect(1, "tumble nearest cube.obj --point '.5 .5 3' --box '2.5 1 1' --turn '1 0 1 0' --find test").out,
        "the model meets the box\n");
}

static void test_picture(void **state)
{
    (void)state;
    cli_expect(0, "tumble nearest cube.obj --point '.5 .5 3' --picture near.svg");
    assert_non_null(strstr(cli_expect(0, "cat near.svg").out, "olygon 1 is at distance 2"));
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "there is no point"},
        {"--point '0 0 0' --points points.txt", "exclude each other"},
        {"--point '0 0'", "--point '0 0' is not a point"},
        {"--points short.txt", "short.txt:1: a point is three numbers"},
        {"--points none.txt", "none.txt has no points"},
        {"--points missing.txt", "cannot open missing.txt"},
        {"--points points.txt --picture x.svg", "--picture needs one point"},
        {"--points points.txt --sphere 1", "--sphere needs one point"},
        {"--point '0 0 0' --sphere 1 --box '1 1 1'", "exclude each other"},
        {"--point '0 0 0' --sphere 1 --count 2", "leave them out with --sphere"},
        {"--point '0 0 0' --box '1 1'", "--box '1 1' is not a box"},
        {"--point '0 0 0' --box '1 1 -1'", "half extent 2"},
        {"--point '0 0 0' --box '1 1 1' --turn '0 0 0 0'", "--turn"},
        {"--point '0 0 0' --turn '1 0 0 0'", "--turn turns a box"},
        {"--point '0 0 0' --picture x.txt", "--picture"},
        {"--point '0 0 0' --count 0", "--count"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[256];
        snprintf(command, sizeof command, "tumble nearest cube.obj %s", cases[i][0]);
        const char *message = cli_expect(2, "%s", command).err;
        if (!strstr(message, cases[i][1])) {
            fail_msg("%s: '%s' lacks '%s'", command, message, cases[i][1]);
        }
    }
}

static void test_radius(void **state)
{
    (void)state;
    assert_non_null(strstr(cli_expect(0, "tumble nearest cube.obj --point '0.5 0.25 3' --radius 0.5").out,
                           "at distance 1.5, point 0.5 0.25 1.5"));
    assert_non_null(strstr(cli_expect(1, "tumble nearest cube.obj --point '0.5 0.25 1.25' --radius 0.5 --signed").out,
                           "at distance -0.25, point 0.5 0.25 1.5"));
    assert_string_equal(
        cli_expect(1, "tumble nearest cube.obj --point '0.5 0.5 2' --sphere 0.5 --radius 0.5 --find count").out,
        "1 polygon meets the ball\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_file, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_shapes, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_radius, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_picture, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, cli_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
