/* A thread pool with one stack of tasks under one lock: tasks are coarse, so the lock is cheap. */
#include "base/tasks.h"

#include <string.h>

#include "base/assert.h"
#include "base/cpu.h"

#define TASK_CAPACITY 1024

struct tmb_tasks {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    tmb_task *run;
    void *shared;
    size_t size;
    pthread_t caller;
    uint32_t thread_count;
    uint32_t pending; /* waiting and running ones */
    uint32_t waiting;
    unsigned char arguments[][TMB_TASK_BYTES]; /* TASK_CAPACITY of them, or one for a single thread */
};

int tmb_tasks_add(tmb_tasks *tasks, const void *argument)
{
    TMB_ASSERT(tasks && argument);
    TMB_ASSERT(tasks->size <= TMB_TASK_BYTES);
    if (tasks->thread_count == 1) {
        return 0;
    }
    pthread_mutex_lock(&tasks->lock);
    TMB_ASSERT(tasks->pending > 0);
    const int fits = tasks->waiting < TASK_CAPACITY;
    if (fits) {
        memcpy(tasks->arguments[tasks->waiting], argument, tasks->size);
        tasks->waiting++;
        tasks->pending++;
        pthread_cond_signal(&tasks->changed);
    }
    pthread_mutex_unlock(&tasks->lock);
    return fits;
}

int tmb_tasks_on_caller(const tmb_tasks *tasks)
{
    return pthread_equal(tasks->caller, pthread_self());
}

static void *work(void *pool)
{
    tmb_tasks *tasks = pool;
    pthread_mutex_lock(&tasks->lock);
    while (tasks->pending > 0) {
        if (tasks->waiting == 0) {
            pthread_cond_wait(&tasks->changed, &tasks->lock);
            continue;
        }
        unsigned char argument[TMB_TASK_BYTES];
        tasks->waiting--;
        memcpy(argument, tasks->arguments[tasks->waiting], tasks->size);
        pthread_mutex_unlock(&tasks->lock);
        tasks->run(tasks, tasks->shared, argument);
        pthread_mutex_lock(&tasks->lock);
        tasks->pending--;
        if (tasks->pending == 0) {
            pthread_cond_broadcast(&tasks->changed);
        }
    }
    pthread_mutex_unlock(&tasks->lock);
    return NULL;
}

int tmb_tasks_run(tumble_context *context, uint32_t thread_count, tmb_task *run, void *shared, const void *first,
                  size_t size)
{
    TMB_ASSERT(context && run && first);
    TMB_ASSERT(thread_count >= 1);
    TMB_ASSERT(size <= TMB_TASK_BYTES);
    const size_t room = (thread_count > 1 ? TASK_CAPACITY : 1) * sizeof(unsigned char[TMB_TASK_BYTES]);
    tmb_tasks *tasks = tmb_allocate(context, sizeof *tasks + room, 1);
    if (!tasks) {
        return 0;
    }
    pthread_mutex_init(&tasks->lock, NULL);
    pthread_cond_init(&tasks->changed, NULL);
    tasks->run = run;
    tasks->shared = shared;
    tasks->size = size;
    tasks->caller = pthread_self();
    tasks->thread_count = thread_count > TMB_THREAD_LIMIT ? TMB_THREAD_LIMIT : thread_count;
    memcpy(tasks->arguments[0], first, size);
    tasks->pending = tasks->waiting = 1;

    pthread_t threads[TMB_THREAD_LIMIT];
    uint32_t started = 0;
    while (started + 1 < tasks->thread_count && pthread_create(&threads[started], NULL, work, tasks) == 0) {
        started++;
    }
    work(tasks);
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_cond_destroy(&tasks->changed);
    pthread_mutex_destroy(&tasks->lock);
    tmb_release(context, tasks);
    return 1;
}

typedef struct range_task {
    size_t begin, end;
} range_task;

typedef struct range_loop {
    tmb_range_body *body;
    void *shared;
    size_t grain;
} range_loop;

static void run_range(tmb_tasks *tasks, void *shared, const void *argument)
{
    TMB_ASSERT(((const range_loop *)shared)->grain > 0);
    const range_loop *loop = shared;
    range_task range;
    memcpy(&range, argument, sizeof range);
    while (range.end - range.begin > loop->grain) {
        const size_t middle = range.begin + (range.end - range.begin) / 2;
        const range_task upper = {middle, range.end};
        if (tmb_tasks_add(tasks, &upper)) {
            range.end = middle;
        } else {
            loop->body(loop->shared, range.begin, range.begin + loop->grain);
            range.begin += loop->grain;
        }
    }
    loop->body(loop->shared, range.begin, range.end);
}

int tmb_parallel_for(tumble_context *context, uint32_t thread_count, size_t count, size_t grain, tmb_range_body *body,
                     void *shared)
{
    TMB_ASSERT(body);
    TMB_ASSERT(grain > 0);
    TMB_ASSERT(thread_count >= 1);
    range_loop loop = {body, shared, grain};
    const range_task all = {0, count};
    if (thread_count <= 1) {
        for (size_t begin = 0; begin < count; begin += grain) {
            body(shared, begin, count - begin < grain ? count : begin + grain);
        }
        return 1;
    }
    return tmb_tasks_run(context, thread_count, run_range, &loop, &all, sizeof all);
}
