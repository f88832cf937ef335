/* Worlds of models/world.h: steps of a heap that falls, a machine hall and a robot cell, with all contacts. */
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "scene.h"
#include "statistics.h"
#include "world.h"

/* The parameters of a run, and of a quick one, in the order of the world's. */
static const struct world_plan {
    const char *name;
    double values[MODELS_PARAMETERS], quick[MODELS_PARAMETERS];
} plans[] = {
    {"heap", {60, 1000, 1000, 1}, {6, 30, 12, 1}}, {"hall", {60, 1000, 32}, {4, 4, 8}}, {"cell", {240, 64}, {8, 8}}};
#define PLANS (sizeof plans / sizeof *plans)

typedef struct theatre {
    const models_world *world;
    tumble_context *context;
    tumble_scene *scene;
    tumble_query *query;
    models_stage stage;
    uint32_t threads;
} theatre;

static void open_theatre(theatre *t, const models_world *world, tumble_broad method, uint32_t threads)
{
    tumble_context_options options = tumble_default_context_options();
    tumble_scene_options how = tumble_default_scene_options();
    options.thread_count = threads;
    how.broad = method;
    *t = (theatre){.world = world, .threads = threads};
    bench_require(tumble_context_create(&options, &t->context), NULL, "a context");
    bench_require(tumble_scene_create(t->context, &how, &t->scene), t->context, "a scene");
    bench_require(tumble_query_create(t->context, &t->query), t->context, "a query");
    bench_require(models_open_stage(t->context, world, NULL, t->scene, &t->stage), t->context, "a world");
}

static void close_theatre(theatre *t)
{
    tumble_query_destroy(t->query);
    tumble_scene_destroy(t->scene);
    models_close_stage(&t->stage);
    tumble_context_destroy(t->context);
}

/* A step: its times in milliseconds, and a hash of what it found added to one. */
static scene_times take_step(theatre *t, size_t step, uint64_t *hash)
{
    scene_times times = {0};
    tumble_scene_question question = tumble_default_scene_question();
    tumble_scene_answer answer;
    question.mode = TUMBLE_SCENE_COUNT;
    models_plan_stage(&t->stage, t->world, step);
    const double start = scene_clock(t->threads);
    bench_require(tumble_scene_move(t->scene, t->stage.moved, t->stage.moved_poses, t->stage.moved_count), t->context,
                  "a move");
    const double moved = scene_clock(t->threads);
    bench_require(tumble_scene_update(t->scene), t->context, "an update");
    const double updated = scene_clock(t->threads);
    bench_require(tumble_scene_collide(t->query, t->scene, &question, &answer), t->context, "an answer");
    times.list = 1e-3 * (scene_clock(t->threads) - updated);
    times.update = 1e-3 * (updated - moved);
    times.move = 1e-3 * (moved - start);
    times.pairs = answer.meeting_count;
    for (uint64_t i = 0; i < answer.meeting_count; i++) {
        const tumble_meeting *meeting = &answer.meetings[i];
        const uint64_t key = (uint64_t)meeting->a.index << 32 | meeting->b.index;
        *hash = (*hash ^ (key + 31 * meeting->pair_count)) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return times;
}

/* The medians over all steps but the first, and the most pairs. */
static scene_row measure(theatre *t, uint64_t *hash)
{
    const size_t count = t->world->step_count - 1;
    double *times[3];
    size_t moved = 0;
    scene_row row = scene_row_empty();
    for (int i = 0; i < 3; i++) {
        times[i] = bench_allocate(count, sizeof *times[i]);
    }
    (void)take_step(t, 0, hash);
    for (size_t step = 0; step < count; step++) {
        const scene_times now = take_step(t, step + 1, hash);
        times[0][step] = now.move;
        times[1][step] = now.update;
        times[2][step] = now.list;
        moved += t->stage.moved_count;
        row.pairs = now.pairs > row.pairs ? now.pairs : row.pairs;
    }
    row.movers = 100.0 * (double)moved / (double)(count * t->world->object_count);
    row.move_ms = bench_median(times[0], count);
    row.update_ms = bench_median(times[1], count);
    row.answer_ms = bench_median(times[2], count);
    for (int i = 0; i < 3; i++) {
        free(times[i]);
    }
    return row;
}

static void run(bench_series *series, const models_world *world, tumble_broad method, uint32_t threads, uint64_t *first)
{
    theatre t;
    uint64_t hash = 1;
    open_theatre(&t, world, method, threads);
    scene_row row = measure(&t, &hash);
    close_theatre(&t);
    row.law = world->name;
    row.method = scene_method_name(method);
    row.objects = world->object_count;
    row.threads = threads;
    if (*first != 0 && *first != hash) {
        bench_complain(series, "%s: %s with %u threads finds other contacts", row.law, row.method, threads);
    }
    *first = hash;
    printf("%-8s %-6s %8zu %8u %7.0f %8llu %9.4f %9.4f %9.4f\n", row.law, row.method, row.objects, row.threads,
           row.movers, (unsigned long long)row.pairs, row.move_ms, row.update_ms, row.answer_ms);
    scene_write(series, &row);
}

void scene_worlds(bench_series *series)
{
    const bench_settings *settings = series->settings;
    printf("%-8s %-6s %8s %8s %7s %8s %9s %9s %9s\n", "world", "method", "objects", "threads", "moving%", "touching",
           "move ms", "update ms", "answer ms");
    for (size_t i = 0; i < PLANS; i++) {
        models_world world;
        uint64_t first = 0;
        const double *values = settings->quick ? plans[i].quick : plans[i].values;
        if (!models_make_world(&world, models_find_world(plans[i].name), values)) {
            bench_fail("out of memory for the world '%s'", plans[i].name);
        }
        for (int method = TUMBLE_BROAD_TREE; method <= TUMBLE_BROAD_ALL; method++) {
            run(series, &world, (tumble_broad)method, 1, &first);
        }
        run(series, &world, TUMBLE_BROAD_TREE, 2, &first);
        models_free_world(&world);
    }
}
