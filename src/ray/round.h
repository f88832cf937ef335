/* Parameters of eight hits at once, rounded as tmb_ray_round does it. */
#ifndef TUMBLE_SRC_RAY_ROUND_H
#define TUMBLE_SRC_RAY_ROUND_H

#include "base/kernel.h"
#include "ray/search.h"

/* Eight rays that cross triangles: numbers of each in one lane. */
typedef struct tmb_ray_crossings {
    double corners[8][3][3];
    double origin[3][8], direction[3][8];
    double t[8]; /* the result */
} tmb_ray_crossings;

/* Kernel: returns the bits of those lanes in which pairs of doubles suffice. */
typedef unsigned tmb_ray_round8_function(tmb_ray_crossings *crossings);
TMB_DECLARE_KERNELS(tmb_ray_round8_function, tmb_ray_round8);

/* Rounds the best hits of searches at one model that have one. */
void tmb_ray_round_best(tmb_ray_search *searches, size_t count);

#endif
