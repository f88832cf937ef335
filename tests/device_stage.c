#include "device_stage.h"

#include <string.h>

void stage_begin(stage *s, test_world *w, const tumble_device_options *options)
{
    memset(s, 0, sizeof *s);
    s->w = w;
    s->device = fake_open(&s->fake, w->context, options);
    for (int k = 0; k < 2; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, k ? "knot" : "torus", 300));
        models_fit(&mesh, 2, 0);
        s->models[k] = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        assert_int_equal(tumble_device_add_model(s->device, s->models[k], &s->handles[k]), TUMBLE_OK);
    }
    s->pair = (tumble_model_pair){s->handles[0], s->handles[1]};
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        s->poses[i] = test_translation((double)i * 0.4, 0.1, 0.2);
    }
}

void stage_end(stage *s)
{
    tumble_device_close(s->device);
    fake_end(&s->fake);
    tumble_model_destroy(s->models[0]);
    tumble_model_destroy(s->models[1]);
}

tumble_batch stage_batch(stage *s, size_t number)
{
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_COUNT;
    batch.check_count = FAKE_CHECKS;
    batch.pairs = &s->pair, batch.pair_count = 1;
    batch.poses_b = s->poses, batch.pose_b_count = FAKE_CHECKS;
    batch.answers = s->plays[number].answers;
    return batch;
}

void stage_submit_batch(stage *s, size_t number, const tumble_batch *batch)
{
    memset(s->plays[number].answers, 0xff, sizeof s->plays[number].answers);
    test_assert_status(s->w->context, tumble_device_submit(s->device, batch, FAKE_LIMIT, &s->tickets[number]),
                       TUMBLE_OK, "");
    assert_true(s->tickets[number] != 0);
}

void stage_submit(stage *s, size_t number)
{
    const tumble_batch batch = stage_batch(s, number);
    stage_submit_batch(s, number, &batch);
}

void stage_submit_held(stage *s, size_t number)
{
    s->plays[number].is_held = 1;
    stage_submit(s, number);
    fake_await(&s->fake, &s->plays[number].is_running, 1);
}

tumble_ticket_report stage_poll(const stage *s, size_t number)
{
    tumble_ticket_report report;
    assert_int_equal(tumble_device_poll(s->device, s->tickets[number], &report), TUMBLE_OK);
    return report;
}

tumble_status stage_wait(const stage *s, size_t number, double seconds)
{
    return tumble_device_wait(s->device, s->tickets[number], seconds, NULL);
}

void stage_check_fake_answers(const stage *s, size_t number, unsigned which)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        if (which >> i & 1) {
            assert_int_equal(s->plays[number].answers[i].status, TUMBLE_OK);
            assert_int_equal(s->plays[number].answers[i].pair_count, FAKE_PAIR_COUNT + i);
        }
    }
}

void stage_check_real_answers(const stage *s, size_t number, unsigned which)
{
    size_t hits = 0;
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        tumble_collide_result result;
        assert_int_equal(tumble_collide(s->w->query, s->models[0], NULL, s->models[1], &s->poses[i], NULL, &result),
                         TUMBLE_OK);
        if (which >> i & 1) {
            assert_int_equal(s->plays[number].answers[i].status, TUMBLE_OK);
            assert_int_equal(s->plays[number].answers[i].pair_count, result.pair_count);
        }
        hits += (size_t)result.collide;
    }
    assert_true(hits > 2 && hits < FAKE_CHECKS);
}

void stage_check_statuses(const stage *s, size_t number, tumble_status status)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        assert_int_equal(s->plays[number].answers[i].status, status);
    }
}

void stage_fail_checks(fake_play *play, unsigned which, tumble_status status)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        play->statuses[i] = which >> i & 1 ? status : play->statuses[i];
    }
}

void stage_expect_taken(const stage *s, tumble_ticket ticket)
{
    tumble_context *context = s->w->context;
    tumble_ticket_report report;
    test_assert_status(context, tumble_device_poll(s->device, ticket, &report), TUMBLE_ERROR_ARGUMENT, "is not open");
    test_assert_status(context, tumble_device_wait(s->device, ticket, FAKE_LIMIT, &report), TUMBLE_ERROR_ARGUMENT,
                       "is not open");
    test_assert_status(context, tumble_device_cancel(s->device, ticket), TUMBLE_ERROR_ARGUMENT, "is not open");
}

void stage_expect_cancelled(const stage *s, size_t number)
{
    tumble_ticket_report report;
    test_assert_status(s->w->context, tumble_device_wait(s->device, s->tickets[number], FAKE_LIMIT, &report),
                       TUMBLE_ERROR_CANCELLED, "was cancelled");
    assert_true(report.is_done && report.status == TUMBLE_ERROR_CANCELLED);
    assert_non_null(strstr(report.message, "was cancelled"));
}

/* ---- An OpenCL back end alone ---- */

void stage_open_backend(stage_backend *s, int without_doubles)
{
    tumble_device_options options = tumble_default_device_options();
    options.without_doubles = without_doubles;
    test_allocator_begin(&s->memory);
    s->context = test_context(&s->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_query_create(s->context, &s->query), TUMBLE_OK);
    test_assert_status(s->context, tmb_opencl_open(s->context, 0, &options, &s->backend), TUMBLE_OK, "");
}

void stage_close_backend(stage_backend *s)
{
    s->backend.close(s->backend.self);
    tumble_query_destroy(s->query);
    tumble_context_destroy(s->context);
    test_allocator_end(&s->memory);
}

void stage_finished(tmb_job *job)
{
    (void)job;
}
