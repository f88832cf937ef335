/* The thread pool: a back end that answers checks on this machine's processors. */
#include "device/pool/pool.h"

#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/cpu.h"

/* ---- Running ---- */

/* Puts jobs into the list, except for those without checks, which end at once. From tmb_pool_begin on jobs end in other
 * threads, and must not be accessed. */
static void run_together(tmb_pool *p, tmb_pool_job *list, tmb_job *const *jobs, size_t count)
{
    size_t kept = 0, place = 0;
    for (size_t i = 0; i < count; i++) {
        jobs[i]->status = TUMBLE_OK;
        if (jobs[i]->batch.check_count == 0) {
            jobs[i]->finished(jobs[i]);
            continue;
        }
        list[kept].job = jobs[i];
        list[kept].first = place;
        list[kept].failed_at = UINT64_MAX;
        atomic_init(&list[kept].left, jobs[i]->batch.check_count);
        place += jobs[i]->batch.check_count;
        kept++;
    }
    tmb_pool_begin(p, list, kept, place);
    tmb_worker_work(p->workers);
}

static void run(void *self, tmb_job *const *jobs, size_t count)
{
    tmb_pool *p = self;
    if (count > 1 && tmb_buffer_reserve(p->context, &p->room, count, sizeof *p->jobs, 0)) {
        run_together(p, p->room.data, jobs, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        run_together(p, &p->alone, jobs + i, 1);
    }
}

/* ---- Models: each thread sees the program's ---- */

static tumble_status add_model(void *self, const tumble_model *model, void **out)
{
    (void)self;
    (void)model;
    *out = NULL;
    return TUMBLE_OK;
}

static void remove_model(void *self, void *uploaded)
{
    (void)self;
    (void)uploaded;
}

/* ---- Opening and closing ---- */

static void *thread_main(void *worker)
{
    tmb_worker_work(worker);
    return NULL;
}

/* Each worker's own state. */
static tumble_status open_worker(tmb_pool *p, tmb_worker *w)
{
    tumble_context_options options = tumble_default_context_options();
    options.allocator = p->context->allocator;
    options.thread_count = 1;
    options.simd = p->context->simd;
    options.log = p->context->log;
    options.log_user = p->context->log_user;
    memset(w, 0, sizeof *w);
    w->pool = p;
    w->run_length = 1;
    if (tumble_context_create(&options, &w->context) != TUMBLE_OK ||
        tumble_query_create(w->context, &w->query) != TUMBLE_OK || pthread_mutex_init(&w->lock, NULL) != 0) {
        tumble_query_destroy(w->query);
        tumble_context_destroy(w->context);
        return tmb_fail_memory(p->context, "a thread of a pool");
    }
    w->sharing.user = w;
    w->sharing.offer = tmb_worker_offer;
    w->sharing.for_each = tmb_worker_for_each;
    w->sharing.spares = &p->spares;
    w->sharing.watch.hungry = &p->hungry.value;
    tmb_sharing_begin(&w->sharing, w->query);
    return TUMBLE_OK;
}

static void close_worker(tmb_worker *w)
{
    pthread_mutex_destroy(&w->lock);
    tumble_query_destroy(w->query);
    tumble_context_destroy(w->context);
}

/* When no thread runs. */
static void release_pool(tmb_pool *p)
{
    for (uint32_t i = 0; i < p->worker_count; i++) {
        close_worker(&p->workers[i]);
    }
    tmb_spares_end(&p->spares, p->context);
    pthread_cond_destroy(&p->loop_ended);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    tmb_buffer_release(p->context, &p->room);
    tmb_release(p->context, p->workers);
    tmb_release(p->context, p);
}

static void close_pool(void *self)
{
    tmb_pool *p = self;
    pthread_mutex_lock(&p->lock);
    p->closing = 1;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (uint32_t i = 1; i < p->worker_count; i++) {
        pthread_join(p->workers[i].thread, NULL);
    }
    release_pool(p);
}

/* The pool works without threads that cannot be started. */
static void start_threads(tmb_pool *p)
{
    uint32_t started = 1;
    pthread_mutex_lock(&p->lock); /* none accesses the others before all are counted */
    while (started < p->worker_count &&
           pthread_create(&p->workers[started].thread, NULL, thread_main, &p->workers[started]) == 0) {
        started++;
    }
    for (uint32_t i = started; i < p->worker_count; i++) {
        close_worker(&p->workers[i]);
    }
    p->worker_count = started;
    for (uint32_t i = 0; i < started; i++) {
        p->workers[i].sharing.thread_count = started;
    }
    pthread_mutex_unlock(&p->lock);
}

static tumble_status open_workers(tmb_pool *p, uint32_t thread_count)
{
    p->workers = tmb_allocate(p->context, thread_count, sizeof *p->workers);
    if (!p->workers) {
        return tmb_fail_memory(p->context, "the threads of a pool");
    }
    for (; p->worker_count < thread_count; p->worker_count++) {
        const tumble_status status = open_worker(p, &p->workers[p->worker_count]);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return TUMBLE_OK;
}

/* The pool without its workers; NULL when something is missing for it. */
static tmb_pool *allocate_pool(tumble_context *context)
{
    tmb_pool *p = tmb_allocate(context, 1, sizeof *p);
    if (!p) {
        return NULL;
    }
    memset(p, 0, sizeof *p);
    p->context = context;
    if (pthread_mutex_init(&p->lock, NULL) == 0) {
        if (pthread_cond_init(&p->changed, NULL) == 0) {
            if (pthread_cond_init(&p->loop_ended, NULL) == 0) {
                if (tmb_spares_begin(&p->spares)) {
                    return p;
                }
                pthread_cond_destroy(&p->loop_ended);
            }
            pthread_cond_destroy(&p->changed);
        }
        pthread_mutex_destroy(&p->lock);
    }
    tmb_release(context, p);
    return NULL;
}

tumble_status tmb_pool_open(tumble_context *context, uint32_t thread_count, tmb_backend *out)
{
    TMB_ASSERT(thread_count <= TMB_THREAD_LIMIT);
    tmb_pool *p = allocate_pool(context);
    if (!p) {
        return tmb_fail_memory(context, "a pool of threads");
    }
    const tumble_status status = open_workers(p, thread_count ? thread_count : tmb_default_threads());
    if (status != TUMBLE_OK) {
        release_pool(p);
        return status;
    }
    start_threads(p);
    *out = (tmb_backend){.self = p,
                         .context = context,
                         .close = close_pool,
                         .add_model = add_model,
                         .remove_model = remove_model,
                         .run = run};
    return TUMBLE_OK;
}
