/* Two models and where they stand. */
#include "two_models.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

static const cli_option pose_options[] = {
    {.kind = CLI_POSE,
     .name = "pose-a",
     .argument = "M",
     .help = "where A stands (default: where its file puts it)",
     .offset = offsetof(cli_two_options, pose_a)},
    {.kind = CLI_POSE,
     .name = "pose-b",
     .argument = "M",
     .help = "where B stands",
     .offset = offsetof(cli_two_options, pose_b)},
    {.kind = CLI_TEXT,
     .name = "poses",
     .argument = "FILE",
     .help =
         "a file with many poses of B, one a line; empty lines and what follows a # are skipped. Instead of --pose-b",
     .offset = offsetof(cli_two_options, poses)},
    {.kind = CLI_FLAG,
     .name = "no-coherence",
     .help = "with --poses: each pose on its own. By default a search for distances starts from what the last one has "
             "learnt, which is faster if B moves little; the answers are the same",
     .offset = offsetof(cli_two_options, no_coherence),
     .value = 1},
    {.name = NULL}};

cli_section cli_pose_section(cli_two_options *options)
{
    return (cli_section){.title = "Poses", .options = pose_options, .target = options};
}

/* The poses of B: those of the file, or the one of the option. */
static int read_poses(cli_two_models *two, const cli_two_options *options)
{
    if (options->poses) {
        return cli_path_read(two->context, options->poses, &two->path);
    }
    two->path.poses = malloc(sizeof *two->path.poses);
    if (!two->path.poses) {
        return cli_memory_error("a pose");
    }
    two->path.count = 1;
    return cli_pose_from_argument(two->context, &options->pose_b, "--pose-b", two->path.poses);
}

/* ---- their hierarchies ---- */

typedef struct hierarchy_names {
    char names[2][24];
    int differ;  /* also when only k does, which the names then tell */
    int other_k; /* the one that differs is k */
    int brute;   /* one of them was built without a hierarchy */
} hierarchy_names;

static hierarchy_names names_of(tumble_model *const models[2])
{
    hierarchy_names found = {.differ = 0};
    tumble_model_options options[2] = {tumble_default_model_options(), tumble_default_model_options()};
    for (int i = 0; i < 2; i++) {
        tumble_model_get_options(models[i], &options[i]);
        snprintf(found.names[i], sizeof found.names[i], "%s", tumble_hierarchy_name(options[i].hierarchy));
    }
    const tumble_hierarchy a = options[0].hierarchy, b = options[1].hierarchy;
    const int empty = cli_is_empty(models[0]) || cli_is_empty(models[1]);
    found.other_k = a == TUMBLE_HIERARCHY_KDOP && b == a && options[0].kdop.k != options[1].kdop.k && !empty;
    for (int i = 0; i < 2 && found.other_k; i++) {
        snprintf(found.names[i], sizeof found.names[i], "kdop %u", options[i].kdop.k);
    }
    found.differ = a != b || found.other_k;
    found.brute = a == TUMBLE_HIERARCHY_BRUTE || b == TUMBLE_HIERARCHY_BRUTE;
    return found;
}

static void name_hierarchy(cli_two_models *two)
{
    const hierarchy_names found = names_of(two->models);
    snprintf(two->hierarchy, sizeof two->hierarchy, "%s%s%s", found.names[0], found.differ ? ", " : "",
             found.differ ? found.names[1] : "");
}

void cli_two_warn_of_brute_force(const cli_two_models *two)
{
    const hierarchy_names found = names_of(two->models);
    if (found.differ && !found.brute) { /* else it was asked for */
        cli_warning("%s has the hierarchy %s and %s has %s: every triangle is compared with every triangle, which is "
                    "slow; save both with the same %s",
                    two->names[0], found.names[0], two->names[1], found.names[1],
                    found.other_k ? "--k" : "--hierarchy");
    }
}

/* ---- opening and closing ---- */

int cli_two_open(cli_two_models *two, const char *const names[2], const cli_two_options *options,
                 const cli_section *sections)
{
    two->names[0] = names[0];
    two->names[1] = names[1];
    if (options->poses && options->pose_b.given) {
        return cli_error("--poses and --pose-b both say where B stands: leave one of them out");
    }
    int error = cli_create_context(&options->load, &two->context);
    error = error ? error : read_poses(two, options);
    error = error ? error : cli_pose_from_argument(two->context, &options->pose_a, "--pose-a", &two->pose_a);
    error = error ? error : cli_load_pair(two->context, names, &options->load, sections, two->models, two->surfaces);
    for (int i = 0; i < 2 && !error; i++) {
        tumble_model_info info;
        error = cli_get_info(two->context, two->models[i], names[i], &info);
        two->polygon_counts[i] = info.polygon_count;
    }
    if (!error) {
        name_hierarchy(two);
    }
    return error;
}

void cli_two_close(cli_two_models *two)
{
    if (two->models[1] != two->models[0]) {
        tumble_model_destroy(two->models[1]);
        cli_free_surfaces(&two->surfaces[1]);
    }
    cli_free_surfaces(&two->surfaces[0]);
    tumble_model_destroy(two->models[0]);
    cli_path_free(&two->path);
    tumble_context_destroy(two->context);
    *two = (cli_two_models){.context = NULL};
}
