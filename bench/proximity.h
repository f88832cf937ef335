/* Experiments on distances, clearances, coherence and budgets: what they share.
 *
 * A way is a variant and a question. An experiment asks in several ways at the same poses, prints a table, and writes a
 * line of the CSV file for each way and scene. */
#ifndef TUMBLE_BENCH_PROXIMITY_H
#define TUMBLE_BENCH_PROXIMITY_H

#include "series.h"
#include "subject.h"

typedef struct proximity {
    bench_series series;
} proximity;

typedef struct proximity_question {
    const char *name;
    int collide;                      /* nonzero: tumble_collide, yes or no, with a clearance */
    double clearance;                 /* of that */
    tumble_distance_options distance; /* else of tumble_distance; except for what the variant says */
} proximity_question;

typedef struct proximity_way {
    const bench_contestant *contestant;
    proximity_question question;
} proximity_way;

/* Of one query. tumble_collide knows no more than yes or no: then the numbers are NaN. */
typedef struct proximity_answer {
    tumble_answer answer;
    double distance, lower, upper;
    tumble_counters counters;
    double microseconds; /* by the clock on the wall: the least of the repetitions, which nothing has interrupted */
    double overrun;      /* how many of these were too many, with a budget of time */
} proximity_answer;

/* Over all poses: means, unless it says otherwise. */
typedef struct proximity_result {
    double mean_microseconds; /* of the turn that is the median of the repetitions, in processor time */
    size_t queries;
    uint64_t yes, no, maybe; /* how many */
    double distance, box_tests, primitive_tests, exact_tests;
} proximity_result;

typedef struct proximity_scene {
    const char *name;
    const tumble_pose *poses;
    size_t pose_count, repetitions;
} proximity_scene;

/* Every way has a query of its own and takes the poses in order. `answers`, which may be NULL, has room for all:
 * [way][pose]. */
void proximity_measure(const proximity_scene *scene, const proximity_way *ways, size_t count, proximity_result *results,
                       proximity_answer *answers);

/* A line of the CSV file; `x` is a quantity named by `x_name`. */
typedef struct proximity_note {
    const char *x_name;
    double x, lower_share, upper_share, overrun_median, overrun_99, overrun_most; /* NaN: nothing */
} proximity_note;
proximity_note proximity_at(const char *x_name, double x);
void proximity_write(proximity *p, const proximity_scene *scene, const proximity_way *way,
                     const proximity_result *result, const proximity_note *note);

/* The distance of the shape's copy, along `direction`, beyond which the two are more than `clearance` apart. */
typedef struct proximity_place {
    tumble_pose rotation;
    double direction[3], place;
} proximity_place;
proximity_place *proximity_places(const bench_contestant *contestant, double clearance, size_t count, double seed);
tumble_pose proximity_pose(const proximity_place *place, double further);

/* The demonstration: a part on its way out of its housing. With --quick only scraps of both, and few steps. */
models_demo proximity_demo(const proximity *p);

/* The experiments. */
void proximity_separation(proximity *p);
void proximity_clearance(proximity *p);
void proximity_coherence(proximity *p);
void proximity_budget(proximity *p);

#endif
