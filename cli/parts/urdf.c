/* URDF: from elements to links, joints and shapes. */
#include "urdf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "urdf_element.h"

static const struct {
    const char *word;
    uint32_t width;
} joint_kinds[] = {
#define JOINT_KIND(name, word, width) {word, width},
    CLI_JOINT_LIST(JOINT_KIND)
#undef JOINT_KIND
};

enum {
    JOINT_KINDS = sizeof joint_kinds / sizeof *joint_kinds
};

/* ---- poses ---- */

/* Turns about the fixed x, then y, then z axis. */
static void rotate(const double angles[3], tumble_pose *pose)
{
    const double cr = cos(angles[0]), sr = sin(angles[0]), cp = cos(angles[1]), sp = sin(angles[1]),
                 cy = cos(angles[2]), sy = sin(angles[2]);
    const double m[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                            {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                            {-sp, cp * sr, cp * cr}};
    for (int i = 0; i < 3; i++) {
        memcpy(pose->m[i], m[i], sizeof m[i]);
    }
}

static tumble_pose read_origin(urdf_reader *r, const cli_xml_element *element)
{
    tumble_pose pose = tumble_pose_identity();
    double angles[3] = {0, 0, 0}, shift[3] = {0, 0, 0};
    const cli_xml_element *origin = urdf_child(r, element, "origin");
    if (origin) {
        urdf_numbers(r, origin, "rpy", angles, 3, 1);
        urdf_numbers(r, origin, "xyz", shift, 3, 1);
        rotate(angles, &pose);
    }
    for (int i = 0; i < 3; i++) {
        pose.m[i][3] = shift[i];
    }
    return pose;
}

/* ---- shapes ---- */

static void read_mesh(urdf_reader *r, const cli_xml_element *element, cli_robot_shape *shape)
{
    for (int i = 0; i < 3; i++) {
        shape->size[i] = 1;
    }
    shape->file = urdf_text(r, element, "filename");
    urdf_numbers(r, element, "scale", shape->size, 3, 1);
    if (shape->size[0] * shape->size[1] * shape->size[2] == 0) {
        urdf_fail(r, element, "the mesh has a scale of 0: give numbers that are not 0");
    }
}

static void read_shape(urdf_reader *r, const cli_xml_element *geometry, cli_robot_shape *shape)
{
    const cli_xml_element *element = geometry->first;
    if (!element || element->next) {
        urdf_fail(r, geometry, "the geometry has %s: give one", element ? "several shapes" : "no shape");
        return;
    }
    const char *kind = element->tag;
    shape->at = element->at;
    if (strcmp(kind, "mesh") == 0) {
        shape->kind = CLI_SHAPE_MESH;
        read_mesh(r, element, shape);
    } else if (strcmp(kind, "box") == 0) {
        shape->kind = CLI_SHAPE_BOX;
        urdf_positive(r, element, "size", shape->size, 3);
    } else if (strcmp(kind, "sphere") == 0) {
        shape->kind = CLI_SHAPE_SPHERE;
        urdf_positive(r, element, "radius", shape->size, 1);
    } else if (strcmp(kind, "cylinder") == 0 || strcmp(kind, "capsule") == 0) {
        shape->kind = kind[1] == 'y' ? CLI_SHAPE_CYLINDER : CLI_SHAPE_CAPSULE;
        urdf_positive(r, element, "radius", shape->size, 1);
        urdf_positive(r, element, "length", shape->size + 1, 1);
    } else {
        urdf_fail(r, element, "the shape <%.40s> is unknown: there are mesh, box, sphere, cylinder and capsule", kind);
    }
}

static void read_collision(urdf_reader *r, const cli_xml_element *element, uint32_t link)
{
    cli_robot_shape *shape = &r->robot->shapes[r->robot->shape_count++];
    const char *name = cli_xml_attribute_of(element, "name");
    const cli_xml_element *geometry = urdf_need(r, element, "geometry");
    *shape = (cli_robot_shape){.name = name ? name : "", .link = link, .file = "", .at = element->at};
    shape->origin = read_origin(r, element);
    if (geometry) {
        read_shape(r, geometry, shape);
    }
}

/* ---- links ---- */

static uint32_t count_children(const cli_xml_element *element, const char *tag)
{
    uint32_t count = 0;
    for (const cli_xml_element *child = cli_xml_child(element, tag); child; child = cli_xml_next(child)) {
        count++;
    }
    return count;
}

static uint32_t find_link(const cli_robot *robot, const char *name)
{
    uint32_t number = 0;
    while (number < robot->link_count && strcmp(robot->links[number].name, name) != 0) {
        number++;
    }
    return number < robot->link_count ? number : CLI_NONE;
}

static void read_link(urdf_reader *r, const cli_xml_element *element)
{
    const char *name = urdf_text(r, element, "name");
    const uint32_t number = r->robot->link_count;
    if (find_link(r->robot, name) != CLI_NONE) {
        urdf_fail(r, element, "there is a link '%.60s' already: give each a name of its own", name);
    }
    r->robot->links[number] = (cli_robot_link){name, CLI_NONE};
    r->robot->link_count++;
    for (const cli_xml_element *child = cli_xml_child(element, "collision"); child; child = cli_xml_next(child)) {
        read_collision(r, child, number);
    }
}

static void read_links(urdf_reader *r, const cli_xml_element *root)
{
    size_t links = 0, shapes = 0;
    for (const cli_xml_element *link = cli_xml_child(root, "link"); link; link = cli_xml_next(link)) {
        links++;
        shapes += count_children(link, "collision");
    }
    if (links == 0 || links > CLI_MOST_LINKS) {
        urdf_fail(r, root,
                  links ? "there are more than 8192 links: split the robot" : "the robot has no links: add one");
        return;
    }
    r->robot->links = urdf_allocate(r, links, sizeof *r->robot->links);
    r->robot->shapes = urdf_allocate(r, shapes, sizeof *r->robot->shapes);
    for (const cli_xml_element *link = cli_xml_child(root, "link"); link && r->status == TUMBLE_OK;
         link = cli_xml_next(link)) {
        read_link(r, link);
    }
}

/* ---- joints ---- */

static uint32_t read_link_name(urdf_reader *r, const cli_xml_element *element, const char *tag)
{
    const cli_xml_element *child = urdf_need(r, element, tag);
    const char *name = child ? urdf_text(r, child, "link") : "";
    const uint32_t number = find_link(r->robot, name);
    if (number == CLI_NONE) {
        urdf_fail(r, element, "the %s link '%.60s' of the joint does not exist: correct the name", tag, name);
    }
    return number;
}

static void read_axis(urdf_reader *r, const cli_xml_element *element, cli_robot_joint *joint)
{
    double axis[3] = {1, 0, 0};
    const cli_xml_element *child = urdf_child(r, element, "axis");
    if (child) {
        urdf_numbers(r, child, "xyz", axis, 3, 1);
    }
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0) || !isfinite(length)) {
        if (joint->kind != CLI_JOINT_FIXED && joint->kind != CLI_JOINT_FLOATING) {
            urdf_fail(r, element, "the axis of the joint has the length 0: give a direction");
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        joint->axis[i] = axis[i] / length;
    }
}

static void read_limits(urdf_reader *r, const cli_xml_element *element, cli_robot_joint *joint)
{
    if (joint->kind != CLI_JOINT_REVOLUTE && joint->kind != CLI_JOINT_PRISMATIC) {
        return;
    }
    const cli_xml_element *limit = urdf_need(r, element, "limit");
    joint->lower = joint->upper = 0;
    if (limit) {
        urdf_numbers(r, limit, "lower", &joint->lower, 1, 1);
        urdf_numbers(r, limit, "upper", &joint->upper, 1, 1);
    }
    if (joint->lower > joint->upper) {
        urdf_fail(r, element, "the lower limit %g is above the upper one, %g: exchange them", joint->lower,
                  joint->upper);
    }
}

static cli_joint_kind read_kind(urdf_reader *r, const cli_xml_element *element)
{
    const char *word = urdf_text(r, element, "type");
    for (int i = 0; i < JOINT_KINDS; i++) {
        if (strcmp(word, joint_kinds[i].word) == 0) {
            return (cli_joint_kind)i;
        }
    }
    urdf_fail(r, element,
              "the type '%.40s' of the joint is unknown: there are fixed, revolute, continuous, prismatic, planar and "
              "floating",
              word);
    return CLI_JOINT_FIXED;
}

static void read_joint(urdf_reader *r, const cli_xml_element *element)
{
    cli_robot *robot = r->robot;
    cli_robot_joint joint = {.name = urdf_text(r, element, "name"),
                             .kind = read_kind(r, element),
                             .axis = {1, 0, 0},
                             .lower = -INFINITY,
                             .upper = INFINITY,
                             .mimic = CLI_NONE,
                             .multiplier = 1,
                             .value = CLI_NONE,
                             .at = element->at};
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        if (strcmp(robot->joints[i].name, joint.name) == 0) {
            urdf_fail(r, element, "there is a joint '%.60s' already: give each a name of its own", joint.name);
        }
    }
    joint.parent = read_link_name(r, element, "parent");
    joint.child = read_link_name(r, element, "child");
    joint.origin = read_origin(r, element);
    read_axis(r, element, &joint);
    read_limits(r, element, &joint);
    if (r->status != TUMBLE_OK) {
        return;
    }
    if (robot->links[joint.child].joint != CLI_NONE) {
        urdf_fail(r, element, "the link '%.60s' is the child of two joints: remove one",
                  robot->links[joint.child].name);
    }
    robot->links[joint.child].joint = robot->joint_count;
    robot->joints[robot->joint_count++] = joint;
}

static void read_mimic(urdf_reader *r, const cli_xml_element *element, cli_robot_joint *joint)
{
    const cli_robot *robot = r->robot;
    const cli_xml_element *mimic = joint->kind == CLI_JOINT_FIXED ? NULL : urdf_child(r, element, "mimic");
    if (!mimic) {
        return;
    }
    const char *name = urdf_text(r, mimic, "joint");
    uint32_t number = 0;
    while (number < robot->joint_count && strcmp(robot->joints[number].name, name) != 0) {
        number++;
    }
    if (number == robot->joint_count || joint_kinds[robot->joints[number].kind].width > 1 ||
        joint_kinds[joint->kind].width != 1) {
        urdf_fail(r, mimic, "the joint mimics '%.60s', which %s: name a joint with one value", name,
                  number == robot->joint_count ? "does not exist" : "it cannot follow");
        return;
    }
    joint->mimic = number;
    urdf_numbers(r, mimic, "multiplier", &joint->multiplier, 1, 1);
    urdf_numbers(r, mimic, "offset", &joint->offset, 1, 1);
}

static void check_mimics(urdf_reader *r, const cli_xml_element *root)
{
    const cli_robot *robot = r->robot;
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        uint32_t at = i, steps = 0;
        while (robot->joints[at].mimic != CLI_NONE && steps++ <= robot->joint_count) {
            at = robot->joints[at].mimic;
        }
        if (steps > robot->joint_count) {
            urdf_fail(r, root, "the joint '%.60s' mimics itself: remove one <mimic>", robot->joints[i].name);
        }
    }
}

static void read_joints(urdf_reader *r, const cli_xml_element *root)
{
    const uint32_t count = count_children(root, "joint");
    uint32_t number = 0;
    r->robot->joints = urdf_allocate(r, count, sizeof *r->robot->joints);
    const cli_xml_element *joint;
    for (joint = cli_xml_child(root, "joint"); joint && r->status == TUMBLE_OK; joint = cli_xml_next(joint)) {
        read_joint(r, joint);
    }
    for (joint = cli_xml_child(root, "joint"); joint && r->status == TUMBLE_OK; joint = cli_xml_next(joint)) {
        read_mimic(r, joint, &r->robot->joints[number++]);
    }
    if (r->status == TUMBLE_OK) {
        check_mimics(r, root);
    }
}

/* ---- the tree ---- */

static int is_root(const cli_robot *robot, uint32_t link)
{
    return robot->links[link].joint == CLI_NONE;
}

/* Whether the root of all is `root`: else joints form a cycle. */
static int hangs_from(const cli_robot *robot, uint32_t link, uint32_t root)
{
    uint32_t steps = 0;
    while (!is_root(robot, link) && steps++ <= robot->joint_count) {
        link = robot->joints[robot->links[link].joint].parent;
    }
    return link == root;
}

static void check_tree(urdf_reader *r, const cli_xml_element *element)
{
    const cli_robot *robot = r->robot;
    uint32_t root = CLI_NONE;
    for (uint32_t i = 0; i < robot->link_count; i++) {
        if (is_root(robot, i) && root != CLI_NONE) {
            urdf_fail(r, element, "the links '%.60s' and '%.60s' have no parent: a robot is one tree",
                      robot->links[root].name, robot->links[i].name);
        }
        root = is_root(robot, i) && root == CLI_NONE ? i : root;
    }
    for (uint32_t i = 0; i < robot->link_count && r->status == TUMBLE_OK; i++) {
        if (root == CLI_NONE || !hangs_from(robot, i, root)) {
            urdf_fail(r, element, "the joints above the link '%.60s' form a cycle: remove one", robot->links[i].name);
        }
    }
}

/* Joints by how many are above them. */
static void order_joints(urdf_reader *r)
{
    cli_robot *robot = r->robot;
    uint32_t count = 0, *level = urdf_allocate(r, robot->joint_count, sizeof *level);
    robot->order = urdf_allocate(r, robot->joint_count, sizeof *robot->order);
    if (r->status != TUMBLE_OK) {
        return;
    }
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        level[i] = 0;
        for (uint32_t link = robot->joints[i].parent; !is_root(robot, link); level[i]++) {
            link = robot->joints[robot->links[link].joint].parent;
        }
    }
    for (uint32_t wanted = 0; count < robot->joint_count; wanted++) {
        for (uint32_t i = 0; i < robot->joint_count; i++) {
            if (level[i] == wanted) {
                robot->order[count++] = i;
            }
        }
    }
}

static void number_values(urdf_reader *r)
{
    cli_robot *robot = r->robot;
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        cli_robot_joint *joint = &robot->joints[i];
        const uint32_t width = joint->mimic == CLI_NONE ? joint_kinds[joint->kind].width : 0;
        joint->value = width ? robot->width : CLI_NONE;
        robot->width += width;
    }
    robot->values = urdf_allocate(r, robot->width, sizeof *robot->values);
    const size_t pairs = (size_t)robot->link_count * robot->link_count;
    robot->disabled = urdf_allocate(r, pairs, 1);
    if (r->status != TUMBLE_OK) {
        return;
    }
    memset(robot->disabled, 0, pairs);
    memset(robot->values, 0, robot->width * sizeof *robot->values);
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        const cli_robot_joint *joint = &robot->joints[i];
        if (joint->value != CLI_NONE && joint_kinds[joint->kind].width == 1) {
            robot->values[joint->value] = fmin(fmax(0, joint->lower), joint->upper);
        } else if (joint->value != CLI_NONE && joint->kind == CLI_JOINT_FLOATING) {
            robot->values[joint->value + 3] = 1;
        }
    }
}

tumble_status cli_urdf_parse(const tmb_source *source, cli_robot *robot)
{
    urdf_reader r = {.source = source, .robot = robot, .status = TUMBLE_OK};
    cli_xml_element *root = NULL;
    robot->source = *source;
    robot->arena.context = source->context;
    r.status = cli_xml_parse(source, &robot->arena, &root);
    if (r.status == TUMBLE_OK) {
        urdf_check_root(&r, root);
    }
    if (r.status == TUMBLE_OK) {
        const char *name = cli_xml_attribute_of(root, "name");
        robot->name = name && *name ? name : "robot";
        read_links(&r, root);
    }
    if (r.status == TUMBLE_OK) {
        read_joints(&r, root);
    }
    if (r.status == TUMBLE_OK) {
        check_tree(&r, root);
    }
    if (r.status == TUMBLE_OK) {
        order_joints(&r);
    }
    if (r.status == TUMBLE_OK) {
        number_values(&r);
    }
    return r.status;
}

tumble_status cli_robot_set(cli_robot *robot, const char *joint, const double *values, size_t count)
{
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        const cli_robot_joint *found = &robot->joints[i];
        if (strcmp(found->name, joint) != 0) {
            continue;
        }
        const uint32_t width = found->mimic == CLI_NONE ? joint_kinds[found->kind].width : 0;
        if (width == 0) {
            return tmb_fail(robot->arena.context, TUMBLE_ERROR_FORMAT, "the joint '%.60s' %s: leave it out", joint,
                            found->mimic == CLI_NONE ? "is fixed" : "follows another one");
        }
        if (count != width) {
            return tmb_fail(robot->arena.context, TUMBLE_ERROR_FORMAT, "the joint '%.60s' has %zu value%s: give %u",
                            joint, count, count == 1 ? "" : "s", (unsigned)width);
        }
        memcpy(robot->values + found->value, values, count * sizeof *values);
        return TUMBLE_OK;
    }
    return tmb_fail(robot->arena.context, TUMBLE_ERROR_FORMAT, "the robot has no joint '%.60s': correct the name",
                    joint);
}
