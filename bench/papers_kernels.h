/* The library's own tests and updates of k-DOPs, many at once, to be timed. */
#ifndef TUMBLE_BENCH_PAPERS_KERNELS_H
#define TUMBLE_BENCH_PAPERS_KERNELS_H

#include "collide/kdop/walk.h"

/* How many of the nodes of A overlap the tumbled k-DOPs. */
typedef size_t bench_overlaps(tmb_kdop_state *state, const uint32_t *nodes, const float *const *aparts, size_t count);

/* Tumbles nodes of B into `apart`, one after the other. */
typedef void bench_updates(tmb_kdop_state *state, const uint32_t *nodes, size_t count, float *apart);

typedef struct bench_kdop_kernels {
    bench_overlaps *overlaps_6, *overlaps_14, *overlaps_18, *overlaps_26;
    bench_updates *updates_6, *updates_14, *updates_18, *updates_26;
} bench_kdop_kernels;
TMB_DECLARE_KERNELS(const bench_kdop_kernels, bench_kdop_kernels);

#endif
