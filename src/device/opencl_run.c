/* A chunk of checks through the kernels: sent, walked in as many launches as it takes, and fetched. */
#include <string.h>

#include "base/clock.h"
#include "device/opencl_batch.h"
#include "tree/wide.h"

/* Room in lists that all work-groups fill; when one is full the launch ends and the list is fetched. */
#define LIST_ROOM_GPU (1u << 20)
#define LIST_ROOM (1u << 14)
#define QUEUE_ROOM (1u << 17)

#define MOST_STEPS 16384          /* of a work-group in one launch: some tens of milliseconds */
#define SHARE_AFTER 32            /* steps */
#define SPILL_THRESHOLD 256       /* items put aside, from which on a work-group goes straight down */
#define PREPARE_GROUP 64          /* work-items */
#define STATES_WITH_COUNTERS 1024 /* so few states are fetched together with the counters */

/* One chunk on its way. */
typedef struct chunk_run {
    tmb_opencl_backend *backend;
    tmb_chunk *chunk;
    tmb_chunk_input input;
    uint32_t counters[TMB_CL_COUNTERS];
    int reading; /* the queue that is read */
} chunk_run;

/* ---- Buffers and arguments ---- */

tumble_status tmb_device_buffer_reserve(tmb_opencl_backend *backend, tmb_device_buffer *buffer, uint64_t size)
{
    if (buffer->memory && buffer->size >= size) {
        return TUMBLE_OK;
    }
    tmb_opencl *o = backend->opencl;
    if (buffer->memory) {
        tmb_opencl_release_buffer(o, buffer->memory);
        buffer->memory = NULL;
    }
    const uint64_t room = size + size / 4;
    const tumble_status status = tmb_opencl_buffer(o, CL_MEM_READ_WRITE, room, buffer->name, &buffer->memory);
    buffer->size = status == TUMBLE_OK ? room : 0;
    return status;
}

static uint32_t list_room(const tmb_opencl_backend *backend)
{
    return backend->opencl->is_gpu ? LIST_ROOM_GPU : LIST_ROOM;
}

/* What may wait for a work-group at one time: docs/device.md. */
static uint32_t spill_room(uint64_t depth)
{
    return (uint32_t)(SPILL_THRESHOLD + 2 * TMB_CL_STACK + TMB_WIDE * TMB_WIDE * (2 * depth + 2));
}

static tumble_status reserve_saved(tmb_opencl_backend *backend)
{
    const int is_there = backend->saved.memory != NULL;
    const uint64_t size = (uint64_t)backend->group_count * TMB_CL_SAVED_WORDS * sizeof(uint32_t);
    const tumble_status status = tmb_device_buffer_reserve(backend, &backend->saved, size);
    if (status != TUMBLE_OK || is_there) {
        return status;
    }
    const uint32_t zero = 0;
    tmb_opencl *o = backend->opencl;
    return tmb_opencl_error(
        o, o->api.clEnqueueFillBuffer(o->queue, backend->saved.memory, &zero, sizeof zero, 0, size, 0, NULL, NULL),
        "clear the stacks");
}

/* Everything that a chunk needs on the device. */
static tumble_status reserve_all(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    tmb_cl_settings *s = &run->input.settings;
    uint64_t depth;
    tumble_status status = tmb_tables_send(b, &depth);
    const uint64_t count = run->chunk->check_count;
    s->queue_capacity = count > QUEUE_ROOM ? (uint32_t)count : QUEUE_ROOM;
    s->hit_capacity = s->undecided_capacity = list_room(b);
    s->spill_capacity = spill_room(depth);
    s->spill_threshold = SPILL_THRESHOLD;
    s->most_steps = MOST_STEPS;
    s->hungry = b->group_count / 4 + 1;
    s->share_after = SHARE_AFTER;
    const struct {
        tmb_device_buffer *buffer;
        uint64_t size;
    } needs[] = {
        {&b->poses, run->input.pose_count * sizeof(tumble_pose)},
        {&b->pairs, run->input.pairs ? 2 * count * sizeof(uint32_t) : 4},
        {&b->checks, TMB_CL_CHECK_FLOATS * count * sizeof(float)},
        {&b->results, (TMB_CL_COUNTERS + count) * sizeof(uint32_t)},
        {&b->numbers, 2 * count * sizeof(uint32_t)},
        {&b->queues[0], s->queue_capacity * sizeof(tmb_cl_item)},
        {&b->queues[1], s->queue_capacity * sizeof(tmb_cl_item)},
        {&b->hits, s->hit_capacity * sizeof(tmb_cl_hit)},
        {&b->undecided, s->undecided_capacity * sizeof(tmb_cl_hit)},
        {&b->left, s->undecided_capacity * sizeof(tmb_cl_hit)},
        {&b->spill, (uint64_t)b->group_count * s->spill_capacity * sizeof(tmb_cl_item)},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == TUMBLE_OK; i++) {
        status = tmb_device_buffer_reserve(b, needs[i].buffer, needs[i].size);
    }
    return status == TUMBLE_OK ? reserve_saved(b) : status;
}

/* Starts a kernel with its settings, the models' memory unless `memory` is negative, and buffers in the order of its
 * arguments. */
static tumble_status start(chunk_run *run, cl_kernel kernel, int memory, const tmb_device_buffer *const *buffers,
                           cl_uint count, size_t items, size_t group, const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    cl_mem models = tmb_opencl_memory_lock(o);
    cl_int code = o->api.clSetKernelArg(kernel, 0, sizeof run->input.settings, &run->input.settings);
    cl_uint argument = 1;
    if (memory && code == CL_SUCCESS) {
        code = o->api.clSetKernelArg(kernel, argument++, sizeof models, &models);
    }
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++) {
        code = o->api.clSetKernelArg(kernel, argument++, sizeof buffers[i]->memory, &buffers[i]->memory);
    }
    if (code == CL_SUCCESS) {
        code = o->api.clEnqueueNDRangeKernel(o->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    }
    tmb_opencl_memory_unlock(o);
    return tmb_opencl_error(o, code, what);
}

static tumble_status write(chunk_run *run, const tmb_device_buffer *buffer, int wait, const void *bytes, size_t size,
                           const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    return tmb_opencl_error(
        o,
        o->api.clEnqueueWriteBuffer(o->queue, buffer->memory, wait ? CL_TRUE : CL_FALSE, 0, size, bytes, 0, NULL, NULL),
        what);
}

static tumble_status read(chunk_run *run, const tmb_device_buffer *buffer, size_t from, void *bytes, size_t size,
                          const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    return size == 0
               ? TUMBLE_OK
               : tmb_opencl_error(
                     o, o->api.clEnqueueReadBuffer(o->queue, buffer->memory, CL_TRUE, from, size, bytes, 0, NULL, NULL),
                     what);
}

/* ---- Upload ---- */

static void reset_counters(chunk_run *run, uint32_t queued)
{
    const tmb_cl_settings *s = &run->input.settings;
    memset(run->counters, 0, sizeof run->counters);
    run->counters[TMB_CL_IN] = queued;
    run->counters[TMB_CL_OUT_LIMIT] = s->queue_capacity;
    run->counters[TMB_CL_HITS_LIMIT] = s->hit_capacity;
    run->counters[TMB_CL_UNDECIDED_LIMIT] = s->undecided_capacity;
}

static tumble_status prepare_there(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    const tmb_device_buffer *buffers[] = {&b->frames,  &b->pairs,   &b->poses,    &b->checks,
                                          &b->results, &b->numbers, &b->queues[0]};
    return start(run, b->prepare, 0, buffers, sizeof buffers / sizeof *buffers,
                 (count + PREPARE_GROUP - 1) / PREPARE_GROUP * PREPARE_GROUP, PREPARE_GROUP,
                 "start the kernel that prepares checks");
}

/* What was prepared here. */
static tumble_status send_prepared(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    uint32_t *counters = b->results_here.data;
    const uint32_t queued = counters[TMB_CL_IN];
    reset_counters(run, queued);
    memcpy(counters, run->counters, sizeof run->counters);
    tumble_status status =
        write(run, &b->results, 1, counters, (TMB_CL_COUNTERS + count) * sizeof *counters, "send the states of checks");
    if (status == TUMBLE_OK) {
        status = write(run, &b->checks, 1, b->checks_here.data, TMB_CL_CHECK_FLOATS * count * sizeof(float),
                       "send the checks");
    }
    if (status == TUMBLE_OK && queued) {
        status = write(run, &b->queues[0], 1, b->queue_here.data, queued * sizeof(tmb_cl_item), "send the queue");
    }
    return status;
}

static tumble_status clear_numbers(chunk_run *run)
{
    const uint32_t zero = 0;
    tmb_opencl *o = run->backend->opencl;
    return tmb_opencl_error(o,
                            o->api.clEnqueueFillBuffer(o->queue, run->backend->numbers.memory, &zero, sizeof zero, 0,
                                                       2 * run->chunk->check_count * sizeof zero, 0, NULL, NULL),
                            "clear the counts");
}

/* With doubles the kernel goes on from the poses; the caller's array is read before this returns. */
static tumble_status send_chunk(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_chunk_input *input = &run->input;
    const size_t count = run->chunk->check_count;
    tumble_status status = TUMBLE_OK;
    if (input->pairs) {
        status = write(run, &b->pairs, 0, input->pairs, 2 * count * sizeof *input->pairs, "send the pairs of models");
    }
    if (status == TUMBLE_OK && !b->opencl->doubles) {
        status = clear_numbers(run);
        return status == TUMBLE_OK ? send_prepared(run) : status;
    }
    reset_counters(run, 0);
    if (status == TUMBLE_OK) {
        status = write(run, &b->results, 0, run->counters, sizeof run->counters, "send the counters");
    }
    if (status == TUMBLE_OK) {
        const size_t size = input->pose_count * sizeof *input->poses;
        status = write(run, &b->poses, input->pose_count > 1, input->poses, size, "send the poses");
    }
    return status == TUMBLE_OK ? prepare_there(run) : status;
}

/* ---- Launches ---- */

static tumble_status start_walk(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_device_buffer *buffers[] = {&b->models,
                                          &b->pairs,
                                          &b->poses,
                                          &b->checks,
                                          &b->results,
                                          &b->numbers,
                                          &b->hits,
                                          &b->undecided,
                                          &b->queues[run->reading],
                                          &b->queues[!run->reading],
                                          &b->spill,
                                          &b->saved};
    const cl_uint count = sizeof buffers / sizeof *buffers;
    const tumble_status status =
        tmb_opencl_error(b->opencl, b->opencl->api.clSetKernelArg(b->walk, count + 2, TMB_CL_WORKSPACE_BYTES, NULL),
                         "give local memory to the kernel that walks");
    return status != TUMBLE_OK ? status
                               : start(run, b->walk, 1, buffers, count, (size_t)b->group_count * TMB_CL_LANES,
                                       TMB_CL_LANES, "start the kernel that walks");
}

static tumble_status start_settle(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_device_buffer *buffers[] = {&b->models,  &b->pairs, &b->poses,     &b->results,
                                          &b->numbers, &b->hits,  &b->undecided, &b->left};
    return start(run, b->settle, 1, buffers, sizeof buffers / sizeof *buffers,
                 ((size_t)b->group_count + 1) / 2 * PREPARE_GROUP, PREPARE_GROUP,
                 "start the kernel that settles pairs");
}

/* Waits for what was started. Few states come along: the last look at them is then saved. */
static tumble_status fetch_counters(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t states = run->chunk->check_count <= STATES_WITH_COUNTERS ? run->chunk->check_count : 0;
    uint32_t *here = b->results_here.data;
    const tumble_status status =
        read(run, &b->results, 0, here, (TMB_CL_COUNTERS + states) * sizeof *here, "fetch the counters");
    memcpy(run->counters, here, sizeof run->counters);
    return status;
}

static uint32_t filled(const chunk_run *run, int used, int limit)
{
    return run->counters[used] < run->counters[limit] ? run->counters[used] : run->counters[limit];
}

/* Appends a list of the device to the pairs that this machine has to look at. */
static tumble_status drain(chunk_run *run, const tmb_device_buffer *list, uint32_t count, uint32_t is_hit)
{
    tmb_opencl_backend *b = run->backend;
    const size_t before = b->given_count;
    if (count == 0) {
        return TUMBLE_OK;
    }
    if (!tmb_buffer_reserve(b->context, &b->hits_here, count, sizeof(tmb_cl_hit), 0) ||
        !tmb_buffer_reserve(b->context, &b->given, before + count, sizeof(tmb_check_pair),
                            before * sizeof(tmb_check_pair))) {
        return tmb_fail_memory(b->context, "the pairs of a batch");
    }
    const tumble_status status = read(run, list, 0, b->hits_here.data, count * sizeof(tmb_cl_hit), "fetch pairs");
    if (status != TUMBLE_OK) {
        return status;
    }
    const tmb_cl_hit *hits = b->hits_here.data;
    tmb_check_pair *given = b->given.data;
    for (uint32_t i = 0; i < count; i++) {
        if (hits[i].check != TMB_CL_NOTHING) {
            given[b->given_count++] = (tmb_check_pair){hits[i].check, {hits[i].a, hits[i].b, is_hit}};
        }
    }
    return TUMBLE_OK;
}

static tumble_status drain_lists(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const uint32_t undecided = filled(run, TMB_CL_UNDECIDED, TMB_CL_UNDECIDED_LIMIT);
    tumble_status status = TUMBLE_OK;
    if (undecided && b->opencl->doubles) {
        status = start_settle(run);
        if (status == TUMBLE_OK) {
            status = fetch_counters(run);
        }
        if (status == TUMBLE_OK) {
            status = drain(run, &b->left, run->counters[TMB_CL_LEFT], 0);
        }
    } else if (undecided) {
        status = drain(run, &b->undecided, undecided, 0);
    }
    if (status == TUMBLE_OK && run->chunk->question == TMB_CL_LIST) {
        status = drain(run, &b->hits, filled(run, TMB_CL_HITS, TMB_CL_HITS_LIMIT), 1);
    }
    return status;
}

static int is_wanted(const tmb_chunk *chunk)
{
    for (size_t i = 0; i < chunk->part_count; i++) {
        if (!atomic_load_explicit(&chunk->parts[i].job->cancel, memory_order_relaxed)) {
            return 1;
        }
    }
    return 0;
}

/* What a launch that was given up has kept must not come back. */
static void forget_saved(tmb_opencl_backend *backend)
{
    tmb_opencl_release_buffer(backend->opencl, backend->saved.memory);
    backend->saved.memory = NULL;
    backend->saved.size = 0;
}

/* Whether work is left: in the queue that was read (when lists were full), in the other, or kept by work-groups. */
static int has_more(const chunk_run *run)
{
    return run->counters[TMB_CL_TAKEN] < run->counters[TMB_CL_IN] || run->counters[TMB_CL_OUT] ||
           run->counters[TMB_CL_SAVED];
}

/* The next launch reads what was handed over; but first what was not yet taken. */
static void plan_launch(chunk_run *run)
{
    const uint32_t in = run->counters[TMB_CL_IN], taken = run->counters[TMB_CL_TAKEN];
    const uint32_t handed_over = filled(run, TMB_CL_OUT, TMB_CL_OUT_LIMIT);
    if (taken < in) {
        reset_counters(run, in);
        run->counters[TMB_CL_TAKEN] = taken;
        run->counters[TMB_CL_OUT] = handed_over;
    } else {
        reset_counters(run, handed_over);
        run->reading = !run->reading;
    }
}

static tumble_status walk(chunk_run *run)
{
    for (;;) {
        tumble_status status = start_walk(run);
        if (status == TUMBLE_OK) {
            status = fetch_counters(run);
        }
        if (status == TUMBLE_OK) {
            status = drain_lists(run);
        }
        if (status != TUMBLE_OK || !has_more(run)) {
            return status;
        }
        if (!is_wanted(run->chunk)) {
            return TUMBLE_ERROR_CANCELLED;
        }
        plan_launch(run);
        status = write(run, &run->backend->results, 0, run->counters, sizeof run->counters, "send the counters");
        if (status != TUMBLE_OK) {
            return status;
        }
    }
}

/* ---- Results ---- */

static tumble_status fetch_results(chunk_run *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    const uint32_t question = run->chunk->question;
    uint32_t *here = b->results_here.data;
    tumble_status status = TUMBLE_OK;
    if (count > STATES_WITH_COUNTERS) {
        status = read(run, &b->results, 0, here, (TMB_CL_COUNTERS + count) * sizeof *here, "fetch the states");
    }
    if (status == TUMBLE_OK && (question == TMB_CL_COUNT || question == TMB_CL_FIRST)) {
        status = read(run, &b->numbers, 0, b->numbers_here.data, 2 * count * sizeof(uint32_t), "fetch the counts");
    }
    return status;
}

static tumble_status reserve_here(tmb_opencl_backend *backend, size_t count)
{
    backend->given_count = 0;
    if (!tmb_buffer_reserve(backend->context, &backend->results_here, TMB_CL_COUNTERS + count, sizeof(uint32_t), 0) ||
        !tmb_buffer_reserve(backend->context, &backend->numbers_here, 2 * count, sizeof(uint32_t), 0)) {
        return tmb_fail_memory(backend->context, "the results of a batch");
    }
    return TUMBLE_OK;
}

tumble_status tmb_chunk_run(tmb_opencl_backend *backend, tmb_chunk *chunk)
{
    chunk_run run = {.backend = backend, .chunk = chunk};
    const double begin = tmb_seconds();
    tumble_status status = reserve_here(backend, chunk->check_count);
    if (status == TUMBLE_OK) {
        status = tmb_chunk_prepare(backend, chunk, &run.input);
    }
    if (status == TUMBLE_OK) {
        status = reserve_all(&run);
    }
    if (status == TUMBLE_OK) {
        status = send_chunk(&run);
    }
    const double sent = tmb_seconds();
    if (status == TUMBLE_OK) {
        status = walk(&run);
        if (status != TUMBLE_OK) {
            forget_saved(backend);
        }
    }
    const double walked = tmb_seconds();
    if (status == TUMBLE_OK) {
        status = fetch_results(&run);
    }
    chunk->upload_seconds = sent - begin;
    chunk->run_seconds = walked - sent;
    chunk->result_seconds = tmb_seconds() - walked;
    return status;
}
