/* One pair of objects: the question about its two models at their poses. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scene/answer.h"

static void add_counters(tumble_counters *sum, const tumble_counters *more)
{
    sum->box_tests += more->box_tests;
    sum->box_updates += more->box_updates;
    sum->primitive_tests += more->primitive_tests;
    sum->exact_tests += more->exact_tests;
    sum->bytes_touched += more->bytes_touched;
}

/* Appends items; returns where they begin. */
static tumble_status append(tumble_context *context, tmb_buffer *buffer, size_t *count, const void *items, size_t more,
                            size_t size)
{
    if (!tmb_buffer_reserve(context, buffer, *count + more, size, *count * size)) {
        return tmb_fail_memory(context, "the answer of a scene");
    }
    if (more > 0) {
        memcpy((char *)buffer->data + *count * size, items, more * size);
    }
    *count += more;
    return TUMBLE_OK;
}

/* The two models where they stand. */
typedef struct meeting_models {
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b;
    double clearance;
} meeting_models;

static tumble_status meet_by_collision(const tmb_scene_search *s, tumble_query *query, const meeting_models *m,
                                       tumble_meeting *meeting, int *is_met, tmb_answer_piece *out)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_FIRST, TUMBLE_COUNT, TUMBLE_ALL};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = modes[s->question->mode];
    options.clearance = m->clearance;
    options.want_contacts = options.mode == TUMBLE_ALL && s->question->want_contacts;
    tumble_status status = tumble_collide(query, m->a, m->pose_a, m->b, m->pose_b, &options, &result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *is_met = result.collide;
    meeting->nearest.polygon_a = result.first.polygon_a;
    meeting->nearest.polygon_b = result.first.polygon_b;
    meeting->pair_count = options.mode >= TUMBLE_COUNT ? result.pair_count : 0;
    meeting->contact_count = result.contact_count;
    add_counters(&out->counters, &result.counters);
    if (options.mode == TUMBLE_ALL && result.collide) {
        status = append(s->scene->context, &out->pairs, &out->pair_count, result.pairs, result.pair_count,
                        sizeof *result.pairs);
        if (status == TUMBLE_OK && options.want_contacts) {
            status = append(s->scene->context, &out->contacts, &out->contact_count, result.contacts,
                            result.contact_count, sizeof *result.contacts);
        }
    }
    return status;
}

static tumble_status meet_by_relation(tumble_query *query, const meeting_models *m, tumble_meeting *meeting,
                                      int *is_met, tmb_answer_piece *out)
{
    tumble_relation_result result;
    const tumble_status status = tumble_relate(query, m->a, m->pose_a, m->b, m->pose_b, &result);
    if (status == TUMBLE_OK) {
        *is_met = result.relation != TUMBLE_RELATION_APART;
        meeting->relation = result.relation;
        meeting->nearest.polygon_a = result.pair.polygon_a;
        meeting->nearest.polygon_b = result.pair.polygon_b;
        add_counters(&out->counters, &result.counters);
    }
    return status;
}

static double bits_to_distance(uint64_t bits)
{
    double distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

/* Bits of numbers that are not negative are in their order. */
static void note_best(tmb_scene_search *s, double distance)
{
    uint64_t bits, best = atomic_load(&s->best);
    const double positive = distance + 0.0;
    memcpy(&bits, &positive, sizeof bits);
    while (bits < best && !atomic_compare_exchange_weak(&s->best, &best, bits)) {
    }
}

static tumble_status meet_by_distance(tmb_scene_search *s, tumble_query *query, const meeting_models *m,
                                      tumble_meeting *meeting, int *is_met, tmb_answer_piece *out)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = s->question->within;
    if (s->question->mode == TUMBLE_SCENE_NEAREST) { /* the best so far is known to 1e-14 of it */
        const double best = bits_to_distance(atomic_load(&s->best));
        options.within = fmin(options.within, nextafter(best * (1 + 0x1p-40), INFINITY));
    }
    const tumble_status status = tumble_distance(query, m->a, m->pose_a, m->b, m->pose_b, &options, &result);
    if (status == TUMBLE_OK) {
        *is_met = result.answer == TUMBLE_YES;
        meeting->nearest = result.nearest;
        if (*is_met && s->question->mode == TUMBLE_SCENE_NEAREST) {
            note_best(s, result.nearest.distance);
        }
        add_counters(&out->counters, &result.counters);
    }
    return status;
}

static tumble_status ask(tmb_scene_search *s, tumble_query *query, const meeting_models *m, tumble_meeting *meeting,
                         int *is_met, tmb_answer_piece *out)
{
    switch (s->question->mode) {
    case TUMBLE_SCENE_RELATE: return meet_by_relation(query, m, meeting, is_met, out);
    case TUMBLE_SCENE_DISTANCE:
    case TUMBLE_SCENE_NEAREST: return meet_by_distance(s, query, m, meeting, is_met, out);
    default: return meet_by_collision(s, query, m, meeting, is_met, out);
    }
}

static int is_asked_about(const tmb_scene_search *s, uint32_t a, uint32_t b)
{
    const tumble_scene_question *q = s->question;
    const tmb_scene_objects *all = &s->scene->all;
    const uint32_t group_a = all->groups[a], group_b = all->groups[b];
    if (!((group_a & q->groups_a && group_b & q->groups_b) || (group_b & q->groups_a && group_a & q->groups_b))) {
        return 0;
    }
    return s->is_all || all->updates[a] > s->since || all->updates[b] > s->since;
}

tumble_status tmb_scene_meet(tmb_scene_search *s, tumble_query *query, uint64_t key, tmb_answer_piece *out)
{
    const uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    const tmb_scene_objects *all = &s->scene->all;
    if (!is_asked_about(s, a, b)) {
        return TUMBLE_OK;
    }
    const meeting_models m = {
        tmb_scene_model_at(s->scene, all->objects[a].model)->model,
        tmb_scene_model_at(s->scene, all->objects[b].model)->model, &all->poses[a], &all->poses[b],
        fmin(all->objects[a].clearance + all->objects[b].clearance + s->question->clearance, DBL_MAX)};
    if (s->question->mode <= TUMBLE_SCENE_ALL &&
        tmb_extents_are_apart(s->boxes_are_apart, &tmb_scene_model_at(s->scene, all->objects[a].model)->extents,
                              m.pose_a, &tmb_scene_model_at(s->scene, all->objects[b].model)->extents, m.pose_b,
                              m.clearance)) {
        return TUMBLE_OK;
    }
    tumble_meeting meeting = {.a = tmb_scene_id(s->scene, a), .b = tmb_scene_id(s->scene, b)};
    int is_met = 0;
    const tumble_status status = ask(s, query, &m, &meeting, &is_met, out);
    return status == TUMBLE_OK && is_met
               ? append(s->scene->context, &out->meetings, &out->meeting_count, &meeting, 1, sizeof meeting)
               : status;
}
