/* Closest points: of points anywhere around a mesh, of points near its surface, and of the points of a grid in their
 * order as a batch. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"
#include "points.h"

enum {
    MOST_POINT_PEERS = 8
};

typedef struct point_set {
    const char *name;
    double *points;
    size_t count;
    int is_batch;
} point_set;

typedef struct point_mode {
    experiment *e;
    const point_peer *peers[MOST_POINT_PEERS];
    size_t count;
    text_table *table;
    bench_csv csv;
} point_mode;

static void add_peers(point_mode *m, const point_peer *list)
{
    for (; list->name; list++) {
        m->peers[m->count++] = list;
    }
}

/* ---- Points ---- */

static point_set new_set(const char *name, size_t count, int is_batch)
{
    return (point_set){name, bench_allocate(3 * count, sizeof(double)), count, is_batch};
}

/* In a cube of twice the side of the mesh's. */
static point_set far_points(size_t count, double seed)
{
    models_random random = {(uint64_t)seed};
    const point_set set = new_set("around", count, 0);
    for (size_t i = 0; i < 3 * count; i++) {
        set.points[i] = models_random_range(&random, -2, 2);
    }
    return set;
}

/* Within a hundredth of the mesh's side of a random corner. */
static point_set near_points(const peer_mesh *mesh, size_t count, double seed)
{
    models_random random = {(uint64_t)seed + 1};
    const point_set set = new_set("near the surface", count, 0);
    for (size_t i = 0; i < count; i++) {
        const size_t corner = (size_t)models_random_range(&random, 0, (double)mesh->point_count);
        for (size_t k = 0; k < 3; k++) {
            set.points[3 * i + k] = mesh->points[3 * (corner < mesh->point_count ? corner : 0) + k] +
                                    models_random_range(&random, -0.02, 0.02);
        }
    }
    return set;
}

/* Of the mesh's cube, in rows that turn around. */
static point_set grid_points(size_t count)
{
    const size_t side = (size_t)cbrt((double)count);
    const point_set set = new_set("a grid, in a batch", side * side * side, 1);
    for (size_t i = 0; i < set.count; i++) {
        const size_t z = i / (side * side), row = i / side % side, column = i % side;
        const size_t y = z % 2 ? side - 1 - row : row, x = (row + z) % 2 ? side - 1 - column : column;
        const size_t place[3] = {x, y, z};
        for (size_t k = 0; k < 3; k++) {
            set.points[3 * i + k] = 2 * ((double)place[k] + 0.5) / (double)side - 1;
        }
    }
    return set;
}

/* ---- Measuring ---- */

static double measure(const point_mode *m, const point_peer *peer, void *model, const point_set *set, double *distances)
{
    double samples[BENCH_MOST_ITEMS];
    const size_t repetitions = (size_t)fmin(m->e->options->repetitions, BENCH_MOST_ITEMS);
    peer->closest(model, set->points, set->count, set->is_batch, distances); /* warms up */
    for (size_t i = 0; i < repetitions; i++) {
        const double start = bench_thread_microseconds();
        peer->closest(model, set->points, set->count, set->is_batch, distances);
        samples[i] = (bench_thread_microseconds() - start) / (double)set->count;
    }
    return bench_median(samples, repetitions);
}

static size_t count_differences(const double *a, const double *b, size_t count)
{
    size_t differences = 0;
    for (size_t i = 0; i < count; i++) {
        differences += fabs(a[i] - b[i]) > 1e-9 * (1 + a[i]);
    }
    return differences;
}

static void write_row(point_mode *m, const char *mesh, const point_set *set, const point_peer *peer, double time,
                      double ours, size_t differences)
{
    bench_csv_text(&m->csv, "mesh", mesh);
    bench_csv_text(&m->csv, "points", set->name);
    bench_csv_text(&m->csv, "peer", peer->name);
    bench_csv_text(&m->csv, "peer_version", peer->version);
    bench_csv_number(&m->csv, "microseconds", time);
    bench_csv_number(&m->csv, "relative", time / ours);
    bench_csv_count(&m->csv, "differences", differences);
    bench_csv_end_row(&m->csv);
}

static void run_set(point_mode *m, const char *mesh, void **models, const point_set *set)
{
    double *own = bench_allocate(set->count, sizeof *own), *other = bench_allocate(set->count, sizeof *other);
    double ours = 0, best = INFINITY;
    const char *fastest = "";
    table_cell(m->table, "%s", mesh);
    table_cell(m->table, "%s", set->name);
    for (size_t i = 0; i < m->count; i++) {
        show_progress("closest points: %s, %s: %s", mesh, set->name, m->peers[i]->name);
        const double time = measure(m, m->peers[i], models[i], set, i ? other : own);
        const size_t differences = i ? count_differences(own, other, set->count) : 0;
        ours = i ? ours : time;
        table_cell(m->table, i ? "%.1f" : "%.3f", i ? time / ours : time);
        if (i) {
            table_cell(m->table, "%zu", differences);
        }
        if (i && time < best) {
            best = time;
            fastest = m->peers[i]->name;
        }
        write_row(m, mesh, set, m->peers[i], time, ours, differences);
    }
    show_progress("%s", "");
    table_end_row(m->table);
    score_add(&m->e->board, "closest", mesh, SCORE_MICROSECONDS, fastest, best, ours);
    free(own);
    free(other);
}

static void run_mesh(point_mode *m, const peers_mesh *mesh)
{
    const size_t count = m->e->options->quick ? 216 : 27000;
    void *models[MOST_POINT_PEERS];
    point_set sets[] = {far_points(count, m->e->options->seed), near_points(&mesh->view, count, m->e->options->seed),
                        grid_points(count)};
    for (size_t i = 0; i < m->count; i++) {
        models[i] = m->peers[i]->build(&mesh->view);
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run_set(m, mesh->name, models, &sets[i]);
        free(sets[i].points);
    }
    for (size_t i = 0; i < m->count; i++) {
        m->peers[i]->destroy(models[i]);
    }
}

static void print_head(point_mode *m)
{
    table_cell(m->table, "mesh");
    table_cell(m->table, "points");
    table_cell(m->table, "tumble, us");
    for (size_t i = 1; i < m->count; i++) {
        table_cell(m->table, "%s", m->peers[i]->name);
        table_cell(m->table, "differ");
    }
    table_end_row(m->table);
}

void mode_point(experiment *e)
{
    point_mode m = {.e = e, .table = bench_allocate(1, sizeof *m.table)};
    add_peers(&m, points_tumble());
#ifdef TUMBLE_PEER_CGAL
    add_peers(&m, points_cgal());
#endif
    experiment_open_csv(e, &m.csv, "point");
    print_head(&m);
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_mesh(&m, &mesh);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&m.csv);
    table_print(m.table, "Closest points: microseconds of Tumble, and how many times longer the others take");
    free(m.table);
}
