/* Asking about all pairs of a scene: what its parts share. */
#ifndef TUMBLE_SRC_SCENE_ANSWER_H
#define TUMBLE_SRC_SCENE_ANSWER_H

#include <stdatomic.h>

#include "query/query.h"
#include "scene/scene.h"

/* Candidates are looked at in blocks; the pieces of a block are taken by threads, and joined in order. */
#define TMB_ANSWER_PIECES 64
#define TMB_ANSWER_BLOCK ((size_t)1 << 15)

/* What a thread has found in its piece. Offsets stand for pointers in the meetings. */
typedef struct tmb_answer_piece {
    tmb_buffer meetings, pairs, contacts;
    size_t meeting_count, pair_count, contact_count;
    tumble_counters counters;
    tumble_status status;
    tmb_error error;     /* of the pair that failed first, unless the status is OK */
    uint64_t failed_key; /* that pair */
} tmb_answer_piece;

/* Of a query, for scenes. */
typedef struct tmb_scene_scratch {
    tumble_query **queries; /* one for each thread */
    atomic_uchar *is_taken; /* by a thread, likewise */
    uint32_t query_count;
    tmb_answer_piece pieces[TMB_ANSWER_PIECES];
    tmb_answer_piece whole; /* the answer */
    /* Pairs that met in the answer before, sorted, and what comes next. */
    const tumble_scene *scene;
    uint64_t serial;                                       /* of that scene */
    uint64_t update;                                       /* the scene's, at that answer */
    tmb_buffer before, now, ended;                         /* of tumble_object_pair */
    size_t before_count, compared, now_count, ended_count; /* pairs of before that were compared already */
} tmb_scene_scratch;

/* A question while it is answered. */
typedef struct tmb_scene_search {
    tumble_scene *scene;
    const tumble_scene_question *question;
    tmb_scene_scratch *scratch;
    tmb_boxes_apart_kernel *boxes_are_apart;
    const uint64_t *keys; /* of this block */
    size_t count;
    uint64_t since;        /* only pairs of which an object has changed after this update */
    int is_all;            /* ... or all pairs */
    _Atomic uint64_t best; /* NEAREST: the bits of the least distance so far */
    atomic_int is_over;    /* nothing more is wanted */
    atomic_size_t failed;  /* the first piece of the block in which a pair has failed */
} tmb_scene_search;

/* Asks about one pair and notes what it finds (meet.c). */
tumble_status tmb_scene_meet(tmb_scene_search *search, tumble_query *query, uint64_t key, tmb_answer_piece *out);

/* NEAREST (nearest.c): a distance that some pair is known to be within, as the best so far, and half of it as the
 * margin of the boxes. */
tumble_status tmb_scene_bound_nearest(tmb_scene_search *search, double *margin);

/* Events (events.c): the next meetings, in order, are compared with the answer before; after the last ones, this answer
 * is remembered. 0 if memory runs out. */
int tmb_events_add(tmb_scene_search *search, tumble_meeting *meetings, size_t count);
int tmb_events_finish(tmb_scene_search *search);

#endif
