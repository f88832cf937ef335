/* Runs a chunk of checks: uploads it, traverses in as many launches as it takes, and fetches the results.
 *
 * Some launches are started without checking on the previous one: those that follow when few checks are to be shared by
 * many work-groups, and those of a large chunk, whose poses go up in parts while the parts before are at work. */
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "device/opencl/list.h"

/* Steps after which work-groups share, and the bits of the steps that are then 0: when there is work for most of them,
 * when there is not, and for the first launch of few checks, of which many end soon. */
#define SHARE_AFTER 32
#define SHARE_MASK 15
#define SHARE_AFTER_FEW 6
#define SHARE_MASK_FEW 1
#define SHARE_AFTER_FIRST 8

/* This many checks are uploaded together; the first parts are small, so that the device starts soon. */
#define FIRST_PART_CHECKS ((size_t)1 << 13)
#define PART_CHECKS ((size_t)1 << 15)

#define BLIND_GROUPS 256 /* work-groups of the second launch for few checks */

#define LEAST_SORTED 2048         /* pairs: fewer are sorted here */
#define SETTLE_GROUP 64           /* work-items */
#define STATES_WITH_COUNTERS 1024 /* up to this many states are fetched together with the counters */

/* ---- Launches ---- */

static tumble_status start_walk(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_device_buffer *buffers[] = {&b->models,    &b->frames,         run->pairs,         run->moves,
                                          run->checks,   run->results,       run->numbers,       &b->hits,
                                          &b->undecided, run->queue_even,    &b->queues[1],      &b->spill,
                                          &b->saved,     &b->queue_boxes[0], &b->queue_boxes[1], &b->spill_boxes};
    const int boxtrees = run->chunk->axes != 0;
    const cl_uint count = sizeof buffers / sizeof *buffers - (boxtrees ? 0 : 3);
    cl_kernel kernel = boxtrees ? b->walk_boxtrees : b->walk;
    const tumble_status status =
        tmb_opencl_error(b->opencl, b->opencl->api.clSetKernelArg(kernel, count + 2, TMB_CL_WORKSPACE_BYTES, NULL),
                         "give local memory to the kernel that walks");
    return status != TUMBLE_OK ? status
                               : tmb_run_start(run, kernel, 1, buffers, count, (size_t)run->group_count * TMB_CL_LANES,
                                               TMB_CL_LANES, "start the kernel that walks");
}

static tumble_status start_settle(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_device_buffer *buffers[] = {&b->models,   run->pairs, run->moves,    run->results,
                                          run->numbers, &b->hits,   &b->undecided, &b->left};
    return tmb_run_start(run, b->settle, 1, buffers, sizeof buffers / sizeof *buffers,
                         ((size_t)b->group_count + 1) / 2 * SETTLE_GROUP, SETTLE_GROUP,
                         "start the kernel that settles pairs");
}

/* Lists were fetched; this many hits stay. */
static tumble_status empty_lists(tmb_passage *run, uint32_t hits)
{
    tmb_opencl_backend *b = run->backend;
    tmb_opencl *o = b->opencl;
    const tmb_device_buffer *buffers[] = {run->results};
    const tumble_status status =
        tmb_opencl_error(o, o->api.clSetKernelArg(b->empty_lists, 2, sizeof hits, &hits), "empty the lists");
    return status == TUMBLE_OK ? tmb_run_start(run, b->empty_lists, 0, buffers, 1, 1, 1, "empty the lists") : status;
}

/* Waits for what was started. A few states are fetched along, which saves a later read. */
static tumble_status fetch_counters(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t states = run->chunk->check_count <= STATES_WITH_COUNTERS ? run->chunk->check_count : 0;
    uint32_t *here = b->results_here.data;
    const tumble_status status =
        run->is_small
            ? tmb_run_fetch_small(run)
            : tmb_run_read(run, run->results, here, (TMB_CL_COUNTERS + states) * sizeof *here, "fetch the counters");
    memcpy(run->counters, here, sizeof run->counters);
    return status;
}

static uint32_t filled(const tmb_passage *run, int used, int limit)
{
    return run->counters[used] < run->counters[limit] ? run->counters[used] : run->counters[limit];
}

/* Appends a list of the device to the pairs that the processor has to decide. */
static tumble_status drain(tmb_passage *run, const tmb_device_buffer *list, uint32_t count, uint32_t is_hit)
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
    const tumble_status status = tmb_run_read(run, list, b->hits_here.data, count * sizeof(tmb_cl_hit), "fetch pairs");
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

static tumble_status drain_lists(tmb_passage *run)
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
    if (status == TUMBLE_OK && run->chunk->question == TMB_CL_LIST && !run->keeps_list) {
        status = drain(run, &b->hits, filled(run, TMB_CL_HITS, TMB_CL_HITS_LIMIT), 1);
    }
    return status;
}

/* A device that has no memory for the whole list hands over what there is, and then does so after each launch. */
static tumble_status give_up_list(tmb_passage *run, uint32_t count)
{
    run->keeps_list = 0;
    return drain(run, &run->backend->hits, count, 1);
}

/* Room for what the next launch finds. */
static tumble_status keep_list(tmb_passage *run, uint32_t *kept)
{
    const uint32_t count = filled(run, TMB_CL_HITS, TMB_CL_HITS_LIMIT);
    *kept = count;
    if (count <= run->input.settings.hit_capacity / 2) {
        return TUMBLE_OK;
    }
    const tumble_status status = tmb_list_grow(run, count);
    if (status == TUMBLE_ERROR_MEMORY) {
        *kept = 0;
        return give_up_list(run, count);
    }
    return status;
}

/* The walk is over. Short lists are sorted here. */
static tumble_status end_list(tmb_passage *run)
{
    const uint32_t count = filled(run, TMB_CL_HITS, TMB_CL_HITS_LIMIT);
    if (count < LEAST_SORTED) {
        return give_up_list(run, count);
    }
    tumble_status status = tmb_list_reserve(run, count);
    if (status == TUMBLE_ERROR_MEMORY) {
        return give_up_list(run, count);
    }
    if (status == TUMBLE_OK) {
        status = tmb_list_sort(run, count);
    }
    run->backend->is_listed = status == TUMBLE_OK;
    return status == TUMBLE_OK ? tmb_list_fetch(run, count) : status;
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

/* What an abandoned launch has kept must not come back. */
static void forget_saved(tmb_opencl_backend *backend)
{
    tmb_opencl_release_buffer(backend->opencl, backend->saved.memory, backend->saved.size);
    backend->saved.memory = NULL;
    backend->saved.size = 0;
}

/* Whether work is left: in a queue, or kept by work-groups. */
static int has_more(const tmb_passage *run)
{
    return run->counters[TMB_CL_TAKEN] < run->counters[TMB_CL_IN] || run->counters[TMB_CL_KEPT];
}

/* Whether a list may soon be full, or was: it must be fetched before the next launch. */
static int is_filling(const tmb_passage *run)
{
    const tmb_cl_settings *s = &run->input.settings;
    return run->counters[TMB_CL_UNDECIDED] > s->undecided_capacity / 2 ||
           run->counters[TMB_CL_HITS] > s->hit_capacity / 2 || run->counters[TMB_CL_KEPT];
}

/* How a launch shares work, given the number of items. Too few for all work-groups: no more are started than can have
 * work, and these share soon. */
static void plan_sharing(tmb_passage *run, uint32_t queued, int is_first)
{
    tmb_opencl_backend *b = run->backend;
    tmb_cl_settings *s = &run->input.settings;
    const uint32_t busy = is_first ? 0 : run->counters[TMB_CL_KEPT];
    const int is_few = queued + busy < b->group_count / 2;
    s->hungry = is_few ? 0 : b->group_count / 4 + 1;
    s->share_after = !is_few ? SHARE_AFTER : is_first ? SHARE_AFTER_FIRST : SHARE_AFTER_FEW;
    s->share_mask = is_few ? SHARE_MASK_FEW : SHARE_MASK;
    if (is_first || !run->counters[TMB_CL_KEPT]) { /* else those that have kept something must come back */
        run->group_count = queued < 1 ? 1 : queued < b->group_count ? queued : b->group_count;
    } else if (run->group_count < queued) {
        run->group_count = queued < b->group_count ? queued : b->group_count;
    }
}

/* Few checks: a second launch does what the first has handed over. */
static tumble_status walk_few(tmb_passage *run)
{
    const uint32_t most = run->backend->group_count;
    plan_sharing(run, run->counters[TMB_CL_IN], 1);
    tumble_status status = start_walk(run);
    if (status == TUMBLE_OK && run->group_count < most) {
        run->group_count = most < BLIND_GROUPS ? most : BLIND_GROUPS;
        run->input.settings.share_after = SHARE_AFTER;
        status = start_walk(run);
    }
    return status;
}

/* Many checks: part by part. What a launch has not finished when it runs out of checks comes with the next part. */
static tumble_status walk_parts(tmb_passage *run)
{
    tmb_opencl *o = run->backend->opencl;
    const size_t all = run->chunk->check_count;
    tumble_status status = TUMBLE_OK;
    plan_sharing(run, run->backend->group_count, 1);
    size_t first = 0;
    for (unsigned part = 0; first < all && status == TUMBLE_OK; part++) {
        const size_t most = part < 2 ? FIRST_PART_CHECKS << part : PART_CHECKS, rest = all - first;
        const size_t count = rest < most + most / 2 ? rest : most;
        status = tmb_run_send_part(run, first, count, part & 1);
        if (status == TUMBLE_OK) {
            status = tmb_run_prepare_part(run, first, count, part & 1);
        }
        if (status == TUMBLE_OK) {
            status = start_walk(run);
        }
        if (status == TUMBLE_OK) {
            status = tmb_opencl_error(o, o->api.clFlush(o->queue), "start what was enqueued");
        }
        run->sent = part == 0 ? tmb_seconds() : run->sent;
        first += count;
    }
    tmb_run_end_parts(run);
    return status == TUMBLE_OK ? start_walk(run) : status; /* and what the last one has handed over */
}

static tumble_status start_first(tmb_passage *run)
{
    if (run->is_small) {
        return walk_few(run);
    }
    if (!run->input.is_prepared) {
        return walk_parts(run);
    }
    plan_sharing(run, run->counters[TMB_CL_IN], 1);
    return start_walk(run);
}

/* Lists that are filling are fetched, or grow. */
static tumble_status make_room(tmb_passage *run)
{
    uint32_t kept = 0;
    tumble_status status = drain_lists(run);
    if (status == TUMBLE_OK && run->keeps_list) {
        status = keep_list(run, &kept);
    }
    return status == TUMBLE_OK ? empty_lists(run, kept) : status;
}

static tumble_status start_next(tmb_passage *run)
{
    plan_sharing(run, run->counters[TMB_CL_IN] - run->counters[TMB_CL_TAKEN], 0);
    const tumble_status status = is_filling(run) ? make_room(run) : TUMBLE_OK;
    return status == TUMBLE_OK ? start_walk(run) : status;
}

static tumble_status walk(tmb_passage *run)
{
    run->keeps_list = tmb_list_stays(run->chunk);
    tumble_status status = start_first(run);
    if (status == TUMBLE_OK) {
        status = fetch_counters(run);
    }
    while (status == TUMBLE_OK && has_more(run)) {
        if (!is_wanted(run->chunk)) {
            return TUMBLE_ERROR_CANCELLED;
        }
        status = start_next(run);
        if (status == TUMBLE_OK) {
            status = fetch_counters(run);
        }
    }
    if (status == TUMBLE_OK) {
        status = drain_lists(run);
    }
    return status == TUMBLE_OK && run->keeps_list ? end_list(run) : status;
}

/* ---- Results ---- */

static tumble_status fetch_results(tmb_passage *run)
{
    tmb_opencl_backend *b = run->backend;
    const size_t count = run->chunk->check_count;
    const uint32_t question = run->chunk->question;
    uint32_t *here = b->results_here.data;
    tumble_status status = TUMBLE_OK;
    if (count > STATES_WITH_COUNTERS) {
        status = tmb_run_read(run, run->results, here, (TMB_CL_COUNTERS + count) * sizeof *here, "fetch the states");
    }
    if (status == TUMBLE_OK && !run->is_small && (question == TMB_CL_COUNT || question == TMB_CL_FIRST)) {
        status = tmb_run_read(run, &b->numbers, b->numbers_here.data, 2 * count * sizeof(uint32_t), "fetch the counts");
    }
    return status;
}

static tumble_status reserve_here(tmb_opencl_backend *backend, size_t count)
{
    backend->given_count = backend->list_count = 0;
    backend->is_listed = 0;
    const tumble_status status =
        tmb_shared_reserve(backend, &backend->results_here, (TMB_CL_COUNTERS + count) * sizeof(uint32_t));
    return status == TUMBLE_OK ? tmb_shared_reserve(backend, &backend->numbers_here, 2 * count * sizeof(uint32_t))
                               : status;
}

tumble_status tmb_chunk_run(tmb_opencl_backend *backend, tmb_chunk *chunk)
{
    TMB_ASSERT(chunk->check_count > 0 && chunk->part_count > 0 && chunk->part_count <= TMB_CHUNK_PARTS);
    tmb_passage run = {.backend = backend, .chunk = chunk};
    const double begin = tmb_seconds();
    tumble_status status = reserve_here(backend, chunk->check_count);
    if (status == TUMBLE_OK) {
        status = tmb_chunk_prepare(backend, chunk, &run.input);
    }
    if (status == TUMBLE_OK) {
        status = tmb_run_send(&run);
    }
    run.sent = tmb_seconds();
    if (status == TUMBLE_OK) {
        status = walk(&run);
    }
    if (status != TUMBLE_OK) {
        /* What was enqueued may read memory of this machine that is about to go. */
        (void)backend->opencl->api.clFinish(backend->opencl->queue);
        forget_saved(backend);
    }
    const double walked = tmb_seconds();
    if (status == TUMBLE_OK) {
        status = fetch_results(&run);
    }
    chunk->upload_seconds = run.sent - begin;
    chunk->run_seconds = walked - run.sent;
    chunk->result_seconds = tmb_seconds() - walked;
    return status;
}
