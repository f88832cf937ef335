/* A generated world as files for 'tumble scene'. */
#ifndef TUMBLE_CLI_WORLD_FILES_H
#define TUMBLE_CLI_WORLD_FILES_H

#include "tumble/base.h"
#include "world.h"

#define CLI_WORLD_SCENE "scene.txt"
#define CLI_WORLD_STEPS "steps.txt"

/* Writes scene.txt, steps.txt if there is more than one step, and an OBJ file per shape to a folder, which is made if
 * it is missing; `motions`, where it is not NULL, tells how many lines steps.txt has. Returns 0 or an exit status after
 * reporting the error. */
int cli_write_world(tumble_context *context, const models_world *world, const char *folder, size_t *motions);

#endif
