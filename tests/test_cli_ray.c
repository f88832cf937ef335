/* `tumble ray`: text, JSON, files of rays, points, pictures and errors. */
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
    cli_write_file("rays.txt", "# two rays\n0.5 0.5 5  0 0 -1\n\n[2, 2, 5], [0, 0, -1] # beside it\n");
    cli_write_file("short.txt", "0 0 0 1 0\n");
    cli_write_file("still.txt", "0 0 0 1 0 0\n0 0 0 0 0 0\n");
    cli_write_file("none.txt", "# nothing\n");
    return 0;
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --origin '0.5 0.5 5' --direction '0 0 -2'").out,
                        "polygon 1 at t = 2, front, point 0.5 0.5 1\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --origin '0.5 0.5 5' --to '0.5 0.5 3' --find all").out,
                        "polygon 1 at t = 2, front, point 0.5 0.5 1\npolygon 0 at t = 2.5, back, point 0.5 0.5 0\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --origin '1 1 5' --direction '0 0 -1' --find count").out,
                        "hits 4 polygons\n");
    assert_string_equal(cli_expect(0, "tumble ray cube.obj --origin '.5 .5 5' --to '.5 .5 2' --t1 1 --find test").out,
                        "hits nothing\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --origin '.5 .5 5' --direction '0 0 1' --line").out,
                        "polygon 0 at t = -5, front, point 0.5 0.5 0\n");
}

static void test_file(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --rays rays.txt --find test").out,
                        "ray 0: hits the model\nray 1: hits nothing\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --rays - --find all < rays.txt").out,
                        "ray 0: polygon 1 at t = 4, front, point 0.5 0.5 1\n    polygon 0 at t = 5, back, point 0.5 "
                        "0.5 0\nray 1: hits nothing\n");
    assert_string_equal(
        cli_expect(1, "tumble ray cube.obj --rays rays.txt --json").out,
        "{\"file\": \"cube.obj\", \"hit\": true, \"hit_count\": 1, \"rays\": [{\"origin\": [0.5, 0.5, 5], "
        "\"direction\": [0, 0, -1], \"hit_count\": 1, \"hits\": [{\"polygon\": 1, \"t\": 4, \"side\": \"front\", "
        "\"point\": [0.5, 0.5, 1]}]}, {\"origin\": [2, 2, 5], \"direction\": [0, 0, -1], \"hit_count\": 0, \"hits\": "
        "[]}]}\n");
}

static void test_inside(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --inside '.5 .5 .5'").out, "inside\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --inside '.5 .5 .5' --rule winding").out,
                        "inside, winding number 1\n");
    assert_string_equal(cli_expect(0, "tumble ray cube.obj --inside '.5 .5 1.5'").out, "outside\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --inside '1 1 1'").out, "on the surface: polygon 1\n");
    assert_string_equal(cli_expect(3, "tumble ray open.obj --inside '.5 .5 .5'").out,
                        "not on the surface; the model is open: it has no inside\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --inside '1 1 1' --json").out,
                        "{\"file\": \"cube.obj\", \"point\": [1, 1, 1], \"place\": \"on-surface\", \"polygon\": 1}\n");
    assert_string_equal(
        cli_expect(1, "tumble ray cube.obj --inside '.5 .5 .5' --rule winding --json").out,
        "{\"file\": \"cube.obj\", \"point\": [0.5, 0.5, 0.5], \"place\": \"inside\", \"winding\": 1}\n");
}

static void test_radius(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --origin '0.5 0.5 5' --direction '0 0 -2' --radius 0.5").out,
                        "polygon 1 at t = 1.75, front, point 0.5 0.5 1.5\n");
    assert_string_equal(
        cli_expect(1, "tumble ray cube.obj --origin '4.25 .5 1.25' --direction '-1 0 0' --radius 1").out,
        "polygon 1 at t = 2.281754163448146, front, point 1.968245836551854 0.5 1.25\n");
    assert_string_equal(cli_expect(1, "tumble ray cube.obj --inside '.5 .5 1.5' --radius 0.5").out,
                        "on the surface: polygon 1\n");
    assert_string_equal(cli_expect(0, "tumble ray open.obj --inside '.5 .5 .5' --radius 0.25").out, "outside\n");
    assert_non_null(strstr(cli_expect(2, "tumble ray cube.obj --inside '0 0 0' --radius -1").err, "--radius"));
}

static void test_picture(void **state)
{
    (void)state;
    cli_expect(1, "tumble ray cube.obj --origin '.5 .5 5' --direction '0 0 -1' --picture ray.svg");
    const char *svg = cli_expect(0, "cat ray.svg").out;
    assert_non_null(strstr(svg, "he ray hits polygon 1 at t = 4"));
    cli_expect(0, "tumble ray cube.obj --origin '5 5 5' --direction '0 0 -1' --picture ray.svg");
    assert_non_null(strstr(cli_expect(0, "cat ray.svg").out, "hits nothing"));
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "there is no ray"},
        {"--origin '0 0 0'", "there is no ray"},
        {"--origin '0 0 0' --direction '1 0 0' --to '1 0 0'", "there is no ray"},
        {"--origin '0 0' --direction '1 0 0'", "--origin '0 0' is not a point"},
        {"--origin '0 0 0' --direction x", "--direction 'x' is not a point"},
        {"--origin '0 0 0' --direction '0 0 0'", "direction of the ray is 0"},
        {"--origin '1 0 0' --to '1 0 0'", "direction of the ray is 0"},
        {"--rays rays.txt --origin '0 0 0'", "leave --origin"},
        {"--rays rays.txt --picture x.svg", "one ray"},
        {"--rays short.txt", "short.txt:1: a ray is six numbers"},
        {"--rays still.txt", "still.txt:2: the direction of the ray is 0"},
        {"--rays none.txt", "none.txt has no rays"},
        {"--rays missing.txt", "cannot open missing.txt"},
        {"--inside '0 0 0' --rays rays.txt", "leave --rays out"},
        {"--inside 'a b c'", "--inside 'a b c' is not a point"},
        {"--origin '0 0 0' --direction '1 0 0' --t0 2 --t1 1", "--t0 2 is larger than --t1 1"},
        {"--origin '0 0 0' --direction '1 0 0' --picture x.txt", "--picture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[256];
        snprintf(command, sizeof command, "tumble ray cube.obj %s", cases[i][0]);
        const char *message = cli_expect(2, "%s", command).err;
        if (!strstr(message, cases[i][1]))
            fail_msg("%s: '%s' lacks '%s'", command, message, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_file, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_inside, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_radius, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_picture, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, cli_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
