/* Surfaces of a model: where they come from, and what they are called. */
#ifndef TUMBLE_CLI_SURFACES_H
#define TUMBLE_CLI_SURFACES_H

#include <stdio.h>

#include "json.h"
#include "options.h"
#include "tumble/io.h"

typedef enum cli_surfaces_from {
    CLI_SURFACES_AUTO,
    CLI_SURFACES_GROUPS,
    CLI_SURFACES_PARTS,
    CLI_SURFACES_ONE,
    CLI_SURFACES_SAVED /* never asked for: a saved model has what it was saved with */
} cli_surfaces_from;

/* What the section below is parsed into, and what the command wants. */
typedef struct cli_surface_options {
    int from;      /* cli_surfaces_from */
    double crease; /* infinity: not given */
    int wanted;    /* they will be used; parts are not computed otherwise */
} cli_surface_options;

cli_surface_options cli_default_surface_options(void);

/* "Surfaces": --surfaces-from, --crease. */
cli_section cli_surface_section(cli_surface_options *options);

/* Refuses a crease where there are no parts, and both where no surfaces are wanted: `flag` is the option that would
 * want them. Returns 0 or an exit status after reporting the error. */
int cli_check_surface_options(const cli_surface_options *options, const char *flag);

/* Of one model. Zero it; free it with cli_free_surfaces. */
typedef struct cli_surfaces {
    cli_surfaces_from from; /* never AUTO */
    char **names;           /* of surfaces 0 to count - 1; NULL for one without */
    size_t count;
} cli_surfaces;

void cli_free_surfaces(cli_surfaces *surfaces);

/* Makes the surfaces of a mesh that was read: `mesh` is the buffer's, with other surface ids where these are asked for.
 * They are in *ids, to be freed by the caller, or NULL. Names are kept when surfaces are wanted. Returns 0 or an exit
 * status after reporting the error. */
int cli_make_surfaces(tumble_context *context, const char *path, const tumble_mesh_buffer *buffer,
                      const cli_surface_options *options, tumble_mesh *mesh, uint32_t **ids, cli_surfaces *out);

/* For a saved model, which has its surfaces: notes what comes too late. */
void cli_keep_surfaces(const char *path, const cli_surface_options *options, cli_surfaces *out);

/* The name of a surface; NULL when it has none. */
const char *cli_surface_name(const cli_surfaces *surfaces, uint32_t surface);

/* The same for a terminal: without characters that control it, and never NULL. */
typedef struct cli_plain_name {
    char text[256];
} cli_plain_name;
cli_plain_name cli_plain_surface_name(const cli_surfaces *surfaces, uint32_t surface);

/* Where they come from: "groups", and in words. */
const char *cli_surfaces_word(const cli_surfaces *surfaces);
const char *cli_surfaces_remark(const cli_surfaces *surfaces);

/* All surfaces of a model, which has that many polygons, with how many each has. Return 0 or an exit status after
 * reporting the error. */
int cli_list_surfaces(FILE *file, const tumble_model *model, size_t count, const cli_surfaces *surfaces);
int cli_json_surfaces(cli_json *json, const char *key, const tumble_model *model, size_t count,
                      const cli_surfaces *surfaces);

#endif
