/* Costs of single operations. A flight is walked once, as in Klosowski et al., algorithm 1, and what it compares,
 * tumbles and tests is noted; then each kind is done again in one loop, in the same order, and timed. */
#include "papers_direct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/kdop/walk.h"
#include "failure.h"
#include "machine.h"
#include "papers_kernels.h"
#include "papers_plain.h"
#include "prim/triangle.h"
#include "statistics.h"

enum {
    OF_A_SCENE = 100000 / PAPER_SCENES,
    MOST_REPETITIONS = 31
};

/* ---- What a flight meets ---- */

typedef struct notes {
    uint32_t *compared; /* nodes of A, and what each is compared with */
    const float **aparts;
    uint32_t *nodes;                  /* of B that are tumbled */
    float (*tumbled)[TMB_KDOP_LANES]; /* to what: `aparts` point here */
    double (*triangles)[2][3][3];
    size_t tests, updates, triangle_count;
} notes;

typedef struct watch {
    tmb_kdop_state state;
    tmb_encounter encounter;
    uint32_t k, flyer_leaf;
    tmb_kdop_slot_function *slot_of;
    bench_overlaps *overlaps;
    uint32_t *noted; /* of each node of B: in which query it was noted, and as which number */
    size_t *numbers;
    uint32_t query;
    notes *notes;
} watch;

static void note_update(watch *w, uint32_t node)
{
    const uint32_t slot = w->slot_of(&w->state, node);
    notes *n = w->notes;
    if (slot == TMB_KDOP_NO_SLOT) {
        bench_fail("no memory for a query");
    }
    if (w->noted[node] != w->query && n->updates < OF_A_SCENE) {
        w->noted[node] = w->query;
        w->numbers[node] = n->updates;
        memcpy(n->tumbled[n->updates], tmb_kdop_slot_apart(tmb_kdop_slot_at(&w->state, slot)),
               tmb_kdop_lanes(w->k) * sizeof(float));
        n->nodes[n->updates++] = node;
    }
}

static int boxes_overlap(double a[3][3], double b[3][3])
{
    int overlap = 1;
    for (int j = 0; j < 3; j++) {
        overlap &= fmin(fmin(a[0][j], a[1][j]), a[2][j]) <= fmax(fmax(b[0][j], b[1][j]), b[2][j]);
        overlap &= fmin(fmin(b[0][j], b[1][j]), b[2][j]) <= fmax(fmax(a[0][j], a[1][j]), a[2][j]);
    }
    return overlap;
}

static void note_triangles(watch *w, const uint32_t *row_a, const uint32_t *row_b)
{
    const tumble_model *a = w->encounter.a, *b = w->encounter.b;
    uint32_t address = tmb_kdop_link(w->k, row_b);
    for (uint32_t i = tmb_kdop_count(w->k, row_b); i > 0 && w->notes->triangle_count < OF_A_SCENE; i--) {
        double(*pair)[3][3] = w->notes->triangles[w->notes->triangle_count], corners[3][3];
        tmb_model_corners(a, tmb_kdop_link(w->k, row_a), pair[0]);
        tmb_model_corners(b, address, corners);
        for (int c = 0; c < 3; c++) {
            tumble_pose_apply(&w->encounter.relative, corners[c], pair[1][c]);
        }
        w->notes->triangle_count += (size_t)boxes_overlap(pair[0], pair[1]);
        address = tmb_next_triangle(b->places, address);
    }
}

/* Down A's tree first, then down B's. */
static void look(watch *w, uint32_t node_a, uint32_t node_b)
{
    notes *n = w->notes;
    const uint32_t *row_a = tmb_kdop_row(w->state.rows_a, w->k, node_a);
    const uint32_t *row_b = tmb_kdop_row(w->state.rows_b, w->k, node_b);
    note_update(w, node_b);
    const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(&w->state, w->slot_of(&w->state, node_b)));
    if (n->tests < OF_A_SCENE && w->noted[node_b] == w->query) {
        n->compared[n->tests] = node_a;
        n->aparts[n->tests++] = n->tumbled[w->numbers[node_b]];
    }
    if (!w->overlaps(&w->state, &node_a, &apart, 1)) {
        return;
    }
    const int inner_a = tmb_kdop_count(w->k, row_a) == 0, inner_b = tmb_kdop_count(w->k, row_b) == 0;
    if (!inner_a && !inner_b) {
        note_triangles(w, row_a, row_b);
    }
    for (uint32_t i = 0; i < 2 && inner_a; i++) {
        look(w, tmb_kdop_link(w->k, row_a) + i, node_b);
    }
    for (uint32_t i = 0; i < 2 && !inner_a && inner_b; i++) {
        look(w, node_a, tmb_kdop_link(w->k, row_b) + i);
    }
}

static void set_up(watch *w, const tumble_pose *pose)
{
    const tumble_kdop_walk walk = {.tumble = TUMBLE_KDOP_TUMBLE_VERTICES, .root = TUMBLE_KDOP_ROOT_SAME};
    w->encounter.relative = *pose;
    w->query++;
    if (!tmb_kdop_set_up(&w->state, &w->encounter, &walk, 0)) {
        bench_fail("a k-DOP tree cannot be walked");
    }
}

/* The flight is repeated until enough of everything was seen, or nothing more comes. */
static void watch_flight(watch *w, const models_scene *scene)
{
    notes *n = w->notes;
    size_t before = 0, pass = 0;
    do {
        before = n->tests + n->updates + n->triangle_count;
        for (size_t step = 0; step < scene->path_length; step++) {
            set_up(w, &scene->path[step]);
            look(w, TMB_KDOP_ROOT, TMB_KDOP_ROOT);
        }
    } while (++pass < 32 && n->tests + n->updates + n->triangle_count > before &&
             (n->tests < OF_A_SCENE || n->updates < OF_A_SCENE || n->triangle_count < OF_A_SCENE));
}

/* ---- Timing ---- */

typedef struct timing {
    double samples[MOST_REPETITIONS];
    size_t count;
} timing;

static direct_cost cost_of(timing *t)
{
    const double median = bench_median(t->samples, t->count); /* which sorts them */
    return (direct_cost){median, (t->samples[t->count * 3 / 4] - t->samples[t->count / 4]) / 2};
}

static void time_tests(watch *w, double *nanoseconds)
{
    const double start = bench_thread_microseconds();
    w->encounter.exact_tests += w->overlaps(&w->state, w->notes->compared, w->notes->aparts, w->notes->tests);
    *nanoseconds += 1e3 * (bench_thread_microseconds() - start);
}

static void time_updates(watch *w, bench_updates *updates, double *nanoseconds)
{
    float apart[TMB_KDOP_LANES];
    const double start = bench_thread_microseconds();
    updates(&w->state, w->notes->nodes, w->notes->updates, apart);
    *nanoseconds += 1e3 * (bench_thread_microseconds() - start);
}

static const uint32_t *vertices_of(const watch *w, uint32_t node, const float (**out)[3])
{
    const char *nodes = (const char *)w->state.rows_b;
    const uint32_t *first = (const uint32_t *)(nodes + w->state.parts_b.vertex_first) + node;
    *out = (const float(*)[3])(nodes + w->state.parts_b.vertices) + first[0];
    return first;
}

static double time_plain_updates(watch *w, double *nanoseconds)
{
    double out[TMB_KDOP_LANES], vertices = 0;
    const double start = bench_thread_microseconds();
    for (size_t i = 0; i < w->notes->updates; i++) {
        const float(*points)[3];
        const uint32_t *first = vertices_of(w, w->notes->nodes[i], &points);
        papers_plain_update((const double(*)[3])w->state.along, w->k, points, first[1] - first[0], out);
        vertices += first[1] - first[0];
    }
    *nanoseconds += 1e3 * (bench_thread_microseconds() - start);
    return vertices;
}

static size_t time_triangles(const notes *n, double *nanoseconds)
{
    size_t hits = 0;
    unsigned long long exact = 0;
    const double start = bench_thread_microseconds();
    for (size_t i = 0; i < n->triangle_count; i++) {
        hits += (size_t)tmb_triangles_intersect((const double(*)[3])n->triangles[i][0],
                                                (const double(*)[3])n->triangles[i][1], &exact);
    }
    *nanoseconds += 1e3 * (bench_thread_microseconds() - start);
    return hits;
}

/* ---- All scenes ---- */

static void choose_kernels(watch *w, const tumble_context *context, bench_updates **updates)
{
    const tmb_kdop_kernels walks = TMB_PICK_KERNEL(context, tmb_kdop_kernels);
    const bench_kdop_kernels loops = TMB_PICK_KERNEL(context, bench_kdop_kernels);
    switch (w->k) {
    case 6: w->slot_of = walks.slot_6, w->overlaps = loops.overlaps_6, *updates = loops.updates_6; break;
    case 14: w->slot_of = walks.slot_14, w->overlaps = loops.overlaps_14, *updates = loops.updates_14; break;
    case 18: w->slot_of = walks.slot_18, w->overlaps = loops.overlaps_18, *updates = loops.updates_18; break;
    default: w->slot_of = walks.slot_26, w->overlaps = loops.overlaps_26, *updates = loops.updates_26; break;
    }
}

static notes allocate_notes(void)
{
    return (notes){.compared = bench_allocate(OF_A_SCENE, sizeof(uint32_t)),
                   .aparts = bench_allocate(OF_A_SCENE, sizeof(float *)),
                   .nodes = bench_allocate(OF_A_SCENE, sizeof(uint32_t)),
                   .tumbled = bench_allocate(OF_A_SCENE, sizeof(float[TMB_KDOP_LANES])),
                   .triangles = bench_allocate(OF_A_SCENE, sizeof(double[2][3][3]))};
}

static void free_notes(notes *n)
{
    free(n->compared);
    free(n->aparts);
    free(n->nodes);
    free(n->tumbled);
    free(n->triangles);
}

typedef struct totals {
    double tests[MOST_REPETITIONS], updates[MOST_REPETITIONS], plain[MOST_REPETITIONS], triangles[MOST_REPETITIONS];
    double vertices;
} totals;

static void time_scene(papers *p, int scene_number, watch *w, size_t repetitions, totals *sums)
{
    char word[96];
    snprintf(word, sizeof word, "k=%u+leaf=1+flyer-leaf=%u+tumble=vertices", w->k, w->flyer_leaf);
    const paper_row row = {"", word};
    const models_scene *scene = papers_scene(p, scene_number);
    bench_variants variants = papers_variants(&row, 1);
    bench_subject subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants);
    const bench_contestant *made = &subject.contestants[0];
    bench_updates *updates;
    w->encounter = (tmb_encounter){.query = made->query, .a = made->model, .b = made->flyer};
    w->noted = bench_allocate(made->flyer_info.node_count + 1, sizeof *w->noted);
    w->numbers = bench_allocate(made->flyer_info.node_count + 1, sizeof *w->numbers);
    choose_kernels(w, made->context, &updates);
    watch_flight(w, scene);
    for (size_t i = 0; i < repetitions; i++) {
        time_tests(w, &sums->tests[i]);
        time_updates(w, updates, &sums->updates[i]);
        sums->vertices += time_plain_updates(w, &sums->plain[i]) / (double)repetitions;
        time_triangles(w->notes, &sums->triangles[i]);
    }
    free(w->noted);
    free(w->numbers);
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
}

static direct_cost per_operation(double *nanoseconds, size_t repetitions, size_t count)
{
    timing t = {.count = repetitions};
    for (size_t i = 0; i < repetitions; i++) {
        t.samples[i] = nanoseconds[i] / (double)count;
    }
    return cost_of(&t);
}

direct_costs papers_direct_costs(papers *p, uint32_t k, uint32_t flyer_leaf)
{
    const size_t repetitions = p->series.settings->quick ? 1 : 15;
    direct_costs costs = {.tests = 0};
    totals sums = {.vertices = 0};
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        notes n = allocate_notes();
        watch w = {.k = k, .flyer_leaf = flyer_leaf, .notes = &n};
        time_scene(p, scene, &w, repetitions, &sums);
        costs.tests += n.tests;
        costs.updates += n.updates;
        costs.triangles += n.triangle_count;
        free_notes(&n);
    }
    costs.volume_test = per_operation(sums.tests, repetitions, costs.tests);
    costs.update = per_operation(sums.updates, repetitions, costs.updates);
    costs.plain_update = per_operation(sums.plain, repetitions, costs.updates);
    costs.triangle_test = per_operation(sums.triangles, repetitions, costs.triangles);
    costs.vertices = sums.vertices / (double)costs.updates;
    return costs;
}
