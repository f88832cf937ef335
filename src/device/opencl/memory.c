/* Memory of an OpenCL device: buffers that are counted, and one buffer for all models, in which each has a place.
 *
 * The buffer grows by being copied into a larger one. That happens in the queue for uploads, beside running kernels,
 * which continue to read the old one; OpenCL keeps it until they have ended. A model that finds no place asks the
 * keeper of the models to move others out (swap.c). */
#include "base/assert.h"
#include "device/opencl/opencl.h"

#include <stdio.h>
#include <string.h>

#define SMALLEST_MODELS (UINT64_C(1) << 20)

static tumble_status refuse(tmb_opencl *opencl, uint64_t size, const char *what)
{
    atomic_fetch_add(&opencl->refused_count, 1);
    return tmb_fail(opencl->context, TUMBLE_ERROR_MEMORY,
                    "OpenCL device %s has no room of %llu bytes for %s: %llu of %llu are in use, and a buffer has at "
                    "most %llu",
                    opencl->name, (unsigned long long)size, what, (unsigned long long)opencl->used_bytes,
                    (unsigned long long)opencl->memory_bytes, (unsigned long long)opencl->largest_buffer);
}

void tmb_opencl_memory_begin(tmb_opencl *opencl)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE); /* a model that goes up can move others */
    pthread_mutex_init(&opencl->adding, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_mutex_init(&opencl->lock, NULL);
}

void tmb_opencl_memory_end(tmb_opencl *opencl)
{
    tmb_opencl_release_buffer(opencl, opencl->models, opencl->models_size);
    tmb_buffer_release(opencl->context, &opencl->places);
    pthread_mutex_destroy(&opencl->lock);
    pthread_mutex_destroy(&opencl->adding);
}

/* 0 when it does not fit. */
static int count_in(tmb_opencl *opencl, uint64_t size)
{
    uint64_t used = atomic_load(&opencl->used_bytes);
    if (size > opencl->largest_buffer) {
        return 0;
    }
    do {
        if (used > opencl->memory_bytes || size > opencl->memory_bytes - used) {
            return 0;
        }
    } while (!atomic_compare_exchange_weak(&opencl->used_bytes, &used, used + size));
    return 1;
}

tumble_status tmb_opencl_buffer(tmb_opencl *opencl, cl_mem_flags flags, uint64_t size, const char *what, cl_mem *out)
{
    TMB_ASSERT(size > 0);
    cl_int code = CL_SUCCESS;
    *out = NULL;
    if (!count_in(opencl, size)) {
        return refuse(opencl, size, what);
    }
    *out = opencl->api.clCreateBuffer(opencl->cl, flags, (size_t)size, NULL, &code);
    if (code != CL_SUCCESS) {
        atomic_fetch_sub(&opencl->used_bytes, size);
        *out = NULL;
        char text[128];
        snprintf(text, sizeof text, "make a buffer of %llu bytes for %s", (unsigned long long)size, what);
        return tmb_opencl_error(opencl, code, text);
    }
    return TUMBLE_OK;
}

void tmb_opencl_release_buffer(tmb_opencl *opencl, cl_mem buffer, uint64_t size)
{
    if (buffer) {
        opencl->api.clReleaseMemObject(buffer);
        atomic_fetch_sub(&opencl->used_bytes, size);
    }
}

cl_mem tmb_opencl_memory_lock(tmb_opencl *opencl)
{
    pthread_mutex_lock(&opencl->lock);
    return opencl->models;
}

void tmb_opencl_memory_unlock(tmb_opencl *opencl)
{
    pthread_mutex_unlock(&opencl->lock);
}

/* Takes the first gap that is large enough, or what follows the last place, be there a buffer or not; 0 if memory runs
 * out. */
static int take_place(tmb_opencl *opencl, uint64_t size, uint64_t *offset)
{
    TMB_ASSERT(size > 0);
    const size_t count = opencl->place_count;
    if (!tmb_buffer_reserve(opencl->context, &opencl->places, count + 1, sizeof(tmb_opencl_place),
                            count * sizeof(tmb_opencl_place))) {
        return 0;
    }
    tmb_opencl_place *places = opencl->places.data;
    uint64_t start = 0;
    size_t i = 0;
    while (i < count && places[i].offset - start < size) {
        start = places[i].offset + places[i].size;
        i++;
    }
    memmove(places + i + 1, places + i, (count - i) * sizeof *places);
    places[i] = (tmb_opencl_place){start, size};
    opencl->place_count++;
    *offset = start;
    return 1;
}

static void free_place(tmb_opencl *opencl, uint64_t offset)
{
    tmb_opencl_place *places = opencl->places.data;
    const size_t count = opencl->place_count;
    for (size_t i = 0; i < count; i++) {
        if (places[i].offset == offset) {
            memmove(places + i, places + i + 1, (count - i - 1) * sizeof *places);
            opencl->place_count--;
            return;
        }
    }
}

/* Only the thread that holds `adding` changes the buffer; others read it under `lock`. */
static void exchange(tmb_opencl *opencl, cl_mem models, uint64_t size)
{
    pthread_mutex_lock(&opencl->lock);
    cl_mem old = opencl->models;
    const uint64_t old_size = opencl->models_size;
    opencl->models = models;
    opencl->models_size = size;
    pthread_mutex_unlock(&opencl->lock);
    tmb_opencl_release_buffer(opencl, old, old_size);
}

/* Twice the old size, so that many models are not copied many times; but no more than is needed where that would leave
 * less than half of the memory to others, or has no room. */
static uint64_t next_size(const tmb_opencl *opencl, uint64_t end)
{
    TMB_ASSERT(end > 0);
    const uint64_t used = atomic_load(&opencl->used_bytes);
    const uint64_t rest = used < opencl->memory_bytes ? opencl->memory_bytes - used : 0;
    uint64_t size = 2 * opencl->models_size;
    if (size < SMALLEST_MODELS) {
        size = SMALLEST_MODELS;
    }
    return end < size && size <= opencl->largest_buffer && size <= opencl->memory_bytes / 2 && size <= rest ? size
                                                                                                            : end;
}

/* A buffer of `size` bytes that begins like the old one. */
static tumble_status make_larger(tmb_opencl *opencl, uint64_t size, cl_mem *out)
{
    const tmb_opencl_api *api = &opencl->api;
    tumble_status status = tmb_opencl_buffer(opencl, CL_MEM_READ_ONLY, size, "models", out);
    if (status != TUMBLE_OK || !opencl->models) {
        return status;
    }
    cl_int code =
        api->clEnqueueCopyBuffer(opencl->uploads, opencl->models, *out, 0, 0, opencl->models_size, 0, NULL, NULL);
    if (code == CL_SUCCESS) {
        code = api->clFinish(opencl->uploads);
    }
    return tmb_opencl_error(opencl, code, "copy the models");
}

static tumble_status upload(tmb_opencl *opencl, uint64_t offset, const void *bytes, size_t size, cl_mem models)
{
    const cl_int code =
        opencl->api.clEnqueueWriteBuffer(opencl->uploads, models, CL_TRUE, (size_t)offset, size, bytes, 0, NULL, NULL);
    return tmb_opencl_error(opencl, code, "upload a model");
}

/* The old buffer stays what it is until the new one has all there is to have. */
static tumble_status upload_with_growth(tmb_opencl *opencl, uint64_t offset, const void *bytes, size_t size,
                                        uint64_t end)
{
    if (end <= opencl->models_size) {
        return upload(opencl, offset, bytes, size, opencl->models);
    }
    cl_mem larger = NULL;
    const uint64_t larger_size = next_size(opencl, end);
    tumble_status status = make_larger(opencl, larger_size, &larger);
    if (status == TUMBLE_OK) {
        status = upload(opencl, offset, bytes, size, larger);
    }
    if (status == TUMBLE_OK) {
        exchange(opencl, larger, larger_size);
    } else {
        tmb_opencl_release_buffer(opencl, larger, larger_size);
    }
    return status;
}

/* One attempt. */
static tumble_status place(tmb_opencl *opencl, const void *bytes, size_t size, uint64_t *offset)
{
    const uint64_t rounded = tmb_opencl_memory_round(size);
    pthread_mutex_lock(&opencl->lock);
    const int taken = take_place(opencl, rounded, offset);
    const int is_alone = opencl->place_count == 1;
    pthread_mutex_unlock(&opencl->lock);
    if (!taken) {
        return tmb_fail_memory(opencl->context, "the place of a model on an OpenCL device");
    }
    if (is_alone && rounded > opencl->models_size) {
        exchange(opencl, NULL, 0); /* nothing in it is worth a copy */
    }
    const tumble_status status = upload_with_growth(opencl, *offset, bytes, size, *offset + rounded);
    if (status != TUMBLE_OK) {
        tmb_opencl_memory_remove(opencl, *offset);
    }
    return status;
}

static tumble_status add(tmb_opencl *opencl, const void *bytes, size_t size, uint64_t *offset)
{
    if (size > opencl->largest_buffer) {
        return refuse(opencl, size, "a model");
    }
    tumble_status status = place(opencl, bytes, size, offset);
    while (status == TUMBLE_ERROR_MEMORY && opencl->make_room &&
           opencl->make_room(opencl->keeper, tmb_opencl_memory_round(size))) {
        status = place(opencl, bytes, size, offset);
    }
    return status;
}

tumble_status tmb_opencl_memory_add(tmb_opencl *opencl, const void *bytes, size_t size, uint64_t *offset)
{
    *offset = 0;
    if (size == 0) {
        return tmb_fail(opencl->context, TUMBLE_ERROR_ARGUMENT, "a model of 0 bytes cannot be uploaded");
    }
    pthread_mutex_lock(&opencl->adding);
    const tumble_status status = add(opencl, bytes, size, offset);
    pthread_mutex_unlock(&opencl->adding);
    return status;
}

void tmb_opencl_memory_remove(tmb_opencl *opencl, uint64_t offset)
{
    pthread_mutex_lock(&opencl->lock);
    free_place(opencl, offset);
    pthread_mutex_unlock(&opencl->lock);
}

uint64_t tmb_opencl_memory_round(uint64_t size)
{
    return (size + TMB_OPENCL_ALIGNMENT - 1) / TMB_OPENCL_ALIGNMENT * TMB_OPENCL_ALIGNMENT;
}

uint64_t tmb_opencl_memory_budget(tmb_opencl *opencl)
{
    pthread_mutex_lock(&opencl->lock);
    const uint64_t used = atomic_load(&opencl->used_bytes), models = opencl->models_size;
    pthread_mutex_unlock(&opencl->lock);
    const uint64_t others = used > models ? used - models : 0;
    const uint64_t rest = others < opencl->memory_bytes ? opencl->memory_bytes - others : 0;
    return rest < opencl->largest_buffer ? rest : opencl->largest_buffer;
}

int tmb_opencl_memory_has_gap(tmb_opencl *opencl, uint64_t size)
{
    pthread_mutex_lock(&opencl->lock);
    const tmb_opencl_place *places = opencl->places.data;
    uint64_t start = 0;
    size_t i = 0;
    while (i < opencl->place_count && places[i].offset - start < size) {
        start = places[i].offset + places[i].size;
        i++;
    }
    const int has_gap = i < opencl->place_count || start + size <= opencl->models_size;
    pthread_mutex_unlock(&opencl->lock);
    return has_gap;
}

tumble_status tmb_opencl_memory_reset(tmb_opencl *opencl, uint64_t size)
{
    cl_mem models = NULL;
    pthread_mutex_lock(&opencl->lock);
    opencl->place_count = 0;
    pthread_mutex_unlock(&opencl->lock);
    exchange(opencl, NULL, 0);
    const tumble_status status =
        size ? tmb_opencl_buffer(opencl, CL_MEM_READ_ONLY, size, "models", &models) : TUMBLE_OK;
    if (models) {
        exchange(opencl, models, size);
    }
    return status;
}
