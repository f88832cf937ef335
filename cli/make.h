/* Things that `tumble make` makes and that are no meshes. */
#ifndef TUMBLE_CLI_MAKE_H
#define TUMBLE_CLI_MAKE_H

#include "world.h"

/* 'tumble make poses', with the arguments after that; returns the exit status. */
int cli_make_poses(int argc, char **argv);

/* 'tumble make heap', 'hall' or 'cell'. */
int cli_make_world(const models_world_kind *kind, int argc, char **argv);

#endif
