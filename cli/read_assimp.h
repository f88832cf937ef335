/* Mesh files that the library does not read itself, through assimp. */
#ifndef TUMBLE_CLI_READ_ASSIMP_H
#define TUMBLE_CLI_READ_ASSIMP_H

#include "tumble/io.h"

/* Reads glTF, 3MF, Collada, FBX, IFC and whatever else assimp knows. Nodes are put in their places, each use of a mesh
 * (of glTF: a primitive) is a surface that is named after the node and the mesh, polygons stay polygons, lines and
 * points are left out. Assimp rounds coordinates to float. TUMBLE_ERROR_UNSUPPORTED when this program was built without
 * assimp, or when assimp does not know the format. */
tumble_status cli_read_assimp(tumble_context *context, const char *path, tumble_mesh_buffer **out);

#endif
