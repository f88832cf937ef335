/* A run: worker processes that ask one case after the other, and a process that watches them. */
#ifndef TUMBLE_TORTURE_RUN_H
#define TUMBLE_TORTURE_RUN_H

#include "shrink.h"

typedef struct torture_options {
    double seconds; /* INFINITY: until interrupted */
    uint64_t cases; /* at most so many */
    uint64_t from;  /* case i has seed from + i */
    uint32_t jobs;  /* worker processes */
    int with_opencl;
    double patience;       /* seconds after which a case counts as hanging */
    double shrink_seconds; /* for each failure */
    uint32_t reports;      /* failures that are shrunk and written down */
    torture_slip slip;
    int scene; /* of all cases; -1: any */
    const char *folder;
} torture_options;

/* Returns the exit status: 0 when nothing failed, else 1. */
int torture_run(const torture_options *options);

/* One case. */
int torture_replay(const torture_options *options, uint64_t seed);

/* ---- Reports (report.c) ---- */

/* Shrinks the case of a seed and writes it down; prints what it has found. Returns 1 when it failed again. */
int torture_report(const torture_options *options, uint64_t seed, const torture_verdict *verdict);

void torture_print_table(const torture_tally *tally);

#endif
