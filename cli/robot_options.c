/* "Robots". */
#include "robot_options.h"

#include <stddef.h>

static const cli_option robot_options[] = {
    {.kind = CLI_TEXT,
     .name = "srdf",
     .argument = "FILE",
     .help = "an SRDF file: which links of the robots need not be compared (default: links that a joint connects)",
     .offset = offsetof(cli_robot_options, srdf)},
    {.kind = CLI_TEXT,
     .name = "state",
     .argument = "NAME",
     .help = "puts the joints where this state of the SRDF file has them",
     .offset = offsetof(cli_robot_options, state)},
    {.kind = CLI_TEXT,
     .name = "joints",
     .argument = "FILE",
     .help = "puts the joints where this file has them: lines with the name of a joint and its value, or JSON with a "
             "member for each (default: 0, or as near to it as the limits are)",
     .offset = offsetof(cli_robot_options, joints)},
    {.kind = CLI_TEXT,
     .name = "packages",
     .argument = "FOLDERS",
     .help = "where package:// files are, with ':' between several; then ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and the "
             "folders above the robot's file are searched",
     .offset = offsetof(cli_robot_options, packages)},
    {.name = NULL}};

cli_section cli_robot_section(cli_robot_options *options)
{
    return (cli_section){.title = "Robots", .options = robot_options, .target = options};
}
