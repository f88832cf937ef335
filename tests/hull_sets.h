/* Adversarial sets of points for hulls, made by sums, products, quotients and roots alone: they are the same on every
 * machine. */
#ifndef TUMBLE_TESTS_HULL_SETS_H
#define TUMBLE_TESTS_HULL_SETS_H

#include "support.h"
#include "tree/kdop/hull/hull.h"

typedef struct hull_set {
    const char *name;
    void (*make)(test_random *random, double (*points)[3], size_t count);
    int dimensions; /* of the hull of many points */
} hull_set;

enum {
    HULL_SETS = 27
};
extern const hull_set hull_sets[HULL_SETS];

/* The hull with a copy of its points. */
typedef struct hull_case {
    const double (*points)[3];
    size_t count;
    tmb_hull hull;
    double (*corners)[3];
    tmb_hull_view view;
} hull_case;

/* Builds the hull, which must pass tmb_hull_validate, into the arena. `corners` are to be released with free(). */
void hull_case_make(hull_case *c, tmb_arena *arena, const double (*points)[3], size_t count);

/* A direction of one of many kinds: along axes and diagonals, at random, at right angles to three of the points or to
 * two, from one point to another, a step of an ulp beside these, and 0. */
void hull_direction(test_random *random, const hull_case *c, size_t number, double direction[3]);

#endif
