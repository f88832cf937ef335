/* Pairs of links that need no check. */
#include <string.h>

#include "urdf_element.h"

static uint32_t find_link(const cli_robot *robot, const char *name)
{
    for (uint32_t i = 0; i < robot->link_count; i++) {
        if (strcmp(robot->links[i].name, name) == 0) {
            return i;
        }
    }
    return CLI_NONE;
}

static void set_pair(cli_robot *robot, uint32_t a, uint32_t b, int is_disabled)
{
    robot->disabled[(size_t)a * robot->link_count + b] = (unsigned char)is_disabled;
    robot->disabled[(size_t)b * robot->link_count + a] = (unsigned char)is_disabled;
}

/* ---- adjacent links ---- */

/* The topmost link that this one is fixed to. */
static uint32_t body_of(const cli_robot *robot, uint32_t link)
{
    while (robot->links[link].joint != CLI_NONE && robot->joints[robot->links[link].joint].kind == CLI_JOINT_FIXED) {
        link = robot->joints[robot->links[link].joint].parent;
    }
    return link;
}

/* The next body with shapes on the way to the root, or CLI_NONE. */
static uint32_t body_above(const cli_robot *robot, uint32_t body, const unsigned char *is_solid)
{
    while (robot->links[body].joint != CLI_NONE) {
        body = body_of(robot, robot->joints[robot->links[body].joint].parent);
        if (is_solid[body]) {
            return body;
        }
    }
    return CLI_NONE;
}

tumble_status cli_robot_disable_adjacent(cli_robot *robot)
{
    const uint32_t count = robot->link_count;
    unsigned char *is_solid = tmb_arena_allocate(&robot->arena, count, 1);
    uint32_t *body = tmb_arena_allocate(&robot->arena, count, sizeof *body);
    uint32_t *above = tmb_arena_allocate(&robot->arena, count, sizeof *above);
    if (!is_solid || !body || !above) {
        return tmb_fail_memory(robot->arena.context, "a robot");
    }
    memset(is_solid, 0, count);
    for (uint32_t i = 0; i < robot->shape_count; i++) {
        is_solid[body_of(robot, robot->shapes[i].link)] = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        body[i] = body_of(robot, i);
        above[i] = body_above(robot, body[i], is_solid);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (body[i] == body[j] || above[i] == body[j] || above[j] == body[i]) {
                set_pair(robot, i, j, 1);
            }
        }
    }
    return TUMBLE_OK;
}

/* ---- SRDF ---- */

/* A pair of links; 0: the robot does not have one of them. */
static int read_pair(urdf_reader *r, const cli_xml_element *element, uint32_t pair[2], const char **unknown)
{
    static const char *const names[] = {"link1", "link2"};
    for (int i = 0; i < 2; i++) {
        const char *name = urdf_text(r, element, names[i]);
        pair[i] = r->status == TUMBLE_OK ? find_link(r->robot, name) : CLI_NONE;
        if (r->status == TUMBLE_OK && pair[i] == CLI_NONE && !**unknown) {
            *unknown = name;
        }
    }
    return pair[0] != CLI_NONE && pair[1] != CLI_NONE;
}

static void set_pairs(urdf_reader *r, const cli_xml_element *root, const char *tag, int is_disabled,
                      const char **unknown)
{
    const cli_xml_element *element;
    for (element = cli_xml_child(root, tag); element && r->status == TUMBLE_OK; element = cli_xml_next(element)) {
        uint32_t pair[2];
        if (read_pair(r, element, pair, unknown)) {
            set_pair(r->robot, pair[0], pair[1], is_disabled);
        }
    }
}

/* Links that are compared with none but those that are enabled. */
static void disable_by_default(urdf_reader *r, const cli_xml_element *root)
{
    const cli_xml_element *element = cli_xml_child(root, "disable_default_collisions");
    for (; element && r->status == TUMBLE_OK; element = cli_xml_next(element)) {
        const uint32_t link = find_link(r->robot, urdf_text(r, element, "link"));
        for (uint32_t i = 0; i < r->robot->link_count && link != CLI_NONE; i++) {
            set_pair(r->robot, link, i, 1);
        }
    }
}

static void take_state(urdf_reader *r, const cli_xml_element *root, const char *state)
{
    const cli_xml_element *element = cli_xml_child(root, "group_state");
    int is_found = 0;
    for (; element && r->status == TUMBLE_OK; element = cli_xml_next(element)) {
        const char *name = cli_xml_attribute_of(element, "name");
        const cli_xml_element *joint = cli_xml_child(element, "joint");
        if (!name || strcmp(name, state) != 0) {
            continue;
        }
        is_found = 1;
        for (; joint && r->status == TUMBLE_OK; joint = cli_xml_next(joint)) {
            double values[7];
            const size_t count = urdf_some_numbers(r, joint, "value", values, sizeof values / sizeof *values);
            const char *its = urdf_text(r, joint, "name");
            r->status = r->status == TUMBLE_OK ? cli_robot_set(r->robot, its, values, count) : r->status;
        }
    }
    if (!is_found) {
        urdf_fail(r, root, "there is no state '%.60s': name one of the <group_state>", state);
    }
}

tumble_status cli_srdf_apply(const tmb_source *source, const char *state, cli_robot *robot, const char **unknown)
{
    urdf_reader r = {.source = source, .robot = robot, .status = TUMBLE_OK};
    cli_xml_element *root = NULL;
    *unknown = "";
    r.status = cli_xml_parse(source, &robot->arena, &root);
    if (r.status == TUMBLE_OK) {
        urdf_check_root(&r, root);
    }
    if (r.status == TUMBLE_OK) {
        disable_by_default(&r, root);
        set_pairs(&r, root, "enable_collisions", 0, unknown);
        set_pairs(&r, root, "disable_collisions", 1, unknown);
    }
    if (r.status == TUMBLE_OK && state) {
        take_state(&r, root, state);
    }
    return r.status;
}
