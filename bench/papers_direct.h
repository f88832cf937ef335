/* What operations cost, timed one by one on what the flights of the papers meet (Klosowski et al., section 5.2). */
#ifndef TUMBLE_BENCH_PAPERS_DIRECT_H
#define TUMBLE_BENCH_PAPERS_DIRECT_H

#include "papers.h"

/* Nanoseconds: the median of the repetitions, and half of what lies between their quartiles. */
typedef struct direct_cost {
    double nanoseconds, spread;
} direct_cost;

typedef struct direct_costs {
    direct_cost volume_test, update, plain_update, triangle_test;
    double vertices;                  /* of a tumbled node, on average */
    size_t tests, updates, triangles; /* how many were timed */
} direct_costs;

/* Of k-DOPs in the paper's setting, over all five scenes: 100,000 of each, the triangles with overlapping boxes. The
 * plain update takes one lane after the other, as the paper's machine did. The paper's flyer_leaf is 40. */
direct_costs papers_direct_costs(papers *p, uint32_t k, uint32_t flyer_leaf);

#endif
