/* Points inside a model: the public function, over the rays of relate/ray.h. */
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "math/vec3.h"
#include "ray/cast.h"
#include "ray/inside.h"

#define GRAIN 64
#define POINT_NANOSECONDS 2000

const char *tumble_place_name(tumble_place place)
{
    switch (place) {
    case TUMBLE_PLACE_OUTSIDE: return "outside";
    case TUMBLE_PLACE_INSIDE: return "inside";
    case TUMBLE_PLACE_ON_SURFACE: return "on-surface";
    case TUMBLE_PLACE_UNDEFINED: return "undefined";
    }
    return "unknown";
}

tumble_inside_options tumble_default_inside_options(void)
{
    return (tumble_inside_options){.rule = TUMBLE_INSIDE_PARITY, .thread_count = 1};
}

tumble_status tmb_inside_begin(tumble_context *context, const tumble_model *model, double padding,
                               tumble_inside_rule rule, tmb_inside *out)
{
    if ((unsigned)rule > TUMBLE_INSIDE_WINDING) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "inside: rule %d is not PARITY or WINDING", (int)rule);
    }
    const tmb_topology *topology;
    tumble_status status = tmb_ray_check_radius(model, padding);
    status = status == TUMBLE_OK ? tmb_topology_of(model, &topology) : status;
    if (status == TUMBLE_OK) {
        *out = (tmb_inside){.solid = tmb_solid_of(model, NULL),
                            .rule = rule,
                            .padding = padding,
                            .reach = model->radius + padding,
                            .is_closed = rule == TUMBLE_INSIDE_WINDING ? topology->balanced : topology->closed};
    }
    return status;
}

static tumble_inside_answer inside_surface(const tmb_inside *inside, const double point[3], tumble_counters *counters)
{
    tumble_inside_answer answer = {.place = TUMBLE_PLACE_UNDEFINED, .polygon = TUMBLE_NO_POLYGON};
    const tmb_passages found = tmb_count_passages(&inside->solid, point, counters);
    if (found.polygon != UINT32_MAX) {
        answer.place = TUMBLE_PLACE_ON_SURFACE;
        answer.polygon = found.polygon;
    } else if (inside->is_closed) {
        const int is_winding = inside->rule == TUMBLE_INSIDE_WINDING;
        const int32_t winding = (int32_t)(found.outward - found.inward);
        answer.winding = is_winding ? winding : 0;
        answer.place = (is_winding ? winding != 0 : (found.outward + found.inward) % 2 != 0) ? TUMBLE_PLACE_INSIDE
                                                                                             : TUMBLE_PLACE_OUTSIDE;
    }
    return answer;
}

/* A solid: what is in no polygon's and not inside the surface is outside. */
tumble_inside_answer tmb_inside_of(const tmb_inside *inside, const double point[3], tumble_counters *counters)
{
    if (inside->reach == 0) {
        return inside_surface(inside, point, counters);
    }
    tumble_inside_answer answer = {.place = TUMBLE_PLACE_OUTSIDE, .polygon = TUMBLE_NO_POLYGON};
    const tmb_thick_place thick = tmb_thick_place_of(inside, point, counters);
    if (inside->is_closed && (!thick.is_inside || inside->rule == TUMBLE_INSIDE_WINDING)) {
        answer = inside_surface(inside, point, counters);
    }
    if (thick.is_inside || answer.place == TUMBLE_PLACE_INSIDE) {
        answer.place = TUMBLE_PLACE_INSIDE;
        answer.polygon = TUMBLE_NO_POLYGON;
    } else if (thick.polygon != UINT32_MAX) {
        answer.place = TUMBLE_PLACE_ON_SURFACE;
        answer.polygon = thick.polygon;
    }
    return answer;
}

/* ---- Many points ---- */

typedef struct locating {
    tmb_inside inside;
    const tumble_pose *inverse;
    const double *points;
    tumble_inside_answer *answers;
    size_t count;
    _Atomic size_t failed; /* the first point that cannot be moved; count: none */
    _Atomic uint64_t box_tests, primitive_tests, exact_tests;
} locating;

/* A point in the model's frame; 0 if it is not finite, here or there. */
static int move_point(const tumble_pose *inverse, const double point[3], double moved[3])
{
    memcpy(moved, point, 3 * sizeof *moved);
    if (inverse) {
        tumble_pose_apply(inverse, point, moved);
    }
    return tmb_all_finite(point, 3) && tmb_all_finite(moved, 3);
}

static void note_failure(locating *l, size_t i)
{
    size_t first = atomic_load(&l->failed);
    while (i < first && !atomic_compare_exchange_weak(&l->failed, &first, i)) {
    }
}

static void locate_range(void *shared, size_t begin, size_t end)
{
    locating *l = shared;
    tumble_counters counters = {0};
    for (size_t i = begin; i < end; i++) {
        double moved[3];
        if (!move_point(l->inverse, l->points + 3 * i, moved)) {
            note_failure(l, i);
            break;
        }
        l->answers[i] = tmb_inside_of(&l->inside, moved, &counters);
    }
    atomic_fetch_add(&l->box_tests, counters.box_tests);
    atomic_fetch_add(&l->primitive_tests, counters.primitive_tests);
    atomic_fetch_add(&l->exact_tests, counters.exact_tests);
}

static tumble_status check_arguments(tumble_context *context, const tumble_model *model, const double *points,
                                     size_t count, const tumble_inside_answer *answers)
{
    if (!model) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "inside: the model is null");
    }
    if (count > 0 && (!points || !answers)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "inside: the points or the answers are null");
    }
    return TUMBLE_OK;
}

static tumble_status locate_all(tumble_context *context, locating *l, uint32_t wanted, tumble_counters *counters)
{
    const double start = tmb_seconds();
    const uint32_t threads = tmb_threads_for_time(wanted ? wanted : context->thread_count, l->count, POINT_NANOSECONDS);
    if (!tmb_parallel_for(context, threads, l->count, GRAIN, locate_range, l)) {
        return tmb_fail_memory(context, "the threads for points");
    }
    const size_t failed = atomic_load(&l->failed);
    if (failed < l->count) {
        const double *p = l->points + 3 * failed;
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "point %zu, (%g %g %g), is not finite%s", failed, p[0], p[1],
                        p[2], tmb_all_finite(p, 3) ? " in the model's frame" : "");
    }
    if (counters) {
        *counters = (tumble_counters){.box_tests = atomic_load(&l->box_tests),
                                      .primitive_tests = atomic_load(&l->primitive_tests),
                                      .exact_tests = atomic_load(&l->exact_tests),
                                      .seconds = tmb_seconds() - start};
    }
    return TUMBLE_OK;
}

static tumble_status locate(tumble_context *context, const tumble_model *model, const tumble_pose *pose,
                            const double *points, size_t count, const tumble_inside_options *options,
                            tumble_inside_answer *answers, tumble_counters *counters)
{
    tumble_pose room;
    locating l = {.points = points, .answers = answers, .count = count, .failed = count};
    tumble_status status = check_arguments(context, model, points, count, answers);
    if (status == TUMBLE_OK) {
        status = tmb_ray_invert(context, pose, &room, &l.inverse);
    }
    if (status == TUMBLE_OK) {
        status = tmb_inside_begin(context, model, 0, options->rule, &l.inside);
    }
    return status == TUMBLE_OK ? locate_all(context, &l, options->thread_count, counters) : status;
}

tumble_status tumble_inside(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                            const double *points, size_t count, const tumble_inside_options *options,
                            tumble_inside_answer *answers, tumble_counters *counters)
{
    const tumble_inside_options defaults = tumble_default_inside_options();
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    options = options ? options : &defaults;
    return tmb_query_end(query, locate(query->context, model, pose, points, count, options, answers, counters));
}
