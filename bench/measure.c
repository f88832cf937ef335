/* One scene, measured for all variants.
 *
 * A first turn of each variant warms up and is where answers and counters come from. Then the turn is repeated, one
 * variant after the other within each repetition, so that whatever else the machine does hits all of them alike. A turn
 * is timed by the clock of the thread's own processor time, which stands still while others have the processor; the
 * median of the turns counts. That clock is too slow to read at each query, so the distribution of single queries is
 * timed by the clock on the wall, which an interruption spoils for one query of one turn: the median of each query's
 * times counts. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "statistics.h"

const char *bench_mode_name(tumble_mode mode)
{
    switch (mode) {
    case TUMBLE_TEST: return "test";
    case TUMBLE_FIRST: return "first";
    case TUMBLE_COUNT: return "count";
    case TUMBLE_ALL: return "all";
    case TUMBLE_SURFACES: return "surfaces";
    }
    return "?";
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Where the pairs go while answers are gathered. */
typedef struct pair_sum {
    uint64_t step, hash;
} pair_sum;

/* A sum, because the order of the pairs depends on the tree. */
static bool hash_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                       size_t contact_count)
{
    pair_sum *sum = user;
    (void)contacts;
    (void)contact_count;
    for (size_t i = 0; i < count; i++) {
        sum->hash += mixed(mixed(sum->step << 32 | pairs[i].polygon_a) + pairs[i].polygon_b);
    }
    return false;
}

/* Which polygons stand for two surfaces depends on the tree too. */
static bool hash_surfaces(void *user, const tumble_surface_pair *pairs, size_t count)
{
    pair_sum *sum = user;
    for (size_t i = 0; i < count; i++) {
        sum->hash += mixed(mixed(sum->step << 32 | pairs[i].surface_a) + pairs[i].surface_b);
    }
    return false;
}

/* Where they go while the clock runs: all of them are delivered, and their number is kept. */
static bool count_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                        size_t contact_count)
{
    (void)pairs;
    (void)contacts;
    (void)contact_count;
    *(uint64_t *)user += count;
    return false;
}

static bool count_surfaces(void *user, const tumble_surface_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint64_t *)user += count;
    return false;
}

static tumble_collide_options options_for(const bench_scene *scene, const bench_contestant *contestant)
{
    tumble_collide_options options = bench_variant_options(contestant->variant);
    options.mode = scene->mode;
    return options;
}

static tumble_pose pose_at(const bench_scene *scene, size_t step)
{
    return scene->path ? scene->path[step] : models_tumbling_pose(step, scene->steps, scene->distance);
}

static void ask(const bench_contestant *contestant, const tumble_pose *pose, const tumble_collide_options *options,
                tumble_collide_result *result)
{
    bench_require(tumble_collide(contestant->query, contestant->model, NULL, contestant->flyer, pose, options, result),
                  contestant->context, "a query");
}

/* ---- Answers and counters ---- */

static void gather(const bench_scene *scene, const bench_contestant *contestant, bench_result *out)
{
    tumble_collide_options options = options_for(scene, contestant);
    pair_sum sum = {0, 0};
    const double share = 1 / (double)scene->steps;
    if (scene->mode == TUMBLE_ALL) {
        options.callback = hash_pairs;
    } else if (scene->mode == TUMBLE_SURFACES) {
        options.surface_callback = hash_surfaces;
    }
    options.callback_user = &sum;
    *out = (bench_result){0};
    for (size_t step = 0; step < scene->steps; step++) {
        const tumble_pose pose = pose_at(scene, step);
        tumble_collide_result result;
        sum.step = step;
        ask(contestant, &pose, &options, &result);
        sum.hash += result.collide ? mixed(step + 1) : 0;
        out->hits += (uint64_t)result.collide;
        out->pairs += scene->mode == TUMBLE_SURFACES ? result.surface_pair_count : result.pair_count;
        out->box_tests += share * (double)result.counters.box_tests;
        out->box_updates += share * (double)result.counters.box_updates;
        out->primitive_tests += share * (double)result.counters.primitive_tests;
        out->exact_tests += share * (double)result.counters.exact_tests;
        out->bytes_touched += share * (double)result.counters.bytes_touched;
    }
    out->hash = sum.hash;
}

static int agree(const bench_scene *scene, const bench_result *results)
{
    const bench_contestant *contestants = scene->subject->contestants;
    for (size_t i = 1; i < scene->subject->count; i++) {
        const bench_result *one = &results[0], *other = &results[i];
        if (one->hits != other->hits || one->pairs != other->pairs || one->hash != other->hash) {
            fprintf(stderr,
                    "tumble_bench: answers differ: %s, %zu triangles, distance %.9g, %zu steps, mode %s:\n"
                    "    %s: %llu hits, %llu pairs, hash %016llx\n    %s: %llu hits, %llu pairs, hash %016llx\n",
                    scene->subject->shape, scene->subject->triangle_count, scene->distance, scene->steps,
                    bench_mode_name(scene->mode), contestants[0].variant->name, (unsigned long long)one->hits,
                    (unsigned long long)one->pairs, (unsigned long long)one->hash, contestants[i].variant->name,
                    (unsigned long long)other->hits, (unsigned long long)other->pairs, (unsigned long long)other->hash);
            return 0;
        }
    }
    return 1;
}

size_t bench_choose_steps(const bench_scene *scene, size_t most, double work)
{
    const size_t samples = 12, least = 12;
    bench_scene sample = *scene;
    bench_result result;
    sample.steps = samples;
    gather(&sample, &scene->subject->contestants[0], &result);
    const double affordable = work / (result.box_tests + result.primitive_tests + 1);
    const size_t steps = affordable < (double)most ? (size_t)affordable : most;
    return steps > least ? steps : (least < most ? least : most);
}

/* ---- Times ---- */

/* Of one variant, in microseconds. */
typedef struct times {
    double *turns;   /* each repetition's, divided by the steps */
    double *queries; /* [step][repetition] */
} turn_times;

/* Brings a variant's tree back into the caches, from which the variant before it has pushed it out: in a long turn that
 * would not matter, in a short one it would. */
static void warm_up(const bench_scene *scene, const bench_contestant *contestant, const tumble_collide_options *options)
{
    const size_t most = 64, queries = scene->steps < most ? scene->steps : most;
    for (size_t i = 0; i < queries; i++) {
        const tumble_pose pose = pose_at(scene, i * scene->steps / queries);
        tumble_collide_result result;
        ask(contestant, &pose, options, &result);
    }
}

static void time_turn(const bench_scene *scene, const bench_contestant *contestant, size_t repetition, turn_times *out)
{
    tumble_collide_options options = options_for(scene, contestant);
    uint64_t delivered = 0;
    if (scene->mode == TUMBLE_ALL) {
        options.callback = count_pairs;
    } else if (scene->mode == TUMBLE_SURFACES) {
        options.surface_callback = count_surfaces;
    }
    options.callback_user = &delivered;
    warm_up(scene, contestant, &options);
    const double start = bench_thread_microseconds();
    double last = bench_microseconds();
    for (size_t step = 0; step < scene->steps; step++) {
        const tumble_pose pose = pose_at(scene, step);
        tumble_collide_result result;
        ask(contestant, &pose, &options, &result);
        const double now = bench_microseconds();
        out->queries[step * scene->repetitions + repetition] = now - last;
        last = now;
    }
    out->turns[repetition] = (bench_thread_microseconds() - start) / (double)scene->steps;
}

static void summarise(const bench_scene *scene, const turn_times *times, size_t contestant, bench_result *out)
{
    double *middles = bench_allocate(scene->steps, sizeof *middles);
    for (size_t step = 0; step < scene->steps; step++) {
        middles[step] = bench_median(times->queries + step * scene->repetitions, scene->repetitions);
    }
    if (scene->query_microseconds) {
        memcpy(scene->query_microseconds + contestant * scene->steps, middles, scene->steps * sizeof *middles);
    }
    out->mean_microseconds = bench_median(times->turns, scene->repetitions);
    out->median_microseconds = bench_median(middles, scene->steps);
    free(middles);
}

int bench_measure(const bench_scene *scene, bench_result *results)
{
    const size_t count = scene->subject->count, block = scene->steps * scene->repetitions;
    for (size_t i = 0; i < count; i++) {
        gather(scene, &scene->subject->contestants[i], &results[i]);
    }
    if (!agree(scene, results)) {
        return 0;
    }
    turn_times *all = bench_allocate(count, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i].turns = bench_allocate(scene->repetitions, sizeof *all[i].turns);
        all[i].queries = bench_allocate(block, sizeof *all[i].queries);
    }
    for (size_t repetition = 0; repetition < scene->repetitions; repetition++) {
        for (size_t i = 0; i < count; i++) {
            const size_t next = (i + repetition) % count; /* nobody is always the first */
            time_turn(scene, &scene->subject->contestants[next], repetition, &all[next]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        summarise(scene, &all[i], i, &results[i]);
        free(all[i].turns);
        free(all[i].queries);
    }
    free(all);
    return 1;
}
