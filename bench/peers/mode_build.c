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
    bench_csv_end_row(csv);
}

/* The build is repeated, one library after the other; medians count. */
static void measure(const experiment *e, const peer_mesh *mesh, build_result *results)
{
    const size_t repetitions = (size_t)e->options->repetitions, count = e->contest.count;
    double *samples = bench_allocate(count * repetitions, sizeof *samples);
    for (size_t i = 0; i < count; i++) {
        build_once(e->contest.items[i].peer, mesh); /* what a library sets up once is not counted */
    }
    for (size_t repetition = 0; repetition < repetitions; repetition++) {
        for (size_t i = 0; i < count; i++) {
            if (!e->contest.items[i].bare) {
                results[i] = build_once(e->contest.items[i].peer, mesh);
                samples[i * repetitions + repetition] = results[i].seconds;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        results[i].seconds = bench_median(samples + i * repetitions, repetitions);
    }
    free(samples);
}

static void add_head(const experiment *e, text_table *out)
{
    table_cell(out, "mesh");
    table_cell(out, "triangles");
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            table_cell(out, "%s", e->contest.items[i].name);
        }
    }
    table_end_row(out);
}

static void run_mesh(const experiment *e, const peers_mesh *mesh, bench_csv *csv, text_table *speed, text_table *memory)
{
    const double triangles = (double)mesh->view.triangle_count;
    build_result results[PEERS_MOST] = {{0, 0}};
    measure(e, &mesh->view, results);
    text_table *const both[2] = {speed, memory};
    for (size_t i = 0; i < 2; i++) {
        table_cell(both[i], "%s", mesh->name);
        table_cell(both[i], "%zu", mesh->view.triangle_count);
    }
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            write_row(e, csv, mesh, &e->contest.items[i], &results[i]);
            table_cell(speed, "%.2f", 1e-6 * triangles / results[i].seconds);
            table_cell(memory, "%.1f", results[i].bytes / triangles);
        }
    }
    table_end_row(speed);
    table_end_row(memory);
}

void mode_build(experiment *e)
{
    bench_csv csv;
    text_table *speed = bench_allocate(1, sizeof *speed), *memory = bench_allocate(1, sizeof *memory);
    experiment_open_csv(e, &csv, "build");
    add_head(e, speed);
    add_head(e, memory);
    for (size_t i = 0; i < e->options->meshes.count; i++) {
        peers_mesh mesh = peers_mesh_make(e->options->meshes.items[i], (size_t)e->options->triangles, e->options->seed);
        show_progress("build: %s", mesh.name);
        run_mesh(e, &mesh, &csv, speed, memory);
        peers_mesh_free(&mesh);
    }
    show_progress("%s", "");
    table_print(speed, "Build, one thread: million triangles a second");
    table_print(memory, "Memory: bytes a triangle, geometry included");
    bench_csv_close(&csv);
    free(speed);
    free(memory);
}
