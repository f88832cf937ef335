/* tumble clash: lists of parts as CSV and JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

static void make_files(void)
{
    cli_run("mkdir -p in/parts && tumble make box -o in/parts/box.stl && tumble make sphere -o in/parts/ball.obj");
    cli_write_file("in/two.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                                 "o b\nv 9 0 0\nv 8 0 0\nv 9 1 0\nf 5 6 7\n");
}

/* "name path class: x of the place" of all parts. */
static void expect_parts(const char *file, const char *expected)
{
    char *text = cli_read_file(file, NULL), out[1024] = "";
    cJSON *json = cJSON_Parse(text);
    const cJSON *part;
    assert_non_null(json);
    cJSON_ArrayForEach(part, cli_array(json, "parts"))
    {
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s %s %s: %g\n", cli_string(part, "name"),
                 cli_string(part, "path"), cli_string(part, "class"),
                 cJSON_GetArrayItem(cli_array(part, "pose"), 3)->valuedouble);
    }
    assert_string_equal(out, expected);
    cJSON_Delete(json);
    free(text);
}

static void test_csv(void **state)
{
    (void)state;
    make_files();
    cli_write_file("in/cell.csv", "name,file,pose\n"
                                  "left,parts/box.stl,\n"
                                  "right,parts/box.stl,1 0 0 0.5 0 1 0 0 0 0 1 0\n"
                                  ",parts/box.stl,1 0 0 100 0 1 0 0 0 0 1 0\n"
                                  "pair,two.obj,-1 0 0 -50 0 1 0 0 0 0 1 0\n"
                                  "lost,parts/box.stl,1 0 0 nan 0 1 0 0 0 0 1 0\n");
    const cli_result result = cli_expect(1, "tumble clash in/cell.csv -o out");
    assert_non_null(strstr(result.out, "6 parts of 5 models, 1 pair"));
    assert_non_null(strstr(result.out, "cell/lost: its place is not finite"));
    assert_non_null(strstr(result.out, "crossing  cell/left  cell/right"));
    expect_parts("out/clashes.json", "left cell/left : 0\nright cell/right : 0.5\nbox cell/box : 100\n"
                                     "a cell/pair/a : -50\nb cell/pair/b : -50\nlost cell/lost : 0\n");
}

/* The list's places come after the conversion of units. */
static void test_json(void **state)
{
    (void)state;
    make_files();
    cli_write_file("in/cell.json", "{\"parts\": [{\"file\": \"parts/box.stl\", \"class\": \"frame\"},\n"
                                   " {\"file\": \"parts/box.stl\", \"path\": \"hall/up/crate\", \"name\": \"crate\",\n"
                                   "  \"pose\": [1, 0, 0, 900, 0, 1, 0, 0, 0, 0, 1, 0]}]}");
    cli_expect(1, "tumble clash in/cell.json --assume-units m --units mm -o out");
    expect_parts("out/clashes.json", "box cell/box frame: 0\ncrate hall/up/crate : 900\n");
    cli_expect(0, "tumble clash in/cell.json");
    cli_expect(0, "cd in && tumble clash cell.json");
    cli_expect(1, "cd in && tumble clash cell.json parts/box.stl");
}

static void test_errors(void **state)
{
    (void)state;
    make_files();
    cli_write_file("in/a.csv", "file,pose\nparts/box.stl,\nparts/none.stl,\n");
    cli_write_file("in/b.csv", "file,pose\nparts,\n");
    cli_write_file("in/c.csv", "file\na.csv\n");
    cli_write_file("in/d.csv", "file,pose\nparts/box.stl,1 2 3\n");
    cli_write_file("in/e.csv", "file,pose\n");
    cli_write_file("in/f.json", "[{\"file\": \"parts/box.stl\"},]");
    cli_write_file("in/g.csv", "file,pose\ntwo.obj,1e308 0 0 0 0 -1e308 0 0 0 0 1e308 0\n");
    cli_expect_error("tumble clash in/a.csv", "in/a.csv: line 3: the file in/parts/none.stl", "folder", NULL);
    cli_expect_error("tumble clash in/b.csv", "line 2: in/parts is a folder", NULL);
    cli_expect_error("tumble clash in/c.csv", "line 2: in/a.csv is a list itself", NULL);
    cli_expect_error("tumble clash in/d.csv", "line 2: the pose has 3 numbers", NULL);
    cli_expect_error("tumble clash in/e.csv", "the list has no parts", NULL);
    cli_expect_error("tumble clash in/f.json", "in/f.json: line 1", NULL);
    cli_expect_error("tumble clash in/g.csv", "in/g.csv: line 2", NULL);
    cli_expect_error("tumble clash in/none.csv", "in/none.csv", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_csv), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
