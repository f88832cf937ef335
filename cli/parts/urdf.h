/* Robots: links, joints and collision shapes of URDF files, pairs and states of SRDF files, and where the links are for
 * values of the joints. The same as tumble.urdf in Python. */
#ifndef TUMBLE_CLI_URDF_H
#define TUMBLE_CLI_URDF_H

#include "tumble/math.h"
#include "xml.h"

/* Type of joint, its word, how many values it takes. */
#define CLI_JOINT_LIST(X)          \
    X(FIXED, "fixed", 0)           \
    X(REVOLUTE, "revolute", 1)     \
    X(CONTINUOUS, "continuous", 1) \
    X(PRISMATIC, "prismatic", 1)   \
    X(PLANAR, "planar", 3)         \
    X(FLOATING, "floating", 7)

typedef enum cli_joint_kind {
#define CLI_JOINT_ENUM(name, word, width) CLI_JOINT_##name,
    CLI_JOINT_LIST(CLI_JOINT_ENUM)
#undef CLI_JOINT_ENUM
} cli_joint_kind;

typedef enum cli_shape_kind {
    CLI_SHAPE_MESH,
    CLI_SHAPE_BOX,      /* size: its sides */
    CLI_SHAPE_SPHERE,   /* size[0]: radius */
    CLI_SHAPE_CYLINDER, /* along z; size: radius and length */
    CLI_SHAPE_CAPSULE   /* the same; balls at both ends */
} cli_shape_kind;

typedef struct cli_robot_shape {
    cli_shape_kind kind;
    const char *name; /* "" if it has none */
    double size[3];   /* of a mesh: its scale */
    const char *file; /* of a mesh, as it is written */
    tumble_pose origin;
    uint32_t link;
    const char *at; /* in the source, for messages */
} cli_robot_shape;

#define CLI_NONE UINT32_MAX

typedef struct cli_robot_joint {
    const char *name;
    cli_joint_kind kind;
    uint32_t parent, child; /* links */
    tumble_pose origin;
    double axis[3]; /* of length 1 */
    double lower, upper;
    uint32_t mimic; /* number of a joint; CLI_NONE: it moves by itself */
    double multiplier, offset;
    uint32_t value; /* where its values start; CLI_NONE: it has none of its own */
    const char *at;
} cli_robot_joint;

typedef struct cli_robot_link {
    const char *name;
    uint32_t joint; /* that it is the child of; CLI_NONE: it is the root */
} cli_robot_link;

/* Start with a context in the arena, and release that in any case. */
typedef struct cli_robot {
    tmb_arena arena;
    tmb_source source;
    const char *name;
    cli_robot_link *links;
    cli_robot_joint *joints;
    cli_robot_shape *shapes; /* link by link */
    uint32_t link_count, joint_count, shape_count;
    uint32_t *order;         /* joints, those of parents first */
    uint32_t width;          /* how many values there are */
    double *values;          /* 0, or as near to it as the limits are; floating joints are not turned */
    unsigned char *disabled; /* link_count * link_count: pairs that need no check */
} cli_robot;

/* The source must live as long as the robot. Errors name the line, and what to do. */
tumble_status cli_urdf_parse(const tmb_source *source, cli_robot *robot);

/* Without an SRDF file links that a joint connects may touch: one that moves, or none but fixed ones. */
tumble_status cli_robot_disable_adjacent(cli_robot *robot);

/* Takes the disabled pairs of an SRDF file, and, unless `state` is NULL, the values of a state. `unknown` gets the name
 * of a link that the robot does not have, "" if there is none; such pairs are left out. */
tumble_status cli_srdf_apply(const tmb_source *source, const char *state, cli_robot *robot, const char **unknown);

/* Sets the values of a joint. The message of an error is about the robot, not about where the values come from. */
tumble_status cli_robot_set(cli_robot *robot, const char *joint, const double *values, size_t count);

/* The poses of all links; the root's is the identity. */
tumble_status cli_robot_place(const cli_robot *robot, tumble_pose *links);

#endif
