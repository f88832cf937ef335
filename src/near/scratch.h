/* What a distance search leaves to the next one. */
#ifndef TUMBLE_SRC_NEAR_SCRATCH_H
#define TUMBLE_SRC_NEAR_SCRATCH_H

#include "query/query.h"

/* Two nodes that wait. The meaning of the numbers is up to the hierarchy. */
typedef struct tmb_near_pair {
    double lower; /* no two triangles below them are closer */
    uint32_t a, b;
    uint64_t children; /* which pairs of children to visit, or other data */
} tmb_near_pair;

#define TMB_NEAR_KEPT 65536 /* no front has more pairs */

/* What searches keep in a query's handle, and what one search leaves to the next. */
typedef struct tmb_near_scratch {
    tmb_buffer heap, stack;         /* tmb_near_pair */
    tmb_buffer walk;                /* the walk's tables */
    tmb_buffer lanes;               /* triangles of clusters */
    tmb_buffer found, sort, listed; /* of lists of near pairs: tumble_near, tmb_sort_item, tumble_near in order */
    /* Of walks through boxes: the nodes of A and of B that were opened (tmb_box_group), and of which models they are.
     */
    tmb_buffer boxes[2];
    uint32_t box_groups[2];
    uint32_t box_tables;  /* how many times they were begun anew */
    uint64_t boxes_of[2]; /* checksums of the models */
    uint64_t box_searches;
    /* Of the last search with coherence: */
    uint64_t model_a, model_b; /* checksums of the models */
    tumble_pose relative;
    int has_nearest, has_front;
    uint64_t front_of;        /* what the walk says of its pairs: tmb_near_walk.keeps_front */
    uint32_t nearest[2];      /* addresses of triangles */
    tmb_buffer kept;          /* the front: tmb_near_pair, whose lower bounds are those at its time plus `moved` then */
    size_t kept_count;        /* now, */
    size_t fresh_count;       /* and when the front was begun, */
    uint64_t fresh_work;      /* which took this much, without keeping it; */
    uint32_t leave_work;      /* tmb_near_walk.work of its walk */
    size_t waiting;           /* this many of it waited when the budget was spent */
    double moved;             /* no point of B has moved farther since the front was begun, */
    double step;              /* nor this far since the last search */
    uint32_t failures, pause; /* fronts in a row that did not pay; searches until the next one is begun */
    uint32_t uses, life;      /* searches that have used the front; after how many it is begun anew */
    double used_work;         /* what these took */
} tmb_near_scratch;

/* NULL if memory runs out. */
tmb_near_scratch *tmb_near_scratch_of(tumble_query *query);

#endif
