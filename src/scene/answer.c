/* Questions about a whole scene: candidates in blocks, blocks in pieces for threads, answers in order. */
#include "scene/answer.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

#define CACHE_BYTES ((size_t)64 << 20)

tumble_scene_question tumble_default_scene_question(void)
{
    return (tumble_scene_question){.mode = TUMBLE_SCENE_PAIRS,
                                   .within = INFINITY,
                                   .groups_a = UINT32_MAX,
                                   .groups_b = UINT32_MAX,
                                   .coherence = TUMBLE_COHERENCE_PAIR,
                                   .cache_bytes = CACHE_BYTES};
}

/* ---- Scratch memory ---- */

static void release_list(tumble_context *context, tmb_answer_list *list)
{
    tmb_buffer_release(context, &list->meetings);
    tmb_buffer_release(context, &list->pairs);
    tmb_buffer_release(context, &list->contacts);
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_scene_scratch *scratch = data;
    tmb_team_release(context, &scratch->team);
    for (int i = 0; i < TMB_ANSWER_PIECES; i++) {
        tmb_buffer_release(context, &scratch->pieces[i].asks);
        tmb_buffer_release(context, &scratch->pieces[i].facts);
    }
    for (int i = 0; i < 2; i++) {
        release_list(context, &scratch->answers[i]);
        tmb_buffer_release(context, &scratch->facts[i].facts);
    }
    tmb_device_checks *checks = &scratch->checks;
    tmb_buffer *const buffers[] = {&scratch->asks,   &scratch->order,  &scratch->table,  &scratch->previous,
                                   &scratch->now,    &scratch->ended,  &checks->numbers, &checks->pairs,
                                   &checks->poses_a, &checks->poses_b, &checks->answers};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

/* ---- One block ---- */

tumble_status tmb_scene_fail_stopped(tumble_context *context)
{
    return tmb_fail(context, TUMBLE_ERROR_CANCELLED, "the callback has stopped the search");
}

/* Has the team answer what is left of a block. */
static tumble_status ask_team(tmb_scene_search *s)
{
    tmb_team *team = &s->scratch->team;
    for (uint32_t i = 0; i < team->member_count; i++) {
        team->members[i].pair_count = team->members[i].contact_count = 0;
    }
    tmb_team_run(team, s->scene->thread_count, s->scratch->order_count, tmb_scene_meet, tmb_scene_end_meet, s,
                 &s->is_over);
    if (s->is_stopped) {
        return tmb_scene_fail_stopped(s->scene->context);
    }
    const int is_known = s->is_over && s->status != TUMBLE_ERROR_MEMORY;
    return s->status == TUMBLE_OK || is_known ? TUMBLE_OK : tmb_fail(s->scene->context, s->status, "%s", s->message);
}

static tumble_status run_block(tmb_scene_search *s)
{
    tumble_status status = tmb_scene_sift(s);
    if (status == TUMBLE_OK && !tmb_scene_find_equals(s)) {
        status = tmb_fail_memory(s->scene->context, "a question about a scene");
    }
    if (status == TUMBLE_OK) {
        status = tmb_scene_ask_device(s);
    }
    if (status == TUMBLE_OK) {
        status = ask_team(s);
    }
    if (status == TUMBLE_OK) {
        status = tmb_scene_gather(s);
    }
    if (status == TUMBLE_OK && s->facts) {
        tmb_facts_trim(s->facts, s->question->cache_bytes / (2 * sizeof(tmb_fact)));
    }
    return status;
}

/* ---- Results ---- */

/* The polygons of a meeting follow those of the one before it. */
static void set_pointers(tmb_answer_list *whole, int has_contacts)
{
    tumble_meeting *meetings = whole->meetings.data;
    size_t pair = 0, contact = 0;
    for (size_t i = 0; i < whole->meeting_count; i++) {
        if (whole->pair_count > 0) {
            meetings[i].pairs = (const tumble_pair *)whole->pairs.data + pair;
            pair += meetings[i].pair_count;
        }
        if (has_contacts && whole->contact_count > 0) {
            meetings[i].contacts = (const tumble_contact *)whole->contacts.data + contact;
            contact += meetings[i].contact_count;
        }
    }
}

/* Only the least distance counts; of equal ones the first. */
static void keep_nearest(tmb_answer_list *whole)
{
    tumble_meeting *meetings = whole->meetings.data;
    for (size_t i = 1; i < whole->meeting_count; i++) {
        if (meetings[i].nearest.distance < meetings[0].nearest.distance) {
            meetings[0] = meetings[i];
        }
    }
    whole->meeting_count = whole->meeting_count > 0;
}

/* What is known of the meetings of a block goes to the callback, if there is one, and is then forgotten. */
static tumble_status hand_out(tmb_scene_search *s, size_t first, tumble_scene_answer *answer)
{
    const tumble_scene_question *q = s->question;
    tmb_answer_list *whole = s->whole;
    tumble_meeting *meetings = whole->meetings.data;
    const size_t count = whole->meeting_count - first;
    answer->touch |= count > 0;
    if (q->mode == TUMBLE_SCENE_TEST || q->mode == TUMBLE_SCENE_NEAREST) {
        return TUMBLE_OK;
    }
    if (!tmb_events_add(s, count ? meetings + first : NULL, count)) {
        return tmb_fail_memory(s->scene->context, "the events of a scene");
    }
    answer->meeting_count += count;
    if (q->callback) {
        set_pointers(whole, q->want_contacts);
        for (size_t i = 0; i < count; i++) {
            if (q->callback(q->callback_user, &meetings[i])) {
                return tmb_scene_fail_stopped(s->scene->context);
            }
        }
        whole->meeting_count = whole->pair_count = whole->contact_count = 0;
    }
    return TUMBLE_OK;
}

/* All candidates, block by block. */
static tumble_status run_all(tmb_scene_search *s, const uint64_t *keys, size_t count, tumble_scene_answer *answer)
{
    tumble_status status = TUMBLE_OK;
    for (size_t at = 0; at < count && status == TUMBLE_OK && !s->is_over; at += s->count) {
        const size_t first = s->whole->meeting_count;
        s->keys = keys + at;
        s->count = count - at < TMB_ANSWER_BLOCK ? count - at : TMB_ANSWER_BLOCK;
        status = run_block(s);
        if (status == TUMBLE_OK) {
            status = hand_out(s, first, answer);
        }
    }
    return status;
}

/* ---- Questions ---- */

static tumble_status check_question(tumble_scene *scene, const tumble_scene_question *q)
{
    if ((unsigned)q->mode > TUMBLE_SCENE_NEAREST) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "a scene has no mode %d", (int)q->mode);
    }
    if (!(q->clearance >= 0 && q->clearance < INFINITY)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the clearance is %g; give 0 or more", q->clearance);
    }
    if ((unsigned)q->coherence > TUMBLE_COHERENCE_ALL) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the coherence %d is unknown", (int)q->coherence);
    }
    if (!(q->within >= 0)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "`within` is %g; give 0 or more", q->within);
    }
    return TUMBLE_OK;
}

/* Whether a question is the same as the one before, which was answered in full. */
static int is_same_question(const tumble_scene_question *q, const tumble_scene_question *before)
{
    return q->mode == before->mode && q->clearance == before->clearance && q->within == before->within &&
           q->groups_a == before->groups_a && q->groups_b == before->groups_b &&
           q->want_contacts == before->want_contacts && q->coherence == before->coherence;
}

/* The answer before counts if it was about this scene. */
static void begin_events(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    if (scratch->serial != s->scene->serial) {
        scratch->serial = s->scene->serial;
        scratch->previous_count = 0;
        scratch->update = 0;
    }
    s->since = scratch->update;
    s->is_all = !s->question->only_moved || s->since == 0;
    scratch->compared = scratch->now_count = scratch->ended_count = 0;
}

/* This answer takes the place of the one before the last; what that was about, and what is known, may help. */
static void begin_answer(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    s->whole = &scratch->answers[!scratch->current];
    s->whole->meeting_count = s->whole->pair_count = s->whole->contact_count = 0;
    s->whole->counters = (tumble_counters){0};
    for (uint32_t i = 0; i < scratch->team.member_count; i++) {
        scratch->team.members[i].counters = (tumble_counters){0};
    }
    if (s->question->coherence == TUMBLE_COHERENCE_NONE) {
        return;
    }
    if (scratch->has_before && scratch->before.serial == s->scene->serial && s->is_all &&
        is_same_question(s->question, &scratch->before.question)) {
        s->before = &scratch->answers[scratch->current];
        s->since = scratch->before.update;
    }
    if (scratch->facts_serial != s->scene->serial) {
        scratch->facts_serial = s->scene->serial;
        scratch->facts[0].count = scratch->facts[1].count = 0;
    }
    if (s->question->mode != TUMBLE_SCENE_RELATE && s->question->coherence & TUMBLE_COHERENCE_PAIR) {
        s->known = &scratch->facts[scratch->current_facts];
        s->facts = &scratch->facts[!scratch->current_facts];
        s->facts->count = 0;
    }
}

/* What the next answer may use of this one. */
static void keep_answer(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    const tumble_scene_mode mode = s->question->mode;
    scratch->current = !scratch->current;
    scratch->has_before =
        s->is_all && !s->question->callback && mode != TUMBLE_SCENE_TEST && mode != TUMBLE_SCENE_NEAREST;
    scratch->before = (tmb_answer_subject){*s->question, s->scene->serial, s->scene->update};
    if (s->facts) {
        scratch->current_facts = !scratch->current_facts;
    }
}

static tumble_counters sum_counters(const tmb_team *team)
{
    tumble_counters sum = {0};
    for (uint32_t i = 0; i < team->member_count; i++) {
        tmb_counters_add(&sum, &team->members[i].counters);
    }
    return sum;
}

static tumble_status finish(tmb_scene_search *s, tumble_scene_answer *answer)
{
    tmb_scene_scratch *scratch = s->scratch;
    tmb_answer_list *whole = s->whole;
    answer->counters = sum_counters(&scratch->team);
    if (s->question->mode == TUMBLE_SCENE_TEST) {
        keep_answer(s);
        return TUMBLE_OK;
    }
    if (s->question->mode == TUMBLE_SCENE_NEAREST) {
        keep_nearest(whole);
        answer->meeting_count = whole->meeting_count;
    } else {
        if (!tmb_events_finish(s)) {
            return tmb_fail_memory(s->scene->context, "the events of a scene");
        }
        scratch->update = s->scene->update;
        answer->ended = scratch->ended_count ? scratch->ended.data : NULL;
        answer->ended_count = scratch->ended_count;
    }
    if (whole->meeting_count > 0) {
        set_pointers(whole, s->question->want_contacts);
        answer->meetings = whole->meetings.data;
    }
    keep_answer(s);
    return TUMBLE_OK;
}

static tumble_status search(tmb_scene_search *s, tumble_scene_answer *answer)
{
    double margin = s->question->clearance / 2;
    tumble_status status = TUMBLE_OK;
    if (s->question->mode >= TUMBLE_SCENE_DISTANCE) {
        margin = s->question->within / 2;
        if (s->question->mode == TUMBLE_SCENE_NEAREST) {
            status = tmb_scene_bound_nearest(s, &margin);
        }
    }
    if (status == TUMBLE_OK) {
        status = tmb_scene_set_margin(s->scene, margin);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    size_t count;
    const uint64_t *keys = tmb_scene_pairs(s->scene, &count);
    answer->candidate_count = count;
    status = run_all(s, keys, count, answer);
    if (s->question->mode == TUMBLE_SCENE_NEAREST) {
        s->scene->margin = NAN; /* it depends on which pairs were tried first */
    }
    return status == TUMBLE_OK ? finish(s, answer) : status;
}

tumble_status tumble_scene_collide(tumble_query *query, tumble_scene *scene, const tumble_scene_question *question,
                                   tumble_scene_answer *answer)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!scene || !answer) {
        return tmb_query_end(query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "the scene or the answer is null"));
    }
    const tumble_scene_question asked = question ? *question : tumble_default_scene_question();
    const double start = tmb_seconds();
    *answer = (tumble_scene_answer){0};
    tumble_status status = tmb_scene_check_query(query, scene);
    status = status == TUMBLE_OK ? check_question(scene, &asked) : status;
    tmb_scene_scratch *scratch = NULL;
    if (status == TUMBLE_OK) {
        scratch = tmb_query_scratch(query, TMB_SCRATCH_SCENE, sizeof *scratch, release_scratch);
        status = scratch ? tmb_team_reserve(query->context, &scratch->team, scene->thread_count) : TUMBLE_ERROR_MEMORY;
    }
    if (status == TUMBLE_OK) {
        tmb_scene_search s = {.scene = scene,
                              .question = &asked,
                              .scratch = scratch,
                              .boxes_are_apart = tmb_boxes_apart_for(scene->context),
                              .failed_at = UINT64_MAX};
        begin_events(&s);
        begin_answer(&s);
        status = search(&s, answer);
        answer->counters.seconds = tmb_seconds() - start;
    }
    return tmb_query_end(query, status);
}
