/* Creates and destroys devices and their models. */
#include <string.h>

#include "base/assert.h"
#include "device/internal.h"

#define DEFAULT_QUEUE 64

/* ---- Models ---- */

const tumble_model *tmb_device_model_of(const tumble_device_model *model)
{
    return model->model;
}

void *tmb_uploaded(const tumble_device_model *model)
{
    return model->uploaded;
}

tumble_status tumble_device_add_model(tumble_device *device, const tumble_model *model, tumble_device_model **out)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: the pointer for the model's handle is null");
    }
    *out = NULL;
    if (!model) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: the model is null");
    }
    tumble_device_model *added = tmb_allocate(device->context, 1, sizeof *added);
    if (!added) {
        return tmb_fail_memory(device->context, "a model on a device");
    }
    *added = (tumble_device_model){.device = device, .model = model};
    const tumble_status status = device->worker.backend.add_model(device->worker.backend.self, model, &added->uploaded);
    if (status != TUMBLE_OK) {
        tmb_release(device->context, added);
        return status;
    }
    pthread_mutex_lock(&device->lock);
    added->next = device->models;
    if (added->next) {
        added->next->previous = added;
    }
    device->models = added;
    pthread_mutex_unlock(&device->lock);
    *out = added;
    return TUMBLE_OK;
}

static void unlink_model(tumble_device *device, const tumble_device_model *model)
{
    TMB_ASSERT(model->device == device);
    *(model->previous ? &model->previous->next : &device->models) = model->next;
    if (model->next) {
        model->next->previous = model->previous;
    }
}

static void drop_model(tumble_device *device, tumble_device_model *model)
{
    device->worker.backend.remove_model(device->worker.backend.self, model->uploaded);
    tmb_release(device->context, model);
}

void tumble_device_remove_model(tumble_device_model *model)
{
    if (!model) {
        return;
    }
    tumble_device *device = model->device;
    tmb_patience patience = tmb_patience_of(INFINITY, TMB_LOOK_FOR_RESULT);
    pthread_mutex_lock(&device->lock);
    while (!tmb_device_is_through(device, model->last_use)) {
        tmb_await(&patience, &device->lock, &device->changed, &device->done_count, model->last_use);
    }
    unlink_model(device, model);
    pthread_mutex_unlock(&device->lock);
    drop_model(device, model);
}

/* ---- Devices ---- */

static int make_locks(tumble_device *device)
{
    if (pthread_mutex_init(&device->lock, NULL) != 0) {
        return 0;
    }
    if (pthread_mutex_init(&device->spare_lock, NULL) == 0) {
        if (tmb_condition_init(&device->changed)) {
            if (tmb_condition_init(&device->call)) {
                return 1;
            }
            pthread_cond_destroy(&device->changed);
        }
        pthread_mutex_destroy(&device->spare_lock);
    }
    pthread_mutex_destroy(&device->lock);
    return 0;
}

static void drop_locks(tumble_device *device)
{
    pthread_cond_destroy(&device->call);
    pthread_cond_destroy(&device->changed);
    pthread_mutex_destroy(&device->spare_lock);
    pthread_mutex_destroy(&device->lock);
}

/* The threads: first the one for callbacks, because the worker takes over the back end. */
static tumble_status start_threads(tumble_device *device, const tmb_backend *backend)
{
    if (!tmb_caller_start(device)) {
        backend->close(backend->self);
        return tmb_fail(device->context, TUMBLE_ERROR_MEMORY, "a thread for a device cannot be started");
    }
    const tumble_status status = tmb_worker_open(&device->worker, device, backend);
    if (status != TUMBLE_OK) {
        tmb_caller_end(device);
    }
    return status;
}

static tumble_status start(tumble_device *device, const tmb_backend *backend)
{
    const uint32_t wanted = device->options.queue_capacity;
    tumble_status status = tmb_tickets_init(&device->tickets, device, device->context, wanted ? wanted : DEFAULT_QUEUE);
    if (status == TUMBLE_OK && !make_locks(device)) {
        status = tmb_fail_memory(device->context, "the locks of a device");
        tmb_tickets_release(&device->tickets, device->context);
    }
    if (status != TUMBLE_OK) {
        backend->close(backend->self);
        return status;
    }
    status = start_threads(device, backend);
    if (status != TUMBLE_OK) {
        drop_locks(device);
        tmb_tickets_release(&device->tickets, device->context);
    }
    return status;
}

tumble_status tmb_device_start(const tmb_backend *backend, const tumble_device_options *options,
                               const tumble_device_info *info, tumble_device **out)
{
    TMB_ASSERT(backend->run && backend->close && backend->add_model && backend->remove_model);
    tumble_context *context = backend->context;
    tumble_device *device = tmb_allocate(context, 1, sizeof *device);
    if (!device) {
        backend->close(backend->self);
        return tmb_fail_memory(context, "a device");
    }
    memset(device, 0, sizeof *device);
    device->context = context;
    device->options = *options;
    device->info = *info;
    const tumble_status status = start(device, backend);
    if (status != TUMBLE_OK) {
        tmb_release(context, device);
        return status;
    }
    *out = device;
    return TUMBLE_OK;
}

/* Nothing new starts from here on. */
static void cancel_all(tumble_device *device)
{
    pthread_mutex_lock(&device->spare_lock);
    pthread_mutex_lock(&device->lock);
    device->is_closing = 1;
    for (tmb_slot *slot = device->tickets.pending.first; slot; slot = slot->next) {
        tmb_slot_cancel(slot);
    }
    pthread_cond_signal(&device->worker.work);
    if (device->has_spare) {
        pthread_cond_signal(&device->spare.work);
    }
    pthread_mutex_unlock(&device->lock);
    pthread_mutex_unlock(&device->spare_lock);
}

void tumble_device_close(tumble_device *device)
{
    if (!device) {
        return;
    }
    tumble_context *context = device->context;
    cancel_all(device);
    tmb_worker_end(&device->worker);
    if (device->has_spare) {
        tmb_worker_end(&device->spare);
    }
    tmb_caller_end(device);
    while (device->models) {
        tumble_device_model *model = device->models;
        device->models = model->next;
        drop_model(device, model);
    }
    tmb_worker_close(&device->worker);
    if (device->has_spare) {
        tmb_worker_close(&device->spare);
    }
    drop_locks(device);
    tmb_tickets_release(&device->tickets, context);
    tmb_release(context, device);
}

tumble_status tumble_device_get_info(const tumble_device *device, tumble_device_info *info)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!info) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device info: the result is null");
    }
    *info = device->info;
    return TUMBLE_OK;
}

tumble_status tumble_device_get_memory(tumble_device *device, tumble_device_memory *memory)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!memory) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device memory: the result is null");
    }
    const tmb_backend *backend = &device->worker.backend;
    *memory = (tumble_device_memory){0};
    if (backend->get_memory) {
        backend->get_memory(backend->self, memory);
        return TUMBLE_OK;
    }
    pthread_mutex_lock(&device->lock);
    for (const tumble_device_model *model = device->models; model; model = model->next) {
        memory->model_count++;
    }
    pthread_mutex_unlock(&device->lock);
    memory->resident_count = memory->model_count;
    return TUMBLE_OK;
}
