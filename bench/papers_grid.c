/* Figueiredo's figure 7: two grids of bars at growing distances, the benchmark of Trenkel, Weller and Zachmann.
 *
 * One grid stays. The other, in a random orientation, comes nearer along a random direction until it almost touches:
 * found by bisection with the exact query. Distances are measured along that direction from there, in sizes of the
 * grid, so that nothing ever intersects. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "papers.h"
#include "plant.h"
#include "touch.h"

enum {
    POSES = 24,
    QUICK_POSES = 3,
    GRID_SIZE = 2
};

/* A way in, and how far from the centre the grid almost touches. */
typedef struct approach {
    const bench_contestant *contestant;
    tumble_pose turned;
    double direction[3], touching;
} approach;

static tumble_pose pose_at(const approach *way, double distance)
{
    tumble_pose pose = way->turned;
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = distance * way->direction[k];
    }
    return pose;
}

static int touches(void *user, double distance)
{
    const approach *way = user;
    const bench_contestant *contestant = way->contestant;
    const tumble_pose pose = pose_at(way, distance);
    tumble_collide_options options = bench_variant_options(contestant->variant);
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    bench_require(
        tumble_collide(contestant->query, contestant->model, NULL, contestant->flyer, &pose, &options, &result),
        contestant->context, "a query");
    return result.collide;
}

static approach find_approach(const bench_contestant *contestant, models_random *random)
{
    approach way = {.contestant = contestant, .turned = models_random_rotation(random)};
    const tumble_pose towards = models_random_rotation(random);
    for (int k = 0; k < 3; k++) {
        way.direction[k] = towards.m[k][0];
    }
    way.touching = bench_first_touch(touches, &way, 0.02, 1e-6);
    return way;
}

/* Both grids as the models of all rows, and the ways in. */
typedef struct grids {
    paper_measured measured;
    approach *ways;
    size_t count;
} grids;

static grids make_grids(const papers *p, const paper_row *rows, size_t row_count)
{
    grids g = {.count = p->series.settings->quick ? QUICK_POSES : POSES};
    models_random random = {7};
    models_mesh mesh;
    if (!models_make_grid(&mesh, p->series.settings->quick ? 1 : MODELS_GRID_CUTS)) {
        bench_fail("no memory for the grid");
    }
    g.measured = (paper_measured){.scene = "grids",
                                  .variants = papers_variants(rows, row_count),
                                  .results = bench_allocate(row_count, sizeof *g.measured.results),
                                  .flyer_triangles = models_triangle_count(&mesh),
                                  .steps = g.count,
                                  .repetitions = (size_t)p->series.settings->repetitions};
    g.measured.subject = bench_subject_of(g.measured.scene, &mesh, &mesh, &g.measured.variants);
    models_free(&mesh);
    g.ways = bench_allocate(g.count, sizeof *g.ways);
    for (size_t i = 0; i < g.count; i++) { /* with any of the hierarchies: all give the same answers */
        g.ways[i] = find_approach(&g.measured.subject.contestants[row_count - 1], &random);
    }
    return g;
}

static void measure_distance(papers *p, grids *g, const paper_row *rows, double distance)
{
    tumble_pose *path = bench_allocate(g->count, sizeof *path);
    for (size_t i = 0; i < g->count; i++) {
        path[i] = pose_at(&g->ways[i], g->ways[i].touching + GRID_SIZE * distance);
    }
    const bench_scene scene = {.subject = &g->measured.subject,
                               .mode = TUMBLE_TEST,
                               .steps = g->count,
                               .repetitions = g->measured.repetitions,
                               .path = path};
    if (!bench_measure(&scene, g->measured.results)) {
        p->series.differ = 1;
    }
    if (g->measured.results[0].hits) {
        bench_fail("grids at a distance of %g intersect", distance);
    }
    for (size_t row = 0; row < g->measured.subject.count; row++) {
        paper_note note = papers_no_note;
        note.x_name = "distance";
        note.x = distance;
        note.build_milliseconds = 1e3 * g->measured.subject.contestants[row].info.build_seconds;
        papers_write(p, &g->measured, row, rows[row].label, &note);
    }
    free(path);
}

static void free_grids(grids *g)
{
    free(g->ways);
    papers_free(&g->measured);
}

/* ---- Figure 7 ---- */

static const double distances[] = {0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4};
static const paper_row figure_rows[] = {{"S-CD in the paper's way", "rtree+single=1+probe=b"},
                                        {"rtree", "rtree"},
                                        {"kdop", "kdop"},
                                        {"boxtree", "boxtree"},
                                        {"wide", "wide"}};
enum {
    DISTANCES = sizeof distances / sizeof *distances,
    ROWS = sizeof figure_rows / sizeof *figure_rows
};

static void print_series(const char *title, double values[ROWS][DISTANCES], int decimals)
{
    puts(title);
    for (size_t row = 0; row < ROWS; row++) {
        papers_print_numbers(figure_rows[row].label, values[row], DISTANCES, decimals);
    }
}

void papers_figure_7(papers *p)
{
    static const paper_quantity quantities[3] = {PAPER_MICROSECONDS, PAPER_VOLUME_TESTS, PAPER_UPDATES};
    double values[3][ROWS][DISTANCES];
    grids g = make_grids(p, figure_rows, ROWS);
    papers_print_numbers("distance", distances, DISTANCES, 3);
    for (size_t i = 0; i < DISTANCES; i++) {
        measure_distance(p, &g, figure_rows, distances[i]);
        for (size_t k = 0; k < 3 * ROWS; k++) {
            values[k / ROWS][k % ROWS][i] = papers_quantity(&g.measured.results[k % ROWS], quantities[k / ROWS]);
        }
    }
    print_series("Microseconds per query", values[0], 1);
    print_series("Box tests", values[1], 0);
    print_series("Updates", values[2], 0);
    free_grids(&g);
}

/* ---- Loads ---- */

void papers_grid_loads(papers *p, const paper_row *rows, size_t count)
{
    static const char *const titles[5] = {"touching", "box tests", "updates", "bytes", "build (ms)"};
    grids g = make_grids(p, rows, count);
    measure_distance(p, &g, rows, 0);
    papers_print_titles("Two grids that almost touch (us)", titles, 5);
    for (size_t row = 0; row < count; row++) {
        const bench_result *result = &g.measured.results[row];
        const tumble_model_info *info = &g.measured.subject.contestants[row].info;
        papers_print_numbers(rows[row].label,
                             (const double[]){result->mean_microseconds, result->box_tests, result->box_updates,
                                              (double)info->hierarchy_bytes, 1e3 * info->build_seconds},
                             5, 1);
    }
    free_grids(&g);
}
