/* The experiments of the papers on k-DOPs and R-trees: what they share.
 *
 * An experiment compares rows, each a variant with the name that the paper's table gives it, on scenes. It prints a
 * table in the paper's layout beside the paper's own numbers, and writes a line of the CSV file for each row and scene.
 */
#ifndef TUMBLE_BENCH_PAPERS_H
#define TUMBLE_BENCH_PAPERS_H

#include "measure.h"
#include "paper_scenes.h"
#include "papers_numbers.h"
#include "series.h"

/* What Klosowski et al. did, except for k and the rule by which sets are cut. */
#define PAPER_SETTING "+leaf=1+flyer-leaf=40+tumble=vertices+hull=1+traversal=environment+mixed=volumes"

typedef struct papers {
    bench_series series;
    models_scene scenes[PAPER_SCENES];
} papers;

typedef struct paper_row {
    const char *label, *word; /* the variant */
} paper_row;

/* Two meshes and a path, and everything measured on them. */
typedef struct paper_measured {
    const char *scene;
    bench_variants variants;
    bench_subject subject;
    bench_result *results; /* one per row */
    size_t flyer_triangles, steps, repetitions;
} paper_measured;

/* Scene number i with its path, made when it is first wanted; with --quick with fewer triangles and steps. */
const models_scene *papers_scene(papers *p, int i);

/* Any scene with its path and another way to bounce; free it with models_free_scene. */
models_scene papers_make_scene(const papers *p, const char *name, models_bounce bounce);

/* The first triangles alone, for quick runs. */
void papers_cut_mesh(models_mesh *mesh, size_t triangles);

/* What a check with our counts would have cost on the paper's machine: its equation 2 with its table 1. */
double papers_at_paper_costs(const paper_costs *costs, const bench_result *result);

/* The heading of scene i in the paper. */
const char *papers_scene_title(int i);

/* Builds all rows' models, checks that their answers agree and takes the times. `query_microseconds` as in bench_scene.
 * Free what it returns with papers_free. */
paper_measured papers_measure(papers *p, const models_scene *scene, const paper_row *rows, size_t count,
                              tumble_mode mode, double *query_microseconds);

/* The same for what is no scene of table 2: a subject whose models are there, and a full turn at a distance, or a path.
 * The subject is then the measurement's. */
paper_measured papers_measure_subject(papers *p, bench_variants variants, bench_subject subject, const bench_scene *how,
                                      size_t flyer_triangles);
bench_variants papers_variants(const paper_row *rows, size_t count);

/* One row's models without a measurement: what the results say is the caller's. */
paper_measured papers_build_row(const papers *p, const models_scene *scene, const paper_row *row, size_t steps);
void papers_free(paper_measured *measured);

/* A line of the CSV file: what was measured for a row at `x` (a quantity named by `x_name`), the processor time to
 * build the environment where it was taken (else NaN), and what the paper has (NaN: nothing). */
typedef struct paper_note {
    const char *x_name;
    double x, build_milliseconds, paper;
    const char *paper_unit;
} paper_note;
extern const paper_note papers_no_note;
void papers_write(papers *p, const paper_measured *measured, size_t row, const char *label, const paper_note *note);

/* The same for what is no model. */
void papers_write_plain(papers *p, const char *scene, const char *row, const bench_result *result);

/* Tables for people: a line of column titles, then lines of numbers, NaN as a dash. */
void papers_print_titles(const char *title, const char *const *columns, size_t count);
void papers_print_numbers(const char *label, const double *values, size_t count, int decimals);

/* N_v, N_u, N_p or the time of all rows of some measurements, one column a measurement. */
typedef enum paper_quantity {
    PAPER_MICROSECONDS,
    PAPER_VOLUME_TESTS,
    PAPER_UPDATES,
    PAPER_TRIANGLE_TESTS
} paper_quantity;
double papers_quantity(const bench_result *result, paper_quantity quantity);
void papers_print_quantity(const char *title, const paper_row *rows, size_t row_count, const paper_measured *measured,
                           size_t measured_count, paper_quantity quantity);

/* The part of the experiment on loads that is about the grids of figure 7. */
void papers_grid_loads(papers *p, const paper_row *rows, size_t count);

/* A sphere of about so many triangles. */
models_mesh papers_sphere(const papers *p, size_t triangles);

/* The experiments. */
void papers_table_1(papers *p);
void papers_table_2(papers *p);
void papers_table_3(papers *p);
void papers_table_4(papers *p);
void papers_table_5(papers *p);
void papers_table_6(papers *p);
void papers_table_7(papers *p);
void papers_figure_3(papers *p);
void papers_depth(papers *p);
void papers_choices(papers *p);
void papers_hot(papers *p);
void papers_hulls(papers *p);
void papers_memory(papers *p);
void papers_billiard(papers *p);
void papers_swept(papers *p);
void papers_design_directions(papers *p);
void papers_design_shape(papers *p);
void papers_design_thresholds(papers *p);
void papers_design_orientation(papers *p);
void papers_figure_10(papers *p);
void papers_figure_11(papers *p);
void papers_figure_12(papers *p);
void papers_lookup(papers *p);
void papers_leaves(papers *p);
void papers_plant_table_1(papers *p);
void papers_plant_table_2(papers *p);
void papers_plant_table_3(papers *p);
void papers_loads(papers *p);
void papers_z_figure_8(papers *p);
void papers_z_tables(papers *p);
void papers_z_table_times(papers *p);
void papers_z_empty(papers *p);
void papers_z_look_ahead(papers *p);
void papers_widths(papers *p);
void papers_figure_7(papers *p);

#endif
