/* The search for the nearest triangles of two models. Pairs of nodes wait with a lower bound of their distance, and the
 * one with the smallest is left for its children first, until all that is left is farther apart than the nearest pair
 * of triangles found. Each hierarchy has a function that leaves a pair; the rest is here.
 *
 * Distances are those of A's frame, in double. A lower bound may be negative: then it says how far two parts can reach
 * into each other at most. */
#ifndef TUMBLE_SRC_QUERY_NEAR_H
#define TUMBLE_SRC_QUERY_NEAR_H

#include "prim/triangle_distance.h"
#include "query/collider.h"
#include "tumble/proximity.h"

/* Two nodes that wait. What the numbers say is the hierarchy's business. */
typedef struct tmb_near_pair {
    double lower; /* no two triangles below them are closer */
    uint32_t a, b;
    uint64_t children; /* which pairs of children are to be looked at, or whatever else */
} tmb_near_pair;

typedef struct tmb_near_search tmb_near_search;

/* How a hierarchy takes part. */
typedef struct tmb_near_walk {
    tmb_near_pair root;
    /* Hands the children of a pair to tmb_near_push, or triangles to tmb_near_compare. Counts its box tests. */
    void (*leave)(tmb_near_search *search, const tmb_near_pair *pair);
    /* The boxes around what is below a pair, each in its model's frame. */
    void (*describe)(const tmb_near_search *search, const tmb_near_pair *pair, tumble_undecided *out);
    int keeps_front; /* pairs mean the same in the next search, as long as the models are the same */
    void *data;
} tmb_near_walk;

struct tmb_near_search {
    tmb_collider collider; /* the models and the poses; counters */
    const tumble_distance_options *options;
    tmb_near_walk walk;
    double within, enough; /* in A's frame */

    double bound;        /* pairs with a larger lower bound are left out */
    int found;           /* 0: no triangles are known that are at most `within` apart */
    int is_sharp;        /* the distance below is known to the last bits */
    int is_enough;       /* and it is at most `enough` */
    uint32_t nearest[2]; /* addresses of the nearest triangles found */
    tmb_triangle_distance distance;

    /* What waits: a heap of limited size, and what did not fit into it, which is looked at first. */
    tmb_near_pair *heap, *stack;
    size_t heap_count, stack_count;
    double proven; /* all pairs that were left out or wait are at least so far apart */

    int is_seeding;     /* only the nearest pair of children is followed, */
    tmb_near_pair seed; /* which is this */

    int keep;             /* pairs that are left out are kept for the next search */
    int is_spent;         /* the budget is */
    double deadline;      /* in seconds on the clock of base/clock.h; 0: none */
    uint64_t most_tests;  /* of boxes */
    uint64_t clock_tests; /* the clock is looked at when there were that many */
};

/* Memory of searches, which lives as long as the query's handle, and what one search leaves to the next. */
typedef struct tmb_near_memory {
    tmb_buffer heap, stack;
    tmb_buffer kept; /* tmb_near_pair, the lower bounds as if nothing had moved since the front was begun: + moved */
    tmb_buffer walk; /* the walk's tables */
    tmb_buffer clusters;
    size_t kept_count;
    size_t fresh_count; /* of pairs kept when the front was begun */
    int has_front;
    int has_nearest;
    uint32_t nearest[2];
    uint64_t model_a, model_b; /* checksums of the models */
    tumble_pose relative;
    double moved; /* how far a point of B may have moved since the front was begun */
    uint32_t failures, pause; /* fronts that did not help, one after the other; searches until the next is begun */
} tmb_near_memory;

/* A pair of children, for which the caller has seen that its bound is not larger than search->bound. */
void tmb_near_push(tmb_near_search *search, double lower, uint32_t a, uint32_t b, uint64_t children);

/* A pair that is left out. To be called only when search->keep is set, but then for every one. */
void tmb_near_keep(tmb_near_search *search, double lower, uint32_t a, uint32_t b, uint64_t children);

/* Triangles at the addresses ta of A and tb of B. */
void tmb_near_compare(tmb_near_search *search, uint32_t ta, uint32_t tb);

/* All triangles of two clusters. */
void tmb_near_clusters(tmb_near_search *search, uint32_t cluster_a, uint32_t cluster_b);

/* Walks: each sets search->walk; 0 when it cannot, with the status where there is no memory. */
int tmb_near_wide(tmb_near_search *search);
int tmb_near_kdop(tmb_near_search *search);
int tmb_near_boxes(tmb_near_search *search);

/* Runs the search until nothing is left or the budget is spent. */
void tmb_near_run(tmb_near_search *search);

/* The smallest lower bound of what waits; infinity when nothing does. */
double tmb_near_least(const tmb_near_search *search);

/* Coherence. `recall` brings back the nearest triangles and the front of the search before, when it was about the same
 * models: 0 when the search has to start at the root. `remember` keeps those of this one. */
int tmb_near_recall(tmb_near_search *search);
void tmb_near_remember(tmb_near_search *search);

#endif
