/* What every library in the comparison of continuous collision is asked for. One adapter a library: motions_*.c and
 * motions_*.cpp. */
#ifndef TUMBLE_BENCH_PEERS_MOTIONS_H
#define TUMBLE_BENCH_PEERS_MOTIONS_H

#include "peer.h"
#include "tumble/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* B moves, turning about its own origin by less than half a turn; A stands at the identity. */
typedef struct motion_peer {
    const char *name, *version;
    const char *method; /* what is called, in a few words */
    /* Everything that makes queries faster belongs here: it is not timed. */
    void *(*build)(const peer_mesh *mesh); /* of both, copies of each other */
    void (*destroy)(void *world);
    /* The time of the first contact, from 0 to 1, to the tolerance; infinity: there is none. */
    double (*first)(void *world, const tumble_motion *motion, double tolerance);
} motion_peer;

/* The lists end with an item without a name. */
const motion_peer *motions_tumble(void);
const motion_peer *motions_fcl(void);

/* Yes/no queries of Tumble at `count` poses of the motion, evenly between two times. How many touch. */
size_t motions_tumble_queries(void *world, const tumble_motion *motion, double from, double until, size_t count);

#ifdef __cplusplus
}
#endif

#endif
