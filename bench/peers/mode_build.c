/* Time to build a model, and the memory that it then holds, geometry included. */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"

/* Bytes that malloc has handed out and not got back. */
static double bytes_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

typedef struct build_result {
    double seconds, bytes;
    double hierarchy_bytes; /* of these; NaN when it cannot be told */
} build_result;

static build_result build_once(const peer_library *peer, const peer_mesh *mesh)
{
    const double before = bytes_in_use(), start = bench_process_microseconds();
    void *model = peer->build(mesh);
    build_result result = {.seconds = 1e-6 * (bench_process_microseconds() - start)};
    if (!model) {
        bench_fail("%s cannot build a model of %zu triangles", peer->name, mesh->triangle_count);
    }
    result.bytes = peer->bytes ? (double)peer->bytes(model) : bytes_in_use() - before;
    result.hierarchy_bytes = peer->hierarchy_bytes ? (double)peer->hierarchy_bytes(model) : (double)NAN;
    peer->destroy(model);
    return result;
}

static void write_row(const experiment *e, bench_csv *csv, const peers_mesh *mesh, const peers_contestant *contestant,
                      const build_result *result)
{
    const double triangles = (double)mesh->view.triangle_count;
    bench_csv_text(csv, "mesh", mesh->name);
    bench_csv_count(csv, "triangles", mesh->view.triangle_count);
    bench_csv_text(csv, "peer", contestant->name);
    bench_csv_text(csv, "peer_version", contestant->peer->version);
    bench_csv_number(csv, "repetitions", e->options->repetitions);
    bench_csv_number(csv, "seconds", result->seconds);
    bench_csv_number(csv, "million_triangles_a_second", 1e-6 * triangles / result->seconds);
    bench_csv_number(csv, "bytes", result->bytes);
    bench_csv_number(csv, "bytes_a_triangle", result->bytes / triangles);
    bench_csv_number(csv, "hierarchy_bytes_a_triangle", result->hierarchy_bytes / triangles);
    bench_csv_end_row(csv);
}

/* The build is repeated, one library after the other; medians count. Those that use up the patience are not repeated
 * again. */
static void measure(const experiment *e, const peer_mesh *mesh, build_result *results)
{
    const size_t repetitions = (size_t)e->options->repetitions, count = e->contest.count;
    double *samples = bench_allocate(count * repetitions, sizeof *samples), spent[PEERS_MOST] = {0};
    size_t taken[PEERS_MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!e->contest.items[i].bare) {
            build_once(e->contest.items[i].peer, mesh); /* what a library sets up once is not counted */
        }
    }
    for (size_t repetition = 0; repetition < repetitions; repetition++) {
        for (size_t i = 0; i < count; i++) {
            if (!e->contest.items[i].bare && spent[i] <= e->options->patience) {
                results[i] = build_once(e->contest.items[i].peer, mesh);
                spent[i] += results[i].seconds;
                samples[i * repetitions + taken[i]++] = results[i].seconds;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        results[i].seconds = bench_median(samples + i * repetitions, taken[i]);
    }
    free(samples);
}

static void add_head(const experiment *e, text_table *out, int of_memory)
{
    table_cell(out, "mesh");
    table_cell(out, "triangles");
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            table_cell(out, "%s", e->contest.items[i].name);
        }
        if (of_memory && e->contest.items[i].peer->hierarchy_bytes) {
            table_cell(out, "its hierarchy");
        }
    }
    table_end_row(out);
}

/* The best of the others in one quantity. */
static void add_score(experiment *e, const char *cell, const char *row, score_unit unit, const double *values)
{
    size_t best = 0;
    for (size_t i = 1; i < e->contest.count; i++) {
        const peers_contestant *item = &e->contest.items[i];
        if (!item->bare && !item->peer->is_tumble &&
            (best == 0 || (unit == SCORE_MILLIONS_A_SECOND ? values[i] > values[best] : values[i] < values[best]))) {
            best = i;
        }
    }
    if (best) {
        score_add(&e->board, cell, row, unit, e->contest.items[best].name, values[best], values[0]);
    }
}

static void run_mesh(experiment *e, const peers_mesh *mesh, bench_csv *csv, text_table *speed, text_table *memory)
{
    const double triangles = (double)mesh->view.triangle_count;
    build_result results[PEERS_MOST] = {{0, 0, 0}};
    double speeds[PEERS_MOST] = {0}, bytes[PEERS_MOST] = {0};
    measure(e, &mesh->view, results);
    text_table *const both[2] = {speed, memory};
    for (size_t i = 0; i < 2; i++) {
        table_cell(both[i], "%s", mesh->name);
        table_cell(both[i], "%zu", mesh->view.triangle_count);
    }
    for (size_t i = 0; i < e->contest.count; i++) {
        const peers_contestant *item = &e->contest.items[i];
        if (item->bare) {
            continue;
        }
        speeds[i] = 1e-6 * triangles / results[i].seconds;
        bytes[i] = results[i].bytes / triangles;
        write_row(e, csv, mesh, item, &results[i]);
        table_cell(speed, "%.2f", speeds[i]);
        table_cell(memory, "%.1f", bytes[i]);
        if (item->peer->hierarchy_bytes) {
            table_cell(memory, "%.1f", results[i].hierarchy_bytes / triangles);
        }
    }
    table_end_row(speed);
    table_end_row(memory);
    add_score(e, "build", mesh->name, SCORE_MILLIONS_A_SECOND, speeds);
    add_score(e, "memory", mesh->name, SCORE_BYTES_A_TRIANGLE, bytes);
    score_add(&e->board, "hierarchy", mesh->name, SCORE_BYTES_A_TRIANGLE, "", (double)NAN,
              results[0].hierarchy_bytes / triangles);
}

void mode_build(experiment *e)
{
    bench_csv csv;
    text_table *speed = bench_allocate(1, sizeof *speed), *memory = bench_allocate(1, sizeof *memory);
    experiment_open_csv(e, &csv, "build");
    add_head(e, speed, 0);
    add_head(e, memory, 1);
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        show_progress("build: %s", mesh.name);
        run_mesh(e, &mesh, &csv, speed, memory);
        peers_mesh_free(&mesh);
    }
    show_progress("%s", "");
    table_print(speed, "Build, one thread: million triangles per second");
    table_print(memory, "Memory: bytes per triangle, geometry included");
    bench_csv_close(&csv);
    free(speed);
    free(memory);
}
