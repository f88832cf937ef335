/* Robots: what URDF and SRDF files say, where links are, what is refused, memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "urdf.h"

#define LINK(name) "<link name='" name "'/>"
#define SOLID(name) "<link name='" name "'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
#define JOINT(name, type, parent, child, more) \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" more "</joint>"
#define LIMIT "<limit lower='-1' upper='2'/>"

static tumble_status parse(tumble_context *context, const char *text, cli_robot *robot)
{
    memset(robot, 0, sizeof *robot);
    robot->arena.context = context;
    const tmb_source source = {context, "r", text, strlen(text)};
    return cli_urdf_parse(&source, robot);
}

static void refuse(tumble_context *context, const char *text, const char *word)
{
    cli_robot robot;
    test_assert_status(context, parse(context, text, &robot), TUMBLE_ERROR_FORMAT, word);
    test_assert_status(context, TUMBLE_ERROR_FORMAT, TUMBLE_ERROR_FORMAT, "r: line ");
    tmb_arena_release(&robot.arena);
}

static void test_xml(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const char text[] = "\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE robot>\n<!-- <x> -->\n"
                               "<a b='&lt;&#65;&#xe4;&apos;' c:d=\"x\ty\">text<b/><![CDATA[<z>]]><b n='2'></b ></a>\n";
    const tmb_source source = {context, "x", text, sizeof text - 1};
    tmb_arena arena = {.context = context};
    cli_xml_element *root;
    assert_int_equal(cli_xml_parse(&source, &arena, &root), TUMBLE_OK);
    assert_string_equal(root->tag, "a");
    assert_string_equal(cli_xml_attribute_of(root, "b"), "<A\xc3\xa4'");
    assert_string_equal(cli_xml_attribute_of(root, "c:d"), "x y");
    assert_null(cli_xml_attribute_of(root, "d"));
    const cli_xml_element *child = cli_xml_child(root, "b");
    assert_ptr_equal(cli_xml_next(child)->parent, root);
    assert_string_equal(cli_xml_attribute_of(cli_xml_next(child), "n"), "2");
    assert_null(cli_xml_next(cli_xml_next(child)));
    assert_null(cli_xml_child(root, "z"));
    tmb_arena_release(&arena);
}

static void test_wrong_xml(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const char *const cases[][2] = {{"", "no element"},
                                           {"<!-- ", "there should be -->"},
                                           {"x<a/>", "should be an element"},
                                           {"<a/><b/>", "second root element"},
                                           {"<a><b></a></b>", "</a> where there should be </b>"},
                                           {"</a>", "</a> where"},
                                           {"<a>", "not closed"},
                                           {"<a", "does not end"},
                                           {"<a b='1'c='2'/>", "does not end"},
                                           {"<a b/>", "no value"},
                                           {"<a b=1/>", "not in quotes"},
                                           {"<a b='1/>", "does not end"},
                                           {"<a b='<'/>", "does not end"},
                                           {"<a b='1' b='2'/>", "given twice"},
                                           {"<a b='&x;'/>", "stands for no character"},
                                           {"<a b='&#xd800;'/>", "stands for no character"},
                                           {"<a b='&#12'/>", "stands for no character"},
                                           {"<a b='&#1a;'/>", "stands for no character"},
                                           {"<1/>", "should be a name"},
                                           {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "declarations"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(context, cases[i][0], cases[i][1]);
    }
    char deep[201 * 3 + 1] = "";
    for (int i = 0; i < 201; i++) {
        memcpy(deep + 3 * (size_t)i, "<a>", 4);
    }
    refuse(context, deep, "more than 200 deep");
}

static const char arm[] = "<robot name='arm'>" SOLID("base") LINK(
    "shoulder") "<link name='hand'>"
                "<collision name='palm'><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><geometry><mesh "
                "filename='a.stl' "
                "scale='1 2 -1'/></geometry></collision>"
                "<collision><geometry><cylinder radius='0.5' length='2'/></geometry></collision></link>" SOLID(
                    "left") SOLID("right") JOINT("turn", "revolute", "shoulder", "hand",
                                                 "<origin xyz='1 0 0'/><axis xyz='0 0 2'/>" LIMIT)
                    JOINT("lift", "prismatic", "base", "shoulder", "<axis xyz='0 0 1'/><limit lower='0.5' upper='1'/>")
                        JOINT("open", "prismatic", "hand", "left", "<axis xyz='0 1 0'/>" LIMIT) JOINT(
                            "follow", "prismatic", "hand", "right",
                            "<axis xyz='0 1 0'/><mimic joint='open' multiplier='-2' offset='0.25'/>" LIMIT) "</robot>";

static void expect_place(const tumble_pose *pose, double x, double y, double z)
{
    assert_true(fabs(pose->m[0][3] - x) < 1e-12 && fabs(pose->m[1][3] - y) < 1e-12 && fabs(pose->m[2][3] - z) < 1e-12);
}

static void test_arm(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    const double quarter = 1.5707963267948966, opening = 0.5;
    tumble_pose links[5];
    cli_robot robot;
    assert_int_equal(parse(context, arm, &robot), TUMBLE_OK);
    assert_string_equal(robot.name, "arm");
    assert_true(robot.link_count == 5 && robot.joint_count == 4 && robot.shape_count == 5 && robot.width == 3);
    assert_string_equal(robot.shapes[1].name, "palm");
    assert_true(robot.shapes[1].kind == CLI_SHAPE_MESH && robot.shapes[1].size[1] == 2);
    assert_true(robot.shapes[2].kind == CLI_SHAPE_CYLINDER && robot.shapes[2].size[1] == 2);
    assert_true(fabs(robot.shapes[1].origin.m[1][0] - 1) < 1e-15 && robot.shapes[1].origin.m[2][3] == 1);
    assert_int_equal(cli_robot_place(&robot, links), TUMBLE_OK);
    expect_place(&links[2], 1, 0, 0.5);
    expect_place(&links[4], 1, 0.25, 0.5);
    assert_int_equal(cli_robot_set(&robot, "turn", &quarter, 1), TUMBLE_OK);
    assert_int_equal(cli_robot_set(&robot, "open", &opening, 1), TUMBLE_OK);
    assert_int_equal(cli_robot_place(&robot, links), TUMBLE_OK);
    expect_place(&links[3], 0.5, 0, 0.5);
    expect_place(&links[4], 1.75, 0, 0.5);
    test_assert_status(context, cli_robot_set(&robot, "follow", &opening, 1), TUMBLE_ERROR_FORMAT, "follows another");
    test_assert_status(context, cli_robot_set(&robot, "open", &opening, 0), TUMBLE_ERROR_FORMAT, "0 values: give 1");
    test_assert_status(context, cli_robot_set(&robot, "none", &opening, 1), TUMBLE_ERROR_FORMAT, "no joint 'none'");
    tmb_arena_release(&robot.arena);
}

/* Planar and floating joints, as in Python. */
static void test_wide_joints(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const char text[] =
        "<robot>" LINK("a") LINK("b") LINK("c") LINK("d") JOINT("slide", "planar", "a", "b", "<axis xyz='0 0 1'/>")
            JOINT("fly", "floating", "b", "c", "") JOINT("weld", "fixed", "c", "d", "<origin xyz='1 0 0'/>") "</robot>";
    const double slide[3] = {2, 3, 1.5707963267948966}, fly[7] = {1, 0, 0, 0, 0, 0, 5}, none[7] = {0};
    tumble_pose links[4];
    cli_robot robot;
    assert_int_equal(parse(context, text, &robot), TUMBLE_OK);
    assert_int_equal(robot.width, 10);
    assert_string_equal(robot.name, "robot");
    assert_int_equal(cli_robot_place(&robot, links), TUMBLE_OK);
    expect_place(&links[3], 1, 0, 0);
    assert_int_equal(cli_robot_set(&robot, "slide", slide, 3), TUMBLE_OK);
    assert_int_equal(cli_robot_set(&robot, "fly", fly, 7), TUMBLE_OK);
    assert_int_equal(cli_robot_place(&robot, links), TUMBLE_OK);
    expect_place(&links[1], 2, 3, 0);
    expect_place(&links[2], 2, 4, 0);
    expect_place(&links[3], 2, 3, 0); /* half a turn */
    test_assert_status(context, cli_robot_set(&robot, "weld", slide, 1), TUMBLE_ERROR_FORMAT, "is fixed");
    assert_int_equal(cli_robot_set(&robot, "fly", none, 7), TUMBLE_OK);
    test_assert_status(context, cli_robot_place(&robot, links), TUMBLE_ERROR_FORMAT, "quaternion of the joint 'fly'");
    tmb_arena_release(&robot.arena);
}

static void expect_disabled(const cli_robot *robot, const char *expected)
{
    char text[256] = "";
    for (uint32_t i = 0; i < robot->link_count; i++) {
        for (uint32_t j = i + 1; j < robot->link_count; j++) {
            assert_int_equal(robot->disabled[i * robot->link_count + j], robot->disabled[j * robot->link_count + i]);
            if (robot->disabled[i * robot->link_count + j]) {
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s-%s ", robot->links[i].name,
                         robot->links[j].name);
            }
        }
    }
    assert_string_equal(text, expected);
}

static void test_pairs_of_links(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const char srdf[] = "<robot name='arm'><disable_default_collisions link='left'/>"
                               "<enable_collisions link1='left' link2='base'/>"
                               "<disable_collisions link1='right' link2='base' reason='Never'/>"
                               "<disable_collisions link1='right' link2='tool'/>"
                               "<group_state name='up' group='g'><joint name='lift' value='0.75'/></group_state>"
                               "<group_state name='odd'><joint name='lift' value='1 2'/></group_state></robot>";
    const tmb_source source = {context, "s", srdf, sizeof srdf - 1};
    const char *unknown;
    cli_robot robot;
    assert_int_equal(parse(context, arm, &robot), TUMBLE_OK);
    assert_int_equal(cli_robot_disable_adjacent(&robot), TUMBLE_OK);
    expect_disabled(&robot, "base-shoulder base-hand hand-left hand-right ");
    tmb_arena_release(&robot.arena);
    assert_int_equal(parse(context, arm, &robot), TUMBLE_OK);
    assert_int_equal(cli_srdf_apply(&source, "up", &robot, &unknown), TUMBLE_OK);
    expect_disabled(&robot, "base-right shoulder-left hand-left left-right ");
    assert_string_equal(unknown, "tool");
    assert_true(robot.values[1] == 0.75);
    test_assert_status(context, cli_srdf_apply(&source, "down", &robot, &unknown), TUMBLE_ERROR_FORMAT,
                       "no state 'down'");
    test_assert_status(context, cli_srdf_apply(&source, "odd", &robot, &unknown), TUMBLE_ERROR_FORMAT,
                       "2 values: give 1");
    tmb_arena_release(&robot.arena);
}

static void test_wrong_robots(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const char *const cases[][2] = {
        {"<model/>", "<model>, not <robot>"},
        {"<robot/>", "no links"},
        {"<robot>" LINK("a") LINK("a") "</robot>", "a link 'a' already"},
        {"<robot><link/></robot>", "<link> has no attribute name"},
        {"<robot>" LINK("a") LINK("b") "</robot>", "'a' and 'b' have no parent"},
        {"<robot>" LINK("a") JOINT("j", "fixed", "a", "b", "") "</robot>", "child link 'b' of the joint"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "screw", "a", "b", "") "</robot>", "'screw'"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "") "</robot>", "<joint> has no <limit>"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='1' upper='0'/>") "</robot>",
         "above the upper"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>") "</robot>",
         "length 0"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "<origin xyz='1 2'/>") "</robot>",
         "xyz of <origin> has 2 numbers: give 3"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "<origin xyz='1 2 nan'/>") "</robot>",
         "finite numbers"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "<origin/><origin/>") "</robot>",
         "several <origin>"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("j", "fixed", "a", "b", "") "</robot>",
         "a joint 'j' already"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "") "</robot>",
         "child of two joints"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "") "</robot>",
         "form a cycle"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>") "</robot>",
         "'k', which does not exist"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint='j'/>") "</robot>",
         "mimics itself"},
        {"<robot>" LINK("a") LINK("b") JOINT("j", "planar", "a", "b", "<mimic joint='j'/>") "</robot>",
         "cannot follow"},
        {"<robot><link name='a'><collision/></link></robot>", "<collision> has no <geometry>"},
        {"<robot><link name='a'><collision><geometry/></collision></link></robot>", "no shape"},
        {"<robot><link name='a'><collision><geometry><cone/></geometry></collision></link></robot>", "<cone>"},
        {"<robot><link name='a'><collision><geometry><box size='1 0 1'/></geometry></collision></link></robot>",
         "a number above 0"},
        {"<robot><link name='a'><collision><geometry><mesh filename='x' scale='1 0 1'/></geometry></collision></link>"
         "</robot>",
         "scale of 0"},
        {"<robot><xacro:arm/></robot>", "xacro file"},
        {"<robot><link name='${x}'/></robot>", "xacro file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(context, cases[i][0], cases[i][1]);
    }
}

static tumble_status parse_arm(test_world *w, void *user)
{
    cli_robot robot;
    (void)user;
    tumble_status status = parse(w->context, arm, &robot);
    if (status == TUMBLE_OK) {
        status = cli_robot_disable_adjacent(&robot);
    }
    tmb_arena_release(&robot.arena);
    return status;
}

static void test_memory(void **state)
{
    assert_true(test_fail_each(*state, TEST_FAIL_TAKING_TURNS, parse_arm, NULL, NULL) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_xml),         TEST_IN_WORLD(test_wrong_xml),      TEST_IN_WORLD(test_arm),
        TEST_IN_WORLD(test_wide_joints), TEST_IN_WORLD(test_pairs_of_links), TEST_IN_WORLD(test_wrong_robots),
        TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
