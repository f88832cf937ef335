/* Klosowski et al. 1998, what the paper leaves open (sections 3.3.1 to 3.3.3, 4.1, 4.3): more directions, more
 * children, trees built bottom up, leaves of varying size, the best orientation. By counts and times of plain trees
 * (design.h). */
#include <math.h>
#include <stdlib.h>

#include "design.h"
#include "failure.h"
#include "papers_direct.h"
#include "tree/kdop/kdop.h"
#include "tree/kdop/volume.h"

enum {
    MOST_ROWS = 10,
    FLYER_LEAF = 40 /* the paper's */
};

/* What was measured: one line for each row, one column for each scene. */
typedef struct design_table {
    const char *labels[MOST_ROWS];
    design_counts counts[MOST_ROWS][PAPER_SCENES];
    size_t count;
    double triangle_test; /* microseconds */
} design_table;

static double total_of(const design_table *table, const design_counts *counts)
{
    return counts->microseconds + table->triangle_test * counts->triangle_tests;
}

/* ---- Printing and writing ---- */

static void print_line(const design_table *table, size_t row, int quantity)
{
    double values[PAPER_SCENES];
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        const design_counts *c = &table->counts[row][scene];
        const double all[] = {c->volume_tests, c->updates, c->triangle_tests, c->microseconds, total_of(table, c)};
        values[scene] = all[quantity];
    }
    papers_print_numbers(table->labels[row], values, PAPER_SCENES, quantity < 3 ? 1 : 2);
}

static void print_table(const design_table *table)
{
    static const char *const quantities[] = {"N_v: volume tests per check", "N_u: updates per check",
                                             "N_p: triangle tests per check", "Microseconds a walk in plain C",
                                             "... and the triangle tests"};
    const char *titles[PAPER_SCENES];
    for (int i = 0; i < PAPER_SCENES; i++) {
        titles[i] = papers_scene_title(i);
    }
    papers_print_titles("", titles, PAPER_SCENES);
    for (int quantity = 0; quantity < 5; quantity++) {
        puts(quantities[quantity]);
        for (size_t row = 0; row < table->count; row++) {
            print_line(table, row, quantity);
        }
    }
    printf("A triangle test counts as %.0f ns.\n", 1e3 * table->triangle_test);
}

/* The table's rows say what the models of the scene are; what was measured is of the plain trees. */
static void write_rows(papers *p, const design_table *table, int scene_number)
{
    const models_scene *scene = papers_scene(p, scene_number);
    const paper_row row = {"", "k=18"};
    paper_measured measured = papers_build_row(p, scene, &row, scene->path_length);
    for (size_t i = 0; i < table->count; i++) {
        const design_counts *c = &table->counts[i][scene_number];
        measured.results[0] = (bench_result){.mean_microseconds = c->microseconds,
                                             .box_tests = c->volume_tests,
                                             .box_updates = c->updates,
                                             .primitive_tests = c->triangle_tests};
        papers_write(p, &measured, 0, table->labels[i], &papers_no_note);
    }
    papers_free(&measured);
}

static void finish(papers *p, const design_table *table)
{
    print_table(table);
    for (int i = 0; i < PAPER_SCENES; i++) {
        write_rows(p, table, i);
    }
}

/* ---- Measuring ---- */

typedef struct scene_sets {
    const models_scene *scene;
    design_sets environment, flyer;
} scene_sets;

static scene_sets make_sets(papers *p, int scene_number, int bottom_up)
{
    const models_scene *scene = papers_scene(p, scene_number);
    return (scene_sets){.scene = scene,
                        .environment = (bottom_up ? design_bottom_up : design_top_down)(&scene->environment),
                        .flyer = (bottom_up ? design_bottom_up : design_top_down)(&scene->flyer)};
}

static void free_sets(scene_sets *sets)
{
    design_free_sets(&sets->environment);
    design_free_sets(&sets->flyer);
}

typedef struct design_choice {
    const design_directions *directions;
    uint32_t degree, flyer_leaf;
    const uint8_t *leaves; /* of the flyer */
} design_choice;

static design_counts measure(const papers *p, const scene_sets *sets, const design_choice *choice)
{
    design_tree a = design_make_tree(&sets->environment, choice->directions, choice->degree, 1, NULL);
    design_tree b =
        design_make_tree(&sets->flyer, choice->directions, choice->degree, choice->flyer_leaf, choice->leaves);
    const design_counts counts =
        design_fly(&a, &b, sets->scene->path, sets->scene->path_length, (size_t)p->series.settings->repetitions);
    design_free_tree(&a);
    design_free_tree(&b);
    return counts;
}

static design_directions *directions_18(void)
{
    design_directions *directions = bench_allocate(1, sizeof *directions);
    design_make_directions(directions, "18", 2);
    return directions;
}

static double triangle_microseconds(papers *p)
{
    return 1e-3 * papers_direct_costs(p, 18, FLYER_LEAF).triangle_test.nanoseconds;
}

/* ---- k beyond 26 ---- */

void papers_design_directions(papers *p)
{
    static const struct {
        const char *name;
        unsigned kinds;
    } sets[] = {{"6-dop", 0},
                {"14-dop", 1},
                {"18-dop", 2},
                {"26-dop", 3},
                {"50-dop, with (2, 1, 0)", 7},
                {"50-dop, with (2, 1, 1)", 11},
                {"50-dop, with (2, 2, 1)", 19},
                {"98-dop, all of 0, 1 and 2", 31}};
    design_table table = {.count = sizeof sets / sizeof *sets, .triangle_test = triangle_microseconds(p)};
    design_directions *directions = bench_allocate(table.count, sizeof *directions);
    for (size_t i = 0; i < table.count; i++) {
        table.labels[i] = sets[i].name;
        design_make_directions(&directions[i], sets[i].name, sets[i].kinds);
    }
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        scene_sets made = make_sets(p, scene, 0);
        for (size_t i = 0; i < table.count; i++) {
            table.counts[i][scene] = measure(p, &made, &(design_choice){&directions[i], 2, FLYER_LEAF, NULL});
        }
        free_sets(&made);
    }
    finish(p, &table);
    free(directions);
}

/* ---- Degree, and bottom up ---- */

void papers_design_shape(papers *p)
{
    static const uint32_t degrees[] = {2, 3, 4, 8, 16};
    design_table table = {
        .labels = {"degree 2", "degree 3", "degree 4", "degree 8", "degree 16", "bottom up, degree 2"},
        .count = 6,
        .triangle_test = triangle_microseconds(p)};
    design_directions *directions = directions_18();
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        scene_sets made = make_sets(p, scene, 0), upward = make_sets(p, scene, 1);
        for (size_t i = 0; i < 5; i++) {
            table.counts[i][scene] = measure(p, &made, &(design_choice){directions, degrees[i], FLYER_LEAF, NULL});
        }
        table.counts[5][scene] = measure(p, &upward, &(design_choice){directions, 2, FLYER_LEAF, NULL});
        free_sets(&made);
        free_sets(&upward);
    }
    finish(p, &table);
    free(directions);
}

/* ---- Leaves of varying size ---- */

/* How likely something of the size of the environment's triangles that meets a set meets a part of it: by the volumes
 * of the boxes around them, enlarged by that size. */
static double likelihood(const design_split *part, const design_split *whole, const double size[3])
{
    double share = 1;
    for (int j = 0; j < 3; j++) {
        share *= ((double)(part->upper[j] - part->lower[j]) + size[j]) /
                 ((double)(whole->upper[j] - whole->lower[j]) + size[j]);
    }
    return isnan(share) ? 1 : share;
}

static void mean_size(const design_sets *sets, double size[3])
{
    size[0] = size[1] = size[2] = 0;
    for (size_t i = 0; i < sets->split_count; i++) {
        for (int j = 0; j < 3 && sets->splits[i].count == 1; j++) {
            size[j] += (double)(sets->splits[i].upper[j] - sets->splits[i].lower[j]) / (double)sets->triangle_count;
        }
    }
}

/* A set is a leaf where its triangles cost no more than its parts are expected to: two tests, the updates, and what the
 * parts cost where they are met. */
static uint8_t *choose_leaves(const scene_sets *sets, const direct_costs *costs, double meetings)
{
    const design_sets *flyer = &sets->flyer;
    uint8_t *leaves = bench_allocate(flyer->split_count, sizeof *leaves);
    double *expected = bench_allocate(flyer->split_count, sizeof *expected), size[3];
    mean_size(&sets->environment, size);
    for (size_t i = flyer->split_count; i-- > 0;) {
        const design_split *s = &flyer->splits[i];
        const double whole = s->count * costs->triangle_test.nanoseconds;
        double parts = 2 * (costs->volume_test.nanoseconds + costs->update.nanoseconds / meetings);
        for (int c = 0; c < 2 && s->count > 1; c++) {
            parts += likelihood(&flyer->splits[s->children[c]], s, size) * expected[s->children[c]];
        }
        leaves[i] = s->count == 1 || whole <= parts;
        expected[i] = leaves[i] ? whole : parts;
    }
    free(expected);
    return leaves;
}

void papers_design_thresholds(papers *p)
{
    static const uint32_t thresholds[] = {1, 4, 8, 16, 40, 160};
    static const double meetings[] = {1, 4};
    const direct_costs costs = papers_direct_costs(p, 18, FLYER_LEAF);
    design_table table = {.labels = {"1", "4", "8", "16", "40 (the paper's)", "160", "by cost, nodes met once",
                                     "by cost, nodes met four times"},
                          .count = 8,
                          .triangle_test = 1e-3 * costs.triangle_test.nanoseconds};
    design_directions *directions = directions_18();
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        scene_sets made = make_sets(p, scene, 0);
        for (size_t i = 0; i < 6; i++) {
            table.counts[i][scene] = measure(p, &made, &(design_choice){directions, 2, thresholds[i], NULL});
        }
        for (size_t i = 0; i < 2; i++) {
            uint8_t *leaves = choose_leaves(&made, &costs, meetings[i]);
            table.counts[6 + i][scene] = measure(p, &made, &(design_choice){directions, 2, 1, leaves});
            free(leaves);
        }
        free_sets(&made);
    }
    finish(p, &table);
    free(directions);
}
