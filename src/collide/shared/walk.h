/* A collision query that several threads work on. It starts in one thread as any query does. While other threads are
 * idle, a traversal of wide hierarchies donates every other node pair on its stack, so that each level of the trees is
 * halved, and so do the parts that others received. Each part has a collider and a query of its own. The last one to
 * end merges the results: they are those of a single thread, to the bit. */
#ifndef TUMBLE_SRC_COLLIDE_SHARED_WALK_H
#define TUMBLE_SRC_COLLIDE_SHARED_WALK_H

#include "collide/wide/walk.h"

typedef struct tmb_shared_walk tmb_shared_walk;

/* What a part has found: buffers that were its query's. */
typedef struct tmb_part_results {
    struct tmb_part_results *next;
    tmb_buffer pairs, contacts; /* tumble_pair, tumble_contact */
    size_t pair_count, contact_count;
    tmb_buffer seen; /* when pairs come up more than once and are only counted: the set of them */
    tmb_pair_set set;
} tmb_part_results;

/* A donated part that waits for a thread. */
typedef struct tmb_part {
    struct tmb_part *next; /* whoever holds it may use this */
    tmb_shared_walk *shared;
    tmb_part_results results;
    size_t count;
    tmb_wide_pair pairs[];
} tmb_part;

/* The answer to a query, for whoever gets it. */
typedef struct tmb_outcome {
    void *owner; /* as it was when the query started */
    size_t number;
    tumble_status status;
    char message[256]; /* when the status is not TUMBLE_OK */
    int collide;
    tumble_pair first;
    uint64_t pair_count, contact_count, exact_tests;
    tumble_counters counters;
} tmb_outcome;

/* Unused buffers of results, for later parts, so that memory is as warm as that of a single thread. */
#define TMB_SPARES 16
typedef struct tmb_spares {
    pthread_mutex_t lock;
    tmb_buffer pairs[TMB_SPARES], contacts[TMB_SPARES], seen[TMB_SPARES], sort[TMB_SPARES];
} tmb_spares;

int tmb_spares_begin(tmb_spares *spares); /* 0 when it cannot be made */
void tmb_spares_end(tmb_spares *spares, tumble_context *context);

/* A participating thread. The watch belongs to its query, too. */
typedef struct tmb_sharing {
    tmb_watch watch; /* comes first: a walk knows this alone */
    void *user;      /* for the functions */
    /* Takes over a part; 0, doing nothing, if no thread wants one any more. */
    int (*offer)(void *user, tmb_part *part);
    /* Calls body(shared, i) for each i below count, in some threads, and returns when all are done. */
    void (*for_each)(void *user, size_t count, void (*body)(void *shared, size_t i), void *shared);
    /* Room for so many pairs or contacts of a query that was shared, instead of the caller's arrays; NULL if memory
     * runs out. May itself be NULL. */
    void *(*make_room)(void *user, int is_contacts, size_t count);
    size_t thread_count; /* of all that may help */
    tmb_spares *spares;  /* of all */
    void *owner;         /* of the query that starts next */
    size_t number;
    tmb_shared_walk *shared; /* what the running traversal is a part of; NULL: nothing was donated */
    uint64_t given_at;       /* the traversal's work when it last donated something */
    int lacks_buffers;       /* the query's went with the results of a part */
} tmb_sharing;

/* Attaches it to the thread's query. The caller sets the functions and everything that the watch reads except
 * `stop`. */
void tmb_sharing_begin(tmb_sharing *sharing, tumble_query *query);

/* Answers a query that is ready: see tmb_collider_begin. 1: the outcome is here. 0: others still work on parts of it,
 * and the one that ends last gets it. What the options point at must stay until then. */
int tmb_shared_collide(tmb_sharing *sharing, tmb_collider *collider, const tumble_pose *pose_a,
                       const tumble_pose *pose_b, tmb_outcome *outcome);

/* The same for a part. */
int tmb_part_collide(tmb_sharing *sharing, tumble_query *query, tmb_part *part, tmb_outcome *outcome);

/* A room to sort in, and back. */
tmb_buffer tmb_take_sort_room(tmb_spares *spares);
void tmb_keep_sort_room(tmb_spares *spares, tumble_context *context, tmb_buffer *room);

/* ---- Putting results together: collide/shared/results.c ---- */

/* Sorts what the parts have found into the caller's arrays, and counts pairs that came up in several of them once. The
 * collider is as it was before the walk. */
tumble_status tmb_gather_results(tmb_sharing *sharing, const tmb_collider *collider, const tmb_part_results *parts,
                                 tmb_outcome *outcome);

#endif
