/* tumble clash: robots, as URDF files describe them. */
#ifndef TUMBLE_CLI_ROBOT_LOAD_H
#define TUMBLE_CLI_ROBOT_LOAD_H

#include "clash.h"

/* Whether it is a URDF file, by the ending of its name. */
int cli_is_robot(const char *path);

/* Adds each collision shape of each link as a part, where the joints put it. Returns 0, or an exit status after
 * reporting the error. */
int cli_load_robot(clash_run *run, const char *path);

#endif
