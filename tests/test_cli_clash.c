/* tumble clash: files and folders, what is told and written, exit status, and what is said of wrong files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* A cube of side 1 at (x, 0, 0). */
static void write_cube(const char *name, const char *object, double x)
{
    char text[1024];
    const double y = x + 1;
    snprintf(text, sizeof text,
             "%s%s\nv %g 0 0\nv %g 0 0\nv %g 1 0\nv %g 1 0\nv %g 0 1\nv %g 0 1\nv %g 1 1\nv %g 1 1\n"
             "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n",
             object ? "o " : "", object ? object : "", x, y, y, x, x, y, y, x);
    cli_write_file(name, text);
}

static void make_files(void)
{
    write_cube("a.obj", NULL, 0);
    write_cube("b.obj", "box", 0.5);
    write_cube("c.obj", NULL, 2.5);
    write_cube("d.obj", NULL, 3.5);
    write_cube("e.obj", NULL, 3.5);
    cli_write_file("f.obj", "v 0 0 0\n");
}

static cJSON *report(const char *name)
{
    char *text = cli_read_file(name, NULL);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static void expect_kinds(const cJSON *json, const char *expected)
{
    char text[256] = "";
    const cJSON *clash;
    cJSON_ArrayForEach(clash, cli_array(json, "clashes"))
    {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%d%d %s", length ? ", " : "", (int)cli_number(clash, "a"),
                 (int)cli_number(clash, "b"), cli_string(clash, "kind"));
    }
    assert_string_equal(text, expected);
}

static void test_report(void **state)
{
    (void)state;
    make_files();
    cli_run("mkdir -p in/deep && cp a.obj b.obj c.obj in && cp d.obj e.obj f.obj in/deep && echo x >in/readme.txt");
    const cli_result result = cli_expect(1, "tumble clash in -o out/report");
    assert_non_null(strstr(result.out, "6 parts of 4 models"));
    assert_non_null(strstr(result.out, "1 broken part cannot be compared:\n  f: no polygons\n"));
    assert_non_null(strstr(result.out, "4 clashes: 1 crossing, 2 touching, 1 duplicate"));
    assert_non_null(strstr(result.out, "crossing   a  b/box  at "));
    cJSON *json = report("out/report/clashes.json");
    expect_kinds(json, "01 crossing, 23 touching, 24 touching, 34 duplicate");
    assert_true(cli_bool(json, "complete"));
    const cJSON *broken = cJSON_GetArrayItem(cli_array(json, "broken"), 0);
    assert_int_equal((int)cli_number(broken, "part"), 5);
    assert_string_equal(cli_string(broken, "reason"), "no polygons");
    assert_string_equal(cli_string(cJSON_GetArrayItem(cli_array(json, "parts"), 1), "path"), "b/box");
    cJSON_Delete(json);
    assert_non_null(strstr(result.out, "report: out/report/index.html opens in a browser"));
    char *page = cli_read_file("out/report/index.html", NULL), *data = cli_read_file("out/report/data/report.js", NULL);
    assert_non_null(strstr(page, "TumbleReport.run()"));
    assert_non_null(strstr(data, "\"title\": \"Clashes of in\""));
    free(page);
    free(data);
    cli_expect(0, "tumble clash in -o out/all --bcf --ifcclash; ls out/all | wc -l | grep -x 9");
}

static void test_clearance(void **state)
{
    (void)state;
    make_files();
    cli_expect(0, "tumble clash a.obj c.obj --clearance 1.5 -o near");
    const cli_result result = cli_expect(1, "tumble clash a.obj c.obj --clearance 1.6 -o near");
    assert_non_null(strstr(result.out, "clearance  a  c  1.5 apart"));
    cJSON *json = report("near/clashes.json");
    expect_kinds(json, "01 clearance");
    assert_true(cli_number(cJSON_GetArrayItem(cli_array(json, "clashes"), 0), "distance") == 1.5);
    cJSON_Delete(json);
}

/* The cubes a and b overlap by half a side. */
static void test_touch(void **state)
{
    (void)state;
    make_files();
    assert_non_null(strstr(cli_expect(1, "tumble clash a.obj b.obj --touch 0.49").out, "1 clash: 1 crossing"));
    cli_result result = cli_expect(0, "tumble clash a.obj b.obj --touch 0.5 -o deep");
    assert_non_null(strstr(result.out, "1 clash: 1 touching"));
    assert_non_null(strstr(result.out, ", 0.5 deep"));
    cJSON *json = report("deep/clashes.json");
    const cJSON *clash = cJSON_GetArrayItem(cli_array(json, "clashes"), 0), *depth = cli_array(clash, "depth");
    assert_true(cJSON_GetArrayItem(depth, 0)->valuedouble > 0 && cJSON_GetArrayItem(depth, 1)->valuedouble == 0.5);
    assert_string_equal(cli_string(clash, "severity"), "info");
    assert_true(cli_number(cJSON_GetArrayItem(cli_array(json, "rules"), 0), "touch") == 0.5);
    cJSON_Delete(json);
    cli_expect(1, "tumble clash a.obj b.obj --touch 0.5 --depth-budget 0 -o deep");
    json = report("deep/clashes.json");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(cli_array(json, "clashes"), 0), "depth")));
    cJSON_Delete(json);
    cli_expect_error("tumble clash a.obj --touch -1", "--touch", NULL);
}

static void test_before(void **state)
{
    (void)state;
    make_files();
    cli_expect(1, "tumble clash a.obj b.obj c.obj d.obj e.obj -o last");
    cli_expect(0, "sed 's/\"status\": \"new\"/\"status\": \"approved\"/' last/clashes.json >last/said.json");
    cli_result result = cli_expect(1, "tumble clash a.obj b.obj c.obj d.obj e.obj --before last/said.json -o next");
    assert_non_null(strstr(result.out, "4 of them as in the run before"));
    assert_non_null(strstr(result.out, "since the run before: 4 persistent\n"));
    cJSON *json = report("next/clashes.json");
    const cJSON *clash;
    cJSON_ArrayForEach(clash, cli_array(json, "clashes"))
    {
        assert_string_equal(cli_string(clash, "status"), "approved");
        assert_string_equal(cli_string(clash, "change"), "persistent");
    }
    cJSON_Delete(json);
    write_cube("b.obj", "box", 1.25);
    result = cli_expect(0, "tumble clash a.obj b.obj c.obj d.obj --before next/clashes.json -o next");
    assert_non_null(strstr(result.out, "1 clash: 1 touching"));
    assert_non_null(strstr(result.out, "since the run before: 1 persistent, 1 resolved, 2 unretested\n"));
    assert_non_null(strstr(result.out, "not compared again: c.obj|c and e.obj|e: the file 'e.obj' is missing\n"));
    result = cli_expect(1, "tumble clash a.obj b.obj c.obj d.obj e.obj --before next/clashes.json --retest");
    assert_null(strstr(result.out, "as in the run before"));
    assert_non_null(strstr(result.out, "since the run before: 3 persistent\n"));
    cli_write_file("wrong.json", "{\n\"clashes\": [1]}");
    cli_expect_error("tumble clash a.obj --before wrong.json", "wrong.json", "line 2", NULL);
    cli_expect_error("tumble clash a.obj --before nothing.json", "nothing.json", NULL);
}

static void test_rules(void **state)
{
    (void)state;
    make_files();
    cli_write_file("rules.json",
                   "{\"rules\": [{\"name\": \"a and boxes\", \"a\": {\"name\": \"a\"}, \"b\": \"*/box\"},\n"
                   "{\"name\": \"doubles\", \"find\": [\"duplicate\"], \"severity\": \"info\"},\n"
                   "{\"name\": \"nothing\", \"a\": \"none\"}]}");
    cli_result result = cli_expect(1, "tumble clash a.obj b.obj c.obj d.obj e.obj --rules rules.json -o ruled");
    assert_non_null(strstr(result.out, "2 clashes: 1 crossing, 1 duplicate"));
    cJSON *json = report("ruled/clashes.json");
    const cJSON *rules = cli_array(json, "rules"), *clashes = cli_array(json, "clashes");
    assert_int_equal(cJSON_GetArraySize(rules), 3);
    assert_int_equal((int)cli_number(cJSON_GetArrayItem(rules, 0), "parts_a"), 1);
    assert_int_equal((int)cli_number(cJSON_GetArrayItem(clashes, 1), "rule"), 1);
    assert_string_equal(cli_string(cJSON_GetArrayItem(clashes, 1), "severity"), "info");
    cJSON_Delete(json);
    result = cli_expect(0, "tumble clash --check-rules rules.json");
    assert_non_null(strstr(result.out, "3 rules\n"));
    assert_null(strstr(result.out, "parts"));
    result = cli_expect(0, "tumble clash a.obj b.obj --check-rules rules.json");
    assert_non_null(strstr(result.out, "A: 1 part "));
    assert_non_null(strstr(result.out, "no part is in set B of 'nothing'"));
    cli_write_file("wrong.json", "{\"rules\": [{\"name\": \"x\",\n\"clearence\": 1}]}");
    cli_expect_error("tumble clash --check-rules wrong.json", "wrong.json", "line 2", "clearence", "clearance", NULL);
    cli_expect_error("tumble clash a.obj --rules wrong.json", "wrong.json", "line 2", NULL);
    cli_expect_error("tumble clash --rules rules.json", "files or folders", NULL);
}

static void test_fail_on(void **state)
{
    (void)state;
    make_files();
    assert_non_null(strstr(cli_expect(0, "tumble clash a.obj d.obj").out, "no clashes"));
    cli_expect(0, "tumble clash c.obj d.obj");
    cli_expect(1, "tumble clash c.obj d.obj --fail-on info");
    cli_expect(1, "tumble clash a.obj b.obj");
    cli_expect(0, "tumble clash a.obj b.obj --fail-on critical");
    cli_expect(1, "tumble clash a.obj b.obj --fail-on critical --severity critical");
    cli_expect(0, "tumble clash a.obj b.obj --severity info");
}

/* What was planted in the pump house, by the names of both parts, and nothing else that crosses. */
static void test_demo(void **state)
{
    (void)state;
    cli_expect(0, "tumble demo clash");
    cJSON *json = report("out/clash/clashes.json");
    const cJSON *parts = cli_array(json, "parts"), *clash;
    int crossing[5] = {0}, gaps[3] = {0}, others = 0;
    cJSON_ArrayForEach(clash, cli_array(json, "clashes"))
    {
        const char *kind = cli_string(clash, "kind");
        const char *a = cli_string(cJSON_GetArrayItem(parts, (int)cli_number(clash, "a")), "name");
        const char *b = cli_string(cJSON_GetArrayItem(parts, (int)cli_number(clash, "b")), "name");
        if (strcmp(kind, "crossing") == 0) {
            crossing[0] += strncmp(a, "column", 6) == 0 && strcmp(b, "duct") == 0;
            crossing[1] += strncmp(a, "beam", 4) == 0 && strcmp(b, "return pipe") == 0;
            crossing[2] += strcmp(a, "base of pump 3") == 0 && strncmp(b, "bolt", 4) == 0;
            crossing[3] += strcmp(a, "duct") == 0 && strncmp(b, "drain", 5) == 0;
            crossing[4]++;
        } else if (strcmp(kind, "clearance") == 0) {
            gaps[0] += strncmp(a, "riser", 5) == 0 && strcmp(b, "header") == 0;
            gaps[1] +=
                strncmp(a, "beam", 4) == 0 && strcmp(b, "cable tray") == 0 && cli_number(clash, "distance") == 15;
            gaps[2]++;
        } else if (strcmp(kind, "touching") != 0) {
            others += strcmp(kind, "contained") == 0 && strcmp(a, "pump 1") == 0 && strcmp(b, "gear") == 0 ? 1 : 0;
            others +=
                strcmp(kind, "duplicate") == 0 && strcmp(a, "flange 1") == 0 && strcmp(b, "flange 1") == 0 ? 10 : 0;
        }
    }
    assert_int_equal(crossing[0], 5);
    assert_int_equal(crossing[1], 5);
    assert_int_equal(crossing[2], 4);
    assert_int_equal(crossing[3], 2);
    assert_int_equal(crossing[4], 16);
    assert_int_equal(gaps[0], 4);
    assert_int_equal(gaps[1], 5);
    assert_int_equal(others, 11);
    cJSON_Delete(json);
    free(cli_read_file("out/clash/clashes-3.0.bcf", NULL));
    cli_expect_error("tumble demo clash x", "'x' is one argument too many", NULL);
}

static void test_errors(void **state)
{
    (void)state;
    make_files();
    cli_write_file("wrong.obj", "v 0 0 0\nf 1 2 3\n");
    cli_expect_error("tumble clash", "files or folders", NULL);
    cli_expect_error("tumble clash nothing.obj", "nothing.obj", NULL);
    cli_expect_error("tumble clash a.obj wrong.obj", "wrong.obj", "vertex 3", NULL);
    cli_expect_error("mkdir -p empty; tumble clash empty", "empty", "no model files", NULL);
    cli_expect_error("tumble clash a.obj b.obj -o a.obj", "a.obj", "cannot be made", "-o", NULL);
    cli_expect_error("mkdir -p out/index.html; tumble clash a.obj b.obj -o out", "out/index.html", "another folder",
                     NULL);
    cli_expect_error("tumble clash a.obj --fail-on never", "--fail-on", "critical", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report), cmocka_unit_test(test_clearance),
                                       cmocka_unit_test(test_touch),  cmocka_unit_test(test_before),
                                       cmocka_unit_test(test_rules),  cmocka_unit_test(test_fail_on),
                                       cmocka_unit_test(test_demo),   cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
