/* One pair of objects: the question about its two models at their poses, with what is known from before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/pose.h"
#include "near/scratch.h"
#include "scene/answer.h"

#define STEPS_AHEAD 4       /* motions like the last one, after which a pair should still be apart */
#define MOST_FAILURES 5     /* whose power of two is the longest pause */
#define BELOW (1 - 0x1p-40) /* of lengths that are rounded down */

static tmb_fact *fact_of(const tmb_scene_search *s, const tmb_ask *ask)
{
    return ask->fact != TMB_NONE ? tmb_fact_at(s->facts, ask->fact) : NULL;
}

static tmb_ask *ask_in_order(const tmb_scene_search *s, size_t number)
{
    return tmb_ask_at(s, ((const uint32_t *)s->scratch->order.data)[number]);
}

/* The first failure in order counts. */
static void note_failure(tmb_scene_search *s, size_t number, tumble_status status, const char *message)
{
    pthread_mutex_lock(&s->scratch->team.lock);
    if (number < s->failed_at) {
        const uint64_t key = ask_in_order(s, number)->key;
        const tumble_object a = tmb_scene_id(s->scene, (uint32_t)(key >> 32));
        const tumble_object b = tmb_scene_id(s->scene, (uint32_t)key);
        s->failed_at = number;
        s->status = status;
        snprintf(s->message, sizeof s->message, "objects {%u, %u} and {%u, %u}: %s", a.index, a.generation, b.index,
                 b.generation, message);
    }
    pthread_mutex_unlock(&s->scratch->team.lock);
}

/* ---- Collisions ---- */

/* The polygons go from the query to the member, unless they are there already. */
static int take_polygons(tmb_member *m, tmb_ask *ask, const tmb_outcome *outcome, const tmb_collider *c)
{
    ask->member = m->number;
    ask->pair = m->pair_count;
    ask->contact = m->contact_count;
    if (!c || m->has_room) { /* the traversal was shared */
        m->pair_count += (size_t)outcome->pair_count;
        m->contact_count += (size_t)outcome->contact_count;
        return 1;
    }
    return tmb_buffer_append(m->team->context, &m->pairs, &m->pair_count, c->scratch->pairs.data, c->pairs.stored,
                             sizeof(tumble_pair)) &&
           tmb_buffer_append(m->team->context, &m->contacts, &m->contact_count, c->scratch->contacts.data,
                             c->contacts.stored, sizeof(tumble_contact));
}

/* Without the collider nothing is known of the triangles. */
static void learn(tmb_fact *fact, const tmb_outcome *outcome, const tmb_collider *c, double limit)
{
    const uint64_t work = outcome->counters.box_updates;
    fact->worth = work > fact->worth ? (work < UINT32_MAX ? (uint32_t)work : UINT32_MAX) : fact->worth;
    fact->has_triangles = c && c->collide;
    fact->is_apart = c && !outcome->collide;
    if (fact->has_triangles) {
        memcpy(fact->triangles, c->first_triangles, sizeof fact->triangles);
    }
    if (fact->is_apart) {
        fact->apart = limit;
        fact->relative = c->encounter.relative;
    }
}

/* `c` is NULL if it ended elsewhere than it began. */
static void end_collision(tmb_scene_search *s, tmb_member *m, const tmb_outcome *outcome, const tmb_collider *c)
{
    tmb_ask *ask = ask_in_order(s, outcome->number);
    tmb_fact *fact = fact_of(s, ask);
    tumble_meeting *meeting = &ask->meeting;
    const tumble_scene_mode mode = s->question->mode;
    if (outcome->status != TUMBLE_OK) {
        if (outcome->status != TUMBLE_ERROR_CANCELLED) { /* because another pair touches */
            note_failure(s, outcome->number, outcome->status, outcome->message);
        }
        return;
    }
    tmb_counters_add(&m->counters, &outcome->counters);
    ask->is_met = outcome->collide;
    meeting->pair_count = mode >= TUMBLE_SCENE_COUNT ? outcome->pair_count : 0;
    meeting->contact_count = outcome->contact_count;
    if (fact) {
        learn(fact, outcome, c, c ? c->limit * BELOW : 0);
    }
    if (mode == TUMBLE_SCENE_ALL && outcome->collide && !take_polygons(m, ask, outcome, c)) {
        note_failure(s, outcome->number, TUMBLE_ERROR_MEMORY, "not enough memory for the answer of a scene");
    }
    if (mode == TUMBLE_SCENE_TEST && outcome->collide) {
        atomic_store(&s->is_over, 1);
    }
}

void tmb_scene_end_meet(void *search, tmb_member *member, const tmb_outcome *outcome)
{
    end_collision(search, member, outcome, NULL);
}

/* The triangles that touched last time are compared first. */
static void recall_triangles(tmb_member *m, const tmb_fact *fact, tmb_collider *c)
{
    tmb_collide_scratch *scratch = m->query->scratch[TMB_SCRATCH_COLLIDE].data; /* NULL at first */
    if (scratch && fact && fact->has_triangles) {
        tmb_hot *hot = &scratch->hot;
        hot->model_a = c->encounter.a->block->checksum;
        hot->model_b = c->encounter.b->block->checksum;
        hot->has_pair = 1;
        memcpy(hot->pair, fact->triangles, sizeof hot->pair);
        c->is_hot = 1;
    }
}

static void meet_by_collision(tmb_scene_search *s, tmb_member *m, size_t number, const tmb_meeting_models *models)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_ALL};
    tumble_collide_options options = tumble_default_collide_options();
    tmb_outcome outcome;
    tmb_collider c;
    options.mode = modes[s->question->mode];
    options.clearance = models->clearance;
    options.want_contacts = options.mode == TUMBLE_ALL && s->question->want_contacts;
    options.coherence = TUMBLE_COHERENCE_PAIR;
    tmb_collider_begin(&c, m->query, models->a, models->b, &options);
    c.wants_views = options.mode == TUMBLE_ALL;
    if (options.mode == TUMBLE_TEST) {
        recall_triangles(m, fact_of(s, ask_in_order(s, number)), &c);
    }
    m->sharing.number = number;
    m->has_room = 0;
    m->query->watch = &m->sharing.watch;
    if (tmb_shared_collide(&m->sharing, &c, models->pose_a, models->pose_b, &outcome)) {
        end_collision(s, m, &outcome, &c);
    }
    tmb_query_unwatch(m->query);
}

/* ---- Staying apart ---- */

/* Whether they are even farther apart than the question needs: then the next ones are answered, too. */
static int is_far_apart(tmb_member *m, const tmb_meeting_models *models, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    const tumble_status status =
        tumble_collide(m->query, models->a, models->pose_a, models->b, models->pose_b, &options, &result);
    tmb_counters_add(&m->counters, &result.counters);
    return status == TUMBLE_OK && !result.collide;
}

/* A pair that was apart: is it far enough apart for some steps to come? Rarely tried if it often is not. */
static int stays_apart(tmb_member *m, const tmb_meeting_models *models, tmb_fact *fact)
{
    if (!fact || !fact->is_apart || fact->pause > 0) {
        if (fact && fact->pause > 0) {
            fact->pause--;
        }
        return 0;
    }
    const tumble_pose relative = tumble_pose_relative(models->pose_a, models->pose_b);
    const double scale = tumble_pose_scale(models->pose_a);
    const double clearance = models->limit + STEPS_AHEAD * tmb_fact_motion(fact, models->b, &relative) * scale;
    if (!(clearance > models->limit && clearance < scale * models->extents_a->box.reach)) {
        return 0;
    }
    if (is_far_apart(m, models, clearance)) {
        fact->apart = (clearance + tmb_meeting_thickness(models)) / scale * BELOW;
        fact->relative = relative;
        fact->failures = 0;
        return 1;
    }
    if (fact->failures < MOST_FAILURES) {
        fact->failures++;
    }
    fact->pause = (uint8_t)(1u << fact->failures);
    return 0;
}

/* ---- Relations and distances ---- */

static tumble_status meet_by_relation(tmb_member *m, const tmb_meeting_models *models, tmb_ask *ask)
{
    tumble_relation_result result;
    const tumble_status status = tumble_relate(m->query, models->a, models->pose_a, models->b, models->pose_b, &result);
    if (status == TUMBLE_OK) {
        ask->is_met = result.relation != TUMBLE_RELATION_APART;
        ask->meeting.relation = result.relation;
        ask->meeting.nearest.polygon_a = result.pair.polygon_a;
        ask->meeting.nearest.polygon_b = result.pair.polygon_b;
        tmb_counters_add(&m->counters, &result.counters);
    }
    return status;
}

static double bits_to_distance(uint64_t bits)
{
    double distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

/* Bits of numbers that are not negative are in their order. */
static void note_best(tmb_scene_search *s, double distance)
{
    uint64_t bits, best = atomic_load(&s->best);
    const double positive = distance + 0.0;
    memcpy(&bits, &positive, sizeof bits);
    while (bits < best && !atomic_compare_exchange_weak(&s->best, &best, bits)) {
    }
}

/* The search knows the triangles that were nearest last time; it may then find other ones that are as near to within
 * 1e-14. 0 if nothing is to be known. */
static int recall_nearest(const tmb_scene_search *s, tmb_member *m, const tmb_meeting_models *models,
                          const tmb_fact *fact)
{
    const int is_wanted = fact && s->question->coherence & TUMBLE_COHERENCE_FRONT;
    tmb_near_scratch *scratch = m->query->scratch[TMB_SCRATCH_NEAR].data; /* NULL at first */
    if (scratch && is_wanted) {
        scratch->model_a = models->a->block->checksum;
        scratch->model_b = models->b->block->checksum;
        scratch->has_front = 0;
        scratch->has_nearest = fact->has_triangles;
        scratch->relative = fact->relative;
        memcpy(scratch->nearest, fact->triangles, sizeof scratch->nearest);
    }
    return is_wanted;
}

static void learn_nearest(const tmb_member *m, tmb_fact *fact)
{
    const tmb_near_scratch *scratch = m->query->scratch[TMB_SCRATCH_NEAR].data;
    fact->has_triangles = scratch->has_nearest != 0;
    memcpy(fact->triangles, scratch->nearest, sizeof fact->triangles);
}

/* That they are farther apart than `within`, if so. */
static void learn_distance(const tmb_meeting_models *models, const tumble_distance_result *result, double within,
                           tmb_fact *fact)
{
    fact->worth = UINT32_MAX;
    fact->is_apart = result->answer == TUMBLE_NO;
    fact->apart = (within + tmb_meeting_thickness(models)) / tumble_pose_scale(models->pose_a) * BELOW;
    fact->relative = tumble_pose_relative(models->pose_a, models->pose_b);
}

static tumble_status meet_by_distance(tmb_scene_search *s, tmb_member *m, const tmb_meeting_models *models,
                                      tmb_ask *ask)
{
    tmb_fact *fact = fact_of(s, ask);
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = s->question->within;
    if (s->question->mode == TUMBLE_SCENE_NEAREST) { /* the best so far is known to 1e-14 of it */
        const double best = bits_to_distance(atomic_load(&s->best));
        options.within = fmin(options.within, nextafter(best * (1 + 0x1p-40), INFINITY));
    }
    options.coherence = recall_nearest(s, m, models, fact) ? TUMBLE_COHERENCE_PAIR : TUMBLE_COHERENCE_NONE;
    const tumble_status status =
        tumble_distance(m->query, models->a, models->pose_a, models->b, models->pose_b, &options, &result);
    if (status == TUMBLE_OK) {
        ask->is_met = result.answer == TUMBLE_YES;
        ask->meeting.nearest = result.nearest;
        if (ask->is_met && s->question->mode == TUMBLE_SCENE_NEAREST) {
            note_best(s, result.nearest.distance);
        }
        if (options.coherence != TUMBLE_COHERENCE_NONE) {
            learn_nearest(m, fact);
        }
        if (fact) {
            learn_distance(models, &result, options.within, fact);
        }
        tmb_counters_add(&m->counters, &result.counters);
    }
    return status;
}

/* ---- All ---- */

/* Nothing after the first pair that failed counts. Whether any pair touches can be known in spite of pairs that
 * fail. */
static int is_wanted(const tmb_scene_search *s, size_t number)
{
    return !atomic_load_explicit(&s->is_over, memory_order_relaxed) &&
           (s->question->mode == TUMBLE_SCENE_TEST ||
            number <= atomic_load_explicit(&s->failed_at, memory_order_relaxed));
}

static void meet(tmb_scene_search *s, tmb_member *m, size_t number, const tmb_meeting_models *models)
{
    tmb_ask *ask = ask_in_order(s, number);
    const tumble_scene_mode mode = s->question->mode;
    if (mode != TUMBLE_SCENE_RELATE && mode != TUMBLE_SCENE_NEAREST && stays_apart(m, models, fact_of(s, ask))) {
        return;
    }
    if (mode <= TUMBLE_SCENE_ALL) {
        meet_by_collision(s, m, number, models);
        return;
    }
    const tumble_status status =
        mode == TUMBLE_SCENE_RELATE ? meet_by_relation(m, models, ask) : meet_by_distance(s, m, models, ask);
    if (status != TUMBLE_OK) {
        note_failure(s, number, status, tmb_last_error(s->scene->context).text);
    }
}

/* The caller may want to stop; the thread that called is the first member. */
static int is_stopped(tmb_scene_search *s, const tmb_member *m)
{
    const tumble_scene_question *q = s->question;
    if (m->number == 0 && q->progress && q->progress(q->progress_user)) {
        s->is_stopped = 1;
        atomic_store(&s->is_over, 1);
        return 1;
    }
    return 0;
}

void tmb_scene_meet(void *search, tmb_member *m, size_t number)
{
    tmb_scene_search *s = search;
    if (!is_wanted(s, number) || is_stopped(s, m)) {
        return;
    }
    tmb_ask *ask = ask_in_order(s, number);
    const tmb_meeting_models models = tmb_meeting_models_of(s, ask->key);
    ask->meeting = (tumble_meeting){.a = tmb_scene_id(s->scene, (uint32_t)(ask->key >> 32)),
                                    .b = tmb_scene_id(s->scene, (uint32_t)ask->key)};
    ask->is_met = 0;
    tmb_query_unwatch(m->query); /* only collisions are shared */
    tmb_query_pad(m->query, models.padding_a, models.padding_b);
    meet(s, m, number, &models);
    tmb_query_pad(m->query, 0, 0);
}
