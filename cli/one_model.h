/* One model and what is known of it: what 'tumble info' and 'tumble build' have in common. */
#ifndef TUMBLE_CLI_ONE_MODEL_H
#define TUMBLE_CLI_ONE_MODEL_H

#include "load.h"
#include "output_options.h"

enum {
    CLI_ONE_SECTIONS = 3 + CLI_LOAD_SECTIONS
};

typedef struct cli_one_model {
    tumble_context *context;
    const char *file, *name; /* as given, and for texts */
    tumble_model *model;
    tumble_model_info info;
    cli_surfaces surfaces;
    cli_frame frame;
} cli_one_model;

/* A row of the option table of a command that asks about a model: --radius, a double. */
#define CLI_RADIUS_ROW(settings, member)                                                                             \
    {                                                                                                                \
        .kind = CLI_NUMBER, .name = "radius", .argument = "R",                                                       \
        .help = "thickens the model: the solid of everything within R of its polygons, in its unit, instead of the " \
                "radius that a saved model may have",                                                                \
        .offset = offsetof(settings, member), .least = 0, .most = 1e300                                              \
    }

/* The options' defaults, and their sections, of which `output` is the first. */
void cli_one_sections(cli_load_options *load, cli_section output, cli_section sections[CLI_ONE_SECTIONS]);

/* Checks the options, reads the model and examines it. `output` is the file to be written, or NULL. Start with a zeroed
 * struct, and close it also after an error. Returns 0 or an exit status after reporting the error. */
int cli_one_open(cli_one_model *one, const char *file, const cli_load_options *load, const cli_section *sections,
                 const char *output);

/* Sets the radius that was given, unless it is 0. Returns 0 or an exit status after reporting the error. */
int cli_one_thicken(cli_one_model *one, double radius);
void cli_one_close(cli_one_model *one);

#endif
