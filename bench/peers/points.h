/* What every library in the comparison of closest points is asked for. One adapter a library: points_*.c and
 * points_*.cpp. */
#ifndef TUMBLE_BENCH_PEERS_POINTS_H
#define TUMBLE_BENCH_PEERS_POINTS_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct point_peer {
    const char *name, *version;
    const char *method; /* what is called, in a few words */
    /* Everything that makes queries faster belongs here: it is not timed. */
    void *(*build)(const peer_mesh *mesh);
    void (*destroy)(void *model);
    /* The distances of points, three numbers each: one call a point, or as a batch if `is_batch` and the library has
     * that; on one thread. */
    void (*closest)(void *model, const double *points, size_t count, int is_batch, double *distances);
} point_peer;

/* The lists end with an item without a name. */
const point_peer *points_tumble(void);
const point_peer *points_cgal(void);

#ifdef __cplusplus
}
#endif

#endif
