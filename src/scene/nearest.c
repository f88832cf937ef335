/* The nearest pair of a scene: first a distance that some pair has, then all pairs whose boxes are that close. */
#include <math.h>
#include <string.h>

#include "scene/answer.h"

/* Neighbours along the tree's order that are tried. */
#define TRIES 32

/* How far two boxes are apart, squared, in the scene's frame. */
static float gap_of(const tmb_box *a, const tmb_box *b)
{
    float square = 0;
    for (int k = 0; k < 3; k++) {
        const float gap = fmaxf(a->lower[k] - b->upper[k], b->lower[k] - a->upper[k]);
        square += gap > 0 ? gap * gap : 0;
    }
    return square;
}

/* The pairs of neighbours with the least gaps, TMB_NO_PAIR where there are fewer. */
typedef struct neighbours {
    uint64_t keys[TRIES];
    float gaps[TRIES];
} neighbours;

static void note_neighbours(neighbours *best, uint64_t key, float gap)
{
    int at = TRIES;
    for (; at > 0 && gap < best->gaps[at - 1]; at--) {
        if (at < TRIES) {
            best->gaps[at] = best->gaps[at - 1];
            best->keys[at] = best->keys[at - 1];
        }
    }
    if (at < TRIES) {
        best->gaps[at] = gap;
        best->keys[at] = key;
    }
}

/* The last objects of each kind that a partner is wanted of: in the first groups or the second ones, of all objects or
 * of those that have moved. */
typedef struct latest {
    uint32_t objects[4];
} latest;

static void note_latest(const tmb_scene_search *s, latest *last, uint32_t object)
{
    const uint32_t sets[2] = {s->question->groups_a, s->question->groups_b};
    for (int i = 0; i < 4; i++) {
        if (s->scene->all.groups[object] & sets[i % 2] && (i < 2 || tmb_scene_has_moved(s, object))) {
            last->objects[i] = object;
        }
    }
}

/* Pairs of an object with those before it that the question is about. */
static void pair_with_latest(const tmb_scene_search *s, const tmb_broad_objects *objects, const latest *last,
                             uint32_t object, neighbours *best)
{
    for (int i = 0; i < 4; i++) {
        const uint32_t other = last->objects[i];
        int is_new = other != TMB_NONE && other != object;
        for (int j = 0; j < i; j++) {
            is_new &= last->objects[j] != other;
        }
        if (is_new && tmb_scene_asks_about(s, other, object) && tmb_join_allows(&objects->filter, other, object)) {
            note_neighbours(best, tmb_pair_key(other, object), gap_of(&objects->boxes[other], &objects->boxes[object]));
        }
    }
}

static void list_neighbours(const tmb_scene_search *s, neighbours *best)
{
    const tumble_scene *scene = s->scene;
    const tmb_broad_objects objects = tmb_scene_broad_objects(scene);
    for (int i = 0; i < TRIES; i++) {
        best->keys[i] = TMB_NO_PAIR;
        best->gaps[i] = INFINITY;
    }
    latest last = {{TMB_NONE, TMB_NONE, TMB_NONE, TMB_NONE}};
    for (uint32_t place = 0; place < objects.count; place++) {
        const uint32_t object = scene->method == TUMBLE_BROAD_TREE && place < scene->broad.main.count
                                    ? scene->broad.main.objects[place]
                                    : place;
        if (object != TMB_NONE && objects.is_present[object]) {
            pair_with_latest(s, &objects, &last, object, best);
            note_latest(s, &last, object);
        }
    }
}

/* Asks about these pairs. */
static tumble_status try_neighbours(tmb_scene_search *s, const uint64_t keys[TRIES])
{
    tmb_scene_scratch *scratch = s->scratch;
    if (!tmb_buffer_reserve(s->scene->context, &scratch->asks, TRIES, sizeof(tmb_ask), 0) ||
        !tmb_buffer_reserve(s->scene->context, &scratch->order, TRIES, sizeof(uint32_t), 0)) {
        return tmb_fail_memory(s->scene->context, "a question about a scene");
    }
    size_t count = 0;
    for (; count < TRIES && keys[count] != TMB_NO_PAIR; count++) {
        ((tmb_ask *)scratch->asks.data)[count] =
            (tmb_ask){.key = keys[count], .same_as = TMB_NONE, .kept = TMB_NONE, .fact = TMB_NONE};
        ((uint32_t *)scratch->order.data)[count] = (uint32_t)count;
    }
    scratch->ask_count = scratch->order_count = count;
    for (size_t i = 0; i < count; i++) {
        tmb_scene_meet(s, &scratch->team.members[0], i);
    }
    if (s->is_stopped) {
        return tmb_scene_fail_stopped(s->scene->context);
    }
    if (s->status == TUMBLE_ERROR_MEMORY) {
        return tmb_fail(s->scene->context, s->status, "%s", s->message);
    }
    s->status = TUMBLE_OK; /* a pair that cannot be asked bounds nothing */
    s->failed_at = UINT64_MAX;
    return TUMBLE_OK;
}

tumble_status tmb_scene_bound_nearest(tmb_scene_search *s, double *margin)
{
    neighbours best_boxes;
    uint64_t bits;
    double best = s->question->within;
    tumble_status status = tmb_scene_set_margin(s->scene, 0);
    memcpy(&bits, &best, sizeof bits);
    atomic_store(&s->best, bits);
    if (status == TUMBLE_OK) {
        list_neighbours(s, &best_boxes);
        status = try_neighbours(s, best_boxes.keys);
    }
    bits = atomic_load(&s->best);
    memcpy(&best, &bits, sizeof best);
    *margin = best / 2 * (1 + 0x1p-30);
    return status;
}
