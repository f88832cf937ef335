/* An OpenCL library that hands every call on to the real one, counts, and fails when it is told to: the library finds
 * it through the environment variable TUMBLE_OPENCL_LIBRARY.
 *
 * By environment variables, for programs that know nothing of it: TUMBLE_FAULT_CALL (number of the call, from 1),
 * TUMBLE_FAULT_NAME (counts calls of this function only), TUMBLE_FAULT_CODE (what it returns), TUMBLE_FAULT_FOREVER (1:
 * all later calls fail as well), TUMBLE_FAULT_BUILD_OPTIONS (appended to those of every program), TUMBLE_FAULT_LIBRARY
 * (the real one), TUMBLE_FAULT_WRITE_FILLS (1: buffers are filled, copied and changed by writing all of them).
 *
 * Calls that wait or release do their work even when they say that they have failed, so that nothing is still being
 * written to when memory is given back. */
#ifndef TUMBLE_TESTS_FAULT_OPENCL_H
#define TUMBLE_TESTS_FAULT_OPENCL_H

#include <stddef.h>

typedef struct fault_plan {
    const char *name;          /* null: every call counts */
    size_t call;               /* counted from 1; 0: none fails */
    int forever;               /* all later calls fail too */
    int code;                  /* a negative number of cl.h */
    const char *build_options; /* may be null */
} fault_plan;

enum {
    FAULT_NAME_SIZE = 40
};

/* What has happened since the plan was made. */
typedef struct fault_count {
    size_t calls;    /* all of them */
    size_t counted;  /* those that the plan's name fits */
    size_t failures; /* those that failed because of the plan */
    long live;       /* objects that were made or retained and not released, since the library was loaded */
    char failed[FAULT_NAME_SIZE]; /* the function that failed first */
} fault_count;

/* Exported, to be found by dlsym. */
typedef void fault_set_plan(const fault_plan *plan); /* starts to count anew; null: nothing fails */
typedef fault_count fault_get_count(void);

#define FAULT_SET_PLAN "fault_opencl_set_plan"
#define FAULT_GET_COUNT "fault_opencl_get_count"

#endif
