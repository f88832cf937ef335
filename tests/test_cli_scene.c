/* tumble scene: files of objects and motions, what touches at each step, and what is said of wrong files. */
#include <stdio.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube, its corner at the origin. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

#define AT(x) "1 0 0 " x " 0 1 0 0 0 0 1 0\n"

static const char row[] =
    "# three in a row, the last one small and in the second\n"
    "left cube.obj " AT("0") "\n"
                             "  right\tcube.obj " AT(
                                 "1.5") "small cube.obj 0.25 0 0 1.75 0 0.25 0 0.25 0 0 0.25 0.25\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("row.txt", row);
    return 0;
}

/* "left-right small-left" of an array of names. */
static void names_of(const cJSON *object, const char *key, char *text, size_t size)
{
    const cJSON *item;
    size_t length = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(item, cli_array(object, key))
    {
        const cJSON *third = cJSON_GetArrayItem(item, 2);
        char more[32] = "";
        if (third) {
            snprintf(more, sizeof more, "=%g", third->valuedouble);
        }
        if (cJSON_IsString(third)) {
            snprintf(more, sizeof more, "=%s", third->valuestring);
        }
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s-%s%s", length ? " " : "",
                             cJSON_GetArrayItem(item, 0)->valuestring, cJSON_GetArrayItem(item, 1)->valuestring, more);
        assert_true(length < size);
    }
}

static void expect_names(const char *out, size_t line, const char *key, const char *expected)
{
    char text[512];
    cJSON *json = cli_json_line(out, line);
    names_of(json, key, text, sizeof text);
    assert_string_equal(text, expected);
    cJSON_Delete(json);
}

static void test_one_step(void **state)
{
    (void)state;
    cli_result result = cli_expect(0, "tumble scene row.txt --json --relation --distance 1 --nearest");
    assert_int_equal(cli_count_lines(result.out), 1);
    expect_names(result.out, 0, "pairs", "");
    expect_names(result.out, 0, "relations", "right-small=b-in-a");
    expect_names(result.out, 0, "distances", "left-right=0.5 left-small=0.75 right-small=0.25");
    expect_names(result.out, 0, "nearest", "right-small=0.25");
    result = cli_expect(1, "tumble scene row.txt --json --clearance 0.5");
    expect_names(result.out, 0, "pairs", "left-right right-small");
    result = cli_expect(1, "tumble scene row.txt --clearance 0.5");
    assert_non_null(strstr(result.out, "2 pairs touch"));
    assert_string_equal(cli_expect(0, "tumble scene row.txt --distance 0.5 --relation").out,
                        "nothing touches\n"
                        "  not apart: 1 pair\n    right  small  b-in-a\n"
                        "  within 0.5: 2 pairs\n    left   right  0.5\n    right  small  0.25\n");
}

static void test_steps(void **state)
{
    (void)state;
    cli_write_file("steps.txt", "1 right " AT("1") "1 small " AT("9") "# step 2 is missing\n7 right " AT("3"));
    for (int i = 0; i < 3; i++) {
        static const char *const methods[] = {"tree", "sweep", "all"};
        const cli_result result = cli_expect(1, "tumble scene row.txt --steps steps.txt --json --broad %s", methods[i]);
        assert_int_equal(cli_count_lines(result.out), 3);
        cJSON *json = cli_json_line(result.out, 2);
        assert_int_equal((int)cli_number(json, "step"), 7);
        cJSON_Delete(json);
        expect_names(result.out, 0, "pairs", "");
        expect_names(result.out, 1, "pairs", "left-right"); /* they touch in a face */
        expect_names(result.out, 1, "began", "left-right");
        expect_names(result.out, 2, "pairs", "");
        expect_names(result.out, 2, "ended", "left-right");
    }
    cli_write_file("start.txt", "0 right " AT("1"));
    const cli_result result = cli_expect(1, "tumble scene row.txt --steps start.txt --json");
    assert_int_equal(cli_count_lines(result.out), 1);
    expect_names(result.out, 0, "began", "left-right right-small");
    assert_non_null(strstr(cli_expect(1, "tumble scene row.txt --steps steps.txt").out, "step 7: nothing touches"));
}

/* A motion is told by what changes. */
static void test_text(void **state)
{
    (void)state;
    cli_write_file("steps.txt", "1 right " AT("1") "2 left " AT("0") "3 right " AT("3"));
    assert_string_equal(cli_expect(1, "tumble scene row.txt --steps steps.txt").out,
                        "step 1: 2 pairs touch\n"
                        "  began  left   right\n"
                        "  began  right  small\n"
                        "step 3: nothing touches\n"
                        "  ended  left   right\n"
                        "  ended  right  small\n"
                        "4 steps: something touches at 2 of them, first at step 1\n");
    assert_string_equal(cli_expect(1, "tumble scene row.txt --steps steps.txt --limit 1").out,
                        "step 1: 2 pairs touch\n"
                        "  began  left  right\n"
                        "  ... and 1 pair more: --limit 2 lists them all\n"
                        "step 3: nothing touches\n"
                        "  ended  left  right\n"
                        "  ... and 1 pair more: --limit 2 lists them all\n"
                        "4 steps: something touches at 2 of them, first at step 1\n");
    cli_write_file("steps.txt", "1 right " AT("9") "2 right " AT("8"));
    assert_string_equal(cli_expect(0, "tumble scene row.txt --steps steps.txt").out,
                        "3 steps: nothing touches at any of them\n");
    assert_string_equal(cli_expect(0, "tumble scene row.txt --steps steps.txt --nearest").out,
                        "step 0: nothing touches\n  nearest: 1 pair\n    right  small  0.25\n"
                        "step 1: nothing touches\n  nearest: 1 pair\n    left  small  0.75\n"
                        "step 2: nothing touches\n  nearest: 1 pair\n    left  small  0.75\n"
                        "3 steps: nothing touches at any of them\n");
}

/* Pairs that are left out, by a file or because they touch at the start. */
static void test_ignored(void **state)
{
    (void)state;
    cli_write_file("steps.txt", "1 right " AT("1") "1 left " AT("0.25"));
    cli_write_file("ignore.txt", "# two names\nright left # in any order\n\nleft right\n");
    cli_result result = cli_expect(1, "tumble scene row.txt --steps steps.txt --ignore ignore.txt --json");
    expect_names(result.out, 0, "pairs", "");
    expect_names(result.out, 1, "pairs", "right-small");
    result = cli_expect(1, "tumble scene row.txt --steps steps.txt --ignore-initial --json");
    expect_names(result.out, 1, "pairs", "left-right right-small");
    result =
        cli_expect(1, "tumble scene row.txt --steps steps.txt --clearance 0.3 --ignore-initial --json --distance 9");
    expect_names(result.out, 0, "pairs", "");
    expect_names(result.out, 0, "ended", "");
    expect_names(result.out, 0, "distances", "left-right=0.5 left-small=0.75");
    expect_names(result.out, 1, "began", "left-right");
    cli_write_file("steps.txt", "0 right " AT("1") "1 right " AT("9"));
    result = cli_expect(0, "tumble scene row.txt --steps steps.txt --ignore-initial --json");
    expect_names(result.out, 0, "pairs", "");
    expect_names(result.out, 1, "ended", "");
}

/* Meshes are found beside the scene's file. */
static void test_folders(void **state)
{
    (void)state;
    cli_expect(0, "mkdir -p sub && cp cube.obj row.txt sub/ && rm -f other.obj && tumble scene sub/row.txt --json");
    cli_expect(0, "tumble scene row.txt --json -o out.json && test -s out.json");
    cli_expect(0, "tumble scene - --json <row.txt");
    cli_expect(0, "cd sub && tumble scene ../row.txt --json && tumble scene \"$PWD\"/row.txt --json");
}

/* Words in quotes, comments, ends of lines, marks of UTF-8, and one mesh by two names. */
static void test_words(void **state)
{
    (void)state;
    cli_expect(0, "cp cube.obj 'a cube #1.obj'");
    cli_write_file("words.txt",
                   "\xef\xbb\xbf# first\r\n\r\n"
                   "part#1 ./cube.obj " AT(
                       "0") "\r\n"
                            "\"the \\\"second\\\" \\\\ \" \"a cube #1.obj\" 1 0 0 1 0 1 0 0 0 0 1 0 # and last\r\n"
                            "\t\"#3\"\t../x/cube.obj\t1,0,0,5, 0,1,0,0, 0,0,1,0");
    cli_write_file("steps.txt", "# none yet\r\n1 \"#3\" " AT("-1"));
    cli_expect(0, "mkdir -p x && cp cube.obj words.txt x/ && cp 'a cube #1.obj' x/");
    const cli_result result = cli_expect(1, "tumble scene x/words.txt --steps steps.txt --json");
    cJSON *json = cli_json_line(result.out, 0);
    const cJSON *pair = cJSON_GetArrayItem(cli_array(json, "pairs"), 0);
    assert_string_equal(cJSON_GetArrayItem(pair, 0)->valuestring, "part#1");
    assert_string_equal(cJSON_GetArrayItem(pair, 1)->valuestring, "the \"second\" \\ ");
    cJSON_Delete(json);
    expect_names(result.out, 1, "began", "part#1-#3");
}

static void test_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble scene none.txt", "none.txt", "cannot be opened", NULL);
    cli_write_file("bad.txt", "# nothing\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt", "no objects", NULL);
    cli_write_file("bad.txt", "a cube.obj 1 2 3\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "12", NULL);
    cli_write_file("bad.txt", "a cube.obj " AT("0") "b\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt:2", "'b' has no mesh", NULL);
    cli_write_file("bad.txt", "a cube.obj " AT("0") "\na cube.obj " AT("0"));
    cli_expect_error("tumble scene bad.txt", "bad.txt:3", "'a' in line 1", NULL);
    cli_write_file("bad.txt", "a cube.obj 1 0 0 0 0 2 0 0 0 0 1 0\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "uniform scale", NULL);
    cli_write_file("bad.txt", "a none.obj " AT("0"));
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "'none.obj' of 'a'", NULL);
    cli_write_file("bad.txt", "a . " AT("0"));
    cli_expect_error("tumble scene bad.txt", "directory", NULL);
    cli_write_file("bad.txt", "a cube.obj # " AT("0"));
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "'a' has no pose", NULL);
    cli_write_file("bad.txt", "a cube.obj nan 0 0 0 0 1 0 0 0 0 1 0\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "row 1, column 1 is nan", NULL);
    cli_write_file("bad.txt", "a cube.obj 1 0 0 0 0 1 0 0 0 0 1 0 0\n");
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "13 numbers", NULL);
    cli_write_file("bad.txt", "\"a cube.obj " AT("0"));
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "not closed", NULL);
    cli_write_file("bad.txt", "a \"cube.obj\\");
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "not closed", NULL);
    cli_write_file("bad.txt", "\"\" cube.obj " AT("0"));
    cli_expect_error("tumble scene bad.txt", "bad.txt:1", "name is empty", NULL);
    cli_expect_error("tumble scene .", "directory", NULL);
    cli_write_file("bad.txt", "far cube.obj " AT("-1e308") "off cube.obj " AT("1e308"));
    cli_expect_error("tumble scene bad.txt --nearest -o out.txt", "step 0", "'far' as A and 'off' as B", NULL);
    cli_write_file("steps.txt", "1 nobody " AT("0"));
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:1", "no object 'nobody'", NULL);
    cli_write_file("steps.txt", "x left " AT("0"));
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:1", "'x' is not the number", NULL);
    cli_write_file("steps.txt", "-1 left " AT("0"));
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:1", "'-1' is not the number", NULL);
    cli_write_file("steps.txt", "2 left " AT("0") "1 left " AT("0"));
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:2", "comes after step 2", NULL);
    cli_write_file("steps.txt", "2 left " AT("0") "2 right " AT("0") "2 left " AT("0"));
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:3", "'left' in line 1", NULL);
    cli_write_file("steps.txt", "2\n");
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:1", "too short", NULL);
    cli_write_file("steps.txt", "2 left\n");
    cli_expect_error("tumble scene row.txt --steps steps.txt", "steps.txt:1", "'left' has no pose", NULL);
    cli_write_file("steps.txt", "\n");
    cli_expect_error("tumble scene row.txt --steps steps.txt", "no motions", NULL);
    cli_expect_error("tumble scene row.txt --steps none.txt", "none.txt", "cannot be opened", NULL);
    cli_write_file("ignore.txt", "left\n");
    cli_expect_error("tumble scene row.txt --ignore ignore.txt", "ignore.txt:1", "too short", NULL);
    cli_write_file("ignore.txt", "left left\n");
    cli_expect_error("tumble scene row.txt --ignore ignore.txt", "ignore.txt:1", "both are 'left'", NULL);
    cli_write_file("ignore.txt", "left right small\n");
    cli_expect_error("tumble scene row.txt --ignore ignore.txt", "ignore.txt:1", "'small' is one word", NULL);
    cli_write_file("ignore.txt", "left other\n");
    cli_expect_error("tumble scene row.txt --ignore ignore.txt", "ignore.txt:1", "no object 'other'", NULL);
    cli_expect_error("tumble scene row.txt -o row.txt", "row.txt", NULL);
    cli_expect_error("tumble scene", "one file", NULL);
    cli_expect_error("tumble scene - --steps - <row.txt", "standard input", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_one_step, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_steps, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_text, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_ignored, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_folders, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_words, setup, cli_teardown),
                                       cmocka_unit_test_setup_teardown(test_errors, setup, cli_teardown)};
    return cmocka_run_group_tests_name("cli_scene", tests, NULL, NULL);
}
