/* `tumble check` beyond intersections: clearance, relation, and answers within a budget. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads: bottom, top, front, back, left, right. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A cube of side 0.5 inside of it. */
static const char small[] = "v .25 .25 .25\nv .75 .25 .25\nv .75 .75 .25\nv .25 .75 .25\n"
                            "v .25 .25 .75\nv .75 .25 .75\nv .75 .75 .75\nv .25 .75 .75\n"
                            "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* A triangle whose tip stands 0.25 above the top of the cube, number 1; and the cube without its top. */
static const char tip[] = "OFF\n3 1 0\n0.5 0.25 1.25\n0.25 0.25 2\n0.75 0.25 2\n3 0 1 2\n";
static const char open_cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                "f 4 3 2 1\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("small.obj", small);
    cli_write_file("open.obj", open_cube);
    char two[2 * sizeof small]; /* the small cube, and a tetrahedron outside */
    snprintf(two, sizeof two, "%sv 9 0 0\nv 10 0 0\nv 9 1 0\nv 9 0 1\nf 9 11 10\nf 9 10 12\nf 10 11 12\nf 11 9 12\n",
             small);
    cli_write_file("two.obj", two);
    cli_write_file("tip.off", tip);
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cli_write_file("path.txt", "1 0 0 9  0 1 0 0  0 0 1 0\n"
                               "1 0 0 0  0 1 0 0  0 0 1 0\n"
                               "1 0 0 0  0 1 0 0  0 0 1 -0.25\n");
    cli_expect(0, "tumble make gear --triangles 500 -o gear.obj");
    cli_expect(0, "tumble make torus --triangles 500 -o torus.off");
    return 0;
}

/* ---- clearance ---- */

static void test_clearance_text(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble check cube.obj tip.off --clearance 0.2").out,
                        "cube.obj and tip.off are farther than 0.2 apart.\n");
    const char *out = cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25").out;
    assert_non_null(strstr(out, "cube.obj and tip.off are at most 0.25 apart: 1 pair of polygons.\n"));
    assert_string_equal(cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --first").out,
                        "cube.obj and tip.off are at most 0.25 apart, for example polygon 1 of the first with polygon "
                        "0 of the second.\n");
    cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --test");
    cli_expect(0, "tumble check cube.obj tip.off --clearance 0.2499 --test");
    assert_string_equal(cli_expect(0, "tumble check cube.obj tip.off --clearance 0").out,
                        "cube.obj and tip.off do not intersect.\n");
    cli_expect(0, "tumble check cube.obj empty.off --allow-empty --clearance 1e300");
    out = cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --surfaces all").out;
    assert_non_null(strstr(out, "are at most 0.25 apart: 1 pair of surfaces.\n"));
    /* of a scaled model, in the frame of the poses */
    cli_expect(1, "tumble check cube.obj tip.off --clearance 0.5 --test --pose-a '2 0 0 0 0 2 0 0 0 0 2 0' "
                  "--pose-b '2 0 0 0 0 2 0 0 0 0 2 0'");
    cli_expect(0, "tumble check cube.obj tip.off --clearance 0.49 --test --pose-a '2 0 0 0 0 2 0 0 0 0 2 0' "
                  "--pose-b '2 0 0 0 0 2 0 0 0 0 2 0'");
}

static void check_points(const cJSON *segment, const double from[3], const double to[3])
{
    const cJSON *points = cli_array(segment, "points");
    for (int i = 0; i < 3; i++) {
        assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), i)->valuedouble == from[i]);
        assert_true(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 1), i)->valuedouble == to[i]);
    }
}

static void test_clearance_segments(void **state)
{
    (void)state;
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --segments --json").out, 0);
    assert_true(cli_bool(json, "collide"));
    const cJSON *segment = cJSON_GetArrayItem(cli_array(json, "segments"), 0);
    check_points(segment, (const double[]){0.5, 0.25, 1}, (const double[]){0.5, 0.25, 1.25});
    assert_true(cli_bool(segment, "apart"));
    cJSON_Delete(json);
    const char *out = cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --segments").out;
    assert_non_null(
        strstr(out, "             1             0  nowhere      0.25  (0.5, 0.25, 1)  (0.5, 0.25, 1.25)\n"));
    /* pushed in by 0.25, the tip is a segment of the top */
    out =
        cli_expect(1, "tumble check cube.obj tip.off --clearance 0.1 --segments --pose-b '1 0 0 0 0 1 0 0 0 0 1 -0.5'")
            .out;
    assert_non_null(strstr(out, "  segment         0  "));
}

/* All hierarchies find the same pairs, and more with a larger clearance. */
static void test_clearance_hierarchies(void **state)
{
    (void)state;
    static const char *const names[] = {"wide", "boxtree", "kdop", "rtree", "brute"};
    static const char *const clearances[] = {"0", "0.01", "0.3"};
    double last = 0;
    for (size_t i = 0; i < 3; i++) {
        char *expected = NULL;
        for (size_t h = 0; h < 5; h++) {
            const cli_result result =
                cli_run("tumble check gear.obj torus.off --json --pose-b '0 -1 0 1.4 1 0 0 0 0 0 1 0.1' "
                        "--clearance %s --hierarchy %s",
                        clearances[i], names[h]);
            assert_int_equal(result.status, 1);
            const char *pairs = strstr(result.out, "\"pairs\""), *end = strstr(result.out, "\"hierarchy\"");
            assert_non_null(pairs);
            assert_non_null(end);
            expected = expected ? expected : strndup(pairs, (size_t)(end - pairs));
            assert_int_equal(strlen(expected), (size_t)(end - pairs));
            assert_memory_equal(pairs, expected, strlen(expected));
            cJSON *json = cli_json_line(result.out, 0);
            assert_true(h > 0 || cli_number(json, "pair_count") > last);
            last = cli_number(json, "pair_count");
            cJSON_Delete(json);
        }
        free(expected);
    }
}

static void test_clearance_path(void **state)
{
    (void)state;
    const char *out = cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --poses path.txt").out;
    assert_non_null(strstr(out, "cube.obj and tip.off are at most 0.25 apart at 2 of 3 poses.\n"));
    assert_non_null(strstr(out, "  0       free"));
    assert_non_null(strstr(out, "  1 to 2  near"));
    const cli_result lines = cli_expect(1, "tumble check cube.obj tip.off --clearance 0.25 --poses path.txt --json");
    assert_int_equal(cli_count_lines(lines.out), 3);
    for (size_t step = 0; step < 3; step++) {
        cJSON *json = cli_json_line(lines.out, step);
        assert_int_equal(cli_bool(json, "collide"), step > 0);
        cJSON_Delete(json);
    }
}

/* ---- relation ---- */

typedef struct relation_case {
    const char *models, *pose, *word, *text;
    int status;
} relation_case;

static const relation_case relation_cases[] = {
    {"cube.obj small.obj", "1 0 0 9 0 1 0 0 0 0 1 0", "apart", "they have no point in common", 0},
    {"cube.obj small.obj", "1 0 0 0 0 1 0 0 0 0 1 0", "b-in-a", "small.obj lies inside cube.obj", 1},
    {"small.obj cube.obj", "1 0 0 0 0 1 0 0 0 0 1 0", "a-in-b", "small.obj lies inside cube.obj", 1},
    {"cube.obj small.obj", "1 0 0 0.75 0 1 0 0 0 0 1 0", "touching",
     "polygon 5 of the first meets polygon 4 of the second, but neither model reaches into the other", 1},
    {"cube.obj small.obj", "1 0 0 0.5 0 1 0 0 0 0 1 0.125", "crossing", " of the first meets polygon ", 1},
    {"cube.obj two.obj", "1 0 0 0 0 1 0 0 0 0 1 0", "crossing", "parts of one lie inside the other, and parts do not",
     1},
    {"open.obj small.obj", "1 0 0 0 0 1 0 0 0 0 1 0", "undefined", "open.obj is not closed: it has no inside", 3},
    {"small.obj open.obj", "1 0 0 0 0 1 0 0 0 0 1 0", "undefined", "open.obj is not closed: it has no inside", 3},
    {"cube.obj empty.off --allow-empty", "1 0 0 0 0 1 0 0 0 0 1 0", "apart", "they have no point in common", 0}};

static void test_relation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof relation_cases / sizeof *relation_cases; i++) {
        const relation_case *c = &relation_cases[i];
        const char *out = cli_expect(c->status, "tumble check %s --pose-b '%s' --relation", c->models, c->pose).out;
        char start[64];
        snprintf(start, sizeof start, ": %s. That is, ", c->word);
        if (!strstr(out, start) || !strstr(out, c->text)) {
            fail_msg("%s at %s: expected '%s' and '%s', got %s", c->models, c->pose, start, c->text, out);
        }
        assert_int_equal(cli_count_lines(out), 1);
        cJSON *json = cli_json_line(
            cli_expect(c->status, "tumble check %s --pose-b '%s' --relation --json", c->models, c->pose).out, 0);
        const int meet = strstr(c->text, "meets polygon") != NULL;
        assert_string_equal(cli_string(json, "relation"), c->word);
        assert_int_equal(cli_bool(json, "collide"), meet);
        assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), meet);
        assert_int_equal(cli_bool(json, "closed_a"), strncmp(c->models, "open", 4) != 0);
        assert_int_equal(cli_bool(json, "closed_b"), !strstr(c->models, " open") && !strstr(c->models, " empty"));
        assert_true(cli_number(cli_object(json, "stats"), "microseconds") > 0);
        cJSON_Delete(json);
    }
}

static void test_relation_path(void **state)
{
    (void)state;
    cli_write_file("in.txt", "1 0 0 9 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0.01 0 1 0 0 0 0 1 0\n"
                             "1 0 0 0.5 0 1 0 0 0 0 1 0.125\n");
    const char *out = cli_expect(1, "tumble check cube.obj small.obj --relation --poses in.txt --stats").out;
    assert_non_null(strstr(out, "cube.obj and small.obj are apart at 1 of 4 poses.\n"));
    assert_non_null(strstr(out, "\n  0       apart\n  1 to 2  b-in-a\n  3       crossing  "));
    assert_non_null(strstr(out, "\nAll steps together"));
    cli_write_file("in.txt", "1 0 0 9 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
    out = cli_expect(3, "tumble check open.obj small.obj --relation --poses in.txt").out;
    assert_non_null(strstr(out, ", and at 1 that is undefined, as a model is not closed.\n"));
    const cli_result lines = cli_expect(3, "tumble check open.obj small.obj --relation --poses in.txt --json");
    assert_int_equal(cli_count_lines(lines.out), 2);
    cJSON *json = cli_json_line(lines.out, 1);
    assert_true(cli_number(json, "step") == 1);
    assert_string_equal(cli_string(json, "relation"), "undefined");
    cJSON_Delete(json);
}

static void test_relation_hierarchies(void **state)
{
    (void)state;
    static const char *const names[] = {"wide", "boxtree", "kdop --k 14 --leaf-b 4", "rtree", "brute"};
    for (size_t i = 0; i < 5; i++) {
        cJSON *json = cli_json_line(
            cli_expect(1, "tumble check cube.obj small.obj --relation --json --hierarchy %s", names[i]).out, 0);
        assert_string_equal(cli_string(json, "relation"), "b-in-a");
        assert_memory_equal(cli_string(json, "hierarchy"), names[i], 4);
        cJSON_Delete(json);
    }
}

/* Saved with different hierarchies: the same answers, and nothing to warn of. */
static void test_mixed_hierarchies(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o cube.tumble --hierarchy kdop");
    cli_expect(0, "tumble build small.obj -o small.tumble --hierarchy boxtree");
    static const char *const options[] = {"--relation", "--clearance 0.25", "--budget-us 1000000 --clearance 0.25"};
    for (size_t i = 0; i < 3; i++) {
        const cli_result result = cli_run("tumble check cube.tumble small.tumble --json %s", options[i]);
        assert_int_equal(result.status, 1);
        assert_string_equal(result.err, "");
    }
}

/* ---- budgets ---- */

static void test_budget(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble check cube.obj tip.off --budget-us 10000000").out,
                        "cube.obj and tip.off do not intersect.\n");
    assert_string_equal(cli_expect(1, "tumble check cube.obj tip.off --budget-us 10000000 --clearance 0.25").out,
                        "cube.obj and tip.off are at most 0.25 apart, for example polygon 1 of the first and polygon 0 "
                        "of the second.\n");
    cli_expect(0, "tumble check cube.obj tip.off --budget-us 10000000 --clearance 0.2499");
    cJSON *json = cli_json_line(
        cli_expect(1, "tumble check cube.obj tip.off --budget-boxes 100000 --clearance 0.3 --first --json").out, 0);
    double pair[2];
    cli_pair(json, 0, pair);
    assert_true(cli_bool(json, "collide") && pair[0] == 1 && pair[1] == 0);
    assert_true(cli_number(json, "pair_count") == 1 && cli_number(json, "undecided") == 0);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --budget-boxes 100000 --test --json").out, 0);
    assert_true(cli_bool(json, "collide") && !cJSON_GetObjectItem(json, "pairs"));
    cJSON_Delete(json);
    const char *out = cli_expect(3, "tumble check gear.obj torus.off --budget-boxes 1 --stats").out;
    assert_non_null(strstr(out, "Maybe gear.obj and torus.off intersect.\nThe budget was spent before "));
    assert_non_null(strstr(out, "N_v"));
}

static void check_maybe(const cJSON *json)
{
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "collide")));
    assert_null(cJSON_GetObjectItem(json, "pairs")); /* an empty list would say that there are none */
    assert_null(cJSON_GetObjectItem(json, "pair_count"));
    assert_true(cli_number(json, "lower") == 0);
    assert_true(cli_number(json, "undecided") > 0);
}

/* With more boxes maybe becomes the answer, and stays it. */
static void test_budget_grows(void **state)
{
    (void)state;
    static const char *const poses[] = {"1 0 0 0 0 1 0 0 0 0 1 0", "0.6 -0.8 0 1.8 0.8 0.6 0 1.8 0 0 1 0.1"};
    for (size_t i = 0; i < 2; i++) {
        const int expected = cli_run("tumble check gear.obj torus.off --test --pose-b '%s'", poses[i]).status;
        assert_int_equal(expected, i == 0);
        int maybes = 0, answers = 0;
        for (int budget = 1; budget < 100000; budget *= 4) {
            const cli_result result =
                cli_run("tumble check gear.obj torus.off --json --pose-b '%s' --budget-boxes %d", poses[i], budget);
            cJSON *json = cli_json_line(result.out, 0);
            if (result.status == 3) {
                assert_int_equal(answers, 0);
                check_maybe(json);
                maybes++;
            } else {
                assert_int_equal(result.status, expected);
                assert_int_equal(cli_bool(json, "collide"), expected);
                answers++;
            }
            cJSON_Delete(json);
        }
        assert_true(maybes > 0 && answers > 0);
    }
}

static void test_budget_path(void **state)
{
    (void)state;
    const char *out = cli_expect(1, "tumble check cube.obj tip.off --budget-us 10000000 --poses path.txt").out;
    assert_non_null(strstr(out, "cube.obj and tip.off intersect at 1 of 3 poses.\n"));
    assert_non_null(strstr(out, "  0 to 1  free\n"));
    assert_non_null(strstr(out, "  2       intersect                    1             0\n"));
    char *with = strdup(out);
    assert_string_equal(
        cli_expect(1, "tumble check cube.obj tip.off --budget-us 10000000 --poses path.txt --coherence none").out,
        with);
    free(with);
    cli_write_file("near.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0.001\n");
    out = cli_expect(3, "tumble check gear.obj torus.off --budget-boxes 1 --poses near.txt").out;
    assert_non_null(strstr(out, "intersect at 0 of 2 poses, and maybe at 2 more, where the budget was spent.\n"));
    assert_non_null(strstr(out, "  0 to 1  maybe\n"));
    const cli_result lines = cli_expect(3, "tumble check gear.obj torus.off --budget-boxes 1 --poses near.txt --json");
    for (size_t step = 0; step < 2; step++) {
        cJSON *json = cli_json_line(lines.out, step);
        assert_true(cli_number(json, "step") == (double)step);
        check_maybe(json);
        cJSON_Delete(json);
    }
}

/* ---- errors ---- */

static void test_usage_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble check cube.obj tip.off --clearance", "--clearance needs a value", NULL);
    cli_expect_error("tumble check cube.obj tip.off --clearance -1", "out of range", "at least 0", NULL);
    cli_expect_error("tumble check cube.obj tip.off --clearance nan", "out of range", NULL);
    cli_expect_error("tumble check cube.obj tip.off --clearance inf", "out of range", NULL);
    cli_expect_error("tumble check cube.obj tip.off --clearance wide", "'wide' is not a number", NULL);
    cli_expect_error("tumble check cube.obj tip.off --relations", "did you mean '--relation'", NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-us 0", "--budget-us", "out of range", NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-boxes 0.5", "--budget-boxes", "whole number", NULL);
    static const char *const others[] = {"--all", "--first", "--test", "--segments", "--surfaces all", "--clearance 1"};
    for (size_t i = 0; i < 6; i++) {
        char line[128], name[32];
        snprintf(line, sizeof line, "tumble check cube.obj tip.off --relation %s", others[i]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(others[i], " "), others[i]);
        cli_expect_error(line, "--relation", name, "leave one of them out", NULL);
    }
    cli_expect_error("tumble check cube.obj tip.off --coherence none", "--coherence", "leave it out", NULL);
    cli_expect_error("tumble check cube.obj tip.off --coherence none --budget-us 5", "--poses", NULL);
    cli_expect_error("tumble check cube.obj tip.off --relation --budget-us 5", "budget", "--relation", NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-us 5 --all", "a budget", "leave --all or the budget out",
                     NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-us 5 --segments", "leave --segments or the budget out",
                     NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-boxes 5 --surfaces first",
                     "leave --surfaces or the budget out", NULL);
    cli_expect_error("tumble check cube.obj tip.off --budget-us 5 --hierarchy boxtree --overlap sat",
                     "--overlap does nothing together with a budget", NULL);
    cli_expect_error("tumble check cube.obj tip.off --relation --hierarchy kdop --mixed volumes",
                     "--mixed does nothing together with --relation", NULL);
    cli_expect_error("tumble check cube.obj tip.off --relation --crease 20", "--crease belongs to --surfaces", NULL);
}

/* ---- models with a radius ---- */

static void test_radius(void **state)
{
    (void)state;
    cli_expect(1, "tumble check cube.obj tip.off --radius-a 0.125 --radius-b 0.125 --test");
    cli_expect(0, "tumble check cube.obj tip.off --radius-a 0.125 --radius-b 0.12 --test");
    cli_expect(1, "tumble check cube.obj cube.obj --move-b \"3 0 0\" --radius-a 1.5 --radius-b 0.5 --test");
    cli_expect(0, "tumble check cube.obj cube.obj --move-b \"3 0 0\" --radius-a 1.5 --test");
    assert_string_equal(cli_expect(0, "tumble make ball --radius 2 -o ball.tumble").out,
                        "ball.tumble: ball of radius 2 with 1 polygon\n");
    assert_non_null(strstr(cli_expect(2, "tumble make ball -o ball.obj").err, "let the name end with .tumble"));
    assert_string_equal(cli_expect(0, "tumble make capsule --radius 1 --length 6 --json -o capsule.tumble").out,
                        "{\"file\": \"capsule.tumble\", \"shape\": \"capsule\", \"radius\": 1, \"polygons\": 1}\n");
    cli_write_file("points.txt", "0 0 0\n5, 0, 0 # there\n\n5 5 0\n");
    assert_string_equal(cli_expect(0, "tumble make polyline --points points.txt --radius 0.5 -o line.tumble").out,
                        "line.tumble: polyline of radius 0.5 with 2 polygons\n");
    assert_non_null(strstr(cli_expect(0, "tumble info line.tumble").out, "radius            0.5      of all polygons"));
    assert_non_null(
        strstr(cli_expect(0, "tumble distance ball.tumble capsule.tumble --move-b \"5 0 0\"").out, "are 2 apart"));
    assert_non_null(strstr(cli_expect(1, "tumble check ball.tumble capsule.tumble --relation").out, ": crossing."));
    assert_string_equal(cli_expect(0, "tumble make cylinder --radius 2 --length 6 -o cylinder.tumble").out,
                        "cylinder.tumble: cylinder of radius 2 with 1 polygon\n");
    assert_non_null(strstr(cli_expect(0, "tumble info cylinder.tumble").out, "ends              flat"));
    assert_non_null(strstr(cli_expect(0, "tumble make cylinder -o cylinder.obj").out, "cylinder with 2,210 polygons"));
    cli_expect(1, "tumble check cube.obj cylinder.tumble --move-b \"0 0 4\" --test");
    cli_expect(0, "tumble check cube.obj cylinder.tumble --move-b \"0 0 4.5\" --test");
    cli_expect(1, "tumble check ball.tumble cylinder.tumble --move-b \"0 2 5\" --test");
    cli_expect(0, "tumble check ball.tumble cylinder.tumble --move-b \"0 2.5 5\" --test");
    assert_non_null(
        strstr(cli_expect(1, "tumble ray cylinder.tumble --origin \"0 1 9\" --direction \"0 0 -1\"").out, "t = 6"));
    cli_expect(0, "tumble ray cylinder.tumble --origin \"0 2.001 9\" --direction \"0 0 -1\"");
    cli_expect(0, "tumble check cylinder.tumble --self");
    assert_string_equal(cli_expect(1, "tumble nearest cylinder.tumble --point \"0 0 1\" --signed").err, "");
    assert_non_null(
        strstr(cli_expect(0, "tumble nearest cylinder.tumble --point \"5 0 7\"").out, "distance 5, point 2 0 3"));
    cli_expect(1, "tumble check cylinder.tumble cylinder.tumble --move-b \"3.9 0 5.9\" --test");
    cli_expect(0, "tumble check cylinder.tumble cylinder.tumble --move-b \"3.9 0 6.1\" --test");
    cli_expect(1, "tumble check capsule.tumble cylinder.tumble --move-b \"2.9 0 0\" --test");
    cli_expect(1, "tumble check cube.obj cylinder.tumble --move-b \"0 0 5\" --clearance 1 --test");
    assert_non_null(
        strstr(cli_expect(0, "tumble distance cube.obj cylinder.tumble --move-b \"0 0 6\"").out, "are 2 apart"));
    assert_non_null(strstr(cli_expect(1, "tumble check cylinder.tumble cube.obj --move-b \"1.5 0 0\" --relation").out,
                           ": crossing."));
    cli_write_file("bad.txt", "0 0 0\n1 2\n");
    cli_expect_error("tumble make polyline --points bad.txt -o x.tumble", "bad.txt:2: give three numbers", NULL);
    cli_expect_error("tumble make polyline -o x.tumble", "--points is missing", NULL);
    cli_expect_error("tumble make ball", "-o is missing", NULL);
    cli_expect_error("tumble make bal -o x.tumble", "did you mean 'ball'", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radius),
        cmocka_unit_test(test_clearance_text),
        cmocka_unit_test(test_clearance_segments),
        cmocka_unit_test(test_clearance_hierarchies),
        cmocka_unit_test(test_clearance_path),
        cmocka_unit_test(test_relation),
        cmocka_unit_test(test_relation_path),
        cmocka_unit_test(test_relation_hierarchies),
        cmocka_unit_test(test_mixed_hierarchies),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_budget_grows),
        cmocka_unit_test(test_budget_path),
        cmocka_unit_test(test_usage_errors),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
