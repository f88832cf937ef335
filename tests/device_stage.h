/* A device over the fake back end with two models that intersect at some of the poses, for the tests of its queue. */
#ifndef TUMBLE_TESTS_DEVICE_STAGE_H
#define TUMBLE_TESTS_DEVICE_STAGE_H

#include "fake_backend.h"

enum {
    STAGE_PLAYS = 12
};

#define STAGE_ALL_CHECKS 0xffu

typedef struct stage {
    test_world *w;
    fake_backend fake;
    tumble_device *device;
    tumble_model *models[2];
    tumble_device_model *handles[2];
    tumble_model_pair pair;
    tumble_pose poses[FAKE_CHECKS];
    fake_play plays[STAGE_PLAYS];
    tumble_ticket tickets[STAGE_PLAYS];
} stage;

void stage_begin(stage *s, test_world *w, const tumble_device_options *options);
void stage_end(stage *s);

/* A batch of FAKE_CHECKS checks that writes into play `number`. */
tumble_batch stage_batch(stage *s, size_t number);

void stage_submit_batch(stage *s, size_t number, const tumble_batch *batch);
void stage_submit(stage *s, size_t number);

/* Submitted, and the back end has it and does not go on. */
void stage_submit_held(stage *s, size_t number);

tumble_ticket_report stage_poll(const stage *s, size_t number);
tumble_status stage_wait(const stage *s, size_t number, double seconds);

/* From now on the checks of the set bits get this status from the back end. */
void stage_fail_checks(fake_play *play, unsigned which, tumble_status status);

/* The answers are the back end's own, or those of tumble_collide, in the checks of the set bits. */
void stage_check_fake_answers(const stage *s, size_t number, unsigned which);
void stage_check_real_answers(const stage *s, size_t number, unsigned which);

/* All checks have this status. */
void stage_check_statuses(const stage *s, size_t number, tumble_status status);

/* The ticket is not open any more. */
void stage_expect_taken(const stage *s, tumble_ticket ticket);

/* The wait for it, and all its checks, end as cancelled. */
void stage_expect_cancelled(const stage *s, size_t number);

/* ---- An OpenCL back end alone, without the threads of a device ---- */

typedef struct stage_backend {
    test_allocator memory;
    tumble_context *context;
    tumble_query *query;
    tmb_backend backend;
} stage_backend;

void stage_open_backend(stage_backend *s, int without_doubles);
void stage_close_backend(stage_backend *s); /* asserts that all memory was given back */

/* What a job calls at its end: nothing, as the back end returns when all are done. */
void stage_finished(tmb_job *job);

#endif
