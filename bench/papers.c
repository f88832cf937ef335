/* The experiments of the papers on k-DOPs and R-trees: the command, scenes, measuring and printing. */
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"

/* ---- Scenes ---- */

enum {
    QUICK_STEPS = 12,
    QUICK_ENVIRONMENT = 2000, /* triangles */
    QUICK_FLYER = 600
};

void papers_cut_mesh(models_mesh *mesh, size_t triangles)
{
    if (mesh->polygon_count > triangles) {
        mesh->polygon_count = triangles;
        mesh->index_count = 3 * triangles;
    }
}

static void make_quick(models_scene *scene)
{
    papers_cut_mesh(&scene->environment, QUICK_ENVIRONMENT);
    papers_cut_mesh(&scene->flyer, QUICK_FLYER);
    scene->steps = QUICK_STEPS;
    if (scene->path_length > QUICK_STEPS) {
        scene->path_length = QUICK_STEPS;
    }
}

static int touches(void *user, const tumble_pose *pose)
{
    const bench_contestant *contestant = user;
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    bench_require(
        tumble_collide(contestant->query, contestant->model, NULL, contestant->flyer, pose, &options, &result),
        contestant->context, "a query");
    return result.collide;
}

/* Any hierarchy steers the flight: all give the same answers. */
static void fly(models_scene *scene)
{
    bench_variants variants = bench_variants_parse("default");
    bench_subject subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants);
    if (!models_fly(scene, touches, &subject.contestants[0])) {
        bench_fail("the flyer of '%s' finds no place to start from", scene->name);
    }
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
}

models_scene papers_make_scene(const papers *p, const char *name, models_bounce bounce)
{
    models_scene scene;
    if (!models_make_scene(&scene, name)) {
        bench_fail("no memory for the scene '%s'", name);
    }
    if (p->series.settings->quick) {
        make_quick(&scene);
    }
    scene.billiard.bounce = bounce;
    fly(&scene);
    return scene;
}

const models_scene *papers_scene(papers *p, int i)
{
    models_scene *scene = &p->scenes[i];
    if (!scene->name) {
        *scene = papers_make_scene(p, models_scene_names()[i], MODELS_BOUNCE_ASIDE);
    }
    return scene;
}

const char *papers_scene_title(int i)
{
    static const char *const titles[PAPER_SCENES] = {"Pipes", "Torus", "747", "Swept", "Interior"};
    return titles[i];
}

/* ---- Measuring ---- */

bench_variants papers_variants(const paper_row *rows, size_t count)
{
    bench_variants variants = {bench_allocate(count, sizeof *variants.items), count};
    for (size_t i = 0; i < count; i++) {
        variants.items[i] = bench_variant_parse(rows[i].word);
    }
    return variants;
}

paper_measured papers_measure_subject(papers *p, bench_variants variants, bench_subject subject, const bench_scene *how,
                                      size_t flyer_triangles)
{
    paper_measured measured = {.scene = subject.shape,
                               .variants = variants,
                               .subject = subject,
                               .results = bench_allocate(subject.count, sizeof *measured.results),
                               .flyer_triangles = flyer_triangles,
                               .steps = how->steps,
                               .repetitions = how->repetitions};
    bench_scene scene = *how;
    scene.subject = &measured.subject;
    if (!bench_measure(&scene, measured.results)) {
        p->series.differ = 1;
    }
    return measured;
}

paper_measured papers_measure(papers *p, const models_scene *scene, const paper_row *rows, size_t count,
                              tumble_mode mode, double *query_microseconds)
{
    const bench_variants variants = papers_variants(rows, count);
    const bench_scene how = {.mode = mode,
                             .steps = scene->path_length,
                             .repetitions = (size_t)p->series.settings->repetitions,
                             .path = scene->path,
                             .query_microseconds = query_microseconds};
    const bench_subject subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants);
    return papers_measure_subject(p, variants, subject, &how, models_triangle_count(&scene->flyer));
}

paper_measured papers_build_row(const papers *p, const models_scene *scene, const paper_row *row, size_t steps)
{
    const bench_variants variants = papers_variants(row, 1);
    return (paper_measured){.scene = scene->name,
                            .variants = variants,
                            .subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants),
                            .results = bench_allocate(1, sizeof(bench_result)),
                            .flyer_triangles = models_triangle_count(&scene->flyer),
                            .steps = steps,
                            .repetitions = (size_t)p->series.settings->repetitions};
}

void papers_free(paper_measured *measured)
{
    bench_subject_destroy(&measured->subject);
    bench_variants_free(&measured->variants);
    free(measured->results);
    measured->results = NULL;
}

const paper_note papers_no_note = {"", NAN, NAN, NAN, ""};

void papers_write(papers *p, const paper_measured *measured, size_t row, const char *label, const paper_note *note)
{
    const bench_contestant *contestant = &measured->subject.contestants[row];
    const bench_result *result = &measured->results[row];
    bench_csv *csv = &p->series.csv;
    bench_csv_text(csv, "experiment", p->series.experiment);
    bench_csv_text(csv, "scene", measured->scene);
    bench_csv_text(csv, "row", label);
    bench_csv_text(csv, "variant", contestant->variant->name);
    bench_csv_text(csv, "x_name", note->x_name);
    bench_csv_number(csv, "x", note->x);
    bench_csv_number(csv, "k", contestant->variant->tuning.kdop.k);
    bench_csv_count(csv, "environment_triangles", measured->subject.triangle_count);
    bench_csv_count(csv, "flyer_triangles", measured->flyer_triangles);
    bench_csv_count(csv, "steps", measured->steps);
    bench_csv_count(csv, "repetitions", measured->repetitions);
    bench_csv_number(csv, "mean_us", result->mean_microseconds);
    bench_csv_number(csv, "median_us", result->median_microseconds);
    bench_csv_number(csv, "volume_tests", result->box_tests);
    bench_csv_number(csv, "updates", result->box_updates);
    bench_csv_number(csv, "triangle_tests", result->primitive_tests);
    bench_csv_count(csv, "hits", result->hits);
    bench_csv_count(csv, "pairs", result->pairs);
    bench_csv_hash(csv, "answer_hash", result->hash);
    bench_csv_number(csv, "build_ms", note->build_milliseconds);
    bench_csv_count(csv, "environment_nodes", contestant->info.node_count);
    bench_csv_count(csv, "environment_hierarchy_bytes", contestant->info.hierarchy_bytes);
    bench_csv_count(csv, "environment_bytes", contestant->info.total_bytes);
    bench_csv_count(csv, "flyer_nodes", contestant->flyer_info.node_count);
    bench_csv_count(csv, "flyer_hierarchy_bytes", contestant->flyer_info.hierarchy_bytes);
    bench_csv_number(csv, "paper", note->paper);
    bench_csv_text(csv, "paper_unit", note->paper_unit);
    bench_csv_end_row(csv);
}

/* ---- Printing ---- */

enum {
    LABEL_WIDTH = 34,
    NUMBER_WIDTH = 11
};

void papers_print_titles(const char *title, const char *const *columns, size_t count)
{
    printf("%-*s", LABEL_WIDTH, title);
    for (size_t i = 0; i < count; i++) {
        printf(" %*s", NUMBER_WIDTH, columns[i]);
    }
    putchar('\n');
}

void papers_print_numbers(const char *label, const double *values, size_t count, int decimals)
{
    printf("  %-*s", LABEL_WIDTH - 2, label);
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) {
            printf(" %*s", NUMBER_WIDTH, "-");
        } else {
            printf(" %*.*f", NUMBER_WIDTH, decimals, values[i]);
        }
    }
    putchar('\n');
    fflush(stdout);
}

double papers_quantity(const bench_result *result, paper_quantity quantity)
{
    switch (quantity) {
    case PAPER_MICROSECONDS: return result->mean_microseconds;
    case PAPER_VOLUME_TESTS: return result->box_tests;
    case PAPER_UPDATES: return result->box_updates;
    case PAPER_TRIANGLE_TESTS: return result->primitive_tests;
    }
    return NAN;
}

void papers_print_quantity(const char *title, const paper_row *rows, size_t row_count, const paper_measured *measured,
                           size_t measured_count, paper_quantity quantity)
{
    printf("%s\n", title);
    for (size_t row = 0; row < row_count; row++) {
        double values[BENCH_MOST_ITEMS];
        for (size_t i = 0; i < measured_count && i < BENCH_MOST_ITEMS; i++) {
            values[i] = papers_quantity(&measured[i].results[row], quantity);
        }
        papers_print_numbers(rows[row].label, values, measured_count, quantity == PAPER_MICROSECONDS ? 2 : 1);
    }
}

/* ---- The command ---- */

static const struct experiment {
    const char *name, *title;
    void (*run)(papers *p);
} experiments[] = {
    {"k-table-1", "Klosowski et al., table 1: cost of a volume test, of an update, of a triangle test", papers_table_1},
    {"k-table-2", "Klosowski et al., table 2: time of a check", papers_table_2},
    {"k-table-3", "Klosowski et al., table 3: time to build the environment's tree, 18-dops", papers_table_3},
    {"k-table-4", "Klosowski et al., table 4: time of a check, 18-dops, sets divided at the mean", papers_table_4},
    {"k-table-5", "Klosowski et al., table 5: time of a check, 18-dops, sets divided at the median", papers_table_5},
    {"k-table-6", "Klosowski et al., table 6: volume tests, nested spheres of 2,000 triangles", papers_table_6},
    {"k-table-7", "Klosowski et al., table 7: volume tests, nested spheres of 20,000 triangles", papers_table_7},
    {"k-figure-3", "Klosowski et al., figure 3: time of each check of Pipes, 18-dops", papers_figure_3},
    {"k-depth", "Klosowski et al., section 4.3: triangles of a leaf of the flyer, 18-dops", papers_depth},
    {"k-choices", "Klosowski et al., sections 3.3.4, 4.1, 4.2: choices, one changed at a time, 18-dops",
     papers_choices},
    {"k-hot", "Klosowski et al., section 6: hot starts, box tests and time of a check", papers_hot},
    {"k-hulls", "Klosowski et al., section 4.1: hill climbing on more levels than the root", papers_hulls},
    {"k-memory", "Klosowski et al., section 5: memory", papers_memory},
    {"k-billiard", "Klosowski et al., section 5.2: what a billiard path does at a contact", papers_billiard},
    {"k-swept", "Klosowski et al., table 2: what lies between the arms of Swept's object", papers_swept},
    {"k-directions", "Klosowski et al., section 3.3.3: k beyond 26, directions of 0, 1 and 2",
     papers_design_directions},
    {"k-degree", "Klosowski et al., sections 3.3.1, 3.3.2: more than two children, trees built bottom up",
     papers_design_shape},
    {"k-thresholds", "Klosowski et al., section 4.3: leaves of the flyer by a rule of costs, 18-dops",
     papers_design_thresholds},
    {"k-orientation", "Klosowski et al., section 4.1: the flyer's orientation, 18-dops", papers_design_orientation},
    {"z-figure-8", "Zachmann, figure 8: boxtrees and k-DOP trees over shapes and sizes", papers_z_figure_8},
    {"z-tables", "Zachmann, section 3.2.2: lookup tables of 1,000 integers", papers_z_tables},
    {"z-empty", "Zachmann, section 3.1: empty space of an AABB tree's nodes", papers_z_empty},
    {"z-look-ahead", "Zachmann, section 6.1: looking ahead; section 4.2: perpendicular planes", papers_z_look_ahead},
    {"f-figure-10", "Fuenfzig and Fellner, figure 10: two animals, 14-dops", papers_figure_10},
    {"f-figure-11", "Fuenfzig and Fellner, figure 11: parallel close proximity", papers_figure_11},
    {"f-figure-12", "Fuenfzig and Fellner, figure 12: point close proximity", papers_figure_12},
    {"f-lookup", "Fuenfzig and Fellner: table lookup against all other ways, on every scene, 14-dops", papers_lookup},
    {"f-leaves", "Fuenfzig and Fellner, section 6: leaves without volumes", papers_leaves},
    {"s-table-1", "Figueiredo, table 1: the process plant, with and without the overlapping box", papers_plant_table_1},
    {"s-table-2", "Figueiredo, table 2: operations of a step of the process plant", papers_plant_table_2},
    {"s-table-3", "Figueiredo, table 3: the process plant with other hierarchies", papers_plant_table_3},
    {"s-loads", "R-trees: ways of loading them", papers_loads},
    {"s-widths", "R-trees: children of a node, and the paper's numbers of box tests", papers_widths},
    {"s-figure-7", "Figueiredo, figure 7: two grids that do not touch", papers_figure_7},
    {NULL, NULL, NULL}};

int bench_run_papers(const bench_settings *settings)
{
    papers p = {.series = {.differ = 0}};
    bench_series_open(&p.series, settings, experiments, sizeof *experiments);
    bench_series_set_origin(&p.series);
    for (const struct experiment *experiment = experiments; experiment->name; experiment++) {
        if (bench_series_wants(&p.series, experiment->name, experiment->title)) {
            experiment->run(&p);
        }
    }
    for (int i = 0; i < PAPER_SCENES; i++) {
        models_free_scene(&p.scenes[i]);
    }
    return bench_series_close(&p.series);
}
