/* `tumble distance` from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads: bottom, top, front, back, left, right. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A triangle whose tip stands above the top of the cube, number 1, and is closer to it than anything else. */
static const char tip[] = "OFF\n3 1 0\n0.5 0.25 1.25\n0.25 0.25 2\n0.75 0.25 2\n3 0 1 2\n";

/* Down to 0.75, 0.25 and 0.5 above the cube, into it, and off to the side, where the edge of the right face is closest:
 * number 5 or a neighbour of it. */
static const char path[] = "1 0 0 0  0 1 0 0  0 0 1 0.5\n"
                           "1 0 0 0  0 1 0 0  0 0 1 0\n"
                           "1 0 0 0  0 1 0 0  0 0 1 0.25\n"
                           "1 0 0 0  0 1 0 0  0 0 1 -0.5\n"
                           "1 0 0 3.5  0 1 0 0  0 0 1 -1.25 # beside\n";
static const double path_distances[] = {0.75, 0.25, 0.5, 0, 2.75};
enum {
    PATH_LENGTH = 5
};

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("tip.off", tip);
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cli_write_file("path.txt", path);
    cli_expect(0, "tumble make gear --triangles 500 -o gear.obj");
    cli_expect(0, "tumble make torus --triangles 500 -o torus.off");
    return 0;
}

static double distance_of(const char *out, size_t line)
{
    cJSON *json = cli_json_line(out, line);
    const double distance = cli_number(json, "distance");
    cJSON_Delete(json);
    return distance;
}

static void get_point(const cJSON *object, const char *key, double out[3])
{
    const cJSON *point = cli_array(object, key);
    assert_int_equal(cJSON_GetArraySize(point), 3);
    for (int i = 0; i < 3; i++) {
        assert_true(cJSON_IsNumber(cJSON_GetArrayItem(point, i)));
        out[i] = cJSON_GetArrayItem(point, i)->valuedouble;
    }
}

static void check_point(const cJSON *object, const char *key, double x, double y, double z)
{
    double point[3];
    get_point(object, key, point);
    assert_true(point[0] == x && point[1] == y && point[2] == z);
}

static void check_null(const cJSON *object, const char *key)
{
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(object, key)));
}

static void check_no_pair(const cJSON *json)
{
    static const char *const keys[] = {"distance", "point_a", "point_b", "polygon_a", "polygon_b"};
    for (size_t i = 0; i < 5; i++) {
        check_null(json, keys[i]);
    }
}

/* ---- answers ---- */

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble distance cube.obj tip.off").out,
                        "cube.obj and tip.off are 0.25 apart: polygon 1 of the first at (0.5, 0.25, 1), polygon 0 of "
                        "the second at (0.5, 0.25, 1.25).\n");
    const char *out = cli_expect(1, "tumble distance cube.obj tip.off --pose-b '1 0 0 0  0 1 0 0  0 0 1 -0.25'").out;
    assert_string_equal(out, "cube.obj and tip.off intersect, their distance is 0: polygon 1 of the first and polygon "
                             "0 of the second meet at (0.5, 0.25, 1).\n");
    out = cli_expect(0, "tumble distance cube.obj tip.off --stats").out;
    assert_int_equal(cli_count_lines(out), 8);
    assert_non_null(strstr(out, "N_v"));
    assert_non_null(strstr(out, "N_p"));
}

static void test_json(void **state)
{
    (void)state;
    const cli_result result = cli_expect(0, "tumble distance cube.obj tip.off --json");
    assert_int_equal(cli_count_lines(result.out), 1);
    cJSON *json = cli_json_line(result.out, 0);
    assert_true(cli_number(json, "distance") == 0.25);
    check_point(json, "point_a", 0.5, 0.25, 1);
    check_point(json, "point_b", 0.5, 0.25, 1.25);
    assert_true(cli_number(json, "polygon_a") == 1 && cli_number(json, "polygon_b") == 0);
    assert_true(cli_bool(json, "complete"));
    assert_true(cli_number(json, "lower") == 0.25 && cli_number(json, "upper") == 0.25);
    assert_true(cli_number(json, "penetration") == 0 && cli_number(json, "undecided") == 0);
    assert_string_equal(cli_string(json, "hierarchy"), "wide");
    assert_true(cli_number(cli_object(json, "stats"), "primitive_tests") >= 1);
    assert_null(cJSON_GetObjectItem(json, "step"));
    assert_null(cJSON_GetObjectItem(json, "pairs"));
    assert_null(cJSON_GetObjectItem(json, "within"));
    cJSON_Delete(json);
}

/* Exchanging A and B exchanges polygons and points; a pose of A moves and scales it. */
static void test_json_of_others(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble distance tip.off cube.obj --json").out, 0);
    assert_true(cli_number(json, "distance") == 0.25 && cli_number(json, "polygon_b") == 1);
    check_point(json, "point_b", 0.5, 0.25, 1);
    cJSON_Delete(json);
    static const char pose[] = "'2 0 0 8  0 2 0 0  0 0 2 0'";
    json = cli_json_line(
        cli_expect(0, "tumble distance cube.obj tip.off --json --pose-a %s --pose-b %s", pose, pose).out, 0);
    assert_true(cli_number(json, "distance") == 0.5);
    check_point(json, "point_a", 9, 0.5, 2);
    check_point(json, "point_b", 9, 0.5, 2.5);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble distance cube.obj cube.obj --json").out, 0);
    assert_true(cli_number(json, "distance") == 0 && cli_number(json, "upper") == 0);
    cJSON_Delete(json);
}

static void test_hierarchies(void **state)
{
    (void)state;
    static const char *const options[] = {
        "wide",  "boxtree", "kdop --k 6 --tumble axes", "kdop --k 18 --hull", "kdop --k 12 --leaf-b 8",
        "rtree", "brute"};
    const double expected = distance_of(
        cli_expect(0, "tumble distance gear.obj torus.off --json --pose-b '0 -1 0 3  1 0 0 0  0 0 1 0.5'").out, 0);
    assert_true(expected > 0.5 && expected < 3);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const cli_result result =
            cli_expect(0,
                       "tumble distance gear.obj torus.off --json --pose-b '0 -1 0 3  1 0 0 0  0 0 1 0.5' "
                       "--hierarchy %s",
                       options[i]);
        assert_true(fabs(distance_of(result.out, 0) - expected) <= 1e-14 * expected);
        cJSON *json = cli_json_line(result.out, 0);
        assert_memory_equal(cli_string(json, "hierarchy"), options[i], strlen(cli_string(json, "hierarchy")));
        cJSON_Delete(json);
    }
}

static void test_saved(void **state)
{
    (void)state;
    cli_expect(0, "tumble build gear.obj -o gear.tumble --hierarchy kdop");
    cli_expect(0, "tumble build torus.off -o torus.tumble --hierarchy boxtree");
    const double expected = distance_of(
        cli_expect(0, "tumble distance gear.obj torus.off --json --pose-b '1 0 0 3  0 1 0 0  0 0 1 0'").out, 0);
    const cli_result mixed =
        cli_expect(0, "tumble distance gear.tumble torus.tumble --json --pose-b '1 0 0 3  0 1 0 0  0 0 1 0'");
    assert_true(fabs(distance_of(mixed.out, 0) - expected) <= 1e-14 * expected);
    cJSON *json = cli_json_line(mixed.out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), "kdop, boxtree");
    cJSON_Delete(json);
    cli_expect_error("tumble distance gear.tumble torus.off --hierarchy wide", "gear.tumble", "kdop", NULL);
}

static void test_empty(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble distance cube.obj empty.off --allow-empty").out,
                        "cube.obj and empty.off are infinitely far apart: empty.off has no polygons.\n");
    assert_string_equal(cli_expect(0, "tumble distance empty.off cube.obj --allow-empty --within 1").out,
                        "empty.off and cube.obj are farther than 1 apart.\n");
    cJSON *json =
        cli_json_line(cli_expect(0, "tumble distance empty.off empty.off --allow-empty --json --pairs").out, 0);
    check_no_pair(json);
    check_null(json, "lower");
    assert_true(cli_bool(json, "complete"));
    assert_true(cli_number(json, "pair_count") == 0);
    cJSON_Delete(json);
    const char *out =
        cli_expect(0, "tumble distance cube.obj empty.off --allow-empty --poses path.txt --plot empty.svg "
                      "--picture empty-picture.svg")
            .out;
    assert_non_null(strstr(out, "empty.off has no polygons"));
    assert_non_null(strstr(out, "     4  infinite\n"));
}

/* ---- what is asked ---- */

static void test_within(void **state)
{
    (void)state;
    const char *out = cli_expect(0, "tumble distance cube.obj tip.off --within 0.2").out;
    assert_string_equal(out, "cube.obj and tip.off are farther than 0.2 apart.\n");
    cJSON *json = cli_json_line(cli_expect(0, "tumble distance cube.obj tip.off --within 0.2 --json").out, 0);
    check_no_pair(json);
    assert_string_equal(cli_string(json, "within"), "no");
    assert_true(cli_number(json, "lower") == 0.2);
    check_null(json, "upper");
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble distance cube.obj tip.off --within 0.25 --json").out, 0);
    assert_true(cli_number(json, "distance") == 0.25);
    assert_string_equal(cli_string(json, "within"), "yes");
    cJSON_Delete(json);
    cli_expect(1, "tumble distance cube.obj tip.off --within 0.25");
    cli_expect(0, "tumble distance cube.obj tip.off --within 0");
    cli_expect(1, "tumble distance cube.obj cube.obj --within 0");
}

static void check_errors(double relative, double absolute, double exact)
{
    const cli_result result =
        cli_expect(0,
                   "tumble distance gear.obj torus.off --json --pose-b '0 -1 0 3  1 0 0 0  0 0 1 0.5' --rel-error "
                   "%g --abs-error %g",
                   relative, absolute);
    cJSON *json = cli_json_line(result.out, 0);
    const double found = cli_number(json, "distance"), most = (exact * (1 + relative) + absolute) * (1 + 1e-14);
    assert_true(found >= exact * (1 - 1e-14) && found <= most);
    assert_true(cli_number(json, "lower") <= exact && cli_number(json, "upper") == found);
    cJSON_Delete(json);
}

static void test_errors(void **state)
{
    (void)state;
    const double exact = distance_of(
        cli_expect(0, "tumble distance gear.obj torus.off --json --pose-b '0 -1 0 3  1 0 0 0  0 0 1 0.5'").out, 0);
    for (int i = 0; i < 9; i++) {
        static const double errors[] = {0, 0.05, 0.5};
        check_errors(errors[i % 3], errors[i / 3], exact);
    }
    const char *out = cli_expect(0, "tumble distance gear.obj torus.off --abs-error 1 --pose-b '1 0 0 9  0 1 0 0  0 0 "
                                    "1 0'")
                          .out;
    assert_non_null(strstr(out, "gear.obj and torus.off are between "));
}

/* The pairs at the distance are the pairs that are at most so far apart. */
static void test_pairs(void **state)
{
    (void)state;
    static const char pose[] = "'1 0 0 1.5  0 1 0 0  0 0 1 0'";
    cJSON *json =
        cli_json_line(cli_expect(0, "tumble distance cube.obj cube.obj --pairs --json --pose-b %s", pose).out, 0);
    char *checked =
        strdup(cli_expect(1, "tumble check cube.obj cube.obj --clearance 0.5 --json --pose-b %s", pose).out);
    cJSON *expected = cli_json_line(checked, 0);
    const cJSON *pairs = cli_array(json, "pairs"), *pair;
    assert_true(cli_number(json, "pair_count") == cli_number(expected, "pair_count"));
    assert_int_equal(cJSON_GetArraySize(pairs), (int)cli_number(expected, "pair_count"));
    size_t index = 0;
    cJSON_ArrayForEach(pair, pairs)
    {
        double numbers[2], from[3], to[3];
        cli_pair(expected, index++, numbers);
        assert_true(cli_number(pair, "polygon_a") == numbers[0] && cli_number(pair, "polygon_b") == numbers[1]);
        assert_true(cli_number(pair, "distance") == 0.5);
        get_point(pair, "point_a", from);
        get_point(pair, "point_b", to);
        assert_true(from[0] == 1 && to[0] == 1.5 && from[1] == to[1] && from[2] == to[2]);
    }
    assert_true(index > 5);
    cJSON_Delete(json);
    cJSON_Delete(expected);
    free(checked);
}

static void test_pairs_text(void **state)
{
    (void)state;
    static const char pose[] = "'1 0 0 1.5  0 1 0 0  0 0 1 0'";
    const char *out = cli_expect(0, "tumble distance cube.obj tip.off --pairs").out;
    assert_non_null(strstr(out, "\n1 pair of polygons is so close:\n"));
    assert_non_null(strstr(out, "             1             0      0.25  (0.5, 0.25, 1)  (0.5, 0.25, 1.25)\n"));
    out = cli_expect(0, "tumble distance cube.obj cube.obj --pairs --limit 2 --pose-b %s", pose).out;
    assert_non_null(strstr(out, "pairs more: --limit "));
    assert_int_equal(cli_count_lines(out), 8);
    out = cli_expect(0, "tumble distance cube.obj cube.obj --pairs --abs-error 10 --pose-b %s", pose).out;
    assert_non_null(strstr(out, "36 pairs of polygons are so close, to within the errors:"));
    assert_non_null(strstr(out, "16 pairs more: --limit 36 lists them all"));
    cJSON *json = cli_json_line(
        cli_expect(0, "tumble distance cube.obj cube.obj --pairs --limit 0 --json --pose-b %s", pose).out, 0);
    assert_true(cli_number(json, "pair_count") > 5);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 0);
    cJSON_Delete(json);
}

/* ---- budgets ---- */

/* More boxes never prove less, and enough of them prove all. */
static void test_budget_boxes(void **state)
{
    (void)state;
    static const char pose[] = "'0 -1 0 2.45  1 0 0 0  0 0 1 0.2'";
    const double exact =
        distance_of(cli_expect(0, "tumble distance gear.obj torus.off --json --pose-b %s", pose).out, 0);
    double lower = 0, upper = INFINITY;
    int incomplete = 0, complete = 0;
    for (int budget = 1; budget < 1000000 && !complete; budget *= 2) {
        const cli_result result =
            cli_run("tumble distance gear.obj torus.off --json --pose-b %s --budget-boxes %d", pose, budget);
        cJSON *json = cli_json_line(result.out, 0);
        const cJSON *bound = cJSON_GetObjectItem(json, "upper");
        const double next = cJSON_IsNumber(bound) ? bound->valuedouble : INFINITY;
        assert_true(cli_number(json, "lower") >= lower && next <= upper);
        lower = cli_number(json, "lower"), upper = next;
        assert_true(lower <= exact * (1 + 1e-14) && upper >= exact * (1 - 1e-14));
        complete = cli_bool(json, "complete");
        incomplete += !complete;
        assert_int_equal(result.status, lower > 0 ? 0 : 3);
        assert_true(complete == (cli_number(json, "undecided") == 0));
        cJSON_Delete(json);
    }
    assert_true(incomplete > 2 && complete && lower == exact && upper == exact);
}

static void test_budget_text(void **state)
{
    (void)state;
    static const char pose[] = "'0 -1 0 2.45  1 0 0 0  0 0 1 0.2'";
    const char *out = cli_expect(3, "tumble distance gear.obj torus.off --pose-b %s --budget-boxes 1", pose).out;
    assert_non_null(strstr(out, "The budget was spent before "));
    out = cli_expect(3, "tumble distance gear.obj torus.off --pose-b %s --budget-boxes 1 --within 1", pose).out;
    assert_non_null(strstr(out, "Maybe gear.obj and torus.off are at most 1 apart.\n"));
    out = cli_expect(3, "tumble distance gear.obj torus.off --budget-us 0.001 --poses path.txt").out;
    assert_non_null(strstr(out, "steps the budget was spent before the distance was known."));
    cJSON *json = cli_json_line(
        cli_expect(3, "tumble distance gear.obj torus.off --pose-b %s --budget-boxes 1 --within 1 --json", pose).out,
        0);
    assert_string_equal(cli_string(json, "within"), "maybe");
    assert_false(cli_bool(json, "complete"));
    assert_true(cli_number(json, "undecided") > 0);
    cJSON_Delete(json);
    /* enough of it changes nothing */
    cli_expect(0, "tumble distance cube.obj tip.off --budget-us 10000000");
    cli_expect(1, "tumble distance cube.obj cube.obj --budget-us 10000000");
}

/* Of a path with a step that intersects and one where the budget was spent, the intersection counts. */
static void test_budget_and_hit(void **state)
{
    (void)state;
    static const char *const commands[] = {"check", "distance"};
    cli_write_file("hit.txt", "1 0 0 0  0 1 0 0  0 0 1 0\n1 0 0 1.5  0 1 0 0  0 0 1 0\n");
    for (size_t i = 0; i < 2; i++) {
        int seen = 0;
        for (int budget = 1; budget < 1000; budget += budget / 2 + 1) {
            const cli_result result = cli_run("tumble %s gear.obj torus.off --poses hit.txt --budget-boxes %d --json%s",
                                              commands[i], budget, i ? " --within 0.0001" : "");
            const int hit = strstr(result.out, i ? "\"within\": \"yes\"" : "\"collide\": true") != NULL;
            const int maybe = strstr(result.out, i ? "\"within\": \"maybe\"" : "\"collide\": null") != NULL;
            assert_int_equal(result.status, hit ? 1 : maybe ? 3 : 0);
            seen += hit && maybe;
        }
        assert_true(seen > 0);
    }
}

/* ---- paths ---- */

static void test_poses(void **state)
{
    (void)state;
    const cli_result result = cli_expect(1, "tumble distance cube.obj tip.off --poses path.txt --json");
    assert_int_equal(cli_count_lines(result.out), PATH_LENGTH);
    for (size_t step = 0; step < PATH_LENGTH; step++) {
        cJSON *json = cli_json_line(result.out, step);
        assert_true(cli_number(json, "step") == (double)step);
        assert_true(cli_number(json, "distance") == path_distances[step]);
        cJSON_Delete(json);
    }
    const char *out = cli_expect(1, "tumble distance cube.obj tip.off --poses path.txt").out;
    assert_non_null(
        strstr(out, "cube.obj and tip.off intersect at 1 of 5 poses, first at step 3.\n\n  step  distance"));
    assert_non_null(strstr(out, "\n     2       0.5             1             0  (0.5, 0.25, 1)  "));
    assert_int_equal(cli_count_lines(out), 3 + PATH_LENGTH);
    cli_write_file("free.txt", "1 0 0 0 0 1 0 0 0 0 1 2\n1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 1\n");
    out = cli_expect(0, "tumble distance cube.obj tip.off --poses free.txt --stats").out;
    assert_non_null(strstr(out, "cube.obj and tip.off come closest at step 1 of 3 poses: 0.25 apart.\n"));
    assert_non_null(strstr(out, "\nAll steps together"));
    out = cli_expect(0, "tumble distance cube.obj tip.off --poses free.txt --within 0.125").out;
    assert_non_null(strstr(out, "cube.obj and tip.off are farther than 0.125 apart at all of 3 poses.\n"));
    assert_non_null(strstr(out, "\n     0  more than 0.125\n"));
    out = cli_expect(1, "tumble distance cube.obj tip.off --poses free.txt --within 0.5").out;
    assert_non_null(strstr(out, "closest at step 1 of 3 poses"));
    cJSON *json =
        cli_json_line(cli_expect(0, "tumble distance cube.obj tip.off --poses free.txt --json --pairs").out, 1);
    assert_true(cli_number(json, "pair_count") == 1);
    cJSON_Delete(json);
}

static void write_turns(const char *name, int count)
{
    char *text = calloc((size_t)count, 200);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const double angle = 0.02 * i, c = cos(angle), s = sin(angle);
        used += (size_t)sprintf(text + used, "%.17g %.17g 0 %.17g  %.17g %.17g 0 0.25  0 0 1 0.5\n", c, -s,
                                2.5 - 0.03 * i, s, c);
    }
    cli_write_file(name, text);
    free(text);
}

/* What was learnt at the last step changes no distance, at far apart, close and intersecting poses. */
static void test_coherence(void **state)
{
    (void)state;
    write_turns("turns.txt", 60);
    char *with = strdup(cli_expect(1, "tumble distance gear.obj torus.off --poses turns.txt --json").out);
    static const char *const choices[] = {"none", "pair", "front"};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const cli_result without =
            cli_expect(1, "tumble distance gear.obj torus.off --poses turns.txt --json --coherence %s", choices[i]);
        size_t hits = 0;
        for (size_t step = 0; step < 60; step++) {
            const double one = distance_of(with, step), other = distance_of(without.out, step);
            assert_true(fabs(one - other) <= 2e-14 * other);
            hits += other == 0;
        }
        assert_true(hits > 5 && hits < 55);
    }
    free(with);
}

/* ---- drawings ---- */

static void expect_drawing(const char *name, const char *word)
{
    char *text = cli_read_file(name, NULL);
    assert_memory_equal(text, "<svg", 4);
    assert_non_null(strstr(text, word));
    assert_non_null(strstr(text, "</svg>"));
    free(text);
}

static void test_drawings(void **state)
{
    (void)state;
    cli_expect(1, "tumble distance cube.obj tip.off --poses path.txt --plot plot.svg --picture picture.svg");
    expect_drawing("plot.svg", "first contact: step 3");
    expect_drawing("picture.svg", ">Step 3 of the path: 1 pair of polygons intersects<");
    cli_expect(0, "tumble distance cube.obj tip.off --picture picture.svg --json -o result.json");
    expect_drawing("picture.svg", "distance: 0.25");
    cli_expect(0, "tumble distance cube.obj tip.off --within 0.125 --picture picture.svg");
    expect_drawing("picture.svg", ">The models are more than 0.125 apart<");
    const size_t files = cli_count_files();
    if (cli_run("rsvg-convert --version").status == 0) {
        cli_expect(0, "tumble distance cube.obj tip.off --picture picture.png");
        char *bytes = cli_read_file("picture.png", NULL);
        assert_memory_equal(bytes, "\x89PNG", 4);
        free(bytes);
        assert_int_equal(cli_count_files(), files + 1);
    }
    cli_expect_error("tumble distance cube.obj tip.off --picture picture.gif", "'picture.gif'", ".svg or .png", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --picture svg", "'svg'", ".svg or .png", NULL);
}

static void test_drawing_without_program(void **state)
{
    (void)state;
    const size_t files = cli_count_files();
    const cli_result result =
        cli_run("PATH=\"$(dirname \"$(command -v tumble)\")\" tumble distance cube.obj tip.off --picture other.png");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "rsvg-convert"));
    assert_non_null(strstr(result.err, "librsvg2-bin"));
    assert_int_equal(cli_count_files(), files);
}

/* ---- errors ---- */

static void test_usage_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble distence cube.obj tip.off", "did you mean 'distance'", NULL);
    cli_expect_error("tumble distance cube.obj", "two models", "tumble distance --help", NULL);
    cli_expect_error("tumble distance cube.obj tip.off cube.obj", "one argument too many", NULL);
    cli_expect_error("tumble distance cube.obj missing.off", "missing.off", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --withn 1", "did you mean '--within'", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --within", "--within needs a value", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --within -1", "out of range", "at least 0", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --within nan", "out of range", "at least 0", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --within inf", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --within near", "'near' is not a number", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --rel-error -0.1", "--rel-error", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --rel-error nan", "--rel-error", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --abs-error 1e999", "--abs-error", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --budget-us 0", "--budget-us", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --budget-us -5", "--budget-us", "out of range", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --budget-boxes 0", "--budget-boxes", "whole number from 1",
                     NULL);
    cli_expect_error("tumble distance cube.obj tip.off --budget-boxes 1.5", "--budget-boxes", "whole number", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --limit 5", "--limit belongs to --pairs", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --coherence none", "--poses", "leave it out", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --plot plot.svg", "--plot", "--poses", "--picture", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --poses path.txt --plot plot.pdf", ".svg or .png", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --poses path.txt --pairs", "--pairs", "--json", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --poses path.txt --pose-b '1 0 0 0 0 1 0 0 0 0 1 0'",
                     "leave one of them out", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --overlap sat", "unknown option '--overlap'", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --traversal both --hierarchy kdop", "unknown option", NULL);
    cli_expect_error("tumble distance cube.obj tip.off --k 18", "--hierarchy kdop", NULL);
    cli_expect_error("tumble distance cube.obj tip.off -o missing/result.txt", "cannot be written", NULL);
    cli_expect_error("tumble distance cube.obj tip.off >/dev/full", "cannot be written", NULL);
    cli_write_file("bad.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 -1 0\n");
    cli_expect_error("tumble distance cube.obj tip.off --poses bad.txt", "line 2", "mirror", NULL);
}

static void test_output(void **state)
{
    (void)state;
    cli_expect(0, "tumble distance cube.obj tip.off --json -o out.json");
    char *text = cli_read_file("out.json", NULL);
    assert_true(distance_of(text, 0) == 0.25);
    free(text);
    assert_string_equal(cli_expect(0, "tumble distance cube.obj tip.off --output=out.json").out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_of_others),
        cmocka_unit_test(test_hierarchies),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_text),
        cmocka_unit_test(test_budget_boxes),
        cmocka_unit_test(test_budget_text),
        cmocka_unit_test(test_budget_and_hit),
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_coherence),
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_drawing_without_program),
        cmocka_unit_test(test_usage_errors),
        cmocka_unit_test(test_output),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
