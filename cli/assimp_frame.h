/* What assimp does to a file's coordinates, and how it is undone. */
#ifndef TUMBLE_CLI_ASSIMP_FRAME_H
#define TUMBLE_CLI_ASSIMP_FRAME_H

#include <assimp/scene.h>

#include "frame.h"

/* Three rows of a matrix of assimp's. */
void cli_assimp_place(const struct aiMatrix4x4 *matrix, double out[3][4]);

/* The place of the root node without the scaling to metres and the turning to y up that importers put there, so that
 * coordinates are those of the file; and the unit and up axis that the file states. */
void cli_assimp_frame(tumble_context *context, const struct aiScene *scene, const char *path, double root[3][4],
                      cli_frame *frame);

#endif
