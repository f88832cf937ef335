/* From a file name to a model. */
#ifndef TUMBLE_CLI_LOAD_H
#define TUMBLE_CLI_LOAD_H

#include "load_options.h"
#include "surfaces.h"

/* A context for the options. Returns 0 or an exit status after reporting the error. */
int cli_create_context(const cli_load_options *options, tumble_context **out);

/* Reads a mesh in any format and builds its hierarchy, or maps a saved model. Options that it cannot have are an error,
 * those that come too late for a saved model a note; `sections` are those of cli_load_sections, after they were parsed.
 * `surfaces` must be zeroed, and freed also after an error; `frame` is the unit and up axis of the model. Returns 0 or
 * an exit status after reporting the error. */
int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_section *sections, tumble_model **out, cli_surfaces *surfaces, cli_frame *frame);

/* Two models for a query; the first is the second, and so are its surfaces, when they have the same name and are built
 * alike. Warns when they state different units or up axes. Where one is saved and nothing else was asked for, a mesh
 * gets its hierarchy. */
int cli_load_pair(tumble_context *context, const char *const paths[2], const cli_load_options *options,
                  const cli_section *sections, tumble_model *out[2], cli_surfaces surfaces[2]);

/* Info with its size set; reports errors like the others. */
int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out);

#endif
