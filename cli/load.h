/* From a file name to a model: the options that say how, and the loading. */
#ifndef TUMBLE_CLI_LOAD_H
#define TUMBLE_CLI_LOAD_H

#include "options.h"
#include "tumble/model.h"

/* What the sections below are parsed into. */
typedef struct cli_load_options {
    int hierarchy, layout, axes, criterion, growth;
    double trim;
    int overlap, direction; /* of queries; read by those who ask them */
    double threads;
    int simd;
} cli_load_options;

cli_load_options cli_default_load_options(void);

/* "Hierarchy": --hierarchy, --layout, --axes, --criterion, --growth, --trim. "Traversal": --overlap, --direction.
 * "Machine": --threads, --simd. */
cli_section cli_hierarchy_section(cli_load_options *options);
cli_section cli_traversal_section(cli_load_options *options);
cli_section cli_machine_section(cli_load_options *options);

/* The sections whose options belong to some hierarchy, after they were parsed. A command that asks no queries has no
 * second one. */
typedef struct cli_load_sections {
    cli_section hierarchy, traversal;
} cli_load_sections;

/* A context for the options. Returns 0 or an exit status after reporting the error. */
int cli_create_context(const cli_load_options *options, tumble_context **out);

/* The options as tumble_model_create takes them. */
tumble_model_options cli_model_options(const cli_load_options *options);

/* Refuses options that the hierarchy of a mesh does not have. Returns 0 or an exit status after reporting the error. */
int cli_check_hierarchy_options(const cli_load_options *options, const cli_load_sections *sections);

/* Reads a mesh in any format and builds its hierarchy, or maps a saved model. Options that it cannot have are an error,
 * those that come too late for a saved model a note. Returns 0 or an exit status after reporting the error. */
int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_load_sections *sections, tumble_model **out);

/* Two models for a query; the second is the first when they have the same name. Where one is saved and no hierarchy
 * was asked for, a mesh gets that of the saved one. */
int cli_load_pair(tumble_context *context, const char *const paths[2], const cli_load_options *options,
                  const cli_load_sections *sections, tumble_model *out[2]);

/* Info with its size set; reports errors like the others. */
int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out);

#endif
