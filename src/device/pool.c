/* The pool of threads: a back end that answers checks on this machine's processors. */
#include <string.h>

#include "base/clock.h"
#include "device/backend.h"

typedef struct pool {
    tumble_context *context;
    tumble_query *query;
} pool;

static void run_job(pool *p, tmb_job *job)
{
    const double start = tmb_seconds();
    for (size_t i = 0; i < job->batch.check_count; i++) {
        const tmb_check check = tmb_check_of(&job->batch, i);
        tumble_status status;
        if (atomic_load(&job->cancel)) {
            status = tmb_fail(p->context, TUMBLE_ERROR_CANCELLED, "the batch was cancelled");
            *check.answer = (tumble_check_answer){.status = (uint32_t)status};
            if (check.contact_count) {
                *check.contact_count = 0;
            }
        } else {
            status = tmb_check_answer(p->query, &check);
        }
        if (status != TUMBLE_OK) {
            tmb_job_fail(job, p->context, status);
        }
        atomic_fetch_add(&job->done_count, 1);
    }
    job->run_seconds = tmb_seconds() - start;
}

static void run(void *self, tmb_job *const *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run_job(self, jobs[i]);
        jobs[i]->finished(jobs[i]);
    }
}

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

static void close_pool(void *self)
{
    pool *p = self;
    tumble_query_destroy(p->query);
    tmb_release(p->context, p);
}

tumble_status tmb_pool_open(tumble_context *context, uint32_t thread_count, tmb_backend *out)
{
    (void)thread_count;
    pool *p = tmb_allocate(context, 1, sizeof *p);
    if (!p) {
        return tmb_fail_memory(context, "a pool of threads");
    }
    memset(p, 0, sizeof *p);
    p->context = context;
    const tumble_status status = tumble_query_create(context, &p->query);
    if (status != TUMBLE_OK) {
        tmb_release(context, p);
        return status;
    }
    *out = (tmb_backend){.self = p,
                         .context = context,
                         .close = close_pool,
                         .add_model = add_model,
                         .remove_model = remove_model,
                         .run = run};
    return TUMBLE_OK;
}

/* Until the front has models of its own. */
__attribute__((weak)) const tumble_model *tmb_device_model_of(const tumble_device_model *model)
{
    return (const tumble_model *)(const void *)model;
}
