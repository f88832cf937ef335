/* Asking about all pairs of a scene: what its parts share.
 *
 * Candidates are looked at in blocks. Most pairs of a block are plainly apart, or known from before (sift.c); what is
 * left is asked about by a team of threads (team.c), equal questions once (equals.c); then the answers are put together
 * in order (gather.c). */
#ifndef TUMBLE_SRC_SCENE_ANSWER_H
#define TUMBLE_SRC_SCENE_ANSWER_H

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "query/query.h"
#include "scene/facts.h"
#include "scene/scene.h"
#include "scene/team.h"

#define TMB_ANSWER_PIECES 64
#define TMB_ANSWER_BLOCK ((size_t)1 << 15)

/* A pair that is asked about, and its answer. */
typedef struct tmb_ask {
    uint64_t key;
    uint64_t hash;              /* equal for equal questions */
    uint32_t same_as;           /* an earlier one of the block with the same question, or TMB_NONE */
    uint32_t kept;              /* a meeting of the answer before, which holds, or TMB_NONE */
    uint32_t fact;              /* where what is learnt goes, among the facts of this answer, or TMB_NONE */
    uint32_t member;            /* of the team, whose results have the polygons, */
    size_t pair, contact;       /* from here on */
    size_t to_pair, to_contact; /* where they go in the whole */
    size_t to_meeting;
    int is_met;
    tumble_meeting meeting;
} tmb_ask;

/* What is found in a piece of a block: in order, so that joining pieces keeps the order. */
typedef struct tmb_sift_piece {
    tmb_buffer asks; /* of tmb_ask; their facts are numbers among those of the piece */
    tmb_buffer facts;
    size_t ask_count, fact_count;
    int failed; /* memory ran out */
} tmb_sift_piece;

/* Meetings in order, and the polygons of all. */
typedef struct tmb_answer_list {
    tmb_buffer meetings, pairs, contacts;
    size_t meeting_count, pair_count, contact_count;
    tumble_counters counters;
} tmb_answer_list;

/* What an answer was about: one about the same is the same for pairs that have not changed. */
typedef struct tmb_answer_subject {
    tumble_scene_question question;
    uint64_t serial, update; /* of the scene, then */
} tmb_answer_subject;

/* Pairs that go to a device together; the numbers are those of asks, in the team's order. */
typedef struct tmb_device_checks {
    tmb_buffer numbers, pairs, poses_a, poses_b, answers;
} tmb_device_checks;

/* Of a query, for scenes. */
typedef struct tmb_scene_scratch {
    tmb_team team;
    tmb_sift_piece pieces[TMB_ANSWER_PIECES];
    tmb_buffer asks;  /* of a block: tmb_ask */
    tmb_buffer order; /* numbers of those that the team is to answer */
    tmb_buffer table; /* of equal questions */
    size_t ask_count, order_count;
    tmb_device_checks checks;
    tmb_answer_list answers[2]; /* this one and the one before, by turns */
    int current;
    int has_before; /* the last answer holds all meetings about its subject */
    tmb_answer_subject before;
    tmb_fact_list facts[2]; /* of this answer and the one before, likewise */
    int current_facts;
    uint64_t facts_serial; /* of the scene that they are about */
    /* Pairs that met in the answer before, sorted, and what comes next. */
    uint64_t serial;                                         /* of that scene */
    uint64_t update;                                         /* the scene's, at that answer */
    tmb_buffer previous, now, ended;                         /* of tumble_object_pair */
    size_t previous_count, compared, now_count, ended_count; /* pairs of `previous` that were compared already */
} tmb_scene_scratch;

/* A question while it is answered. */
typedef struct tmb_scene_search {
    tumble_scene *scene;
    const tumble_scene_question *question;
    tmb_scene_scratch *scratch;
    tmb_boxes_apart_kernel *boxes_are_apart;
    tmb_answer_list *whole;        /* the answer, */
    const tmb_answer_list *before; /* and the one before, if it is about the same; else NULL */
    tmb_fact_list *facts;          /* likewise, NULL without coherence */
    const tmb_fact_list *known;
    const uint64_t *keys; /* of this block */
    size_t count;
    uint64_t since;        /* only pairs of which an object has changed after this update */
    int is_all;            /* ... or all pairs */
    _Atomic uint64_t best; /* NEAREST: the bits of the least distance so far */
    atomic_int is_over;    /* TEST: a pair touches; or stopped */
    int is_stopped;        /* by `progress`; only the calling thread writes it */
    /* The first pair of the block that failed, in the team's order: the same for every number of threads. */
    _Atomic uint64_t failed_at; /* UINT64_MAX: none */
    tumble_status status;       /* of that one; guarded by the team's lock, too */
    char message[512];
} tmb_scene_search;

/* The two models of a pair where they stand. */
typedef struct tmb_meeting_models {
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b;
    const tmb_extents *extents_a, *extents_b;
    double clearance;
    double limit;                /* the pair does not count if it is farther apart */
    double padding_a, padding_b; /* the objects' own radii */
} tmb_meeting_models;

static inline tmb_meeting_models tmb_meeting_models_of(const tmb_scene_search *s, uint64_t key)
{
    const tmb_scene_objects *all = &s->scene->all;
    const uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    const tmb_scene_model *of_a = tmb_scene_model_at(s->scene, all->objects[a].model);
    const tmb_scene_model *of_b = tmb_scene_model_at(s->scene, all->objects[b].model);
    const double clearance =
        fmin(all->objects[a].clearance + all->objects[b].clearance + s->question->clearance, DBL_MAX);
    const double limit = s->question->mode >= TUMBLE_SCENE_DISTANCE ? s->question->within : clearance;
    return (tmb_meeting_models){of_a->model,    of_b->model, &all->poses[a], &all->poses[b], &of_a->extents,
                                &of_b->extents, clearance,   limit,          of_a->padding,  of_b->padding};
}

/* The radii of both in the frame of the poses: polygons are that much farther apart than the objects, at most. */
static inline double tmb_meeting_thickness(const tmb_meeting_models *m)
{
    const double radius_a = m->a->radius + m->padding_a, radius_b = m->b->radius + m->padding_b;
    return radius_a > 0 || radius_b > 0
               ? radius_a * tumble_pose_scale(m->pose_a) + radius_b * tumble_pose_scale(m->pose_b)
               : 0;
}

/* Whether an object has changed since the answer that `only_moved` refers to. */
static inline int tmb_scene_has_moved(const tmb_scene_search *s, uint32_t object)
{
    return s->is_all || s->scene->all.updates[object] > s->since;
}

/* Whether a question is about this pair. */
static inline int tmb_scene_asks_about(const tmb_scene_search *s, uint32_t a, uint32_t b)
{
    const tumble_scene_question *q = s->question;
    const uint32_t group_a = s->scene->all.groups[a], group_b = s->scene->all.groups[b];
    return ((group_a & q->groups_a && group_b & q->groups_b) || (group_b & q->groups_a && group_a & q->groups_b)) &&
           (tmb_scene_has_moved(s, a) || tmb_scene_has_moved(s, b));
}

/* What a pair whose answer the query has: the polygons are those of the member's results. */
static inline tmb_ask *tmb_ask_at(const tmb_scene_search *s, size_t number)
{
    TMB_ASSERT(number < s->scratch->ask_count);
    return (tmb_ask *)s->scratch->asks.data + number;
}

/* The pairs of a block that are to be asked about (sift.c). */
tumble_status tmb_scene_sift(tmb_scene_search *search);

/* Finds asks with equal questions, and lists the others (equals.c). 0 if memory runs out. */
int tmb_scene_find_equals(tmb_scene_search *search);

/* Has the scene's device answer what it can, which leaves the list (on_device.c). */
tumble_status tmb_scene_ask_device(tmb_scene_search *search);

/* Answers one of them: body of the team. And when others have ended a shared traversal (meet.c). */
void tmb_scene_meet(void *search, tmb_member *member, size_t number);
void tmb_scene_end_meet(void *search, tmb_member *member, const tmb_outcome *outcome);

/* The answers of a block go to the whole, in order (gather.c). */
tumble_status tmb_scene_gather(tmb_scene_search *search);

/* NEAREST (nearest.c): a distance that some pair is known to be within, as the best so far, and half of it as the
 * margin of the boxes. */
tumble_status tmb_scene_bound_nearest(tmb_scene_search *search, double *margin);

/* Events (events.c): the next meetings, in order, are compared with the answer before; after the last ones, this answer
 * is remembered. 0 if memory runs out. */
int tmb_events_add(tmb_scene_search *search, tumble_meeting *meetings, size_t count);
int tmb_events_finish(tmb_scene_search *search);

#endif
