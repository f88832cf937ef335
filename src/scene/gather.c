/* The answers of a block, put together in order. */
#include <string.h>

#include "base/tasks.h"
#include "scene/answer.h"

#define GRAIN 512       /* pairs that a thread copies at a time */
#define LEAST_BYTES 1e6 /* that are worth a second thread */

/* Where an ask's answer is: its own, or that of an earlier equal question. */
static const tmb_ask *answered(const tmb_scene_search *s, const tmb_ask *ask)
{
    return ask->same_as == TMB_NONE ? ask : tmb_ask_at(s, ask->same_as);
}

/* Takes over the meeting from where it is known. */
static void settle(const tmb_scene_search *s, tmb_ask *ask)
{
    if (ask->kept != TMB_NONE) {
        ask->meeting = ((const tumble_meeting *)s->before->meetings.data)[ask->kept];
        ask->is_met = 1;
    } else if (ask->same_as != TMB_NONE) {
        const tmb_ask *from = answered(s, ask);
        ask->meeting = from->meeting;
        ask->meeting.a = tmb_scene_id(s->scene, (uint32_t)(ask->key >> 32));
        ask->meeting.b = tmb_scene_id(s->scene, (uint32_t)ask->key);
        ask->is_met = from->is_met;
    }
}

/* Where everything goes; what there is then of each. */
static void lay_out(const tmb_scene_search *s, tmb_answer_list *sizes)
{
    const int has_pairs = s->question->mode == TUMBLE_SCENE_ALL;
    for (size_t i = 0; i < s->scratch->ask_count; i++) {
        tmb_ask *ask = tmb_ask_at(s, i);
        settle(s, ask);
        if (ask->is_met) {
            ask->to_meeting = sizes->meeting_count++;
            ask->to_pair = sizes->pair_count;
            ask->to_contact = sizes->contact_count;
            sizes->pair_count += has_pairs ? (size_t)ask->meeting.pair_count : 0;
            sizes->contact_count += has_pairs ? (size_t)ask->meeting.contact_count : 0;
        }
    }
}

static void copy_polygons(const tmb_scene_search *s, const tmb_ask *ask)
{
    const tumble_meeting *meeting = &ask->meeting;
    const tmb_ask *from = answered(s, ask);
    const tmb_member *member = &s->scratch->team.members[from->member];
    const int is_kept = ask->kept != TMB_NONE;
    if (meeting->pair_count > 0) {
        const tumble_pair *pairs = is_kept ? meeting->pairs : (const tumble_pair *)member->pairs.data + from->pair;
        memcpy((tumble_pair *)s->whole->pairs.data + ask->to_pair, pairs, meeting->pair_count * sizeof *pairs);
    }
    if (meeting->contact_count > 0) {
        const tumble_contact *contacts =
            is_kept ? meeting->contacts : (const tumble_contact *)member->contacts.data + from->contact;
        memcpy((tumble_contact *)s->whole->contacts.data + ask->to_contact, contacts,
               meeting->contact_count * sizeof *contacts);
    }
}

static void copy_answers(void *shared, size_t begin, size_t end)
{
    const tmb_scene_search *s = shared;
    for (size_t i = begin; i < end; i++) {
        const tmb_ask *ask = tmb_ask_at(s, i);
        if (ask->is_met) {
            if (s->question->mode == TUMBLE_SCENE_ALL) {
                copy_polygons(s, ask);
            }
            ((tumble_meeting *)s->whole->meetings.data)[ask->to_meeting] = ask->meeting;
        }
    }
}

static int reserve(const tmb_scene_search *s, const tmb_answer_list *sizes)
{
    tumble_context *context = s->scene->context;
    tmb_answer_list *whole = s->whole;
    return tmb_buffer_reserve(context, &whole->meetings, sizes->meeting_count, sizeof(tumble_meeting),
                              whole->meeting_count * sizeof(tumble_meeting)) &&
           tmb_buffer_reserve(context, &whole->pairs, sizes->pair_count, sizeof(tumble_pair),
                              whole->pair_count * sizeof(tumble_pair)) &&
           tmb_buffer_reserve(context, &whole->contacts, sizes->contact_count, sizeof(tumble_contact),
                              whole->contact_count * sizeof(tumble_contact));
}

tumble_status tmb_scene_gather(tmb_scene_search *s)
{
    tmb_answer_list *whole = s->whole, sizes = *whole;
    lay_out(s, &sizes);
    const double bytes = (double)(sizes.pair_count - whole->pair_count) * sizeof(tumble_pair) +
                         (double)(sizes.contact_count - whole->contact_count) * sizeof(tumble_contact);
    const uint32_t threads = bytes > LEAST_BYTES ? s->scene->thread_count : 1;
    if (!reserve(s, &sizes) ||
        !tmb_parallel_for(s->scene->context, threads, s->scratch->ask_count, GRAIN, copy_answers, s)) {
        return tmb_fail_memory(s->scene->context, "the answer of a scene");
    }
    whole->meeting_count = sizes.meeting_count;
    whole->pair_count = sizes.pair_count;
    whole->contact_count = sizes.contact_count;
    return TUMBLE_OK;
}
