/* Which pairs of a block are to be asked about: not those that are plainly apart, nor those that stay apart since it
 * was last known how far, nor those whose answer before still holds. */
#include <string.h>

#include "base/tasks.h"
#include "math/pose.h"
#include "scene/answer.h"

#define CANDIDATE_NANOSECONDS 60

/* A piece while it is sifted: where it is among the meetings and the facts of the answer before. */
typedef struct sifting {
    const tmb_scene_search *search;
    tmb_sift_piece *piece;
    size_t meeting, fact;
} sifting;

/* ---- What was before ---- */

static uint64_t key_of(const tumble_meeting *meeting)
{
    return tmb_pair_key(meeting->a.index, meeting->b.index);
}

static size_t find_meeting(const tmb_answer_list *list, uint64_t key)
{
    const tumble_meeting *meetings = list->meetings.data;
    size_t low = 0, high = list->meeting_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key_of(&meetings[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The pair's number among the meetings before, or TMB_NONE. */
static uint32_t meeting_before(sifting *p, uint64_t key)
{
    const tmb_answer_list *before = p->search->before;
    const tumble_meeting *meetings = before->meetings.data;
    while (p->meeting < before->meeting_count && key_of(&meetings[p->meeting]) < key) {
        p->meeting++;
    }
    const int is_there = p->meeting < before->meeting_count && key_of(&meetings[p->meeting]) == key;
    return is_there && p->meeting < TMB_NONE ? (uint32_t)p->meeting : TMB_NONE;
}

/* What is known of the pair, or NULL. */
static const tmb_fact *fact_before(sifting *p, uint64_t key, const tmb_meeting_models *m)
{
    const tmb_fact_list *known = p->search->known;
    while (p->fact < known->count && tmb_fact_at(known, p->fact)->key < key) {
        p->fact++;
    }
    const tmb_fact *fact = p->fact < known->count ? tmb_fact_at(known, p->fact) : NULL;
    return fact && fact->key == key &&
                   fact->generations[0] == tmb_scene_id(p->search->scene, (uint32_t)(key >> 32)).generation &&
                   fact->generations[1] == tmb_scene_id(p->search->scene, (uint32_t)key).generation &&
                   fact->models == tmb_fact_models(m->a, m->b)
               ? fact
               : NULL;
}

/* ---- Output ---- */

static int keep_fact(const sifting *p, const tmb_fact *fact)
{
    tmb_sift_piece *out = p->piece;
    if (!tmb_buffer_reserve(p->search->scene->context, &out->facts, out->fact_count + 1, sizeof *fact,
                            out->fact_count * sizeof *fact)) {
        return 0;
    }
    ((tmb_fact *)out->facts.data)[out->fact_count++] = *fact;
    return 1;
}

static tmb_ask *add_ask(const sifting *p, uint64_t key)
{
    tmb_sift_piece *out = p->piece;
    if (!tmb_buffer_reserve(p->search->scene->context, &out->asks, out->ask_count + 1, sizeof(tmb_ask),
                            out->ask_count * sizeof(tmb_ask))) {
        return NULL;
    }
    tmb_ask *ask = (tmb_ask *)out->asks.data + out->ask_count++;
    *ask = (tmb_ask){.key = key, .same_as = TMB_NONE, .kept = TMB_NONE, .fact = TMB_NONE};
    return ask;
}

/* Asks, and what is known goes along. */
static int add_question(const sifting *p, uint64_t key, const tmb_meeting_models *m, const tmb_fact *fact)
{
    tmb_ask *ask = add_ask(p, key);
    const uint64_t models = ask && p->search->known ? tmb_fact_models(m->a, m->b) : 0;
    if (!models) {
        return ask != NULL;
    }
    const tumble_scene *scene = p->search->scene;
    const tmb_fact fresh = {.key = key,
                            .generations = {tmb_scene_id(scene, (uint32_t)(key >> 32)).generation,
                                            tmb_scene_id(scene, (uint32_t)key).generation},
                            .models = models};
    ask->fact = (uint32_t)p->piece->fact_count;
    return keep_fact(p, fact ? fact : &fresh);
}

/* ---- One pair ---- */

/* Neither object has changed since the answer before, which was about the same: 1, and what it said holds. */
static int has_answer(sifting *p, uint64_t key, uint32_t *kept)
{
    const tmb_scene_search *s = p->search;
    const uint64_t *updates = s->scene->all.updates;
    if (!s->before || updates[key >> 32] > s->since || updates[(uint32_t)key] > s->since) {
        return 0;
    }
    *kept = meeting_before(p, key);
    return *kept != TMB_NONE || s->question->mode != TUMBLE_SCENE_RELATE; /* boxes that part them may have changed */
}

static int stays_apart(const tmb_scene_search *s, const tmb_fact *fact, const tmb_meeting_models *m)
{
    const tumble_scene_mode mode = s->question->mode;
    if (!fact->is_apart || mode == TUMBLE_SCENE_RELATE || mode == TUMBLE_SCENE_NEAREST) {
        return 0;
    }
    const tumble_pose relative = tumble_pose_relative(m->pose_a, m->pose_b);
    const double most = m->limit + tmb_meeting_thickness(m);
    const double limit = most > 0 ? most / tumble_pose_scale(m->pose_a) * (1 + 0x1p-40) + 0x1p-1000 : 0;
    return tmb_fact_stays_apart(fact, m->b, &relative, limit);
}

/* 0 if memory runs out. */
static int sift_pair(sifting *p, uint64_t key)
{
    const tmb_scene_search *s = p->search;
    uint32_t kept = TMB_NONE;
    const int is_asked = tmb_scene_asks_about(s, (uint32_t)(key >> 32), (uint32_t)key);
    if (!is_asked && !s->known) {
        return 1;
    }
    const tmb_meeting_models m = tmb_meeting_models_of(s, key);
    if (!is_asked || has_answer(p, key, &kept)) {
        const tmb_fact *fact = s->known ? fact_before(p, key, &m) : NULL;
        tmb_ask *ask = kept != TMB_NONE ? add_ask(p, key) : NULL;
        if (ask) {
            ask->kept = kept;
        }
        return (kept == TMB_NONE || ask) && (!fact || keep_fact(p, fact));
    }
    if (s->question->mode != TUMBLE_SCENE_RELATE && m.limit < INFINITY &&
        tmb_extents_are_apart(s->boxes_are_apart, m.extents_a, m.pose_a, m.extents_b, m.pose_b, m.limit)) {
        return 1;
    }
    const tmb_fact *fact = s->known ? fact_before(p, key, &m) : NULL;
    return fact && stays_apart(s, fact, &m) ? keep_fact(p, fact) : add_question(p, key, &m, fact);
}

/* ---- All of them ---- */

static void sift_pieces(void *shared, size_t begin, size_t end)
{
    const tmb_scene_search *s = shared;
    for (size_t number = begin; number < end; number++) {
        const size_t first = number * s->count / TMB_ANSWER_PIECES, last = (number + 1) * s->count / TMB_ANSWER_PIECES;
        tmb_sift_piece *piece = &s->scratch->pieces[number];
        sifting p = {.search = s, .piece = piece};
        piece->ask_count = piece->fact_count = 0;
        piece->failed = 0;
        if (first < last) {
            p.meeting = s->before ? find_meeting(s->before, s->keys[first]) : 0;
            p.fact = s->known ? tmb_facts_find(s->known, s->keys[first]) : 0;
        }
        for (size_t i = first; i < last && !piece->failed; i++) {
            piece->failed = !sift_pair(&p, s->keys[i]);
        }
    }
}

/* Appends what a piece has found to that of the block, and of the whole. */
static int join_piece(tmb_scene_search *s, const tmb_sift_piece *piece)
{
    tmb_scene_scratch *scratch = s->scratch;
    tumble_context *context = s->scene->context;
    const size_t had = scratch->ask_count, fact_count = s->facts ? s->facts->count : 0;
    if (piece->failed ||
        !tmb_buffer_reserve(context, &scratch->asks, had + piece->ask_count, sizeof(tmb_ask), had * sizeof(tmb_ask)) ||
        (s->facts && !tmb_buffer_reserve(context, &s->facts->facts, fact_count + piece->fact_count, sizeof(tmb_fact),
                                         fact_count * sizeof(tmb_fact)))) {
        return 0;
    }
    const tmb_ask *from = piece->asks.data;
    for (size_t i = 0; i < piece->ask_count; i++) {
        tmb_ask *ask = (tmb_ask *)scratch->asks.data + scratch->ask_count++;
        *ask = from[i];
        ask->fact += ask->fact != TMB_NONE ? (uint32_t)fact_count : 0;
    }
    if (s->facts && piece->fact_count > 0) {
        memcpy(tmb_fact_at(s->facts, fact_count), piece->facts.data, piece->fact_count * sizeof(tmb_fact));
        s->facts->count += piece->fact_count;
    }
    return 1;
}

tumble_status tmb_scene_sift(tmb_scene_search *s)
{
    const uint32_t threads = tmb_threads_for_time(s->scene->thread_count, s->count, CANDIDATE_NANOSECONDS);
    int is_done = tmb_parallel_for(s->scene->context, threads, TMB_ANSWER_PIECES, 1, sift_pieces, s);
    s->scratch->ask_count = 0;
    for (int i = 0; i < TMB_ANSWER_PIECES && is_done; i++) {
        is_done = join_piece(s, &s->scratch->pieces[i]);
    }
    return is_done ? TUMBLE_OK : tmb_fail_memory(s->scene->context, "a question about a scene");
}
