/* The first contact of two copies of a mesh, one of which flies by, also turning: Tumble's, FCL's, and by samples that
 * are dense enough to guarantee the same. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"
#include "motions.h"

enum {
    MOST_MOTION_PEERS = 4,
    MOTIONS = 16,
    QUICK_MOTIONS = 2,
    QUERIES = 32
};

static const double tolerance = 1e-4;

typedef struct motion_mode {
    experiment *e;
    const motion_peer *peers[MOST_MOTION_PEERS];
    size_t count;
    text_table *table;
    bench_csv csv;
} motion_mode;

/* What a peer has done: motions asked, their mean time, and answers that Tumble's proven interval contradicts. */
typedef struct motion_score {
    size_t asked, missed, invented;
    double microseconds;
} motion_score;

static void add_peers(motion_mode *m, const motion_peer *list)
{
    for (; list->name; list++) {
        m->peers[m->count++] = list;
    }
}

/* ---- Motions ---- */

/* From about 3 away, past or through the other copy, to the other side; every second one also turns. */
static tumble_motion next_motion(models_random *random, size_t index)
{
    const tumble_pose start = models_random_rotation(random);
    tumble_motion motion = tumble_motion_still(&start);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        motion.axis[k] = models_random_range(random, -1, 1);
        motion.from.m[k][3] = models_random_range(random, -1, 1);
        square += motion.from.m[k][3] * motion.from.m[k][3];
    }
    for (int k = 0; k < 3; k++) {
        motion.from.m[k][3] *= 3.5 / sqrt(square);
        motion.point[k] = motion.from.m[k][3];
        motion.translation[k] = -2 * motion.from.m[k][3] + models_random_range(random, -1.5, 1.5);
    }
    motion.angle = index % 2 ? models_random_range(random, 0.5, 2.5) : 0;
    return motion;
}

/* ---- Measuring ---- */

/* The others are asked once, until they have taken as long as the options allow. */
static motion_score measure(const motion_mode *m, const motion_peer *peer, void *world, const tumble_motion *motions,
                            size_t count, double *times)
{
    motion_score result = {0, 0, 0, 0};
    const int ours = peer == m->peers[0];
    const size_t repetitions = ours ? (size_t)fmin(m->e->options->repetitions, BENCH_MOST_ITEMS) : 1;
    double samples[BENCH_MOST_ITEMS];
    for (size_t i = 0; i < count && result.microseconds < 1e6 * m->e->options->limit; i++, result.asked++) {
        for (size_t k = 0; k < repetitions; k++) {
            const double start = bench_thread_microseconds();
            times[i] = peer->first(world, &motions[i], tolerance);
            samples[k] = bench_thread_microseconds() - start;
        }
        result.microseconds += bench_median(samples, repetitions);
    }
    result.microseconds /= (double)result.asked;
    return result;
}

static void judge(motion_score *result, const double *own, const double *other)
{
    for (size_t i = 0; i < result->asked; i++) {
        result->missed += own[i] < INFINITY && !(other[i] <= own[i] + 2 * tolerance);
        result->invented += other[i] < own[i] - 3 * tolerance;
    }
}

/* The time of a yes/no query on the last part of the way to the contact, where it is the hardest. */
static double query_time(void *world, const tumble_motion *motions, size_t count, const double *times)
{
    const double start = bench_thread_microseconds();
    for (size_t i = 0; i < count; i++) {
        const double until = fmin(times[i], 1);
        (void)motions_tumble_queries(world, &motions[i], 0.95 * until, until - tolerance, QUERIES);
    }
    return (bench_thread_microseconds() - start) / (double)(count * QUERIES);
}

static void write_row(motion_mode *m, const char *mesh, const motion_peer *peer, const motion_score *result,
                      double ours)
{
    bench_csv_text(&m->csv, "mesh", mesh);
    bench_csv_text(&m->csv, "peer", peer->name);
    bench_csv_text(&m->csv, "peer_version", peer->version);
    bench_csv_count(&m->csv, "motions", result->asked);
    bench_csv_number(&m->csv, "microseconds", result->microseconds);
    bench_csv_number(&m->csv, "relative", result->microseconds / ours);
    bench_csv_count(&m->csv, "missed", result->missed);
    bench_csv_count(&m->csv, "invented", result->invented);
    bench_csv_end_row(&m->csv);
}

static void run_mesh(motion_mode *m, const peers_mesh *mesh)
{
    const size_t count = m->e->options->quick ? QUICK_MOTIONS : MOTIONS;
    tumble_motion motions[MOTIONS];
    double own[MOTIONS], other[MOTIONS], ours = 0;
    models_random random = {(uint64_t)m->e->options->seed + 3};
    for (size_t i = 0; i < count; i++) {
        motions[i] = next_motion(&random, i);
    }
    table_cell(m->table, "%s", mesh->name);
    for (size_t i = 0; i < m->count; i++) {
        const motion_peer *peer = m->peers[i];
        show_progress("first contacts: %s: %s", mesh->name, peer->name);
        void *world = peer->build(&mesh->view);
        motion_score result = measure(m, peer, world, motions, count, i ? other : own);
        if (i == 0) {
            ours = result.microseconds;
            table_cell(m->table, "%.0f", ours);
            table_cell(m->table, "%.1f", ours / query_time(world, motions, count, own));
        } else {
            judge(&result, own, other);
            table_cell(m->table, "%.1f", result.microseconds / ours);
            table_cell(m->table, "%zu, %zu of %zu", result.missed, result.invented, result.asked);
            score_add(&m->e->board, i == 1 ? "motion-samples" : "motion", mesh->name, SCORE_MICROSECONDS, peer->name,
                      result.microseconds, ours);
        }
        write_row(m, mesh->name, peer, &result, ours);
        peer->destroy(world);
    }
    show_progress("%s", "");
    table_end_row(m->table);
}

void mode_motion(experiment *e)
{
    motion_mode m = {.e = e, .table = bench_allocate(1, sizeof *m.table)};
    add_peers(&m, motions_tumble());
#ifdef TUMBLE_PEER_FCL
    add_peers(&m, motions_fcl());
#endif
    experiment_open_csv(e, &m.csv, "motion");
    table_cell(m.table, "mesh");
    table_cell(m.table, "tumble, us");
    table_cell(m.table, "in queries");
    for (size_t i = 1; i < m.count; i++) {
        table_cell(m.table, "%s", m.peers[i]->name);
        table_cell(m.table, "missed, invented");
    }
    table_end_row(m.table);
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_mesh(&m, &mesh);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&m.csv);
    table_print(m.table, "First contacts to 1e-4 of a motion: microseconds of Tumble, how many of its yes/no queries "
                         "that is, and how many times longer the others take");
    free(m.table);
}
