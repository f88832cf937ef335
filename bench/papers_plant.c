/* Figueiredo's process plant: tables 1 to 3, and ways of loading R-trees.
 *
 * A step is a query of one pair of parts, the one that is being joined: what a broad phase leaves. Figures are means
 * over the 233 steps of all operations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "papers.h"
#include "plant.h"
#include "statistics.h"

/* What the paper's figure 4 does: B's triangles one by one. */
#define FIGURE_4 "single=1+probe=b"

enum {
    QUICK_STEPS = 3,
    QUICK_PART = 300, /* triangles */
    MOST_ROWS = 8
};

/* ---- The plant ---- */

static void make_quick(models_plant *plant)
{
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        papers_cut_mesh(&plant->parts[i].mesh, QUICK_PART);
    }
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        plant->operations[i].path_length = QUICK_STEPS;
    }
}

static models_plant make_plant(const papers *p)
{
    models_plant plant;
    if (!models_make_plant(&plant)) {
        bench_fail("no memory for the plant");
    }
    if (p->series.settings->quick) {
        make_quick(&plant);
    }
    return plant;
}

/* All operations, each with all rows; and each row's mean of a step, with the answers' sums. */
typedef struct plant_measured {
    paper_measured operations[MODELS_PLANT_OPERATIONS];
    bench_result means[MOST_ROWS];
} plant_measured;

static void add_share(bench_result *mean, const bench_result *result, double share)
{
    mean->mean_microseconds += share * result->mean_microseconds;
    mean->box_tests += share * result->box_tests;
    mean->box_updates += share * result->box_updates;
    mean->primitive_tests += share * result->primitive_tests;
    mean->hits += result->hits;
    mean->pairs += result->pairs;
}

static plant_measured measure_plant(papers *p, const models_plant *plant, const paper_row *rows, size_t count,
                                    tumble_mode mode)
{
    plant_measured out;
    size_t steps = 0;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        steps += plant->operations[i].path_length;
    }
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        const models_plant_operation *operation = &plant->operations[i];
        const models_scene scene = {.name = operation->name,
                                    .environment = plant->parts[operation->target].mesh,
                                    .flyer = plant->parts[operation->moving].mesh,
                                    .path = operation->path,
                                    .path_length = operation->path_length};
        out.operations[i] = papers_measure(p, &scene, rows, count, mode, NULL);
        for (size_t row = 0; row < count; row++) {
            add_share(&out.means[row], &out.operations[i].results[row], (double)operation->path_length / (double)steps);
        }
    }
    return out;
}

/* A line of the CSV file for each operation; what the paper has is its mean over all of them. */
static void write_row(papers *p, const plant_measured *measured, size_t row, const char *label, const paper_note *note)
{
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        papers_write(p, &measured->operations[i], row, label, note);
    }
}

static void free_measured(plant_measured *measured)
{
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        papers_free(&measured->operations[i]);
    }
}

/* ---- Tables 1 and 2 ---- */

static const paper_row box_rows[] = {{"one by one (overlapping box)", "rtree+" FIGURE_4},
                                     {"one by one (without)", "rtree+" FIGURE_4 "+whole=1"},
                                     {"clusters (overlapping box)", "rtree"},
                                     {"clusters (without)", "rtree+whole=1"}};
enum {
    BOX_ROWS = sizeof box_rows / sizeof *box_rows
};

void papers_plant_table_1(papers *p)
{
    static const tumble_mode modes[PAPER_KINDS] = {TUMBLE_FIRST, TUMBLE_SURFACES, TUMBLE_ALL};
    static const char *const titles[PAPER_KINDS] = {"first", "surfaces", "triangles"};
    models_plant plant = make_plant(p);
    double times[BOX_ROWS][PAPER_KINDS], found[PAPER_KINDS];
    for (int kind = 0; kind < PAPER_KINDS; kind++) {
        plant_measured measured = measure_plant(p, &plant, box_rows, BOX_ROWS, modes[kind]);
        found[kind] = (double)measured.means[0].pairs;
        for (size_t row = 0; row < BOX_ROWS; row++) {
            paper_note note = papers_no_note;
            note.x_name = titles[kind];
            note.paper = paper_plant_times[row % 2][kind];
            note.paper_unit = "ms";
            times[row][kind] = measured.means[row].mean_microseconds;
            write_row(p, &measured, row, box_rows[row].label, &note);
        }
        free_measured(&measured);
    }
    papers_print_titles("Microseconds a step", titles, PAPER_KINDS);
    for (size_t row = 0; row < BOX_ROWS; row++) {
        papers_print_numbers(box_rows[row].label, times[row], PAPER_KINDS, 2);
    }
    papers_print_numbers("pairs found in all steps", found, PAPER_KINDS, 0);
    puts("The paper, milliseconds per step");
    papers_print_numbers("overlapping box", paper_plant_times[0], PAPER_KINDS, 2);
    papers_print_numbers("without", paper_plant_times[1], PAPER_KINDS, 2);
    models_free_plant(&plant);
}

/* Two lines: a quantity with the first triangle and with all, each with the overlapping box and without. */
static void print_operations(const char *label, const plant_measured measured[2], size_t row, paper_quantity quantity)
{
    double values[4];
    for (size_t i = 0; i < 4; i++) {
        values[i] = papers_quantity(&measured[i / 2].means[row + i % 2], quantity);
    }
    papers_print_numbers(label, values, 4, 0);
}

static void print_paper_operations(const char *label, const double numbers[2][2])
{
    const double values[4] = {numbers[0][0], numbers[1][0], numbers[0][1], numbers[1][1]};
    papers_print_numbers(label, values, 4, 0);
}

void papers_plant_table_2(papers *p)
{
    static const tumble_mode modes[2] = {TUMBLE_FIRST, TUMBLE_ALL};
    static const char *const titles[4] = {"first: box", "without", "all: box", "without"};
    models_plant plant = make_plant(p);
    plant_measured measured[2];
    for (int all = 0; all < 2; all++) {
        measured[all] = measure_plant(p, &plant, box_rows, BOX_ROWS, modes[all]);
        for (size_t row = 0; row < BOX_ROWS; row++) {
            paper_note note = papers_no_note;
            note.x_name = bench_mode_name(modes[all]);
            note.paper = paper_plant_tests[row % 2][all];
            note.paper_unit = "tests";
            write_row(p, &measured[all], row, box_rows[row].label, &note);
        }
    }
    papers_print_titles("Box tests", titles, 4);
    print_operations("one by one", measured, 0, PAPER_VOLUME_TESTS);
    print_operations("clusters", measured, 2, PAPER_VOLUME_TESTS);
    print_paper_operations("the paper", paper_plant_tests);
    puts("Updates");
    print_operations("one by one", measured, 0, PAPER_UPDATES);
    print_operations("clusters", measured, 2, PAPER_UPDATES);
    print_paper_operations("the paper", paper_plant_updates);
    puts("Triangle tests");
    print_operations("one by one", measured, 0, PAPER_TRIANGLE_TESTS);
    print_operations("clusters", measured, 2, PAPER_TRIANGLE_TESTS);
    free_measured(&measured[0]);
    free_measured(&measured[1]);
    models_free_plant(&plant);
}

/* ---- Table 3 ---- */

void papers_plant_table_3(papers *p)
{
    static const paper_row rows[] = {{"S-CD in the paper's way", "rtree+" FIGURE_4},
                                     {"rtree", "rtree"},
                                     {"wide", "wide"},
                                     {"kdop", "kdop"},
                                     {"boxtree", "boxtree"}};
    enum {
        ROWS = sizeof rows / sizeof *rows
    };
    static const tumble_mode modes[2] = {TUMBLE_FIRST, TUMBLE_ALL};
    static const char *const titles[6] = {"first", "all", "box tests", "(all)", "tri. tests", "(all)"};
    models_plant plant = make_plant(p);
    double values[ROWS][6];
    for (int all = 0; all < 2; all++) {
        plant_measured measured = measure_plant(p, &plant, rows, ROWS, modes[all]);
        for (size_t row = 0; row < ROWS; row++) {
            paper_note note = papers_no_note;
            const paper_toolkit *ours = &paper_plant_toolkits[PAPER_TOOLKITS - 1];
            note.x_name = bench_mode_name(modes[all]);
            note.paper = row == 0 ? (all ? ours->all : ours->first) : NAN;
            note.paper_unit = row == 0 ? "ms" : "";
            values[row][all] = measured.means[row].mean_microseconds;
            values[row][2 + all] = measured.means[row].box_tests;
            values[row][4 + all] = measured.means[row].primitive_tests;
            write_row(p, &measured, row, rows[row].label, &note);
        }
        free_measured(&measured);
    }
    papers_print_titles("Microseconds a step", titles, 6);
    for (size_t row = 0; row < ROWS; row++) {
        papers_print_numbers(rows[row].label, values[row], 6, 1);
    }
    puts("The paper, milliseconds per step");
    for (int i = 0; i < PAPER_TOOLKITS; i++) {
        papers_print_numbers(paper_plant_toolkits[i].name,
                             (const double[]){paper_plant_toolkits[i].first, paper_plant_toolkits[i].all}, 2, 2);
    }
    models_free_plant(&plant);
}

/* ---- Loads ---- */

typedef struct load_cost {
    double milliseconds, bytes; /* of all parts */
} load_cost;

static load_cost build_parts(const papers *p, const models_plant *plant, const char *word)
{
    const bench_variant variant = bench_variant_parse(word);
    const tumble_model_options options = bench_model_options(&variant);
    const size_t repetitions = (size_t)p->series.settings->repetitions;
    double *samples = bench_allocate(repetitions, sizeof *samples);
    tumble_context *context = NULL;
    load_cost cost = {0, 0};
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        const tumble_mesh view = models_view(&plant->parts[i].mesh);
        tumble_model_info info = {0};
        for (size_t k = 0; k < repetitions; k++) {
            tumble_model *model = NULL;
            bench_require(tumble_model_create(context, &view, &options, &model), context, "building a model");
            bench_require(tumble_model_get_info(model, &info), context, "a model");
            samples[k] = info.build_seconds;
            tumble_model_destroy(model);
        }
        cost.milliseconds += 1e3 * bench_median(samples, repetitions);
        cost.bytes += (double)info.hierarchy_bytes;
    }
    tumble_context_destroy(context);
    free(samples);
    return cost;
}

void papers_loads(papers *p)
{
#define LOAD_ROW(name, number, word, text) {word, "load=" word},
    static const paper_row rows[] = {TUMBLE_RTREE_LOAD_LIST(LOAD_ROW)};
#undef LOAD_ROW
    enum {
        ROWS = sizeof rows / sizeof *rows
    };
    static const char *const titles[7] = {"first (us)", "all (us)", "box tests", "(all)",
                                          "tri. tests", "bytes",    "build (ms)"};
    static const tumble_mode modes[2] = {TUMBLE_FIRST, TUMBLE_ALL};
    models_plant plant = make_plant(p);
    double values[ROWS][7];
    for (size_t row = 0; row < ROWS; row++) {
        const load_cost cost = build_parts(p, &plant, rows[row].word);
        values[row][5] = cost.bytes;
        values[row][6] = cost.milliseconds;
    }
    for (int all = 0; all < 2; all++) {
        plant_measured measured = measure_plant(p, &plant, rows, ROWS, modes[all]);
        for (size_t row = 0; row < ROWS; row++) {
            paper_note note = papers_no_note;
            note.x_name = bench_mode_name(modes[all]);
            note.build_milliseconds = values[row][6];
            values[row][all] = measured.means[row].mean_microseconds;
            values[row][2 + all] = measured.means[row].box_tests;
            values[row][4] = measured.means[row].primitive_tests;
            write_row(p, &measured, row, rows[row].label, &note);
        }
        free_measured(&measured);
    }
    papers_print_titles("The process plant", titles, 7);
    for (size_t row = 0; row < ROWS; row++) {
        papers_print_numbers(rows[row].label, values[row], 7, 1);
    }
    papers_grid_loads(p, rows, ROWS);
    models_free_plant(&plant);
}

/* ---- Widths ---- */

/* The same without the overlapping box, and what the trees take. */
static void print_widths(papers *p, const models_plant *plant, const paper_row rows[8], double values[8][7])
{
    char words[8][96];
    paper_row whole[8];
    for (size_t row = 0; row < 8; row++) {
        snprintf(words[row], sizeof words[row], "%s+whole=1", rows[row].word);
        whole[row] = (paper_row){rows[row].label, words[row]};
    }
    for (int all = 0; all < 2; all++) {
        plant_measured measured = measure_plant(p, plant, whole, 8, all ? TUMBLE_ALL : TUMBLE_FIRST);
        for (size_t row = 0; row < 8; row++) {
            values[row][2 * all + 1] = measured.means[row].box_tests;
        }
        free_measured(&measured);
    }
    for (size_t row = 0; row < 8; row++) {
        const load_cost cost = build_parts(p, plant, rows[row].word);
        values[row][5] = cost.bytes;
        values[row][6] = cost.milliseconds;
        papers_print_numbers(rows[row].label, values[row], 7, 1);
    }
}

/* What makes the numbers of box tests of table 2: the children of a node, and how they came into it. */
void papers_widths(papers *p)
{
#define WIDTH_ROWS(load)                                                 \
    {load ", 2", "rtree+" FIGURE_4 "+load=" load "+node-width=2"},       \
        {load ", 3", "rtree+" FIGURE_4 "+load=" load "+node-width=3"},   \
        {load ", 4", "rtree+" FIGURE_4 "+load=" load "+node-width=4"},   \
        {load ", 6", "rtree+" FIGURE_4 "+load=" load "+node-width=6"},   \
        {load ", 8", "rtree+" FIGURE_4 "+load=" load "+node-width=8"},   \
        {load ", 12", "rtree+" FIGURE_4 "+load=" load "+node-width=12"}, \
        {load ", 16", "rtree+" FIGURE_4 "+load=" load "+node-width=16"}, \
    {                                                                    \
        load ", 32", "rtree+" FIGURE_4 "+load=" load "+node-width=32"    \
    }
    static const paper_row rows[][8] = {{WIDTH_ROWS("halves")}, {WIDTH_ROWS("insert")}, {WIDTH_ROWS("guttman")}};
#undef WIDTH_ROWS
    static const char *const titles[7] = {"first: tests", "without", "all: tests", "without",
                                          "all (us)",     "bytes",   "build (ms)"};
    models_plant plant = make_plant(p);
    papers_print_titles("One by one", titles, 7);
    for (size_t load = 0; load < sizeof rows / sizeof *rows; load++) {
        double values[8][7];
        for (int all = 0; all < 2; all++) {
            plant_measured measured = measure_plant(p, &plant, rows[load], 8, all ? TUMBLE_ALL : TUMBLE_FIRST);
            for (size_t row = 0; row < 8; row++) {
                paper_note note = papers_no_note;
                note.x_name = all ? "all" : "first";
                values[row][2 * all] = measured.means[row].box_tests;
                values[row][4] = measured.means[row].mean_microseconds;
                write_row(p, &measured, row, rows[load][row].label, &note);
            }
            free_measured(&measured);
        }
        print_widths(p, &plant, rows[load], values);
    }
    printf("The paper: %.0f and %.0f box tests with the overlapping box, %.0f and %.0f without\n",
           paper_plant_tests[0][0], paper_plant_tests[0][1], paper_plant_tests[1][0], paper_plant_tests[1][1]);
    models_free_plant(&plant);
}
