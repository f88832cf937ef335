/* tumble clash: robots with all kinds of shapes, packages, SRDF files and values of joints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

#define SHAPE(shape) "<collision><geometry>" shape "</geometry></collision>"

static void make_files(void)
{
    cli_run("mkdir -p ws/rig/meshes bot && tumble make box -o ws/rig/meshes/box.stl && cp ws/rig/meshes/box.stl bot");
    cli_write_file(
        "bot/r.urdf",
        "<robot name='rig'><link name='base'>" SHAPE("<mesh filename='package://rig/meshes/box.stl'/>") SHAPE(
            "<sphere radius='0.5'/>") "</link>\n"
                                      "<link name='slider'>" SHAPE(
                                          "<box size='0.5 0.5 0.5'/>") "</link>\n"
                                                                       "<link name='rod'>" SHAPE(
                                                                           "<cylinder radius='0.1' "
                                                                           "length='2'/>") "</link>\n"
                                                                                           "<link "
                                                                                           "name='tip'"
                                                                                           ">" SHAPE(
                                                                                               "<capsule "
                                                                                               "radius='0."
                                                                                               "125' "
                                                                                               "length='1'/"
                                                                                               ">") "</"
                                                                                                    "link>\n"
                                                                                                    "<link "
                                                                                                    "name='"
                                                                                                    "flag'"
                                                                                                    ">" SHAPE(
                                                                                                        "<me"
                                                                                                        "sh "
                                                                                                        "fil"
                                                                                                        "ena"
                                                                                                        "me="
                                                                                                        "'bo"
                                                                                                        "x."
                                                                                                        "stl"
                                                                                                        "' "
                                                                                                        "sca"
                                                                                                        "le="
                                                                                                        "'2 "
                                                                                                        "1 "
                                                                                                        "-1'"
                                                                                                        "/>") "</"
                                                                                                              "link>\n"
                                                                                                              "<joint "
                                                                                                              "name='x'"
                                                                                                              " type='"
                                                                                                              "prismati"
                                                                                                              "c'><"
                                                                                                              "parent "
                                                                                                              "link='"
                                                                                                              "base'/"
                                                                                                              "><child "
                                                                                                              "link='"
                                                                                                              "slider'/"
                                                                                                              ">"
                                                                                                              "<limit "
                                                                                                              "lower='-"
                                                                                                              "9' "
                                                                                                              "upper='"
                                                                                                              "9'/></"
                                                                                                              "joint>\n"
                                                                                                              "<joint "
                                                                                                              "name='y'"
                                                                                                              " type='"
                                                                                                              "fixed'><"
                                                                                                              "parent "
                                                                                                              "link='"
                                                                                                              "slider'/"
                                                                                                              "><child "
                                                                                                              "link='"
                                                                                                              "rod'/>"
                                                                                                              "<origin "
                                                                                                              "xyz='3 "
                                                                                                              "0 "
                                                                                                              "0'/></"
                                                                                                              "joint>\n"
                                                                                                              "<joint "
                                                                                                              "name='z'"
                                                                                                              " type='"
                                                                                                              "fixed'><"
                                                                                                              "parent "
                                                                                                              "link='"
                                                                                                              "base'/"
                                                                                                              "><child "
                                                                                                              "link='"
                                                                                                              "tip'/>"
                                                                                                              "<origin "
                                                                                                              "xyz='5 "
                                                                                                              "0 "
                                                                                                              "0'/></"
                                                                                                              "joint>\n"
                                                                                                              "<joint "
                                                                                                              "name='f'"
                                                                                                              " type='"
                                                                                                              "fixed'><"
                                                                                                              "parent "
                                                                                                              "link='"
                                                                                                              "base'/"
                                                                                                              "><child "
                                                                                                              "link='"
                                                                                                              "flag'/>"
                                                                                                              "<origin "
                                                                                                              "xyz='20 "
                                                                                                              "0 "
                                                                                                              "0'/></"
                                                                                                              "joint></"
                                                                                                              "robot>");
    cli_write_file("bot/r.srdf", "<robot name='rig'><disable_collisions link1='base' link2='slider'/>"
                                 "<group_state name='far'><joint name='x' value='2'/></group_state></robot>");
}

static void expect_clashes(const char *options, const char *expected)
{
    char out[512] = "";
    cli_result result = cli_run("tumble clash bot/r.urdf --packages ws %s -o out", options);
    assert_true(result.status < 2);
    char *text = cli_read_file("out/clashes.json", NULL);
    cJSON *json = cJSON_Parse(text);
    const cJSON *clash, *parts = cli_array(json, "parts");
    cJSON_ArrayForEach(clash, cli_array(json, "clashes"))
    {
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s %s %s; ", cli_string(clash, "kind"),
                 cli_string(cJSON_GetArrayItem(parts, (int)cli_number(clash, "a")), "path"),
                 cli_string(cJSON_GetArrayItem(parts, (int)cli_number(clash, "b")), "path"));
    }
    assert_string_equal(out, expected);
    assert_true(cli_number(json, "unit_metres") == 1);
    assert_string_equal(cli_string(json, "up"), "z");
    cJSON_Delete(json);
    free(text);
}

static void test_joints(void **state)
{
    (void)state;
    make_files();
    cli_write_file("two.txt", "# far\nx 2\n");
    cli_write_file("two.json", "{\"x\": 2}");
    cli_write_file("list.json", "{\"x\": [-8]}");
    expect_clashes("", "");
    expect_clashes("--joints two.txt", "");
    expect_clashes("--srdf bot/r.srdf --joints two.txt", "undefined rig/rod rig/tip; ");
    expect_clashes("--srdf bot/r.srdf --joints two.json", "undefined rig/rod rig/tip; ");
    expect_clashes("--srdf bot/r.srdf --state far --joints list.json", "");
    expect_clashes("--srdf bot/r.srdf", "");
    expect_clashes("--srdf bot/r.srdf --state far", "undefined rig/rod rig/tip; ");
    cli_write_file("bot/s.srdf", "<robot name='rig'/>");
    expect_clashes("--srdf bot/s.srdf", "crossing rig/base/0 rig/slider; contained rig/base/1 rig/slider; ");
}

/* Two robots in a list, of which pairs are ignored in each, and units that are converted. */
static void test_cell(void **state)
{
    (void)state;
    make_files();
    cli_write_file("cell.csv", "name,file,pose\none,bot/r.urdf,\ntwo,bot/r.urdf,1 0 0 100 0 1 0 0 0 0 1 0\n");
    cli_result result = cli_expect(0, "tumble clash cell.csv --packages ws");
    assert_non_null(strstr(result.out, "12 parts"));
    cli_write_file("cell.csv", "name,file,pose\none,bot/r.urdf,\ntwo,bot/r.urdf,1 0 0 5000 0 1 0 0 0 0 1 0\n");
    result = cli_expect(1, "ROS_PACKAGE_PATH=nowhere:ws tumble clash cell.csv --units mm");
    assert_non_null(strstr(result.out, "cell/one/tip  cell/two/base/0"));
    cli_expect(0, "mkdir -p pre/share && mv ws/rig pre/share && AMENT_PREFIX_PATH=pre tumble clash bot/r.urdf");
    cli_expect(0, "mv pre/share/rig . && mv bot rig && tumble clash rig/bot/r.urdf");
    cli_expect(0, "rm -rf rig pre ws");
}

static void test_errors(void **state)
{
    (void)state;
    make_files();
    cli_write_file("bad.srdf", "<robot><disable_collisions link1='base'/></robot>");
    cli_write_file("gone.srdf", "<robot><disable_collisions link1='base' link2='wing'/></robot>");
    cli_write_file("bad.txt", "x much\n");
    cli_write_file("bad2.txt", "w 1\n");
    cli_write_file("bad.json", "{\"w\": 1}");
    cli_write_file("lost.urdf", "<robot><link name='a'>" SHAPE("<mesh filename='none.stl'/>") "</link></robot>");
    cli_write_file("odd.urdf", "<robot><link name='a'>" SHAPE("<mesh filename='http://x.stl'/>") "</link></robot>");
    cli_write_file("empty.obj", "v 0 0 0\n");
    cli_write_file("hole.urdf", "<robot><link name='a'>" SHAPE("<mesh filename='empty.obj'/>") "</link></robot>");
    cli_expect_error("tumble clash bot/r.urdf", "bot/r.urdf: line 1", "package://rig/meshes/box.stl", "--packages",
                     NULL);
    cli_expect_error("tumble clash lost.urdf", "lost.urdf: line 1", "none.stl was not found", NULL);
    cli_expect_error("tumble clash odd.urdf", "odd.urdf: line 1", "http://x.stl", NULL);
    cli_expect_error("tumble clash bot/r.urdf --state far", "--srdf", NULL);
    cli_expect_error("tumble clash bot/r.urdf --packages ws --srdf bad.srdf", "bad.srdf: line 1", "link2", NULL);
    cli_expect_error("tumble clash bot/r.urdf --packages ws --srdf bot/r.srdf --state near", "no state 'near'", NULL);
    cli_expect_error("tumble clash bot/r.urdf --packages ws --joints bad.txt", "bad.txt:1: 'much'", NULL);
    cli_expect_error("tumble clash bot/r.urdf --packages ws --joints bad2.txt", "bad2.txt:1", "'w'", NULL);
    cli_expect_error("tumble clash bot/r.urdf --packages ws --joints bad.json", "bad.json: line 1", "'w'", NULL);
    assert_non_null(strstr(cli_run("tumble clash bot/r.urdf --packages ws --srdf gone.srdf").err, "no link 'wing'"));
    assert_non_null(strstr(cli_expect(0, "tumble clash hole.urdf").out, "robot/a: no polygons"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joints), cmocka_unit_test(test_cell),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
