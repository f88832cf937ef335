#include "fake_backend.h"

#include <stdio.h>
#include <string.h>

/* ---- Waiting, always with a limit ---- */

static int sleep_until(fake_backend *fake, const struct timespec *limit)
{
    return pthread_cond_timedwait(&fake->changed, &fake->lock, limit) == 0;
}

static struct timespec limit_from_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now.tv_sec += (time_t)FAKE_LIMIT;
    return now;
}

void fake_let_go(fake_backend *fake, fake_play *play)
{
    pthread_mutex_lock(&fake->lock);
    play->is_held = 0;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->lock);
}

void fake_await(fake_backend *fake, const int *value, int least)
{
    const struct timespec limit = limit_from_now();
    int in_time = 1;
    pthread_mutex_lock(&fake->lock);
    while (*value < least && in_time) {
        in_time = sleep_until(fake, &limit);
    }
    pthread_mutex_unlock(&fake->lock);
    assert_true(in_time);
}

int fake_read(fake_backend *fake, const int *value)
{
    pthread_mutex_lock(&fake->lock);
    const int read = *value;
    pthread_mutex_unlock(&fake->lock);
    return read;
}

/* ---- The back end ---- */

/* Cancelling wakes nobody up, as with real devices: it is looked at now and then. */
static int wait_for_cancel(fake_backend *fake, fake_play *play, const tmb_job *job)
{
    const struct timespec limit = limit_from_now();
    while (play->is_held) {
        struct timespec moment;
        clock_gettime(CLOCK_MONOTONIC, &moment);
        fake->wrong += moment.tv_sec > limit.tv_sec;
        if ((atomic_load(&job->cancel) && !play->ignores_cancel) || moment.tv_sec > limit.tv_sec) {
            return 1;
        }
        moment.tv_nsec += 1000000;
        moment.tv_sec += moment.tv_nsec / 1000000000;
        moment.tv_nsec %= 1000000000;
        (void)sleep_until(fake, &moment);
    }
    return 0;
}

static void answer(tmb_job *job, const fake_play *play, int is_cancelled)
{
    for (size_t i = 0; i < job->batch.check_count; i++) {
        const tumble_status status = is_cancelled ? TUMBLE_ERROR_CANCELLED : play->statuses[i];
        job->batch.answers[i] = (tumble_check_answer){.status = (uint32_t)status};
        if (status == TUMBLE_OK) {
            job->batch.answers[i].pair_count = FAKE_PAIR_COUNT + i;
            job->batch.answers[i].collide = 1;
        } else if (job->status == TUMBLE_OK) {
            job->status = status;
            snprintf(job->message, sizeof job->message, "fake: check %zu", i);
        }
        atomic_fetch_add(&job->done_count, 1);
    }
    job->upload_seconds = 1, job->run_seconds = 2, job->result_seconds = 3;
}

typedef struct fake_task {
    fake_backend *fake;
    tmb_job *job;
    pthread_t thread;
} fake_task;

static void *run_job(void *argument)
{
    const fake_task *task = argument;
    fake_backend *fake = task->fake;
    tmb_job *job = task->job;
    fake_play *play = (fake_play *)job->batch.answers;
    pthread_mutex_lock(&fake->lock);
    play->is_running = 1;
    play->run_count++;
    fake->running_count++;
    pthread_cond_broadcast(&fake->changed);
    const int is_cancelled = wait_for_cancel(fake, play, job);
    play->saw_cancel = is_cancelled;
    play->is_running = 0;
    fake->running_count--;
    answer(job, play, is_cancelled);
    pthread_mutex_unlock(&fake->lock);
    job->finished(job);
    return NULL;
}

static void run(void *self, tmb_job *const *jobs, size_t count)
{
    fake_backend *fake = self;
    fake_task tasks[64];
    size_t started = 0;
    pthread_mutex_lock(&fake->lock);
    fake->run_count++;
    fake->longest_run = count > fake->longest_run ? count : fake->longest_run;
    fake->wrong += fake->is_closed || count == 0 || count > 64;
    const int backwards = fake->backwards, apart = fake->apart;
    pthread_mutex_unlock(&fake->lock);
    for (size_t i = 0; i < count; i++) {
        tasks[started] = (fake_task){.fake = fake, .job = jobs[backwards ? count - 1 - i : i]};
        if (apart && pthread_create(&tasks[started].thread, NULL, run_job, &tasks[started]) == 0) {
            started++;
        } else {
            run_job(&tasks[started]);
        }
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(tasks[i].thread, NULL);
    }
}

static tumble_status add_model(void *self, const tumble_model *model, void **out)
{
    fake_backend *fake = self;
    (void)model;
    pthread_mutex_lock(&fake->lock);
    const int refuses = fake->refuses_model;
    fake->refuses_model = 0;
    fake->model_count += !refuses;
    pthread_mutex_unlock(&fake->lock);
    *out = fake;
    return refuses ? TUMBLE_ERROR_DEVICE : TUMBLE_OK;
}

static void remove_model(void *self, void *uploaded)
{
    fake_backend *fake = self;
    pthread_mutex_lock(&fake->lock);
    fake->wrong += uploaded != self || fake->model_count == 0 || fake->is_closed;
    fake->model_count--;
    pthread_mutex_unlock(&fake->lock);
}

static void close_fake(void *self)
{
    fake_backend *fake = self;
    pthread_mutex_lock(&fake->lock);
    fake->wrong += fake->is_closed || fake->running_count || fake->model_count;
    fake->is_closed = 1;
    pthread_mutex_unlock(&fake->lock);
}

tumble_status fake_try_open(fake_backend *fake, tumble_context *context, const tumble_device_options *options,
                            tumble_device **out)
{
    tumble_device_options chosen = options ? *options : tumble_default_device_options();
    const tumble_device_info info = {.kind = TUMBLE_DEVICE_OPENCL, .name = "fake", .unit_count = 1, .has_doubles = 1};
    const tmb_backend backend = {.self = fake,
                                 .context = context,
                                 .close = close_fake,
                                 .add_model = add_model,
                                 .remove_model = remove_model,
                                 .run = run};
    memset(fake, 0, sizeof *fake);
    assert_int_equal(pthread_mutex_init(&fake->lock, NULL), 0);
    assert_true(tmb_condition_init(&fake->changed));
    chosen.thread_count = chosen.thread_count ? chosen.thread_count : 2;
    *out = NULL;
    return tmb_device_start(&backend, &chosen, &info, out);
}

tumble_device *fake_open(fake_backend *fake, tumble_context *context, const tumble_device_options *options)
{
    tumble_device *device;
    assert_int_equal(fake_try_open(fake, context, options, &device), TUMBLE_OK);
    return device;
}

void fake_end(fake_backend *fake)
{
    assert_true(fake->is_closed);
    assert_int_equal(fake->wrong, 0);
    pthread_cond_destroy(&fake->changed);
    pthread_mutex_destroy(&fake->lock);
}
