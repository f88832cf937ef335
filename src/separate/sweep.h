/* B's sweep along a way: where on it are the models in contact?
 *
 * Each pair of triangles is in contact for one span of multiples of the way. The sweep follows the union of the spans
 * that begins at 0 to its end, the frontier: the first multiple after which they are free. */
#ifndef TUMBLE_SRC_SEPARATE_SWEEP_H
#define TUMBLE_SRC_SEPARATE_SWEEP_H

#include "separate/separate.h"

typedef struct tmb_way_sweep_pair {
    double low, high; /* outside of this span they are not in contact */
    tmb_box_node a, b;
    int are_triangles; /* whose addresses are the nodes' references */
    int is_exact;      /* they are in contact for the first time at `low`, rounded down */
} tmb_way_sweep_pair;

typedef struct tmb_way_sweep_entry {
    double key;
    uint32_t number; /* later pairs come first among those with equal keys */
    uint32_t slot;   /* of the pair */
} tmb_way_sweep_entry;

/* Pairs whose span begins before the frontier, of which the one that may end last comes first; and those whose span
 * begins later, first the one that may begin first. */
enum {
    TMB_WAY_SWEEP_NOW,
    TMB_WAY_SWEEP_LATER
};

typedef struct tmb_way_sweep {
    tmb_parting *parting;
    double exact_way[3];
    double way[3]; /* times a power of two: its largest coordinate is from 0.5 to 1 */
    int shift;     /* a multiple of `exact_way` is one of `way` times 2^shift */
    double limit;  /* a multiple at which to give up */
    size_t counts[2], pair_count, vacant_count;
    uint32_t numbers;
    int only_passing;

    int has_frontier; /* 0: at 0 there is no contact */
    tmb_big_fraction frontier;
    int kept;            /* the pool with it */
    double below, above; /* around it, in multiples of `way` */
    uint32_t last[2];
    double stop[3];
} tmb_way_sweep;

/* `only_passing`: of each pair of triangles only the open span counts in which they pass through each other; there the
 * models cross, whatever else they do. */
void tmb_way_sweep_begin(tmb_way_sweep *sweep, tmb_parting *parting, const double way[3], double limit,
                         int only_passing);

/* Follows contact to its end. 0: the limit was reached or the search ended. */
int tmb_way_sweep_run(tmb_way_sweep *sweep);

/* Before this multiple of `way`, and after the frontier, they are free. INFINITY: to the end. */
double tmb_way_sweep_free_until(const tmb_way_sweep *sweep);

/* Goes on to the end of the next contact. 0: there is none, or the search ended. */
int tmb_way_sweep_resume(tmb_way_sweep *sweep);

/* The multiples of `way` for which two triangles may be in contact; 0: none. */
int tmb_triangles_span(const double a[3][3], const double b[3][3], const double way[3], double error, double *low,
                       double *high);

#endif
