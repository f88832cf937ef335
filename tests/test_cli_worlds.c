/* `tumble make cell`, `heap` and `hall`, and `tumble demo scene`: what they write is what `tumble scene` reads, and
 * what they say is what it finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"
#include "world.h"

/* ---- make ---- */

static void test_make(void **state)
{
    (void)state;
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        cli_result result = cli_expect(0, "tumble make %s -o made/%s --steps 7 --json", kind->name, kind->name);
        cJSON *json = cli_json_line(result.out, 0);
        assert_string_equal(cli_string(json, "scene"), kind->name);
        const int objects = (int)cli_number(json, "objects"), motions = (int)cli_number(json, "motions");
        assert_int_equal((int)cli_number(json, "steps"), 7);
        cJSON_Delete(json);
        result = cli_run("tumble scene made/%s/scene.txt --steps made/%s/steps.txt --json", kind->name, kind->name);
        assert_true(result.status == 0 || result.status == 1);
        assert_in_range(cli_count_lines(result.out), 5, 7); /* the heap rests at the end */
        result = cli_expect(0, "cat made/%s/scene.txt", kind->name);
        assert_int_equal(cli_count_lines(result.out), objects + 1);
        result = cli_expect(0, "cat made/%s/steps.txt", kind->name);
        assert_int_equal(cli_count_lines(result.out), motions + 1);
        result = cli_expect(0, "tumble make %s --help", kind->name);
        assert_non_null(strstr(result.out, "--steps"));
    }
}

/* The command that the report shows works; one step has no motions. */
static void test_make_text(void **state)
{
    (void)state;
    cli_result result = cli_expect(0, "tumble make heap -o 'a heap' --bodies 3 --steps 1 --triangles 12");
    assert_non_null(strstr(result.out, "a heap: heap with 4 objects ("));
    char command[256];
    snprintf(command, sizeof command, "%s", strstr(result.out, "Try: ") + strlen("Try: "));
    assert_null(strstr(command, "--steps"));
    assert_true(cli_run("%s", command).status <= 1);
    cli_expect(2, "test ! -e 'a heap/steps.txt' && tumble make heap");
    cli_expect_error("tumble make cell", "-o is missing", NULL);
    cli_expect_error("tumble make cell -o -", "-o", NULL);
    cli_expect_error("tumble make cell -o 'a heap/scene.txt'", "cannot be made", NULL);
    cli_expect_error("tumble make hall -o x --machines 0", "--machines", NULL);
    cli_expect_error("tumble make cel -o x", "did you mean 'cell'", NULL);
}

/* ---- demo ---- */

/* The first contact is the first that `tumble scene` finds in the files, and every contact has its steps. */
static void check_against_files(const cJSON *json)
{
    const cli_result result = cli_expect(1, "tumble scene out/cell/scene.txt --steps out/cell/steps.txt --json");
    const cJSON *first = cli_object(json, "first_contact"), *contact;
    const size_t steps = cli_count_lines(result.out);
    assert_int_equal(steps, (size_t)cli_number(json, "steps"));
    int total = 0, expected = 0, seen = 0;
    for (size_t step = 0; step < steps; step++) {
        cJSON *line = cli_json_line(result.out, step);
        const int count = cJSON_GetArraySize(cli_array(line, "pairs"));
        if (count > 0 && !seen) {
            const cJSON *pair = cJSON_GetArrayItem(cli_array(line, "pairs"), 0);
            assert_int_equal((size_t)cli_number(first, "step"), step);
            assert_string_equal(cJSON_GetArrayItem(pair, 0)->valuestring, cli_string(first, "a"));
            assert_string_equal(cJSON_GetArrayItem(pair, 1)->valuestring, cli_string(first, "b"));
            seen = 1;
        }
        total += count;
        cJSON_Delete(line);
    }
    cJSON_ArrayForEach(contact, cli_array(json, "contacts"))
    {
        expected += (int)cli_number(contact, "last_step") - (int)cli_number(contact, "first_step") + 1;
    }
    assert_true(seen && total == expected);
}

static void check_drawing(const char *name, const char *text)
{
    size_t size;
    char *svg = cli_read_file(name, &size);
    assert_non_null(strstr(svg, "</svg>"));
    assert_non_null(strstr(svg, text));
    free(svg);
}

static void test_demo(void **state)
{
    (void)state;
    const cli_result result = cli_run("tumble demo scene --steps 80 --json");
    assert_int_equal(result.status, 0);
    cJSON *json = cli_json_line(result.out, 0);
    assert_int_equal((int)cli_number(json, "objects"), 47);
    const double median = cli_number(json, "median_microseconds");
    assert_true(median > 0 && cli_number(json, "worst_microseconds") >= median);
    const double candidates = cli_number(json, "most_candidates");
    assert_true(candidates >= cJSON_GetArraySize(cli_array(json, "contacts")) && candidates < 47 * 46 / 2);
    check_against_files(json);
    const cJSON *file;
    cJSON_ArrayForEach(file, cli_array(json, "files"))
    {
        free(cli_read_file(file->valuestring, NULL));
    }
    cJSON_Delete(json);
    check_drawing("out/scene-contacts.svg", "the gripper touches the camera");
    check_drawing("out/scene-steps.svg", "candidates");
    check_drawing("out/scene-steps.svg", "first contact: step ");
}

/* The commands that the report shows do what it says; a motion of two steps touches nothing. */
static void test_demo_text(void **state)
{
    (void)state;
    const char *title = "The same by hand:\n  ";
    cli_result result = cli_run("tumble demo scene --steps 60 -o 'a folder' --view top");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "the gripper touches the camera at the point ("));
    assert_non_null(strstr(result.out, "scene-steps.svg"));
    char command[512];
    const char *line = strstr(result.out, title);
    assert_non_null(line);
    line += strlen(title);
    snprintf(command, sizeof command, "%.*s", (int)strcspn(line, "\n"), line);
    assert_non_null(strstr(cli_expect(1, "%s", command).out, "60 steps: something touches at "));
    result = cli_run("tumble demo scene --steps 2");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "Nothing touches."));
    check_drawing("out/scene-contacts.svg", "othing touches");
    cli_expect_error("tumble demo scene --steps 1", "out of range", NULL);
    cli_expect_error("tumble demo scene x", "'x' is one argument too many", NULL);
    cli_expect_error("tumble demo cell", "'scene', 'milling' or 'clash'", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_make), cmocka_unit_test(test_make_text),
                                       cmocka_unit_test(test_demo), cmocka_unit_test(test_demo_text)};
    return cmocka_run_group_tests_name("cli_worlds", tests, cli_setup, cli_teardown);
}
