/* The list of pairs on an OpenCL device: room, sorting, fetching. */
#include "device/opencl/list.h"

#include <string.h>

#include "base/assert.h"

#define GROUP 128 /* work-items of the plain kernels */
#define MOST_ITEMS (1u << 30)
#define DIGIT_BITS 4
#define TILE (TMB_CL_SORT_LANES * TMB_CL_SORT_ITEMS)

int tmb_list_stays(const tmb_chunk *chunk)
{
    if (chunk->question != TMB_CL_LIST) {
        return 0;
    }
    for (size_t p = 0; p < chunk->part_count; p++) {
        const tumble_batch *batch = &chunk->parts[p].job->batch;
        if (batch->contact_capacity || batch->contact_counts || tmb_part_has_large_polygons(&chunk->parts[p])) {
            return 0;
        }
    }
    return 1;
}

tumble_status tmb_list_grow(tmb_passage *run, uint32_t count)
{
    TMB_ASSERT(count >= 1);
    tmb_opencl_backend *b = run->backend;
    tmb_opencl *o = b->opencl;
    const uint32_t room = run->input.settings.hit_capacity;
    tmb_device_buffer larger = {.name = b->hits.name};
    if (room >= MOST_ITEMS) {
        return tmb_fail(b->context, TUMBLE_ERROR_MEMORY, "there are more than %u pairs", room);
    }
    const uint64_t size = 4 * (uint64_t)room * sizeof(tmb_cl_hit);
    if (b->hits.size < size) { /* else an earlier chunk has made it larger */
        tumble_status status = tmb_device_buffer_reserve(b, &larger, size);
        if (status == TUMBLE_OK) {
            status = tmb_opencl_error(o,
                                      o->api.clEnqueueCopyBuffer(o->queue, b->hits.memory, larger.memory, 0, 0,
                                                                 count * sizeof(tmb_cl_hit), 0, NULL, NULL),
                                      "move the pairs");
        }
        if (status != TUMBLE_OK) { /* some drivers find out only now that there is no memory */
            tmb_opencl_release_buffer(o, larger.memory, larger.size);
            return status;
        }
        tmb_opencl_release_buffer(o, b->hits.memory, b->hits.size);
        b->hits = larger;
    }
    run->input.settings.hit_capacity = 4 * room;
    return TUMBLE_OK;
}

/* ---- Sorting ---- */

/* An argument of a kernel. */
typedef struct argument {
    const void *value; /* NULL: local memory */
    size_t size;
} argument;

static tumble_status start(tmb_passage *run, cl_kernel kernel, const argument *arguments, cl_uint count, size_t items,
                           size_t group, const char *what)
{
    tmb_opencl *o = run->backend->opencl;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++) {
        code = o->api.clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
    }
    items = (items + group - 1) / group * group;
    if (code == CL_SUCCESS) {
        code = o->api.clEnqueueNDRangeKernel(o->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    }
    return tmb_opencl_error(o, code, what);
}

#define ARGUMENT(variable)            \
    {                                 \
        &(variable), sizeof(variable) \
    }
#define ARGUMENTS(list) (list), (cl_uint)(sizeof(list) / sizeof *(list))

static tumble_status name_polygons(tmb_passage *run, uint32_t count)
{
    tmb_opencl_backend *b = run->backend;
    const tumble_status sent = tmb_tables_refresh(b);
    if (sent != TUMBLE_OK) {
        return sent;
    }
    cl_mem memory = tmb_opencl_memory_lock(b->opencl);
    const argument arguments[] = {ARGUMENT(run->input.settings), ARGUMENT(memory),         ARGUMENT(b->models.memory),
                                  ARGUMENT(run->pairs->memory),  ARGUMENT(b->hits.memory), ARGUMENT(count)};
    const tumble_status status =
        start(run, b->name_polygons, ARGUMENTS(arguments), count, GROUP, "start the kernel that names polygons");
    tmb_opencl_memory_unlock(b->opencl);
    return status;
}

/* Sorts by one digit, from b->hits to b->scratch, and exchanges these. */
static tumble_status sort_digit(tmb_passage *run, uint32_t count, uint32_t word, uint32_t shift)
{
    TMB_ASSERT(word < 3 && shift < 32);
    tmb_opencl_backend *b = run->backend;
    const uint32_t groups = (count + TILE - 1) / TILE, numbers = groups << DIGIT_BITS;
    const size_t lanes = TMB_CL_SORT_LANES, sums = TMB_CL_SORT_LANES * sizeof(uint32_t);
    const argument counting[] = {ARGUMENT(b->hits.memory),   ARGUMENT(count), ARGUMENT(word), ARGUMENT(shift),
                                 ARGUMENT(b->digits.memory), {NULL, sums}};
    const argument adding[] = {ARGUMENT(b->digits.memory), ARGUMENT(numbers), {NULL, sums}};
    const argument placing[] = {ARGUMENT(b->hits.memory),
                                ARGUMENT(count),
                                ARGUMENT(word),
                                ARGUMENT(shift),
                                ARGUMENT(b->digits.memory),
                                ARGUMENT(b->scratch.memory),
                                {NULL, sums << DIGIT_BITS},
                                {NULL, sums}};
    tumble_status status =
        start(run, b->count_digits, ARGUMENTS(counting), groups * lanes, lanes, "start the kernel that counts digits");
    if (status == TUMBLE_OK) {
        status = start(run, b->add_digits, ARGUMENTS(adding), lanes, lanes, "start the kernel that adds up digits");
    }
    if (status == TUMBLE_OK) {
        status =
            start(run, b->place_items, ARGUMENTS(placing), groups * lanes, lanes, "start the kernel that sorts pairs");
    }
    const tmb_device_buffer hits = b->hits;
    b->hits = b->scratch;
    b->scratch = hits;
    return status;
}

/* Bits of the numbers below `limit`. */
static uint32_t bits_below(uint64_t limit)
{
    TMB_ASSERT(limit > 0);
    uint32_t bits = 0;
    while (bits < 32 && (uint64_t)1 << bits < limit) {
        bits++;
    }
    return bits;
}

/* One more than the largest polygon of all models A, or B. */
static uint64_t polygon_limit(const tmb_chunk *chunk, int is_b)
{
    uint64_t limit = 1;
    for (size_t p = 0; p < chunk->part_count; p++) {
        size_t count;
        const tumble_model_pair *pairs = tmb_part_pairs(&chunk->parts[p], &count);
        for (size_t i = 0; i < count; i++) {
            const tumble_model *model = tmb_device_model_of(is_b ? pairs[i].b : pairs[i].a);
            limit = model->block->polygon_limit > limit ? model->block->polygon_limit : limit;
        }
    }
    return limit;
}

tumble_status tmb_list_reserve(tmb_passage *run, uint32_t count)
{
    tmb_opencl_backend *b = run->backend;
    const uint64_t numbers = (uint64_t)((count + TILE - 1) / TILE) << DIGIT_BITS;
    const uint64_t size =
        run->input.settings.hit_capacity * sizeof(tmb_cl_hit); /* as for b->hits: they are exchanged */
    const tumble_status status = tmb_device_buffer_reserve(b, &b->scratch, size);
    return status == TUMBLE_OK ? tmb_device_buffer_reserve(b, &b->digits, numbers * sizeof(uint32_t)) : status;
}

tumble_status tmb_list_sort(tmb_passage *run, uint32_t count)
{
    const uint32_t bits[] = {bits_below(polygon_limit(run->chunk, 1)), bits_below(polygon_limit(run->chunk, 0)),
                             bits_below(run->chunk->check_count)};
    tumble_status status = name_polygons(run, count);
    for (uint32_t word = 0; word < 3; word++) {
        for (uint32_t shift = 0; shift < bits[word] && status == TUMBLE_OK; shift += DIGIT_BITS) {
            status = sort_digit(run, count, word, shift);
        }
    }
    return status;
}

/* ---- Fetching ---- */

static tumble_status fetch_single(tmb_passage *run, uint32_t count)
{
    tmb_opencl_backend *b = run->backend;
    const tmb_check check = tmb_check_of(&run->chunk->parts[0].job->batch, run->chunk->parts[0].first);
    const size_t kept = count < check.found_capacity ? count : check.found_capacity;
    const uint32_t packed = kept ? (uint32_t)kept : 1;
    const argument packing[] = {ARGUMENT(b->hits.memory), ARGUMENT(b->scratch.memory), ARGUMENT(packed)};
    tumble_status status =
        start(run, b->pack_pairs, ARGUMENTS(packing), packed, GROUP, "start the kernel that packs pairs");
    if (status == TUMBLE_OK) {
        status = tmb_run_read(run, &b->scratch, kept ? check.found : &b->first_pair, packed * sizeof(tumble_pair),
                              "fetch the pairs");
    }
    b->first_pair = kept && status == TUMBLE_OK ? check.found[0] : b->first_pair;
    return status;
}

tumble_status tmb_list_fetch(tmb_passage *run, uint32_t count)
{
    tmb_opencl_backend *b = run->backend;
    b->list_count = count;
    if (run->chunk->check_count == 1) {
        return fetch_single(run, count);
    }
    if (!tmb_buffer_reserve(b->context, &b->list, count, sizeof(tmb_cl_hit), 0)) {
        return tmb_fail_memory(b->context, "the pairs of a batch");
    }
    return tmb_run_read(run, &b->hits, b->list.data, count * sizeof(tmb_cl_hit), "fetch the pairs");
}
