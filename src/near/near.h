/* The search for the nearest triangles of two models. Node pairs wait with a lower bound of their distance, and the one
 * with the smallest descends first, until everything left is farther apart than the nearest pair of triangles found.
 * Each hierarchy has a function that expands a pair; the rest is here.
 *
 * Distances are those of A's frame, in double. A negative lower bound says how deep two parts can penetrate at most. */
#ifndef TUMBLE_SRC_NEAR_NEAR_H
#define TUMBLE_SRC_NEAR_NEAR_H

#include <math.h>

#include "base/assert.h"
#include "base/kernel.h"
#include "math/bounds.h"
#include "near/scratch.h"
#include "prim/triangle_distance.h"
#include "query/cylinders.h"
#include "query/encounter.h"
#include "tree/tuning.h"
#include "tumble/proximity.h"

typedef struct tmb_near_search tmb_near_search;

#define TMB_NEAR_LANES_WORK 16 /* of comparing triangles in doubles, or eight pairs in floats */

/* The interface of a hierarchy. */
typedef struct tmb_near_walk {
    tmb_near_pair root;
    /* Either hands the children of a pair to tmb_near_push (and discarded ones to tmb_near_keep), or triangles to
     * tmb_near_compare and tmb_near_clusters, until tmb_near_is_over. Counts its box tests. */
    void (*leave)(tmb_near_search *search, const tmb_near_pair *pair);
    /* May be NULL. Given the last pair on the way straight down to the nearest triangles, which search->seed leads to:
     * where to start to find those of B nearest to A's part of the seed, or, when `side` is 1, the other way round. */
    int (*restart)(const tmb_near_search *search, int side, const tmb_near_pair *last, tmb_near_pair *start);
    /* The boxes around what is below a pair, each in its model's frame. */
    void (*describe)(const tmb_near_search *search, const tmb_near_pair *pair, tumble_undecided *out);
    /* Nonzero: pairs mean the same in the next search, as long as the models and this number are the same. */
    uint64_t keeps_front;
    uint32_t work; /* of leaving a pair, in units of what keeping one takes */
    void *data;
} tmb_near_walk;

#define TMB_NEAR_LANES_BYTES 32768

struct tmb_near_search {
    tmb_encounter encounter;
    tmb_near_scratch *scratch;
    const tumble_distance_options *options;
    tmb_near_walk walk;
    double unit;              /* A's, in the frame of the poses */
    tmb_limit within, enough; /* in A's unit, */
    double absolute_error;    /* and this, not more than it is */
    double thickness;         /* at least the radii of the thickest polygons; 0: both models are thin */

    double bound;        /* pairs with a larger lower bound are discarded */
    int found;           /* 0: no triangles are known that are at most `within` apart */
    uint32_t findings;   /* how many times something nearer was found */
    int is_sharp;        /* the distance below is known to the last bits */
    int is_enough;       /* nothing closer is asked for, or something failed: the search ends */
    uint32_t nearest[2]; /* addresses of the nearest triangles found */
    tmb_triangle_distance distance;
    tmb_feature_pair features; /* in which they are nearest, if distances matter, */
    double corners[2][3][3];   /* and their corners, in A's frame; neither of cylinders */

    struct tmb_near_lanes *lanes; /* triangles of clusters, ready to be compared */

    /* What waits: a heap of limited size, and what did not fit into it, which is examined first. */
    tmb_near_pair *heap, *stack;
    size_t heap_count, stack_count;

    int is_seeding;     /* only the nearest pair of children is followed, */
    tmb_near_pair seed; /* which is this */

    int keep;            /* discarded pairs are kept for the next search, */
    tmb_near_pair *kept; /* here: the front, see tmb_near_scratch */
    size_t kept_count, kept_room;
    double moved;        /* see tmb_near_scratch */
    double margin;       /* see tmb_near_soon */
    uint64_t work;       /* that was done, about, in units of what keeping a pair takes */
    size_t kept_before;  /* pairs of the front that were skipped, */
    size_t revived;      /* and that were not */
    double leaving;      /* the lower bound of the pair that is being examined; infinity when none is */
    double proven;       /* a lower bound of the distance that was known before allowed errors weakened it */
    int has_compared;    /* the pair that is being examined has no children: its triangles were compared, */
    double least;        /* and are not closer than this */
    int is_spent;        /* the budget is */
    double deadline;     /* in seconds on the clock of base/clock.h; infinity: none */
    uint64_t most_tests; /* of boxes */
};

/* A pair of children, for which the caller has seen that its bound is not larger than search->bound, except for the
 * rounding of the limit that it was compared with. */
void tmb_near_push(tmb_near_search *search, double lower, uint32_t a, uint32_t b, uint64_t children);

/* A discarded pair. To be called only when search->keep is set, but then for every one, even if memory runs out on the
 * way and it is cleared. */
int tmb_near_keep_more(tmb_near_search *search);
static inline void tmb_near_keep(tmb_near_search *search, double lower, uint32_t a, uint32_t b, uint64_t children)
{
    TMB_ASSERT(!isnan(lower));
    TMB_ASSERT(search->kept_count <= TMB_NEAR_KEPT);
    if (search->kept_count < search->kept_room || tmb_near_keep_more(search)) {
        const double then = lower + search->moved - fabs(lower) * TMB_AGEING_ROUNDING;
        search->kept[search->kept_count++] = (tmb_near_pair){then, a, b, children};
    }
}

/* Whether nothing more is to be compared. */
static inline int tmb_near_is_over(const tmb_near_search *search)
{
    return search->is_enough || search->is_spent;
}

/* Pairs with a larger bound will hardly be examined by the next searches: they may be kept together. */
static inline double tmb_near_soon(const tmb_near_search *search)
{
    return search->bound + search->margin;
}

/* Compares the triangles at the addresses ta of A and tb of B. */
void tmb_near_compare(tmb_near_search *search, uint32_t ta, uint32_t tb);

/* Makes the distance of the nearest triangles as exact as possible. */
void tmb_near_sharpen(tmb_near_search *search);

/* Writes the distance of two triangles, and where they have it, in the frame of the poses: rounded once; 0 only if they
 * intersect: what would be rounded to 0 is the least double. */
void tmb_near_tell(const tmb_encounter *encounter, double unit, const double a[3][3], const double b[3][3],
                   const tmb_triangle_distance *distance, tumble_near *out);

/* ---- Models with a radius (thick.c) ----
 *
 * The search is for the polygons with the least distance less their radii. If all are equally thick, these are the
 * nearest ones. Else the distance of two that are thinner than the thickest ones counts as larger by the difference:
 * lower bounds of what is below nodes hold all the same. */

/* The limits and the thickness, in A's unit. */
void tmb_near_set_thickness(tmb_near_search *search);

/* The limit `length` of two triangles, at these addresses. */
tmb_limit tmb_near_own_limit(const tmb_near_search *search, double length, uint32_t ta, uint32_t tb);

/* Makes the distance of two triangles larger, as above. */
void tmb_near_shift(const tmb_near_search *search, uint32_t ta, uint32_t tb, tmb_triangle_distance *distance);

/* From the distance of two polygons and their nearest points, in the frame of the poses, to those of the solids. */
void tmb_near_thicken(const tmb_encounter *encounter, double unit, const double a[3][3], const double b[3][3],
                      tumble_near *near);

/* Their distance and nearest points, of two polygons of which at least one is a cylinder, in the frame of the poses. */
void tmb_near_tell_cylinders(const tmb_cylinder_pair *pair, double unit, tumble_near *near);

/* A bound of the models' distance, in the frame of the poses, less the thickness of the thickest polygons. */
double tmb_near_less_thickness(const tmb_near_search *search, double bound);

/* Whether the nearest triangles are within a limit of A's frame; decided exactly. */
int tmb_near_is_within(tmb_near_search *search, tmb_scaled limit);

/* The nearest triangles as the caller gets them. */
tumble_near tmb_near_nearest(const tmb_near_search *search);

/* The same for all triangles of two clusters. */
typedef void tmb_near_clusters_function(tmb_near_search *search, uint32_t cluster_a, uint32_t cluster_b);
TMB_DECLARE_KERNELS(tmb_near_clusters_function, tmb_near_clusters);

/* Traversals: each sets search->walk; 0 if it cannot, with a status if memory ran out. */
int tmb_near_brute(tmb_near_search *search);
int tmb_near_wide(tmb_near_search *search);
int tmb_near_kdop(tmb_near_search *search);
int tmb_near_boxes(tmb_near_search *search);

/* Runs the search until nothing is left or the budget is spent. The walk is chosen when it is needed. */
void tmb_near_run(tmb_near_search *search, void (*choose_walk)(tmb_near_search *search));

/* The smallest lower bound of what waits; infinity when nothing does. */
double tmb_near_least(const tmb_near_search *search);

/* Coherence. `recall` restores the nearest triangles and the front of the previous search if it was about the same
 * models: the relevant part of the front then waits, and 1 is returned. `begin_front` prepares to keep one, and drops
 * the previous one; `remember` keeps the nearest triangles and the front for the next search. */
int tmb_near_recall(tmb_near_search *search);
void tmb_near_begin_front(tmb_near_search *search);
void tmb_near_remember(tmb_near_search *search);

#endif
