/* The same questions to all libraries: their answers beside Tumble's, and their times. */
#ifndef TUMBLE_BENCH_PEERS_CONTEST_H
#define TUMBLE_BENCH_PEERS_CONTEST_H

#include "mesh.h"
#include "options.h"
#include "pairs.h"

enum {
    PEERS_MOST = 16
};

/* A library that must be prepared for a pose takes part twice: with that, and with the bare question alone. */
typedef struct peers_contestant {
    const peer_library *peer;
    char name[32];
    int bare;
} peers_contestant;

/* The first is Tumble. */
typedef struct peers_contest {
    peers_contestant items[PEERS_MOST];
    size_t count;
} peers_contest;

peers_contest contest_open(const bench_words *peers);

/* One model a contestant; the bare ones share theirs. The mesh must live as long. */
typedef struct contest_models {
    void *items[PEERS_MOST];
    const peer_mesh *mesh;
} contest_models;

contest_models contest_build(const peers_contest *contest, const peer_mesh *mesh);
contest_models contest_build_moving(const peers_contest *contest, const peer_mesh *mesh); /* to be B alone */
void contest_destroy(const peers_contest *contest, contest_models *models);

typedef enum contest_question {
    CONTEST_FIRST,    /* whether they touch */
    CONTEST_ALL,      /* all touching pairs */
    CONTEST_DISTANCE, /* of models that do not touch */
    CONTEST_WITHIN    /* whether they are at most `clearance` apart; models that do not touch */
} contest_question;

/* Only those who are able to answer it. */
peers_contest contest_for(const peers_contest *contest, contest_question question);

typedef struct contest_scene {
    const contest_models *a, *b; /* may be the same */
    const tumble_pose *poses;
    size_t pose_count;
    contest_question question;
    double clearance;
    size_t repetitions;
    double patience; /* microseconds for the repetitions of a library */
    double limit;    /* microseconds for its answers; if it is also far slower than others, it is left out */
} contest_scene;

/* Wrong answers are those that differ from the judge's (judge.h, judge_distance.h), who is asked wherever two libraries
 * disagree: pairs when all were asked for, else questions. A distance is missed when it is too large by more than
 * CONTEST_TOLERANCE of itself, and invented when it is too small by as much; of those the judge measures the first one
 * in any case. */
#define CONTEST_TOLERANCE 1e-6
typedef struct contest_result {
    int offered;
    double microseconds; /* of a question: the mean over the poses, the median of the repetitions */
    size_t repetitions;
    uint64_t hits, pairs;           /* its answers */
    uint64_t true_hits, true_pairs; /* the right ones */
    uint64_t missed, invented;
    double distance;    /* the mean */
    double worst_error; /* of a distance that the judge measured, as a share of it */
} contest_result;

/* Prepares where needed and asks; `list` gets the pairs when it is not NULL. Returns the number of pairs, or 0 or 1. */
size_t contest_ask(const peers_contestant *contestant, void *a, void *b, const tumble_pose *pose, pair_list *list);

/* `results` has one item a contestant. */
void contest_measure(const peers_contest *contest, const contest_scene *scene, contest_result *results);

#endif
