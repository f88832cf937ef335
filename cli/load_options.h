/* The options that say how a model is loaded and asked: which hierarchy, how it is built and walked, on which machine.
 */
#ifndef TUMBLE_CLI_LOAD_OPTIONS_H
#define TUMBLE_CLI_LOAD_OPTIONS_H

#include "input.h"
#include "options.h"
#include "surfaces.h"
#include "tumble/hierarchies.h"
#include "tumble/proximity.h"

/* What the sections below are parsed into. Numbers of choices are those of the library's enumerations. */
typedef struct cli_load_options {
    int hierarchy;
    int axes;                              /* wide, boxtree */
    int layout, criterion, growth, planes; /* boxtree */
    double trim;
    int overlap, direction, descent;
    int k, split, at, all_directions, estimate, tumble, hull, bare_leaves; /* kdop */
    double hull_levels;                                                    /* 0 when it was not given */
    double width;                                                          /* rtree */
    double leaf, leaf_b; /* the second is infinite when it was not given */
    int traversal, mixed;
    double epsilon;
    int load, probe, whole, single; /* rtree */
    double threads;
    int simd;
    cli_surface_options surfaces; /* in a section of their own, see surfaces.h */
    cli_input_options input;      /* likewise, see input.h */
} cli_load_options;

cli_load_options cli_default_load_options(void);

enum {
    CLI_LOAD_SECTIONS = 11 /* with the one that ends the list */
};

/* What a command asks about models; more than one has more options about queries. */
typedef enum cli_asks {
    CLI_ASKS_NOTHING = 1,
    CLI_ASKS_DISTANCES = 2,
    CLI_ASKS_COLLISIONS = 4
} cli_asks;

/* Writes the sections: "Hierarchy", "Machine", then for each hierarchy its own, with its name as their topic; those
 * about queries only for commands that ask such. */
void cli_load_sections(cli_load_options *options, cli_asks asks, cli_section sections[CLI_LOAD_SECTIONS]);

/* The first option that was given and says how collisions are searched for; NULL: none. */
const char *cli_collision_option(const cli_section *sections);

/* Which part a model plays: A, B, or none in a command that asks no queries. Only B's k-DOPs are tumbled. */
typedef enum cli_role {
    CLI_ROLE_NONE,
    CLI_ROLE_A,
    CLI_ROLE_B
} cli_role;

/* The options as the library takes them: how a model in this role is built, and how it is asked. Those of a model point
 * to the tuning. */
tumble_tuning cli_tuning(const cli_load_options *options, cli_role role);
tumble_model_options cli_model_options(const cli_load_options *options, const tumble_tuning *tuning);
tumble_context_options cli_context_options(const cli_load_options *options);
const char *cli_simd_word(tumble_simd simd);
const char *cli_load_word(tumble_rtree_load load);

/* Refuses options that the hierarchy of a mesh does not have. Returns 0 or an exit status after reporting the error. */
int cli_check_hierarchy_options(const cli_load_options *options, const cli_section *sections);

/* Refuses what a saved model does not have, and notes what comes too late for it. */
int cli_check_saved(const char *path, const tumble_model *model, const cli_load_options *options,
                    const cli_section *sections, cli_role role);

/* Where a mesh is compared with a saved model: the saved one's hierarchy, and its k, unless others were asked for. */
void cli_follow_saved(const tumble_model *saved, const cli_section *sections, cli_load_options *options);

/* Whether it has no triangles. */
int cli_is_empty(const tumble_model *model);

/* Whether both models of a query are built alike. */
int cli_same_for_both(const cli_load_options *options);

#endif
