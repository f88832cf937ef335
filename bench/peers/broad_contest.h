/* The same boxes to all broad phases: their pairs and their times. */
#ifndef TUMBLE_BENCH_PEERS_BROAD_CONTEST_H
#define TUMBLE_BENCH_PEERS_BROAD_CONTEST_H

#include "broad.h"
#include "options.h"

enum {
    BROAD_MOST = 16
};

typedef struct broad_contest {
    const broad_peer *items[BROAD_MOST]; /* the first is Tumble */
    size_t count;
} broad_contest;

/* Those that --peers names, `all` means all; without those that are too slow for so many boxes. */
broad_contest broad_contest_open(const bench_words *peers, size_t box_count);

/* Libraries report different boxes: some add margins. `exact` are the pairs whose boxes overlap. */
typedef struct broad_answer {
    size_t reported, exact;
    uint64_t hash; /* of the exact ones, in any order */
} broad_answer;

broad_answer broad_judge(const broad_peer *peer, void *world, size_t reported, const broad_box *boxes);

/* One step in microseconds of processor time, of all threads. `reported` gets the number of pairs. */
double broad_time_step(const broad_peer *peer, void *world, size_t *reported);
double broad_time_some(const broad_peer *peer, void *world, size_t *reported);

#endif
