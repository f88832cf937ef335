/* The back end of an OpenCL device: jobs cut into chunks, and these into pieces whose models have room at a time; they
 * go through the kernels one after the other. */
#include "device/opencl/batch.h"

#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "tumble/hierarchies.h"

/* Work-groups of a launch for each compute unit: as many as a GPU can hold at one time, and a few for a processor. */
#define GROUPS_GPU 32
#define GROUPS 4

#define LEAST_LOCAL_BYTES 16384 /* of a work-group: what the kernels need */

/* ---- Chunks ---- */

const tumble_model_pair *tmb_part_pairs(const tmb_chunk_part *part, size_t *count)
{
    TMB_ASSERT(part->first + part->count <= part->job->batch.check_count);
    const tumble_batch *batch = &part->job->batch;
    *count = batch->pair_count == 1 ? 1 : part->count;
    return batch->pair_count == 1 ? batch->pairs : batch->pairs + part->first;
}

/* Polygons of several triangles can be found more than once: such pairs are listed, and counted here. */
int tmb_part_has_large_polygons(const tmb_chunk_part *part)
{
    size_t count;
    const tumble_model_pair *pairs = tmb_part_pairs(part, &count);
    for (size_t i = 0; i < count; i++) {
        if (tmb_model_has_large_polygons(tmb_device_model_of(pairs[i].a)) ||
            tmb_model_has_large_polygons(tmb_device_model_of(pairs[i].b))) {
            return 1;
        }
    }
    return 0;
}

static int has_boxtrees(const tmb_chunk_part *part)
{
    size_t count;
    const tumble_model_pair *pairs = tmb_part_pairs(part, &count);
    for (size_t i = 0; i < count; i++) {
        if (tmb_device_model_of(pairs[i].a)->block->hierarchy == TUMBLE_HIERARCHY_BOXTREE ||
            tmb_device_model_of(pairs[i].b)->block->hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
            return 1;
        }
    }
    return 0;
}

/* Lookup tables are the same axes; the full test leaves out the cross products, which separate few boxes. */
static uint32_t axes_of(const tmb_chunk_part *part)
{
    const tumble_tuning *tuning = part->job->batch.tuning;
    if (!has_boxtrees(part)) {
        return 0;
    }
    const tumble_boxtree_walk walk = tuning ? tuning->boxtree_walk : (tumble_boxtree_walk){0};
    if (walk.overlap != TUMBLE_OVERLAP_AXES && walk.overlap != TUMBLE_OVERLAP_TABLES) {
        return TMB_CL_AXES_OF_A | TMB_CL_AXES_OF_B;
    }
    switch (walk.direction) {
    case TUMBLE_DIRECTION_B_INTO_A: return TMB_CL_AXES_OF_A;
    case TUMBLE_DIRECTION_A_INTO_B: return TMB_CL_AXES_OF_B;
    default: return TMB_CL_AXES_OF_A | TMB_CL_AXES_OF_B;
    }
}

static uint32_t question_of(const tmb_chunk_part *part)
{
    switch (part->job->batch.mode) {
    case TUMBLE_TEST: return TMB_CL_TEST;
    case TUMBLE_FIRST: return TMB_CL_FIRST;
    case TUMBLE_COUNT: return tmb_part_has_large_polygons(part) ? TMB_CL_LIST : TMB_CL_COUNT;
    default: return TMB_CL_LIST;
    }
}

/* Where the next chunk begins. */
typedef struct cursor {
    tmb_job *const *jobs;
    size_t job_count, job, check;
} cursor;

/* Checks of as many jobs as ask the same, in the same way. */
static void fill_chunk(cursor *at, tmb_chunk *chunk)
{
    memset(chunk, 0, sizeof *chunk);
    while (at->job < at->job_count && chunk->part_count < TMB_CHUNK_PARTS && chunk->check_count < TMB_CHUNK_CHECKS) {
        tmb_job *job = at->jobs[at->job];
        const size_t rest = job->batch.check_count - at->check, room = TMB_CHUNK_CHECKS - chunk->check_count;
        const size_t count = rest < room ? rest : room;
        const tmb_chunk_part part = {job, at->check, count};
        const uint32_t question = question_of(&part), axes = axes_of(&part);
        if (chunk->part_count && (question != chunk->question || axes != chunk->axes)) {
            return;
        }
        chunk->question = question;
        chunk->axes = axes;
        chunk->parts[chunk->part_count++] = part;
        chunk->check_count += count;
        at->check += count;
        if (at->check < job->batch.check_count) {
            return;
        }
        at->job++;
        at->check = 0;
    }
}

/* Leaves checks without an answer. */
static void refuse(const tmb_chunk_part *part, tumble_status status)
{
    const tumble_batch *batch = &part->job->batch;
    for (size_t i = part->first; i < part->first + part->count; i++) {
        batch->answers[i] = (tumble_check_answer){.status = status};
        if (batch->contact_counts) {
            batch->contact_counts[i] = 0;
        }
    }
}

static void add_times(const tmb_chunk *chunk, tmb_job *job)
{
    job->upload_seconds += chunk->upload_seconds;
    job->run_seconds += chunk->run_seconds;
    job->result_seconds += chunk->result_seconds;
}

static int is_cancelled(tmb_job *job)
{
    return atomic_load_explicit(&job->cancel, memory_order_relaxed) != 0;
}

/* Whether a part needs the device: not when its job was cancelled, or has failed in an earlier chunk. */
static int is_open(const tmb_chunk_part *part)
{
    return !is_cancelled(part->job) && !part->job->is_lost;
}

/* `is_lost`: so are the checks of the job that were not tried yet. */
static void end_part(tmb_opencl_backend *backend, const tmb_chunk *chunk, const tmb_chunk_part *part,
                     tumble_status status, int is_lost)
{
    TMB_ASSERT(part->count > 0);
    tmb_job *job = part->job;
    if (status != TUMBLE_OK) {
        refuse(part, status);
        job->is_lost |= is_lost;
        job->status = is_lost ? TUMBLE_OK : job->status; /* the device matters more than a check that failed before */
        tmb_job_fail(job, backend->context, status);
    } else {
        atomic_fetch_add_explicit(&job->done_count, part->count, memory_order_relaxed);
    }
    add_times(chunk, job);
    if (part->first + part->count == job->batch.check_count) {
        job->finished(job);
    }
}

/* The parts that are not wanted leave the chunk; those that stay are in front. */
static void drop_closed_parts(tmb_opencl_backend *backend, tmb_chunk *chunk)
{
    size_t kept = 0;
    const tmb_chunk no_time = {0};
    for (size_t i = 0; i < chunk->part_count; i++) {
        const tmb_chunk_part part = chunk->parts[i];
        if (is_open(&part)) {
            chunk->parts[kept++] = part;
            continue;
        }
        chunk->check_count -= part.count;
        end_part(backend, &no_time, &part,
                 part.job->is_lost ? part.job->status
                                   : tmb_fail(backend->context, TUMBLE_ERROR_CANCELLED, "the batch was cancelled"),
                 1);
    }
    chunk->part_count = kept;
}

/* ---- Pieces: as much of a chunk as there is room for at a time ---- */

/* A piece that had no room is tried again with fewer checks, a single check once more without the buffers of others. */
typedef struct attempt {
    tmb_chunk piece;
    size_t most;  /* checks of the next piece */
    int is_alone; /* the last attempt failed, and was for a single check */
    int is_final; /* there is nothing left to try */
    int is_small; /* the limit of memory is too small for it; else the device has failed */
} attempt;

/* The first `count` checks of a chunk; the others stay there. */
static void cut(tmb_chunk *chunk, size_t count, tmb_chunk *piece)
{
    TMB_ASSERT(count > 0 && count <= chunk->check_count);
    memset(piece, 0, sizeof *piece);
    piece->question = chunk->question;
    piece->axes = chunk->axes;
    size_t first = 0;
    while (piece->check_count < count) {
        tmb_chunk_part *part = &chunk->parts[first];
        const size_t rest = count - piece->check_count, taken = part->count < rest ? part->count : rest;
        piece->parts[piece->part_count++] = (tmb_chunk_part){part->job, part->first, taken};
        piece->check_count += taken;
        part->first += taken;
        part->count -= taken;
        first += part->count == 0;
    }
    chunk->part_count -= first;
    chunk->check_count -= count;
    memmove(chunk->parts, chunk->parts + first, chunk->part_count * sizeof *chunk->parts);
}

/* Says which models have no room, after the limit had none for something that they need. */
static tumble_status refuse_pair(tmb_opencl_backend *backend, const tmb_chunk_part *part)
{
    size_t count;
    const tumble_model_pair *pair = tmb_part_pairs(part, &count);
    const tmb_uploaded_model *a = tmb_uploaded(pair->a), *b = tmb_uploaded(pair->b);
    char reason[256] = "";
    (void)tumble_last_error(backend->context, reason, sizeof reason);
    return tmb_fail(backend->context, TUMBLE_ERROR_MEMORY,
                    "check %zu: models of %llu and %llu bytes do not fit at a time (raise memory_limit): %s",
                    part->first, (unsigned long long)a->bytes, (unsigned long long)b->bytes, reason);
}

/* Runs the piece; nothing of it has an answer if there was no room. */
static tumble_status run_piece(tmb_opencl_backend *backend, attempt *a)
{
    const uint64_t refused = atomic_load(&backend->opencl->refused_count);
    tumble_status status = tmb_chunk_run(backend, &a->piece);
    a->is_final = status != TUMBLE_ERROR_MEMORY || (a->piece.check_count == 1 && a->is_alone);
    a->is_small = status == TUMBLE_ERROR_MEMORY && atomic_load(&backend->opencl->refused_count) != refused;
    if (status == TUMBLE_OK) {
        const double begin = tmb_seconds();
        status = tmb_chunk_answer(backend, &a->piece);
        a->piece.result_seconds += tmb_seconds() - begin;
    } else if (a->is_final && a->is_small) {
        status = refuse_pair(backend, &a->piece.parts[0]);
    }
    tmb_swap_end_piece(backend);
    return status;
}

static void plan_next(tmb_opencl_backend *backend, attempt *a)
{
    const size_t count = a->piece.check_count;
    a->is_alone = !a->is_final && count == 1;
    a->most = a->is_final ? (a->most > SIZE_MAX / 2 ? SIZE_MAX : 2 * a->most) : (count + 1) / 2;
    if (a->is_alone) {
        tmb_buffers_release(backend);
    }
}

static void run_chunk(tmb_opencl_backend *backend, tmb_chunk *chunk)
{
    attempt a = {.most = SIZE_MAX};
    drop_closed_parts(backend, chunk);
    while (chunk->check_count) {
        tmb_chunk all = *chunk;
        cut(chunk, tmb_swap_begin_piece(backend, chunk, a.most), &a.piece);
        const tumble_status status = run_piece(backend, &a);
        plan_next(backend, &a);
        if (!a.is_final) {
            *chunk = all;
        }
        for (size_t i = 0; i < a.piece.part_count && a.is_final; i++) {
            end_part(backend, &a.piece, &a.piece.parts[i], status, !a.is_small);
        }
        drop_closed_parts(backend, chunk);
    }
}

static void run(void *self, tmb_job *const *jobs, size_t count)
{
    cursor at = {.jobs = jobs, .job_count = count};
    tmb_chunk chunk;
    while (at.job < count) {
        fill_chunk(&at, &chunk);
        run_chunk(self, &chunk);
    }
}

/* ---- Opening and closing ---- */

static void name_buffers(tmb_opencl_backend *b)
{
    b->models.name = "the table of models";
    b->frames.name = "the table of frames";
    b->poses[0].name = b->poses[1].name = b->moves.name = "poses";
    b->pairs.name = "pairs of models";
    b->checks.name = "checks";
    b->results.name = "results";
    b->numbers.name = "counts";
    b->queues[0].name = b->queues[1].name = "the queue";
    b->hits.name = b->undecided.name = b->left.name = "pairs of triangles";
    b->spill.name = b->saved.name = b->spill_boxes.name = "the stacks";
    b->queue_boxes[0].name = b->queue_boxes[1].name = "the queue's boxes";
    b->scratch.name = b->digits.name = "sorting pairs";
}

static void close_backend(void *self)
{
    tmb_opencl_backend *b = self;
    tmb_buffer *here[] = {&b->poses_here, &b->pairs_here, &b->checks_here, &b->queue_here, &b->hits_here, &b->given,
                          &b->starts,     &b->sorted,     &b->list,        &b->more,       &b->small_here};
    tmb_buffers_release(b);
    tmb_opencl_release_buffer(b->opencl, b->models.memory, b->models.size);
    tmb_opencl_release_buffer(b->opencl, b->frames.memory, b->frames.size);
    tmb_small_end(b);
    for (size_t i = 0; i < sizeof here / sizeof *here; i++) {
        tmb_buffer_release(b->context, here[i]);
    }
    cl_kernel kernels[] = {b->prepare,       b->walk,         b->walk_boxtrees, b->empty_lists, b->settle,
                           b->name_polygons, b->count_digits, b->add_digits,    b->place_items, b->pack_pairs};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (kernels[i]) {
            (void)b->opencl->api.clReleaseKernel(kernels[i]);
        }
    }
    tumble_query_destroy(b->query);
    tmb_tables_end(b);
    tmb_opencl_stop(b->opencl);
    tmb_release(b->context, b);
}

static tumble_status make_kernels(tmb_opencl_backend *b)
{
    const struct {
        const char *name;
        cl_kernel *kernel;
        int needs_doubles;
    } kernels[] = {
        {"tumble_walk", &b->walk, 0},
        {"tumble_walk_boxtrees", &b->walk_boxtrees, 0},
        {"tumble_prepare", &b->prepare, 1},
        {"tumble_empty_lists", &b->empty_lists, 0},
        {"tumble_settle", &b->settle, 1},
        {"tumble_name_polygons", &b->name_polygons, 0},
        {"tumble_count_digits", &b->count_digits, 0},
        {"tumble_add_digits", &b->add_digits, 0},
        {"tumble_place_items", &b->place_items, 0},
        {"tumble_pack_pairs", &b->pack_pairs, 0},
    };
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == TUMBLE_OK; i++) {
        if (b->opencl->doubles || !kernels[i].needs_doubles) {
            status = tmb_opencl_kernel(b->opencl, kernels[i].name, kernels[i].kernel);
        }
    }
    return status;
}

tumble_status tmb_opencl_open(tumble_context *context, uint32_t number, const tumble_device_options *options,
                              tmb_backend *out)
{
    tmb_opencl_backend *b = tmb_allocate(context, 1, sizeof *b);
    if (!b) {
        return tmb_fail_memory(context, "a device");
    }
    memset(b, 0, sizeof *b);
    b->context = context;
    name_buffers(b);
    tumble_status status = tmb_opencl_start(context, number, options, &b->opencl);
    if (status != TUMBLE_OK) {
        tmb_release(context, b);
        return status;
    }
    if (b->opencl->largest_group < TMB_CL_SORT_LANES || b->opencl->local_bytes < LEAST_LOCAL_BYTES) {
        status = tmb_fail(context, TUMBLE_ERROR_DEVICE,
                          "%s: work-groups of %zu work-items with %llu bytes of local memory are too small",
                          b->opencl->name, b->opencl->largest_group, (unsigned long long)b->opencl->local_bytes);
        tmb_opencl_stop(b->opencl);
        tmb_release(context, b);
        return status;
    }
    b->group_count = b->opencl->unit_count * (b->opencl->is_gpu ? GROUPS_GPU : GROUPS);
    tmb_tables_begin(b);
    tmb_swap_begin(b);
    status = tumble_query_create(context, &b->query);
    if (status == TUMBLE_OK) {
        status = make_kernels(b);
    }
    if (status == TUMBLE_OK) {
        status = tmb_small_begin(b);
    }
    if (status != TUMBLE_OK) {
        close_backend(b);
        return status;
    }
    *out = (tmb_backend){.self = b,
                         .context = context,
                         .close = close_backend,
                         .add_model = tmb_opencl_add_model,
                         .remove_model = tmb_opencl_remove_model,
                         .get_memory = tmb_opencl_get_memory,
                         .run = run};
    return TUMBLE_OK;
}
