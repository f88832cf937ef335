/* tumble_contact_regions: the entry point. */
#include "region/region.h"

#include "base/clock.h"
#include "collide/collider.h"
#include "tree/radius.h"
#include "tree/topology.h"

typedef struct region_scratch {
    tmb_buffer meetings;
    tmb_arena arena; /* of the last result */
} region_scratch;

typedef struct gathering {
    tumble_query *query;
    tmb_buffer *meetings;
    size_t count;
    tumble_status status;
} gathering;

static void release_scratch(tumble_context *context, void *data)
{
    region_scratch *scratch = data;
    tmb_buffer_release(context, &scratch->meetings);
    tmb_arena_release(&scratch->arena);
}

static tumble_status check_arguments(tumble_query *query, const tumble_model *const models[2],
                                     const tumble_regions_result *result)
{
    tumble_context *context = query->context;
    if (!models[0] || !models[1]) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "regions: a model is null");
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "regions: the result is null");
    }
    for (int side = 0; side < 2; side++) {
        if (models[side]->radius > 0) {
            return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED,
                            "regions: model %c has a radius; curves are those of polygons without one", "AB"[side]);
        }
    }
    return tmb_refuse_flat_ends(models[0], models[1], "regions");
}

/* Called for each pair of triangles that meet; 1: stop. */
static int on_meeting(void *user, uint32_t ta, uint32_t tb)
{
    gathering *g = user;
    tumble_context *context = g->query->context;
    if (g->count >= TMB_MOST_MEETINGS) {
        g->status = tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "regions: more than 2^28 pairs of triangles meet");
        return 1;
    }
    if (!tmb_buffer_reserve(context, g->meetings, g->count + 1, sizeof(tmb_region_meeting),
                            g->count * sizeof(tmb_region_meeting))) {
        g->status = tmb_fail_memory(context, "the triangles that meet");
        return 1;
    }
    ((tmb_region_meeting *)g->meetings->data)[g->count++] = (tmb_region_meeting){.triangles = {ta, tb}};
    if (g->query->watch && tmb_watch_ends(g->query->watch)) {
        g->status = tmb_fail(context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
    }
    return g->status != TUMBLE_OK;
}

static tumble_status make_curves(tmb_region_graph *g, tumble_regions_result *result)
{
    tmb_region_curves curves;
    tumble_context *context = g->query->context;
    if (!tmb_region_make_graph(g) || !tmb_region_trace(g, &curves, result)) {
        return tmb_fail_memory(context, "the curves of contact");
    }
    const tumble_status status = tmb_region_find_sides(g, &curves, result);
    if (result->region_count > 0) {
        result->regions = curves.regions;
    }
    if (result->curve_count > 0) {
        result->curves = curves.curves;
        result->points = (const double(*)[3])curves.points;
        result->pairs = curves.pairs;
    }
    return status;
}

static tumble_status answer(tumble_query *query, region_scratch *scratch, const tumble_model *const models[2],
                            const tumble_pose *const poses[2], tumble_regions_result *result)
{
    gathering gathered = {.query = query, .meetings = &scratch->meetings};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result found;
    tmb_collider collider;
    options.mode = TUMBLE_FIRST;
    options.want_contacts = true; /* A's pose must not move them to infinity */
    tmb_collider_begin(&collider, query, models[0], models[1], &options);
    collider.sink = (tmb_hit_sink){.on_hit = on_meeting, .user = &gathered};
    tumble_status status = tmb_collider_run(&collider, poses[0], poses[1]);
    status = status == TUMBLE_OK ? gathered.status : status;
    const tmb_topology *topology[2] = {NULL, NULL};
    for (int side = 0; side < 2 && status == TUMBLE_OK; side++) {
        status = tmb_topology_of(models[side], &topology[side]);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_collider_report(&collider, 0, &found);
    *result = (tumble_regions_result){.collide = found.collide,
                                      .closed_a = topology[0]->closed,
                                      .closed_b = topology[1]->closed,
                                      .counters = found.counters};
    tmb_region_graph graph = {.query = query,
                              .encounter = &collider.encounter,
                              .arena = &scratch->arena,
                              .meetings = scratch->meetings.data,
                              .meeting_count = gathered.count};
    return gathered.count > 0 ? make_curves(&graph, result) : TUMBLE_OK;
}

tumble_status tumble_contact_regions(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                     const tumble_model *b, const tumble_pose *pose_b, tumble_regions_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_model *const models[2] = {a, b};
    const tumble_pose *const poses[2] = {pose_a, pose_b};
    tumble_status status = check_arguments(query, models, result);
    if (status == TUMBLE_OK) {
        region_scratch *scratch = tmb_query_scratch(query, TMB_SCRATCH_REGION, sizeof(region_scratch), release_scratch);
        status = scratch ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
        if (scratch) {
            scratch->arena.context = query->context;
            tmb_arena_release(&scratch->arena);
            status = answer(query, scratch, models, poses, result);
        }
    }
    if (status == TUMBLE_OK) {
        result->counters.seconds = tmb_seconds() - start;
    }
    return tmb_query_end(query, status);
}
