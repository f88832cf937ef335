/* Rays: the closest hit of random and of coherent rays, one at a time and as batches; and which triangles rays through
 * corners and edges of a closed mesh hit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"
#include "rays.h"

enum {
    MOST_RAY_PEERS = 8,
    MOST_ALL = 256
};

typedef struct ray_contest {
    const ray_peer *items[MOST_RAY_PEERS];
    size_t count;
} ray_contest;

static void add_peers(ray_contest *contest, const ray_peer *list, int for_all)
{
    for (; list->name; list++) {
        if (for_all ? list->all != NULL : list->cast != NULL) {
            contest->items[contest->count++] = list;
        }
    }
}

/* Tumble is the first. */
static ray_contest open_contest(int for_all)
{
    ray_contest contest = {.count = 0};
    add_peers(&contest, rays_tumble(), for_all);
#ifdef TUMBLE_PEER_EMBREE
    add_peers(&contest, rays_embree(), for_all);
#endif
#ifdef TUMBLE_PEER_CGAL
    add_peers(&contest, rays_cgal(), for_all);
#endif
    return contest;
}

/* ---- Rays ---- */

static ray_set new_set(size_t count, int is_coherent)
{
    return (ray_set){bench_allocate(3 * count, sizeof(double)), bench_allocate(3 * count, sizeof(double)), count,
                     is_coherent};
}

static void free_set(ray_set *set)
{
    free(set->origins);
    free(set->directions);
}

static void set_ray(ray_set *set, size_t i, const double origin[3], const double target[3])
{
    for (size_t k = 0; k < 3; k++) {
        set->origins[3 * i + k] = (double)(float)origin[k];
        set->directions[3 * i + k] = (double)(float)(target[k] - set->origins[3 * i + k]);
    }
}

/* From anywhere on a ball around the mesh to anywhere in its cube of side 2. */
static ray_set random_rays(size_t count, double seed)
{
    models_random random = {(uint64_t)seed};
    ray_set set = new_set(count, 0);
    for (size_t i = 0; i < count; i++) {
        const tumble_pose turn = models_random_rotation(&random);
        double origin[3], target[3];
        for (int k = 0; k < 3; k++) {
            origin[k] = 3 * turn.m[k][0];
            target[k] = models_random_range(&random, -1, 1);
        }
        set_ray(&set, i, origin, target);
    }
    return set;
}

/* A picture of side n, in tiles of 4 x 4 rays. */
static ray_set picture_rays(size_t count)
{
    const size_t tiles = (size_t)sqrt((double)count / 16);
    ray_set set = new_set(16 * tiles * tiles, 1);
    const double eye[3] = {0.4, 0.3, 3}, side = 4.0 * (double)tiles;
    for (size_t i = 0; i < set.count; i++) {
        const size_t tile = i / 16, x = 4 * (tile % tiles) + i % 4, y = 4 * (tile / tiles) + i % 16 / 4;
        const double target[3] = {2 * ((double)x + 0.5) / side - 1, 2 * ((double)y + 0.5) / side - 1, 0};
        set_ray(&set, i, eye, target);
    }
    return set;
}

/* ---- Speed ---- */

typedef struct ray_result {
    double nanoseconds;     /* per ray */
    size_t hits, differing; /* rays whose closest hit is not Tumble's, by more than a rounding in float */
} ray_result;

static double time_cast(const ray_peer *peer, void *model, const ray_set *rays, int is_batch)
{
    peer->take(model, rays);
    const double start = bench_thread_microseconds();
    peer->cast(model, rays, is_batch);
    return 1e3 * (bench_thread_microseconds() - start) / (double)rays->count;
}

static ray_result measure(const experiment *e, const ray_peer *peer, void *model, const ray_set *rays, int is_batch,
                          const ray_answer *truth, ray_answer *answers)
{
    const size_t repetitions = (size_t)fmin(e->options->repetitions, BENCH_MOST_ITEMS);
    double samples[BENCH_MOST_ITEMS];
    ray_result result = {.hits = 0};
    for (size_t i = 0; i < repetitions; i++) {
        samples[i] = time_cast(peer, model, rays, is_batch);
    }
    result.nanoseconds = bench_median(samples, repetitions);
    peer->answers(model, rays, answers);
    for (size_t i = 0; i < rays->count; i++) {
        const double t = answers[i].t, right = truth[i].t;
        result.hits += t < INFINITY;
        result.differing += (t < INFINITY) != (right < INFINITY) || (t < INFINITY && fabs(t - right) > 1e-5 * right);
    }
    return result;
}

static void write_row(bench_csv *csv, const char *mesh, const char *question, const ray_peer *peer, size_t rays,
                      const ray_result *result, double ours)
{
    bench_csv_text(csv, "mesh", mesh);
    bench_csv_text(csv, "question", question);
    bench_csv_text(csv, "peer", peer->name);
    bench_csv_text(csv, "peer_version", peer->version);
    bench_csv_count(csv, "rays", rays);
    bench_csv_number(csv, "nanoseconds", result->nanoseconds);
    bench_csv_number(csv, "relative", result->nanoseconds / ours);
    bench_csv_count(csv, "hits", result->hits);
    bench_csv_count(csv, "differing", result->differing);
    bench_csv_end_row(csv);
}

typedef struct ray_mode {
    experiment *e;
    ray_contest contest;
    text_table *table;
    bench_csv csv;
} ray_mode;

static void note_score(ray_mode *m, const char *question, const char *mesh, const ray_result *results)
{
    size_t fastest = 0;
    for (size_t i = 1; i < m->contest.count; i++) {
        fastest = fastest == 0 || results[i].nanoseconds < results[fastest].nanoseconds ? i : fastest;
    }
    score_add(&m->e->board, question, mesh, SCORE_MICROSECONDS, fastest ? m->contest.items[fastest]->name : "",
              1e-3 * results[fastest].nanoseconds, 1e-3 * results[0].nanoseconds);
}

static void run_question(ray_mode *m, const peers_mesh *mesh, void **models, const char *question, const ray_set *rays,
                         int is_batch)
{
    ray_answer *truth = bench_allocate(rays->count, sizeof *truth),
               *answers = bench_allocate(rays->count, sizeof *answers);
    ray_result results[MOST_RAY_PEERS] = {{.hits = 0}};
    const ray_peer *tumble = m->contest.items[0];
    tumble->take(models[0], rays);
    tumble->cast(models[0], rays, is_batch);
    tumble->answers(models[0], rays, truth);
    table_cell(m->table, "%s", mesh->name);
    table_cell(m->table, "%s", question);
    for (size_t i = 0; i < m->contest.count; i++) {
        show_progress("rays: %s, %s: %s", mesh->name, question, m->contest.items[i]->name);
        results[i] = measure(m->e, m->contest.items[i], models[i], rays, is_batch, truth, answers);
        if (i == 0) {
            table_cell(m->table, "%.0f", results[0].nanoseconds);
        } else {
            table_cell(m->table, "%.2f", results[i].nanoseconds / results[0].nanoseconds);
        }
        write_row(&m->csv, mesh->name, question, m->contest.items[i], rays->count, &results[i], results[0].nanoseconds);
    }
    show_progress("%s", "");
    for (size_t i = 1; i < m->contest.count; i++) {
        table_cell(m->table, "%zu", results[i].differing);
    }
    table_end_row(m->table);
    note_score(m, question, mesh->name, results);
    free(truth);
    free(answers);
}

static void run_mesh(ray_mode *m, const peers_mesh *mesh)
{
    const size_t count = m->e->options->quick ? 256 : 65536;
    void *models[MOST_RAY_PEERS];
    ray_set random = random_rays(count, m->e->options->seed), picture = picture_rays(count);
    for (size_t i = 0; i < m->contest.count; i++) {
        models[i] = m->contest.items[i]->build(&mesh->view);
    }
    run_question(m, mesh, models, "ray-single", &random, 0);
    run_question(m, mesh, models, "ray-random", &random, 1);
    run_question(m, mesh, models, "ray-coherent", &picture, 1);
    for (size_t i = 0; i < m->contest.count; i++) {
        m->contest.items[i]->destroy(models[i]);
    }
    free_set(&random);
    free_set(&picture);
}

static void print_speed(ray_mode *m)
{
    table_cell(m->table, "mesh");
    table_cell(m->table, "rays");
    table_cell(m->table, "tumble, ns");
    for (size_t i = 1; i < m->contest.count; i++) {
        table_cell(m->table, "%s", m->contest.items[i]->name);
    }
    for (size_t i = 1; i < m->contest.count; i++) {
        table_cell(m->table, "%s: other hits", m->contest.items[i]->name);
    }
    table_end_row(m->table);
}

/* ---- Through corners and edges ---- */

/* From points inside a box of n x n squares a side, to all of its corners and the middles of its edges. */
static ray_set lattice_rays(const peers_mesh *mesh, size_t starts, double seed)
{
    const size_t corners = mesh->view.point_count, edges = 3 * mesh->view.triangle_count;
    ray_set set = new_set(starts * (corners + edges), 0);
    models_random random = {(uint64_t)seed};
    size_t i = 0;
    for (size_t s = 0; s < starts; s++) {
        double origin[3];
        for (int k = 0; k < 3; k++) {
            origin[k] = (double)(float)models_random_range(&random, -0.9, 0.9);
        }
        for (size_t p = 0; p < corners; p++) {
            set_ray(&set, i++, origin, mesh->view.points + 3 * p);
        }
        for (size_t t = 0; t < edges; t++) {
            const uint32_t *of = mesh->view.indices + 3 * (t / 3);
            const double *a = mesh->view.points + 3 * (size_t)of[t % 3];
            const double *b = mesh->view.points + 3 * (size_t)of[(t + 1) % 3];
            const double middle[3] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
            set_ray(&set, i++, origin, middle);
        }
    }
    return set;
}

/* Starts on the lattice as well: then the directions are exact, and the rays pass corners and edges exactly. */
static void snap_starts(ray_set *set, double unit)
{
    for (size_t i = 0; i < 3 * set->count; i++) {
        const double target = set->origins[i] + set->directions[i], start = unit * round(set->origins[i] / unit);
        set->directions[i] = (double)(float)(unit / 16 * round(target * 16 / unit) - start);
        set->origins[i] = start;
    }
}

static void make_lattice_box(models_mesh *mesh, int n)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            const uint32_t first = (uint32_t)mesh->point_count;
            for (int i = 0; i <= n; i++) {
                for (int j = 0; j <= n; j++) {
                    double p[3];
                    p[axis] = side, p[(axis + 1) % 3] = 2.0 * i / n - 1, p[(axis + 2) % 3] = 2.0 * j / n - 1;
                    models_point(mesh, p[0], p[1], p[2]);
                }
            }
            for (int i = 0; i < n * n; i++) {
                const uint32_t a = first + (uint32_t)((i / n) * (n + 1) + i % n), b = a + (uint32_t)n + 1;
                models_triangle(mesh, a, side > 0 ? b : a + 1, side > 0 ? a + 1 : b);
                models_triangle(mesh, a + 1, side > 0 ? b : b + 1, side > 0 ? b + 1 : b);
            }
        }
    }
}

static int has(const uint32_t *list, size_t count, uint32_t item)
{
    size_t i = 0;
    while (i < count && list[i] != item) {
        i++;
    }
    return i < count;
}

typedef struct leak_count {
    size_t slipped, missed, invented, twice, even;
} leak_count;

static void count_leaks(const ray_set *rays, size_t i, const ray_peer *peer, void *model, const uint32_t *truth,
                        size_t true_count, leak_count *sum)
{
    uint32_t found[MOST_ALL];
    const size_t count = peer->all(model, rays, i, found, MOST_ALL);
    sum->slipped += count == 0;
    sum->even += count % 2 == 0;
    for (size_t k = 0; k < count && k < MOST_ALL; k++) {
        sum->invented += !has(truth, true_count, found[k]);
        sum->twice += (size_t)has(found, k, found[k]);
    }
    for (size_t k = 0; k < true_count; k++) {
        sum->missed += !has(found, count < MOST_ALL ? count : MOST_ALL, truth[k]);
    }
}

static void run_lattice(experiment *e)
{
    const ray_contest contest = open_contest(1);
    static const char *const head[] = {"library", "rays",     "slipped through", "hits",
                                       "missed",  "invented", "twice",           "even number of hits"};
    text_table *out = bench_allocate(1, sizeof *out);
    models_mesh box = {0};
    make_lattice_box(&box, 16);
    peers_mesh mesh = peers_mesh_take(&box, "lattice box");
    ray_set rays = lattice_rays(&mesh, e->options->quick ? 1 : 16, e->options->seed);
    void *tumble = contest.items[0]->build(&mesh.view);
    snap_starts(&rays, 0x1p-6);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t p = 0; p < contest.count; p++) {
        void *model = contest.items[p]->build(&mesh.view);
        leak_count sum = {.slipped = 0};
        size_t hits = 0;
        for (size_t i = 0; i < rays.count; i++) {
            uint32_t truth[MOST_ALL];
            const size_t count = contest.items[0]->all(tumble, &rays, i, truth, MOST_ALL);
            hits += count;
            count_leaks(&rays, i, contest.items[p], model, truth, count < MOST_ALL ? count : MOST_ALL, &sum);
        }
        contest.items[p]->destroy(model);
        const size_t numbers[] = {rays.count, sum.slipped, hits, sum.missed, sum.invented, sum.twice, sum.even};
        table_cell(out, "%s", contest.items[p]->name);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            table_cell(out, "%zu", numbers[k]);
        }
        table_end_row(out);
    }
    table_print(out,
                "Rays from inside a closed box of 16 x 16 squares a side, through its corners and edges: all hits");
    contest.items[0]->destroy(tumble);
    free_set(&rays);
    peers_mesh_free(&mesh);
    models_free(&box);
    free(out);
}

void mode_ray(experiment *e)
{
    ray_mode m = {.e = e, .contest = open_contest(0), .table = bench_allocate(1, sizeof *m.table)};
    experiment_open_csv(e, &m.csv, "ray");
    print_speed(&m);
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_mesh(&m, &mesh);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&m.csv);
    table_print(m.table, "Rays, the closest hit: nanoseconds of Tumble, how many times longer the others take, and how "
                         "many of their hits differ");
    free(m.table);
    run_lattice(e);
}
