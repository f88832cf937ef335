/* Klosowski et al. 1998: tables 6 and 7, figure 3. Fuenfzig and Fellner 2003: figures 10 to 12. */
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

/* ---- Spheres and animals: subjects that are no scene of table 2 ---- */

static models_mesh make_sphere(const papers *p, size_t triangles)
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
    models_mesh sphere = make_sphere(p, triangles);
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

/* ---- Fuenfzig and Fellner ----
 * Their trees are cut across the longest of all directions at the median, with a triangle in each leaf; both are walked
 * down, and leaves are compared as volumes. */

#define EASY "+leaf=1+split=longest+all-directions=1+at=median+traversal=both"

/* Measured at some places, which the columns name. */
typedef struct series {
    const paper_row *rows;
    size_t row_count;
    paper_measured measured[BENCH_MOST_ITEMS];
    char titles[BENCH_MOST_ITEMS][16];
    size_t count;
} series;

static void add_place(papers *p, series *s, const models_mesh *a, const models_mesh *b, const char *name,
                      const bench_scene *how, const char *x_name, double x)
{
    const bench_variants variants = papers_variants(s->rows, s->row_count);
    paper_measured *measured = &s->measured[s->count];
    *measured =
        papers_measure_subject(p, variants, bench_subject_of(name, a, b, &variants), how, models_triangle_count(b));
    snprintf(s->titles[s->count++], sizeof s->titles[0], "%.4g", x);
    for (size_t row = 0; row < s->row_count; row++) {
        const paper_note note = {x_name, x, NAN, NAN, ""};
        papers_write(p, measured, row, s->rows[row].label, &note);
    }
}

static void finish_series(series *s, const char *title)
{
    const char *columns[BENCH_MOST_ITEMS];
    double hits[BENCH_MOST_ITEMS], pairs[BENCH_MOST_ITEMS];
    for (size_t i = 0; i < s->count; i++) {
        columns[i] = s->titles[i];
        hits[i] = (double)s->measured[i].results[0].hits / (double)s->measured[i].steps;
        pairs[i] = (double)s->measured[i].results[0].pairs / (double)s->measured[i].steps;
    }
    papers_print_titles(title, columns, s->count);
    papers_print_numbers("share of steps that touch", hits, s->count, 2);
    papers_print_numbers("contacts a step", pairs, s->count, 1);
    papers_print_quantity("Microseconds a check", s->rows, s->row_count, s->measured, s->count, PAPER_MICROSECONDS);
    papers_print_quantity("Volume tests a check", s->rows, s->row_count, s->measured, s->count, PAPER_VOLUME_TESTS);
    papers_print_quantity("Updates a check", s->rows, s->row_count, s->measured, s->count, PAPER_UPDATES);
    papers_print_quantity("Triangle tests a check", s->rows, s->row_count, s->measured, s->count, PAPER_TRIANGLE_TESTS);
    for (size_t i = 0; i < s->count; i++) {
        papers_free(&s->measured[i]);
    }
}

/* Steps of a turn, fewer where there is much to do in each. */
static size_t choose_steps(const papers *p, const models_mesh *a, const models_mesh *b, double distance)
{
    bench_variants variants = bench_variants_parse("kdop");
    bench_subject subject = bench_subject_of("steps", a, b, &variants);
    const bench_scene scene = {.subject = &subject, .distance = distance, .mode = TUMBLE_ALL};
    const size_t steps = bench_choose_steps(&scene, p->series.settings->quick ? 6 : (size_t)p->series.settings->steps,
                                            p->series.settings->work);
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
    return steps;
}

static double first_touch(const models_mesh *a, const models_mesh *b)
{
    bench_variants variants = bench_variants_parse("default");
    bench_subject subject = bench_subject_of("touch", a, b, &variants);
    const double distance = bench_touching_distance(&subject);
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
    return distance;
}

void papers_figure_10(papers *p)
{
    static const paper_row rows[] = {{"major axes", "k=14" EASY "+mixed=volumes+tumble=axes"},
                                     {"all directions", "k=14" EASY "+mixed=volumes+tumble=unit"},
                                     {"table lookup", "k=14" EASY "+mixed=volumes+tumble=lookup"},
                                     {"vertices", "k=14" EASY "+mixed=volumes+tumble=vertices"},
                                     {"table lookup (as triangles)", "k=14" EASY "+mixed=primitives+tumble=lookup"},
                                     {"k-dops (our defaults)", "kdop"},
                                     {"boxtree", "boxtree"},
                                     {"wide", "wide"}};
    models_mesh animals[2];
    series s = {.rows = rows, .row_count = sizeof rows / sizeof *rows};
    for (int i = 0; i < 2; i++) {
        if (!models_make_beast(&animals[i], i ? MODELS_DINOSAUR : MODELS_HORSE,
                               p->series.settings->quick ? 2000 : 20000)) {
            bench_fail("no memory for the animals");
        }
        models_fit(&animals[i], 2, 1);
    }
    const double touching = first_touch(&animals[0], &animals[1]);
    for (size_t i = 0; i < p->series.settings->shares.count; i++) {
        const double share = p->series.settings->shares.items[i];
        const bench_scene how = {.share = share,
                                 .distance = share * touching,
                                 .mode = TUMBLE_ALL,
                                 .steps = choose_steps(p, &animals[0], &animals[1], share * touching),
                                 .repetitions = (size_t)p->series.settings->repetitions};
        add_place(p, &s, &animals[0], &animals[1], "horse and dinosaur", &how, "distance", share * touching);
    }
    finish_series(&s, "Distance of the centres");
    models_free(&animals[0]);
    models_free(&animals[1]);
}

#define ALL_WAYS(K)                                                             \
    {K "-dop by major axes", "k=" K EASY "+mixed=volumes+tumble=axes"},         \
        {K "-dop by all directions", "k=" K EASY "+mixed=volumes+tumble=unit"}, \
    {                                                                           \
        K "-dop by table lookup", "k=" K EASY "+mixed=volumes+tumble=lookup"    \
    }

static const paper_row way_rows[] = {ALL_WAYS("6"),  ALL_WAYS("12"),         ALL_WAYS("14"),  ALL_WAYS("18"),
                                     ALL_WAYS("26"), {"boxtree", "boxtree"}, {"wide", "wide"}};
enum {
    WAY_ROWS = sizeof way_rows / sizeof *way_rows
};

/* The inner sphere is rough: its points are moved at random by a fifth of the gap. */
void papers_figure_11(papers *p)
{
    static const double gaps[] = {0.1, 0.05, 0.02, 0.01, 0.005};
    series s = {.rows = way_rows, .row_count = WAY_ROWS};
    models_mesh outer = make_sphere(p, 5140);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        models_mesh inner = {0};
        const double scale = 1 - gaps[i];
        const tumble_pose shrink = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        models_append(&inner, &outer, &shrink);
        models_perturb(&inner, 0.2 * gaps[i], 1);
        const bench_scene how = {.mode = TUMBLE_ALL,
                                 .steps = p->series.settings->quick ? 2 : 24,
                                 .repetitions = (size_t)p->series.settings->repetitions};
        add_place(p, &s, &outer, &inner, "rough sphere in sphere", &how, "gap", gaps[i]);
        models_free(&inner);
    }
    finish_series(&s, "Difference of the radii");
    models_free(&outer);
}

void papers_figure_12(papers *p)
{
    static const double overlaps[] = {-0.02, 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4};
    series s = {.rows = way_rows, .row_count = WAY_ROWS};
    models_mesh sphere = make_sphere(p, 5140);
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        const double distance = 2 - overlaps[i];
        const bench_scene how = {.distance = distance,
                                 .mode = TUMBLE_ALL,
                                 .steps = choose_steps(p, &sphere, &sphere, distance),
                                 .repetitions = (size_t)p->series.settings->repetitions};
        add_place(p, &s, &sphere, &sphere, "spheres side by side", &how, "overlap", overlaps[i]);
    }
    finish_series(&s, "Overlap");
    models_free(&sphere);
}
