/* What a query keeps from answer to answer: a heap of bodies that tremble more or less, and a grid of equal bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "models.h"
#include "scene.h"
#include "statistics.h"

enum {
    SHAPES = 4,
    STEPS = 12
};

typedef struct heap {
    tumble_context *context;
    tumble_model *models[SHAPES];
    tumble_scene *scene;
    tumble_object *ids;
    tumble_pose *poses;
    size_t count;
    double speed; /* sides per step; NAN: a grid of equal bodies */
    uint64_t random;
} heap;

static void make_models(heap *h, size_t triangles)
{
    static const char *const names[SHAPES] = {"gear", "torus", "sphere", "lattice"};
    for (int i = 0; i < SHAPES; i++) {
        models_mesh mesh = {0};
        if (!models_make_sized(&mesh, names[i], triangles)) {
            bench_fail("out of memory for a model");
        }
        models_fit(&mesh, 1, 1);
        const tumble_mesh view = models_view(&mesh);
        bench_require(tumble_model_create(h->context, &view, NULL, &h->models[i]), h->context, "a model");
        models_free(&mesh);
    }
}

/* Bodies of side 1 stand in a grid that is a little too narrow for them. */
static void open_heap(heap *h, size_t side, size_t triangles, double speed)
{
    tumble_context_options options = tumble_default_context_options();
    const int is_grid = isnan(speed);
    options.thread_count = 1;
    *h = (heap){.count = side * side * side, .speed = speed, .random = 1};
    bench_require(tumble_context_create(&options, &h->context), NULL, "a context");
    bench_require(tumble_scene_create(h->context, NULL, &h->scene), h->context, "a scene");
    make_models(h, triangles);
    h->ids = bench_allocate(h->count, sizeof *h->ids);
    h->poses = bench_allocate(h->count, sizeof *h->poses);
    for (size_t i = 0; i < h->count; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        models_random turn = {i};
        tumble_part part = tumble_default_part();
        part.model = h->models[is_grid ? 0 : i % SHAPES];
        part.pose = is_grid ? tumble_pose_identity() : models_random_rotation(&turn);
        for (int k = 0; k < 3; k++) {
            part.pose.m[k][3] = 0.9375 * (double)at[k] + (is_grid ? 0 : 0.2 * scene_random(&h->random));
        }
        h->poses[i] = part.pose;
        bench_require(tumble_scene_add(h->scene, &part, 1, &h->ids[i]), h->context, "a body");
    }
}

static void close_heap(heap *h)
{
    tumble_scene_destroy(h->scene);
    for (int i = 0; i < SHAPES; i++) {
        (void)tumble_model_destroy(h->models[i]);
    }
    free(h->ids);
    free(h->poses);
    tumble_context_destroy(h->context);
}

static void move_heap(heap *h)
{
    if (!(h->speed > 0)) {
        return;
    }
    for (size_t i = 0; i < h->count; i++) {
        for (int k = 0; k < 3; k++) {
            h->poses[i].m[k][3] += h->speed * (2 * scene_random(&h->random) - 1);
        }
    }
    bench_require(tumble_scene_move(h->scene, h->ids, h->poses, h->count), h->context, "a move");
    bench_require(tumble_scene_update(h->scene), h->context, "an update");
}

/* Asks without coherence and with it, step by step; the medians without the first step, of a grid with it. */
static void run_mode(bench_series *series, heap *h, tumble_scene_mode mode)
{
    static const tumble_coherence kinds[2] = {TUMBLE_COHERENCE_NONE, TUMBLE_COHERENCE_PAIR};
    double times[2][STEPS], medians[2];
    uint64_t pairs[2] = {0, 0};
    tumble_query *queries[2];
    for (int i = 0; i < 2; i++) {
        bench_require(tumble_query_create(h->context, &queries[i]), h->context, "a query");
    }
    for (int step = 0; step < STEPS; step++) {
        move_heap(h);
        for (int i = 0; i < 2; i++) {
            tumble_scene_question question = tumble_default_scene_question();
            tumble_scene_answer answer;
            question.mode = mode;
            question.coherence = kinds[i];
            const double start = scene_clock(1);
            bench_require(tumble_scene_collide(queries[i], h->scene, &question, &answer), h->context, "an answer");
            times[i][step] = 1e-3 * (scene_clock(1) - start);
            pairs[i] = answer.meeting_count;
        }
        if (pairs[0] != pairs[1]) {
            bench_complain(series, "coherence changes an answer");
        }
    }
    for (int i = 0; i < 2; i++) {
        scene_row row = scene_row_empty();
        medians[i] = bench_median(times[i] + 1, STEPS - 1);
        row.law = isnan(h->speed) ? "grid" : h->speed > 0 ? "heap" : "still";
        row.method = i ? "pair" : "none";
        row.objects = h->count;
        row.speed = isnan(h->speed) ? 0 : h->speed;
        row.pairs = pairs[i];
        row.answer_ms = medians[i];
        row.relative = medians[0] / medians[i];
        scene_write(series, &row);
    }
    printf("%-6s %8g %-6s %8zu %8llu %9.3f %9.3f %7.2f\n", isnan(h->speed) ? "grid" : "heap",
           isnan(h->speed) ? 0 : h->speed, mode == TUMBLE_SCENE_PAIRS ? "pairs" : "count", h->count,
           (unsigned long long)pairs[0], medians[0], medians[1], medians[0] / medians[1]);
    for (int i = 0; i < 2; i++) {
        tumble_query_destroy(queries[i]);
    }
}

void scene_coherence(bench_series *series)
{
    static const double speeds[] = {0, 1e-5, 1e-4, 1e-3, 1e-2, (double)NAN};
    const int is_quick = series->settings->quick;
    printf("%-6s %8s %-6s %8s %8s %9s %9s %7s\n", "bodies", "speed", "mode", "objects", "touching", "none ms",
           "pair ms", "times");
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        heap h;
        open_heap(&h, is_quick ? 3 : 8, is_quick ? 200 : 20000, speeds[i]);
        run_mode(series, &h, TUMBLE_SCENE_PAIRS);
        run_mode(series, &h, TUMBLE_SCENE_COUNT);
        close_heap(&h);
    }
}
