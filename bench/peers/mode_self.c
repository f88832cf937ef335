/* Times to find all pairs of triangles of one mesh that intersect outside of what they share: a clean mesh, and the
 * same with a copy of it pushed into it. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"

typedef struct self_result {
    double seconds;
    size_t pairs;
} self_result;

typedef struct self_mesh {
    peer_mesh view;
    double *points;
    uint32_t *indices;
} self_mesh;

/* The mesh, and if `twice` a copy of it, shifted by a part of its size that is exact in float. */
static self_mesh make_mesh(const peer_mesh *mesh, int twice)
{
    const size_t copies = twice ? 2 : 1, points = 3 * mesh->point_count, indices = 3 * mesh->triangle_count;
    self_mesh out = {.points = bench_allocate(copies * points, sizeof *out.points),
                     .indices = bench_allocate(copies * indices, sizeof *out.indices)};
    for (size_t copy = 0; copy < copies; copy++) {
        for (size_t i = 0; i < points; i++) {
            out.points[copy * points + i] = (double)(float)(mesh->points[i] + (i % 3 == 0 ? 0.1875 * (double)copy : 0));
        }
        for (size_t i = 0; i < indices; i++) {
            out.indices[copy * indices + i] = mesh->indices[i] + (uint32_t)(copy * mesh->point_count);
        }
    }
    out.view = (peer_mesh){out.points, copies * mesh->point_count, out.indices, copies * mesh->triangle_count};
    return out;
}

static self_result measure(const experiment *e, const peer_library *peer, const peer_mesh *mesh)
{
    const size_t repetitions = (size_t)e->options->repetitions;
    double *samples = bench_allocate(repetitions, sizeof *samples);
    void *model = peer->build(mesh);
    if (!model) {
        bench_fail("%s cannot build a model of %zu triangles", peer->name, mesh->triangle_count);
    }
    self_result result = {.pairs = peer->self(model)}; /* warms up */
    for (size_t i = 0; i < repetitions; i++) {
        const double start = bench_process_microseconds();
        (void)peer->self(model);
        samples[i] = 1e-6 * (bench_process_microseconds() - start);
    }
    result.seconds = bench_median(samples, repetitions);
    peer->destroy(model);
    free(samples);
    return result;
}

static void write_row(bench_csv *csv, const char *name, const peer_mesh *mesh, const peers_contestant *item,
                      const self_result *result)
{
    bench_csv_text(csv, "mesh", name);
    bench_csv_count(csv, "triangles", mesh->triangle_count);
    bench_csv_text(csv, "peer", item->name);
    bench_csv_text(csv, "peer_version", item->peer->version);
    bench_csv_number(csv, "seconds", result->seconds);
    bench_csv_number(csv, "seconds_per_700000", result->seconds * 700000 / (double)mesh->triangle_count);
    bench_csv_count(csv, "pairs", result->pairs);
    bench_csv_end_row(csv);
}

static void run_mesh(experiment *e, const char *name, const peer_mesh *mesh, bench_csv *csv, text_table *out)
{
    double first = 0;
    for (size_t i = 0; i < e->contest.count; i++) {
        const peers_contestant *item = &e->contest.items[i];
        if (item->bare || !item->peer->self) {
            continue;
        }
        show_progress("self: %s, %s", name, item->name);
        const self_result result = measure(e, item->peer, mesh);
        show_progress("%s", "");
        first = first > 0 ? first : result.seconds;
        write_row(csv, name, mesh, item, &result);
        table_cell(out, "%s", name);
        table_cell(out, "%zu", mesh->triangle_count);
        table_cell(out, "%s", item->name);
        table_cell(out, "%zu", result.pairs);
        table_cell(out, "%.4f", result.seconds);
        table_cell(out, "%.3f", result.seconds * 700000 / (double)mesh->triangle_count);
        table_cell(out, "%.1f", result.seconds / first);
        table_end_row(out);
    }
}

void mode_self(experiment *e)
{
    static const char *const head[] = {"mesh",    "triangles",         "library",     "pairs",
                                       "seconds", "per 700,000 faces", "times Tumble"};
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    experiment_open_csv(e, &csv, "self");
    for (size_t i = 0; i < 2 * peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i / 2);
        self_mesh own = make_mesh(&mesh.view, i % 2 == 1);
        char name[TABLE_CELL];
        snprintf(name, sizeof name, "%s%s", mesh.name, i % 2 ? ", twice" : "");
        run_mesh(e, name, &own.view, &csv, out);
        free(own.points);
        free(own.indices);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&csv);
    table_print(out, "Self-intersection: processor time to find all pairs");
    free(out);
}
