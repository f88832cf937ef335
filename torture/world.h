/* What a process needs to ask: contexts for each instruction set, the oracle, devices, a folder for files. */
#ifndef TUMBLE_TORTURE_WORLD_H
#define TUMBLE_TORTURE_WORLD_H

#include "case.h"
#include "oracle.h"
#include "ray_oracle.h"

/* Deliberate slips, to see that torture finds, shrinks and writes them down. */
#define TORTURE_SLIP_LIST(X)                                               \
    X(NONE, "none")                                                        \
    X(PAIR, "pair")         /* the last pair of a list is lost */          \
    X(DISTANCE, "distance") /* distances are too large by 1e-12 of them */ \
    X(RELATION, "relation") /* touching is called apart */                 \
    X(EDIT, "edit")         /* edited models have one surface too many */  \
    X(CRASH, "crash")       /* two pairs abort the program */              \
    X(HANG, "hang")         /* two pairs are waited for without end */

typedef enum torture_slip {
#define TORTURE_SLIP_ENUM(name, word) TORTURE_SLIP_##name,
    TORTURE_SLIP_LIST(TORTURE_SLIP_ENUM) TORTURE_SLIPS
#undef TORTURE_SLIP_ENUM
} torture_slip;

typedef struct torture_world {
    tumble_context *contexts[TORTURE_LEVELS];
    oracle *oracle;
    ray_oracle *rays;
    torture_slip slip;
    int with_opencl;
    tumble_device *pool;      /* opened when first used, */
    tumble_device *opencl[2]; /* and these: with doubles and without */
    uint64_t tight_limit;     /* of the last tight device */
    char folder[64];          /* made when first used */
    volatile size_t asking;   /* the number of the question that is being asked */
} torture_world;

void torture_world_begin(torture_world *world, torture_slip slip, int with_opencl);
void torture_world_end(torture_world *world);

/* Removes the files that a process left behind. */
void torture_world_clean(torture_world *world);

tumble_device *torture_pool(torture_world *world);
tumble_device *torture_opencl(torture_world *world, int without_doubles); /* NULL: there is none */

/* Another one, with as much memory as that one has needed beside its models, and for three of these: to be closed. */
tumble_device *torture_tight_opencl(torture_world *world, int without_doubles);
const char *torture_folder(torture_world *world);

#endif
