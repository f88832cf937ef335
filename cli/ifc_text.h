/* What the text of an IFC file says that assimp does not pass on. */
#ifndef TUMBLE_CLI_IFC_TEXT_H
#define TUMBLE_CLI_IFC_TEXT_H

#include <stddef.h>

#include "tumble/base.h"

/* A product, as IfcWall, "north wall" and 2O2Fr$t4X7Zf8NOew3FLOH. */
typedef struct cli_ifc_name {
    char class_name[64], name[160], guid[24];
} cli_ifc_name;

/* Takes the name of a node apart, which assimp makes of these three with underscores between them. 0: it is the name of
 * something else. A long name is cut. */
int cli_ifc_split_name(const char *text, cli_ifc_name *out);

/* The first schema of the file, as IFC2X3. 0: there is none. */
int cli_ifc_schema(tumble_context *context, const char *path, char *out, size_t capacity);

/* The unit of lengths that the project has, in metres; 0: it has none. */
double cli_ifc_unit(tumble_context *context, const char *path);

/* The same, of a text in memory. */
double cli_ifc_unit_of_text(const char *text, size_t size);

#endif
