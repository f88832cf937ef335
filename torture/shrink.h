/* Makes a case that fails as small and plain as it can be while it still fails in the same way. */
#ifndef TUMBLE_TORTURE_SHRINK_H
#define TUMBLE_TORTURE_SHRINK_H

#include "ask.h"

typedef enum torture_end {
    TORTURE_END_RIGHT,
    TORTURE_END_WRONG, /* an answer is wrong */
    TORTURE_END_CRASH, /* the process ended by a signal */
    TORTURE_END_HANG   /* it did not end in time */
} torture_end;

typedef struct torture_verdict {
    torture_end end;
    int signal;
    torture_failure failure; /* of a crash or a hang: the question that was being asked */
} torture_verdict;

/* Asks the questions of a case in a process of its own; the case gets its limits from there. */
torture_verdict torture_try(torture_case *c, torture_slip slip, int with_opencl, double seconds, int quiet);

/* Shrinks `c`, which ends as `verdict` says, for at most so many seconds. `verdict` becomes that of the result. Returns
 * the number of simpler cases that failed as well. */
size_t torture_shrink(torture_case *c, torture_verdict *verdict, torture_slip slip, int with_opencl, double seconds);

/* ---- For the files that simplify ---- */

typedef struct torture_shrinker {
    torture_case *c;    /* the simplest so far */
    torture_case *next; /* to be tried */
    torture_verdict verdict;
    torture_slip slip;
    int with_opencl;
    double deadline;
    size_t accepted, tried;
} torture_shrinker;

/* Whether `next` fails in the same way; then it becomes `c`. Otherwise `next` is `c` again. */
int torture_accept(torture_shrinker *s);

void torture_shrink_questions(torture_shrinker *s);
void torture_shrink_options(torture_shrinker *s);
void torture_shrink_polygons(torture_shrinker *s);
void torture_shrink_poses(torture_shrinker *s);
void torture_shrink_numbers(torture_shrinker *s);

double torture_seconds(void); /* a clock */

#endif
