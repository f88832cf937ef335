/* All questions of a run, on several threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "clash/job.h"

enum {
    MOST_THREADS = 256
};

typedef struct running {
    tumble_clashes *clashes;
    atomic_int is_stopped; /* by the caller */
    atomic_size_t failed;  /* the first question that failed; SIZE_MAX: none */
    pthread_mutex_t lock;  /* guards what follows */
    tumble_query *idle[MOST_THREADS];
    size_t idle_count;
    uint64_t done;
    tumble_status status; /* of the failure */
    char message[512];
} running;

/* There are as many as threads. */
static tumble_query *take_query(running *r)
{
    pthread_mutex_lock(&r->lock);
    tumble_query *query = r->idle[--r->idle_count];
    pthread_mutex_unlock(&r->lock);
    return query;
}

/* With the lock held. */
static void tell(running *r)
{
    const tumble_clash_options *options = &r->clashes->options;
    if (options->progress && !atomic_load(&r->is_stopped) &&
        options->progress(options->progress_user, r->done, r->clashes->question_count)) {
        atomic_store(&r->is_stopped, 1);
    }
}

/* During a question, so that a long one does not keep the caller from ending the run. */
static bool is_over(void *user)
{
    running *r = user;
    if (pthread_mutex_trylock(&r->lock) == 0) {
        tell(r);
        pthread_mutex_unlock(&r->lock);
    }
    return atomic_load_explicit(&r->is_stopped, memory_order_relaxed) != 0;
}

static void give_back(running *r, tumble_query *query, size_t done)
{
    pthread_mutex_lock(&r->lock);
    r->idle[r->idle_count++] = query;
    r->done += done;
    tmb_clash_job_flush(r->clashes);
    tell(r);
    pthread_mutex_unlock(&r->lock);
}

static void note_failure(running *r, size_t number, tumble_status status)
{
    const tmb_error error = tmb_last_error(r->clashes->context);
    pthread_mutex_lock(&r->lock);
    if (number < atomic_load(&r->failed)) {
        atomic_store(&r->failed, number);
        r->status = status;
        memcpy(r->message, error.text, sizeof r->message);
    }
    pthread_mutex_unlock(&r->lock);
}

static void keep(running *r, size_t number)
{
    pthread_mutex_lock(&r->lock);
    r->clashes->is_answered[number] = 1;
    tmb_clash_job_keep(r->clashes, number);
    pthread_mutex_unlock(&r->lock);
}

/* After a failure all questions before it are still answered: so the first one that fails is the same for every number
 * of threads. */
static void answer_range(void *shared, size_t begin, size_t end)
{
    running *r = shared;
    tumble_clashes *clashes = r->clashes;
    tmb_clash_answer *answers = clashes->answers.data;
    tumble_query *query = take_query(r);
    size_t done = 0;
    for (size_t i = begin; i < end && i < atomic_load(&r->failed) && !atomic_load(&r->is_stopped); i++) {
        const tmb_clash_question *question = (const tmb_clash_question *)clashes->questions.data + i;
        if (!tmb_clash_job_wants(clashes, i)) {
            done++;
            continue;
        }
        const tumble_status status = tmb_clash_answer_one(query, clashes, question, &answers[i]);
        if (status == TUMBLE_OK) {
            keep(r, i);
            done++;
        } else if (status != TUMBLE_ERROR_CANCELLED) {
            note_failure(r, i, status);
        }
    }
    give_back(r, query, done);
}

/* The parts of the first pair that asks the question. */
static tumble_status report(running *r)
{
    const tumble_clashes *clashes = r->clashes;
    const tmb_clash_pair *pair = clashes->pairs.data;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, NULL);
    const size_t failed = atomic_load(&r->failed);
    while (pair->question != failed) {
        pair++;
    }
    return tmb_fail(clashes->context, r->status, "'%.150s' and '%.150s': %.200s", parts[pair->a].path,
                    parts[pair->b].path, r->message);
}

static tumble_status prepare(running *r, uint32_t threads)
{
    tumble_clashes *clashes = r->clashes;
    tumble_context *context = clashes->context;
    const size_t count = clashes->question_count;
    clashes->is_answered = tmb_allocate(context, count, 1);
    if (!clashes->is_answered || !tmb_buffer_reserve(context, &clashes->answers, count, sizeof(tmb_clash_answer), 0)) {
        return tmb_fail_memory(context, "the answers");
    }
    memset(clashes->is_answered, 0, count);
    memset(clashes->answers.data, 0, count * sizeof(tmb_clash_answer));
    tumble_status status = TUMBLE_OK;
    while (r->idle_count < threads && status == TUMBLE_OK) {
        tumble_query *query;
        status = tumble_query_create(context, &query);
        if (status == TUMBLE_OK) {
            r->idle[r->idle_count++] = query;
            status = tumble_query_set_progress(query, is_over, r);
        }
    }
    return status;
}

tumble_status tmb_clash_answer_all(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    const uint32_t wanted = clashes->options.thread_count ? clashes->options.thread_count : context->thread_count;
    const uint32_t threads = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    running r = {.clashes = clashes, .failed = SIZE_MAX, .status = TUMBLE_OK};
    if (clashes->question_count == 0) {
        return TUMBLE_OK;
    }
    if (pthread_mutex_init(&r.lock, NULL) != 0) {
        return tmb_fail_memory(context, "a lock");
    }
    tumble_status status = prepare(&r, threads);
    if (status == TUMBLE_OK) {
        status = tmb_clash_job_begin(clashes);
    }
    if (status == TUMBLE_OK && !tmb_parallel_for(context, threads, clashes->question_count, 4, answer_range, &r)) {
        status = tmb_fail_memory(context, "the threads of a run");
    }
    if (status == TUMBLE_OK && r.status != TUMBLE_OK) {
        status = report(&r);
    }
    while (r.idle_count > 0) {
        tumble_query_destroy(r.idle[--r.idle_count]);
    }
    pthread_mutex_destroy(&r.lock);
    return status;
}
