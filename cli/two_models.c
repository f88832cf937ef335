/* Two models and where they stand. */
#include "two_models.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "message.h"

/* How many numbers may stand after the first word of an option. */
enum {
    MORE_OF_POSE = 15,
    MORE_OF_MOVE = 2,
    MORE_OF_TURN = 3
};

static const cli_choice coherences[] = {
    {"none", 1 + TUMBLE_COHERENCE_NONE, "nothing"},
    {"pair", 1 + TUMBLE_COHERENCE_PAIR, "the last pair of triangles: they are compared first"},
    {"front", 1 + TUMBLE_COHERENCE_FRONT, "where the last traversal ended: the next one starts there"},
    {"all", 1 + TUMBLE_COHERENCE_ALL, "both"},
    {NULL, 0, NULL}};

static const cli_option pose_options[] = {
    {.kind = CLI_WORDS,
     .name = "pose-a",
     .argument = "M",
     .help = "the pose of A (default: as in its file)",
     .offset = offsetof(cli_two_options, a.pose),
     .value = MORE_OF_POSE},
    {.kind = CLI_WORDS,
     .name = "pose-b",
     .argument = "M",
     .help = "the pose of B",
     .offset = offsetof(cli_two_options, b.pose),
     .value = MORE_OF_POSE},
    {.kind = CLI_STEP,
     .name = "move-a",
     .argument = "V",
     .help = "moves A by three numbers, \"x y z\"",
     .offset = offsetof(cli_two_options, a.steps),
     .value = MORE_OF_MOVE},
    {.kind = CLI_STEP,
     .name = "move-b",
     .argument = "V",
     .help = "moves B, likewise",
     .offset = offsetof(cli_two_options, b.steps),
     .value = MORE_OF_MOVE},
    {.kind = CLI_STEP,
     .name = "turn-a",
     .argument = "T",
     .help = "turns A about an axis through the origin, by degrees: \"z 90\", or \"1 1 0 45\" with the axis as three "
             "numbers",
     .offset = offsetof(cli_two_options, a.steps),
     .value = MORE_OF_TURN},
    {.kind = CLI_STEP,
     .name = "turn-b",
     .argument = "T",
     .help = "turns B, likewise",
     .offset = offsetof(cli_two_options, b.steps),
     .value = MORE_OF_TURN},
    {.kind = CLI_NUMBER,
     .name = "radius-a",
     .argument = "R",
     .help = "thickens A: the solid of everything within R of its polygons, in A's unit, instead of the radius that a "
             "saved model may have",
     .offset = offsetof(cli_two_options, radius_a),
     .least = 0,
     .most = 1e300},
    {.kind = CLI_NUMBER,
     .name = "radius-b",
     .argument = "R",
     .help = "thickens B, likewise",
     .offset = offsetof(cli_two_options, radius_b),
     .least = 0,
     .most = 1e300},
    {.kind = CLI_TEXT,
     .name = "poses",
     .argument = "FILE",
     .help = "asks at many poses of B, instead of --pose-b: one per line of the file, what follows a # is skipped; - "
             "reads standard input",
     .offset = offsetof(cli_two_options, poses)},
    {.kind = CLI_FLAG,
     .name = "orthonormalise",
     .help = "accepts matrices with few digits: takes the nearest rotation, and the mean scale",
     .offset = offsetof(cli_two_options, orthonormalise),
     .value = 1},
    {.kind = CLI_CHOICE,
     .name = "coherence",
     .argument = "C",
     .help =
         "with --poses: what a pose reuses of the one before it, which is faster if B moves little; the answers are "
         "the same, but another pair may be found first. By default distances reuse all, collisions none",
     .offset = offsetof(cli_two_options, coherence),
     .choices = coherences},
    {.name = NULL}};

cli_section cli_pose_section(cli_two_options *options)
{
    return (cli_section){
        .title = "Poses",
        .options = pose_options,
        .target = options,
        .help =
            "A pose M is 12 numbers, the three rows of a 3x4 matrix: a rotation times a uniform scale, and the "
            "translation in the last column. Or 16 numbers, 4x4, the fourth row 0 0 0 1; or \"quaternion w x y z  "
            "tx ty tz\", or \"quaternion-xyzw x y z w  tx ty tz\". Commas and brackets may separate the numbers.\n\n"
            "Moves and turns are applied after the pose, in the order in which they are given: --turn-b \"z 90\" "
            "--move-b \"5 0 0\" turns B about the z axis, then moves it along x. With --poses they are applied to "
            "every pose of the file."};
}

tumble_coherence cli_coherence(const cli_two_options *options, tumble_coherence by_default)
{
    return !options->poses       ? TUMBLE_COHERENCE_NONE
           : !options->coherence ? by_default
                                 : (tumble_coherence)(options->coherence - 1);
}

/* The poses of B: those of the file, or the one of the options. */
static int read_poses(cli_two_models *two, const cli_two_options *options)
{
    if (options->poses) {
        tumble_pose outer;
        const int error = cli_placement_steps(two->context, &options->b, &outer);
        return error ? error
                     : cli_path_read(two->context, options->poses, options->orthonormalise,
                                     options->b.steps.count ? &outer : NULL, &two->path);
    }
    two->path.poses = malloc(sizeof *two->path.poses);
    if (!two->path.poses) {
        return cli_memory_error("a pose");
    }
    two->path.count = 1;
    return cli_placement_pose(two->context, &options->b, options->orthonormalise, two->path.poses);
}

/* ---- their hierarchies ---- */

/* Two names when they differ; k-DOP trees with different k are named with it. */
static void name_hierarchy(cli_two_models *two)
{
    char names[2][24];
    const tumble_hierarchy a = tumble_model_hierarchy(two->models[0]), b = tumble_model_hierarchy(two->models[1]);
    tumble_tuning tunings[2] = {tumble_default_tuning(), tumble_default_tuning()};
    for (int i = 0; i < 2; i++) {
        (void)tumble_model_get_tuning(two->models[i], &tunings[i]);
        snprintf(names[i], sizeof names[i], "%s", tumble_hierarchy_name(i == 0 ? a : b));
    }
    const int empty = cli_is_empty(two->models[0]) || cli_is_empty(two->models[1]);
    const int other_k = a == TUMBLE_HIERARCHY_KDOP && b == a && tunings[0].kdop.k != tunings[1].kdop.k && !empty;
    for (int i = 0; i < 2 && other_k; i++) {
        snprintf(names[i], sizeof names[i], "kdop %u", tunings[i].kdop.k);
    }
    const int differ = a != b || other_k;
    snprintf(two->hierarchy, sizeof two->hierarchy, "%s%s%s", names[0], differ ? ", " : "", differ ? names[1] : "");
}

/* ---- opening and closing ---- */

static int refuse_pose_options(const cli_two_options *options)
{
    if (options->poses && options->b.pose.option) {
        return cli_error("--poses and --pose-b both say where B stands: leave one of them out");
    }
    if (options->orthonormalise && !options->poses && !options->a.pose.option && !options->b.pose.option) {
        return cli_error("--orthonormalise corrects the poses of --pose-a, --pose-b and --poses: give one of these, or "
                         "leave it out");
    }
    return 0;
}

/* A model that is both A and B has one radius: B becomes a copy. */
static int part_models(cli_two_models *two)
{
    size_t size;
    const void *block = tumble_model_block(two->models[0], &size);
    const tumble_status status =
        block ? tumble_model_from_block(two->context, block, size, true, &two->copy) : TUMBLE_ERROR_MEMORY;
    if (status != TUMBLE_OK) {
        return cli_library_error(two->context, status, two->names[1]);
    }
    two->models[1] = two->copy;
    return 0;
}

static int set_radii(cli_two_models *two, const cli_two_options *options)
{
    const double radii[2] = {options->radius_a, options->radius_b};
    int error = two->models[0] == two->models[1] && radii[0] != radii[1] ? part_models(two) : 0;
    for (int i = 0; i < 2 && !error; i++) {
        const tumble_status status = radii[i] > 0 ? tumble_model_set_radius(two->models[i], radii[i]) : TUMBLE_OK;
        error = status == TUMBLE_OK ? 0 : cli_library_error(two->context, status, two->names[i]);
    }
    return error;
}

static int load_models(cli_two_models *two, const cli_two_options *options, const cli_section *sections)
{
    const char *paths[2];
    int error = cli_readable_path(two->files[0], &paths[0]);
    error = error ? error : cli_readable_path(two->files[1], &paths[1]);
    error = error ? error : cli_load_pair(two->context, paths, &options->load, sections, two->models, two->surfaces);
    for (int i = 0; i < 2 && !error; i++) {
        tumble_model_info info;
        error = cli_get_info(two->context, two->models[i], paths[i], &info);
        two->polygon_counts[i] = info.polygon_count;
    }
    return error ? error : set_radii(two, options);
}

int cli_two_open(cli_two_models *two, const char *const files[2], const cli_two_options *options,
                 const cli_section *sections)
{
    for (int i = 0; i < 2; i++) {
        two->files[i] = files[i];
        two->names[i] = cli_file_name(files[i]);
    }
    int error = refuse_pose_options(options);
    error = error ? error : cli_create_context(&options->load, &two->context);
    error = error ? error : read_poses(two, options);
    error = error ? error : cli_placement_pose(two->context, &options->a, options->orthonormalise, &two->pose_a);
    error = error ? error : load_models(two, options, sections);
    if (!error) {
        name_hierarchy(two);
    }
    return error;
}

void cli_two_close(cli_two_models *two)
{
    if (two->copy) {
        tumble_model_destroy(two->copy);
        two->models[1] = two->models[0];
    }
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
