/* Rays and batches of rays at a model: the public functions. A batch is cut into runs, which threads take; each run has
 * memory of its own. */
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "math/vec3.h"
#include "ray/cast.h"
#include "ray/round.h"

#define MOST_RUNS 64
#define RAYS_PER_RUN 256 /* at least */
#define RAY_NANOSECONDS 500

/* What a run came to. */
typedef struct run_outcome {
    tumble_counters counters;
    uint64_t hit_count;
    size_t failed;        /* a ray that cannot be cast; SIZE_MAX: none */
    int is_out_of_memory; /* or there is no memory */
} run_outcome;

/* Of a query. */
typedef struct ray_scratch {
    tmb_ray_memory memories[MOST_RUNS];
    run_outcome outcomes[MOST_RUNS];
    tmb_buffer all; /* the hits of all runs, if there are several */
} ray_scratch;

typedef struct casting {
    tumble_query *query;
    const tumble_model *model;
    const tumble_pose *inverse; /* of its pose, or NULL */
    const tumble_ray_batch *batch;
    const tumble_ray_options *options;
    ray_scratch *scratch;
    size_t run_count;
} casting;

static void release_scratch(tumble_context *context, void *data)
{
    ray_scratch *scratch = data;
    for (int i = 0; i < MOST_RUNS; i++) {
        tmb_ray_memory_release(context, &scratch->memories[i]);
    }
    tmb_buffer_release(context, &scratch->all);
}

/* ---- A run ---- */

static void take(const casting *c, size_t i, tmb_ray *ray)
{
    const tumble_ray_batch *b = c->batch;
    for (size_t k = 0; k < 3; k++) {
        ray->origin[k] = b->origins[3 * i + k];
        ray->direction[k] = b->directions[3 * i + k];
    }
    ray->first = b->ranges ? b->ranges[2 * i] : c->options->t0;
    ray->last = b->ranges ? b->ranges[2 * i + 1] : c->options->t1;
}

static int is_valid(const tmb_ray *ray)
{
    const double *d = ray->direction;
    return tmb_all_finite(ray->origin, 6) && (d[0] != 0 || d[1] != 0 || d[2] != 0) && ray->first <= ray->last;
}

/* Adds hits to the memory of the run, and gives the closest. 0 if memory runs out. */
static int store_hits(tmb_ray_search *s, const tmb_ray *given, size_t count, tumble_ray_hit *closest)
{
    tmb_ray_memory *memory = s->memory;
    tmb_ray_found *found = s->mode == TUMBLE_ALL ? memory->found.data : &s->best;
    if (!tmb_buffer_reserve(s->model->context, &memory->hits, memory->hit_count + count, sizeof(tumble_ray_hit),
                            memory->hit_count * sizeof(tumble_ray_hit))) {
        return 0;
    }
    tumble_ray_hit *hits = (tumble_ray_hit *)memory->hits.data + memory->hit_count;
    for (size_t i = 0; i < count; i++) {
        tmb_ray_hit_at(s, given, &found[i], &hits[i]);
    }
    memory->hit_count += count;
    *closest = hits[0];
    return 1;
}

static int report(tmb_ray_search *s, const casting *c, const tmb_ray *given, size_t i, run_outcome *outcome)
{
    const size_t count = tmb_ray_search_settle(s);
    tumble_ray_hit unused = tmb_ray_no_hit(), *closest = c->batch->hits ? &c->batch->hits[i] : &unused;
    if (s->has_failed) {
        return 0;
    }
    if (count > 0 && s->mode == TUMBLE_FIRST && c->batch->hits) {
        tmb_ray_hit_at(s, given, &s->best, closest);
    } else {
        *closest = tmb_ray_no_hit();
        if (count > 0 && s->mode == TUMBLE_TEST) {
            closest->polygon = s->best.polygon;
        } else if (count > 0 && s->mode == TUMBLE_ALL && !store_hits(s, given, count, closest)) {
            return 0;
        }
    }
    if (c->batch->hit_counts) {
        c->batch->hit_counts[i] = count;
    }
    outcome->hit_count += count;
    return !s->has_failed;
}

/* Runs are whole parties, so that these are the same for any number of threads. */
static size_t first_of_run(const casting *c, size_t run)
{
    const size_t parties = (c->batch->count + TMB_RAYS_IN_TURN - 1) / TMB_RAYS_IN_TURN;
    const size_t first = TMB_RAYS_IN_TURN * (parties * run / c->run_count);
    return first < c->batch->count ? first : c->batch->count;
}

/* The next rays of a run, which go together. */
typedef struct party {
    size_t begin, count;
    tmb_ray given[TMB_RAYS_IN_TURN]; /* with a pose: before they are moved */
    tmb_ray_search searches[TMB_RAYS_IN_TURN];
} party;

static const tmb_ray *given_ray(const casting *c, const party *p, size_t i)
{
    return c->inverse ? &p->given[i] : &p->searches[i].ray;
}

/* Takes ray i of the party; 0 if it cannot be cast. */
static int take_ray(const casting *c, party *p, size_t i)
{
    tmb_ray_search *s = &p->searches[i];
    take(c, p->begin + i, &s->ray);
    int is_good = is_valid(&s->ray);
    if (is_good && c->inverse) {
        p->given[i] = s->ray;
        is_good = tmb_ray_move(c->inverse, &p->given[i], &s->ray);
    }
    return is_good;
}

/* Up to the first ray that cannot be cast. */
static void gather(const casting *c, size_t end, party *p, run_outcome *outcome)
{
    const size_t most = p->searches->lists ? 1 : TMB_RAYS_IN_TURN;
    for (p->count = 0; p->count < most && p->begin + p->count < end; p->count++) {
        if (!take_ray(c, p, p->count)) {
            outcome->failed = p->begin + p->count;
            return;
        }
        tmb_ray_search_aim(&p->searches[p->count]);
    }
}

static void report_party(party *p, const casting *c, run_outcome *outcome)
{
    if (p->count > 1 && c->query->context->simd != TUMBLE_SIMD_SCALAR && c->options->mode == TUMBLE_FIRST &&
        c->batch->hits) {
        tmb_ray_round_best(p->searches, p->count);
    }
    for (size_t i = 0; i < p->count && !outcome->is_out_of_memory; i++) {
        outcome->is_out_of_memory = !report(&p->searches[i], c, given_ray(c, p, i), p->begin + i, outcome);
    }
}

static void cast_run(casting *c, size_t run)
{
    const size_t begin = first_of_run(c, run), end = first_of_run(c, run + 1);
    run_outcome *outcome = &c->scratch->outcomes[run];
    party p;
    p.begin = begin;
    const size_t searches = end - begin < TMB_RAYS_IN_TURN ? end - begin : TMB_RAYS_IN_TURN;
    c->scratch->memories[run].hit_count = 0;
    for (size_t i = 0; i < searches; i++) {
        tmb_ray_search_begin(&p.searches[i], c->model, 0, c->options->mode, &c->scratch->memories[run]);
    }
    *outcome = (run_outcome){.failed = SIZE_MAX};
    for (; p.begin < end && outcome->failed == SIZE_MAX && !outcome->is_out_of_memory; p.begin += p.count) {
        gather(c, end, &p, outcome);
        if (p.count > 0) {
            tmb_ray_search_run(p.searches, p.count);
            report_party(&p, c, outcome);
        }
    }
    for (size_t i = 0; i < searches; i++) {
        tmb_counters_add(&outcome->counters, &p.searches[i].counters);
    }
}

static void cast_runs(void *shared, size_t begin, size_t end)
{
    for (size_t run = begin; run < end; run++) {
        cast_run(shared, run);
    }
}

/* ---- All runs ---- */

static tumble_status fail_ray(const casting *c, size_t i)
{
    tmb_ray ray;
    take(c, i, &ray);
    const size_t number = c->batch->count > 1 ? i : SIZE_MAX;
    const tumble_status status = tmb_ray_check(c->query->context, &ray, number);
    return status != TUMBLE_OK ? status
                               : tmb_fail(c->query->context, TUMBLE_ERROR_NOT_FINITE,
                                          "ray %zu: it has no finite place, or no direction, in the model's frame", i);
}

/* The first failure in the order of the rays. */
static tumble_status find_failure(const casting *c)
{
    for (size_t run = 0; run < c->run_count; run++) {
        if (c->scratch->outcomes[run].failed != SIZE_MAX) {
            return fail_ray(c, c->scratch->outcomes[run].failed);
        }
        if (c->scratch->outcomes[run].is_out_of_memory) {
            return tmb_fail_memory(c->query->context, "the hits of rays");
        }
    }
    return TUMBLE_OK;
}

/* The hits of all runs as one array. */
static tumble_status join_hits(casting *c, tumble_ray_result *result)
{
    if (result->hit_count == 0 || c->options->mode != TUMBLE_ALL) {
        return TUMBLE_OK;
    }
    result->hits = c->scratch->memories[0].hits.data;
    if (c->run_count > 1) {
        if (!tmb_buffer_reserve(c->query->context, &c->scratch->all, (size_t)result->hit_count, sizeof(tumble_ray_hit),
                                0)) {
            return tmb_fail_memory(c->query->context, "the hits of rays");
        }
        tumble_ray_hit *to = c->scratch->all.data;
        result->hits = to;
        for (size_t run = 0; run < c->run_count; run++) {
            const tmb_ray_memory *memory = &c->scratch->memories[run];
            if (memory->hit_count > 0) {
                memcpy(to, memory->hits.data, memory->hit_count * sizeof *to);
                to += memory->hit_count;
            }
        }
    }
    return TUMBLE_OK;
}

static size_t runs_for(const tumble_query *query, size_t count, uint32_t wanted, uint32_t *threads)
{
    *threads = tmb_threads_for_time(wanted ? wanted : query->context->thread_count, count, RAY_NANOSECONDS);
    const size_t runs = count / RAYS_PER_RUN;
    return *threads <= 1 || runs <= 1 ? 1 : runs < MOST_RUNS ? runs : MOST_RUNS;
}

static tumble_status run_all(casting *c, tumble_ray_result *result)
{
    const double start = c->batch->count > 1 ? tmb_seconds() : 0;
    uint32_t threads;
    c->run_count = runs_for(c->query, c->batch->count, c->options->thread_count, &threads);
    if (c->run_count == 1) {
        cast_run(c, 0);
    } else if (!tmb_parallel_for(c->query->context, threads, c->run_count, 1, cast_runs, c)) {
        return tmb_fail_memory(c->query->context, "the threads of rays");
    }
    const tumble_status status = find_failure(c);
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_ray_result){.first = tmb_ray_no_hit()};
    for (size_t run = 0; run < c->run_count; run++) {
        result->hit_count += c->scratch->outcomes[run].hit_count;
        tmb_counters_add(&result->counters, &c->scratch->outcomes[run].counters);
    }
    result->hit = result->hit_count > 0;
    result->counters.seconds = c->batch->count > 1 ? tmb_seconds() - start : 0;
    return join_hits(c, result);
}

/* ---- Public ---- */

static tumble_status begin_casting(casting *c, const tumble_pose *pose, tumble_pose *room,
                                   const tumble_ray_result *result)
{
    tumble_context *context = c->query->context;
    if (!c->model) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "ray: the model is null");
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "ray: the result is null");
    }
    if (c->batch->count > 0 && (!c->batch->origins || !c->batch->directions)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "ray: the origins or the directions are null");
    }
    tumble_status status = tmb_ray_check_options(context, c->options);
    status = status == TUMBLE_OK ? tmb_ray_check_radius(c->model, 0) : status;
    if (status == TUMBLE_OK) {
        status = tmb_ray_invert(context, pose, room, &c->inverse);
    }
    if (status == TUMBLE_OK) {
        c->scratch = tmb_query_scratch(c->query, TMB_SCRATCH_RAY, sizeof *c->scratch, release_scratch);
        status = c->scratch ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    }
    return status;
}

static tumble_status cast(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                          const tumble_ray_batch *batch, const tumble_ray_options *options, tumble_ray_result *result)
{
    tumble_pose room;
    casting c = {.query = query, .model = model, .batch = batch, .options = options};
    const tumble_status status = begin_casting(&c, pose, &room, result);
    return c.scratch ? run_all(&c, result) : status; /* the last that is set */
}

/* The result has the hits of the one ray. */
static void finish_single(const tumble_ray_options *options, const tumble_ray_hit *closest, tumble_ray_result *result)
{
    if (!result->hit || (options->mode != TUMBLE_FIRST && options->mode != TUMBLE_ALL)) {
        return;
    }
    result->first = *closest;
    const size_t count =
        (size_t)result->hit_count < options->hit_capacity ? (size_t)result->hit_count : options->hit_capacity;
    if (options->mode == TUMBLE_ALL && count > 0) {
        memcpy(options->hits, result->hits, count * sizeof *options->hits);
    }
}

tumble_status tumble_ray(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                         const double origin[3], const double direction[3], const tumble_ray_options *options,
                         tumble_ray_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_ray_options defaults = tumble_default_ray_options();
    options = options ? options : &defaults;
    tumble_ray_hit closest = tmb_ray_no_hit();
    const tumble_ray_batch batch = {.count = 1, .origins = origin, .directions = direction, .hits = &closest};
    const tumble_status status = cast(query, model, pose, &batch, options, result);
    if (status == TUMBLE_OK) {
        finish_single(options, &closest, result);
    }
    return tmb_query_end(query, status);
}

tumble_status tumble_rays(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                          const tumble_ray_batch *batch, const tumble_ray_options *options, tumble_ray_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_ray_options defaults = tumble_default_ray_options();
    if (!batch) {
        return tmb_query_end(query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "rays: the batch is null"));
    }
    return tmb_query_end(query, cast(query, model, pose, batch, options ? options : &defaults, result));
}
