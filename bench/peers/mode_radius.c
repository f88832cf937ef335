/* Times of the question whether a ball, a capsule or a cylinder touches a mesh: Tumble's models with a radius beside a
 * library's own shapes. Poses are random, with the centre within two radii of a random corner, so that some touch.
 * Times are those of the processor. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "models.h"
#include "modes.h"
#include "statistics.h"

typedef struct solid_case {
    const char *name;
    double radius, length; /* of meshes that fit a cube of side 2 */
    int has_flat_ends;
} solid_case;

static const solid_case cases[] = {
    {"ball", 0.02, 0, 0},       {"ball", 0.1, 0, 0},       {"ball", 0.5, 0, 0},
    {"capsule", 0.02, 0.2, 0},  {"capsule", 0.1, 0.5, 0},  {"capsule", 0.3, 1, 0},
    {"cylinder", 0.02, 0.2, 1}, {"cylinder", 0.1, 0.5, 1}, {"cylinder", 0.3, 1, 1},
};

enum {
    CASES = sizeof cases / sizeof *cases,
    REPETITIONS_MOST = 64
};

static uint64_t next_bits(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double next_unit(uint64_t *state)
{
    return 2 * (double)(next_bits(state) >> 11) * 0x1p-53 - 1;
}

static void draw_poses(const peer_mesh *mesh, const solid_case *solid, double seed, tumble_pose *poses, size_t count)
{
    uint64_t state = (uint64_t)seed + 1;
    tumble_context *context;
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    for (size_t i = 0; i < count; i++) {
        const double *corner = mesh->points + 3 * (next_bits(&state) % mesh->point_count);
        double quaternion[4], place[3];
        for (int k = 0; k < 4; k++) {
            quaternion[k] = next_unit(&state);
        }
        for (int k = 0; k < 3; k++) {
            place[k] = corner[k] + 2 * solid->radius * next_unit(&state);
        }
        bench_require(tumble_pose_from_quaternion(context, quaternion, 1, place, &poses[i]), context, "a pose");
    }
    tumble_context_destroy(context);
}

typedef struct measured {
    double microseconds;
    size_t hits;
    char *answers; /* one per pose */
} measured;

static measured measure(const peer_library *peer, void *model, const solid_case *solid, const tumble_pose *poses,
                        size_t count, size_t repetitions)
{
    double times[REPETITIONS_MOST];
    measured out = {0, 0, bench_allocate(count, 1)};
    void *shape = peer->build_solid(solid->radius, solid->length, solid->has_flat_ends);
    for (size_t r = 0; r <= repetitions; r++) { /* the first is not counted */
        const double start = bench_thread_microseconds();
        for (size_t i = 0; i < count; i++) {
            out.answers[i] = (char)peer->solid_touches(model, shape, &poses[i]);
        }
        times[r > 0 ? r - 1 : 0] = (bench_thread_microseconds() - start) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        out.hits += out.answers[i] != 0;
    }
    out.microseconds = bench_median(times, repetitions);
    peer->destroy_solid(shape);
    return out;
}

static size_t count_differences(const measured *a, const measured *b, size_t count)
{
    size_t differences = 0;
    for (size_t i = 0; i < count; i++) {
        differences += a->answers[i] != b->answers[i];
    }
    return differences;
}

static void run_case(experiment *e, const peers_mesh *mesh, const contest_models *models, const solid_case *solid,
                     text_table *table, bench_csv *csv)
{
    const size_t count = (size_t)e->options->poses;
    const size_t repetitions = (size_t)fmin(fmax(e->options->repetitions, 1), REPETITIONS_MOST);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    draw_poses(&mesh->view, solid, e->options->seed, poses, count);
    const measured own = measure(e->contest.items[0].peer, models->items[0], solid, poses, count, repetitions);
    for (size_t i = 1; i < e->contest.count; i++) {
        const peer_library *peer = e->contest.items[i].peer;
        if (!peer->build_solid || peer->is_tumble) {
            continue;
        }
        const measured other = measure(peer, models->items[i], solid, poses, count, repetitions);
        const size_t differences = count_differences(&own, &other, count);
        table_cell(table, "%s", mesh->name);
        table_cell(table, "%s %g", solid->name, solid->radius);
        table_cell(table, "%.0f %%", 100 * (double)own.hits / (double)count);
        table_cell(table, "%.2f", own.microseconds);
        table_cell(table, "%.2f", other.microseconds);
        table_cell(table, "%.1f", other.microseconds / own.microseconds);
        table_cell(table, "%zu", differences);
        table_end_row(table);
        bench_csv_text(csv, "mesh", mesh->name);
        bench_csv_text(csv, "solid", solid->name);
        bench_csv_number(csv, "radius", solid->radius);
        bench_csv_text(csv, "peer", e->contest.items[i].name);
        bench_csv_number(csv, "tumble_us", own.microseconds);
        bench_csv_number(csv, "mean_us", other.microseconds);
        bench_csv_count(csv, "differences", differences);
        bench_csv_end_row(csv);
        free(other.answers);
    }
    free(own.answers);
    free(poses);
}

void mode_radius(experiment *e)
{
    static const char *const head[] = {"mesh", "solid", "touch", "tumble, us", "FCL, us", "ratio", "other answers"};
    text_table *table = bench_allocate(1, sizeof *table);
    bench_csv csv;
    experiment_open_csv(e, &csv, "radius");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(table, "%s", head[i]);
    }
    table_end_row(table);
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        contest_models models = contest_build(&e->contest, &mesh.view);
        for (size_t k = 0; k < CASES; k++) {
            show_progress("%s: %s %g", mesh.name, cases[k].name, cases[k].radius);
            run_case(e, &mesh, &models, &cases[k], table, &csv);
        }
        contest_destroy(&e->contest, &models);
        peers_mesh_free(&mesh);
    }
    show_progress("%s", "");
    table_print(table, "A ball, a capsule or a cylinder against a mesh");
    bench_csv_close(&csv);
    free(table);
}
