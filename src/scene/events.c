/* What began and what ended since the answer before. */
#include <string.h>

#include "scene/answer.h"

static uint64_t key_of(const tumble_object_pair *pair)
{
    return tmb_pair_key(pair->a.index, pair->b.index);
}

static int is_same(const tumble_object_pair *a, const tumble_object_pair *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Whether the answer says nothing about a pair of the answer before, which therefore stays. */
static int stays(const tmb_scene_search *s, const tumble_object_pair *pair)
{
    const uint64_t *updates = s->scene->all.updates;
    return !s->is_all && updates[pair->a.index] <= s->since && updates[pair->b.index] <= s->since;
}

static int reserve(tmb_scene_search *s, size_t more)
{
    tmb_scene_scratch *scratch = s->scratch;
    const size_t size = sizeof(tumble_object_pair), left = scratch->previous_count - scratch->compared;
    return tmb_buffer_reserve(s->scene->context, &scratch->now, scratch->now_count + left + more, size,
                              scratch->now_count * size) &&
           tmb_buffer_reserve(s->scene->context, &scratch->ended, scratch->ended_count + left, size,
                              scratch->ended_count * size);
}

/* Deals with the pair of before that comes next and is not met again. */
static void leave(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    const tumble_object_pair *pair = (tumble_object_pair *)scratch->previous.data + scratch->compared++;
    if (stays(s, pair)) {
        ((tumble_object_pair *)scratch->now.data)[scratch->now_count++] = *pair;
    } else {
        ((tumble_object_pair *)scratch->ended.data)[scratch->ended_count++] = *pair;
    }
}

int tmb_events_add(tmb_scene_search *s, tumble_meeting *meetings, size_t count)
{
    tmb_scene_scratch *scratch = s->scratch;
    if (!reserve(s, count)) {
        return 0;
    }
    const tumble_object_pair *previous = scratch->previous.data;
    for (size_t i = 0; i < count; i++) {
        const tumble_object_pair met = {meetings[i].a, meetings[i].b};
        while (scratch->compared < scratch->previous_count && key_of(&previous[scratch->compared]) < key_of(&met)) {
            leave(s);
        }
        meetings[i].event = TUMBLE_BEGAN;
        if (scratch->compared < scratch->previous_count && key_of(&previous[scratch->compared]) == key_of(&met)) {
            if (is_same(&previous[scratch->compared], &met)) {
                meetings[i].event = TUMBLE_CONTINUES;
                scratch->compared++;
            } else { /* other objects had these indices */
                leave(s);
            }
        }
        ((tumble_object_pair *)scratch->now.data)[scratch->now_count++] = met;
    }
    return 1;
}

int tmb_events_finish(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    if (!reserve(s, 0)) {
        return 0;
    }
    while (scratch->compared < scratch->previous_count) {
        leave(s);
    }
    const tmb_buffer now = scratch->now;
    scratch->now = scratch->previous;
    scratch->previous = now;
    scratch->previous_count = scratch->now_count;
    return 1;
}
