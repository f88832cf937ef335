/* What every broad phase in the comparison is asked for: all pairs of boxes that overlap. One adapter a library:
 * broad_*.c and broad_*.cpp. */
#ifndef TUMBLE_BENCH_PEERS_BROAD_H
#define TUMBLE_BENCH_PEERS_BROAD_H

#include "boxes.h"
#include "tumble/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct broad_peer {
    const char *name, *version;
    const char *method; /* what is called, in a few words */
    size_t most;        /* it takes minutes for more boxes than that; 0: it does not */

    void *(*create)(const broad_box *boxes, size_t count); /* with whatever tuning is best for them */
    void (*destroy)(void *world);

    /* Hands over new coordinates in the library's own form: not timed. */
    void (*place)(void *world, const broad_box *boxes);
    void (*place_some)(void *world, const broad_box *boxes, const uint32_t *which, size_t count);

    /* From the new coordinates to all pairs; returns how many. All boxes have moved, or those that were placed last. */
    size_t (*step)(void *world);
    size_t (*step_some)(void *world); /* NULL: no faster than moving all */

    /* The pairs of the last step, in any order. */
    void (*pairs)(void *world, tumble_pair *out);

    int is_tumble; /* this one is not one of the others */
    int is_part;   /* leaves out a part of the work: for the comparison of whole steps alone */
} broad_peer;

/* The lists end with an item without a name. */
const broad_peer *broad_tumble(void);
const broad_peer *broad_fcl(void);
const broad_peer *broad_ode(void);
const broad_peer *broad_bullet(void);
const broad_peer *broad_embree(void);
const broad_peer *broad_cgal(void);

#ifdef __cplusplus
}
#endif

#endif
