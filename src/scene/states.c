/* Batches of states: shared by threads, answered in order. */
#include "scene/states.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"

/* States that a thread takes at a time, and after how many the caller may stop. */
#define PIECE 64
#define BLOCK ((size_t)64 * PIECE)

tumble_states_question tumble_default_states_question(void)
{
    return (tumble_states_question){.mode = TUMBLE_STATES_TEST, .within = INFINITY};
}

/* What a thread has done in its piece. */
typedef struct states_piece {
    tumble_counters counters;
    uint64_t hint;
    size_t failed_state;
    tumble_status status;
    tmb_error error;
} states_piece;

/* Of a query. */
typedef struct tmb_states_scratch {
    tmb_states_plan plan;
    tmb_states_worker *workers;
    uint32_t worker_count;
    tmb_buffer touch, pairs, nearest;
    uint64_t hint;
    states_piece pieces[BLOCK / PIECE];
} tmb_states_scratch;

/* ---- Scratch memory ---- */

static void release_workers(tumble_context *context, tmb_states_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->worker_count; i++) {
        tmb_states_worker *worker = &scratch->workers[i];
        tumble_query_destroy(worker->query);
        tmb_buffer_release(context, &worker->boxes);
        tmb_buffer_release(context, &worker->pairs);
        tmb_buffer_release(context, &worker->found);
    }
    tmb_release(context, scratch->workers);
    scratch->workers = NULL;
    scratch->worker_count = 0;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_states_scratch *scratch = data;
    release_workers(context, scratch);
    tmb_states_release_plan(context, &scratch->plan);
    tmb_buffer_release(context, &scratch->touch);
    tmb_buffer_release(context, &scratch->pairs);
    tmb_buffer_release(context, &scratch->nearest);
}

static tumble_status reserve_workers(tumble_context *context, tmb_states_scratch *scratch, uint32_t count)
{
    if (scratch->worker_count >= count) {
        return TUMBLE_OK;
    }
    release_workers(context, scratch);
    scratch->workers = tmb_allocate(context, count, sizeof *scratch->workers);
    if (!scratch->workers) {
        return tmb_fail_memory(context, "the states of a scene");
    }
    for (; scratch->worker_count < count; scratch->worker_count++) {
        tmb_states_worker *worker = &scratch->workers[scratch->worker_count];
        memset(worker, 0, sizeof *worker);
        const tumble_status status = tumble_query_create(context, &worker->query);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return TUMBLE_OK;
}

/* Boxes of what stays are the same in every state. */
static tumble_status prepare_workers(tumble_context *context, tmb_states_scratch *scratch)
{
    const tmb_states_plan *plan = &scratch->plan;
    for (uint32_t i = 0; plan->lane_count > 0 && i < scratch->worker_count; i++) {
        tmb_states_worker *worker = &scratch->workers[i];
        if (!tmb_buffer_reserve(context, &worker->boxes, plan->lane_count, 6 * sizeof(float), 0)) {
            return tmb_fail_memory(context, "the states of a scene");
        }
        memcpy(worker->boxes.data, plan->still.data, plan->lane_count * 6 * sizeof(float));
    }
    return TUMBLE_OK;
}

static tumble_status reserve_results(tmb_states_search *s, tmb_states_scratch *scratch)
{
    tumble_context *context = s->scene->context;
    const size_t count = s->states->state_count;
    const int has_pairs = s->question->mode != TUMBLE_STATES_TEST;
    const int has_nearest = s->question->mode == TUMBLE_STATES_NEAREST;
    if (!tmb_buffer_reserve(context, &scratch->touch, count, sizeof(bool), 0) ||
        (has_pairs && !tmb_buffer_reserve(context, &scratch->pairs, count, sizeof(tumble_object_pair), 0)) ||
        (has_nearest && !tmb_buffer_reserve(context, &scratch->nearest, count, sizeof(tumble_near), 0))) {
        return tmb_fail_memory(context, "the answers about states");
    }
    s->touch = scratch->touch.data;
    s->pairs = has_pairs ? scratch->pairs.data : NULL;
    s->nearest = has_nearest ? scratch->nearest.data : NULL;
    return TUMBLE_OK;
}

/* ---- Pieces ---- */

/* The earliest event counts. */
static void note_event(tmb_states_search *s, uint64_t event)
{
    uint64_t known = atomic_load(&s->event);
    while (event < known && !atomic_compare_exchange_weak(&s->event, &known, event)) {
    }
}

static void note_answer(tmb_states_search *s, size_t state, const tmb_state_answer *answer)
{
    s->touch[state] = answer->touch;
    if (s->pairs) {
        const tumble_object_pair none = {{0, 0}, {0, 0}};
        const uint32_t a = (uint32_t)(answer->key >> 32), b = (uint32_t)answer->key;
        s->pairs[state] =
            answer->touch ? (tumble_object_pair){tmb_scene_id(s->scene, a), tmb_scene_id(s->scene, b)} : none;
    }
    if (s->nearest) {
        s->nearest[state] = answer->nearest;
    }
    if (answer->touch && s->question->stop_at_first) {
        note_event(s, 2 * (uint64_t)state + 1);
    }
}

static void run_piece(tmb_states_search *s, tmb_states_worker *worker, size_t number)
{
    states_piece *piece = &s->scratch->pieces[number];
    const size_t first = s->begin + number * PIECE, rest = s->states->state_count - first;
    const size_t last = first + (rest < PIECE ? rest : PIECE);
    piece->counters = (tumble_counters){0};
    piece->status = TUMBLE_OK;
    piece->hint = s->first_key;
    for (size_t i = first; i < last && 2 * (uint64_t)i < atomic_load_explicit(&s->event, memory_order_relaxed); i++) {
        tmb_state_answer answer;
        piece->status = tmb_states_check(s, worker, i, &piece->hint, &piece->counters, &answer);
        if (piece->status != TUMBLE_OK) {
            piece->error = tmb_last_error(s->scene->context);
            piece->failed_state = i;
            note_event(s, 2 * (uint64_t)i);
            return;
        }
        note_answer(s, i, &answer);
    }
}

/* No more threads run than there are workers. */
static tmb_states_worker *take_worker(tmb_states_scratch *scratch)
{
    for (uint32_t i = 0;; i = (i + 1) % scratch->worker_count) {
        if (!atomic_exchange(&scratch->workers[i].is_taken, 1)) {
            return &scratch->workers[i];
        }
    }
}

static void run_pieces(void *shared, size_t begin, size_t end)
{
    tmb_states_search *s = shared;
    tmb_states_worker *worker = take_worker(s->scratch);
    for (size_t i = begin; i < end; i++) {
        run_piece(s, worker, i);
    }
    atomic_store(&worker->is_taken, 0);
}

/* ---- The batch ---- */

/* Fails as the first state did that failed, unless the batch ended before it. */
static tumble_status finish_block(tmb_states_search *s, size_t pieces, tumble_states_answer *answer)
{
    const uint64_t event = atomic_load(&s->event);
    for (size_t i = 0; i < pieces; i++) {
        const states_piece *piece = &s->scratch->pieces[i];
        tmb_counters_add(&answer->counters, &piece->counters);
        if (piece->status != TUMBLE_OK && 2 * (uint64_t)piece->failed_state == event) {
            return tmb_fail(s->scene->context, piece->status, "%s", piece->error.text);
        }
    }
    s->first_key = s->scratch->pieces[pieces - 1].hint;
    return TUMBLE_OK;
}

static tumble_status run_block(tmb_states_search *s, size_t count, tumble_states_answer *answer)
{
    const size_t pieces = (count + PIECE - 1) / PIECE;
    const uint32_t threads = tmb_threads_for(s->scene->thread_count, pieces, 1);
    if (!tmb_parallel_for(s->scene->context, threads, pieces, 1, run_pieces, s)) {
        return tmb_fail_memory(s->scene->context, "the threads of a scene");
    }
    const tumble_status status = finish_block(s, pieces, answer);
    const uint64_t event = atomic_load(&s->event);
    answer->state_count = event == UINT64_MAX ? s->begin + count : (size_t)(event / 2 + event % 2);
    return status;
}

static tumble_status run_all(tmb_states_search *s, tumble_states_answer *answer)
{
    const tumble_states_question *q = s->question;
    const size_t all = s->states->state_count;
    tumble_status status = TUMBLE_OK;
    atomic_store(&s->event, UINT64_MAX);
    while (status == TUMBLE_OK && s->begin < all && atomic_load(&s->event) == UINT64_MAX) {
        const size_t count = all - s->begin < BLOCK ? all - s->begin : BLOCK;
        status = run_block(s, count, answer);
        s->begin += count;
        if (status == TUMBLE_OK && q->progress && q->progress(q->progress_user, answer->state_count)) {
            status = tmb_fail(s->scene->context, TUMBLE_ERROR_CANCELLED, "the callback has stopped the batch");
        }
    }
    return status;
}

static void report(const tmb_states_search *s, tumble_states_answer *answer)
{
    answer->first_touch = answer->state_count;
    for (size_t i = answer->state_count; i-- > 0;) {
        if (s->touch[i]) {
            answer->touch_count++;
            answer->first_touch = i;
        }
    }
    answer->touch = answer->state_count ? s->touch : NULL;
    answer->pairs = answer->state_count ? s->pairs : NULL;
    answer->nearest = answer->state_count ? s->nearest : NULL;
}

/* ---- Questions ---- */

static tumble_status check_arguments(tumble_scene *scene, const tumble_states *states, const tumble_states_question *q)
{
    tumble_context *context = scene->context;
    if ((states->object_count > 0 && !states->objects) ||
        (states->object_count > 0 && states->state_count > 0 && !states->poses)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the objects or the poses of the states are null");
    }
    if (states->pose_stride != 0 && states->pose_stride < states->object_count) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the stride is %zu poses, but a state has %zu",
                        states->pose_stride, states->object_count);
    }
    if ((unsigned)q->mode > TUMBLE_STATES_NEAREST) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "states have no mode %d", (int)q->mode);
    }
    if (!(q->clearance >= 0 && q->clearance < INFINITY)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the clearance is %g; give 0 or more", q->clearance);
    }
    return q->within >= 0 ? TUMBLE_OK
                          : tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "`within` is %g; give 0 or more", q->within);
}

/* The plan, and memory for everything. */
static tumble_status prepare(tmb_states_search *s)
{
    tmb_states_scratch *scratch = s->scratch;
    tumble_status status = tumble_scene_update(s->scene);
    if (status == TUMBLE_OK) {
        status = tmb_states_make_plan(s->scene, s->states, s->question, &scratch->plan);
    }
    if (status == TUMBLE_OK && scratch->plan.uses_tree && !(s->scene->margin <= s->question->clearance / 2)) {
        status = tmb_scene_set_margin(s->scene, 0); /* larger boxes would only have more pairs */
        scratch->plan.update = s->scene->update;
    }
    if (status == TUMBLE_OK) {
        status = reserve_workers(s->scene->context, scratch, s->scene->thread_count);
    }
    if (status == TUMBLE_OK) {
        status = prepare_workers(s->scene->context, scratch);
    }
    return status == TUMBLE_OK ? reserve_results(s, scratch) : status;
}

static tumble_status ask(tmb_states_search *s, tumble_states_answer *answer)
{
    tumble_status status = prepare(s);
    if (status == TUMBLE_OK) {
        s->plan = &s->scratch->plan;
        s->kernels = (tmb_states_kernels){TMB_PICK_KERNEL(s->scene->context, tmb_states_boxes),
                                          TMB_PICK_KERNEL(s->scene->context, tmb_states_overlaps),
                                          TMB_PICK_KERNEL(s->scene->context, tmb_states_gaps)};
        s->apart = tmb_boxes_apart_for(s->scene->context);
        s->first_key = s->scratch->hint;
        status = run_all(s, answer);
        s->scratch->hint = s->first_key;
        report(s, answer);
    }
    return status;
}

tumble_status tumble_scene_states(tumble_query *query, tumble_scene *scene, const tumble_states *states,
                                  const tumble_states_question *question, tumble_states_answer *answer)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!scene || !states || !answer) {
        return tmb_query_end(
            query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "the scene, the states or the answer is null"));
    }
    const double start = tmb_seconds();
    const tumble_states_question asked = question ? *question : tumble_default_states_question();
    tmb_states_search s = {.scene = scene, .states = states, .question = &asked};
    s.stride = states->pose_stride ? states->pose_stride : states->object_count;
    *answer = (tumble_states_answer){0};
    tumble_status status = tmb_scene_check_query(query, scene);
    status = status == TUMBLE_OK ? check_arguments(scene, states, &asked) : status;
    if (status == TUMBLE_OK) {
        s.scratch = tmb_query_scratch(query, TMB_SCRATCH_STATES, sizeof *s.scratch, release_scratch);
        status = s.scratch ? ask(&s, answer) : TUMBLE_ERROR_MEMORY;
    }
    answer->counters.seconds = tmb_seconds() - start;
    return tmb_query_end(query, status);
}
