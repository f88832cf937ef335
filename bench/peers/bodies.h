/* What the libraries are asked about scenes of meshes: which bodies touch, and in which triangles. One adapter a
 * library: bodies_*.c and bodies_*.cpp. */
#ifndef TUMBLE_BENCH_PEERS_BODIES_H
#define TUMBLE_BENCH_PEERS_BODIES_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bodies_plan {
    const peer_mesh *meshes;
    size_t mesh_count;
    const uint32_t *mesh_of; /* of each body */
    size_t body_count;
    const tumble_pair *disabled; /* pairs of bodies that are not compared, the smaller number first */
    size_t disabled_count;
    unsigned thread_count;
} bodies_plan;

/* Tumble's model of a mesh. */
tumble_model *bodies_model(tumble_context *context, const peer_mesh *source);

typedef struct bodies_answer {
    uint64_t candidates, body_pairs, triangle_pairs;
    uint64_t hash; /* of the pairs of bodies, in any order */
} bodies_answer;

/* Of a pair of bodies: these are summed. */
static inline uint64_t bodies_hash(uint64_t a, uint64_t b)
{
    uint64_t bits = a < b ? a << 32 | b : b << 32 | a;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

typedef struct bodies_peer {
    const char *name, *version;
    const char *method; /* what is called, in a few words */

    void *(*create)(const bodies_plan *plan, const tumble_pose *poses);
    void (*destroy)(void *world);

    /* Hands over new poses in the library's own form: not timed. */
    void (*place)(void *world, const tumble_pose *poses);
    bodies_answer (*all)(void *world);        /* which bodies touch, in which triangles; NULL: only states */
    bodies_answer (*touching)(void *world);   /* which bodies touch */
    bodies_answer (*candidates)(void *world); /* which boxes overlap: the first part of the others */

    /* A batch of configurations, each with a pose for every body. `test_states` sets answers[i] to whether any two
     * bodies touch in state i. */
    void (*place_states)(void *world, const tumble_pose *poses, size_t state_count);
    void (*test_states)(void *world, unsigned char *answers);
} bodies_peer;

/* The lists end with an item without a name. */
const bodies_peer *bodies_tumble(void);
const bodies_peer *bodies_fcl(void);

#ifdef __cplusplus
}
#endif

#endif
