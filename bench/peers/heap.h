/* A heap without physics: bodies are dropped one after the other, each onto those that lie there. */
#ifndef TUMBLE_BENCH_PEERS_HEAP_H
#define TUMBLE_BENCH_PEERS_HEAP_H

#include "bodies.h"
#include "mesh.h"

enum {
    HEAP_SHAPES = 5
};

typedef struct body_heap {
    peers_mesh shapes[HEAP_SHAPES];
    peer_mesh views[HEAP_SHAPES];
    uint32_t *shape_of;
    tumble_pose *rest; /* where each lies, slightly sunk into those below it */
    double (*axes)[3]; /* about which each turns while it falls */
    size_t count;
} body_heap;

body_heap heap_make(size_t count, size_t triangles, uint64_t seed);
void heap_free(body_heap *heap);

/* All tremble by about a thousandth of their size; the same step gives the same poses. */
void heap_resting_poses(const body_heap *heap, size_t step, tumble_pose *out);

/* All fall and turn: share 0 is the start, in the air, share 1 the heap. */
void heap_falling_poses(const body_heap *heap, double share, tumble_pose *out);

#endif
