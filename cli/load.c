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

/* ---- options ---- */

#define WORD_CHOICE(name, number, word, text) {word, number, text},
static const cli_choice hierarchies[] = {TUMBLE_HIERARCHY_LIST(WORD_CHOICE){NULL, 0, NULL}};
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

static const cli_choice instruction_sets[] = {{"auto", TUMBLE_SIMD_AUTO, "the best that the processor has"},
                                              {"scalar", TUMBLE_SIMD_SCALAR, "none: one number at a time"},
                                              {"avx2", TUMBLE_SIMD_AVX2, "four doubles at a time"},
                                              {"avx512", TUMBLE_SIMD_AVX512, "eight doubles at a time"},
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
     .help = "boxtree: which axes the build tries for each node",
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
    return (cli_load_options){.hierarchy = (int)model.hierarchy,
                              .layout = (int)model.boxtree.layout,
                              .axes = (int)model.boxtree.axes,
                              .criterion = (int)model.boxtree.criterion,
                              .growth = (int)model.boxtree.growth,
                              .trim = model.boxtree.trim,
                              .threads = context.thread_count,
                              .simd = (int)context.simd};
}

cli_section cli_hierarchy_section(cli_load_options *options)
{
    return (cli_section){"Hierarchy", hierarchy_options, options, 0};
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
    wanted.boxtree.criterion = (tumble_boxtree_criterion)options->criterion;
    wanted.boxtree.growth = (tumble_boxtree_growth)options->growth;
    wanted.boxtree.trim = options->trim;
    return wanted;
}

/* ---- loading ---- */

int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out)
{
    *out = (tumble_model_info){.size = sizeof *out};
    const tumble_status status = tumble_model_get_info(model, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

/* A saved model has the hierarchy that it was saved with. */
static int check_saved(tumble_context *context, const char *path, const cli_load_options *options,
                       const cli_section *section, const tumble_model *model)
{
    if (!section->given) {
        return 0;
    }
    tumble_model_info info;
    const int error = cli_get_info(context, model, path, &info);
    if (error) {
        return error;
    }
    if (options->hierarchy != TUMBLE_HIERARCHY_AUTO && (int)info.hierarchy != options->hierarchy) {
        return cli_error(
            "%s is a saved model with the hierarchy %s: leave --hierarchy out, or give the mesh it was built from",
            path, tumble_hierarchy_name(info.hierarchy));
    }
    cli_note("%s is a saved model: it keeps the hierarchy that it was saved with", path);
    return 0;
}

static int load_saved(tumble_context *context, const char *path, const cli_load_options *options,
                      const cli_section *section, tumble_model **out)
{
    cli_progress *progress = cli_progress_begin("loading");
    const tumble_status status = tumble_model_load(context, path, out);
    cli_progress_end(progress);
    if (status != TUMBLE_OK) {
        return cli_library_error(context, status, path);
    }
    const int error = check_saved(context, path, options, section, *out);
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

int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_section *section, tumble_model **out)
{
    *out = NULL;
    int saved = 0;
    const tumble_status status = tumble_is_model_file(context, path, &saved);
    if (status != TUMBLE_OK) {
        return cli_library_error(context, status, path);
    }
    if (saved || is_called_saved(path)) {
        return load_saved(context, path, options, section, out);
    }
    tumble_mesh_buffer *mesh = NULL;
    int error = read_mesh(context, path, &mesh);
    if (!error) {
        error = build_model(context, path, tumble_mesh_buffer_mesh(mesh), options, out);
        tumble_mesh_buffer_destroy(mesh);
    }
    return error;
}
