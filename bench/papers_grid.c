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

static const double distances[] = {0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4};

static const paper_row rows[] = {{"S-CD in the paper's way", "rtree+single=1+probe=b"},
                                 {"rtree", "rtree"},
                                 {"wide", "wide"},
                                 {"kdop", "kdop"},
                                 {"boxtree", "boxtree"}};
enum {
    DISTANCES = sizeof distances / sizeof *distances,
    ROWS = sizeof rows / sizeof *rows
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
    tumble_collide_result result = {.size = sizeof result};
    options.mode = TUMBLE_COLLIDE_TEST;
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

static void measure_distance(papers *p, paper_measured *measured, const approach *ways, size_t count, double distance)
{
    tumble_pose *path = bench_allocate(count, sizeof *path);
    for (size_t i = 0; i < count; i++) {
        path[i] = pose_at(&ways[i], ways[i].touching + GRID_SIZE * distance);
    }
    const bench_scene scene = {.subject = &measured->subject,
                               .mode = TUMBLE_COLLIDE_TEST,
                               .steps = count,
                               .repetitions = measured->repetitions,
                               .path = path};
    if (!bench_measure(&scene, measured->results)) {
        p->differ = 1;
    }
    if (measured->results[0].hits) {
        bench_fail("grids at a distance of %g intersect", distance);
    }
    for (size_t row = 0; row < ROWS; row++) {
        paper_note note = papers_no_note;
        note.x_name = "distance";
        note.x = distance;
        papers_write(p, measured, row, rows[row].label, &note);
    }
    free(path);
}

static void print_series(const char *title, double values[ROWS][DISTANCES], int decimals)
{
    puts(title);
    for (size_t row = 0; row < ROWS; row++) {
        papers_print_numbers(rows[row].label, values[row], DISTANCES, decimals);
    }
}

void papers_figure_7(papers *p)
{
    const size_t count = p->settings->quick ? QUICK_POSES : POSES;
    static const paper_quantity quantities[3] = {PAPER_MICROSECONDS, PAPER_VOLUME_TESTS, PAPER_UPDATES};
    double values[3][ROWS][DISTANCES];
    models_random random = {7};
    models_mesh grid;
    if (!models_make_grid(&grid, p->settings->quick ? 1 : MODELS_GRID_CUTS)) {
        bench_fail("no memory for the grid");
    }
    paper_measured measured = {.scene = "grids",
                               .variants = papers_variants(rows, ROWS),
                               .results = bench_allocate(ROWS, sizeof *measured.results),
                               .flyer_triangles = models_triangle_count(&grid),
                               .steps = count,
                               .repetitions = (size_t)p->settings->repetitions};
    measured.subject = bench_subject_of(measured.scene, &grid, &grid, &measured.variants);
    models_free(&grid);
    approach *ways = bench_allocate(count, sizeof *ways);
    for (size_t i = 0; i < count; i++) {
        ways[i] = find_approach(&measured.subject.contestants[2], &random); /* the fastest; all give the same answers */
    }
    papers_print_numbers("distance", distances, DISTANCES, 3);
    for (size_t i = 0; i < DISTANCES; i++) {
        measure_distance(p, &measured, ways, count, distances[i]);
        for (size_t k = 0; k < 3 * ROWS; k++) {
            values[k / ROWS][k % ROWS][i] = papers_quantity(&measured.results[k % ROWS], quantities[k / ROWS]);
        }
    }
    print_series("Microseconds a query", values[0], 1);
    print_series("Box tests", values[1], 0);
    print_series("Updates", values[2], 0);
    free(ways);
    papers_free(&measured);
}
