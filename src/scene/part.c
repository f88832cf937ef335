/* A part that is not in the scene, against all objects of it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/sort.h"
#include "math/pose.h"
#include "query/query.h"
#include "scene/search.h"

#define TRIES 32 /* pairs that are asked for a first bound of the nearest one's distance */

/* Of a query. */
typedef struct part_scratch {
    const tumble_model *model; /* the part's the last time, */
    uint64_t checksum;         /* as it was then, */
    uint32_t radius_changes;
    double padding;
    tmb_extents extents; /* and how far it reaches */
    tmb_buffer found, sorted, meetings, pairs, contacts;
    size_t meeting_count, pair_count, contact_count;
} part_scratch;

/* A question while it is answered. */
typedef struct part_search {
    tumble_query *query;
    tumble_scene *scene;
    const tumble_part *part;
    const tumble_scene_question *question;
    part_scratch *scratch;
    tmb_boxes_apart_kernel *boxes_are_apart;
    double best; /* NEAREST: some object is within this */
    tumble_scene_answer *answer;
} part_search;

static void release_scratch(tumble_context *context, void *data)
{
    part_scratch *scratch = data;
    tmb_buffer *const buffers[] = {&scratch->found, &scratch->sorted, &scratch->meetings, &scratch->pairs,
                                   &scratch->contacts};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

/* ---- Objects near the part ---- */

static int is_asked_about(const part_search *s, uint32_t object)
{
    const tmb_scene_objects *all = &s->scene->all;
    const tumble_scene_question *q = s->question;
    const uint32_t group = all->groups[object], own = s->part->group;
    uint32_t ignored = 0;
    for (uint32_t left = own; left; left &= left - 1) {
        ignored |= s->scene->ignored_groups[__builtin_ctz(left)];
    }
    return (own & all->masks[object]) && (group & s->part->mask) && !(ignored & group) &&
           ((own & q->groups_a && group & q->groups_b) || (group & q->groups_a && own & q->groups_b));
}

static tumble_status find_room(part_search *s, size_t count)
{
    tumble_context *context = s->scene->context;
    return tmb_buffer_reserve(context, &s->scratch->sorted, 2 * count, sizeof(tmb_sort_item), 0)
               ? TUMBLE_OK
               : tmb_fail_memory(context, "the answer about a part");
}

/* Those that are asked about and may be within `reach` of the part, in order. */
static tumble_status find_objects(part_search *s, double reach, const tmb_sort_item **objects, size_t *count)
{
    tumble_context *context = s->scene->context;
    tmb_join_output output = {.context = context, .pairs = s->scratch->found};
    const tmb_box box = tmb_extents_box(&s->scratch->extents, &s->part->pose, fmin(reach, DBL_MAX), &s->scene->frame);
    const int is_done = tmb_scene_search(s->scene, &box, &output);
    s->scratch->found = output.pairs;
    *count = 0;
    if (!is_done) {
        return tmb_fail_memory(context, "the answer about a part");
    }
    const tumble_status status = find_room(s, output.count);
    if (status != TUMBLE_OK) {
        return status;
    }
    const uint64_t *found = output.pairs.data;
    tmb_sort_item *items = s->scratch->sorted.data;
    for (size_t i = 0; i < output.count; i++) {
        items[*count] = (tmb_sort_item){found[i], 0};
        *count += found[i] != TMB_NONE && is_asked_about(s, (uint32_t)found[i]);
    }
    *objects = *count > 0 ? tmb_sort(items, items + *count, *count) : items;
    return TUMBLE_OK;
}

/* ---- One object ---- */

static tumble_status ask_collision(part_search *s, const tumble_model *model, const tmb_extents *extents,
                                   const tumble_pose *pose, double clearance, tumble_meeting *meeting, int *is_met)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_FIRST, TUMBLE_COUNT, TUMBLE_ALL};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = modes[s->question->mode];
    options.clearance = clearance;
    options.want_contacts = options.mode == TUMBLE_ALL && s->question->want_contacts;
    if (tmb_extents_are_apart(s->boxes_are_apart, &s->scratch->extents, &s->part->pose, extents, pose, clearance)) {
        return TUMBLE_OK;
    }
    const tumble_status status =
        tumble_collide(s->query, s->part->model, &s->part->pose, model, pose, &options, &result);
    if (status == TUMBLE_OK) {
        *is_met = result.collide;
        meeting->nearest.polygon_a = result.first.polygon_a;
        meeting->nearest.polygon_b = result.first.polygon_b;
        meeting->pair_count = options.mode >= TUMBLE_COUNT ? result.pair_count : 0;
        meeting->pairs = options.mode == TUMBLE_ALL ? result.pairs : NULL;
        meeting->contacts = result.contacts;
        meeting->contact_count = result.contact_count;
        tmb_counters_add(&s->answer->counters, &result.counters);
    }
    return status;
}

static tumble_status ask_relation(part_search *s, const tumble_model *model, const tumble_pose *pose,
                                  tumble_meeting *meeting, int *is_met)
{
    tumble_relation_result result;
    const tumble_status status = tumble_relate(s->query, s->part->model, &s->part->pose, model, pose, &result);
    if (status == TUMBLE_OK) {
        *is_met = result.relation != TUMBLE_RELATION_APART;
        meeting->relation = result.relation;
        meeting->nearest.polygon_a = result.pair.polygon_a;
        meeting->nearest.polygon_b = result.pair.polygon_b;
        tmb_counters_add(&s->answer->counters, &result.counters);
    }
    return status;
}

static tumble_status ask_distance(part_search *s, const tumble_model *model, const tumble_pose *pose,
                                  tumble_meeting *meeting, int *is_met)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = s->question->within;
    if (s->question->mode == TUMBLE_SCENE_NEAREST) { /* the best so far is known to 1e-14 of it */
        options.within = fmin(options.within, nextafter(s->best * (1 + 0x1p-40), INFINITY));
    }
    const tumble_status status =
        tumble_distance(s->query, s->part->model, &s->part->pose, model, pose, &options, &result);
    if (status == TUMBLE_OK) {
        *is_met = result.answer == TUMBLE_YES;
        meeting->nearest = result.nearest;
        s->best = *is_met ? fmin(s->best, result.nearest.distance) : s->best;
        tmb_counters_add(&s->answer->counters, &result.counters);
    }
    return status;
}

static tumble_status ask_thin(part_search *s, uint32_t object, tumble_meeting *meeting, int *is_met)
{
    const tmb_scene_object *o = &s->scene->all.objects[object];
    const tmb_scene_model *model = tmb_scene_model_at(s->scene, o->model);
    const tumble_pose *pose = &s->scene->all.poses[object];
    *meeting = (tumble_meeting){.b = tmb_scene_id(s->scene, object)};
    *is_met = 0;
    switch (s->question->mode) {
    case TUMBLE_SCENE_RELATE: return ask_relation(s, model->model, pose, meeting, is_met);
    case TUMBLE_SCENE_DISTANCE:
    case TUMBLE_SCENE_NEAREST: return ask_distance(s, model->model, pose, meeting, is_met);
    default:
        return ask_collision(s, model->model, &model->extents, pose,
                             fmin(s->part->clearance + o->clearance + s->question->clearance, DBL_MAX), meeting,
                             is_met);
    }
}

/* With the radii of the part and the object. */
static tumble_status ask_object(part_search *s, uint32_t object, tumble_meeting *meeting, int *is_met)
{
    tmb_query_pad(s->query, s->part->radius,
                  tmb_scene_model_at(s->scene, s->scene->all.objects[object].model)->padding);
    const tumble_status status = ask_thin(s, object, meeting, is_met);
    tmb_query_pad(s->query, 0, 0);
    return status;
}

/* ---- Meetings ---- */

static int store(part_search *s, const tumble_meeting *m)
{
    tumble_context *context = s->scene->context;
    part_scratch *scratch = s->scratch;
    return tmb_buffer_append(context, &scratch->pairs, &scratch->pair_count, m->pairs, m->pairs ? m->pair_count : 0,
                             sizeof *m->pairs) &&
           tmb_buffer_append(context, &scratch->contacts, &scratch->contact_count, m->contacts, m->contact_count,
                             sizeof *m->contacts) &&
           tmb_buffer_append(context, &scratch->meetings, &scratch->meeting_count, m, 1, sizeof *m);
}

/* A meeting goes to the callback, or is kept; of the nearest ones, the first. */
static tumble_status note(part_search *s, const tumble_meeting *meeting)
{
    const tumble_scene_question *q = s->question;
    tumble_meeting *kept = s->scratch->meetings.data;
    s->answer->touch = true;
    if (q->mode == TUMBLE_SCENE_TEST) {
        return TUMBLE_OK;
    }
    if (q->mode == TUMBLE_SCENE_NEAREST && s->scratch->meeting_count > 0) {
        kept[0] = meeting->nearest.distance < kept[0].nearest.distance ? *meeting : kept[0];
        return TUMBLE_OK;
    }
    s->answer->meeting_count++;
    if (q->callback && q->mode != TUMBLE_SCENE_NEAREST) {
        return q->callback(q->callback_user, meeting) ? tmb_scene_fail_stopped(s->scene->context) : TUMBLE_OK;
    }
    return store(s, meeting) ? TUMBLE_OK : tmb_fail_memory(s->scene->context, "the answer about a part");
}

/* The polygons of a meeting follow those of the one before it. */
static void set_pointers(part_search *s)
{
    tumble_meeting *meetings = s->scratch->meetings.data;
    const tumble_pair *pairs = s->scratch->pairs.data;
    const tumble_contact *contacts = s->scratch->contacts.data;
    for (size_t i = 0; i < s->scratch->meeting_count; i++) {
        if (meetings[i].pairs) {
            meetings[i].pairs = pairs;
            pairs += meetings[i].pair_count;
        }
        if (meetings[i].contacts) {
            meetings[i].contacts = contacts;
            contacts += meetings[i].contact_count;
        }
    }
    s->answer->meetings = s->scratch->meeting_count > 0 ? meetings : NULL;
}

static tumble_status fail_object(part_search *s, uint32_t object, tumble_status status)
{
    const tmb_error error = tmb_last_error(s->scene->context);
    const tumble_object id = tmb_scene_id(s->scene, object);
    return tmb_fail(s->scene->context, status, "the part and the object {%u, %u}: %.400s", id.index, id.generation,
                    error.text);
}

static tumble_status ask_all(part_search *s, const tmb_sort_item *objects, size_t count)
{
    const tumble_scene_question *q = s->question;
    const int is_test = q->mode == TUMBLE_SCENE_TEST;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; status == TUMBLE_OK && i < count && !(is_test && s->answer->touch); i++) {
        tumble_meeting meeting;
        int is_met;
        if (q->progress && q->progress(q->progress_user)) {
            return tmb_scene_fail_stopped(s->scene->context);
        }
        status = ask_object(s, (uint32_t)objects[i].key, &meeting, &is_met);
        if (status != TUMBLE_OK) {
            return fail_object(s, (uint32_t)objects[i].key, status);
        }
        status = is_met ? note(s, &meeting) : TUMBLE_OK;
    }
    return status;
}

/* ---- The nearest object ---- */

/* The distances of the first objects that a growing box around the part finds bound that of the nearest one. */
static tumble_status bound_nearest(part_search *s)
{
    const double within = s->question->within, all = 64 / s->scene->frame.scale; /* no scene reaches farther */
    double reach = 0;
    const tmb_sort_item *objects = NULL;
    size_t count = 0;
    tumble_status status = find_objects(s, reach, &objects, &count);
    for (reach = all * 0x1p-12; status == TUMBLE_OK && count == 0 && reach < all && reach < within; reach *= 8) {
        status = find_objects(s, reach, &objects, &count);
    }
    s->best = within;
    for (size_t i = 0; status == TUMBLE_OK && i < count && i < TRIES; i++) {
        tumble_meeting meeting;
        int is_met;
        status = ask_object(s, (uint32_t)objects[i].key, &meeting, &is_met);
        status = status == TUMBLE_ERROR_MEMORY ? status : TUMBLE_OK; /* a pair that cannot be asked bounds nothing */
    }
    return status;
}

/* ---- Questions ---- */

static tumble_status check_arguments(tumble_scene *scene, const tumble_part *part, const tumble_scene_question *q)
{
    tumble_context *context = scene->context;
    if (!part->model) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the part has no model");
    }
    if ((unsigned)q->mode > TUMBLE_SCENE_NEAREST) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "a scene has no mode %d", (int)q->mode);
    }
    if (!(part->clearance >= 0 && part->clearance < INFINITY) || !(q->clearance >= 0 && q->clearance < INFINITY)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the clearance is %g; give 0 or more",
                        part->clearance >= 0 && part->clearance < INFINITY ? q->clearance : part->clearance);
    }
    if (!(part->radius >= 0 && part->radius < INFINITY)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the radius is %g; give 0 or more", part->radius);
    }
    if (!(q->within >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "`within` is %g; give 0 or more", q->within);
    }
    return tumble_pose_check(context, &part->pose);
}

static void measure(part_scratch *scratch, const tumble_part *part)
{
    const tumble_model *model = part->model;
    if (scratch->model != model || scratch->checksum != model->block->checksum ||
        scratch->radius_changes != model->radius_changes || scratch->padding != part->radius) {
        tmb_extents_of(model, part->radius, &scratch->extents);
        scratch->model = model;
        scratch->checksum = model->block->checksum;
        scratch->radius_changes = model->radius_changes;
        scratch->padding = part->radius;
    }
}

static tumble_status search(part_search *s)
{
    const int is_distance = s->question->mode >= TUMBLE_SCENE_DISTANCE;
    double reach = is_distance ? s->question->within : s->part->clearance + s->question->clearance;
    measure(s->scratch, s->part);
    tmb_scene_note_reach(s->scene, s->scratch->extents.box.reach); /* boxes allow for the part, too */
    tumble_status status = tumble_scene_update(s->scene);
    if (status == TUMBLE_OK && !(s->scene->margin <= reach)) { /* larger boxes would only have more pairs */
        status = tmb_scene_set_margin(s->scene, 0);
    }
    s->scratch->meeting_count = s->scratch->pair_count = s->scratch->contact_count = 0;
    if (status != TUMBLE_OK || s->scratch->extents.is_empty || !s->scene->has_frame) {
        return status;
    }
    if (s->question->mode == TUMBLE_SCENE_NEAREST) {
        status = bound_nearest(s);
        reach = s->best * (1 + 0x1p-30);
    }
    const tmb_sort_item *objects = NULL;
    size_t count = 0;
    if (status == TUMBLE_OK) {
        status = find_objects(s, reach, &objects, &count);
    }
    s->answer->candidate_count = count;
    if (status == TUMBLE_OK) {
        status = ask_all(s, objects, count);
    }
    if (status == TUMBLE_OK) {
        set_pointers(s);
    }
    return status;
}

tumble_status tumble_scene_collide_part(tumble_query *query, tumble_scene *scene, const tumble_part *part,
                                        const tumble_scene_question *question, tumble_scene_answer *answer)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!scene || !part || !answer) {
        return tmb_query_end(
            query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "the scene, the part or the answer is null"));
    }
    const double start = tmb_seconds();
    const tumble_scene_question asked = question ? *question : tumble_default_scene_question();
    *answer = (tumble_scene_answer){0};
    tumble_status status = tmb_scene_check_query(query, scene);
    status = status == TUMBLE_OK ? check_arguments(scene, part, &asked) : status;
    if (status == TUMBLE_OK) {
        part_search s = {.query = query, .scene = scene, .part = part, .question = &asked, .answer = answer};
        s.boxes_are_apart = tmb_boxes_apart_for(scene->context);
        s.scratch = tmb_query_scratch(query, TMB_SCRATCH_PART, sizeof *s.scratch, release_scratch);
        status = s.scratch ? search(&s) : TUMBLE_ERROR_MEMORY;
    }
    answer->counters.seconds = tmb_seconds() - start;
    return tmb_query_end(query, status);
}
