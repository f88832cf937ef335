/* Questions about a whole scene: candidates in blocks, blocks in pieces for threads, answers in order. */
#include "scene/answer.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"

tumble_scene_question tumble_default_scene_question(void)
{
    return (tumble_scene_question){
        .mode = TUMBLE_SCENE_PAIRS, .within = INFINITY, .groups_a = UINT32_MAX, .groups_b = UINT32_MAX};
}

/* ---- Scratch memory ---- */

static void release_piece(tumble_context *context, tmb_answer_piece *piece)
{
    tmb_buffer_release(context, &piece->meetings);
    tmb_buffer_release(context, &piece->pairs);
    tmb_buffer_release(context, &piece->contacts);
}

static void release_queries(tumble_context *context, tmb_scene_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->query_count; i++) {
        tumble_query_destroy(scratch->queries[i]);
    }
    tmb_release(context, scratch->queries);
    tmb_release(context, scratch->is_taken);
    scratch->queries = NULL;
    scratch->is_taken = NULL;
    scratch->query_count = 0;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_scene_scratch *scratch = data;
    release_queries(context, scratch);
    for (int i = 0; i < TMB_ANSWER_PIECES; i++) {
        release_piece(context, &scratch->pieces[i]);
    }
    release_piece(context, &scratch->whole);
    tmb_buffer_release(context, &scratch->before);
    tmb_buffer_release(context, &scratch->now);
    tmb_buffer_release(context, &scratch->ended);
}

static tumble_status reserve_queries(tumble_context *context, tmb_scene_scratch *scratch, uint32_t count)
{
    if (scratch->query_count >= count) {
        return TUMBLE_OK;
    }
    release_queries(context, scratch);
    scratch->queries = tmb_allocate(context, count, sizeof *scratch->queries);
    scratch->is_taken = tmb_allocate(context, count, sizeof *scratch->is_taken);
    if (!scratch->queries || !scratch->is_taken) {
        release_queries(context, scratch);
        return tmb_fail_memory(context, "a question about a scene");
    }
    for (; scratch->query_count < count; scratch->query_count++) {
        const tumble_status status = tumble_query_create(context, &scratch->queries[scratch->query_count]);
        if (status != TUMBLE_OK) {
            return status;
        }
        atomic_init(&scratch->is_taken[scratch->query_count], 0);
    }
    return TUMBLE_OK;
}

/* No more threads run than there are queries. */
static uint32_t take_query(tmb_scene_scratch *scratch)
{
    for (uint32_t i = 0;; i = (i + 1) % scratch->query_count) {
        if (!atomic_exchange(&scratch->is_taken[i], 1)) {
            return i;
        }
    }
}

/* ---- One block ---- */

static void note_failure(tmb_scene_search *s, size_t number, uint64_t key, tumble_status status)
{
    tmb_answer_piece *piece = &s->scratch->pieces[number];
    if (piece->status == TUMBLE_OK) {
        piece->status = status;
        piece->error = tmb_last_error(s->scene->context);
        piece->failed_key = key;
    }
    size_t failed = atomic_load(&s->failed);
    while (number < failed && !atomic_compare_exchange_weak(&s->failed, &failed, number)) {
    }
}

/* Nothing after the first pair that failed counts; what comes before goes on, so that the first one is the same for
 * every number of threads. Whether any pair touches can be known in spite of pairs that fail. */
static int is_wanted(const tmb_scene_search *s, size_t number)
{
    return !atomic_load_explicit(&s->is_over, memory_order_relaxed) &&
           (s->question->mode == TUMBLE_SCENE_TEST || number < atomic_load_explicit(&s->failed, memory_order_relaxed));
}

static void run_piece(tmb_scene_search *s, tumble_query *query, size_t number)
{
    tmb_answer_piece *piece = &s->scratch->pieces[number];
    const size_t first = number * s->count / TMB_ANSWER_PIECES, last = (number + 1) * s->count / TMB_ANSWER_PIECES;
    piece->meeting_count = piece->pair_count = piece->contact_count = 0;
    piece->counters = (tumble_counters){0};
    piece->status = TUMBLE_OK;
    for (size_t i = first; i < last && is_wanted(s, number); i++) {
        const tumble_status status = tmb_scene_meet(s, query, s->keys[i], piece);
        if (status != TUMBLE_OK) {
            note_failure(s, number, s->keys[i], status);
        } else if (s->question->mode == TUMBLE_SCENE_TEST && piece->meeting_count > 0) {
            atomic_store(&s->is_over, 1);
        }
    }
}

static void run_pieces(void *shared, size_t begin, size_t end)
{
    tmb_scene_search *s = shared;
    const uint32_t taken = take_query(s->scratch);
    for (size_t i = begin; i < end; i++) {
        run_piece(s, s->scratch->queries[taken], i);
    }
    atomic_store(&s->scratch->is_taken[taken], 0);
}

/* Fails as the first pair in order did that failed. */
static tumble_status status_of_pieces(const tmb_scene_search *s)
{
    if (s->failed == TMB_ANSWER_PIECES || s->is_over) {
        return TUMBLE_OK;
    }
    const tmb_answer_piece *piece = &s->scratch->pieces[s->failed];
    const tumble_object a = tmb_scene_id(s->scene, (uint32_t)(piece->failed_key >> 32));
    const tumble_object b = tmb_scene_id(s->scene, (uint32_t)piece->failed_key);
    return tmb_fail(s->scene->context, piece->status, "objects {%u, %u} and {%u, %u}: %s", a.index, a.generation,
                    b.index, b.generation, piece->error.text);
}

static int append(tumble_context *context, tmb_buffer *to, size_t *count, const tmb_buffer *from, size_t more,
                  size_t size)
{
    if (more == 0) {
        return 1;
    }
    if (!tmb_buffer_reserve(context, to, *count + more, size, *count * size)) {
        return 0;
    }
    memcpy((char *)to->data + *count * size, from->data, more * size);
    *count += more;
    return 1;
}

/* Appends the pieces of a block to the whole. */
static tumble_status join_pieces(const tmb_scene_search *s)
{
    tumble_context *context = s->scene->context;
    tmb_answer_piece *whole = &s->scratch->whole;
    for (int i = 0; i < TMB_ANSWER_PIECES; i++) {
        const tmb_answer_piece *p = &s->scratch->pieces[i];
        if (!append(context, &whole->meetings, &whole->meeting_count, &p->meetings, p->meeting_count,
                    sizeof(tumble_meeting)) ||
            !append(context, &whole->pairs, &whole->pair_count, &p->pairs, p->pair_count, sizeof(tumble_pair)) ||
            !append(context, &whole->contacts, &whole->contact_count, &p->contacts, p->contact_count,
                    sizeof(tumble_contact))) {
            return tmb_fail_memory(context, "the answer of a scene");
        }
        whole->counters.box_tests += p->counters.box_tests;
        whole->counters.box_updates += p->counters.box_updates;
        whole->counters.primitive_tests += p->counters.primitive_tests;
        whole->counters.exact_tests += p->counters.exact_tests;
        whole->counters.bytes_touched += p->counters.bytes_touched;
    }
    return TUMBLE_OK;
}

static tumble_status run_block(tmb_scene_search *s)
{
    const uint32_t threads = tmb_threads_for(s->scene->thread_count, s->count, 8);
    atomic_store(&s->failed, TMB_ANSWER_PIECES);
    if (!tmb_parallel_for(s->scene->context, threads, TMB_ANSWER_PIECES, 1, run_pieces, s)) {
        return tmb_fail_memory(s->scene->context, "the threads of a scene");
    }
    const tumble_status status = status_of_pieces(s);
    return status == TUMBLE_OK ? join_pieces(s) : status;
}

/* ---- Results ---- */

/* The polygons of a meeting follow those of the one before it. */
static void set_pointers(tmb_answer_piece *whole, int has_contacts)
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
static void keep_nearest(tmb_answer_piece *whole)
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
    tmb_answer_piece *whole = &s->scratch->whole;
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
                return tmb_fail(s->scene->context, TUMBLE_ERROR_CANCELLED, "the callback has stopped the search");
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
        const size_t first = s->scratch->whole.meeting_count;
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
    if (!(q->within >= 0)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "`within` is %g; give 0 or more", q->within);
    }
    return TUMBLE_OK;
}

/* The answer before counts if it was about this scene. */
static void begin_events(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    if (scratch->serial != s->scene->serial) {
        scratch->serial = s->scene->serial;
        scratch->before_count = 0;
        scratch->update = 0;
    }
    s->since = scratch->update;
    s->is_all = !s->question->only_moved || s->since == 0;
    scratch->compared = scratch->now_count = scratch->ended_count = 0;
    scratch->whole.meeting_count = scratch->whole.pair_count = scratch->whole.contact_count = 0;
    scratch->whole.counters = (tumble_counters){0};
}

static tumble_status finish(tmb_scene_search *s, tumble_scene_answer *answer)
{
    tmb_scene_scratch *scratch = s->scratch;
    tmb_answer_piece *whole = &scratch->whole;
    answer->counters = whole->counters;
    if (s->question->mode == TUMBLE_SCENE_TEST) {
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
    tumble_status status = check_question(scene, &asked);
    tmb_scene_scratch *scratch = NULL;
    if (status == TUMBLE_OK) {
        scratch = tmb_query_scratch(query, TMB_SCRATCH_SCENE, sizeof *scratch, release_scratch);
        status = scratch ? reserve_queries(query->context, scratch, scene->thread_count) : TUMBLE_ERROR_MEMORY;
    }
    if (status == TUMBLE_OK) {
        tmb_scene_search s = {.scene = scene,
                              .question = &asked,
                              .scratch = scratch,
                              .boxes_are_apart = tmb_boxes_apart_for(scene->context)};
        begin_events(&s);
        status = search(&s, answer);
        answer->counters.seconds = tmb_seconds() - start;
    }
    return tmb_query_end(query, status);
}
