/* The options that say how a model is loaded and asked. */
#include "load_options.h"

#include <math.h>
#include <string.h>

#include "message.h"

/* ---- the words ---- */

#define WORD_CHOICE(name, number, word, text) {word, number, text},
static const cli_choice hierarchies[] = {TUMBLE_HIERARCHY_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice overlaps[] = {TUMBLE_OVERLAP_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice descents[] = {TUMBLE_DESCENT_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice splits[] = {TUMBLE_KDOP_SPLIT_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice places[] = {TUMBLE_KDOP_AT_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice tumblings[] = {TUMBLE_KDOP_TUMBLE_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice traversals[] = {TUMBLE_KDOP_TRAVERSAL_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice loads[] = {TUMBLE_RTREE_LOAD_LIST(WORD_CHOICE){NULL, 0, NULL}};
static const cli_choice probes[] = {TUMBLE_RTREE_PROBE_LIST(WORD_CHOICE){NULL, 0, NULL}};
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

static const cli_choice planes[] = {
    {"any", TUMBLE_BOXTREE_PLANES_ANY, "any side of its parent's box"},
    {"parallel", TUMBLE_BOXTREE_PLANES_PARALLEL, "a side along the axis of the split (the paper)"},
    {NULL, 0, NULL}};

static const cli_choice directions[] = {{"b-into-a", TUMBLE_DIRECTION_B_INTO_A, "boxes of B are enclosed in A's frame"},
                                        {"a-into-b", TUMBLE_DIRECTION_A_INTO_B, "boxes of A are enclosed in B's frame"},
                                        {"both", TUMBLE_DIRECTION_BOTH, "first one, then the other"},
                                        {NULL, 0, NULL}};

static const cli_choice face_counts[] = {{"6", 6, "a box, with sides normal to x, y and z"},
                                         {"12", 12, "a dodecahedron"},
                                         {"14", 14, "the box and what cuts off its corners"},
                                         {"18", 18, "the box and what cuts off its edges"},
                                         {"26", 26, "the box and both"},
                                         {NULL, 0, NULL}};

static const cli_choice mixtures[] = {{"volumes", TUMBLE_KDOP_MIXED_VOLUMES, "its k-DOP, tumbled like all others"},
                                      {"primitives", TUMBLE_KDOP_MIXED_PRIMITIVES, "the k-DOP of its moved triangles"},
                                      {NULL, 0, NULL}};

static const cli_choice instruction_sets[] = {{"auto", TUMBLE_SIMD_AUTO, "the best that the processor has"},
                                              {"scalar", TUMBLE_SIMD_SCALAR, "what every processor has: SSE2, NEON"},
                                              {"avx2", TUMBLE_SIMD_AVX2, "AVX2 and BMI2"},
                                              {"avx512", TUMBLE_SIMD_AVX512, "AVX-512 as of Ice Lake and Zen 4"},
                                              {NULL, 0, NULL}};

const char *cli_simd_word(tumble_simd simd)
{
    return cli_choice_word(instruction_sets, (int)simd);
}

const char *cli_load_word(tumble_rtree_load load)
{
    return cli_choice_word(loads, (int)load);
}

/* ---- the options ---- */

static const cli_option hierarchy_options[] = {{.kind = CLI_CHOICE,
                                                .name = "hierarchy",
                                                .argument = "H",
                                                .help = "which one a model gets; all give the same answers",
                                                .offset = offsetof(cli_load_options, hierarchy),
                                                .choices = hierarchies,
                                                .show_default = 1},
                                               {.name = NULL}};

static const cli_option machine_options[] = {
    {.kind = CLI_NUMBER,
     .name = "threads",
     .argument = "N",
     .help = "threads for building hierarchies, and of --device cpu; 0: one per processor. The result is the same",
     .offset = offsetof(cli_load_options, threads),
     .least = 0,
     .most = 256,
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

/* Two hierarchies have it. */
#define AXES_OPTION                                                                                           \
    {                                                                                                         \
        .kind = CLI_CHOICE, .name = "axes", .argument = "X", .help = "which axes the build tries for a node", \
        .offset = offsetof(cli_load_options, axes), .choices = axes, .show_default = 1,                       \
    }

static const cli_option wide_options[] = {AXES_OPTION, {.name = NULL}};

static const cli_option boxtree_options[] = {
    {.kind = CLI_CHOICE,
     .name = "layout",
     .argument = "L",
     .help = "what a node holds",
     .offset = offsetof(cli_load_options, layout),
     .choices = layouts,
     .show_default = 1},
    AXES_OPTION,
    {.kind = CLI_CHOICE,
     .name = "criterion",
     .argument = "C",
     .help = "which split is the best",
     .offset = offsetof(cli_load_options, criterion),
     .choices = criteria,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "growth",
     .argument = "G",
     .help = "a triangle goes to the child that it enlarges less, which is measured from",
     .offset = offsetof(cli_load_options, growth),
     .choices = growths,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "planes",
     .argument = "P",
     .help = "one plane per node: what a node's plane moves",
     .offset = offsetof(cli_load_options, planes),
     .choices = planes,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "trim",
     .argument = "R",
     .help = "adds a node that only cuts off empty space where this leaves at most the fraction R, 0 to 1, of the "
             "volume; 0: never",
     .offset = offsetof(cli_load_options, trim),
     .least = 0,
     .most = 1,
     .show_default = 1},
    {.name = NULL}};

static const cli_option boxtree_queries[] = {
    {.kind = CLI_CHOICE,
     .name = "overlap",
     .argument = "T",
     .help = "how two boxes are compared",
     .offset = offsetof(cli_load_options, overlap),
     .choices = overlaps,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "direction",
     .argument = "D",
     .help = "for the overlap tests axes and tables: whose boxes are enclosed in whose frame",
     .offset = offsetof(cli_load_options, direction),
     .choices = directions,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "descent",
     .argument = "D",
     .help = "which of two boxes that overlap is split",
     .offset = offsetof(cli_load_options, descent),
     .choices = descents,
     .show_default = 1},
    {.name = NULL}};

static const cli_option kdop_options[] = {
    {.kind = CLI_CHOICE,
     .name = "k",
     .argument = "K",
     .help = "faces of a k-DOP; both models need the same",
     .offset = offsetof(cli_load_options, k),
     .choices = face_counts,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "split",
     .argument = "S",
     .help = "a set of triangles is split across the axis",
     .offset = offsetof(cli_load_options, split),
     .choices = splits,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "at",
     .argument = "P",
     .help = "where along that axis",
     .offset = offsetof(cli_load_options, at),
     .choices = places,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "all-directions",
     .help = "the axis is one of all k/2 directions, not x, y or z alone",
     .offset = offsetof(cli_load_options, all_directions),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "estimate",
     .help = "for --split min-sum and min-max and --at best: volumes are estimated; builds faster. With k = 6 and 18 "
             "there is nothing to gain, and --at best with k = 26 estimates in any case",
     .offset = offsetof(cli_load_options, estimate),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "leaf",
     .argument = "N",
     .help = "the most triangles of a leaf",
     .offset = offsetof(cli_load_options, leaf),
     .least = 1,
     .most = TUMBLE_KDOP_LEAF_MOST,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_CHOICE,
     .name = "tumble",
     .argument = "T",
     .help = "how k-DOPs of B are enclosed in A's frame; lookup and vertices need data that B keeps",
     .offset = offsetof(cli_load_options, tumble),
     .choices = tumblings,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "hull",
     .help = "B keeps its convex hull, and its root is tumbled exactly, by hill climbing on that",
     .offset = offsetof(cli_load_options, hull),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "hull-levels",
     .argument = "N",
     .help = "the same for all nodes of so many levels near the root; --hull is --hull-levels 1",
     .offset = offsetof(cli_load_options, hull_levels),
     .least = 1,
     .most = TUMBLE_KDOP_HULL_MOST,
     .whole = 1},
    {.kind = CLI_FLAG,
     .name = "bare-leaves",
     .help = "leaves keep no k-DOPs: nearly half of the tree's memory, and slower queries",
     .offset = offsetof(cli_load_options, bare_leaves),
     .value = 1},
    {.name = NULL}};

/* All queries have it. */
#define LEAF_B_OPTION                                                                                        \
    {                                                                                                        \
        .kind = CLI_NUMBER, .name = "leaf-b", .argument = "N",                                               \
        .help = "--leaf of B alone: a smaller tree takes less tumbling (default: as --leaf)",                \
        .offset = offsetof(cli_load_options, leaf_b), .least = 1, .most = TUMBLE_KDOP_LEAF_MOST, .whole = 1, \
    }

static const cli_option kdop_distances[] = {LEAF_B_OPTION, {.name = NULL}};

static const cli_option kdop_queries[] = {LEAF_B_OPTION,
                                          {.kind = CLI_CHOICE,
                                           .name = "traversal",
                                           .argument = "O",
                                           .help = "the order in which the two trees are traversed",
                                           .offset = offsetof(cli_load_options, traversal),
                                           .choices = traversals,
                                           .show_default = 1},
                                          {.kind = CLI_CHOICE,
                                           .name = "mixed",
                                           .argument = "M",
                                           .help = "what stands for a leaf of B",
                                           .offset = offsetof(cli_load_options, mixed),
                                           .choices = mixtures,
                                           .show_default = 1},
                                          {.kind = CLI_NUMBER,
                                           .name = "epsilon",
                                           .argument = "E",
                                           .help = "k-DOPs within E of each other count as overlapping",
                                           .offset = offsetof(cli_load_options, epsilon),
                                           .least = 0,
                                           .most = 1e300,
                                           .show_default = 1},
                                          {.name = NULL}};

static const cli_option rtree_options[] = {{.kind = CLI_CHOICE,
                                            .name = "load",
                                            .argument = "L",
                                            .help = "how triangles, and surfaces, are sorted into nodes",
                                            .offset = offsetof(cli_load_options, load),
                                            .choices = loads,
                                            .show_default = 1},
                                           {.kind = CLI_NUMBER,
                                            .name = "node-width",
                                            .argument = "N",
                                            .help = "the most children of a node",
                                            .offset = offsetof(cli_load_options, width),
                                            .least = TUMBLE_RTREE_WIDTH_LEAST,
                                            .most = TUMBLE_RTREE_WIDTH_MOST,
                                            .whole = 1,
                                            .show_default = 1},
                                           {.name = NULL}};

static const cli_option rtree_queries[] = {{.kind = CLI_CHOICE,
                                            .name = "probe",
                                            .argument = "P",
                                            .help = "whose triangles are searched in the other's trees",
                                            .offset = offsetof(cli_load_options, probe),
                                            .choices = probes,
                                            .show_default = 1},
                                           {.kind = CLI_FLAG,
                                            .name = "whole",
                                            .help = "without the overlapping box: searches all triangles",
                                            .offset = offsetof(cli_load_options, whole),
                                            .value = 1},
                                           {.kind = CLI_FLAG,
                                            .name = "single",
                                            .help = "searches triangles one by one (the paper), not eight at a time",
                                            .offset = offsetof(cli_load_options, single),
                                            .value = 1},
                                           {.name = NULL}};

/* ---- the sections ---- */

typedef struct part {
    const char *title, *topic;
    const cli_option *options;
    int asks; /* for which commands: a set of cli_asks */
    const char *help;
} part;

enum {
    QUERIES = CLI_ASKS_DISTANCES | CLI_ASKS_COLLISIONS,
    ALL = CLI_ASKS_NOTHING | QUERIES
};

static const part parts[] = {
    {"Hierarchy", NULL, hierarchy_options, ALL, NULL},
    {"Machine", NULL, machine_options, ALL, NULL},
    {"Hierarchy wide", "wide", wide_options, ALL,
     "Eight boxes per node, compared all at once. The fastest, and the one that 'auto' chooses."},
    {"Hierarchy boxtree", "boxtree", boxtree_options, ALL,
     "A binary tree of boxes, each defined by one or two planes that cut it off its parent: the least memory per "
     "node."},
    {"Queries with boxtree", "boxtree", boxtree_queries, CLI_ASKS_COLLISIONS, NULL},
    {"Hierarchy kdop", "kdop", kdop_options, ALL,
     "A binary tree of k-DOPs: convex bodies with k faces, whose normals are the same for all. A larger k fits more "
     "tightly and costs more. A is the environment and B moves: the k-DOPs of B that a query meets are enclosed by "
     "ones "
     "in A's frame, which is called tumbling. Let A be the larger model."},
    {"Queries with kdop", "kdop", kdop_queries, CLI_ASKS_COLLISIONS, NULL},
    {"Queries with kdop", "kdop", kdop_distances, CLI_ASKS_DISTANCES, NULL},
    {"Hierarchy rtree", "rtree", rtree_options, ALL,
     "R-trees: one over the surfaces of a model, and one per surface over its triangles. Triangles of one model where "
     "the boxes of both models overlap are searched in the trees of the other. Made for pairs of surfaces, and models "
     "with this hierarchy can be edited."},
    {"Queries with rtree", "rtree", rtree_queries, CLI_ASKS_COLLISIONS, NULL}};

enum {
    PART_COUNT = sizeof parts / sizeof *parts
};
_Static_assert((int)PART_COUNT + 1 == (int)CLI_LOAD_SECTIONS, "one section more ends the list");

void cli_load_sections(cli_load_options *options, cli_asks asks, cli_section sections[CLI_LOAD_SECTIONS])
{
    size_t count = 0;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if ((parts[i].asks & (int)asks) != 0) {
            sections[count++] = (cli_section){.title = parts[i].title,
                                              .options = parts[i].options,
                                              .target = options,
                                              .topic = parts[i].topic,
                                              .help = parts[i].help};
        }
    }
    sections[count] = (cli_section){.title = NULL};
}

cli_load_options cli_default_load_options(void)
{
    const tumble_context_options context = tumble_default_context_options();
    const tumble_tuning tuning = tumble_default_tuning();
    return (cli_load_options){.hierarchy = (int)tumble_default_model_options().hierarchy,
                              .axes = (int)tuning.boxtree.axes,
                              .layout = (int)tuning.boxtree.layout,
                              .criterion = (int)tuning.boxtree.criterion,
                              .growth = (int)tuning.boxtree.growth,
                              .planes = (int)tuning.boxtree.planes,
                              .trim = tuning.boxtree.trim,
                              .overlap = (int)tuning.boxtree_walk.overlap,
                              .direction = (int)tuning.boxtree_walk.direction,
                              .descent = (int)tuning.boxtree_walk.descent,
                              .k = (int)tuning.kdop.k,
                              .split = (int)tuning.kdop.split,
                              .at = (int)tuning.kdop.at,
                              .all_directions = tuning.kdop.all_directions,
                              .estimate = tuning.kdop.estimate,
                              .tumble = (int)tuning.kdop.tumble,
                              .hull = tuning.kdop.hull != 0,
                              .bare_leaves = tuning.kdop.bare_leaves,
                              .leaf = tuning.kdop.leaf,
                              .leaf_b = INFINITY,
                              .traversal = (int)tuning.kdop_walk.traversal,
                              .mixed = (int)tuning.kdop_walk.mixed,
                              .epsilon = tuning.kdop_walk.epsilon,
                              .load = (int)tuning.rtree.load,
                              .width = tuning.rtree.width,
                              .probe = (int)tuning.rtree_walk.probe,
                              .whole = tuning.rtree_walk.whole,
                              .single = tuning.rtree_walk.single,
                              .threads = context.thread_count,
                              .simd = (int)context.simd,
                              .surfaces = cli_default_surface_options(),
                              .input = cli_default_input_options()};
}

/* ---- as the library takes them ---- */

static void set_boxtree(const cli_load_options *options, tumble_boxtree_options *out)
{
    out->layout = (tumble_boxtree_layout)options->layout;
    out->axes = (tumble_boxtree_axes)options->axes;
    out->criterion = (tumble_boxtree_criterion)options->criterion;
    out->growth = (tumble_boxtree_growth)options->growth;
    out->planes = (tumble_boxtree_planes)options->planes;
    out->trim = options->trim;
}

static uint32_t hull_levels(const cli_load_options *options)
{
    return options->hull_levels > 0 ? (uint32_t)options->hull_levels : options->hull != 0;
}

static void set_kdop(const cli_load_options *options, cli_role role, tumble_kdop_options *out)
{
    const double leaf = role == CLI_ROLE_B && isfinite(options->leaf_b) ? options->leaf_b : options->leaf;
    out->k = (uint32_t)options->k;
    out->split = (tumble_kdop_split)options->split;
    out->at = (tumble_kdop_at)options->at;
    out->all_directions = options->all_directions != 0;
    out->bare_leaves = options->bare_leaves != 0;
    out->estimate = options->estimate != 0;
    out->leaf = (uint32_t)leaf;
    if (role != CLI_ROLE_A) { /* which is never tumbled */
        out->tumble = (tumble_kdop_tumble)options->tumble;
        out->hull = hull_levels(options);
    }
}

static void set_walks(const cli_load_options *options, tumble_tuning *out)
{
    out->boxtree_walk.overlap = (tumble_overlap)options->overlap;
    out->boxtree_walk.direction = (tumble_direction)options->direction;
    out->boxtree_walk.descent = (tumble_descent)options->descent;
    out->kdop_walk.tumble = (tumble_kdop_tumble)options->tumble;
    out->kdop_walk.traversal = (tumble_kdop_traversal)options->traversal;
    out->kdop_walk.mixed = (tumble_kdop_mixed)options->mixed;
    out->kdop_walk.epsilon = options->epsilon;
    out->rtree_walk.probe = (tumble_rtree_probe)options->probe;
    out->rtree_walk.whole = options->whole != 0;
    out->rtree_walk.single = options->single != 0;
}

tumble_tuning cli_tuning(const cli_load_options *options, cli_role role)
{
    tumble_tuning tuning = tumble_default_tuning();
    tuning.wide.axes = options->axes == TUMBLE_BOXTREE_LONGEST_AXIS ? TUMBLE_WIDE_LONGEST_AXIS : TUMBLE_WIDE_ALL_AXES;
    set_boxtree(options, &tuning.boxtree);
    set_kdop(options, role, &tuning.kdop);
    tuning.rtree.load = (tumble_rtree_load)options->load;
    tuning.rtree.width = (uint32_t)options->width;
    set_walks(options, &tuning);
    return tuning;
}

tumble_model_options cli_model_options(const cli_load_options *options, const tumble_tuning *tuning)
{
    tumble_model_options wanted = tumble_default_model_options();
    wanted.hierarchy = (tumble_hierarchy)options->hierarchy;
    wanted.tuning = tuning;
    return wanted;
}

int cli_same_for_both(const cli_load_options *options)
{
    return options->hierarchy != TUMBLE_HIERARCHY_KDOP || !isfinite(options->leaf_b) ||
           options->leaf_b == options->leaf;
}

tumble_context_options cli_context_options(const cli_load_options *options)
{
    tumble_context_options wanted = tumble_default_context_options();
    wanted.thread_count = (uint32_t)options->threads;
    wanted.simd = (tumble_simd)options->simd;
    return wanted;
}

/* ---- which options apply ---- */

static int has_name(const cli_section *section, const char *name)
{
    for (const cli_option *option = section->options; option->name; option++) {
        if (strcmp(option->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether an option does something for models of a hierarchy. */
static int has_option(const cli_section *sections, const char *hierarchy, const char *name)
{
    for (const cli_section *section = sections; section->title; section++) {
        if (section->topic && strcmp(section->topic, hierarchy) == 0 && has_name(section, name)) {
            return 1;
        }
    }
    return 0;
}

/* The hierarchies that have the option, as one would ask for them. */
typedef struct owner_list {
    char text[64];
} owner_list;

static owner_list owners_of(const cli_section *sections, const char *name)
{
    owner_list owners = {"--hierarchy"};
    for (const cli_section *section = sections; section->title; section++) {
        if (section->topic && has_name(section, name)) {
            const size_t used = strlen(owners.text);
            const int first = strchr(owners.text, ' ') == NULL;
            snprintf(owners.text + used, sizeof owners.text - used, "%s %s", first ? "" : " or", section->topic);
        }
    }
    return owners;
}

/* The first option that was given although the hierarchy does not have it; NULL: none. */
static const char *idle_option(const cli_section *sections, tumble_hierarchy hierarchy)
{
    const char *word = tumble_hierarchy_name(hierarchy == TUMBLE_HIERARCHY_AUTO ? TUMBLE_HIERARCHY_WIDE : hierarchy);
    for (const cli_section *section = sections; section->title; section++) {
        for (size_t i = 0; section->topic && section->options[i].name; i++) {
            if ((section->given >> i & 1) && !has_option(sections, word, section->options[i].name)) {
                return section->options[i].name;
            }
        }
    }
    return NULL;
}

int cli_check_hierarchy_options(const cli_load_options *options, const cli_section *sections)
{
    const char *name = idle_option(sections, (tumble_hierarchy)options->hierarchy);
    return name ? cli_error("--%s belongs to %s: give that as well, or leave --%s out", name,
                            owners_of(sections, name).text, name)
                : 0;
}

static int was_given(const cli_section *sections, const char *name)
{
    for (const cli_section *section = sections; section->title; section++) {
        if (cli_was_given(section, name)) {
            return 1;
        }
    }
    return 0;
}

static int is_about_collisions(const cli_option *table)
{
    return table == boxtree_queries || table == kdop_queries || table == rtree_queries;
}

const char *cli_collision_option(const cli_section *sections)
{
    for (const cli_section *section = sections; section->title; section++) {
        for (size_t i = 0; is_about_collisions(section->options) && section->options[i].name; i++) {
            const int given = (section->given >> i & 1) != 0;
            if (given && strcmp(section->options[i].name, "leaf-b") != 0) {
                return section->options[i].name;
            }
        }
    }
    return NULL;
}

/* ---- saved models ---- */

int cli_is_empty(const tumble_model *model)
{
    return tumble_model_triangle(model, 0, NULL, NULL) != TUMBLE_OK;
}

/* Whether something was given that shapes the model; what it keeps for tumbling is examined elsewhere. */
static int comes_too_late(const cli_section *sections, cli_role role)
{
    for (const cli_section *section = sections; section->title; section++) {
        for (size_t i = 0; section->topic && section->options[i].name; i++) {
            const char *name = section->options[i].name;
            const int of_queries = is_about_collisions(section->options) || section->options == kdop_distances;
            const int shapes = of_queries ? role == CLI_ROLE_B && strcmp(name, "leaf-b") == 0
                                          : strcmp(name, "tumble") != 0 && strncmp(name, "hull", strlen("hull")) != 0 &&
                                                strcmp(name, "k") != 0;
            if ((section->given >> i & 1) && shapes) {
                return 1;
            }
        }
    }
    return 0;
}

static int check_saved_kdop(const char *path, const tumble_kdop_options *saved, const cli_load_options *options,
                            const cli_section *sections, cli_role role)
{
    const int needs_data =
        options->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP || options->tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    const char *word = cli_choice_word(tumblings, options->tumble);
    if (was_given(sections, "k") && options->k != (int)saved->k) {
        return cli_error("%s is a saved model with k = %u: leave --k out, or give the mesh it was built from", path,
                         saved->k);
    }
    if (role != CLI_ROLE_A && needs_data && saved->tumble != (tumble_kdop_tumble)options->tumble) {
        return cli_error("%s was saved without the data for --tumble %s: choose unit or axes, or save it anew with "
                         "'tumble build --hierarchy kdop --tumble %s'",
                         path, word, word);
    }
    if (role != CLI_ROLE_A && hull_levels(options) && !saved->hull) {
        return cli_error("%s was saved without its convex hull: leave --hull out, or save it anew with 'tumble build "
                         "--hierarchy kdop --hull'",
                         path);
    }
    if (role != CLI_ROLE_A && options->hull_levels > saved->hull) {
        return cli_error(
            "%s was saved with the convex hulls of %u levels: leave --hull-levels out, or save it anew with "
            "'tumble build --hierarchy kdop --hull-levels %.0f'",
            path, saved->hull, options->hull_levels);
    }
    return 0;
}

int cli_check_saved(const char *path, const tumble_model *model, const cli_load_options *options,
                    const cli_section *sections, cli_role role)
{
    const tumble_hierarchy hierarchy = tumble_model_hierarchy(model);
    const char *word = tumble_hierarchy_name(hierarchy), *name = idle_option(sections, hierarchy);
    if (options->hierarchy != TUMBLE_HIERARCHY_AUTO && (int)hierarchy != options->hierarchy) {
        return cli_error(
            "%s is a saved model with the hierarchy %s: leave --hierarchy out, or give the mesh it was built from",
            path, word);
    }
    if (name) {
        return cli_error("--%s belongs to %s, and %s is a saved model with the hierarchy %s: leave --%s out, or give "
                         "the mesh it was built from",
                         name, owners_of(sections, name).text, path, word, name);
    }
    tumble_tuning saved = tumble_default_tuning();
    (void)tumble_model_get_tuning(model, &saved);
    const int tells = hierarchy == TUMBLE_HIERARCHY_KDOP && !cli_is_empty(model);
    const int error = tells ? check_saved_kdop(path, &saved.kdop, options, sections, role) : 0;
    if (!error && comes_too_late(sections, role)) {
        cli_note("%s is a saved model: it keeps the hierarchy that it was saved with", path);
    }
    return error;
}

void cli_follow_saved(const tumble_model *saved, const cli_section *sections, cli_load_options *options)
{
    tumble_tuning its = tumble_default_tuning();
    (void)tumble_model_get_tuning(saved, &its);
    if (options->hierarchy == TUMBLE_HIERARCHY_AUTO) {
        options->hierarchy = (int)tumble_model_hierarchy(saved);
    }
    if (!was_given(sections, "k")) {
        options->k = (int)its.kdop.k;
    }
}
