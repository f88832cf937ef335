/* A chunk of checks on its way to an OpenCL device: buffers, and what goes into them. */
#include <string.h>

#include "device/opencl_run.h"
#include "tree/wide.h"

/* Room in lists that all work-groups fill; when one is full the launch ends and the list is fetched. */
#define LIST_ROOM_GPU (1u << 20)
#define LIST_ROOM (1u << 14)
#define QUEUE_ROOM (1u << 17)

#define MOST_STEPS 16384    /* of a work-group in one launch: some tens of milliseconds */
#define SPILL_THRESHOLD 256 /* items put aside, from which on a work-group goes straight down */
#define PREPARE_GROUP 64    /* work-items */

/* Where the parts of the small buffer are. */
#define SMALL_RESULTS 0
#define SMALL_QUEUE 1024
#define SMALL_CHECKS 2048
#define SMALL_POSES 5120
#define SMALL_PAIRS 7168
#define SMALL_BYTES 8192

_Static_assert((TMB_CL_COUNTERS + TMB_SMALL_CHECKS) * sizeof(uint32_t) <= SMALL_QUEUE - SMALL_RESULTS, "results");
_Static_assert(TMB_SMALL_CHECKS * sizeof(tmb_cl_item) <= SMALL_CHECKS - SMALL_QUEUE, "queue");
_Static_assert(TMB_SMALL_CHECKS *TMB_CL_CHECK_FLOATS * sizeof(float) <= SMALL_POSES - SMALL_CHECKS, "checks");
_Static_assert(TMB_SMALL_CHECKS * sizeof(tumble_pose) <= SMALL_PAIRS - SMALL_POSES, "poses");
_Static_assert(2 * TMB_SMALL_CHECKS * sizeof(uint32_t) <= SMALL_BYTES - SMALL_PAIRS, "pairs");

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
static tumble_status reserve_all(tmb_passage *run)
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
    const struct {
        tmb_device_buffer *buffer;
        uint64_t size;
    } needs[] = {
        {&b->poses[b->pose_buffer], run->input.pose_count * sizeof(tumble_pose)},
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

tumble_status tmb_run_start(tmb_passage *run, cl_kernel kernel, int memory, const tmb_device_buffer *const *buffers,
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

tumble_status tmb_run_write(tmb_passage *run, const tmb_device_buffer *buffer, int wait, const void *bytes, size_t size,
                            const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    return tmb_opencl_error(
        o,
        o->api.clEnqueueWriteBuffer(o->queue, buffer->memory, wait ? CL_TRUE : CL_FALSE, 0, size, bytes, 0, NULL, NULL),
        what);
}

tumble_status tmb_run_read(tmb_passage *run, const tmb_device_buffer *buffer, void *bytes, size_t size,
                           const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    return size == 0
               ? TUMBLE_OK
               : tmb_opencl_error(
                     o, o->api.clEnqueueReadBuffer(o->queue, buffer->memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
                     what);
}

/* ---- Upload ---- */

void tmb_run_reset_counters(tmb_passage *run, uint32_t queued)
{
    const tmb_cl_settings *s = &run->input.settings;
    memset(run->counters, 0, sizeof run->counters);
    run->counters[TMB_CL_IN] = queued;
    run->counters[TMB_CL_OUT_LIMIT] = s->queue_capacity;
    run->counters[TMB_CL_HITS_LIMIT] = s->hit_capacity;
    run->counters[TMB_CL_UNDECIDED_LIMIT] = s->undecided_capacity;
}

static tumble_status prepare_there(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    const tmb_device_buffer *buffers[] = {&b->frames,  &b->pairs,   run->poses,   &b->checks,
                                          &b->results, &b->numbers, &b->queues[0]};
    return tmb_run_start(run, b->prepare, 0, buffers, sizeof buffers / sizeof *buffers,
                         (count + PREPARE_GROUP - 1) / PREPARE_GROUP * PREPARE_GROUP, PREPARE_GROUP,
                         "start the kernel that prepares checks");
}

/* What was prepared here. */
static tumble_status send_prepared(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    uint32_t *counters = b->results_here.data;
    const uint32_t queued = counters[TMB_CL_IN];
    tmb_run_reset_counters(run, queued);
    memcpy(counters, run->counters, sizeof run->counters);
    tumble_status status = tmb_run_write(run, &b->results, 1, counters, (TMB_CL_COUNTERS + count) * sizeof *counters,
                                         "send the states of checks");
    if (status == TUMBLE_OK) {
        status = tmb_run_write(run, &b->checks, 1, b->checks_here.data, TMB_CL_CHECK_FLOATS * count * sizeof(float),
                               "send the checks");
    }
    if (status == TUMBLE_OK && queued) {
        status =
            tmb_run_write(run, &b->queues[0], 1, b->queue_here.data, queued * sizeof(tmb_cl_item), "send the queue");
    }
    return status;
}

static tumble_status clear_numbers(tmb_passage *run)
{
    const uint32_t zero = 0;
    tmb_opencl *o = run->backend->opencl;
    return tmb_opencl_error(o,
                            o->api.clEnqueueFillBuffer(o->queue, run->backend->numbers.memory, &zero, sizeof zero, 0,
                                                       2 * run->chunk->check_count * sizeof zero, 0, NULL, NULL),
                            "clear the counts");
}

/* Few checks: all in one piece. */
static tumble_status send_small(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    unsigned char bytes[SMALL_BYTES];
    const size_t count = run->chunk->check_count;
    uint32_t *counters = b->results_here.data;
    const uint32_t queued = counters[TMB_CL_IN];
    tmb_run_reset_counters(run, queued);
    memcpy(counters, run->counters, sizeof run->counters);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes + SMALL_RESULTS, counters, (TMB_CL_COUNTERS + count) * sizeof *counters);
    memcpy(bytes + SMALL_QUEUE, b->queue_here.data, queued * sizeof(tmb_cl_item));
    memcpy(bytes + SMALL_CHECKS, b->checks_here.data, count * TMB_CL_CHECK_FLOATS * sizeof(float));
    memcpy(bytes + SMALL_POSES, run->input.poses, count * sizeof(tumble_pose));
    memcpy(bytes + SMALL_PAIRS, run->input.pairs, 2 * count * sizeof(uint32_t));
    const tmb_device_buffer all = {.memory = b->small.all};
    return tmb_run_write(run, &all, 1, bytes, sizeof bytes, "send some checks");
}

/* Many checks, from the poses on, or as they were prepared here. */
static tumble_status send_large(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_chunk_input *input = &run->input;
    const size_t count = run->chunk->check_count;
    tumble_status status = TUMBLE_OK;
    if (input->pairs) {
        status = tmb_run_write(run, &b->pairs, 0, input->pairs, 2 * count * sizeof *input->pairs,
                               "send the pairs of models");
    }
    const int is_sent = input->poses == b->sent_poses && input->pose_count == b->sent_count;
    if (status == TUMBLE_OK && b->opencl->doubles && !is_sent) {
        const size_t size = input->pose_count * sizeof *input->poses;
        status = tmb_run_write(run, run->poses, 1, input->poses, size, "send the poses");
    }
    b->sent_poses = NULL;
    if (status != TUMBLE_OK || input->is_prepared) {
        return status == TUMBLE_OK ? send_prepared(run) : status;
    }
    tmb_run_reset_counters(run, 0);
    status = tmb_run_write(run, &b->results, 0, run->counters, sizeof run->counters, "send the counters");
    return status == TUMBLE_OK ? prepare_there(run) : status;
}

tumble_status tmb_run_send(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const int is_small = run->input.is_prepared && run->chunk->check_count <= TMB_SMALL_CHECKS && b->small.all;
    b->pose_buffer ^= b->sent_poses != NULL;
    run->poses = &b->poses[b->pose_buffer];
    tumble_status status = reserve_all(run);
    run->results = is_small ? &b->small.results : &b->results;
    run->poses = is_small ? &b->small.poses : run->poses;
    run->pairs = is_small ? &b->small.pairs : &b->pairs;
    run->checks = is_small ? &b->small.checks : &b->checks;
    run->reading = is_small ? &b->small.queue : &b->queues[0];
    run->writing = &b->queues[1];
    if (status == TUMBLE_OK && run->input.is_prepared && run->chunk->question == TMB_CL_COUNT) {
        status = clear_numbers(run);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    return is_small ? send_small(run) : send_large(run);
}

tumble_status tmb_run_send_ahead(tmb_passage *run, const tmb_chunk *next)
{
    tmb_opencl_backend *b = run->backend;
    tmb_opencl *o = b->opencl;
    size_t count;
    const tumble_pose *poses = tmb_chunk_direct_poses(b, next, &count);
    if (!poses) {
        return TUMBLE_OK;
    }
    tmb_device_buffer *other = &b->poses[!b->pose_buffer];
    tumble_status status = tmb_opencl_error(o, o->api.clFlush(o->queue), "start what was enqueued");
    if (status == TUMBLE_OK) {
        status = tmb_device_buffer_reserve(b, other, count * sizeof *poses);
    }
    if (status == TUMBLE_OK) {
        status = tmb_opencl_error(o,
                                  o->api.clEnqueueWriteBuffer(o->uploads, other->memory, CL_TRUE, 0,
                                                              count * sizeof *poses, poses, 0, NULL, NULL),
                                  "send the poses ahead");
    }
    b->sent_poses = status == TUMBLE_OK ? poses : NULL;
    b->sent_count = count;
    return status;
}

/* ---- The small buffer ---- */

static cl_mem part_of(tmb_opencl *o, cl_mem all, size_t from, size_t to)
{
    const cl_buffer_region region = {from, to - from};
    cl_int code;
    const cl_mem part = o->api.clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return code == CL_SUCCESS ? part : NULL;
}

void tmb_small_end(tmb_opencl_backend *backend)
{
    tmb_small_buffers *small = &backend->small;
    const cl_mem parts[] = {small->results.memory, small->queue.memory, small->checks.memory, small->poses.memory,
                            small->pairs.memory};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i]) {
            (void)backend->opencl->api.clReleaseMemObject(parts[i]);
        }
    }
    tmb_opencl_release_buffer(backend->opencl, small->all);
    memset(small, 0, sizeof *small);
}

tumble_status tmb_small_begin(tmb_opencl_backend *backend)
{
    tmb_opencl *o = backend->opencl;
    tmb_small_buffers *small = &backend->small;
    const tumble_status status = tmb_opencl_buffer(o, CL_MEM_READ_WRITE, SMALL_BYTES, "some checks", &small->all);
    if (status != TUMBLE_OK) {
        return status;
    }
    small->results.memory = part_of(o, small->all, SMALL_RESULTS, SMALL_QUEUE);
    small->queue.memory = part_of(o, small->all, SMALL_QUEUE, SMALL_CHECKS);
    small->checks.memory = part_of(o, small->all, SMALL_CHECKS, SMALL_POSES);
    small->poses.memory = part_of(o, small->all, SMALL_POSES, SMALL_PAIRS);
    small->pairs.memory = part_of(o, small->all, SMALL_PAIRS, SMALL_BYTES);
    if (!small->results.memory || !small->queue.memory || !small->checks.memory || !small->poses.memory ||
        !small->pairs.memory) {
        tmb_small_end(backend); /* parts must begin elsewhere: done without */
    }
    return TUMBLE_OK;
}
