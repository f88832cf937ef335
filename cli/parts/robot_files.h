/* Where the mesh files of a robot are. */
#ifndef TUMBLE_CLI_ROBOT_FILES_H
#define TUMBLE_CLI_ROBOT_FILES_H

#include "urdf.h"

/* The file that a mesh names: relative to the robot's file, file://, package:// or model://. `packages` are folders
 * with ':' between them, or NULL. The text is the arena's. */
tumble_status cli_robot_file(cli_robot *robot, const cli_robot_shape *shape, const char *packages, const char **out);

#endif
