/* tumble_closest_points: many points, on several threads.
 *
 * Points are cut into blocks of a fixed size. Within a block the distance that was found for a point, plus the step
 * from there, bounds that of the next one; so counters do not depend on the threads either. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "math/vec3.h"
#include "point/closest.h"

#define BLOCK 64
#define POINT_NANOSECONDS 500

typedef struct batch {
    const tmb_closest *closest;
    const double *points;
    size_t point_count, per_point;
    tmb_point_scratch *scratch;
    tumble_closest *out;
    atomic_int status; /* the first failure */
    _Atomic uint64_t count, box_tests, primitive_tests, exact_tests, bytes_touched;
} batch;

/* One that no other thread uses. There are as many as threads. */
static tmb_point_memory *take_memory(const batch *b)
{
    for (uint32_t i = 0;; i = (i + 1) % b->scratch->memory_count) {
        if (!atomic_flag_test_and_set(&b->scratch->memories[i].is_busy)) {
            return &b->scratch->memories[i];
        }
    }
}

/* How far it is from one point to the next, rounded up. */
static double step_of(const double from[3], const double to[3])
{
    double step[3];
    tmb_subtract(to, from, step);
    const double largest = tmb_largest_size(step);
    return largest > 0x1p-400 && largest < 0x1p400 ? tmb_length(step) * (1 + TMB_POINT_ORDER) : 2 * largest;
}

/* All wanted polygons are within this distance of the next point; INFINITY where nothing is known. */
static double hint_from(const tmb_point_search *s, size_t found, const double next[3])
{
    const double bound = found == s->wanted && found > 0 ? s->bound : INFINITY;
    return (bound + step_of(s->point, next)) * (1 + 2 * TMB_POINT_ORDER);
}

static void fill_missing(tumble_closest *out, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        out[i] = (tumble_closest){UINT32_MAX, INFINITY, INFINITY, INFINITY, {0, 0, 0}};
    }
}

static void add_work(batch *b, const tmb_point_search *s, uint64_t count)
{
    atomic_fetch_add(&b->count, count);
    atomic_fetch_add(&b->box_tests, s->counters.box_tests);
    atomic_fetch_add(&b->primitive_tests, s->counters.primitive_tests);
    atomic_fetch_add(&b->exact_tests, s->counters.exact_tests);
    atomic_fetch_add(&b->bytes_touched, s->counters.bytes_touched);
}

static void find_block(batch *b, size_t block)
{
    const size_t begin = block * BLOCK, end = begin + BLOCK < b->point_count ? begin + BLOCK : b->point_count;
    tmb_point_search s = tmb_closest_search(b->closest, take_memory(b));
    size_t found = 0;
    uint64_t total = 0;
    for (size_t i = begin; i < end && s.status == TUMBLE_OK; i++) {
        tumble_closest *out = b->out + i * b->per_point;
        double next[3];
        (void)tmb_point_move(&b->closest->place, b->points + 3 * i, "point", i, next); /* checked before */
        const double hint = i > begin ? hint_from(&s, found, next) : INFINITY;
        memcpy(s.point, next, sizeof s.point);
        found = tmb_closest_find(b->closest, &s, hint, out);
        fill_missing(out, found, b->per_point);
        total += found;
    }
    atomic_flag_clear(&s.memory->is_busy);
    add_work(b, &s, total);
    if (s.status != TUMBLE_OK) {
        atomic_store(&b->status, (int)s.status);
    }
}

static void find_blocks(void *shared, size_t begin, size_t end)
{
    batch *b = shared;
    for (size_t i = begin; i < end && atomic_load(&b->status) == TUMBLE_OK; i++) {
        find_block(b, i);
    }
}

/* All points are checked before the threads start, so that the message names the first bad one. */
static tumble_status check_points(const tmb_closest *c, const double *points, size_t count)
{
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        double moved[3];
        status = tmb_point_move(&c->place, points + 3 * i, "point", i, moved);
    }
    return status;
}

static tumble_status run(batch *b, uint32_t thread_count, tumble_closest_result *result)
{
    tumble_context *context = b->closest->place.query->context;
    const size_t blocks = (b->point_count + BLOCK - 1) / BLOCK;
    if (!tmb_parallel_for(context, thread_count, blocks, 1, find_blocks, b)) {
        atomic_store(&b->status, TUMBLE_ERROR_MEMORY);
    }
    const tumble_status status = (tumble_status)atomic_load(&b->status);
    if (status != TUMBLE_OK) { /* of another thread: only memory can fail */
        return tmb_fail_memory(context, "the closest polygons");
    }
    result->count = atomic_load(&b->count);
    result->closest = b->point_count > 0 ? b->out : NULL;
    result->closed = b->closest->closed;
    result->counters = (tumble_counters){.box_tests = atomic_load(&b->box_tests),
                                         .primitive_tests = atomic_load(&b->primitive_tests),
                                         .exact_tests = atomic_load(&b->exact_tests),
                                         .bytes_touched = atomic_load(&b->bytes_touched)};
    return TUMBLE_OK;
}

static uint32_t threads_of(const tumble_context *context, const tumble_closest_options *options, size_t count)
{
    const uint32_t wanted = options->thread_count ? options->thread_count : context->thread_count;
    return tmb_threads_for_time(wanted < 256 ? wanted : 256, count, POINT_NANOSECONDS);
}

static tumble_status find_all(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                              const double *points, size_t count, const tumble_closest_options *options,
                              tumble_closest_result *result)
{
    const double start = tmb_seconds();
    const tumble_closest_options defaults = tumble_default_closest_options();
    tumble_context *context = query->context;
    tmb_closest c;
    options = options ? options : &defaults;
    const double none[3] = {0, 0, 0};
    tumble_status status = tmb_closest_check(query, model, count > 0 ? points : none, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_closest_result){0};
    const uint32_t threads = threads_of(context, options, count);
    tmb_point_scratch *scratch = tmb_point_scratch_of(query, threads);
    status = scratch ? tmb_closest_begin(&c, query, model, pose, options) : TUMBLE_ERROR_MEMORY;
    status = status == TUMBLE_OK ? check_points(&c, points, count) : status;
    if (status != TUMBLE_OK) {
        return status;
    }
    if (count > SIZE_MAX / options->count ||
        !tmb_buffer_reserve(context, &scratch->closest, count * options->count, sizeof(tumble_closest), 0)) {
        return tmb_fail_memory(context, "the closest polygons");
    }
    batch b = {.closest = &c,
               .points = points,
               .point_count = count,
               .per_point = options->count,
               .scratch = scratch,
               .out = scratch->closest.data};
    status = run(&b, threads, result);
    result->counters.seconds = tmb_seconds() - start;
    return status;
}

tumble_status tumble_closest_points(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                    const double *points, size_t point_count, const tumble_closest_options *options,
                                    tumble_closest_result *result)
{
    return query ? tmb_query_end(query, find_all(query, model, pose, points, point_count, options, result))
                 : TUMBLE_ERROR_ARGUMENT;
}
