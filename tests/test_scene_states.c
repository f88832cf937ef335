/* Batches of states: each answer is what pair queries say, for every method and number of threads, with few objects
 * that stay and with many, which are looked up in a tree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "query/query.h"

enum {
    MOST = 400,
    MOVED_MOST = 24,
    STATES = 150 /* three pieces, of which the last is not full */
};

/* One scene in every method, some objects of which move. */
typedef struct cell {
    crowd crowd; /* models, and scenes, to which objects are added here */
    tumble_object ids[MOST];
    tumble_part parts[MOST];
    size_t count;
    uint8_t is_ignored[MOST][MOST];
    tumble_object moved[MOVED_MOST];
    size_t numbers[MOVED_MOST]; /* of what moves */
    size_t moved_count;
    tumble_pose *poses;
} cell;

static void ignore_some(cell *c, test_random *random)
{
    for (size_t k = 0; k < c->count; k++) {
        const size_t i = (size_t)test_random_whole(random, 0, (int)c->count - 1);
        const size_t j = (size_t)test_random_whole(random, 0, (int)c->count - 1);
        const tumble_object_pair pair = {c->ids[i], c->ids[j]};
        if (i != j) {
            for (int m = 0; m < CROWD_METHODS; m++) {
                assert_int_equal(tumble_scene_ignore(c->crowd.scenes[m], &pair, 1, true), TUMBLE_OK);
            }
            c->is_ignored[i][j] = c->is_ignored[j][i] = 1;
        }
    }
}

static cell *make_cell(test_world *w, test_random *random, size_t count)
{
    cell *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_begin(&c->crowd, w->context, random);
    c->crowd.spread = cbrt((double)count);
    for (size_t i = 0; i < count; i++) {
        c->parts[i] = crowd_random_part(&c->crowd, random);
    }
    for (int m = 0; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_add(c->crowd.scenes[m], c->parts, count, c->ids), TUMBLE_OK);
    }
    c->count = count;
    ignore_some(c, random);
    for (size_t i = 0; i < count && c->moved_count < MOVED_MOST; i++) { /* not in the order of their indices */
        const size_t number = count > MOST / 2 ? i * 7 % count : count - 1 - i;
        if (test_random_chance(random, 0.5)) {
            c->numbers[c->moved_count] = number;
            c->moved[c->moved_count++] = c->ids[number];
        }
    }
    c->poses = malloc(STATES * (c->moved_count + 1) * sizeof *c->poses);
    assert_non_null(c->poses);
    return c;
}

/* Poses of objects as crowds have them; each state has one more than it needs. */
static tumble_states draw_states(cell *c, test_random *random, size_t count)
{
    for (size_t i = 0; i < count * (c->moved_count + 1); i++) {
        c->poses[i] = crowd_random_part(&c->crowd, random).pose;
    }
    return (tumble_states){c->moved, c->moved_count, c->poses, c->moved_count + 1, count};
}

static void free_cell(cell *c)
{
    crowd_end(&c->crowd);
    free(c->poses);
    free(c);
}

/* ---- What is expected ---- */

typedef struct expected {
    bool touch;
    tumble_object_pair pair;
    tumble_near nearest;
} expected;

static int is_compared(const cell *c, size_t i, size_t j)
{
    const tumble_part *a = &c->parts[i], *b = &c->parts[j];
    return !c->is_ignored[i][j] && !a->is_inactive && !b->is_inactive && (a->group & b->mask) && (b->group & a->mask);
}

static int ask_touch(test_world *w, const tumble_part *a, const tumble_part *b, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = a->clearance + b->clearance + clearance;
    tmb_query_pad(w->query, a->radius, b->radius);
    assert_int_equal(tumble_collide(w->query, a->model, &a->pose, b->model, &b->pose, &options, &result), TUMBLE_OK);
    tmb_query_pad(w->query, 0, 0);
    return result.collide;
}

static void ask_distance(test_world *w, const cell *c, const tumble_part *parts, size_t i, size_t j, double within,
                         expected *best)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = within;
    tmb_query_pad(w->query, parts[i].radius, parts[j].radius);
    assert_int_equal(
        tumble_distance(w->query, parts[i].model, &parts[i].pose, parts[j].model, &parts[j].pose, &options, &result),
        TUMBLE_OK);
    tmb_query_pad(w->query, 0, 0);
    if (result.answer == TUMBLE_YES && (!best->touch || result.nearest.distance < best->nearest.distance)) {
        *best = (expected){true, {c->ids[i], c->ids[j]}, result.nearest};
    }
}

static expected expect(test_world *w, const cell *c, const tumble_states *states, size_t state,
                       const tumble_states_question *q)
{
    static tumble_part parts[MOST];
    static uint8_t is_moved[MOST];
    expected e = {0};
    memcpy(parts, c->parts, c->count * sizeof *parts);
    memset(is_moved, 0, sizeof is_moved);
    for (size_t i = 0; i < c->moved_count; i++) {
        parts[c->numbers[i]].pose = states->poses[state * states->pose_stride + i];
        is_moved[c->numbers[i]] = 1;
    }
    for (size_t i = 0; i < c->count; i++) { /* objects were added in the order of their indices */
        for (size_t j = i + 1; j < c->count; j++) {
            if ((!is_moved[i] && !is_moved[j]) || !is_compared(c, i, j)) {
                continue;
            }
            if (q->mode == TUMBLE_STATES_NEAREST) {
                ask_distance(w, c, parts, i, j, q->within, &e);
            } else if (ask_touch(w, &parts[i], &parts[j], q->clearance)) {
                return (expected){true, {c->ids[i], c->ids[j]}, e.nearest};
            }
        }
    }
    return e;
}

/* ---- What is found ---- */

static void compare(test_world *w, const cell *c, const tumble_states *states, const tumble_states_question *q,
                    size_t checked, size_t seen[2])
{
    expected wanted[STATES];
    for (size_t s = 0; s < checked; s++) {
        wanted[s] = expect(w, c, states, s, q);
        seen[wanted[s].touch]++;
    }
    for (int m = 0; m < CROWD_METHODS; m++) {
        tumble_states_answer answer;
        assert_int_equal(tumble_scene_states(w->query, c->crowd.scenes[m], states, q, &answer), TUMBLE_OK);
        assert_int_equal(answer.state_count, states->state_count);
        size_t touching = 0;
        for (size_t s = 0; s < states->state_count; s++) {
            touching += answer.touch[s];
        }
        assert_int_equal(answer.touch_count, touching);
        assert_true(answer.first_touch == states->state_count ? touching == 0 : answer.touch[answer.first_touch]);
        for (size_t s = 0; s < checked; s++) {
            assert_int_equal(answer.touch[s], wanted[s].touch);
            assert_true(!wanted[s].touch || s >= answer.first_touch);
            if (q->mode != TUMBLE_STATES_TEST) {
                assert_memory_equal(&answer.pairs[s], &wanted[s].pair, sizeof wanted[s].pair);
            }
            if (q->mode == TUMBLE_STATES_NEAREST) {
                assert_memory_equal(&answer.nearest[s], &wanted[s].nearest, sizeof wanted[s].nearest);
            }
        }
    }
}

static void check_modes(test_world *w, test_random *random, size_t count, size_t checked, size_t seen[3][2])
{
    cell *c = make_cell(w, random, count);
    tumble_states_question q = tumble_default_states_question();
    for (int mode = TUMBLE_STATES_TEST; mode <= TUMBLE_STATES_NEAREST; mode++) {
        const tumble_states states = draw_states(c, random, count > MOST / 2 ? 8 : STATES);
        q.mode = (tumble_states_mode)mode;
        q.clearance = test_random_chance(random, 0.5) ? 0 : 0.05;
        q.within = test_random_chance(random, 0.5) ? INFINITY : 0.3;
        compare(w, c, &states, &q, checked, seen[mode]);
    }
    free_cell(c);
}

static void test_states(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    size_t seen[3][2] = {{0}};
    for (size_t round = 0; round < test_count(24) + 2; round++) {
        const size_t count = round < 3 ? 8 : (size_t)test_random_whole(&random, 0, 12);
        check_modes(w, &random, count, 25, seen);
    }
    for (int mode = 0; mode < 3; mode++) {
        assert_true(seen[mode][0] > 5 && seen[mode][1] > 5);
    }
}

/* More objects stay than are compared one by one. */
static void test_states_beside_many(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    size_t seen[3][2] = {{0}};
    for (size_t round = 0; round < test_count(2); round++) {
        check_modes(w, &random, MOST - round, 3, seen);
    }
}

/* ---- The same bytes ---- */

static void test_threads_and_levels_agree(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    tumble_states_question q = tumble_default_states_question();
    cell *c = make_cell(w, &random, 30);
    const tumble_states states = draw_states(c, &random, STATES);
    for (int mode = TUMBLE_STATES_TEST; mode <= TUMBLE_STATES_NEAREST; mode++) {
        tumble_states_answer first, answer;
        tumble_query *query; /* both begin without hints */
        q.mode = (tumble_states_mode)mode;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        assert_int_equal(tumble_scene_states(query, c->crowd.scenes[1], &states, &q, &first), TUMBLE_OK);
        tumble_query *other;
        assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
        assert_int_equal(tumble_scene_states(other, c->crowd.scenes[2], &states, &q, &answer), TUMBLE_OK);
        assert_memory_equal(answer.touch, first.touch, STATES * sizeof *first.touch);
        if (first.pairs) {
            assert_memory_equal(answer.pairs, first.pairs, STATES * sizeof *first.pairs);
        }
        if (first.nearest) {
            assert_memory_equal(answer.nearest, first.nearest, STATES * sizeof *first.nearest);
        }
        assert_int_equal(answer.counters.box_tests, first.counters.box_tests);
        assert_int_equal(answer.counters.primitive_tests, first.counters.primitive_tests);
        tumble_query_destroy(other);
        tumble_query_destroy(query);
    }
    free_cell(c);
}

/* ---- Early ends ---- */

static void test_stop_at_first(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    tumble_states_question q = tumble_default_states_question();
    for (size_t round = 0; round < test_count(20); round++) {
        cell *c = make_cell(w, &random, 5);
        const tumble_states states = draw_states(c, &random, STATES);
        for (int m = 0; m < CROWD_METHODS; m++) {
            tumble_states_answer all, answer;
            q.stop_at_first = false;
            assert_int_equal(tumble_scene_states(w->query, c->crowd.scenes[m], &states, &q, &all), TUMBLE_OK);
            const size_t first = all.first_touch;
            q.stop_at_first = true;
            assert_int_equal(tumble_scene_states(w->query, c->crowd.scenes[m], &states, &q, &answer), TUMBLE_OK);
            assert_int_equal(answer.first_touch, first);
            assert_int_equal(answer.state_count, first < STATES ? first + 1 : STATES);
            assert_int_equal(answer.touch_count, first < STATES);
        }
        free_cell(c);
    }
}

static bool stop_at_once(void *user, size_t done)
{
    *(size_t *)user = done;
    return true;
}

static void test_errors(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    tumble_states_question q = tumble_default_states_question();
    tumble_states_answer answer;
    size_t done = 0;
    cell *c = make_cell(w, &random, 40);
    tumble_states states = draw_states(c, &random, STATES);
    tumble_scene *scene = c->crowd.scenes[2];
    const size_t stride = states.pose_stride;
    c->poses[100 * stride + 1].m[1][2] = NAN; /* threads may come to the later one first */
    c->poses[17 * stride].m[0][0] = 7;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_POSE,
                       "state 17, object 0: ");
    q.stop_at_first = true; /* it ends before that */
    assert_int_equal(tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_OK);
    q.stop_at_first = false;
    c->poses[17 * stride] = c->poses[0];
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_NOT_FINITE,
                       "state 100, object 1: ");
    c->poses[100 * stride + 1] = c->poses[0];
    q.progress = stop_at_once;
    q.progress_user = &done;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_CANCELLED,
                       "stopped");
    assert_int_equal(answer.state_count, done);
    assert_non_null(answer.touch);
    q.progress = NULL;
    c->moved[1] = c->moved[0];
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_INDEX,
                       "twice");
    c->moved[1].generation += 5;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_INDEX,
                       "object 1: the scene has no object");
    states.pose_stride = 1;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_ARGUMENT,
                       "stride");
    states.poses = NULL;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_ARGUMENT,
                       "null");
    q.clearance = -1;
    states.object_count = 0;
    states.pose_stride = 0;
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_ERROR_ARGUMENT,
                       "clearance");
    assert_int_equal(tumble_scene_states(w->query, scene, &states, NULL, &answer), TUMBLE_OK); /* nothing moves */
    assert_int_equal(answer.touch_count, 0);
    assert_int_equal(tumble_scene_states(w->query, NULL, &states, NULL, &answer), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_scene_states(NULL, scene, &states, NULL, &answer), TUMBLE_ERROR_ARGUMENT);
    free_cell(c);
}

/* ---- What is kept between batches ---- */

/* A change of the scene counts at once; without one a warm query takes no memory. */
static void test_plans_are_kept(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    size_t seen[2] = {0};
    cell *c = make_cell(w, &random, 20);
    for (int step = 0; step < 12; step++) {
        const tumble_states states = draw_states(c, &random, 20);
        tumble_states_question q = tumble_default_states_question();
        tumble_states_answer answer;
        q.mode = step % 2 ? TUMBLE_STATES_NEAREST : TUMBLE_STATES_FIRST;
        compare(w, c, &states, &q, 10, seen);
        assert_int_equal(tumble_scene_states(w->query, c->crowd.scenes[1], &states, &q, &answer), TUMBLE_OK);
        test_allocator_fail(&w->memory, 1, 1);
        assert_int_equal(tumble_scene_states(w->query, c->crowd.scenes[1], &states, &q, &answer), TUMBLE_OK);
        test_allocator_fail(&w->memory, 0, 0);
        const size_t i = (size_t)test_random_whole(&random, 0, (int)c->count - 1);
        c->parts[i].pose = crowd_random_part(&c->crowd, &random).pose;
        c->parts[i].is_inactive = test_random_chance(&random, 0.2);
        c->parts[i].clearance = test_random_chance(&random, 0.2) ? 0.3 : 0;
        for (int m = 0; m < CROWD_METHODS; m++) {
            assert_int_equal(tumble_scene_set(c->crowd.scenes[m], &c->ids[i], &c->parts[i], 1), TUMBLE_OK);
        }
    }
    free_cell(c);
}

typedef struct memory_job {
    cell *cell;
    tumble_states states;
    int mode;
} memory_job;

static tumble_status ask(test_world *w, void *user)
{
    const memory_job *job = user;
    tumble_states_question q = tumble_default_states_question();
    tumble_states_answer answer;
    tumble_query *query = NULL;
    q.mode = (tumble_states_mode)job->mode;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_scene_states(query, job->cell->crowd.scenes[2], &job->states, &q, &answer);
    }
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    for (int many = 0; many < 2; many++) {
        memory_job job = {.cell = make_cell(w, &random, many ? MOST : 20)};
        job.states = draw_states(job.cell, &random, STATES);
        job.states.state_count = 2;
        for (job.mode = TUMBLE_STATES_TEST; job.mode <= TUMBLE_STATES_NEAREST; job.mode++) {
            assert_int_equal(ask(w, &job), TUMBLE_OK);
            assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask, NULL, &job) > 5);
        }
        free_cell(job.cell);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_states),
                                       TEST_IN_WORLD(test_states_beside_many),
                                       TEST_IN_WORLD(test_threads_and_levels_agree),
                                       TEST_IN_WORLD(test_stop_at_first),
                                       TEST_IN_WORLD(test_errors),
                                       TEST_IN_WORLD(test_plans_are_kept),
                                       TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests_name("scene_states", tests, NULL, NULL);
}
