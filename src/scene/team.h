/* A team of threads that answers a list of questions. Members take them in order, a few at a time. When the list is
 * taken, idle members get parts of traversals that take long (collide/shared/walk.h). Threads are started once a list
 * turns out to take longer than that costs. */
#ifndef TUMBLE_SRC_SCENE_TEAM_H
#define TUMBLE_SRC_SCENE_TEAM_H

#include <pthread.h>

#include "base/cpu.h"
#include "collide/shared/walk.h"

/* A thread, and the polygons that it has found. */
typedef struct tmb_member {
    struct tmb_team *team;
    uint32_t number;
    pthread_t thread;
    tumble_query *query;
    tmb_sharing sharing;
    tmb_buffer pairs, contacts; /* of tumble_pair, tumble_contact */
    size_t pair_count, contact_count;
    tumble_counters counters;
    int has_room; /* results of a shared traversal went to these buffers */
} tmb_member;

typedef void tmb_team_body(void *shared, tmb_member *member, size_t number);
typedef void tmb_team_end(void *shared, tmb_member *member, const tmb_outcome *outcome);

typedef struct tmb_team {
    tumble_context *context;
    tmb_member *members; /* the first is whoever calls */
    uint32_t member_count;
    tmb_spares spares;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    atomic_int hungry; /* members that have nothing to do, once the list is taken */
    tmb_part *first_part, *last_part;
    uint32_t thread_count, part_count; /* the most threads of this run; parts that wait */
    uint32_t started, busy, idle;      /* threads, the calling one too; those that work, and that wait */
    uint64_t given_count;              /* parts that ever waited */
    size_t next, count;                /* of the list */
    tmb_team_body *body;
    tmb_team_end *end;
    void *shared;
} tmb_team;

/* So many members; fails if memory runs out. */
tumble_status tmb_team_reserve(tumble_context *context, tmb_team *team, uint32_t count);
void tmb_team_release(tumble_context *context, tmb_team *team);

/* Calls `body` for each number below `count`. A body whose traversal was shared (tmb_shared_collide returned 0) is over
 * when `end` is called. `cancel` ends traversals. */
void tmb_team_run(tmb_team *team, uint32_t thread_count, size_t count, tmb_team_body *body, tmb_team_end *end,
                  void *shared, const atomic_int *cancel);

#endif
