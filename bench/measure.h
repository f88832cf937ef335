/* One scene, measured for all variants: two copies of a model at a distance, one of them turning; or a model on a path.
 */
#ifndef TUMBLE_BENCH_MEASURE_H
#define TUMBLE_BENCH_MEASURE_H

#include "subject.h"

typedef struct bench_scene {
    const bench_subject *subject;
    double share;    /* of the touching distance */
    double distance; /* of the centres */
    tumble_mode mode;
    size_t steps;       /* of the full turn */
    size_t repetitions; /* of the turn */

    const tumble_pose *path;    /* NULL: the turn; else `steps` poses, and share and distance have no meaning */
    double *query_microseconds; /* NULL, or where the median times of the single queries go: [variant][step] */
} bench_scene;

/* Everything but hits, pairs and hash is a mean over the queries of a turn, unless it says otherwise. */
typedef struct bench_result {
    double mean_microseconds;   /* of the turn that is the median of the repetitions */
    double median_microseconds; /* of the single queries */
    uint64_t hits;              /* queries that found an intersection */
    uint64_t pairs;             /* intersecting pairs in all of them: of surfaces in mode SURFACES, else of polygons */
    uint64_t hash;              /* of the answers: all pairs of all queries in ALL and SURFACES, hits in the others */
    double box_tests, box_updates, primitive_tests, exact_tests, bytes_touched;
} bench_result;

const char *bench_mode_name(tumble_mode mode);

/* The number of steps, at most `most`, for which a turn of the first variant takes about `work` box and triangle tests.
 * Counted, not timed: every machine gets the same number. */
size_t bench_choose_steps(const bench_scene *scene, size_t most, double work);

/* `results` has one item a variant. Returns 0, with a message on stderr, when the variants' answers differ. */
int bench_measure(const bench_scene *scene, bench_result *results);

#endif
