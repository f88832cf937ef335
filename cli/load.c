/* From a file name to a model. */
#include "load.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "progress.h"
#include "read_assimp.h"
#include "tumble/io.h"
#include "tumble/query.h"

/* ---- options ---- */

#define WORD_CHOICE(name, number, word, text) {word, number, text},
static const cli_choice hierarchies[] = {TUMBLE_HIERARCHY_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice overlaps[] = {TUMBLE_OVERLAP_LIST(WORD_CHOICE){NULL, 0, NULL}};
#undef WORD_CHOICE

static const cli_choice layouts[] = {{"one-plane", TUMBLE_BOXTREE_ONE_PLANE, "the plane that cuts it off its parent"},
                                     {"two-planes", TUMBLE_BOXTREE_TWO_PLANES, "two planes that cut out its children"},
                                     {NULL, 0, NULL}};

static const cli_choice axes[] = {{"all", TUMBLE_BOXTREE_ALL_AXES, "tries all three and keeps the best"},
                                  {"longest", TUMBLE_BOXTREE_LONGEST_AXIS, "only the longest; builds faster"},
                                  {NULL, 0, NULL}};

static const cli_choice criteria[] = {{"volume", TUMBLE_BOXTREE_VOLUME, "least sum of the volumes"},
                                      {"volume-count", TUMBLE_BOXTREE_VOLUME_COUNT, "each times its triangles"},
                                      {NULL, 0, NULL}};

static const cli_choice growths[] = {
    {"seeds", TUMBLE_BOXTREE_GROW_FROM_SEEDS, "the child's first triangle; does not depend on any order"},
    {"running", TUMBLE_BOXTREE_GROW_RUNNING, "the child as grown so far (the paper)"},
    {NULL, 0, NULL}};

static const cli_choice directions[] = {{"b-into-a", TUMBLE_DIRECTION_B_INTO_A, "boxes of B are enclosed in A's frame"},
                                        {"a-into-b", TUMBLE_DIRECTION_A_INTO_B, "boxes of A are enclosed in B's frame"},
                                        {"both", TUMBLE_DIRECTION_BOTH, "first one, then the other"},
                                        {NULL, 0, NULL}};

static const cli_choice instruction_sets[] = {{"auto", TUMBLE_SIMD_AUTO, "the best that the processor has"},
                                              {"scalar", TUMBLE_SIMD_SCALAR, "what every processor has: SSE2, NEON"},
                                              {"avx2", TUMBLE_SIMD_AVX2, "AVX2 and BMI2"},
                                              {"avx512", TUMBLE_SIMD_AVX512, "AVX-512 as of Ice Lake and Zen 4"},
                                              {NULL, 0, NULL}};

static const cli_option hierarchy_options[] = {
    {.kind = CLI_CHOICE,
     .name = "hierarchy",
     .argument = "H",
     .help = "which one a model gets; all give the same answers",
     .offset = offsetof(cli_load_options, hierarchy),
     .choices = hierarchies,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "layout",
     .argument = "L",
     .help = "boxtree: what a node holds",
     .offset = offsetof(cli_load_options, layout),
     .choices = layouts,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "axes",
     .argument = "X",
     .help = "wide, boxtree: which axes the build tries for each node",
     .offset = offsetof(cli_load_options, axes),
     .choices = axes,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "criterion",
     .argument = "C",
     .help = "boxtree: which split is the best",
     .offset = offsetof(cli_load_options, criterion),
     .choices = criteria,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "growth",
     .argument = "G",
     .help = "boxtree: a triangle goes to the child that it enlarges less, which is measured from",
     .offset = offsetof(cli_load_options, growth),
     .choices = growths,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "trim",
     .argument = "R",
     .help =
         "boxtree: adds a node that only cuts empty space off where this leaves at most the share R, 0 to 1, of the "
         "volume; 0: never",
     .offset = offsetof(cli_load_options, trim),
     .least = 0,
     .most = 1,
     .show_default = 1},
    {.name = NULL}};

static const cli_option traversal_options[] = {
    {.kind = CLI_CHOICE,
     .name = "overlap",
     .argument = "T",
     .help = "boxtree: how two boxes are compared; all give the same answers",
     .offset = offsetof(cli_load_options, overlap),
     .choices = overlaps,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "direction",
     .argument = "D",
     .help = "boxtree, for the overlap tests axes and tables: whose boxes are enclosed in whose frame",
     .offset = offsetof(cli_load_options, direction),
     .choices = directions,
     .show_default = 1},
    {.name = NULL}};

static const cli_option machine_options[] = {
    {.kind = CLI_NUMBER,
     .name = "threads",
     .argument = "N",
     .help = "threads for building hierarchies; 0: one for each processor. The result is the same",
     .offset = offsetof(cli_load_options, threads),
     .least = 0,
     .most = 1024,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "simd",
     .argument = "S",
     .help = "highest instruction set to use. The result is the same",
     .offset = offsetof(cli_load_options, simd),
     .choices = instruction_sets,
     .show_default = 1},
    {.name = NULL}};

cli_load_options cli_default_load_options(void)
{
    const tumble_model_options model = tumble_default_model_options();
    const tumble_context_options context = tumble_default_context_options();
    const tumble_collide_options collide = tumble_default_collide_options();
    return (cli_load_options){.hierarchy = (int)model.hierarchy,
                              .layout = (int)model.boxtree.layout,
                              .axes = (int)model.boxtree.axes,
                              .criterion = (int)model.boxtree.criterion,
                              .growth = (int)model.boxtree.growth,
                              .trim = model.boxtree.trim,
                              .overlap = (int)collide.overlap,
                              .direction = (int)collide.direction,
                              .threads = context.thread_count,
                              .simd = (int)context.simd};
}

cli_section cli_hierarchy_section(cli_load_options *options)
{
    return (cli_section){"Hierarchy", hierarchy_options, options, 0};
}

cli_section cli_traversal_section(cli_load_options *options)
{
    return (cli_section){"Traversal", traversal_options, options, 0};
}

cli_section cli_machine_section(cli_load_options *options)
{
    return (cli_section){"Machine", machine_options, options, 0};
}

int cli_create_context(const cli_load_options *options, tumble_context **out)
{
    tumble_context_options wanted = tumble_default_context_options();
    wanted.thread_count = (uint32_t)options->threads;
    wanted.simd = (tumble_simd)options->simd;
    const tumble_status status = tumble_context_create(&wanted, out);
    if (status != TUMBLE_OK) {
        return cli_error("%s: free some memory", tumble_status_text(status));
    }
    if (wanted.simd != TUMBLE_SIMD_AUTO && tumble_context_simd(*out) != wanted.simd) {
        cli_note("there is no %s here, %s is used", cli_choice_word(instruction_sets, options->simd),
                 cli_choice_word(instruction_sets, (int)tumble_context_simd(*out)));
    }
    return 0;
}

tumble_model_options cli_model_options(const cli_load_options *options)
{
    tumble_model_options wanted = tumble_default_model_options();
    wanted.hierarchy = (tumble_hierarchy)options->hierarchy;
    wanted.boxtree.layout = (tumble_boxtree_layout)options->layout;
    wanted.boxtree.axes = (tumble_boxtree_axes)options->axes;
    wanted.wide.axes = options->axes == TUMBLE_BOXTREE_LONGEST_AXIS ? TUMBLE_WIDE_LONGEST_AXIS : TUMBLE_WIDE_ALL_AXES;
    wanted.boxtree.criterion = (tumble_boxtree_criterion)options->criterion;
    wanted.boxtree.growth = (tumble_boxtree_growth)options->growth;
    wanted.boxtree.trim = options->trim;
    return wanted;
}

/* ---- which options apply ---- */

/* Whether an option does something for models of a hierarchy. */
static int has_option(tumble_hierarchy hierarchy, const char *name)
{
    switch (hierarchy) {
    case TUMBLE_HIERARCHY_BOXTREE: return 1;
    case TUMBLE_HIERARCHY_AUTO:
    case TUMBLE_HIERARCHY_WIDE: return strcmp(name, "axes") == 0;
    default: return 0;
    }
}

/* The first option that was given although the hierarchy does not have it; null: none. */
static const char *idle_option(const cli_section *section, tumble_hierarchy hierarchy)
{
    for (size_t i = 0; section->options && section->options[i].name; i++) {
        const char *name = section->options[i].name;
        if ((section->given >> i & 1) && strcmp(name, "hierarchy") != 0 && !has_option(hierarchy, name)) {
            return name;
        }
    }
    return NULL;
}

static const char *any_idle_option(const cli_load_sections *sections, tumble_hierarchy hierarchy)
{
    const char *name = idle_option(&sections->hierarchy, hierarchy);
    return name ? name : idle_option(&sections->traversal, hierarchy);
}

/* The hierarchies that have the option, as one would ask for them. */
static const char *owners(const char *name)
{
    return has_option(TUMBLE_HIERARCHY_WIDE, name) ? "--hierarchy wide or boxtree" : "--hierarchy boxtree";
}

int cli_check_hierarchy_options(const cli_load_options *options, const cli_load_sections *sections)
{
    const char *name = any_idle_option(sections, (tumble_hierarchy)options->hierarchy);
    return name ? cli_error("--%s belongs to %s: give that as well, or leave --%s out", name, owners(name), name) : 0;
}

/* A saved model has the hierarchy that it was saved with. */
static int check_saved(const char *path, const cli_load_options *options, const cli_load_sections *sections,
                       const tumble_model *model)
{
    const tumble_hierarchy hierarchy = tumble_model_hierarchy(model);
    const char *word = tumble_hierarchy_name(hierarchy), *name = any_idle_option(sections, hierarchy);
    if (options->hierarchy != TUMBLE_HIERARCHY_AUTO && (int)hierarchy != options->hierarchy) {
        return cli_error(
            "%s is a saved model with the hierarchy %s: leave --hierarchy out, or give the mesh it was built from",
            path, word);
    }
    if (name) {
        return cli_error("--%s belongs to %s, and %s is a saved model with the hierarchy %s: leave --%s out, or give "
                         "the mesh it was built from",
                         name, owners(name), path, word, name);
    }
    if (idle_option(&sections->hierarchy, TUMBLE_HIERARCHY_BRUTE)) { /* given at all */
        cli_note("%s is a saved model: it keeps the hierarchy that it was saved with", path);
    }
    return 0;
}

/* ---- loading ---- */

int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out)
{
    *out = (tumble_model_info){.size = sizeof *out};
    const tumble_status status = tumble_model_get_info(model, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int load_saved(tumble_context *context, const char *path, const cli_load_options *options,
                      const cli_load_sections *sections, tumble_model **out)
{
    cli_progress *progress = cli_progress_begin("loading");
    const tumble_status status = tumble_model_load(context, path, out);
    cli_progress_end(progress);
    if (status != TUMBLE_OK) {
        return cli_library_error(context, status, path);
    }
    const int error = check_saved(path, options, sections, *out);
    if (error) {
        tumble_model_destroy(*out);
        *out = NULL;
    }
    return error;
}

static int read_mesh(tumble_context *context, const char *path, tumble_mesh_buffer **out)
{
    cli_progress *progress = cli_progress_begin("reading");
    tumble_status status = tumble_mesh_read(context, path, out);
    if (status == TUMBLE_ERROR_UNSUPPORTED) {
        status = cli_read_assimp(context, path, out);
    }
    cli_progress_end(progress);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int build_model(tumble_context *context, const char *path, const tumble_mesh *mesh,
                       const cli_load_options *options, tumble_model **out)
{
    tumble_model_options wanted = cli_model_options(options);
    cli_progress *progress = cli_progress_begin("building");
    wanted.progress = progress ? cli_progress_callback : NULL;
    wanted.progress_user = progress;
    const tumble_status status = tumble_model_create(context, mesh, &wanted, out);
    cli_progress_end(progress);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

/* A file called so is taken for one also when its first bytes are damaged: the message is then about saved models. */
static int is_called_saved(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".tumble") == 0;
}

static int is_saved(tumble_context *context, const char *path, int *out)
{
    const tumble_status status = tumble_is_model_file(context, path, out);
    *out = *out || is_called_saved(path);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int load_mesh(tumble_context *context, const char *path, const cli_load_options *options,
                     const cli_load_sections *sections, tumble_model **out)
{
    tumble_mesh_buffer *mesh = NULL;
    int error = cli_check_hierarchy_options(options, sections);
    error = error ? error : read_mesh(context, path, &mesh);
    if (!error) {
        error = build_model(context, path, tumble_mesh_buffer_mesh(mesh), options, out);
        tumble_mesh_buffer_destroy(mesh);
    }
    return error;
}

int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_load_sections *sections, tumble_model **out)
{
    *out = NULL;
    int saved = 0;
    const int error = is_saved(context, path, &saved);
    if (error) {
        return error;
    }
    return (saved ? load_saved : load_mesh)(context, path, options, sections, out);
}

int cli_load_pair(tumble_context *context, const char *const paths[2], const cli_load_options *options,
                  const cli_load_sections *sections, tumble_model *out[2])
{
    int saved[2] = {0, 0};
    int error = is_saved(context, paths[0], &saved[0]);
    error = error ? error : is_saved(context, paths[1], &saved[1]);
    const int first = !saved[0] && saved[1], second = !first;
    error = error ? error : cli_load_model(context, paths[first], options, sections, &out[first]);
    if (!error && strcmp(paths[0], paths[1]) == 0) {
        out[second] = out[first];
        return 0;
    }
    cli_load_options wanted = *options;
    if (!error && saved[first] && !saved[second] && wanted.hierarchy == TUMBLE_HIERARCHY_AUTO) {
        wanted.hierarchy = (int)tumble_model_hierarchy(out[first]);
    }
    return error ? error : cli_load_model(context, paths[second], &wanted, sections, &out[second]);
}
