/* What a query keeps of a scene from answer to answer never changes an answer, whatever moves, with any number of
 * threads and any memory for it; it saves work; and a steady simulation takes no memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/answer.h"
#include "scenes.h"

enum {
    MODELS = 3,
    BODIES = 24,
    ASKERS = 5
};

/* Bodies that drift, in scenes with one thread and with four. */
typedef struct swarm {
    tumble_model *models[MODELS];
    tumble_scene *scenes[2];
    tumble_object ids[2][BODIES];
    tumble_part parts[BODIES];
    double speeds[BODIES][3];
} swarm;

static void make_models(swarm *s, tumble_context *context)
{
    static const char *const names[MODELS] = {"sphere", "torus", "gear"};
    for (int i = 0; i < MODELS; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, names[i], 150));
        models_fit(&mesh, 2, 1);
        s->models[i] = test_model(context, &mesh, NULL);
        models_free(&mesh);
    }
}

static void swarm_begin(swarm *s, tumble_context *context, test_random *random, double spread)
{
    make_models(s, context);
    for (size_t i = 0; i < BODIES; i++) {
        models_random turn = {test_random_bits(random)};
        s->parts[i] = tumble_default_part();
        s->parts[i].model = s->models[i % MODELS];
        s->parts[i].pose = models_random_rotation(&turn);
        s->parts[i].clearance = i % 7 == 0 ? 0.05 : 0;
        for (int k = 0; k < 3; k++) {
            s->parts[i].pose.m[k][3] = test_random_range(random, -spread, spread);
            s->speeds[i][k] = test_random_range(random, -1, 1);
        }
    }
    for (int m = 0; m < 2; m++) {
        tumble_scene_options options = tumble_default_scene_options();
        options.thread_count = m ? 4 : 1;
        assert_int_equal(tumble_scene_create(context, &options, &s->scenes[m]), TUMBLE_OK);
        assert_int_equal(tumble_scene_add(s->scenes[m], s->parts, BODIES, s->ids[m]), TUMBLE_OK);
    }
}

static void swarm_end(swarm *s)
{
    tumble_scene_destroy(s->scenes[0]);
    tumble_scene_destroy(s->scenes[1]);
    for (int i = 0; i < MODELS; i++) {
        assert_int_equal(tumble_model_destroy(s->models[i]), TUMBLE_OK);
    }
}

/* Every `nth` body moves by its speed. */
static void swarm_move(swarm *s, double seconds, size_t nth)
{
    for (size_t i = 0; i < BODIES; i += nth) {
        for (int k = 0; k < 3; k++) {
            s->parts[i].pose.m[k][3] += seconds * s->speeds[i][k];
        }
        for (int m = 0; m < 2; m++) {
            assert_int_equal(tumble_scene_move(s->scenes[m], &s->ids[m][i], &s->parts[i].pose, 1), TUMBLE_OK);
        }
    }
}

/* ---- The same answers ---- */

static void assert_same_meeting(const tumble_meeting *a, const tumble_meeting *b)
{
    assert_memory_equal(&a->a, &b->a, sizeof a->a);
    assert_memory_equal(&a->b, &b->b, sizeof a->b);
    assert_int_equal(a->event, b->event);
    assert_int_equal(a->relation, b->relation);
    assert_int_equal(a->pair_count, b->pair_count);
    assert_int_equal(a->contact_count, b->contact_count);
    assert_memory_equal(&a->nearest, &b->nearest, sizeof a->nearest);
    assert_int_equal(!a->pairs, !b->pairs);
    if (a->pairs) {
        assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs);
    }
    assert_int_equal(!a->contacts, !b->contacts);
    if (a->contacts) {
        assert_memory_equal(a->contacts, b->contacts, a->contact_count * sizeof *a->contacts);
    }
}

static void assert_same_answer(const tumble_scene_answer *a, const tumble_scene_answer *b)
{
    assert_int_equal(a->touch, b->touch);
    assert_int_equal(a->candidate_count, b->candidate_count);
    assert_int_equal(a->meeting_count, b->meeting_count);
    assert_int_equal(a->ended_count, b->ended_count);
    if (a->ended_count > 0) {
        assert_memory_equal(a->ended, b->ended, a->ended_count * sizeof *a->ended);
    }
    for (size_t i = 0; i < a->meeting_count; i++) {
        assert_same_meeting(&a->meetings[i], &b->meetings[i]);
    }
}

/* Nothing is kept; all that fits; next to nothing fits; and the first two with threads. */
static const struct {
    tumble_coherence coherence;
    size_t cache_bytes;
    int scene;
} askers[ASKERS] = {{TUMBLE_COHERENCE_NONE, 0, 0},
                    {TUMBLE_COHERENCE_PAIR, 1 << 20, 0},
                    {TUMBLE_COHERENCE_PAIR, 7 * 2 * sizeof(tmb_fact), 0},
                    {TUMBLE_COHERENCE_NONE, 0, 1},
                    {TUMBLE_COHERENCE_PAIR, 1 << 20, 1}};

/* All askers get the same answers through steps of all sizes, also when some bodies rest, or all do, or they jump. */
static void follow(test_world *w, test_random *random, tumble_scene_question q)
{
    static const double steps[] = {0, 1e-5, 1e-5, 1e-5, 1e-3, 1e-3, 1e-3, 0, 0.02, 0.02, -0.02, 0.3, 1e-3, 0};
    swarm s;
    tumble_query *queries[ASKERS];
    swarm_begin(&s, w->context, random, 2);
    for (int i = 0; i < ASKERS; i++) {
        assert_int_equal(tumble_query_create(w->context, &queries[i]), TUMBLE_OK);
    }
    for (size_t step = 0; step < sizeof steps / sizeof *steps; step++) {
        tumble_scene_answer answers[ASKERS];
        swarm_move(&s, steps[step], step % 3 == 1 ? 3 : 1);
        for (int i = 0; i < ASKERS; i++) {
            q.coherence = askers[i].coherence;
            q.cache_bytes = askers[i].cache_bytes;
            assert_int_equal(tumble_scene_collide(queries[i], s.scenes[askers[i].scene], &q, &answers[i]), TUMBLE_OK);
            assert_same_answer(&answers[i], &answers[0]);
        }
    }
    for (int i = 0; i < ASKERS; i++) {
        tumble_query_destroy(queries[i]);
    }
    swarm_end(&s);
}

static void test_answers_do_not_change(void **state)
{
    test_random random = {1};
    for (size_t round = 0; round < test_count(1); round++) {
        for (int mode = TUMBLE_SCENE_TEST; mode <= TUMBLE_SCENE_NEAREST; mode++) {
            tumble_scene_question q = tumble_default_scene_question();
            q.mode = (tumble_scene_mode)mode;
            q.want_contacts = true;
            q.within = mode == TUMBLE_SCENE_DISTANCE ? 0.3 : INFINITY;
            follow(*state, &random, q);
            q.clearance = 0.02;
            q.want_contacts = false;
            if (mode < TUMBLE_SCENE_RELATE) {
                follow(*state, &random, q);
            }
        }
    }
}

/* One query asks questions of several kinds about several scenes, by turns. */
static void test_turns(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    swarm s[2];
    tumble_query *fresh;
    swarm_begin(&s[0], w->context, &random, 2);
    swarm_begin(&s[1], w->context, &random, 1.8);
    for (int step = 0; step < 40; step++) {
        const int which = test_random_whole(&random, 0, 1), mode = test_random_whole(&random, 0, TUMBLE_SCENE_NEAREST);
        const double seconds = test_random_chance(&random, 0.3) ? 0 : 0.002;
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer, expected;
        q.mode = (tumble_scene_mode)mode;
        q.want_contacts = test_random_chance(&random, 0.5);
        q.clearance = test_random_chance(&random, 0.3) ? 0.02 : 0;
        q.within = 0.2;
        swarm_move(&s[which], seconds, 2);
        assert_int_equal(tumble_scene_collide(w->query, s[which].scenes[step % 2], &q, &answer), TUMBLE_OK);
        assert_int_equal(tumble_query_create(w->context, &fresh), TUMBLE_OK);
        assert_int_equal(tumble_scene_collide(fresh, s[which].scenes[step % 2], &q, &expected), TUMBLE_OK);
        assert_int_equal(answer.touch, expected.touch);
        assert_int_equal(answer.meeting_count, expected.meeting_count);
        for (size_t i = 0; i < answer.meeting_count; i++) {
            tumble_meeting meeting = answer.meetings[i];
            meeting.event = expected.meetings[i].event; /* it has another past */
            assert_same_meeting(&meeting, &expected.meetings[i]);
        }
        tumble_query_destroy(fresh);
    }
    swarm_end(&s[0]);
    swarm_end(&s[1]);
}

/* With all coherence, distances may be those of other pairs that are as near. */
static void test_nearest_triangles(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    swarm s;
    tumble_query *cold;
    swarm_begin(&s, w->context, &random, 2.4);
    assert_int_equal(tumble_query_create(w->context, &cold), TUMBLE_OK);
    uint64_t work = 0, cold_work = 0;
    for (int step = 0; step < 12; step++) {
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer, expected;
        q.mode = TUMBLE_SCENE_DISTANCE;
        q.within = 0.5;
        q.coherence = TUMBLE_COHERENCE_ALL;
        swarm_move(&s, 1e-3, 1);
        assert_int_equal(tumble_scene_collide(w->query, s.scenes[0], &q, &answer), TUMBLE_OK);
        q.coherence = TUMBLE_COHERENCE_NONE;
        assert_int_equal(tumble_scene_collide(cold, s.scenes[0], &q, &expected), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, expected.meeting_count);
        for (size_t i = 0; i < answer.meeting_count; i++) {
            const double x = answer.meetings[i].nearest.distance, y = expected.meetings[i].nearest.distance;
            assert_int_equal(answer.meetings[i].b.index, expected.meetings[i].b.index);
            assert_true(fabs(x - y) <= 2e-14 * y);
        }
        work += step > 0 ? answer.counters.box_tests : 0;
        cold_work += step > 0 ? expected.counters.box_tests : 0;
    }
    assert_true(cold_work > 0 && work < cold_work);
    tumble_query_destroy(cold);
    swarm_end(&s);
}

/* ---- Work that is saved ---- */

static uint64_t work_of(test_world *w, swarm *s, tumble_coherence coherence, double seconds, size_t nth)
{
    tumble_query *query;
    uint64_t work = 0;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    for (int step = 0; step < 10; step++) {
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer;
        q.coherence = coherence;
        swarm_move(s, seconds, nth);
        assert_int_equal(tumble_scene_collide(query, s->scenes[0], &q, &answer), TUMBLE_OK);
        work += step > 0 ? answer.counters.box_updates : 0;
    }
    tumble_query_destroy(query);
    return work;
}

static void test_saves_work(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    swarm s;
    swarm_begin(&s, w->context, &random, 2);
    const uint64_t cold = work_of(w, &s, TUMBLE_COHERENCE_NONE, 1e-5, 1);
    const uint64_t warm = work_of(w, &s, TUMBLE_COHERENCE_PAIR, 1e-5, 1);
    assert_true(cold > 100 && warm < cold / 4);
    assert_true(work_of(w, &s, TUMBLE_COHERENCE_PAIR, 0, 1) < warm + cold / 8);
    assert_true(work_of(w, &s, TUMBLE_COHERENCE_PAIR, 1e-5, BODIES) < cold / 8); /* only the first moves */
    swarm_end(&s);
}

/* ---- Equal questions ---- */

enum {
    ROW = 32
};

/* A row of bodies at equal distances; the last has a clearance, and so a question of its own. */
static tumble_scene *make_row(test_world *w, const tumble_model *model, size_t count, tumble_part parts[ROW])
{
    tumble_scene *scene;
    tumble_object ids[ROW];
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    for (size_t i = 0; i < count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = model;
        parts[i].pose.m[0][3] = 1.75 * (double)i;
    }
    parts[count - 1].clearance = 0.25;
    assert_int_equal(tumble_scene_add(scene, parts, count, ids), TUMBLE_OK);
    return scene;
}

/* Each meeting is what the pair's own question says. */
static void assert_row(test_world *w, const tumble_part parts[ROW], const tumble_scene_answer *answer,
                       tumble_scene_mode mode)
{
    assert_int_equal(answer->meeting_count, ROW - 1);
    for (int i = 0; i < ROW - 1; i++) {
        const tumble_meeting *m = &answer->meetings[i];
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.clearance = parts[i + 1].clearance;
        assert_int_equal(tumble_collide(w->query, parts[i].model, &parts[i].pose, parts[i + 1].model,
                                        &parts[i + 1].pose, &options, &result),
                         TUMBLE_OK);
        assert_int_equal(m->b.index, m->a.index + 1);
        assert_int_equal(m->pair_count, mode >= TUMBLE_SCENE_COUNT ? result.pair_count : 0);
        if (mode == TUMBLE_SCENE_ALL) {
            assert_memory_equal(m->pairs, result.pairs, result.pair_count * sizeof *m->pairs);
        }
    }
}

static uint64_t work_in(const tumble_scene_answer *answer)
{
    return answer->counters.box_updates + answer->counters.primitive_tests;
}

/* The work of a row is that of three bodies: one question of each kind. */
static void test_equal_questions(void **state)
{
    test_world *w = *state;
    swarm s;
    make_models(&s, w->context);
    for (int mode = TUMBLE_SCENE_PAIRS; mode <= TUMBLE_SCENE_ALL; mode++) {
        tumble_part parts[ROW], few[ROW];
        tumble_scene *row = make_row(w, s.models[1], ROW, parts), *three = make_row(w, s.models[1], 3, few);
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer, of_three;
        q.mode = (tumble_scene_mode)mode;
        assert_int_equal(tumble_scene_collide(w->query, row, &q, &answer), TUMBLE_OK);
        const uint64_t work = work_in(&answer);
        tumble_query *other;
        assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
        assert_int_equal(tumble_scene_collide(other, three, &q, &of_three), TUMBLE_OK);
        assert_true(work > 0);
        assert_int_equal(work, work_in(&of_three));
        assert_int_equal(tumble_scene_collide(other, row, &q, &answer), TUMBLE_OK);
        assert_row(w, parts, &answer, q.mode);
        tumble_query_destroy(other);
        tumble_scene_destroy(row);
        tumble_scene_destroy(three);
    }
    for (int i = 0; i < MODELS; i++) {
        assert_int_equal(tumble_model_destroy(s.models[i]), TUMBLE_OK);
    }
}

/* ---- Facts that are dropped ---- */

static void test_trim(void **state)
{
    test_world *w = *state;
    tmb_fact_list list = {.count = 20};
    assert_true(tmb_buffer_reserve(w->context, &list.facts, list.count, sizeof(tmb_fact), 0));
    for (uint32_t i = 0; i < list.count; i++) {
        *tmb_fact_at(&list, i) = (tmb_fact){.key = 10 + i, .worth = i % 4 == 3 ? 1000 : i % 4};
    }
    tmb_facts_trim(&list, 20);
    assert_int_equal(list.count, 20);
    tmb_facts_trim(&list, 12); /* those worth 1000 and 2 to 3, and two of those worth 1 */
    assert_int_equal(list.count, 12);
    size_t most = 0, least = 0;
    for (size_t i = 0; i < list.count; i++) {
        assert_true(i == 0 || tmb_fact_at(&list, i)->key > tmb_fact_at(&list, i - 1)->key);
        most += tmb_fact_at(&list, i)->worth == 1000;
        least += tmb_fact_at(&list, i)->worth == 0;
        assert_int_equal(tmb_facts_find(&list, tmb_fact_at(&list, i)->key), i);
    }
    assert_int_equal(most, 5);
    assert_int_equal(least, 0);
    tmb_facts_trim(&list, 0);
    assert_int_equal(list.count, 0);
    tmb_buffer_release(w->context, &list.facts);
}

/* ---- Threads ---- */

/* Two large models that touch in many places: all threads take part, and the bytes are those of one thread. */
static void test_one_large_pair(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "lattice", 20000));
    models_fit(&mesh, 2, 1);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    parts[0].model = parts[1].model = model;
    parts[1].pose.m[0][3] = 0.013;
    parts[1].pose.m[1][3] = 0.031;
    tumble_scene_answer answers[2];
    tumble_scene *scenes[2];
    tumble_query *queries[2];
    for (int mode = TUMBLE_SCENE_COUNT; mode <= TUMBLE_SCENE_ALL; mode++) {
        for (int i = 0; i < 2; i++) {
            tumble_scene_options options = tumble_default_scene_options();
            tumble_scene_question q = tumble_default_scene_question();
            tumble_object ids[2];
            q.mode = (tumble_scene_mode)mode;
            q.want_contacts = true;
            options.thread_count = i ? 4 : 1;
            assert_int_equal(tumble_scene_create(w->context, &options, &scenes[i]), TUMBLE_OK);
            assert_int_equal(tumble_scene_add(scenes[i], parts, 2, ids), TUMBLE_OK);
            assert_int_equal(tumble_query_create(w->context, &queries[i]), TUMBLE_OK);
            assert_int_equal(tumble_scene_collide(queries[i], scenes[i], &q, &answers[i]), TUMBLE_OK);
        }
        assert_int_equal(answers[0].meeting_count, 1);
        assert_true(answers[0].meetings[0].pair_count > 10000);
        assert_same_answer(&answers[1], &answers[0]);
        assert_int_equal(answers[1].counters.box_tests, answers[0].counters.box_tests);
        const tmb_scene_scratch *scratch = queries[1]->scratch[TMB_SCRATCH_SCENE].data;
        assert_true(scratch->team.given_count > 0);
        size_t helpers = 0;
        for (uint32_t i = 1; i < scratch->team.member_count; i++) {
            helpers += scratch->team.members[i].query->scratch[TMB_SCRATCH_COLLIDE].data != NULL;
        }
        assert_true(helpers > 0);
        for (int i = 0; i < 2; i++) {
            tumble_query_destroy(queries[i]);
            tumble_scene_destroy(scenes[i]);
        }
    }
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
}

/* ---- Memory ---- */

/* Bodies that swing: after the first rounds nothing is allocated any more. */
static void test_steady_simulation(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    for (int mode = TUMBLE_SCENE_TEST; mode <= TUMBLE_SCENE_NEAREST; mode++) {
        swarm s;
        swarm_begin(&s, w->context, &random, 2);
        for (int step = 0; step < 24; step++) {
            tumble_scene_question q = tumble_default_scene_question();
            tumble_scene_answer answer;
            q.mode = (tumble_scene_mode)mode;
            q.want_contacts = true;
            q.within = 0.3;
            swarm_move(&s, step / 2 % 2 ? 0.01 : -0.01, 1);
            if (step == 16) {
                test_allocator_fail(&w->memory, 0, 0);
            }
            assert_int_equal(tumble_scene_collide(w->query, s.scenes[0], &q, &answer), TUMBLE_OK);
        }
        assert_int_equal(test_allocator_calls(&w->memory), 0);
        swarm_end(&s);
    }
}

/* Memory runs out at any place of the third question: the next ones are as if it had not been asked. */
static tumble_status ask_thrice(test_world *w, void *user)
{
    swarm *s = user;
    tumble_query *query = NULL, *fresh = NULL;
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer, expected;
    q.mode = TUMBLE_SCENE_ALL;
    tumble_status status = tumble_query_create(w->context, &query);
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        swarm_move(s, 1e-3, 2);
        status = tumble_scene_collide(query, s->scenes[0], &q, &answer);
    }
    if (status != TUMBLE_OK && query) {
        const size_t failures = w->memory.failures;
        test_allocator_fail(&w->memory, 0, 0);
        assert_int_equal(tumble_scene_collide(query, s->scenes[0], &q, &answer), TUMBLE_OK);
        assert_int_equal(tumble_query_create(w->context, &fresh), TUMBLE_OK);
        assert_int_equal(tumble_scene_collide(fresh, s->scenes[0], &q, &expected), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, expected.meeting_count);
        for (size_t i = 0; i < answer.meeting_count; i++) {
            assert_int_equal(answer.meetings[i].pair_count, expected.meetings[i].pair_count);
            assert_memory_equal(answer.meetings[i].pairs, expected.meetings[i].pairs,
                                answer.meetings[i].pair_count * sizeof(tumble_pair));
        }
        tumble_query_destroy(fresh);
        w->memory.failures = failures;
    }
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    swarm s;
    swarm_begin(&s, w->context, &random, 2.6);
    tumble_scene_answer answer;
    tumble_scene_question q = tumble_default_scene_question();
    q.mode = TUMBLE_SCENE_ALL;
    for (int i = 0; i < 4; i++) { /* what the scene and the other query need is there */
        swarm_move(&s, 1e-3, 2);
        assert_int_equal(tumble_scene_collide(w->query, s.scenes[0], &q, &answer), TUMBLE_OK);
    }
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask_thrice, NULL, &s) > 10);
    swarm_end(&s);
}

static void test_arguments(void **state)
{
    test_world *w = *state;
    tumble_scene *scene;
    tumble_scene_answer answer;
    tumble_scene_question q = tumble_default_scene_question();
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    q.coherence = (tumble_coherence)4;
    test_assert_status(w->context, tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_ERROR_ARGUMENT,
                       "coherence 4");
    q = tumble_default_scene_question();
    q.cache_bytes = 0;
    assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
    tumble_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_answers_do_not_change),
                                       TEST_IN_WORLD(test_turns),
                                       TEST_IN_WORLD(test_nearest_triangles),
                                       TEST_IN_WORLD(test_saves_work),
                                       TEST_IN_WORLD(test_equal_questions),
                                       TEST_IN_WORLD(test_trim),
                                       TEST_IN_WORLD(test_one_large_pair),
                                       TEST_IN_WORLD(test_steady_simulation),
                                       TEST_IN_WORLD(test_memory),
                                       TEST_IN_WORLD(test_arguments)};
    return cmocka_run_group_tests_name("scene_cache", tests, NULL, NULL);
}
