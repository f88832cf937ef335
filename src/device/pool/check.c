/* Checks of jobs, from the question to the answer, in one of the pool's threads. */
#include <stdio.h>

#include "base/assert.h"
#include "base/clock.h"
#include "device/pool/pool.h"

/* ---- Jobs ---- */

/* The status of a batch is that of its first check that failed, unless it was cancelled. */
static void record_failure(tmb_pool *p, tmb_pool_job *j, const tmb_outcome *outcome)
{
    pthread_mutex_lock(&p->lock);
    const uint64_t place = outcome->status == TUMBLE_ERROR_CANCELLED ? 0 : outcome->number + 1;
    if (place < j->failed_at) {
        j->failed_at = place;
        j->job->status = outcome->status;
        snprintf(j->job->message, sizeof j->job->message, "%s", outcome->message);
    }
    pthread_mutex_unlock(&p->lock);
}

void tmb_pool_end_job(tmb_pool *p, tmb_pool_job *j)
{
    TMB_ASSERT(atomic_load(&j->left) == 0);
    tmb_job *job = j->job;
    job->run_seconds = tmb_seconds() - p->start;
    job->finished(job);
    pthread_mutex_lock(&p->lock);
    p->open_jobs--;
    if (p->open_jobs == 0 && p->caller_waits) {
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
}

static void add_done(tmb_pool *p, tmb_pool_job *j, uint64_t count, uint64_t exact_tests)
{
    if (count == 0) {
        return;
    }
    atomic_fetch_add_explicit(&j->job->done_count, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&j->job->exact_count, exact_tests, memory_order_relaxed);
    if (atomic_fetch_sub(&j->left, count) == count) {
        tmb_pool_end_job(p, j);
    }
}

/* The last one that starts no later. */
static tmb_pool_job *job_at(const tmb_pool *p, size_t place)
{
    TMB_ASSERT(place < p->check_count);
    size_t low = 0, high = p->job_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (p->jobs[middle].first <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &p->jobs[low];
}

/* ---- Checks ---- */

static void write_answer(tmb_pool *p, const tmb_check *check, const tmb_outcome *outcome)
{
    tumble_check_answer *answer = check->answer;
    const int is_answered = outcome->status == TUMBLE_OK;
    *answer = (tumble_check_answer){.status = (uint32_t)outcome->status};
    if (is_answered) {
        answer->pair_count = outcome->pair_count;
        answer->collide = (uint32_t)outcome->collide;
        if (outcome->collide) {
            answer->first = outcome->first;
        }
    } else {
        record_failure(p, outcome->owner, outcome);
    }
    if (check->contact_count) {
        *check->contact_count = is_answered ? outcome->contact_count : 0;
    }
}

static void set_cancelled(const tmb_sharing *s, tmb_outcome *outcome)
{
    *outcome = (tmb_outcome){.owner = s->owner, .number = s->number, .status = TUMBLE_ERROR_CANCELLED};
    snprintf(outcome->message, sizeof outcome->message, "the batch was cancelled");
}

/* 0: others still work on it. */
static int answer_check(tmb_worker *w, const tmb_job *job, size_t number, tmb_outcome *outcome)
{
    const tmb_check check = tmb_check_of(&job->batch, number);
    w->sharing.number = number;
    if (tmb_watch_has(&job->cancel)) {
        set_cancelled(&w->sharing, outcome);
    } else {
        const tumble_collide_options options = tmb_check_options(&check);
        tmb_collider collider;
        tmb_collider_begin(&collider, w->query, check.a, check.b, &options);
        if (!tmb_shared_collide(&w->sharing, &collider, check.pose_a, check.pose_b, outcome)) {
            return 0;
        }
    }
    write_answer(w->pool, &check, outcome);
    return 1;
}

void tmb_worker_answer(tmb_worker *w, size_t begin, size_t end)
{
    TMB_ASSERT(begin <= end && end <= w->pool->check_count);
    tmb_outcome outcome;
    while (begin < end) {
        tmb_pool_job *j = job_at(w->pool, begin);
        const size_t first = begin - j->first, rest = j->job->batch.check_count - first;
        const size_t count = rest < end - begin ? rest : end - begin;
        uint64_t done = 0, exact_tests = 0;
        w->sharing.owner = j;
        w->sharing.watch.cancel = &j->job->cancel;
        for (size_t i = 0; i < count; i++) {
            if (answer_check(w, j->job, first + i, &outcome)) {
                done++;
                exact_tests += outcome.status == TUMBLE_OK ? outcome.exact_tests : 0;
            }
        }
        begin += count;
        add_done(w->pool, j, done, exact_tests);
    }
}

void tmb_worker_answer_part(tmb_worker *w, tmb_part *part)
{
    TMB_ASSERT(part->count > 0);
    tmb_outcome outcome;
    if (tmb_part_collide(&w->sharing, w->query, part, &outcome)) {
        tmb_pool_job *j = outcome.owner;
        const tmb_check check = tmb_check_of(&j->job->batch, outcome.number);
        write_answer(w->pool, &check, &outcome);
        add_done(w->pool, j, 1, outcome.exact_tests);
    }
}
