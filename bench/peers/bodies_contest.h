/* The same bodies to all libraries that have scenes of meshes. */
#ifndef TUMBLE_BENCH_PEERS_BODIES_CONTEST_H
#define TUMBLE_BENCH_PEERS_BODIES_CONTEST_H

#include "bodies.h"
#include "options.h"

enum {
    BODIES_MOST = 8
};

typedef struct bodies_contest {
    const bodies_peer *items[BODIES_MOST]; /* the first is Tumble */
    size_t count;
} bodies_contest;

/* Those that --peers names, `all` means all; with or without those that answer only for states. */
bodies_contest bodies_contest_open(const bench_words *peers, int of_states);

#endif
