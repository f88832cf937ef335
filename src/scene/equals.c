/* Equal questions are asked once: pairs with the same two models, the same clearance in the same unit, and bit-equal
 * relative poses.
 *
 * The relative pose is a function of both linear parts and the difference of the translations, and copies of a part
 * that are turned alike have equal ones: these are hashed, which is much cheaper than a relative pose. */
#include <string.h>

#include "scene/answer.h"

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_number(uint64_t hash, double number)
{
    uint64_t bits;
    const double plain = number + 0.0; /* zeros are equal */
    memcpy(&bits, &plain, sizeof bits);
    return mix(hash, bits);
}

static uint64_t hash_of(const tmb_meeting_models *m)
{
    const double(*a)[4] = m->pose_a->m, (*b)[4] = m->pose_b->m;
    uint64_t hash = mix(mix(1, (uint64_t)(uintptr_t)m->a), (uint64_t)(uintptr_t)m->b);
    for (int i = 0; i < 3; i++) {
        hash = mix_number(hash, b[i][3] - a[i][3]);
    }
    return mix_number(mix_number(hash, a[0][1]), b[0][1]);
}

static int are_equal(const tmb_meeting_models *x, const tmb_meeting_models *y)
{
    const int is_thick = x->a->radius > 0 || x->b->radius > 0 || x->padding_a > 0 || x->padding_b > 0;
    if (x->a != y->a || x->b != y->b || x->clearance != y->clearance || x->padding_a != y->padding_a ||
        x->padding_b != y->padding_b ||
        ((x->clearance > 0 || is_thick) && tumble_pose_scale(x->pose_a) != tumble_pose_scale(y->pose_a)) ||
        (is_thick && tumble_pose_scale(x->pose_b) != tumble_pose_scale(y->pose_b))) {
        return 0;
    }
    const tumble_pose one = tumble_pose_relative(x->pose_a, x->pose_b);
    const tumble_pose other = tumble_pose_relative(y->pose_a, y->pose_b);
    int same = 1;
    for (int i = 0; i < 12; i++) {
        same &= one.m[i / 4][i % 4] == other.m[i / 4][i % 4];
    }
    return same;
}

/* Contacts and distances are in the frame of the poses, so they are not equal. */
static int are_shared(const tumble_scene_question *q)
{
    return q->mode == TUMBLE_SCENE_PAIRS || q->mode == TUMBLE_SCENE_COUNT || q->mode == TUMBLE_SCENE_RELATE ||
           (q->mode == TUMBLE_SCENE_ALL && !q->want_contacts);
}

/* An earlier ask with this question; else this one takes its place in the table. */
static uint32_t find(const tmb_scene_search *s, uint32_t *table, uint64_t mask, uint32_t number)
{
    tmb_ask *ask = tmb_ask_at(s, number);
    const tmb_meeting_models models = tmb_meeting_models_of(s, ask->key);
    ask->hash = hash_of(&models);
    uint64_t place = ask->hash & mask;
    for (; table[place] != TMB_NONE; place = (place + 1) & mask) {
        const tmb_ask *other = tmb_ask_at(s, table[place]);
        if (other->hash == ask->hash) {
            const tmb_meeting_models others = tmb_meeting_models_of(s, other->key);
            if (are_equal(&models, &others)) {
                return table[place];
            }
        }
    }
    table[place] = number;
    return TMB_NONE;
}

static int find_all(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    size_t size = 16;
    while (size < 2 * scratch->ask_count) {
        size *= 2;
    }
    if (!tmb_buffer_reserve(s->scene->context, &scratch->table, size, sizeof(uint32_t), 0)) {
        return 0;
    }
    memset(scratch->table.data, 0xff, size * sizeof(uint32_t));
    for (uint32_t i = 0; i < scratch->ask_count; i++) {
        tmb_ask *ask = tmb_ask_at(s, i);
        ask->same_as = ask->kept == TMB_NONE ? find(s, scratch->table.data, size - 1, i) : TMB_NONE;
    }
    return 1;
}

/* Where a single pair that touches is enough, those that did before come first. */
static int comes_first(const tmb_scene_search *s, const tmb_ask *ask)
{
    return s->question->mode == TUMBLE_SCENE_TEST && ask->fact != TMB_NONE &&
           tmb_fact_at(s->facts, ask->fact)->has_triangles;
}

int tmb_scene_find_equals(tmb_scene_search *s)
{
    tmb_scene_scratch *scratch = s->scratch;
    if (!tmb_buffer_reserve(s->scene->context, &scratch->order, scratch->ask_count, sizeof(uint32_t), 0) ||
        (are_shared(s->question) && scratch->ask_count > 1 && !find_all(s))) {
        return 0;
    }
    uint32_t *order = scratch->order.data;
    scratch->order_count = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < scratch->ask_count; i++) {
            const tmb_ask *ask = tmb_ask_at(s, i);
            if (ask->kept == TMB_NONE && ask->same_as == TMB_NONE && comes_first(s, ask) == (round == 0)) {
                order[scratch->order_count++] = i;
            }
        }
    }
    return 1;
}
