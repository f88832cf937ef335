/* A query's handle: the scratch memory of one thread. Each kind of question asks for its own scratch, which lives as
 * long as the handle. */
#ifndef TUMBLE_SRC_QUERY_QUERY_H
#define TUMBLE_SRC_QUERY_QUERY_H

#include "base/assert.h"
#include "base/context.h"
#include "query/watch.h"
#include "tumble/query.h"

/* Who keeps scratch memory in a query. */
typedef enum tmb_scratch_owner {
    TMB_SCRATCH_COLLIDE,
    TMB_SCRATCH_KDOP, /* walks through k-DOP trees, whatever they search for */
    TMB_SCRATCH_NEAR,
    TMB_SCRATCH_RELATE,
    TMB_SCRATCH_POINT,
    TMB_SCRATCH_RAY,
    TMB_SCRATCH_SCENE,
    TMB_SCRATCH_STATES,
    TMB_SCRATCH_PART,
    TMB_SCRATCH_SCENE_POINT,
    TMB_SCRATCH_SCENE_RAY,
    TMB_SCRATCH_SELF,
    TMB_SCRATCH_MOTION,
    TMB_SCRATCH_SEPARATE,
    TMB_SCRATCH_REGION,
    TMB_SCRATCH_COUNT
} tmb_scratch_owner;

/* Releases what the scratch holds; the struct itself is the query's. */
typedef void tmb_scratch_release(tumble_context *context, void *scratch);

/* A function of the caller that is asked now and then; see collide/progress.c. */
typedef struct tmb_progress {
    tmb_watch watch; /* comes first */
    tumble_query_progress *function;
    void *user;
    uint32_t left; /* steps until it is asked */
} tmb_progress;

struct tumble_query {
    tumble_context *context;
    tmb_error error;  /* of the last call with it that failed */
    tmb_watch *watch; /* NULL, or `progress`, or of the pool that runs it */
    tmb_progress progress;
    double padding[2]; /* what a scene's objects add to the radii of A and B, in these models' units */
    struct {
        void *data;
        tmb_scratch_release *release;
    } scratch[TMB_SCRATCH_COUNT];
};

/* The query is its caller's alone again. */
static inline void tmb_query_unwatch(tumble_query *query)
{
    query->watch = query->progress.function ? &query->progress.watch : NULL;
}

/* What the objects of a scene that a question is about add to their models' radii. 0 after it. */
static inline void tmb_query_pad(tumble_query *query, double a, double b)
{
    query->padding[0] = a;
    query->padding[1] = b;
}

/* Adds all counts; the time is the caller's. */
static inline void tmb_counters_add(tumble_counters *sum, const tumble_counters *more)
{
    sum->box_tests += more->box_tests;
    sum->box_updates += more->box_updates;
    sum->primitive_tests += more->primitive_tests;
    sum->exact_tests += more->exact_tests;
    sum->bytes_touched += more->bytes_touched;
}

/* What a public function returns: notes the message of a failure in the query. */
tumble_status tmb_query_end(tumble_query *query, tumble_status status);

/* The owner's scratch of `size` bytes, all zero at first; NULL if memory runs out (the message is set). Its addresses
 * do not change. */
void *tmb_query_make_scratch(tumble_query *query, tmb_scratch_owner owner, size_t size, tmb_scratch_release *release);
static inline void *tmb_query_scratch(tumble_query *query, tmb_scratch_owner owner, size_t size,
                                      tmb_scratch_release *release)
{
    TMB_ASSERT(owner < TMB_SCRATCH_COUNT);
    void *scratch = query->scratch[owner].data;
    return scratch ? scratch : tmb_query_make_scratch(query, owner, size, release);
}

#endif
