/* Mesh files that the library does not read itself, through assimp. Runs in a process of its own, see import.h. */
#ifndef TUMBLE_CLI_READ_ASSIMP_H
#define TUMBLE_CLI_READ_ASSIMP_H

#include "import_reply.h"

/* Reads glTF, 3MF, Collada, FBX, IFC and whatever else assimp knows. Nodes are put in their places, polygons stay
 * polygons, lines and points are left out. Each use of a mesh (of glTF: a primitive) is a surface that is named after
 * the node and the mesh; of IFC each product is one, named by its class, name and GUID. Coordinates are those of the
 * file, rounded to float by assimp. The reply has the mesh, or what is wrong. */
void cli_read_assimp(tumble_context *context, const char *path, cli_import_reply *reply);

/* The same, but each mesh as it is in the file, a surface by itself, and in reply->parts which node has which of them
 * and where. Of IFC files there are no parts: surfaces are products. */
void cli_read_assimp_parts(tumble_context *context, const char *path, cli_import_reply *reply);

#endif
