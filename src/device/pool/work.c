/* The scheduler: blocks of checks, stealing, parts of traversals, loops. */
#include "base/assert.h"
#include "base/clock.h"
#include "device/pool/pool.h"

#define BLOCK 256       /* checks that a worker takes from the list at most, */
#define BLOCK_SHARE 4   /* and at most this part of its share of the rest */
#define RUN 64          /* checks that it takes from its block at most */
#define SHORT_RUN 20e-6 /* seconds: runs that end sooner may be longer, */
#define LONG_RUN 100e-6 /* those that end later must be shorter, so that others can take over the rest of the block */

/* ---- Checks ---- */

/* The pool is locked in all of these but the last two. */
static void set_block(tmb_worker *w, size_t begin, size_t end)
{
    TMB_ASSERT(begin <= end);
    pthread_mutex_lock(&w->lock);
    w->begin = begin;
    w->end = end;
    pthread_mutex_unlock(&w->lock);
}

static void set_hungry(tmb_pool *p)
{
    const int hungry = p->next_check < p->check_count ? 0 : p->idle - p->parts;
    atomic_store_explicit(&p->hungry.value, hungry > 0 ? hungry : 0, memory_order_relaxed);
}

void tmb_pool_begin(tmb_pool *p, tmb_pool_job *jobs, size_t job_count, size_t check_count)
{
    TMB_ASSERT(jobs && (job_count > 0) == (check_count > 0)); /* jobs without checks have ended */
    pthread_mutex_lock(&p->lock);
    p->jobs = jobs;
    p->job_count = p->open_jobs = job_count;
    p->next_check = 0;
    p->check_count = check_count;
    p->start = tmb_seconds();
    set_hungry(p);
    if (check_count > 1 && p->idle > 0) {
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
}

static int take_block(tmb_worker *w)
{
    tmb_pool *p = w->pool;
    const size_t rest = p->check_count - p->next_check;
    if (rest == 0) {
        return 0;
    }
    size_t count = rest / (BLOCK_SHARE * p->worker_count);
    count = count < 1 ? 1 : count > BLOCK ? BLOCK : count;
    set_block(w, p->next_check, p->next_check + count);
    p->next_check += count;
    set_hungry(p);
    return 1;
}

/* Cuts off the later half of a block. */
static size_t cut_block(tmb_worker *victim, size_t *end)
{
    pthread_mutex_lock(&victim->lock);
    TMB_ASSERT(victim->begin <= victim->end);
    const size_t half = (victim->end - victim->begin + 1) / 2;
    *end = victim->end;
    victim->end -= half;
    pthread_mutex_unlock(&victim->lock);
    return half;
}

static int steal_block(tmb_worker *w)
{
    tmb_pool *p = w->pool;
    tmb_worker *richest = NULL;
    size_t most = 0, end;
    for (uint32_t i = 0; i < p->worker_count; i++) {
        pthread_mutex_lock(&p->workers[i].lock);
        const size_t rest = p->workers[i].end - p->workers[i].begin;
        pthread_mutex_unlock(&p->workers[i].lock);
        if (rest > most) {
            most = rest;
            richest = &p->workers[i];
        }
    }
    if (!richest) {
        return 0;
    }
    const size_t count = cut_block(richest, &end);
    set_block(w, end - count, end);
    return 1; /* also when nothing was left: then it looks again */
}

/* At most half of what it has, so that others find the rest when these take long. */
static size_t take_run(tmb_worker *w, size_t *begin)
{
    pthread_mutex_lock(&w->lock);
    const size_t half = (w->end - w->begin + 1) / 2, count = half < w->run_length ? half : w->run_length;
    *begin = w->begin;
    w->begin += count;
    pthread_mutex_unlock(&w->lock);
    return count;
}

static void work_off_block(tmb_worker *w)
{
    size_t begin, count;
    double start = tmb_seconds();
    while ((count = take_run(w, &begin)) > 0) {
        tmb_worker_answer(w, begin, begin + count);
        const double now = tmb_seconds(), seconds = now - start;
        start = now;
        if (seconds > LONG_RUN) {
            w->run_length = w->run_length > 1 ? w->run_length / 2 : 1;
        } else if (seconds < SHORT_RUN && count == w->run_length) {
            w->run_length = w->run_length < RUN ? 2 * w->run_length : RUN;
        }
    }
}

/* ---- Parts of walks ---- */

int tmb_worker_offer(void *worker, tmb_part *part)
{
    tmb_pool *p = ((tmb_worker *)worker)->pool;
    pthread_mutex_lock(&p->lock);
    const int wanted = atomic_load_explicit(&p->hungry.value, memory_order_relaxed) > 0;
    if (wanted) {
        part->next = NULL;
        if (p->last_part) {
            p->last_part->next = part;
        } else {
            p->first_part = part;
        }
        p->last_part = part;
        p->parts++;
        p->given++;
        set_hungry(p);
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return wanted;
}

static tmb_part *take_part(tmb_pool *p)
{
    tmb_part *part = p->first_part;
    if (part) {
        p->first_part = part->next;
        p->last_part = p->first_part ? p->last_part : NULL;
        p->parts--;
        set_hungry(p);
    }
    return part;
}

/* ---- Loops ---- */

/* Does one round, with the lock released meanwhile; 0 when all are begun. */
static int run_round(tmb_pool *p, tmb_pool_loop *loop)
{
    TMB_ASSERT(loop->begun <= loop->count);
    if (loop->begun == loop->count) {
        return 0;
    }
    const size_t i = loop->begun++;
    loop->running++;
    pthread_mutex_unlock(&p->lock);
    loop->body(loop->shared, i);
    pthread_mutex_lock(&p->lock);
    loop->running--;
    if (loop->running == 0 && loop->begun == loop->count) {
        pthread_cond_broadcast(&p->loop_ended);
    }
    return 1;
}

static tmb_pool_loop *open_loop(const tmb_pool *p)
{
    tmb_pool_loop *loop = p->loops;
    while (loop && loop->begun == loop->count) {
        loop = loop->next;
    }
    return loop;
}

static void remove_loop(tmb_pool *p, const tmb_pool_loop *loop)
{
    tmb_pool_loop **at = &p->loops;
    while (*at != loop) {
        at = &(*at)->next;
    }
    *at = loop->next;
}

void tmb_worker_for_each(void *worker, size_t count, void (*body)(void *shared, size_t i), void *shared)
{
    TMB_ASSERT(body);
    tmb_pool *p = ((tmb_worker *)worker)->pool;
    tmb_pool_loop loop = {.body = body, .shared = shared, .count = count};
    pthread_mutex_lock(&p->lock);
    loop.next = p->loops;
    p->loops = &loop;
    if (count > 1 && p->idle > 0) {
        pthread_cond_broadcast(&p->changed);
    }
    while (run_round(p, &loop)) {
    }
    while (loop.running > 0) {
        pthread_cond_wait(&p->loop_ended, &p->lock);
    }
    remove_loop(p, &loop);
    pthread_mutex_unlock(&p->lock);
}

/* ---- All of it ---- */

static void wait_for_work(tmb_worker *w)
{
    tmb_pool *p = w->pool;
    const int is_caller = w == p->workers;
    p->idle++;
    p->caller_waits |= is_caller;
    set_hungry(p);
    pthread_cond_wait(&p->changed, &p->lock);
    p->caller_waits &= !is_caller;
    p->idle--;
    set_hungry(p);
}

/* Does one piece of work, with the lock released meanwhile; 0 if there is nothing to do. */
static int do_something(tmb_worker *w)
{
    tmb_pool *p = w->pool;
    tmb_part *part = take_part(p);
    tmb_pool_loop *loop = part ? NULL : open_loop(p);
    if (loop) {
        return run_round(p, loop);
    }
    if (!part && !take_block(w) && !steal_block(w)) {
        return 0;
    }
    pthread_mutex_unlock(&p->lock);
    if (part) {
        tmb_worker_answer_part(w, part);
    } else {
        work_off_block(w);
    }
    pthread_mutex_lock(&p->lock);
    return 1;
}

static int is_over(const tmb_worker *w)
{
    return w == w->pool->workers ? w->pool->open_jobs == 0 : w->pool->closing;
}

void tmb_worker_work(tmb_worker *w)
{
    pthread_mutex_lock(&w->pool->lock);
    while (!is_over(w)) {
        if (!do_something(w)) {
            wait_for_work(w);
        }
    }
    pthread_mutex_unlock(&w->pool->lock);
}
