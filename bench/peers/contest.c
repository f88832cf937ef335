/* The same questions to all libraries.
 *
 * First all of them answer all questions, untimed: that warms up and is where the answers come from. Then the turn over
 * the poses is repeated, one library after the other within each repetition, so that whatever else the machine does
 * hits all of them alike. The clock is that of the processor time of all threads, which stands still while other
 * processes have the processor. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "statistics.h"

/* ---- Who takes part ---- */

static const peer_library *(*const lists[])(void) = {
    peer_tumble,
#ifdef TUMBLE_PEER_FCL
    peer_fcl,
#endif
#ifdef TUMBLE_PEER_ODE
    peer_ode,
#endif
#ifdef TUMBLE_PEER_BULLET
    peer_bullet,
#endif
#ifdef TUMBLE_PEER_EMBREE
    peer_embree,
#endif
#ifdef TUMBLE_PEER_CGAL
    peer_cgal,
#endif
};

static int wanted(const bench_words *words, const char *name)
{
    int found = strcmp(words->items[0], "all") == 0 || strcmp(name, "tumble") == 0;
    for (size_t i = 0; i < words->count && !found; i++) {
        found = strcmp(words->items[i], name) == 0;
    }
    return found;
}

static void join(peers_contest *contest, const peer_library *peer, int bare)
{
    if (contest->count == PEERS_MOST) {
        bench_fail("there are more than %d libraries", PEERS_MOST);
    }
    peers_contestant *item = &contest->items[contest->count++];
    item->peer = peer;
    item->bare = bare;
    snprintf(item->name, sizeof item->name, bare ? "%s-collide" : "%s", peer->name);
}

peers_contest contest_open(const bench_words *peers)
{
    peers_contest contest = {.count = 0};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const peer_library *peer = lists[i](); peer->name; peer++) {
            if (!wanted(peers, peer->name)) {
                continue;
            }
            join(&contest, peer, 0);
            if (peer->prepare) {
                join(&contest, peer, 1);
            }
        }
    }
    return contest;
}

contest_models contest_build(const peers_contest *contest, const peer_mesh *mesh)
{
    contest_models models = {.triangle_count = mesh->triangle_count};
    for (size_t i = 0; i < contest->count; i++) {
        const peers_contestant *item = &contest->items[i];
        models.items[i] = item->bare ? models.items[i - 1] : item->peer->build(mesh);
        if (!models.items[i]) {
            bench_fail("%s cannot build a model of %zu triangles", item->name, mesh->triangle_count);
        }
    }
    return models;
}

void contest_destroy(const peers_contest *contest, contest_models *models)
{
    for (size_t i = 0; i < contest->count; i++) {
        if (!contest->items[i].bare) {
            contest->items[i].peer->destroy(models->items[i]);
        }
    }
    memset(models, 0, sizeof *models);
}

/* ---- Pairs ---- */

static int compare_pairs(const void *one, const void *other)
{
    const tumble_pair *p = one, *q = other;
    const int a = (p->polygon_a > q->polygon_a) - (p->polygon_a < q->polygon_a);
    return a ? a : (p->polygon_b > q->polygon_b) - (p->polygon_b < q->polygon_b);
}

void pair_list_reserve(pair_list *list, size_t capacity)
{
    if (capacity > list->capacity) {
        free(list->items);
        list->items = bench_allocate(2 * capacity, sizeof *list->items);
        list->capacity = 2 * capacity;
    }
}

void pair_list_sort(pair_list *list)
{
    size_t kept = 0;
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof *list->items, compare_pairs);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare_pairs(&list->items[kept - 1], &list->items[i]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

void pair_list_compare(const pair_list *truth, const pair_list *list, uint64_t *missed, uint64_t *invented)
{
    size_t i = 0, k = 0;
    while (i < truth->count || k < list->count) {
        const int order = i == truth->count  ? 1
                          : k == list->count ? -1
                                             : compare_pairs(&truth->items[i], &list->items[k]);
        *missed += order < 0;
        *invented += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
}

void pair_list_free(pair_list *list)
{
    free(list->items);
    memset(list, 0, sizeof *list);
}

/* ---- Answers ---- */

/* Of one contestant in one scene, in microseconds. */
typedef struct turn_timing {
    double asked;    /* for all poses, while the answers were gathered */
    size_t loops;    /* turns for each sample */
    double *samples; /* of a question */
    double spent;    /* on the samples so far */
} turn_timing;

static int offers(const peers_contestant *contestant, int want_all)
{
    return want_all ? contestant->peer->all != NULL : contestant->peer->first != NULL;
}

size_t contest_ask(const peers_contestant *contestant, void *a, void *b, const tumble_pose *pose, pair_list *list)
{
    const peer_library *peer = contestant->peer;
    if (peer->prepare) {
        peer->prepare(a, b, pose);
    }
    if (!list) {
        return peer->first(a, b, pose) != 0;
    }
    const size_t count = peer->all(a, b, pose);
    pair_list_reserve(list, count);
    list->count = peer->pairs(a, b, list->items, count);
    pair_list_sort(list);
    return list->count;
}

static void answer(const peers_contest *contest, const contest_scene *scene, const tumble_pose *pose,
                   contest_result *results, turn_timing *timings)
{
    pair_list truth = {0}, list = {0};
    pair_list *const into = scene->want_all ? &list : NULL;
    const size_t right =
        contest_ask(&contest->items[0], scene->a->items[0], scene->b->items[0], pose, scene->want_all ? &truth : NULL);
    for (size_t i = 0; i < contest->count; i++) {
        contest_result *result = &results[i];
        result->offered = offers(&contest->items[i], scene->want_all);
        if (!result->offered) {
            continue;
        }
        const double start = bench_process_microseconds();
        const size_t count = contest_ask(&contest->items[i], scene->a->items[i], scene->b->items[i], pose, into);
        timings[i].asked += bench_process_microseconds() - start;
        result->hits += count > 0;
        result->pairs += scene->want_all ? count : 0;
        if (scene->want_all) {
            pair_list_compare(&truth, &list, &result->missed, &result->invented);
        } else {
            result->missed += right && !count;
            result->invented += count && !right;
        }
    }
    pair_list_free(&truth);
    pair_list_free(&list);
}

/* ---- Times ---- */

/* What two readings of the clock, one after the other, differ by. */
static double clock_cost(void)
{
    enum {
        SAMPLES = 101
    };
    double samples[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        const double start = bench_process_microseconds();
        samples[i] = bench_process_microseconds() - start;
    }
    return bench_median(samples, SAMPLES);
}

static void ask_quickly(const peers_contestant *contestant, const contest_scene *scene, size_t index,
                        const tumble_pose *pose)
{
    void *a = scene->a->items[index], *b = scene->b->items[index];
    if (scene->want_all) {
        contestant->peer->all(a, b, pose);
    } else {
        contestant->peer->first(a, b, pose);
    }
}

/* The turn `loops` times; microseconds of one question. */
static double time_turn(const peers_contestant *contestant, const contest_scene *scene, size_t index, size_t loops)
{
    const double start = bench_process_microseconds();
    for (size_t loop = 0; loop < loops; loop++) {
        for (size_t i = 0; i < scene->pose_count; i++) {
            if (contestant->peer->prepare) {
                contestant->peer->prepare(scene->a->items[index], scene->b->items[index], &scene->poses[i]);
            }
            ask_quickly(contestant, scene, index, &scene->poses[i]);
        }
    }
    return (bench_process_microseconds() - start) / (double)(loops * scene->pose_count);
}

/* The clock runs for the questions alone. */
static double time_bare_turn(const peers_contestant *contestant, const contest_scene *scene, size_t index)
{
    const double cost = clock_cost();
    double sum = 0;
    for (size_t i = 0; i < scene->pose_count; i++) {
        contestant->peer->prepare(scene->a->items[index], scene->b->items[index], &scene->poses[i]);
        const double start = bench_process_microseconds();
        ask_quickly(contestant, scene, index, &scene->poses[i]);
        sum += bench_process_microseconds() - start - cost;
    }
    return sum > 0 ? sum / (double)scene->pose_count : 0;
}

/* So many turns that reading the clock does not count. */
static size_t choose_loops(const peers_contestant *contestant, const contest_scene *scene, size_t index)
{
    const double enough = 500, turn = time_turn(contestant, scene, index, 1) * (double)scene->pose_count;
    return turn > enough ? 1 : turn > 1 ? 1 + (size_t)(enough / turn) : (size_t)enough;
}

static void time_once(const peers_contestant *contestant, const contest_scene *scene, size_t index, turn_timing *timing,
                      size_t *repetitions)
{
    const double start = bench_process_microseconds(), short_turn = 20000;
    if (timing->asked < short_turn) { /* back into the caches, from which the others pushed it */
        timing->loops = choose_loops(contestant, scene, index);
    }
    timing->samples[(*repetitions)++] = contestant->bare ? time_bare_turn(contestant, scene, index)
                                                         : time_turn(contestant, scene, index, timing->loops);
    timing->spent += bench_process_microseconds() - start;
}

void contest_measure(const peers_contest *contest, const contest_scene *scene, contest_result *results)
{
    turn_timing timings[PEERS_MOST];
    memset(results, 0, contest->count * sizeof *results);
    memset(timings, 0, sizeof timings);
    for (size_t i = 0; i < scene->pose_count; i++) {
        answer(contest, scene, &scene->poses[i], results, timings);
    }
    for (size_t i = 0; i < contest->count; i++) {
        timings[i].loops = 1;
        timings[i].samples = bench_allocate(scene->repetitions, sizeof *timings[i].samples);
    }
    for (size_t repetition = 0; repetition < scene->repetitions; repetition++) {
        for (size_t i = 0; i < contest->count; i++) {
            if (results[i].offered && timings[i].spent <= scene->patience) {
                time_once(&contest->items[i], scene, i, &timings[i], &results[i].repetitions);
            }
        }
    }
    for (size_t i = 0; i < contest->count; i++) {
        results[i].microseconds = bench_median(timings[i].samples, results[i].repetitions);
        free(timings[i].samples);
    }
}
