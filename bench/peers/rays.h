/* What every library in the comparison of rays is asked for. One adapter a library: rays_*.c and rays_*.cpp. */
#ifndef TUMBLE_BENCH_PEERS_RAYS_H
#define TUMBLE_BENCH_PEERS_RAYS_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rays from origin along direction, without an end. All numbers are floats. */
typedef struct ray_set {
    double *origins, *directions; /* three per ray */
    size_t count;
    int is_coherent; /* neighbours are alike */
} ray_set;

/* The closest hit. */
typedef struct ray_answer {
    double t;         /* INFINITY: nothing is hit */
    uint32_t polygon; /* UINT32_MAX: none */
} ray_answer;

typedef struct ray_peer {
    const char *name, *version;
    const char *method; /* what is called, in a few words */
    void *(*build)(const peer_mesh *mesh);
    void (*destroy)(void *model);
    /* Hands the rays over in the library's own form: not timed. */
    void (*take)(void *model, const ray_set *rays);
    /* The closest hit of each: one call a ray, or as a batch if `is_batch`; on one thread. Both are timed. */
    void (*cast)(void *model, const ray_set *rays, int is_batch);
    /* The answers of the last cast. */
    void (*answers)(void *model, const ray_set *rays, ray_answer *out);
    /* All triangles that ray i hits, in any order; returns how many. NULL: not offered. */
    size_t (*all)(void *model, const ray_set *rays, size_t i, uint32_t *out, size_t capacity);
    int is_tumble;
} ray_peer;

/* The lists end with an item without a name. */
const ray_peer *rays_tumble(void);
const ray_peer *rays_embree(void);
const ray_peer *rays_cgal(void);

#ifdef __cplusplus
}
#endif

#endif
