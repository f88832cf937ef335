/* Surfaces of a model. */
#include "surfaces.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "progress.h"
#include "report.h"

/* ---- options ---- */

static const cli_choice sources[] = {{"auto", CLI_SURFACES_AUTO, "groups where the file has some, else parts"},
                                     {"groups", CLI_SURFACES_GROUPS, "objects, groups and materials of the file"},
                                     {"parts", CLI_SURFACES_PARTS, "what is connected by edges"},
                                     {"one", CLI_SURFACES_ONE, "the model is one surface"},
                                     {NULL, 0, NULL}};

static const cli_option surface_options[] = {
    {.kind = CLI_CHOICE,
     .name = "surfaces-from",
     .argument = "S",
     .help = "what the surfaces of a mesh are",
     .offset = offsetof(cli_surface_options, from),
     .choices = sources,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "crease",
     .argument = "DEG",
     .help = "parts also end at edges that bend by more than DEG degrees: 0 in one plane, 90 at the edges of a cube. "
             "Asks for parts (default: 180, nowhere)",
     .offset = offsetof(cli_surface_options, crease),
     .least = 0,
     .most = 180},
    {.name = NULL}};

cli_surface_options cli_default_surface_options(void)
{
    return (cli_surface_options){.from = CLI_SURFACES_AUTO, .crease = INFINITY};
}

cli_section cli_surface_section(cli_surface_options *options)
{
    return (cli_section){.title = "Surfaces",
                         .options = surface_options,
                         .target = options,
                         .help = "A saved model keeps the surfaces that it was saved with."};
}

int cli_check_surface_options(const cli_surface_options *options, const char *flag)
{
    const int has_crease = isfinite(options->crease);
    if (!options->wanted && (options->from != CLI_SURFACES_AUTO || has_crease)) {
        const char *name = has_crease ? "crease" : "surfaces-from";
        return cli_error("--%s belongs to %s: give that as well, or leave --%s out", name, flag, name);
    }
    if (has_crease && (options->from == CLI_SURFACES_GROUPS || options->from == CLI_SURFACES_ONE)) {
        return cli_error("--crease belongs to --surfaces-from parts: leave one of --crease and --surfaces-from %s out",
                         cli_choice_word(sources, options->from));
    }
    return 0;
}

const char *cli_surfaces_word(const cli_surfaces *surfaces)
{
    return surfaces->from == CLI_SURFACES_SAVED ? "saved" : cli_choice_word(sources, (int)surfaces->from);
}

const char *cli_surfaces_remark(const cli_surfaces *surfaces)
{
    switch (surfaces->from) {
    case CLI_SURFACES_GROUPS: return "groups of the file";
    case CLI_SURFACES_PARTS: return "connected parts";
    case CLI_SURFACES_SAVED: return "as they were saved";
    default: return "";
    }
}

/* ---- names ---- */

/* Names can be long, and there can be many that differ little. */
enum {
    LONGEST_NAME = 250
};

void cli_free_surfaces(cli_surfaces *surfaces)
{
    for (size_t i = 0; i < surfaces->count; i++) {
        free(surfaces->names[i]);
    }
    free(surfaces->names);
    *surfaces = (cli_surfaces){.from = surfaces->from};
}

/* Copies a name, or its beginning up to a whole character. 0: there is no memory. */
static int keep_name(const tumble_mesh_buffer *buffer, uint32_t surface, char **out)
{
    char text[LONGEST_NAME + 2];
    const size_t length = tumble_mesh_buffer_surface_name(buffer, surface, text, sizeof text);
    size_t end = length < LONGEST_NAME ? length : LONGEST_NAME;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    *out = end ? malloc(end + 1) : NULL;
    if (*out) {
        memcpy(*out, text, end);
        (*out)[end] = '\0';
    }
    return *out || !end;
}

static uint32_t count_surfaces(const tumble_mesh *mesh)
{
    uint32_t count = mesh->polygon_count > 0;
    for (size_t i = 0; mesh->surface_ids && i < mesh->polygon_count; i++) {
        count = mesh->surface_ids[i] < count ? count : mesh->surface_ids[i] + 1;
    }
    return count;
}

/* The names of a file's surfaces, whose numbers are dense. */
static int keep_names(const tumble_mesh_buffer *buffer, cli_surfaces *out)
{
    const uint32_t count = count_surfaces(tumble_mesh_buffer_mesh(buffer));
    out->names = calloc(count ? count : 1, sizeof *out->names);
    if (!out->names) {
        return cli_memory_error("the names of surfaces");
    }
    out->count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!keep_name(buffer, i, &out->names[i])) {
            return cli_memory_error("the names of surfaces");
        }
    }
    return 0;
}

const char *cli_surface_name(const cli_surfaces *surfaces, uint32_t surface)
{
    return surface < surfaces->count ? surfaces->names[surface] : NULL;
}

cli_plain_name cli_plain_surface_name(const cli_surfaces *surfaces, uint32_t surface)
{
    const char *name = cli_surface_name(surfaces, surface);
    cli_plain_name plain;
    snprintf(plain.text, sizeof plain.text, "%s", name ? name : "");
    for (char *c = plain.text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    }
    return plain;
}

/* ---- making them ---- */

static cli_surfaces_from choose_source(const cli_surface_options *options, const tumble_mesh *mesh)
{
    if (options->from != CLI_SURFACES_AUTO) {
        return (cli_surfaces_from)options->from;
    }
    if (isfinite(options->crease)) {
        return CLI_SURFACES_PARTS;
    }
    return mesh->surface_ids ? CLI_SURFACES_GROUPS : options->wanted ? CLI_SURFACES_PARTS : CLI_SURFACES_ONE;
}

static int find_parts(tumble_context *context, const char *path, double crease, tumble_mesh *mesh, uint32_t **ids)
{
    uint32_t count = 0;
    *ids = malloc((mesh->polygon_count ? mesh->polygon_count : 1) * sizeof **ids);
    if (!*ids) {
        return cli_memory_error("the parts of a mesh");
    }
    cli_progress *progress = cli_progress_begin("finding parts");
    const tumble_status status = tumble_mesh_components(context, mesh, isfinite(crease) ? crease : 180, *ids, &count);
    cli_progress_end(progress);
    mesh->surface_ids = count > 1 ? *ids : NULL;
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

int cli_make_surfaces(tumble_context *context, const char *path, const tumble_mesh_buffer *buffer,
                      const cli_surface_options *options, tumble_mesh *mesh, uint32_t **ids, cli_surfaces *out)
{
    *mesh = *tumble_mesh_buffer_mesh(buffer);
    *ids = NULL;
    out->from = choose_source(options, mesh);
    switch (out->from) {
    case CLI_SURFACES_GROUPS: return options->wanted ? keep_names(buffer, out) : 0;
    case CLI_SURFACES_PARTS: return find_parts(context, path, options->crease, mesh, ids);
    default: mesh->surface_ids = NULL; return 0;
    }
}

void cli_keep_surfaces(const char *path, const cli_surface_options *options, cli_surfaces *out)
{
    out->from = CLI_SURFACES_SAVED;
    if (options->from != CLI_SURFACES_AUTO || isfinite(options->crease)) {
        cli_note("%s is a saved model: it keeps the surfaces that it was saved with", path);
    }
}

/* ---- all of a model ---- */

static int compare_ids(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The surface of each polygon, sorted. NULL after an error. */
static uint32_t *sorted_ids(const tumble_model *model, size_t polygon_count)
{
    uint32_t *ids = malloc((polygon_count ? polygon_count : 1) * sizeof *ids);
    for (size_t i = 0; ids && i < polygon_count; i++) {
        if (tumble_model_surface(model, (uint32_t)i, &ids[i]) != TUMBLE_OK) {
            ids[i] = 0;
        }
    }
    if (ids) {
        qsort(ids, polygon_count, sizeof *ids, compare_ids);
    }
    return ids;
}

static size_t end_of_surface(const uint32_t *ids, size_t count, size_t first)
{
    size_t end = first;
    while (end < count && ids[end] == ids[first]) {
        end++;
    }
    return end;
}

int cli_list_surfaces(FILE *file, const tumble_model *model, size_t count, const cli_surfaces *surfaces)
{
    uint32_t *ids = sorted_ids(model, count);
    if (!ids) {
        return cli_memory_error("the list of surfaces");
    }
    cli_table table = {.alignments = "rrl"};
    cli_table_add(&table, "surface");
    cli_table_add(&table, "polygons");
    cli_table_add(&table, "%s", surfaces->count ? "name" : "");
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_surface(ids, count, first);
        cli_table_add(&table, "%" PRIu32, ids[first]);
        cli_table_add(&table, "%s", cli_format_count(end - first).text);
        cli_table_add(&table, "%s", cli_plain_surface_name(surfaces, ids[first]).text);
    }
    free(ids);
    return cli_table_print(&table, file, 2);
}

int cli_json_surfaces(cli_json *json, const char *key, const tumble_model *model, size_t count,
                      const cli_surfaces *surfaces)
{
    uint32_t *ids = sorted_ids(model, count);
    if (!ids) {
        return cli_memory_error("the list of surfaces");
    }
    cli_json_open_array(json, key);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_surface(ids, count, first);
        cli_json_open_object(json, NULL);
        cli_json_whole(json, "surface", ids[first]);
        if (cli_surface_name(surfaces, ids[first])) {
            cli_json_text(json, "name", cli_surface_name(surfaces, ids[first]));
        }
        cli_json_whole(json, "polygons", end - first);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
    free(ids);
    return 0;
}
