/* The broad phase of scenes: time per step, drift, few movers, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "scene.h"
#include "scene/scene.h"
#include "statistics.h"

#define SLOW 0.1 /* sides per step */
#define FAST 1.0

/* More objects than these take too long. */
#define SWEEP_MOST 100000
#define ALL_MOST 10000

static const char *const laws[] = {"uniform", "wild", "turned"};
#define LAWS (sizeof laws / sizeof *laws)

/* A scene with its own context. */
typedef struct stage {
    tumble_context *context;
    tumble_model *cube;
    tumble_scene *scene;
    scene_crowd crowd;
    uint32_t threads;
} stage;

static void open_stage(stage *s, const char *law, size_t count, double seed, tumble_broad method, uint32_t threads,
                       const tumble_allocator *allocator)
{
    tumble_context_options options = tumble_default_context_options();
    tumble_scene_options how = tumble_default_scene_options();
    options.thread_count = threads;
    if (allocator) {
        options.allocator = *allocator;
    }
    how.broad = method;
    s->threads = threads;
    bench_require(tumble_context_create(&options, &s->context), NULL, "a context");
    s->cube = scene_cube(s->context);
    bench_require(tumble_scene_create(s->context, &how, &s->scene), s->context, "a scene");
    scene_crowd_begin(&s->crowd, s->context, law, count, seed, s->cube);
    scene_add(s->context, s->scene, &s->crowd);
}

static void close_stage(stage *s)
{
    scene_crowd_end(&s->crowd);
    tumble_scene_destroy(s->scene);
    tumble_model_destroy(s->cube);
    tumble_context_destroy(s->context);
}

static scene_times advance(stage *s, size_t movers, double speed)
{
    scene_crowd_move(&s->crowd, movers, speed);
    return scene_step(s->context, s->scene, &s->crowd, movers, s->threads);
}

/* The medians of several steps; hashes of all of them in one. */
static scene_times median_step(stage *s, size_t movers, double speed, size_t steps)
{
    double *times[3];
    scene_times all = {0};
    for (int i = 0; i < 3; i++) {
        times[i] = bench_allocate(steps, sizeof *times[i]);
    }
    for (size_t i = 0; i < steps; i++) {
        const scene_times t = advance(s, movers, speed);
        times[0][i] = t.move;
        times[1][i] = t.update;
        times[2][i] = t.list;
        all.pairs = t.pairs;
        all.hash = all.hash * 31 + t.hash;
    }
    all.move = bench_median(times[0], steps);
    all.update = bench_median(times[1], steps);
    all.list = bench_median(times[2], steps);
    for (int i = 0; i < 3; i++) {
        free(times[i]);
    }
    return all;
}

static double sum_of(const scene_times *t)
{
    return t->move + t->update + t->list;
}

static scene_row row_of(const stage *s, const scene_times *t, double movers, double speed)
{
    scene_row row = scene_row_empty();
    row.law = s->crowd.law;
    row.method = scene_method_name(s->scene->method);
    row.objects = s->crowd.count;
    row.threads = s->threads;
    row.movers = movers;
    row.speed = speed;
    row.pairs = t->pairs;
    row.move_ms = t->move;
    row.update_ms = t->update;
    row.list_ms = t->list;
    row.ns_per_object = 1e6 * sum_of(t) / (double)s->crowd.count;
    return row;
}

/* ---- All objects move ---- */

static void print_broad(const scene_row *row)
{
    printf("%-8s %9zu  %-6s %7u  %9llu  %8.2f  %8.2f  %8.2f  %9.2f  %7.1f\n", row->law, row->objects, row->method,
           row->threads, (unsigned long long)row->pairs, row->move_ms, row->update_ms, row->list_ms,
           row->move_ms + row->update_ms + row->list_ms, row->ns_per_object);
    fflush(stdout);
}

/* Returns the hash of all pairs of all steps. */
static uint64_t measure_broad(bench_series *series, const char *law, size_t count, tumble_broad method,
                              uint32_t threads)
{
    stage s;
    open_stage(&s, law, count, series->settings->seed, method, threads, NULL);
    (void)advance(&s, count, SLOW);
    const scene_times t = median_step(&s, count, SLOW, (size_t)series->settings->steps);
    const scene_row row = row_of(&s, &t, 100, SLOW);
    print_broad(&row);
    scene_write(series, &row);
    close_stage(&s);
    return t.hash;
}

void scene_broad(bench_series *series)
{
    const bench_settings *settings = series->settings;
    puts(
        "milliseconds per step: move: handing over the poses; update: boxes, trees, sorted pairs; list: pairs as ids;\n"
        "processor time with one thread, else time on the wall; medians of the steps\n");
    printf("%-8s %9s  %-6s %7s  %9s  %8s  %8s  %8s  %9s  %7s\n", "law", "objects", "method", "threads", "pairs", "move",
           "update", "list", "sum", "ns/obj");
    for (size_t size = 0; size < settings->sizes.count; size++) {
        const size_t count = (size_t)settings->sizes.items[size];
        for (size_t law = 0; law < LAWS; law++) {
            uint64_t hash = 0;
            for (size_t t = 0; t < settings->threads.count; t++) {
                const uint64_t own =
                    measure_broad(series, laws[law], count, TUMBLE_BROAD_TREE, (uint32_t)settings->threads.items[t]);
                if (t > 0 && own != hash) {
                    bench_complain(series, "%s, %zu objects: threads find different pairs", laws[law], count);
                }
                hash = own;
            }
            if (count <= SWEEP_MOST && measure_broad(series, laws[law], count, TUMBLE_BROAD_SWEEP, 1) != hash) {
                bench_complain(series, "%s, %zu objects: sweep and prune finds other pairs", laws[law], count);
            }
            if (count <= ALL_MOST && measure_broad(series, laws[law], count, TUMBLE_BROAD_ALL, 1) != hash) {
                bench_complain(series, "%s, %zu objects: brute force finds other pairs", laws[law], count);
            }
        }
    }
}

/* ---- Drift ---- */

/* A step is timed with the few that follow it, so that chance does not choose. */
static void measure_drift(bench_series *series, const char *law, size_t count, double speed, tumble_broad method)
{
    static const size_t steps[] = {1, 10, 100, 1000};
    const size_t window = series->settings->quick ? 1 : 5;
    stage s;
    double first = 0;
    open_stage(&s, law, count, series->settings->seed, method, 1, NULL);
    (void)scene_step(s.context, s.scene, &s.crowd, count, 1);
    printf("%-8s %9zu  %-6s %5.1f ", law, count, scene_method_name(method), speed);
    size_t at = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const size_t until = series->settings->quick ? i : steps[i] - 1;
        for (; at < until; at++) {
            (void)advance(&s, count, speed);
        }
        const scene_times t = median_step(&s, count, speed, window);
        at += window;
        scene_row row = row_of(&s, &t, 100, speed);
        row.step = steps[i];
        first = i == 0 ? sum_of(&t) : first;
        row.relative = sum_of(&t) / first;
        printf(" %8.2f %5.2f", sum_of(&t), row.relative);
        scene_write(series, &row);
    }
    printf("\n");
    fflush(stdout);
    close_stage(&s);
}

void scene_drift(bench_series *series)
{
    static const double speeds[] = {SLOW, FAST};
    const size_t count = series->settings->quick ? 200 : 10000;
    puts("milliseconds of a step (of the five from there on, the median) and that beside the first one\n");
    printf("%-8s %9s  %-6s %5s  %14s %14s %14s %14s\n", "law", "objects", "method", "speed", "step 1", "step 10",
           "step 100", "step 1,000");
    for (size_t law = 0; law < LAWS; law++) {
        for (int i = 0; i < 2; i++) {
            measure_drift(series, laws[law], count, speeds[i], TUMBLE_BROAD_TREE);
        }
    }
    measure_drift(series, laws[0], count, SLOW, TUMBLE_BROAD_SWEEP);
}

/* ---- Few movers ---- */

static void measure_movers(bench_series *series, const char *law, size_t count, double speed)
{
    static const double shares[] = {100, 10, 1, 0.1, 0};
    double full = 0;
    stage s;
    open_stage(&s, law, count, series->settings->seed, TUMBLE_BROAD_TREE, 1, NULL);
    (void)advance(&s, count, speed);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const size_t movers = (size_t)((double)count * shares[i] / 100);
        (void)advance(&s, movers, speed); /* the first step after many have moved builds small trees */
        const scene_times t = median_step(&s, movers, speed, (size_t)series->settings->steps);
        scene_row row = row_of(&s, &t, shares[i], speed);
        full = i == 0 ? sum_of(&t) : full;
        row.relative = sum_of(&t) / full;
        printf("%-8s %9zu %5.1f  %7.1f  %8.3f  %8.3f  %8.3f  %9.3f  %7.2f %%\n", law, count, speed, shares[i], t.move,
               t.update, t.list, sum_of(&t), 100 * row.relative);
        fflush(stdout);
        scene_write(series, &row);
    }
    close_stage(&s);
}

void scene_movers(bench_series *series)
{
    const bench_settings *settings = series->settings;
    puts("milliseconds of a step in which so many percent of the objects move, beside a step of all\n");
    printf("%-8s %9s %5s  %7s  %8s  %8s  %8s  %9s  %9s\n", "law", "objects", "speed", "movers", "move", "update",
           "list", "sum", "of all");
    for (size_t law = 0; law < LAWS; law++) {
        measure_movers(series, laws[law], (size_t)settings->sizes.items[settings->sizes.count - 1], SLOW);
    }
    measure_movers(series, laws[0], (size_t)settings->sizes.items[settings->sizes.count - 1], FAST);
}

/* ---- Memory ---- */

typedef struct counter {
    size_t now, peak;
} counter;

/* The size is kept in front of the block. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    counter *c = user;
    const size_t room = alignment > sizeof(size_t) ? alignment : sizeof(size_t);
    char *block = aligned_alloc(room, (size + 2 * room - 1) / room * room);
    if (!block) {
        return NULL;
    }
    memcpy(block + room - sizeof size, &size, sizeof size);
    memcpy(block + room - 2 * sizeof size, &room, sizeof room);
    c->now += size;
    c->peak = c->now > c->peak ? c->now : c->peak;
    return block + room;
}

static void release(void *user, void *pointer)
{
    counter *c = user;
    size_t size, room;
    if (pointer) {
        memcpy(&size, (char *)pointer - sizeof size, sizeof size);
        memcpy(&room, (char *)pointer - 2 * sizeof size, sizeof room);
        c->now -= size;
        free((char *)pointer - room);
    }
}

static size_t bytes_of_tree(const tmb_box_tree *tree)
{
    return tree->nodes.capacity + tree->object_room.capacity + tree->home_room.capacity;
}

static void measure_memory(bench_series *series, size_t count, size_t movers)
{
    counter c = {0};
    const tumble_allocator allocator = {&c, allocate, release};
    stage s;
    const size_t before = c.now;
    open_stage(&s, "uniform", count, series->settings->seed, TUMBLE_BROAD_TREE, 1, &allocator);
    (void)advance(&s, count, SLOW);
    for (int i = 0; i < 3; i++) {
        (void)advance(&s, movers, FAST);
    }
    const tmb_broad *broad = &s.scene->broad;
    const double share = 1 / (double)count;
    scene_row row = scene_row_empty();
    row.law = s.crowd.law;
    row.objects = count;
    row.movers = 100 * (double)movers * share;
    row.pairs = broad->pair_count;
    row.tree_bytes = share * (double)(bytes_of_tree(&broad->main) + bytes_of_tree(&broad->young) +
                                      broad->place_room.capacity + broad->changed_room.capacity + broad->list.capacity);
    row.pair_bytes = (double)(broad->pairs.capacity + broad->room.pairs.capacity + broad->room.places.capacity +
                              s.scene->views.capacity);
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        row.pair_bytes += (double)broad->outputs[i].pairs.capacity;
    }
    row.pair_bytes *= share;
    row.box_bytes = sizeof(tmb_box);
    row.object_bytes = share * (double)(c.now - before) - row.tree_bytes - row.pair_bytes - row.box_bytes;
    row.peak_bytes = share * (double)c.peak;
    printf("%9zu  %7.1f  %9llu  %7.1f  %7.1f  %7.1f  %7.1f  %7.1f\n", count, row.movers, (unsigned long long)row.pairs,
           row.tree_bytes, row.box_bytes, row.object_bytes, row.pair_bytes, row.peak_bytes);
    fflush(stdout);
    scene_write(series, &row);
    close_stage(&s);
}

void scene_memory(bench_series *series)
{
    const bench_settings *settings = series->settings;
    puts("bytes per object, by an allocator that counts: trees; boxes; poses and the rest of the objects; pairs, of "
         "which\n"
         "there is about one per object; and the most at any time\n");
    printf("%9s  %7s  %9s  %7s  %7s  %7s  %7s  %7s\n", "objects", "movers", "pairs", "trees", "boxes", "objects",
           "pairs", "peak");
    for (size_t i = 0; i < settings->sizes.count; i++) {
        const size_t count = (size_t)settings->sizes.items[i];
        measure_memory(series, count, count);
        measure_memory(series, count, count / 100);
    }
}
