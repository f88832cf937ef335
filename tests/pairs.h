/* Generators of pairs of triangles, each for one kind of difficulty. */
#ifndef TUMBLE_TESTS_PAIRS_H
#define TUMBLE_TESTS_PAIRS_H

#include "support.h"

typedef struct test_pair {
    double a[3][3], b[3][3];
} test_pair;

/* What can be true of a pair. "exact": doubles alone did not decide. "point", "segment" and "area": what they have in
 * common; "crossing-point": one point, and there is no common plane. "coplanar": both with area, in one plane. The
 * others: one or both are degenerate, the lesser one first. */
#define TEST_CLASS_LIST(X)                          \
    X(HIT, "hit")                                   \
    X(MISS, "miss")                                 \
    X(EXACT, "exact")                               \
    X(COMMON_POINT, "point")                        \
    X(COMMON_SEGMENT, "segment")                    \
    X(COMMON_AREA, "area")                          \
    X(CROSSING_POINT, "crossing-point")             \
    X(COPLANAR_HIT, "coplanar-hit")                 \
    X(COPLANAR_MISS, "coplanar-miss")               \
    X(POINT_POINT_HIT, "point-point-hit")           \
    X(POINT_POINT_MISS, "point-point-miss")         \
    X(POINT_SEGMENT_HIT, "point-segment-hit")       \
    X(POINT_SEGMENT_MISS, "point-segment-miss")     \
    X(POINT_TRIANGLE_HIT, "point-triangle-hit")     \
    X(POINT_TRIANGLE_MISS, "point-triangle-miss")   \
    X(SEGMENT_SEGMENT_HIT, "segment-segment-hit")   \
    X(SEGMENT_SEGMENT_MISS, "segment-segment-miss") \
    X(SEGMENT_TRIANGLE_HIT, "segment-triangle-hit") \
    X(SEGMENT_TRIANGLE_MISS, "segment-triangle-miss")

enum test_class {
#define TEST_CLASS_ENUM(name, word) TEST_CLASS_##name,
    TEST_CLASS_LIST(TEST_CLASS_ENUM) TEST_CLASS_COUNT
#undef TEST_CLASS_ENUM
};

#define TEST_BIT(name) (1u << TEST_CLASS_##name)

typedef struct test_generator {
    const char *name;
    void (*make)(test_random *random, test_pair *pair);
    size_t count;  /* pairs to try at effort 1 */
    unsigned must; /* classes (TEST_BIT) that must occur, or the generator is no good */
} test_generator;

/* All of them; the last has a null name. */
const test_generator *test_generators(void);

/* A pair that is the same up to the order of the corners, of the axes and of the triangles. */
void test_shuffle_pair(test_random *random, test_pair *pair);

/* All of these pairs: 36 orders of corners, 6 of axes, 2 of the triangles, which are exchanged in the second half. */
#define TEST_PAIR_VARIANTS 432
test_pair test_pair_variant(const test_pair *pair, int variant);

/* The pairs of data/triangle_pairs.inc. */
typedef struct test_recorded_pair {
    const char *name, *source;
    test_pair pair;
    int intersect;
    double distance;
} test_recorded_pair;

const test_recorded_pair *test_recorded_pairs(size_t *count);

/* For messages. */
void test_print_pair(const char *where, const char *what, const test_pair *pair);

#endif
