/* Validates a batch before it runs, except for the poses, which the back ends check. */
#include "device/internal.h"
#include "tree/tuning.h"

tumble_batch tumble_default_batch(void)
{
    return (tumble_batch){.mode = TUMBLE_TEST};
}

static tumble_status check_pose_array(const tumble_device *device, const tumble_batch *batch, const tumble_pose *poses,
                                      size_t count, const char *name)
{
    if (count > 1 && count != batch->check_count) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT,
                        "batch: %zu poses of %s for %zu checks; there must be none, one, or one for each", count, name,
                        batch->check_count);
    }
    if (count && !poses) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: the poses of %s are null, and their number %zu",
                        name, count);
    }
    return TUMBLE_OK;
}

/* `capacity` items for each check. */
static tumble_status check_room(const tumble_device *device, const tumble_batch *batch, const void *items,
                                size_t capacity, size_t size, const char *name)
{
    size_t bytes;
    if (capacity && !items) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: a capacity is given for %s, but no array",
                        name);
    }
    if (__builtin_mul_overflow(batch->check_count, capacity, &bytes) || __builtin_mul_overflow(bytes, size, &bytes)) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT,
                        "batch: no memory holds %s of %zu checks with a capacity of %zu each", name, batch->check_count,
                        capacity);
    }
    return TUMBLE_OK;
}

static tumble_status check_results(const tumble_device *device, const tumble_batch *batch)
{
    tumble_context *context = device->context;
    if (batch->check_count && !batch->answers) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "batch: the array for the answers is null");
    }
    if (batch->mode != TUMBLE_ALL && (batch->found_capacity || batch->contact_capacity || batch->contact_counts)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "batch: only the mode ALL lists pairs and contacts");
    }
    tumble_status status =
        check_room(device, batch, batch->answers, batch->check_count > 0, sizeof *batch->answers, "the answers");
    if (status == TUMBLE_OK) {
        status = check_room(device, batch, batch->found, batch->found_capacity, sizeof *batch->found, "the pairs");
    }
    if (status == TUMBLE_OK) {
        status = check_room(device, batch, batch->contacts, batch->contact_capacity, sizeof *batch->contacts,
                            "the contacts");
    }
    return status;
}

static tumble_status check_model(const tumble_device *device, const tumble_device_model *model, size_t i, char name)
{
    if (!model) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: pair %zu: its model %c is null", i, name);
    }
    if (model->device != device) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: pair %zu: its model %c is on another device", i,
                        name);
    }
    return TUMBLE_OK;
}

static tumble_status check_pairs(const tumble_device *device, const tumble_batch *batch)
{
    if (batch->pair_count != 1 && batch->pair_count != batch->check_count) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT,
                        "batch: %zu pairs of models for %zu checks; there must be one, or one for each",
                        batch->pair_count, batch->check_count);
    }
    if (batch->pair_count && !batch->pairs) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: there are no pairs of models");
    }
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < batch->pair_count && status == TUMBLE_OK; i++) {
        status = check_model(device, batch->pairs[i].a, i, 'a');
        if (status == TUMBLE_OK) {
            status = check_model(device, batch->pairs[i].b, i, 'b');
        }
    }
    return status;
}

tumble_status tmb_batch_validate(const tumble_device *device, const tumble_batch *batch)
{
    if (!batch) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: it is null");
    }
    if (batch->mode == TUMBLE_SURFACES) {
        return tmb_fail(device->context, TUMBLE_ERROR_UNSUPPORTED,
                        "batch: mode SURFACES is for tumble_collide only; batches have TEST, FIRST, COUNT and ALL");
    }
    if ((unsigned)batch->mode > TUMBLE_ALL) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "batch: there is no mode %d", (int)batch->mode);
    }
    tumble_status status = batch->tuning ? tmb_tuning_check_walk(device->context, batch->tuning) : TUMBLE_OK;
    if (status == TUMBLE_OK) {
        status = check_results(device, batch);
    }
    if (status == TUMBLE_OK) {
        status = check_pose_array(device, batch, batch->poses_a, batch->pose_a_count, "a");
    }
    if (status == TUMBLE_OK) {
        status = check_pose_array(device, batch, batch->poses_b, batch->pose_b_count, "b");
    }
    return status == TUMBLE_OK ? check_pairs(device, batch) : status;
}
