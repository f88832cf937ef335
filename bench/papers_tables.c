/* Klosowski et al. 1998: tables 2 to 5, the depth of the flying hierarchy, choices. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "papers.h"
#include "statistics.h"

static void print_scene_titles(const char *title)
{
    const char *titles[PAPER_SCENES];
    for (int i = 0; i < PAPER_SCENES; i++) {
        titles[i] = papers_scene_title(i);
    }
    papers_print_titles(title, titles, PAPER_SCENES);
}

/* All rows on all scenes. */
static void measure_scenes(papers *p, const paper_row *rows, size_t count, paper_measured measured[PAPER_SCENES])
{
    for (int i = 0; i < PAPER_SCENES; i++) {
        measured[i] = papers_measure(p, papers_scene(p, i), rows, count, TUMBLE_ALL, NULL);
    }
}

static void free_scenes(paper_measured measured[PAPER_SCENES])
{
    for (int i = 0; i < PAPER_SCENES; i++) {
        papers_free(&measured[i]);
    }
}

/* Times and counters of all rows on all scenes, for people. */
static void print_scenes(const paper_row *rows, size_t count, const paper_measured measured[PAPER_SCENES])
{
    papers_print_quantity("Microseconds a check", rows, count, measured, PAPER_SCENES, PAPER_MICROSECONDS);
    papers_print_quantity("N_v: volume tests per check", rows, count, measured, PAPER_SCENES, PAPER_VOLUME_TESTS);
    papers_print_quantity("N_u: updates per check", rows, count, measured, PAPER_SCENES, PAPER_UPDATES);
    papers_print_quantity("N_p: triangle tests per check", rows, count, measured, PAPER_SCENES, PAPER_TRIANGLE_TESTS);
}

/* ---- Table 2 ---- */

static const paper_row dop_rows[] = {{"6-dop", "k=6" PAPER_SETTING},   {"14-dop", "k=14" PAPER_SETTING},
                                     {"18-dop", "k=18" PAPER_SETTING}, {"26-dop", "k=26" PAPER_SETTING},
                                     {"12-dop", "k=12" PAPER_SETTING}, {"k-dops (our defaults)", "kdop"},
                                     {"boxtree", "boxtree"},           {"wide", "wide"}};
enum {
    DOP_ROWS = sizeof dop_rows / sizeof *dop_rows
};

static void print_scene_facts(papers *p, const paper_measured measured[PAPER_SCENES])
{
    double environment[PAPER_SCENES], flyer[PAPER_SCENES], steps[PAPER_SCENES], contacts[PAPER_SCENES];
    for (int i = 0; i < PAPER_SCENES; i++) {
        environment[i] = (double)models_triangle_count(&papers_scene(p, i)->environment);
        flyer[i] = (double)models_triangle_count(&papers_scene(p, i)->flyer);
        steps[i] = (double)measured[i].steps;
        contacts[i] = (double)measured[i].results[0].pairs;
    }
    papers_print_numbers("environment (triangles)", environment, PAPER_SCENES, 0);
    papers_print_numbers("object (triangles)", flyer, PAPER_SCENES, 0);
    papers_print_numbers("steps", steps, PAPER_SCENES, 0);
    papers_print_numbers("contacts", contacts, PAPER_SCENES, 0);
    papers_print_numbers("contacts, the paper's scene", paper_contacts, PAPER_SCENES, 0);
}

double papers_at_paper_costs(const paper_costs *costs, const bench_result *result)
{
    return result->box_tests * costs->volume_test + result->box_updates * costs->update +
           result->primitive_tests * paper_triangle_test;
}

static void print_paper_table_2(const paper_measured measured[PAPER_SCENES])
{
    puts("The paper, milliseconds per check (1998)");
    for (int k = 0; k < PAPER_DOPS; k++) {
        papers_print_numbers(dop_rows[k].label, paper_table_2[k], PAPER_SCENES, 3);
    }
    papers_print_numbers("RAPID", paper_table_2_rapid, PAPER_SCENES, 3);
    puts("Our counts at the paper's costs (N_v C_v + N_u C_u + N_p C_p), milliseconds per check");
    for (int k = 0; k < PAPER_DOPS; k++) {
        double values[PAPER_SCENES];
        for (int i = 0; i < PAPER_SCENES; i++) {
            values[i] = papers_at_paper_costs(&paper_table_1[k], &measured[i].results[k]);
        }
        papers_print_numbers(dop_rows[k].label, values, PAPER_SCENES, 3);
    }
}

void papers_table_2(papers *p)
{
    paper_measured measured[PAPER_SCENES];
    measure_scenes(p, dop_rows, DOP_ROWS, measured);
    print_scene_titles("");
    print_scene_facts(p, measured);
    print_scenes(dop_rows, DOP_ROWS, measured);
    print_paper_table_2(measured);
    for (int i = 0; i < PAPER_SCENES; i++) {
        for (int row = 0; row < DOP_ROWS; row++) {
            paper_note note = papers_no_note;
            note.paper = row < PAPER_DOPS ? paper_table_2[row][i] : NAN;
            note.paper_unit = row < PAPER_DOPS ? "ms" : "";
            papers_write(p, &measured[i], (size_t)row, dop_rows[row].label, &note);
        }
    }
    free_scenes(measured);
}

/* ---- Tables 3 to 5 ---- */

/* The four rules of the paper, then what it left open: all k/2 directions to cut across, the best of all places, and
 * volumes by estimate, which for 18-dops are exact. */
#define RULES(AT)                                                                                                 \
    {"longest side", "k=18+split=longest" AT PAPER_SETTING}, {"min sum", "k=18+split=min-sum" AT PAPER_SETTING},  \
        {"min max", "k=18+split=min-max" AT PAPER_SETTING}, {"splatter", "k=18+split=splatter" AT PAPER_SETTING}, \
        {"longest side (9 directions)", "k=18+split=longest+all-directions=1" AT PAPER_SETTING},                  \
    {                                                                                                             \
        "splatter (9 directions)", "k=18+split=splatter+all-directions=1" AT PAPER_SETTING                        \
    }

static const paper_row mean_rows[] = {RULES("+at=mean"),
                                      {"longest side (best place)", "k=18+split=longest+at=best" PAPER_SETTING},
                                      {"splatter (best place)", "k=18+split=splatter+at=best" PAPER_SETTING},
                                      {"26-dop min sum", "k=26+split=min-sum" PAPER_SETTING},
                                      {"26-dop min sum (estimate)", "k=26+split=min-sum+estimate=1" PAPER_SETTING}};
static const paper_row median_rows[] = {RULES("+at=median")};
enum {
    MEAN_ROWS = sizeof mean_rows / sizeof *mean_rows,
    MEDIAN_ROWS = sizeof median_rows / sizeof *median_rows
};

/* Processor time of one thread, in milliseconds: the median of the repetitions. */
static double build_time(const papers *p, const models_mesh *mesh, const char *word)
{
    const bench_variant variant = bench_variant_parse(word);
    const tumble_model_options build = bench_environment_options(&variant);
    const size_t repetitions = (size_t)p->series.settings->repetitions;
    const tumble_mesh view = models_view(mesh);
    double *samples = bench_allocate(repetitions, sizeof *samples);
    tumble_context_options options = tumble_default_context_options();
    tumble_context *context = NULL;
    options.thread_count = 1;
    bench_require(tumble_context_create(&options, &context), NULL, "a context");
    for (size_t i = 0; i < repetitions; i++) {
        tumble_model *model = NULL;
        const double start = bench_process_microseconds();
        bench_require(tumble_model_create(context, &view, &build, &model), context, "building a model");
        samples[i] = 1e-3 * (bench_process_microseconds() - start);
        tumble_model_destroy(model);
    }
    const double median = bench_median(samples, repetitions);
    tumble_context_destroy(context);
    free(samples);
    return median;
}

/* A row that is built and not queried. */
static void write_build(papers *p, const models_scene *scene, const char *label, const char *word, double milliseconds,
                        double paper)
{
    const paper_row row = {label, word};
    paper_measured measured = papers_build_row(p, scene, &row, 0);
    const paper_note note = {"", NAN, milliseconds, paper, isnan(paper) ? "" : "min"};
    papers_write(p, &measured, 0, label, &note);
    papers_free(&measured);
}

void papers_table_3(papers *p)
{
    static const paper_row others[] = {{"boxtree", "boxtree"}, {"wide", "wide"}};
    print_scene_titles("Milliseconds, one thread");
    for (int row = 0; row < MEAN_ROWS + 2; row++) {
        const paper_row *built = row < MEAN_ROWS ? &mean_rows[row] : &others[row - MEAN_ROWS];
        double values[PAPER_SCENES];
        for (int i = 0; i < PAPER_SCENES; i++) {
            const models_scene *scene = papers_scene(p, i);
            values[i] = build_time(p, &scene->environment, built->word);
            write_build(p, scene, built->label, built->word, values[i],
                        row < PAPER_RULES ? paper_table_3[row][i] : NAN);
        }
        papers_print_numbers(built->label, values, PAPER_SCENES, 1);
    }
    puts("The paper, minutes (1998)");
    for (int row = 0; row < PAPER_RULES; row++) {
        papers_print_numbers(mean_rows[row].label, paper_table_3[row], PAPER_SCENES, 2);
    }
    papers_print_numbers("RAPID", paper_table_3_rapid, PAPER_SCENES, 2);
}

static void run_rules(papers *p, const paper_row *rows, size_t count, const double paper[PAPER_RULES][PAPER_SCENES])
{
    paper_measured measured[PAPER_SCENES];
    measure_scenes(p, rows, count, measured);
    print_scene_titles("");
    print_scenes(rows, count, measured);
    puts("The paper, milliseconds per check (1998)");
    for (int row = 0; row < PAPER_RULES; row++) {
        papers_print_numbers(rows[row].label, paper[row], PAPER_SCENES, 3);
    }
    for (int i = 0; i < PAPER_SCENES; i++) {
        for (size_t row = 0; row < count; row++) {
            paper_note note = papers_no_note;
            note.paper = row < PAPER_RULES ? paper[row][i] : NAN;
            note.paper_unit = row < PAPER_RULES ? "ms" : "";
            papers_write(p, &measured[i], row, rows[row].label, &note);
        }
    }
    free_scenes(measured);
}

void papers_table_4(papers *p)
{
    run_rules(p, mean_rows, MEAN_ROWS, paper_table_4);
}

void papers_table_5(papers *p)
{
    run_rules(p, median_rows, MEDIAN_ROWS, paper_table_5);
}

/* ---- Depth and choices ---- */

static void run_rows(papers *p, const paper_row *rows, size_t count, const char *x_name, const double *xs)
{
    paper_measured measured[PAPER_SCENES];
    measure_scenes(p, rows, count, measured);
    print_scene_titles("");
    print_scenes(rows, count, measured);
    for (int i = 0; i < PAPER_SCENES; i++) {
        for (size_t row = 0; row < count; row++) {
            paper_note note = papers_no_note;
            note.x_name = x_name;
            note.x = xs ? xs[row] : NAN;
            papers_write(p, &measured[i], row, rows[row].label, &note);
        }
    }
    free_scenes(measured);
}

void papers_depth(papers *p)
{
    static const double leaves[] = {1, 2, 4, 8, 16, 40, 80, 160};
    enum {
        LEAVES = sizeof leaves / sizeof *leaves
    };
    char words[LEAVES][160], labels[LEAVES][32];
    paper_row rows[LEAVES];
    for (int i = 0; i < LEAVES; i++) {
        snprintf(words[i], sizeof words[i],
                 "k=18+leaf=1+flyer-leaf=%.0f+tumble=vertices+hull=1+traversal=environment+mixed=volumes", leaves[i]);
        snprintf(labels[i], sizeof labels[i], "%.0f%s", leaves[i], leaves[i] == 40 ? " (the paper's)" : "");
        rows[i] = (paper_row){labels[i], words[i]};
    }
    run_rows(p, rows, LEAVES, "flyer_leaf", leaves);
}

void papers_choices(papers *p)
{
#define SETTING "k=18+leaf=1+flyer-leaf=40"
    static const paper_row rows[] = {
        {"the paper's setting", SETTING "+tumble=vertices+hull=1+traversal=environment+mixed=volumes"},
        {"restart at the root", SETTING "+tumble=vertices+hull=1+traversal=restart+mixed=volumes"},
        {"down both (the larger first)", SETTING "+tumble=vertices+hull=1+traversal=both+mixed=volumes"},
        {"root by vertices too", SETTING "+tumble=vertices+traversal=environment+mixed=volumes"},
        {"leaves as triangles", SETTING "+tumble=vertices+hull=1+traversal=environment+mixed=primitives"},
        {"unit-dop method", SETTING "+tumble=unit+hull=1+traversal=environment+mixed=volumes"},
        {"major axes only", SETTING "+tumble=axes+hull=1+traversal=environment+mixed=volumes"},
        {"table lookup", SETTING "+tumble=lookup+hull=1+traversal=environment+mixed=volumes"},
        {"leaves of 8 in both trees", "k=18+leaf=8+tumble=vertices+hull=1+traversal=environment+mixed=volumes"},
        {"our defaults", "kdop"}};
#undef SETTING
    run_rows(p, rows, sizeof rows / sizeof *rows, "", NULL);
}

void papers_hulls(papers *p)
{
#define SETTING "k=18+leaf=1+flyer-leaf=40+tumble=vertices+traversal=environment+mixed=volumes"
    static const double levels[] = {0, 1, 2, 3, 4, 6};
    static const paper_row rows[] = {{"none", SETTING},
                                     {"the root (the paper's)", SETTING "+hull=1"},
                                     {"2 levels", SETTING "+hull=2"},
                                     {"3 levels", SETTING "+hull=3"},
                                     {"4 levels", SETTING "+hull=4"},
                                     {"6 levels", SETTING "+hull=6"}};
#undef SETTING
    run_rows(p, rows, sizeof rows / sizeof *rows, "hull_levels", levels);
}
