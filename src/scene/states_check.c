/* One state: the boxes of what moves, pairs whose boxes overlap, and the questions about them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "collide/touch.h"
#include "scene/search.h"
#include "scene/states.h"
#include "tumble/proximity.h"

#define FEW 32 /* pairs that are sorted by insertion: those of usual states */

/* ---- Objects of a pair ---- */

typedef struct side {
    const tumble_model *model;
    const tmb_extents *extents;
    const tumble_pose *pose;
    double clearance, padding;
} side;

static side side_of(const tmb_states_search *s, const tumble_pose *poses, uint32_t object, uint32_t item)
{
    if (item != TMB_NONE) {
        const tmb_state_item *i = tmb_plan_item(s->plan, item);
        const tumble_pose *pose = i->slot != TMB_NONE ? &poses[i->slot] : &s->scene->all.poses[object];
        return (side){i->model, i->extents, pose, i->clearance, i->padding};
    }
    const tmb_scene_object *o = &s->scene->all.objects[object];
    const tmb_scene_model *model = tmb_scene_model_at(s->scene, o->model);
    return (side){model->model, &model->extents, &s->scene->all.poses[object], o->clearance, model->padding};
}

/* The message of a pair's question, with the state and the pair. */
static tumble_status fail_pair(const tmb_states_search *s, size_t state, const tmb_state_pair *pair,
                               tumble_status status)
{
    const tmb_error error = tmb_last_error(s->scene->context);
    const tumble_object a = tmb_scene_id(s->scene, pair->a), b = tmb_scene_id(s->scene, pair->b);
    return tmb_fail(s->scene->context, status, "state %zu, objects {%u, %u} and {%u, %u}: %.400s", state, a.index,
                    a.generation, b.index, b.generation, error.text);
}

static uint64_t key_of(const tmb_state_pair *pair)
{
    return (uint64_t)pair->a << 32 | pair->b;
}

/* ---- Pairs whose boxes overlap ---- */

static int reserve_pairs(const tmb_states_search *s, tmb_states_worker *w, size_t more)
{
    return tmb_buffer_reserve(s->scene->context, &w->pairs, w->pair_count + more, sizeof(tmb_state_pair),
                              w->pair_count * sizeof(tmb_state_pair));
}

static void note_found(const tmb_states_search *s, tmb_states_worker *w, uint32_t item, const tmb_join_output *found,
                       const tmb_join_filter *filter)
{
    const uint32_t *slots = s->plan->slots.data, object = tmb_plan_item(s->plan, item)->object;
    const uint64_t *others = found->pairs.data;
    tmb_state_pair *pairs = w->pairs.data;
    for (size_t k = 0; k < found->count; k++) {
        const uint32_t other = (uint32_t)others[k];
        if (other != TMB_NONE && slots[other] == TMB_NONE && tmb_join_allows(filter, object, other)) {
            pairs[w->pair_count++] = object < other ? (tmb_state_pair){object, other, item, TMB_NONE, 0}
                                                    : (tmb_state_pair){other, object, TMB_NONE, item, 0};
        }
    }
}

/* Adds the pairs of what moves with what stays, whose boxes in the tree may lack `reach`. */
static int find_in_tree(const tmb_states_search *s, tmb_states_worker *w, double reach)
{
    const tmb_broad_objects objects = tmb_scene_broad_objects(s->scene);
    const float *boxes = w->boxes.data;
    const float grown = (float)fmin(reach * s->scene->frame.scale * (1 + 0x1p-12) + 0x1p-120, FLT_MAX / 8);
    tmb_join_output found = {.context = s->scene->context, .pairs = w->found};
    int is_done = 1;
    for (uint32_t i = 0; is_done && i < s->plan->item_count; i++) {
        tmb_box box = tmb_states_box(s->plan, boxes, i);
        for (int k = 0; k < 3; k++) { /* sums lose less than 2^-23 of them */
            box.lower[k] = fmaxf((box.lower[k] - grown) - 0x1p-22F * fabsf(box.lower[k] - grown), -FLT_MAX / 8);
            box.upper[k] = fminf((box.upper[k] + grown) + 0x1p-22F * fabsf(box.upper[k] + grown), FLT_MAX / 8);
        }
        found.count = 0;
        is_done = tmb_scene_search(s->scene, &box, &found) && reserve_pairs(s, w, found.count);
        if (is_done) {
            note_found(s, w, i, &found, &objects.filter);
        }
    }
    w->found = found.pairs;
    return is_done;
}

/* A heap, with the pair on top that comes before all others: moves pair `i` down to its place. */
typedef int pair_order(const tmb_state_pair *a, const tmb_state_pair *b);

static inline void sift_down(tmb_state_pair *pairs, size_t count, size_t i, pair_order *comes_before)
{
    const tmb_state_pair pair = pairs[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && comes_before(&pairs[child + 1], &pairs[child]);
        if (!comes_before(&pairs[child], &pair)) {
            break;
        }
        pairs[i] = pairs[child];
        i = child;
    }
    pairs[i] = pair;
}

static inline void make_heap(tmb_state_pair *pairs, size_t count, pair_order *comes_before)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(pairs, count, i, comes_before);
    }
}

static int is_later(const tmb_state_pair *a, const tmb_state_pair *b)
{
    return key_of(a) > key_of(b);
}

static int is_nearer(const tmb_state_pair *a, const tmb_state_pair *b)
{
    return a->gap < b->gap;
}

static void insertion_sort(tmb_state_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const tmb_state_pair pair = pairs[i];
        size_t at = i;
        for (; at > 0 && key_of(&pairs[at - 1]) > key_of(&pair); at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = pair;
    }
}

/* In the order of their objects. */
static void sort_pairs(tmb_state_pair *pairs, size_t count)
{
    if (count <= FEW) {
        insertion_sort(pairs, count);
        return;
    }
    make_heap(pairs, count, is_later);
    while (count > 1) {
        const tmb_state_pair last = pairs[0];
        pairs[0] = pairs[--count];
        pairs[count] = last;
        sift_down(pairs, count, 0, is_later);
    }
}

/* ---- Touching ---- */

/* Only the axes of both boxes are looked along before the query: along the extents, too, costs more than it saves. */
static tumble_status ask_touch(const tmb_states_search *s, tmb_states_worker *w, const tumble_pose *poses, size_t state,
                               const tmb_state_pair *pair, tumble_counters *counters, int *touch)
{
    const side a = side_of(s, poses, pair->a, pair->item_a), b = side_of(s, poses, pair->b, pair->item_b);
    const double clearance = fmin(a.clearance + b.clearance + s->question->clearance, DBL_MAX);
    *touch = 0;
    if (s->apart(&a.extents->box, a.pose, &b.extents->box, b.pose, clearance)) {
        return TUMBLE_OK;
    }
    tmb_query_pad(w->query, a.padding, b.padding);
    const tumble_status status =
        tmb_collide_touch(w->query, a.model, a.pose, b.model, b.pose, clearance, counters, touch);
    tmb_query_pad(w->query, 0, 0);
    return status == TUMBLE_OK ? TUMBLE_OK : fail_pair(s, state, pair, status);
}

static const tmb_state_pair *find_hint(const tmb_state_pair *pairs, size_t count, uint64_t hint)
{
    for (size_t i = 0; hint != TMB_NO_PAIR && i < count; i++) {
        if (key_of(&pairs[i]) == hint) {
            return &pairs[i];
        }
    }
    return NULL;
}

/* Pairs in order; where any one will do, the hint comes first. */
static tumble_status look_for_touch(const tmb_states_search *s, tmb_states_worker *w, size_t state, uint64_t *hint,
                                    tumble_counters *counters, tmb_state_answer *answer)
{
    const tumble_pose *poses = s->states->poses + state * s->stride;
    const tmb_state_pair *pairs = w->pairs.data;
    const tmb_state_pair *first =
        s->question->mode == TUMBLE_STATES_TEST ? find_hint(pairs, w->pair_count, *hint) : NULL;
    tumble_status status = first ? ask_touch(s, w, poses, state, first, counters, &answer->touch) : TUMBLE_OK;
    const tmb_state_pair *hit = first;
    for (size_t i = 0; status == TUMBLE_OK && !answer->touch && i < w->pair_count; i++) {
        if (&pairs[i] != first) {
            hit = &pairs[i];
            status = ask_touch(s, w, poses, state, hit, counters, &answer->touch);
        }
    }
    if (status == TUMBLE_OK && answer->touch && hit) {
        *hint = answer->key = key_of(hit);
    }
    return status;
}

/* ---- The nearest pair ---- */

static tumble_status ask_distance(const tmb_states_search *s, tmb_states_worker *w, size_t state,
                                  const tmb_state_pair *pair, tumble_counters *counters, tmb_state_answer *best)
{
    const tumble_pose *poses = s->states->poses + state * s->stride;
    const side a = side_of(s, poses, pair->a, pair->item_a), b = side_of(s, poses, pair->b, pair->item_b);
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = s->question->within;
    if (best->touch) { /* the best so far is known to 1e-14 of it */
        options.within = fmin(options.within, nextafter(best->nearest.distance * (1 + 0x1p-40), INFINITY));
    }
    tmb_query_pad(w->query, a.padding, b.padding);
    const tumble_status status = tumble_distance(w->query, a.model, a.pose, b.model, b.pose, &options, &result);
    tmb_query_pad(w->query, 0, 0);
    if (status != TUMBLE_OK) {
        return fail_pair(s, state, pair, status);
    }
    tmb_counters_add(counters, &result.counters);
    const double distance = result.nearest.distance;
    if (result.answer == TUMBLE_YES && (!best->touch || distance < best->nearest.distance ||
                                        (distance == best->nearest.distance && key_of(pair) < best->key))) {
        *best = (tmb_state_answer){1, key_of(pair), result.nearest};
    }
    return TUMBLE_OK;
}

/* No pair whose boxes are farther apart, in the scene's frame, can be as near as the best one. */
static double farthest_gap(const tmb_states_search *s, const tmb_state_answer *best)
{
    const double within = best->touch ? best->nearest.distance : s->question->within;
    return within * (1 + TMB_POSE_STRETCH) * s->scene->frame.scale;
}

/* All pairs of the worker, the nearest boxes first. */
static tumble_status look_for_nearest(const tmb_states_search *s, tmb_states_worker *w, size_t state,
                                      tumble_counters *counters, tmb_state_answer *best)
{
    tmb_state_pair *pairs = w->pairs.data;
    tumble_status status = TUMBLE_OK;
    size_t count = w->pair_count;
    make_heap(pairs, count, is_nearer);
    while (status == TUMBLE_OK && count > 0 && (double)pairs[0].gap <= farthest_gap(s, best)) {
        const tmb_state_pair pair = pairs[0];
        pairs[0] = pairs[--count];
        if (count > 0) {
            sift_down(pairs, count, 0, is_nearer);
        }
        status = ask_distance(s, w, state, &pair, counters, best);
    }
    return status;
}

static tumble_status check_nearest(const tmb_states_search *s, tmb_states_worker *w, size_t state, uint64_t *hint,
                                   tumble_counters *counters, tmb_state_answer *best)
{
    const float limit = (float)fmin(farthest_gap(s, best) * (1 + 0x1p-20), FLT_MAX);
    tumble_status status = TUMBLE_OK;
    w->pair_count = s->kernels.gaps(s->plan, w->boxes.data, limit, w->pairs.data);
    const tmb_state_pair *first = find_hint(w->pairs.data, w->pair_count, *hint);
    if (first) {
        status = ask_distance(s, w, state, first, counters, best);
    }
    if (status == TUMBLE_OK) {
        status = look_for_nearest(s, w, state, counters, best);
    }
    if (status == TUMBLE_OK && s->plan->uses_tree) { /* what stays, as near as the best */
        w->pair_count = 0;
        if (!find_in_tree(s, w, best->touch ? best->nearest.distance : s->question->within)) {
            return tmb_fail_memory(s->scene->context, "the states of a scene");
        }
        status = look_for_nearest(s, w, state, counters, best);
    }
    *hint = best->touch ? best->key : *hint;
    return status;
}

/* ---- A state ---- */

/* The boxes of a state; fails if a pose is not one. */
static tumble_status make_boxes(const tmb_states_search *s, tmb_states_worker *w, size_t state)
{
    const tumble_pose *poses = s->states->poses + state * s->stride;
    if (s->kernels.boxes(s->plan, &s->scene->frame, poses, w->boxes.data) == TMB_NONE) {
        return TUMBLE_OK;
    }
    for (size_t i = 0; i < s->states->object_count; i++) {
        const tumble_status status = tumble_pose_check(s->scene->context, &poses[i]);
        if (status != TUMBLE_OK) {
            const tmb_error error = tmb_last_error(s->scene->context);
            return tmb_fail(s->scene->context, status, "state %zu, object %zu: %.400s", state, i, error.text);
        }
    }
    return TUMBLE_OK;
}

tumble_status tmb_states_check(const tmb_states_search *s, tmb_states_worker *w, size_t state, uint64_t *hint,
                               tumble_counters *counters, tmb_state_answer *answer)
{
    *answer = (tmb_state_answer){0};
    w->pair_count = 0;
    tumble_status status = make_boxes(s, w, state);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!reserve_pairs(s, w, (size_t)s->plan->link_count * TMB_STATES_LANES)) {
        return tmb_fail_memory(s->scene->context, "the states of a scene");
    }
    if (s->question->mode == TUMBLE_STATES_NEAREST) {
        return check_nearest(s, w, state, hint, counters, answer);
    }
    w->pair_count = s->kernels.overlaps(s->plan, w->boxes.data, 0, w->pairs.data);
    if (s->plan->uses_tree) {
        if (!find_in_tree(s, w, s->question->clearance)) {
            return tmb_fail_memory(s->scene->context, "the states of a scene");
        }
        sort_pairs(w->pairs.data, w->pair_count);
    }
    return look_for_touch(s, w, state, hint, counters, answer);
}
