/* One check of a batch: its models and poses, and how a single thread answers it. */
#include <stdio.h>

#include "base/assert.h"
#include "collide/collider.h"
#include "device/backend.h"

tmb_check tmb_check_of(const tumble_batch *batch, size_t i)
{
    TMB_ASSERT(i < batch->check_count);
    const tumble_model_pair *pair = &batch->pairs[batch->pair_count == 1 ? 0 : i];
    return (tmb_check){
        .a = tmb_device_model_of(pair->a),
        .b = tmb_device_model_of(pair->b),
        .pose_a = batch->pose_a_count ? &batch->poses_a[batch->pose_a_count == 1 ? 0 : i] : NULL,
        .pose_b = batch->pose_b_count ? &batch->poses_b[batch->pose_b_count == 1 ? 0 : i] : NULL,
        .mode = batch->mode,
        .tuning = batch->tuning,
        .answer = &batch->answers[i],
        .found = batch->found_capacity ? batch->found + i * batch->found_capacity : NULL,
        .found_capacity = batch->found_capacity,
        .contacts = batch->contact_capacity ? batch->contacts + i * batch->contact_capacity : NULL,
        .contact_capacity = batch->contact_capacity,
        .contact_count = batch->contact_counts ? &batch->contact_counts[i] : NULL,
    };
}

tumble_pose tmb_check_pose(const tmb_check *check)
{
    const tumble_pose identity = tumble_pose_identity();
    const tumble_pose *b = check->pose_b ? check->pose_b : &identity;
    return check->pose_a ? tumble_pose_relative(check->pose_a, b) : *b;
}

tumble_collide_options tmb_check_options(const tmb_check *check)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = check->mode;
    options.tuning = check->tuning;
    if (check->mode == TUMBLE_ALL) {
        options.pairs = check->found;
        options.pair_capacity = check->found_capacity;
        options.contacts = check->contacts;
        options.contact_capacity = check->contact_capacity;
        options.want_contacts = check->contact_count != NULL;
    }
    return options;
}

tumble_status tmb_check_answer(tumble_query *query, const tmb_check *check)
{
    const tumble_collide_options options = tmb_check_options(check);
    tmb_collider collider; /* tumble_collide would also make views of all results, which nobody reads */
    tumble_collide_result result;
    tmb_collider_begin(&collider, query, check->a, check->b, &options);
    const tumble_status status = tmb_collider_run(&collider, check->pose_a, check->pose_b);
    tmb_collider_report(&collider, 0, &result);
    *check->answer = (tumble_check_answer){.status = status};
    if (status == TUMBLE_OK) {
        check->answer->pair_count = result.pair_count;
        check->answer->collide = result.collide;
        check->answer->first = result.first;
    }
    if (check->contact_count) {
        *check->contact_count = status == TUMBLE_OK ? result.contact_count : 0;
    }
    return status;
}

void tmb_job_fail(tmb_job *job, tumble_context *context, tumble_status status)
{
    TMB_ASSERT(status != TUMBLE_OK);
    if (job->status == TUMBLE_OK) {
        job->status = status;
        if (tumble_last_error(context, job->message, sizeof job->message) != status) { /* another thread's failure */
            snprintf(job->message, sizeof job->message, "%s", tumble_status_text(status));
        }
    }
}
