/* From a file name to a model: the options that say how, and the loading. */
#ifndef TUMBLE_CLI_LOAD_H
#define TUMBLE_CLI_LOAD_H

#include "options.h"
#include "tumble/model.h"

/* What the sections below are parsed into. */
typedef struct cli_load_options {
    int hierarchy, layout, axes, criterion, growth;
    double trim;
    double threads;
    int simd;
} cli_load_options;

cli_load_options cli_default_load_options(void);

/* "Hierarchy": --hierarchy, --layout, --axes, --criterion, --growth, --trim. "Machine": --threads, --simd. */
cli_section cli_hierarchy_section(cli_load_options *options);
cli_section cli_machine_section(cli_load_options *options);

/* A context for the options. Returns 0 or an exit status after reporting the error. */
int cli_create_context(const cli_load_options *options, tumble_context **out);

/* The options as tumble_model_create takes them. */
tumble_model_options cli_model_options(const cli_load_options *options);

/* Reads a mesh in any format and builds its hierarchy, or maps a saved model. `section` is the parsed hierarchy
 * section: what it asks for and a saved model is not is an error or a note. Returns 0 or an exit status after reporting
 * the error. */
int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_section *section, tumble_model **out);

/* Info with its size set; reports errors like the others. */
int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out);

#endif
