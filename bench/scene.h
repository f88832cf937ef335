/* Experiments on scenes: what they share. */
#ifndef TUMBLE_BENCH_SCENE_H
#define TUMBLE_BENCH_SCENE_H

#include "series.h"
#include "tumble/tumble.h"

/* Cubes of a law of sizes that fly about in a large cube, in which about as many pairs overlap as there are cubes. */
typedef struct scene_crowd {
    size_t count;
    const char *law;
    tumble_part *parts; /* with the poses of now */
    tumble_pose *poses; /* likewise */
    tumble_object *ids; /* in the scene they were added to last */
    double *velocities; /* per unit of speed, three for each */
    double side;        /* of the space */
    uint64_t random;
} scene_crowd;

/* A number in [0, 1). */
double scene_random(uint64_t *state);

/* Laws: uniform (equal sides), wild (sides 1 + 99 x^10 with x uniform), turned (equal sides, random rotations). */
void scene_crowd_begin(scene_crowd *crowd, tumble_context *context, const char *law, size_t count, double seed,
                       const tumble_model *cube);
void scene_crowd_end(scene_crowd *crowd);

/* Moves the first `count` cubes, each by `speed` times its side in its own direction; walls reflect. */
void scene_crowd_move(scene_crowd *crowd, size_t count, double speed);

/* A cube of side 1. */
tumble_model *scene_cube(tumble_context *context);

/* What the clock says: processor time if there is one thread, else time on the wall; in microseconds. */
double scene_clock(uint32_t thread_count);

/* A row of the table. */
typedef struct scene_row {
    const char *law, *method;
    size_t objects;
    uint32_t threads;
    double movers;        /* share of the objects that move, in percent */
    double speed;         /* sides per step */
    size_t step;          /* the step that was timed, or 0: the median of several */
    uint64_t pairs;       /* of the last step */
    double move_ms;       /* handing over the poses */
    double update_ms;     /* boxes, trees, pairs */
    double list_ms;       /* the pairs as ids */
    double answer_ms;     /* which of them touch, in how many pairs of polygons */
    double ns_per_object; /* all three */
    double kilostates;    /* states per second, in thousands */
    double relative;      /* to what the experiment says */
    double tree_bytes;    /* per object; the rest likewise */
    double box_bytes, pair_bytes, object_bytes, peak_bytes;
} scene_row;

void scene_write(bench_series *series, const scene_row *row);
scene_row scene_row_empty(void);
const char *scene_method_name(tumble_broad method);

/* Takes ids and adds the crowd to a scene. */
void scene_add(tumble_context *context, tumble_scene *scene, scene_crowd *crowd);

/* Hands over the poses of the first `count` cubes and lists the candidates: the times, and a hash of the pairs. */
typedef struct scene_times {
    double move, update, list; /* milliseconds */
    uint64_t pairs, hash;
} scene_times;
scene_times scene_step(tumble_context *context, tumble_scene *scene, const scene_crowd *crowd, size_t count,
                       uint32_t thread_count);

/* Experiments. */
void scene_broad(bench_series *series);
void scene_drift(bench_series *series);
void scene_movers(bench_series *series);
void scene_memory(bench_series *series);
void scene_states(bench_series *series);
void scene_worlds(bench_series *series);
void scene_coherence(bench_series *series);

#endif
