/* Mesh files of other formats, read by assimp in a process of its own: what goes wrong there is an error message. */
#ifndef TUMBLE_CLI_IMPORT_H
#define TUMBLE_CLI_IMPORT_H

#include "input.h"

/* Reads a file within the limits of `options`. Returns 0 or an exit status after reporting the error. */
int cli_import(tumble_context *context, const char *path, const cli_input_options *options, tumble_mesh_buffer **out,
               cli_frame *frame);

#endif
