/* Sends a chunk of checks to an OpenCL device: buffers and uploads. */
#include <string.h>

#include "base/assert.h"
#include "device/opencl/run.h"
#include "tree/wide/wide.h"

/* Room in lists that all work-groups fill; when one is full the launch ends and the list is fetched. */
#define LIST_ROOM_GPU (1u << 20)
#define LIST_ROOM (1u << 14)
#define QUEUE_ROOM (1u << 17)

#define MOST_STEPS 16384    /* of a work-group in one launch: some tens of milliseconds */
#define TRIALS_FOR_ONE 8    /* pairs of triangles to gather when one hit ends the check */
#define SPILL_THRESHOLD 256 /* items in global memory from which on a work-group pops one at a time */
#define PREPARE_GROUP 64    /* work-items */

/* Where the parts of the small buffer are. Results and counts are fetched together; what is in front of the queue, and
 * its first items, are sent together. */
#define SMALL_RESULTS 0
#define SMALL_NUMBERS 1024
#define SMALL_CHECKS 2048
#define SMALL_MOVES 5120
#define SMALL_PAIRS 7168
#define SMALL_QUEUE 8192
#define SMALL_BYTES (SMALL_QUEUE + (QUEUE_ROOM + TMB_SMALL_CHECKS) * sizeof(tmb_cl_item))

_Static_assert((TMB_CL_COUNTERS + TMB_SMALL_CHECKS) * sizeof(uint32_t) <= SMALL_NUMBERS - SMALL_RESULTS, "results");
_Static_assert(2 * TMB_SMALL_CHECKS * sizeof(uint32_t) <= SMALL_CHECKS - SMALL_NUMBERS, "numbers");
_Static_assert(TMB_SMALL_CHECKS *TMB_CL_CHECK_FLOATS * sizeof(float) <= SMALL_MOVES - SMALL_CHECKS, "checks");
_Static_assert(TMB_SMALL_CHECKS * sizeof(tumble_pose) <= SMALL_PAIRS - SMALL_MOVES, "poses");
_Static_assert(2 * TMB_SMALL_CHECKS * sizeof(uint32_t) <= SMALL_QUEUE - SMALL_PAIRS, "pairs");

/* ---- Buffers and arguments ---- */

/* Models that are not in use leave the device when there is no room. */
static tumble_status make_buffer(tmb_opencl_backend *backend, cl_mem_flags flags, uint64_t size, const char *name,
                                 cl_mem *out)
{
    tumble_status status = tmb_opencl_buffer(backend->opencl, flags, size, name, out);
    while (status == TUMBLE_ERROR_MEMORY && tmb_swap_yield(backend, size)) {
        status = tmb_opencl_buffer(backend->opencl, flags, size, name, out);
    }
    return status;
}

tumble_status tmb_device_buffer_reserve(tmb_opencl_backend *backend, tmb_device_buffer *buffer, uint64_t size)
{
    TMB_ASSERT(buffer->name);
    if (buffer->memory && buffer->size >= size) {
        return TUMBLE_OK;
    }
    tmb_opencl *o = backend->opencl;
    if (buffer->memory) {
        tmb_opencl_release_buffer(o, buffer->memory, buffer->size);
        buffer->memory = NULL;
    }
    const uint64_t room = size + size / 4;
    const tumble_status status = make_buffer(backend, CL_MEM_READ_WRITE, room, buffer->name, &buffer->memory);
    buffer->size = status == TUMBLE_OK ? room : 0;
    return status;
}

static void release_shared(tmb_opencl_backend *backend, tmb_shared_memory *shared)
{
    tmb_opencl *o = backend->opencl;
    if (shared->data) {
        (void)o->api.clEnqueueUnmapMemObject(o->queue, shared->memory, shared->data, 0, NULL, NULL);
    }
    tmb_opencl_release_buffer(o, shared->memory, shared->size);
    memset(shared, 0, sizeof *shared);
}

tumble_status tmb_shared_reserve(tmb_opencl_backend *backend, tmb_shared_memory *shared, uint64_t size)
{
    tmb_opencl *o = backend->opencl;
    if (size && shared->size >= size) {
        return TUMBLE_OK;
    }
    release_shared(backend, shared);
    if (size == 0) {
        return TUMBLE_OK;
    }
    const uint64_t room = size + size / 4;
    tumble_status status =
        make_buffer(backend, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, room, "results", &shared->memory);
    shared->size = shared->memory ? room : 0;
    if (status == TUMBLE_OK) {
        cl_int code;
        shared->data = o->api.clEnqueueMapBuffer(o->queue, shared->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, room,
                                                 0, NULL, NULL, &code);
        status = tmb_opencl_error(o, code, "map memory for results");
    }
    if (status != TUMBLE_OK) {
        release_shared(backend, shared);
    }
    return status;
}

void tmb_buffers_release(tmb_opencl_backend *b)
{
    tmb_device_buffer *buffers[] = {&b->poses[0], &b->poses[1],       &b->pairs,          &b->checks,     &b->results,
                                    &b->numbers,  &b->queues[0],      &b->queues[1],      &b->hits,       &b->undecided,
                                    &b->left,     &b->spill,          &b->saved,          &b->scratch,    &b->digits,
                                    &b->moves,    &b->queue_boxes[0], &b->queue_boxes[1], &b->spill_boxes};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_opencl_release_buffer(b->opencl, buffers[i]->memory, buffers[i]->size);
        buffers[i]->memory = NULL;
        buffers[i]->size = 0;
    }
    (void)tmb_shared_reserve(b, &b->results_here, 0);
    (void)tmb_shared_reserve(b, &b->numbers_here, 0);
}

static uint32_t list_room(const tmb_opencl_backend *backend)
{
    return backend->opencl->is_gpu ? LIST_ROOM_GPU : LIST_ROOM;
}

/* What may wait for a work-group at one time: docs/device.md. */
static uint32_t spill_room(uint64_t depth)
{
    return (uint32_t)(SPILL_THRESHOLD + 2 * TMB_CL_STACK + TMB_WIDE * TMB_WIDE * (depth + 2));
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

/* Where the walk goes down boxtrees: the boxes of what waits. */
static tumble_status reserve_boxes(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const uint64_t bytes = TMB_CL_BOX_WORDS * sizeof(int32_t), count = run->chunk->check_count;
    const uint64_t queued = QUEUE_ROOM + (count > TMB_SMALL_CHECKS ? count : TMB_SMALL_CHECKS);
    tumble_status status = TUMBLE_OK;
    for (int i = 0; i < 2 && status == TUMBLE_OK; i++) {
        status = tmb_device_buffer_reserve(b, &b->queue_boxes[i], queued * bytes);
    }
    return status == TUMBLE_OK
               ? tmb_device_buffer_reserve(b, &b->spill_boxes,
                                           (uint64_t)b->group_count * run->input.settings.spill_capacity * bytes)
               : status;
}

/* Everything that a chunk needs on the device. */
static tumble_status reserve_all(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    tmb_cl_settings *s = &run->input.settings;
    tumble_status status = TUMBLE_OK;
    const uint64_t count = run->chunk->check_count;
    s->queue_capacity = QUEUE_ROOM; /* of what is handed over; the checks come beside */
    s->hit_capacity = s->undecided_capacity = list_room(b);
    s->spill_capacity = spill_room(tmb_tables_depth(b));
    s->spill_threshold = SPILL_THRESHOLD;
    s->most_steps = MOST_STEPS;
    s->least_trials = s->mode <= TMB_CL_FIRST ? TRIALS_FOR_ONE : TMB_CL_LANES;
    const struct {
        tmb_device_buffer *buffer;
        uint64_t size;
    } needs[] = {
        {&b->moves, count * sizeof(tumble_pose)},
        {&b->pairs, run->input.pairs ? 2 * count * sizeof(uint32_t) : 4},
        {&b->checks, TMB_CL_CHECK_FLOATS * count * sizeof(float)},
        {&b->results, (TMB_CL_COUNTERS + count) * sizeof(uint32_t)},
        {&b->numbers, 2 * count * sizeof(uint32_t)},
        {&b->queues[0], (QUEUE_ROOM + count) * sizeof(tmb_cl_item)},
        {&b->queues[1], (QUEUE_ROOM + count) * sizeof(tmb_cl_item)},
        {&b->hits, s->hit_capacity * sizeof(tmb_cl_hit)},
        {&b->undecided, s->undecided_capacity * sizeof(tmb_cl_hit)},
        {&b->left, s->undecided_capacity * sizeof(tmb_cl_hit)},
        {&b->spill, (uint64_t)b->group_count * s->spill_capacity * sizeof(tmb_cl_item)},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == TUMBLE_OK; i++) {
        status = tmb_device_buffer_reserve(b, needs[i].buffer, needs[i].size);
    }
    if (status == TUMBLE_OK && run->chunk->axes) {
        status = reserve_boxes(run);
    }
    return status == TUMBLE_OK ? reserve_saved(b) : status;
}

/* And its models, which the buffers have left room for. */
static tumble_status bring_models(tmb_opencl_backend *backend)
{
    const tumble_status status = tmb_swap_bring(backend);
    return status == TUMBLE_OK ? tmb_tables_send(backend) : status;
}

tumble_status tmb_run_start(tmb_passage *run, cl_kernel kernel, int memory, const tmb_device_buffer *const *buffers,
                            cl_uint count, size_t items, size_t group, const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    const tumble_status status = tmb_tables_refresh(run->backend);
    if (status != TUMBLE_OK) {
        return status;
    }
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
    TMB_ASSERT(buffer->size == 0 || size <= buffer->size); /* a part of another has no size of its own */
    tmb_opencl *o = run->backend->opencl;
    return tmb_opencl_error(
        o,
        o->api.clEnqueueWriteBuffer(o->queue, buffer->memory, wait ? CL_TRUE : CL_FALSE, 0, size, bytes, 0, NULL, NULL),
        what);
}

tumble_status tmb_run_read(tmb_passage *run, const tmb_device_buffer *buffer, void *bytes, size_t size,
                           const char *what)
{
    TMB_ASSERT(buffer->size == 0 || size <= buffer->size); /* a part of another has no size of its own */
    tmb_opencl *o = run->backend->opencl;
    return size == 0
               ? TUMBLE_OK
               : tmb_opencl_error(
                     o, o->api.clEnqueueReadBuffer(o->queue, buffer->memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
                     what);
}

tumble_status tmb_run_fetch_small(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    unsigned char bytes[SMALL_NUMBERS + 2 * TMB_SMALL_CHECKS * sizeof(uint32_t)];
    const size_t count = run->chunk->check_count;
    const tmb_device_buffer all = {.memory = b->small.all, .size = SMALL_BYTES};
    const tumble_status status = tmb_run_read(run, &all, bytes, sizeof bytes, "fetch the results");
    if (status == TUMBLE_OK) {
        memcpy(b->results_here.data, bytes, (TMB_CL_COUNTERS + count) * sizeof(uint32_t));
        memcpy(b->numbers_here.data, bytes + SMALL_NUMBERS, 2 * count * sizeof(uint32_t));
    }
    return status;
}

/* ---- Upload ---- */

/* Counters for the first launch, which finds this many items. */
static void set_counters(tmb_passage *run, uint32_t queued)
{
    const tmb_cl_settings *s = &run->input.settings;
    memset(run->counters, 0, sizeof run->counters);
    run->counters[TMB_CL_IN] = queued;
    run->counters[TMB_CL_OUT_LIMIT] = s->queue_capacity;
    run->counters[TMB_CL_HITS_LIMIT] = s->hit_capacity;
    run->counters[TMB_CL_UNDECIDED_LIMIT] = s->undecided_capacity;
}

/* What was prepared here: the counters and the states. Returns how many items there are in the queue. */
static uint32_t finish_results(tmb_passage *run)
{
    uint32_t *counters = run->backend->results_here.data;
    set_counters(run, counters[TMB_CL_IN]);
    memcpy(counters, run->counters, sizeof run->counters);
    return counters[TMB_CL_IN];
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

static tumble_status send_prepared(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    const uint32_t queued = finish_results(run);
    const struct {
        const tmb_device_buffer *buffer;
        const void *bytes;
        size_t size;
    } items[] = {
        {&b->results, b->results_here.data, (TMB_CL_COUNTERS + count) * sizeof(uint32_t)},
        {&b->checks, b->checks_here.data, TMB_CL_CHECK_FLOATS * count * sizeof(float)},
        {&b->moves, run->input.poses, count * sizeof(tumble_pose)},
        {&b->queues[0], b->queue_here.data, queued * sizeof(tmb_cl_item)},
    };
    tumble_status status = clear_numbers(run);
    for (size_t i = 0; i < sizeof items / sizeof *items && status == TUMBLE_OK; i++) {
        if (items[i].size) {
            status = tmb_run_write(run, items[i].buffer, 1, items[i].bytes, items[i].size, "send the checks");
        }
    }
    return status;
}

/* Few checks: all in one piece. */
static tumble_status send_small(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t size = SMALL_QUEUE + TMB_SMALL_CHECKS * sizeof(tmb_cl_item);
    const size_t count = run->chunk->check_count;
    const uint32_t queued = finish_results(run);
    if (!tmb_buffer_reserve(b->context, &b->small_here, size, 1, 0)) {
        return tmb_fail_memory(b->context, "some checks");
    }
    unsigned char *bytes = b->small_here.data;
    memset(bytes, 0, size);
    memcpy(bytes + SMALL_RESULTS, b->results_here.data, (TMB_CL_COUNTERS + count) * sizeof(uint32_t));
    memcpy(bytes + SMALL_CHECKS, b->checks_here.data, count * TMB_CL_CHECK_FLOATS * sizeof(float));
    memcpy(bytes + SMALL_MOVES, run->input.poses, count * sizeof(tumble_pose));
    memcpy(bytes + SMALL_PAIRS, run->input.pairs, 2 * count * sizeof(uint32_t));
    memcpy(bytes + SMALL_QUEUE, b->queue_here.data, queued * sizeof(tmb_cl_item));
    const tmb_device_buffer all = {.memory = b->small.all, .size = SMALL_BYTES};
    return tmb_run_write(run, &all, 0, bytes, size, "send some checks");
}

static void choose_buffers(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    run->is_small = run->input.is_prepared && run->chunk->check_count <= TMB_SMALL_CHECKS && b->small.all;
    run->results = run->is_small ? &b->small.results : &b->results;
    run->numbers = run->is_small ? &b->small.numbers : &b->numbers;
    run->moves = run->is_small ? &b->small.moves : &b->moves;
    run->pairs = run->is_small ? &b->small.pairs : &b->pairs;
    run->checks = run->is_small ? &b->small.checks : &b->checks;
    run->queue_even = run->is_small ? &b->small.queue : &b->queues[0];
}

tumble_status tmb_run_send(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_chunk_input *input = &run->input;
    tumble_status status = reserve_all(run);
    if (status == TUMBLE_OK) {
        status = bring_models(b);
    }
    choose_buffers(run);
    if (status != TUMBLE_OK || run->is_small) {
        return status == TUMBLE_OK ? send_small(run) : status;
    }
    if (input->pairs) {
        status = tmb_run_write(run, &b->pairs, 1, input->pairs, 2 * run->chunk->check_count * sizeof *input->pairs,
                               "send the pairs of models");
    }
    if (status != TUMBLE_OK || input->is_prepared) {
        return status == TUMBLE_OK ? send_prepared(run) : status;
    }
    set_counters(run, 0);
    return tmb_run_write(run, &b->results, 1, run->counters, sizeof run->counters, "send the counters");
}

static tumble_status prepare_there(tmb_passage *run, const tmb_device_buffer *poses, size_t first, size_t count)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_device_buffer *buffers[] = {&b->frames,  &b->pairs,   poses,         &b->checks,   &b->moves,
                                          &b->results, &b->numbers, &b->queues[0], &b->queues[1]};
    run->input.settings.first_check = (uint32_t)first;
    run->input.settings.check_count = (uint32_t)count;
    return tmb_run_start(run, b->prepare, 0, buffers, sizeof buffers / sizeof *buffers,
                         (count + PREPARE_GROUP - 1) / PREPARE_GROUP * PREPARE_GROUP, PREPARE_GROUP,
                         "start the kernel that prepares checks");
}

static void forget_event(tmb_passage *run, unsigned buffer)
{
    TMB_ASSERT(buffer < 2);
    if (run->read[buffer]) {
        (void)run->backend->opencl->api.clReleaseEvent(run->read[buffer]);
        run->read[buffer] = NULL;
    }
}

/* What is in a buffer of poses must have been read before the next ones come. */
static tumble_status wait_until_read(tmb_passage *run, unsigned buffer)
{
    TMB_ASSERT(buffer < 2);
    tmb_opencl *o = run->backend->opencl;
    if (!run->read[buffer]) {
        return TUMBLE_OK;
    }
    const cl_int code = o->api.clWaitForEvents(1, &run->read[buffer]);
    forget_event(run, buffer);
    return tmb_opencl_error(o, code, "wait until poses have been read");
}

void tmb_run_end_parts(tmb_passage *run)
{
    forget_event(run, 0);
    forget_event(run, 1);
}

tumble_status tmb_run_send_part(tmb_passage *run, size_t first, size_t count, unsigned buffer)
{
    TMB_ASSERT(buffer < 2);
    TMB_ASSERT(first + count <= run->chunk->check_count);
    tmb_opencl_backend *b = run->backend;
    tmb_opencl *o = b->opencl;
    const tmb_chunk_input *input = &run->input;
    const size_t pose_count = input->pose_count == 1 ? 1 : count;
    const tumble_pose *poses = input->pose_count == 1 ? input->poses : input->poses + first;
    tmb_device_buffer *to = &b->poses[buffer];
    tumble_status status = wait_until_read(run, buffer);
    if (status == TUMBLE_OK) {
        status = tmb_device_buffer_reserve(b, to, pose_count * sizeof *poses);
    }
    if (status == TUMBLE_OK) {
        status = tmb_opencl_error(o,
                                  o->api.clEnqueueWriteBuffer(o->uploads, to->memory, CL_TRUE, 0,
                                                              pose_count * sizeof *poses, poses, 0, NULL, NULL),
                                  "send the poses");
    }
    return status;
}

tumble_status tmb_run_prepare_part(tmb_passage *run, size_t first, size_t count, unsigned buffer)
{
    TMB_ASSERT(buffer < 2);
    TMB_ASSERT(first + count <= run->chunk->check_count);
    tmb_opencl *o = run->backend->opencl;
    const tumble_status status = prepare_there(run, &run->backend->poses[buffer], first, count);
    return status != TUMBLE_OK
               ? status
               : tmb_opencl_error(o, o->api.clEnqueueMarkerWithWaitList(o->queue, 0, NULL, &run->read[buffer]),
                                  "mark that poses have been read");
}

/* ---- The small buffer ---- */

static tmb_device_buffer part_of(tmb_opencl *o, cl_mem all, size_t from, size_t to)
{
    const cl_buffer_region region = {from, to - from};
    cl_int code;
    cl_mem part = o->api.clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return code == CL_SUCCESS ? (tmb_device_buffer){.memory = part, .size = to - from} : (tmb_device_buffer){0};
}

void tmb_small_end(tmb_opencl_backend *backend)
{
    tmb_small_buffers *small = &backend->small;
    const cl_mem parts[] = {small->results.memory, small->numbers.memory, small->checks.memory,
                            small->moves.memory,   small->pairs.memory,   small->queue.memory};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i]) {
            (void)backend->opencl->api.clReleaseMemObject(parts[i]);
        }
    }
    tmb_opencl_release_buffer(backend->opencl, small->all, SMALL_BYTES);
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
    small->results = part_of(o, small->all, SMALL_RESULTS, SMALL_NUMBERS);
    small->numbers = part_of(o, small->all, SMALL_NUMBERS, SMALL_CHECKS);
    small->checks = part_of(o, small->all, SMALL_CHECKS, SMALL_MOVES);
    small->moves = part_of(o, small->all, SMALL_MOVES, SMALL_PAIRS);
    small->pairs = part_of(o, small->all, SMALL_PAIRS, SMALL_QUEUE);
    small->queue = part_of(o, small->all, SMALL_QUEUE, SMALL_BYTES);
    if (!small->results.memory || !small->numbers.memory || !small->checks.memory || !small->moves.memory ||
        !small->pairs.memory || !small->queue.memory) {
        tmb_small_end(backend); /* parts must begin elsewhere: not used */
    }
    return TUMBLE_OK;
}
