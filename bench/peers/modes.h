/* What is measured; one function a mode, and what they share. */
#ifndef TUMBLE_BENCH_PEERS_MODES_H
#define TUMBLE_BENCH_PEERS_MODES_H

#include "table.h"

/* Answers over all scenes, judged. */
typedef struct answer_count {
    uint64_t questions, missed_hits, invented_hits;
    uint64_t pairs, missed_pairs, invented_pairs; /* pairs: the true number */
} answer_count;

typedef struct experiment {
    const peers_options *options;
    peers_contest contest;
    bench_csv summary;
    score_board board;
    answer_count answers[PEERS_MOST];
} experiment;

/* Opens out/NAME.csv, or nothing, with the origin of the measurement set. */
void experiment_open_csv(const experiment *e, bench_csv *csv, const char *name);

void mode_build(experiment *e);
void mode_first(experiment *e);
void mode_all(experiment *e);
void mode_nested(experiment *e);
void mode_gap(experiment *e);
void mode_path(experiment *e);
void mode_distance(experiment *e);
void mode_clearance(experiment *e);
void mode_radius(experiment *e);
void mode_check(experiment *e);
void mode_papers(experiment *e);
void mode_plant(experiment *e);
void mode_scene(experiment *e);
void mode_self(experiment *e);
void mode_ray(experiment *e);
void mode_point(experiment *e);
void mode_motion(experiment *e);

/* The distance of the centres at which two copies first touch while one of them turns, to about a thousandth. */
double touching_distance(const experiment *e, const contest_models *models);

/* A line about what is being done, when somebody is looking. */
__attribute__((format(printf, 1, 2))) void show_progress(const char *format, ...);

#endif
