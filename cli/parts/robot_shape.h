/* Collision shapes of robots as models of an assembly. */
#ifndef TUMBLE_CLI_ROBOT_SHAPE_H
#define TUMBLE_CLI_ROBOT_SHAPE_H

#include "clash.h"
#include "urdf.h"

/* A cylinder is a prism around it that exceeds it by at most this part of its radius; all other shapes are exact. */
#define CLI_CYLINDER_TOLERANCE 0.01

/* The number of a model, or what keeps the shape from being compared, which is the arena's. Returns 0, or an exit
 * status after reporting the error. */
int cli_robot_model(clash_run *run, cli_robot *robot, const cli_robot_shape *shape, uint32_t *model,
                    const char **broken);

#endif
