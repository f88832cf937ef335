/* The same questions to all libraries.
 *
 * First all of them answer all questions: that warms up and is where the answers come from. Then the turn over the
 * poses is repeated, one library after the other within each repetition, so that whatever else the machine does hits
 * all of them alike; a library that has used up the patience by then keeps the time that its answers took. The clock is
 * that of the processor time of all threads, which stands still while other processes have the processor. */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "judge.h"
#include "judge_distance.h"
#include "machine.h"
#include "statistics.h"

/* ---- Who takes part ---- */

static const peer_library *(*const libraries[])(void) = {
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

static int wanted(const bench_words *words, const peer_library *peer)
{
    int found = strcmp(peer->name, "tumble") == 0;
    for (size_t i = 0; i < words->count && !found; i++) {
        found = strcmp(words->items[i], peer->name) == 0 || (strcmp(words->items[i], "all") == 0 && !peer->only_named);
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
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        for (const peer_library *peer = libraries[i](); peer->name; peer++) {
            if (!wanted(peers, peer)) {
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

static contest_models build_all(const peers_contest *contest, const peer_mesh *mesh, int moving)
{
    contest_models models = {.mesh = mesh};
    for (size_t i = 0; i < contest->count; i++) {
        const peers_contestant *item = &contest->items[i];
        const peer_library *peer = item->peer;
        void *(*const build)(const peer_mesh *) = moving && peer->build_moving ? peer->build_moving : peer->build;
        models.items[i] = item->bare ? models.items[i - 1] : build(mesh);
        if (!models.items[i]) {
            bench_fail("%s cannot build a model of %zu triangles", item->name, mesh->triangle_count);
        }
    }
    return models;
}

contest_models contest_build(const peers_contest *contest, const peer_mesh *mesh)
{
    return build_all(contest, mesh, 0);
}

contest_models contest_build_moving(const peers_contest *contest, const peer_mesh *mesh)
{
    return build_all(contest, mesh, 1);
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

/* ---- Answers ---- */

/* Of one contestant in one scene, in microseconds. */
typedef struct turn_timing {
    double asked;    /* for all poses, while the answers were gathered */
    size_t loops;    /* turns for each sample */
    double *samples; /* of a question */
    double spent;    /* on the samples so far */
} turn_timing;

static int offers(const peer_library *peer, contest_question question)
{
    switch (question) {
    case CONTEST_FIRST: return peer->first != NULL;
    case CONTEST_ALL: return peer->all != NULL;
    case CONTEST_DISTANCE: return peer->distance != NULL;
    case CONTEST_WITHIN: return peer->within != NULL;
    }
    return 0;
}

peers_contest contest_for(const peers_contest *contest, contest_question question)
{
    peers_contest some = {.count = 0};
    for (size_t i = 0; i < contest->count; i++) {
        if (offers(contest->items[i].peer, question)) {
            some.items[some.count++] = contest->items[i];
        }
    }
    return some;
}

static void fetch_pairs(const peer_library *peer, void *a, void *b, size_t count, pair_list *list)
{
    pair_list_reserve(list, count);
    list->count = peer->pairs(a, b, list->items, count);
    pair_list_sort(list);
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
    fetch_pairs(peer, a, b, peer->all(a, b, pose), list);
    return list->count;
}

/* The bare question: the number of pairs, 0 or 1, or a distance. */
static double put(const peer_library *peer, const contest_scene *scene, size_t index, const tumble_pose *pose)
{
    void *a = scene->a->items[index], *b = scene->b->items[index];
    switch (scene->question) {
    case CONTEST_FIRST: return peer->first(a, b, pose) != 0;
    case CONTEST_ALL: return (double)peer->all(a, b, pose);
    case CONTEST_DISTANCE: return peer->distance(a, b, pose);
    case CONTEST_WITHIN: return peer->within(a, b, pose, scene->clearance) != 0;
    }
    return 0;
}

/* The same with the time that it took, in microseconds; fetching the pairs into `list` does not count. */
static double ask_timed(const peers_contestant *contestant, const contest_scene *scene, size_t index,
                        const tumble_pose *pose, pair_list *list, double *time)
{
    const peer_library *peer = contestant->peer;
    void *a = scene->a->items[index], *b = scene->b->items[index];
    double start = bench_process_microseconds();
    if (peer->prepare) {
        peer->prepare(a, b, pose);
        start = contestant->bare ? bench_process_microseconds() : start;
    }
    const double answer = put(peer, scene, index, pose);
    *time += bench_process_microseconds() - start;
    if (scene->question == CONTEST_ALL) {
        fetch_pairs(peer, a, b, (size_t)answer, list);
        return (double)list->count;
    }
    return answer;
}

/* Tumble's pairs, put right where anybody else disagrees. */
static void find_true_pairs(const peers_contest *contest, const contest_scene *scene, const tumble_pose *pose,
                            const pair_list *lists, const contest_result *results, pair_list *truth)
{
    pair_list disputed = {0};
    uint64_t missed = 0, invented = 0;
    for (size_t i = 1; i < contest->count; i++) {
        if (results[i].offered) {
            pair_list_compare(&lists[0], &lists[i], &missed, &invented, &disputed);
        }
    }
    pair_list_sort(&disputed);
    for (size_t i = 0; i < lists[0].count; i++) {
        if (!pair_list_contains(&disputed, lists[0].items[i])) {
            pair_list_add(truth, lists[0].items[i]);
        }
    }
    judge_pairs(scene->a->mesh, scene->b->mesh, pose, &disputed);
    for (size_t i = 0; i < disputed.count; i++) {
        pair_list_add(truth, disputed.items[i]);
    }
    pair_list_sort(truth);
    pair_list_free(&disputed);
}

static int disputed(const peers_contest *contest, const double *answers, const contest_result *results)
{
    int found = 0;
    for (size_t i = 1; i < contest->count; i++) {
        found |= results[i].offered && answers[i] != answers[0];
    }
    return found;
}

/* Of a question with yes or no. */
static double find_true_hit(const peers_contest *contest, const contest_scene *scene, const tumble_pose *pose,
                            const double *answers, const contest_result *results)
{
    if (!disputed(contest, answers, results)) {
        return answers[0];
    }
    if (scene->question == CONTEST_FIRST) {
        return judge_meshes(scene->a->mesh, scene->b->mesh, pose);
    }
    return judge_distance(scene->a->mesh, scene->b->mesh, pose) <= scene->clearance;
}

static void judge_answers(const peers_contest *contest, const contest_scene *scene, const tumble_pose *pose,
                          const double *answers, const pair_list *lists, contest_result *results)
{
    const int all = scene->question == CONTEST_ALL;
    pair_list truth = {0};
    double right = 0;
    if (all) {
        find_true_pairs(contest, scene, pose, lists, results, &truth);
        right = (double)truth.count;
    } else {
        right = find_true_hit(contest, scene, pose, answers, results);
    }
    for (size_t i = 0; i < contest->count; i++) {
        contest_result *result = &results[i];
        result->true_hits += right > 0;
        result->true_pairs += all ? truth.count : 0;
        if (!result->offered) {
            continue;
        }
        result->hits += answers[i] > 0;
        result->pairs += all ? lists[i].count : 0;
        if (all) {
            pair_list_compare(&truth, &lists[i], &result->missed, &result->invented, NULL);
        } else {
            result->missed += right > answers[i];
            result->invented += right < answers[i];
        }
    }
    pair_list_free(&truth);
}

static int far_off(double distance, double truth)
{
    return !(fabs(distance - truth) <= CONTEST_TOLERANCE * truth);
}

static void judge_distances(const peers_contest *contest, const contest_scene *scene, size_t pose,
                            const double *answers, contest_result *results)
{
    const double share = 1 / (double)scene->pose_count;
    int asked = pose == 0;
    for (size_t i = 1; i < contest->count; i++) {
        asked |= results[i].offered && far_off(answers[i], answers[0]);
    }
    const double truth = asked ? judge_distance(scene->a->mesh, scene->b->mesh, &scene->poses[pose]) : answers[0];
    for (size_t i = 0; i < contest->count; i++) {
        contest_result *result = &results[i];
        if (result->offered) {
            result->distance += share * answers[i];
            result->missed += answers[i] > truth && far_off(answers[i], truth);
            result->invented += !(answers[i] > truth) && far_off(answers[i], truth);
            result->worst_error =
                asked ? fmax(result->worst_error, fabs(answers[i] - truth) / truth) : result->worst_error;
        }
    }
}

static void answer(const peers_contest *contest, const contest_scene *scene, size_t pose, contest_result *results,
                   turn_timing *timings)
{
    pair_list lists[PEERS_MOST] = {{NULL, 0, 0}};
    double answers[PEERS_MOST] = {0};
    for (size_t i = 0; i < contest->count; i++) {
        if (results[i].offered) {
            answers[i] = ask_timed(&contest->items[i], scene, i, &scene->poses[pose], &lists[i], &timings[i].asked);
        }
    }
    if (scene->question == CONTEST_DISTANCE) {
        judge_distances(contest, scene, pose, answers, results);
    } else {
        judge_answers(contest, scene, &scene->poses[pose], answers, lists, results);
    }
    for (size_t i = 0; i < contest->count; i++) {
        pair_list_free(&lists[i]);
    }
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

static void ask_once(const peers_contestant *contestant, const contest_scene *scene, size_t index,
                     const tumble_pose *pose)
{
    if (contestant->peer->prepare) {
        contestant->peer->prepare(scene->a->items[index], scene->b->items[index], pose);
    }
    put(contestant->peer, scene, index, pose);
}

/* The turn `loops` times; microseconds of one question. */
static double time_turn(const peers_contestant *contestant, const contest_scene *scene, size_t index, size_t loops)
{
    const double start = bench_process_microseconds();
    for (size_t loop = 0; loop < loops; loop++) {
        for (size_t i = 0; i < scene->pose_count; i++) {
            ask_once(contestant, scene, index, &scene->poses[i]);
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
        put(contestant->peer, scene, index, &scene->poses[i]);
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

/* Those that would take too long for all poses and are far slower than the fastest of the others. */
static void leave_out_slow(const peers_contest *contest, const contest_scene *scene, size_t answered,
                           const turn_timing *timings, contest_result *results)
{
    const double much_slower = 10, part = (double)answered / (double)scene->pose_count;
    double fastest = INFINITY;
    for (size_t i = 1; i < contest->count; i++) {
        if (results[i].offered && !contest->items[i].bare && !contest->items[i].peer->is_tumble) {
            fastest = fmin(fastest, timings[i].asked);
        }
    }
    for (size_t i = 1; i < contest->count; i++) {
        if (timings[i].asked > part * scene->limit && timings[i].asked > much_slower * fastest) {
            results[i].offered = 0;
        }
    }
}

void contest_measure(const peers_contest *contest, const contest_scene *scene, contest_result *results)
{
    turn_timing timings[PEERS_MOST];
    memset(results, 0, contest->count * sizeof *results);
    memset(timings, 0, sizeof timings);
    for (size_t i = 0; i < contest->count; i++) {
        results[i].offered = offers(contest->items[i].peer, scene->question);
        if (results[i].offered) { /* what a library sets up at the first question does not count */
            ask_once(&contest->items[i], scene, i, &scene->poses[0]);
        }
    }
    for (size_t i = 0; i < scene->pose_count; i++) {
        answer(contest, scene, i, results, timings);
        leave_out_slow(contest, scene, i + 1, timings, results);
    }
    for (size_t i = 0; i < contest->count; i++) {
        timings[i].loops = 1;
        timings[i].samples = bench_allocate(scene->repetitions, sizeof *timings[i].samples);
        if (results[i].offered && timings[i].asked > scene->patience) {
            timings[i].spent = timings[i].asked;
            timings[i].samples[results[i].repetitions++] = timings[i].asked / (double)scene->pose_count;
        }
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
