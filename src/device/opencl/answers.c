/* Turns what an OpenCL device has found into answers: exact arithmetic decides the pairs that floats and doubles could
 * not, and lists become those of tumble_collide. */
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "device/opencl/batch.h"
#include "prim/triangle.h"

/* ---- Pairs that the device has not decided ---- */

#define DECIDED_TOGETHER 256 /* pairs */
#define FEW 2048             /* pairs: not worth starting threads */
#define IS_MISS 2            /* instead of is_hit */

typedef struct undecided {
    const tmb_chunk *chunk;
    tmb_check_pair *pairs;
} undecided;

/* The part of a chunk that a check is in. */
static const tmb_chunk_part *part_of(const tmb_chunk *chunk, size_t check, size_t *number)
{
    TMB_ASSERT(check < chunk->check_count);
    const tmb_chunk_part *part = chunk->parts;
    while (check >= part->count) {
        check -= part->count;
        part++;
    }
    *number = part->first + check;
    return part;
}

/* The relative pose of a check, whose poses are valid. */
static tmb_check check_and_pose(const tmb_chunk *chunk, uint32_t number, tumble_pose *relative)
{
    TMB_ASSERT(number < chunk->check_count);
    size_t own;
    const tmb_chunk_part *part = part_of(chunk, number, &own);
    const tmb_check check = tmb_check_of(&part->job->batch, own);
    *relative = tmb_check_pose(&check);
    return check;
}

static int triangles_intersect(const tmb_check *check, const tumble_pose *relative, const tmb_given_pair *pair)
{
    double a[3][3], b[3][3], moved[3][3];
    tmb_model_corners(check->a, pair->a, a);
    tmb_model_corners(check->b, pair->b, b);
    for (int i = 0; i < 3; i++) {
        tumble_pose_apply(relative, b[i], moved[i]);
    }
    return tmb_triangles_intersect((const double(*)[3])a, (const double(*)[3])moved, NULL);
}

static void decide_range(void *shared, size_t begin, size_t end)
{
    const undecided *u = shared;
    tumble_pose relative;
    uint32_t known = u->pairs[begin].check;
    tmb_check check = check_and_pose(u->chunk, known, &relative);
    for (size_t i = begin; i < end; i++) {
        tmb_check_pair *item = &u->pairs[i];
        if (item->check != known) {
            check = check_and_pose(u->chunk, item->check, &relative);
            known = item->check;
        }
        if (!item->pair.is_hit) {
            item->pair.is_hit = triangles_intersect(&check, &relative, &item->pair) ? 1 : IS_MISS;
        }
    }
}

static void count_undecided(tmb_opencl_backend *backend, const tmb_chunk *chunk)
{
    const tmb_check_pair *pairs = backend->given.data;
    size_t own;
    for (size_t i = 0; i < backend->given_count; i++) {
        if (!pairs[i].pair.is_hit) {
            tmb_job *job = part_of(chunk, pairs[i].check, &own)->job;
            atomic_fetch_add_explicit(&job->exact_count, 1, memory_order_relaxed);
        }
    }
}

/* Decides them by exact arithmetic, on all threads of the context. Where one hit is enough they are decided one by one
 * instead, until there is one. */
static tumble_status decide(tmb_opencl_backend *backend, const tmb_chunk *chunk)
{
    undecided u = {chunk, backend->given.data};
    size_t kept = 0;
    count_undecided(backend, chunk);
    if (chunk->question <= TMB_CL_FIRST) {
        return TUMBLE_OK;
    }
    const uint32_t threads = backend->given_count < FEW ? 1 : backend->context->thread_count;
    if (!tmb_parallel_for(backend->context, threads, backend->given_count, DECIDED_TOGETHER, decide_range, &u)) {
        return tmb_fail_memory(backend->context, "the threads that settle pairs");
    }
    for (size_t i = 0; i < backend->given_count; i++) {
        if (u.pairs[i].pair.is_hit != IS_MISS) {
            u.pairs[kept++] = u.pairs[i];
        }
    }
    backend->given_count = kept;
    return TUMBLE_OK;
}

/* ---- Lists ---- */

/* The pairs of each check together, in the order in which they came: backend->sorted, check i's from starts[i] on. */
static tumble_status sort_given(tmb_opencl_backend *backend, size_t check_count)
{
    TMB_ASSERT(check_count > 0);
    tumble_context *context = backend->context;
    if (!tmb_buffer_reserve(context, &backend->starts, check_count + 2, sizeof(size_t), 0) ||
        !tmb_buffer_reserve(context, &backend->sorted, backend->given_count, sizeof(tmb_given_pair), 0)) {
        return tmb_fail_memory(context, "the pairs of a batch");
    }
    size_t *starts = backend->starts.data;
    tmb_given_pair *sorted = backend->sorted.data;
    const tmb_check_pair *given = backend->given.data;
    memset(starts, 0, (check_count + 2) * sizeof *starts);
    for (size_t i = 0; i < backend->given_count; i++) {
        starts[given[i].check + 2]++;
    }
    for (size_t i = 2; i < check_count + 2; i++) {
        starts[i] += starts[i - 1];
    }
    for (size_t i = 0; i < backend->given_count; i++) {
        sorted[starts[given[i].check + 1]++] = given[i].pair;
    }
    return TUMBLE_OK;
}

/* A check and what the device knows of it. */
typedef struct finding {
    tmb_check check;
    uint32_t question, state;
    const uint32_t *numbers; /* two */
    const tmb_given_pair *given;
    size_t given_count;
    const tmb_cl_hit *listed; /* pairs that were sorted on the device; NULL: they are in the caller's array */
    size_t listed_count;
} finding;

static uint32_t polygon_of(const tumble_model *model, uint32_t address)
{
    return tmb_model_polygon(model, address);
}

/* The answer from the device alone. */
static tumble_check_answer answer_of(const finding *f)
{
    tumble_check_answer answer = {.collide = f->state == TMB_CL_FOUND, .pair_count = f->state == TMB_CL_FOUND};
    if (f->question == TMB_CL_COUNT) {
        answer.pair_count = f->numbers[0] | (uint64_t)f->numbers[1] << 32;
    }
    if (f->question == TMB_CL_FIRST && answer.collide) {
        answer.first = (tumble_pair){polygon_of(f->check.a, f->numbers[0]), polygon_of(f->check.b, f->numbers[1])};
    }
    return answer;
}

static tumble_status settle(tmb_opencl_backend *backend, const finding *f, tumble_collide_result *result)
{
    const tumble_collide_options options = tmb_check_options(&f->check);
    return tmb_collide_given(backend->query, f->check.a, f->check.pose_a, f->check.b, f->check.pose_b, &options,
                             f->given, f->given_count, result);
}

/* The device's answer with what is settled here. */
static void settled_answer(tmb_opencl_backend *backend, const finding *f)
{
    tumble_collide_result result = {.collide = false};
    tumble_check_answer answer = {0};
    if (f->question != TMB_CL_LIST) {
        answer = answer_of(f);
    }
    const tumble_status status = settle(backend, f, &result);
    if (status != TUMBLE_OK) {
        answer = (tumble_check_answer){.status = status};
    } else if (result.collide) {
        answer.collide = 1;
        answer.pair_count += result.pair_count;
        answer.first = f->question == TMB_CL_COUNT || f->question == TMB_CL_TEST ? answer.first : result.first;
    }
    *f->check.answer = answer;
    if (f->check.contact_count) {
        *f->check.contact_count = status == TUMBLE_OK ? result.contact_count : 0;
    }
}

/* ---- Lists that were sorted on the device ---- */

/* Pairs of a check in the order of the list: `count` of them, of which the first `kept` are in the caller's array. Adds
 * some more, sorted as well, and none of them there yet. */
static void merge_pairs(const tmb_check *check, size_t count, const tumble_pair *more, size_t more_count)
{
    TMB_ASSERT(more || more_count == 0);
    const size_t kept = count < check->found_capacity ? count : check->found_capacity, all = kept + more_count;
    size_t end = all < check->found_capacity ? all : check->found_capacity, i = kept, j = more_count;
    for (size_t too_many = all - end; (too_many || end) && j;) {
        const int takes_found = i > 0 && tmb_polygon_key(check->found[i - 1].polygon_a, check->found[i - 1].polygon_b) >
                                             tmb_polygon_key(more[j - 1].polygon_a, more[j - 1].polygon_b);
        const tumble_pair pair = takes_found ? check->found[i - 1] : more[j - 1];
        i -= (size_t)takes_found;
        j -= (size_t)!takes_found;
        if (too_many) {
            too_many--;
        } else {
            check->found[--end] = pair;
        }
    }
}

/* What exact arithmetic adds to a list. */
static tumble_status settle_more(tmb_opencl_backend *backend, const finding *f, tumble_collide_result *result)
{
    tumble_collide_options options = tumble_default_collide_options();
    if (!tmb_buffer_reserve(backend->context, &backend->more, f->given_count, sizeof(tumble_pair), 0)) {
        return tmb_fail_memory(backend->context, "the pairs of a batch");
    }
    options.pairs = backend->more.data;
    options.pair_capacity = f->given_count;
    return tmb_collide_given(backend->query, f->check.a, f->check.pose_a, f->check.b, f->check.pose_b, &options,
                             f->given, f->given_count, result);
}

static void copy_listed(const finding *f)
{
    for (size_t i = 0; i < f->listed_count && i < f->check.found_capacity && f->listed; i++) {
        f->check.found[i] = (tumble_pair){f->listed[i].a, f->listed[i].b};
    }
}

static void listed_answer(tmb_opencl_backend *backend, const finding *f)
{
    tumble_collide_result result = {.collide = false};
    tumble_check_answer answer = {.pair_count = f->listed_count, .collide = f->listed_count > 0};
    tumble_status status = TUMBLE_OK;
    if (f->listed_count) {
        answer.first = f->listed ? (tumble_pair){f->listed[0].a, f->listed[0].b} : backend->first_pair;
    }
    copy_listed(f);
    if (f->given_count) {
        status = settle_more(backend, f, &result);
    }
    if (status != TUMBLE_OK) {
        answer = (tumble_check_answer){.status = status};
    } else if (result.collide) {
        merge_pairs(&f->check, f->listed_count, backend->more.data, (size_t)result.pair_count);
        answer.pair_count += result.pair_count;
        answer.first = answer.collide ? answer.first : result.first;
        answer.collide = 1;
    }
    *f->check.answer = answer;
}

/* ---- All answers ---- */

/* Whether something is left to decide: pairs of checks known to collide do not matter. */
static int needs_settling(const finding *f)
{
    return f->given_count > 0 && (f->question == TMB_CL_LIST || f->question == TMB_CL_COUNT || f->state == TMB_CL_OPEN);
}

/* A check that the device has not taken, unless it is cancelled: it may take long. */
static void answer_here(tmb_opencl_backend *backend, tmb_job *job, const tmb_check *check)
{
    if (atomic_load_explicit(&job->cancel, memory_order_relaxed)) {
        const tumble_status status = tmb_fail(backend->context, TUMBLE_ERROR_CANCELLED, "the batch was cancelled");
        *check->answer = (tumble_check_answer){.status = status};
        if (check->contact_count) {
            *check->contact_count = 0;
        }
        return;
    }
    (void)tmb_check_answer(backend->query, check);
    atomic_fetch_add_explicit(&job->retried_count, 1, memory_order_relaxed);
}

static void write_answer(tmb_opencl_backend *backend, tmb_job *job, const finding *f)
{
    if (f->state == TMB_CL_HOST) {
        answer_here(backend, job, &f->check);
    } else if (backend->is_listed) {
        listed_answer(backend, f);
    } else if (needs_settling(f)) {
        settled_answer(backend, f);
    } else {
        *f->check.answer = answer_of(f);
        if (f->check.contact_count) {
            *f->check.contact_count = 0;
        }
    }
    if (f->check.answer->status != TUMBLE_OK) {
        tmb_job_fail(job, backend->context, (tumble_status)f->check.answer->status);
    }
}

/* How many pairs of a check there are in the list from an item on. */
static size_t listed_of(const tmb_opencl_backend *backend, size_t from, size_t check)
{
    const tmb_cl_hit *list = backend->list.data;
    size_t to = from;
    while (to < backend->list_count && list[to].check == check) {
        to++;
    }
    return to - from;
}

/* `listed` is where in the list the pairs of the next check begin. */
static void write_answers(tmb_opencl_backend *backend, const tmb_chunk *chunk, const tmb_chunk_part *part, size_t first,
                          size_t *listed)
{
    const uint32_t *states = (const uint32_t *)backend->results_here.data + TMB_CL_COUNTERS;
    const size_t *starts = backend->starts.data;
    const tmb_cl_hit *list = chunk->check_count > 1 ? backend->list.data : NULL;
    for (size_t i = 0; i < part->count; i++) {
        const size_t at = first + i;
        finding f = {.check = tmb_check_of(&part->job->batch, part->first + i),
                     .question = chunk->question,
                     .state = states[at],
                     .numbers = (const uint32_t *)backend->numbers_here.data + 2 * at};
        if (backend->given_count) {
            f.given = (const tmb_given_pair *)backend->sorted.data + starts[at];
            f.given_count = starts[at + 1] - starts[at];
        }
        if (backend->is_listed) {
            f.listed = list ? list + *listed : NULL;
            f.listed_count = list ? listed_of(backend, *listed, at) : backend->list_count;
            *listed += f.listed_count;
        }
        write_answer(backend, part->job, &f);
    }
}

/* The answers from the device alone, with nothing left to decide: plain loops. */
static void write_plainly(const tmb_opencl_backend *backend, const tmb_chunk *chunk, const tmb_chunk_part *part,
                          size_t first)
{
    const uint32_t *states = (const uint32_t *)backend->results_here.data + TMB_CL_COUNTERS + first;
    const uint32_t *numbers = (const uint32_t *)backend->numbers_here.data + 2 * first;
    tumble_check_answer *answers = part->job->batch.answers + part->first;
    if (chunk->question == TMB_CL_COUNT) {
        for (size_t i = 0; i < part->count; i++) {
            answers[i] = (tumble_check_answer){.pair_count = numbers[2 * i] | (uint64_t)numbers[2 * i + 1] << 32,
                                               .collide = states[i] == TMB_CL_FOUND};
        }
        return;
    }
    for (size_t i = 0; i < part->count; i++) {
        answers[i] =
            (tumble_check_answer){.pair_count = states[i] == TMB_CL_FOUND, .collide = states[i] == TMB_CL_FOUND};
    }
}

static int has_host_checks(const tmb_opencl_backend *backend, size_t count)
{
    const uint32_t *states = (const uint32_t *)backend->results_here.data + TMB_CL_COUNTERS;
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= states[i];
    }
    return (all & TMB_CL_HOST) != 0;
}

tumble_status tmb_chunk_answer(tmb_opencl_backend *backend, const tmb_chunk *chunk)
{
    TMB_ASSERT(chunk->check_count > 0 && chunk->part_count > 0);
    const tumble_status decided = backend->given_count ? decide(backend, chunk) : TUMBLE_OK;
    if (decided != TUMBLE_OK) {
        return decided;
    }
    const int plain = (chunk->question == TMB_CL_TEST || chunk->question == TMB_CL_COUNT) &&
                      backend->given_count == 0 && !has_host_checks(backend, chunk->check_count);
    if (backend->given_count) {
        const tumble_status status = sort_given(backend, chunk->check_count);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    size_t first = 0, listed = 0;
    for (size_t p = 0; p < chunk->part_count; p++) {
        if (plain) {
            write_plainly(backend, chunk, &chunk->parts[p], first);
        } else {
            write_answers(backend, chunk, &chunk->parts[p], first, &listed);
        }
        first += chunk->parts[p].count;
    }
    return TUMBLE_OK;
}
