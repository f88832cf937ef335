/* The internals of the thread pool. Jobs handed over together form one list of checks. Threads take blocks from its
 * front, so that earlier jobs end earlier; an idle thread steals half of another thread's remaining block. When nothing
 * is left to steal, threads wait for parts of traversals (collide/shared/walk.h). */
#ifndef TUMBLE_SRC_DEVICE_POOL_POOL_H
#define TUMBLE_SRC_DEVICE_POOL_POOL_H

#include "collide/shared/walk.h"
#include "device/backend.h"

struct tmb_pool;

typedef struct tmb_worker {
    _Alignas(TMB_CACHE_LINE) struct tmb_pool *pool;
    pthread_t thread;
    tumble_context *context; /* its own, for its own error messages; memory is the pool's */
    tumble_query *query;
    tmb_sharing sharing;
    size_t run_length; /* checks to take at a time, by how long the last ones took */
    pthread_mutex_t lock;
    size_t begin, end; /* the rest of its block, guarded by the lock: places in the list */
} tmb_worker;

/* A running job. */
typedef struct tmb_pool_job {
    tmb_job *job;
    size_t first;          /* the place of its first check */
    _Atomic uint64_t left; /* checks without answer */
    uint64_t failed_at; /* one more than the first check that failed so far, guarded by the pool's lock; 0: cancelled */
} tmb_pool_job;

/* Something to do for each i below count. */
typedef struct tmb_pool_loop {
    struct tmb_pool_loop *next;
    void (*body)(void *shared, size_t i);
    void *shared;
    size_t count, begun, running;
} tmb_pool_loop;

/* On a cache line of its own: all traversals read it at each step. */
typedef struct tmb_pool_flag {
    _Alignas(TMB_CACHE_LINE) atomic_int value;
} tmb_pool_flag;

typedef struct tmb_pool {
    tmb_pool_flag hungry; /* threads that wait for parts */
    tumble_context *context;
    tmb_worker *workers;       /* the first is whoever calls run */
    pthread_mutex_t lock;      /* guards all that follows */
    pthread_cond_t changed;    /* there is work for those that wait, or no more */
    pthread_cond_t loop_ended; /* for those that have begun one */
    tmb_buffer room;           /* of the jobs */
    tmb_pool_job alone, *jobs;
    size_t job_count, open_jobs;
    size_t next_check, check_count; /* the list: the untaken part begins here */
    double start;
    tmb_part *first_part, *last_part; /* that wait, the oldest first */
    tmb_pool_loop *loops;
    tmb_spares spares;
    uint64_t given; /* parts that ever waited */
    uint32_t worker_count;
    int closing;
    int idle;         /* threads that wait */
    int parts;        /* parts that wait for them */
    int caller_waits; /* the first worker is one of them */
} tmb_pool;

/* ---- Work: device/pool/work.c ---- */

/* Works until there is nothing more to wait for: the first worker until all jobs have ended, others until the pool
 * closes. */
void tmb_worker_work(tmb_worker *worker);

/* Starts these jobs, which have this many checks together. */
void tmb_pool_begin(tmb_pool *pool, tmb_pool_job *jobs, size_t job_count, size_t check_count);

/* As tmb_sharing wants them. */
int tmb_worker_offer(void *worker, tmb_part *part);
void tmb_worker_for_each(void *worker, size_t count, void (*body)(void *shared, size_t i), void *shared);

/* ---- Checks: device/pool/check.c ---- */

/* Answers these checks of the list. */
void tmb_worker_answer(tmb_worker *worker, size_t begin, size_t end);
void tmb_worker_answer_part(tmb_worker *worker, tmb_part *part);

/* Ends a job all of whose checks have answers. */
void tmb_pool_end_job(tmb_pool *pool, tmb_pool_job *job);

#endif
