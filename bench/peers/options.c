/* What the command line says. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

typedef enum option_kind {
    OPTION_WORDS,
    OPTION_NUMBERS,
    OPTION_NUMBER,
    OPTION_TEXT,
    OPTION_FILE /* may be repeated */
} option_kind;

static const struct option {
    const char *name, *argument, *value, *help;
    option_kind kind;
    size_t offset;
} list[] = {
    {"modes", "M,N", "build,first,all,gap,nested,path,distance,clearance,check", "what to measure", OPTION_WORDS,
     offsetof(peers_options, modes)},
    {"meshes", "A,B", "sphere,torus,gear,lattice", "shapes as `tumble make` knows them, or none", OPTION_WORDS,
     offsetof(peers_options, meshes)},
    {"triangles", "N,M", "20000,100000", "sizes of the shapes", OPTION_NUMBERS, offsetof(peers_options, triangles)},
    {"mesh", "FILE", NULL, "a mesh file (OBJ, OFF, STL, PLY), beside the shapes; may be repeated", OPTION_FILE,
     offsetof(peers_options, files)},
    {"peers", "P,Q", "all", "libraries beside Tumble; `all` leaves out Tumble's other hierarchies", OPTION_WORDS,
     offsetof(peers_options, peers)},
    {"check-triangles", "N", "2500", "check: size of the shapes", OPTION_NUMBER,
     offsetof(peers_options, check_triangles)},
    {"distances", "S,T", "1.01,0.98,0.92,0.8,0.6,0.4,0.2",
     "first, all, check: distances, as fractions of the distance of first touch", OPTION_NUMBERS,
     offsetof(peers_options, shares)},
    {"nested-triangles", "N", "20000", "nested: size of the spheres", OPTION_NUMBER,
     offsetof(peers_options, nested_triangles)},
    {"gaps", "G,H", "0.1,0.01,0.001", "nested: gaps between the spheres", OPTION_NUMBERS,
     offsetof(peers_options, gaps)},
    {"gap", "G", "0.001", "gap: how far from the first touch", OPTION_NUMBER, offsetof(peers_options, gap)},
    {"separations", "G,H", "0.001,0.01,0.1,1,10", "distance: gaps between the copies, in sizes of the mesh",
     OPTION_NUMBERS, offsetof(peers_options, separations)},
    {"clearances", "D,E", "0.01,0.1,1", "clearance: how close is too close", OPTION_NUMBERS,
     offsetof(peers_options, clearances)},
    {"distance-poses", "N", "24", "distance: random poses of each scene; of nested spheres a sixth of them",
     OPTION_NUMBER, offsetof(peers_options, distance_poses)},
    {"scenes", "A,B", "all", "scene: experiments: broad, drift, movers, heap, robot, apart", OPTION_WORDS,
     offsetof(peers_options, scenes)},
    {"boxes", "N,M", "10000,100000,1000000", "scene: boxes that all move", OPTION_NUMBERS,
     offsetof(peers_options, boxes)},
    {"drift-boxes", "N", "100000", "scene: boxes over many steps", OPTION_NUMBER, offsetof(peers_options, drift_boxes)},
    {"mover-boxes", "N", "1000000", "scene: boxes of which few move", OPTION_NUMBER,
     offsetof(peers_options, mover_boxes)},
    {"bodies", "N", "2000", "scene: bodies in the heap", OPTION_NUMBER, offsetof(peers_options, bodies)},
    {"body-triangles", "N", "20000", "scene: triangles of each", OPTION_NUMBER,
     offsetof(peers_options, body_triangles)},
    {"links", "N,M", "10,20,30", "scene: links of the robot's arm", OPTION_NUMBERS, offsetof(peers_options, links)},
    {"link-triangles", "N,M", "30,500,5000", "scene: triangles of each", OPTION_NUMBERS,
     offsetof(peers_options, link_triangles)},
    {"states", "N", "2000", "scene: free and colliding states of the arm", OPTION_NUMBER,
     offsetof(peers_options, states)},
    {"poses", "N", "12", "poses of each scene; a multiple of 4, which keeps quarter turns to the mode check",
     OPTION_NUMBER, offsetof(peers_options, poses)},
    {"repetitions", "N", "5", "how often each time is taken; the median counts", OPTION_NUMBER,
     offsetof(peers_options, repetitions)},
    {"patience", "S", "0.25", "seconds of a library in a scene after which it is not repeated again", OPTION_NUMBER,
     offsetof(peers_options, patience)},
    {"limit", "S", "0.4",
     "seconds of a library in a scene; if it would take longer, and ten times the fastest, it is left out",
     OPTION_NUMBER, offsetof(peers_options, limit)},
    {"seed", "N", "1", "seed of the random shapes and rotations", OPTION_NUMBER, offsetof(peers_options, seed)},
    {"goals", "FILE", NULL, "what Tumble is to reach, for the summary", OPTION_TEXT, offsetof(peers_options, goals)},
    {"out", "FOLDER", NULL, "write the tables there, as MODE.csv and summary.csv", OPTION_TEXT,
     offsetof(peers_options, out)},
    {"commit", "TEXT", "unknown", "the version of the source for the tables", OPTION_TEXT,
     offsetof(peers_options, commit)},
    {NULL, NULL, NULL, NULL, OPTION_TEXT, 0}};

static double number_of(const char *word)
{
    bench_numbers numbers;
    bench_numbers_set(&numbers, word);
    return numbers.items[0];
}

static void add_file(peers_files *files, const char *path)
{
    if (files->count == BENCH_MOST_ITEMS) {
        bench_fail("there are more than %d mesh files", BENCH_MOST_ITEMS);
    }
    files->items[files->count++] = path;
}

static void set(peers_options *options, const struct option *option, const char *value)
{
    void *target = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_WORDS: bench_words_set(target, value); break;
    case OPTION_NUMBERS: bench_numbers_set(target, value); break;
    case OPTION_NUMBER: *(double *)target = number_of(value); break;
    case OPTION_TEXT: *(const char **)target = value; break;
    case OPTION_FILE: add_file(target, value); break;
    }
}

static const struct option *find(const char *word)
{
    const struct option *option = list;
    while (option->name && !(strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0)) {
        option++;
    }
    if (!option->name) {
        bench_fail("there is no option '%s': see --help", word);
    }
    return option;
}

/* As little as there can be. */
static void make_quick(peers_options *options)
{
    static const char *const few[][2] = {{"--triangles", "300"},
                                         {"--check-triangles", "200"},
                                         {"--nested-triangles", "500"},
                                         {"--distances", "1.01,0.8"},
                                         {"--gaps", "0.1"},
                                         {"--separations", "0.1"},
                                         {"--clearances", "0.1"},
                                         {"--distance-poses", "6"},
                                         {"--boxes", "1000"},
                                         {"--drift-boxes", "1000"},
                                         {"--mover-boxes", "1000"},
                                         {"--bodies", "20"},
                                         {"--body-triangles", "500"},
                                         {"--links", "10"},
                                         {"--link-triangles", "30"},
                                         {"--states", "20"},
                                         {"--poses", "4"},
                                         {"--repetitions", "1"},
                                         {"--patience", "0.01"}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        set(options, find(few[i][0]), few[i][1]);
    }
    options->quick = 1;
}

int peers_options_parse(peers_options *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    for (const struct option *option = list; option->name; option++) {
        if (option->value) {
            set(options, option, option->value);
        }
    }
    for (int i = 0; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) {
            return 0;
        }
        if (strcmp(argv[i], "--quick") == 0) {
            make_quick(options);
            i--; /* it has no value */
            continue;
        }
        const struct option *option = find(argv[i]);
        if (i + 1 == argc) {
            bench_fail("--%s needs a value: %s", option->name, option->argument);
        }
        set(options, option, argv[i + 1]);
    }
    options->poses = 4 * ceil(options->poses / 4);
    if (options->poses < 1 || options->repetitions < 1 || options->distance_poses < 1) {
        bench_fail("--poses, --distance-poses and --repetitions are at least 1");
    }
    return 1;
}

void peers_options_help(void)
{
    puts("Options:");
    puts("    --quick                 everything as small as it can be");
    for (const struct option *option = list; option->name; option++) {
        char name[40];
        snprintf(name, sizeof name, "--%s %s", option->name, option->argument);
        printf("    %-23s %s (%s)\n", name, option->help, option->value ? option->value : "none");
    }
}
