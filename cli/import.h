/* Mesh files of other formats, read by assimp in a process of its own: what goes wrong there is an error message. */
#ifndef TUMBLE_CLI_IMPORT_H
#define TUMBLE_CLI_IMPORT_H

#include "input.h"
#include "tumble/assembly.h"

/* Reads a file within the limits of `options`. Returns 0 or an exit status after reporting the error. */
int cli_import(tumble_context *context, const char *path, const cli_input_options *options, tumble_mesh_buffer **out,
               cli_frame *frame);

/* The same with all its parts, each moved by `transform` (12 numbers, after the file's own units and axes were read
 * into *frame, which the caller turns into it with `place`). */
typedef int cli_import_place(void *user, const cli_frame *frame, double transform[12]);
int cli_import_assembly(tumble_context *context, const char *path, const cli_input_options *options,
                        cli_import_place *place, void *user, tumble_assembly *assembly);

#endif
