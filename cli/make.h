/* Things that `tumble make` makes and that are no meshes. */
#ifndef TUMBLE_CLI_MAKE_H
#define TUMBLE_CLI_MAKE_H

#include "world.h"

/* 'tumble make poses', with the arguments after that; returns the exit status. */
int cli_make_poses(int argc, char **argv);

/* 'tumble make heap', 'hall' or 'cell'. */
int cli_make_world(const models_world_kind *kind, int argc, char **argv);

/* 'tumble make ball', 'capsule', 'cylinder' or 'polyline': models with a radius. */
typedef struct cli_solid {
    const char *name, *help;
} cli_solid;

const cli_solid *cli_solids(void); /* the last has no name */
int cli_make_solid(const cli_solid *solid, int argc, char **argv);

#endif
