/* Klosowski et al. 1998: tables 6 and 7, figure 3. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "papers.h"
#include "statistics.h"

static double most_of(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, values[i]);
    }
    return most;
}

/* ---- Figure 3: every single check ---- */

void papers_figure_3(papers *p)
{
    static const paper_row rows[] = {
        {"18-dop", "k=18" PAPER_SETTING}, {"k-dops (our defaults)", "kdop"}, {"wide", "wide"}};
    static const char *const titles[] = {"mean", "median", "most"};
    enum {
        ROWS = sizeof rows / sizeof *rows
    };
    const models_scene *scene = papers_scene(p, 0);
    const size_t steps = scene->path_length;
    double *times = bench_allocate(ROWS * steps, sizeof *times);
    paper_measured measured = papers_measure(p, scene, rows, ROWS, TUMBLE_ALL, times);
    papers_print_titles("Microseconds a check", titles, 3);
    for (size_t row = 0; row < ROWS; row++) {
        const double values[3] = {measured.results[row].mean_microseconds, measured.results[row].median_microseconds,
                                  most_of(times + row * steps, steps)};
        papers_print_numbers(rows[row].label, values, 3, 2);
        for (size_t step = 0; step < steps; step++) {
            const paper_note note = {"step", (double)step, NAN, NAN, ""};
            bench_result single = measured.results[row];
            const bench_result kept = single;
            single.mean_microseconds = single.median_microseconds = times[row * steps + step];
            measured.results[row] = single;
            papers_write(p, &measured, row, rows[row].label, &note);
            measured.results[row] = kept;
        }
    }
    puts("The paper: 366 microseconds on average, 18 milliseconds at most (1998)");
    papers_free(&measured);
    free(times);
}

/* ---- Spheres: subjects that are no scene of table 2 ---- */

models_mesh papers_sphere(const papers *p, size_t triangles)
{
    models_mesh mesh;
    if (!models_make_facets(&mesh, p->series.settings->quick ? 500 : triangles)) {
        bench_fail("no memory for a sphere of %zu triangles", triangles);
    }
    return mesh;
}

/* ---- Tables 6 and 7 ---- */

static const paper_row sphere_rows[] = {{"6-dop", "k=6+leaf=1+traversal=environment+mixed=volumes"},
                                        {"14-dop", "k=14+leaf=1+traversal=environment+mixed=volumes"},
                                        {"18-dop", "k=18+leaf=1+traversal=environment+mixed=volumes"},
                                        {"26-dop", "k=26+leaf=1+traversal=environment+mixed=volumes"},
                                        {"12-dop", "k=12+leaf=1+traversal=environment+mixed=volumes"},
                                        {"26-dop (larger first)", "k=26+leaf=1+traversal=both+mixed=volumes"},
                                        {"boxtree", "boxtree"},
                                        {"wide", "wide"}};
enum {
    SPHERE_ROWS = sizeof sphere_rows / sizeof *sphere_rows
};

/* The inner sphere is the outer one, scaled. */
static void run_nested(papers *p, size_t triangles, const double paper[PAPER_DOPS][PAPER_ALPHAS],
                       const double rapid[PAPER_ALPHAS])
{
    models_mesh sphere = papers_sphere(p, triangles);
    paper_measured measured[PAPER_ALPHAS];
    char titles[PAPER_ALPHAS][16];
    const char *columns[PAPER_ALPHAS];
    for (int i = 0; i < PAPER_ALPHAS; i++) {
        const double scale = 1 - paper_alphas[i];
        const tumble_pose pose = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        const bench_scene how = {
            .mode = TUMBLE_TEST, .steps = 1, .repetitions = (size_t)p->series.settings->repetitions, .path = &pose};
        const bench_variants variants = papers_variants(sphere_rows, SPHERE_ROWS);
        measured[i] = papers_measure_subject(p, variants, bench_subject_of("spheres", &sphere, &sphere, &variants),
                                             &how, models_triangle_count(&sphere));
        snprintf(titles[i], sizeof titles[i], "%g", paper_alphas[i]);
        columns[i] = titles[i];
        for (size_t row = 0; row < SPHERE_ROWS; row++) {
            const paper_note note = {"alpha", paper_alphas[i], NAN, row < PAPER_DOPS ? paper[row][i] : NAN,
                                     row < PAPER_DOPS ? "volume tests" : ""};
            papers_write(p, &measured[i], row, sphere_rows[row].label, &note);
        }
    }
    papers_print_titles("Difference of the radii", columns, PAPER_ALPHAS);
    papers_print_quantity("N_v: volume tests", sphere_rows, SPHERE_ROWS, measured, PAPER_ALPHAS, PAPER_VOLUME_TESTS);
    papers_print_quantity("N_p: triangle tests", sphere_rows, SPHERE_ROWS, measured, PAPER_ALPHAS,
                          PAPER_TRIANGLE_TESTS);
    papers_print_quantity("Microseconds", sphere_rows, SPHERE_ROWS, measured, PAPER_ALPHAS, PAPER_MICROSECONDS);
    puts("The paper, volume tests");
    for (int row = 0; row < PAPER_DOPS; row++) {
        papers_print_numbers(sphere_rows[row].label, paper[row], PAPER_ALPHAS, 0);
    }
    papers_print_numbers("RAPID", rapid, PAPER_ALPHAS, 0);
    for (int i = 0; i < PAPER_ALPHAS; i++) {
        papers_free(&measured[i]);
    }
    models_free(&sphere);
}

void papers_table_6(papers *p)
{
    run_nested(p, 2000, paper_table_6, paper_table_6_rapid);
}

void papers_table_7(papers *p)
{
    run_nested(p, 20000, paper_table_7, paper_table_7_rapid);
}
