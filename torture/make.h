/* The makers of the parts of a case. */
#ifndef TUMBLE_TORTURE_MAKE_H
#define TUMBLE_TORTURE_MAKE_H

#include "case.h"

/* What the coordinates of a scene are like. */
#define TORTURE_GRAIN_LIST(X)                                                      \
    X(LATTICE)    /* small whole numbers, times a power of two near 1 */           \
    X(TENTHS)     /* ... times 0.1: no binary fractions */                         \
    X(FLOATS)     /* any floats around 1 */                                        \
    X(DOUBLES)    /* any doubles around 1 */                                       \
    X(NEIGHBOURS) /* a lattice, and the doubles beside its points */               \
    X(GAPS)       /* a lattice, and points that are 2^-k beside it */              \
    X(OFFSET)     /* a lattice of a few ulps, far from the origin */               \
    X(SCALED)     /* a lattice times any power of two */                           \
    X(DENORMAL)   /* a lattice of subnormal numbers */                             \
    X(HUGE)       /* numbers just below the largest, and above what floats hold */ \
    X(POLYGONS)   /* each polygon is a lattice times a power of its own */         \
    X(MIXED)      /* each number has any exponent */                               \
    X(SPECIAL)    /* a handful of numbers that are the edge of something */

typedef enum torture_grain_kind {
#define TORTURE_GRAIN_ENUM(name) TORTURE_GRAIN_##name,
    TORTURE_GRAIN_LIST(TORTURE_GRAIN_ENUM) TORTURE_GRAINS
#undef TORTURE_GRAIN_ENUM
} torture_grain_kind;

typedef struct torture_grain {
    torture_grain_kind kind;
    int exponent, range;
    double offset[3];
} torture_grain;

torture_grain torture_make_grain(test_random *random);
double torture_make_number(const torture_grain *grain, test_random *random, int axis);
void torture_make_point(const torture_grain *grain, test_random *random, double point[3]);

void torture_make_shapes(torture_case *c, const torture_grain *grain, test_random *random);
/* Both, as a set of tests/sets.h has them. */
void torture_make_set(torture_case *c, test_random *random);
void torture_make_poses(torture_case *c, const torture_grain *grain, test_random *random);
/* Whether exponents lie far apart: that makes exact arithmetic slow, in the library and here. */
int torture_spans_wide(const torture_case *c);
void torture_make_recipes(torture_case *c, test_random *random);
void torture_make_questions(torture_case *c, test_random *random, int with_opencl);

/* Of one of the kinds about model A alone, or about models with a radius. */
void torture_make_single(torture_question *q, const torture_case *c, test_random *random);
torture_limit torture_draw_limit(test_random *random);

/* A number from 0 to count - 1. */
static inline uint32_t torture_pick(test_random *random, uint32_t count)
{
    return (uint32_t)(test_random_bits(random) % count);
}

static inline int torture_chance(test_random *random, double probability)
{
    return test_random_unit(random) < probability;
}

#endif
