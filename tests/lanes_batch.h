/* Pairs of triangles as floats in eight lanes, and the SIMD levels to try them at. */
#ifndef TUMBLE_TESTS_LANES_BATCH_H
#define TUMBLE_TESTS_LANES_BATCH_H

#include "lanes_kernel.h"
#include "pairs.h"

/* The levels that this processor has; the first is plain C. */
typedef struct lanes_level {
    const char *name;
    const lanes_kernel *kernel;
} lanes_level;

typedef struct lanes_level_list {
    lanes_level levels[4];
    int count;
} lanes_level_list;

lanes_level_list lanes_levels(void);

/* Any bits, the special ones more often, and numbers whose sums and products are inexact but finite. */
float lanes_random_float(test_random *random);

/* Floats that stand for coordinates relative to an origin. */
typedef struct lanes_batch {
    test_pair pairs[8];
    double origin[3];
    lanes_triangles a, b;
    float reach;
    unsigned lanes;
} lanes_batch;

/* Fills the floats from the pairs; some lanes are not used and hold anything. */
void lanes_finish_batch(test_random *random, lanes_batch *batch, double looseness);

/* The pair in eight orders and roundings, at some size, so that the reach is as tight as can be. The origin is that of
 * the pair or a corner. */
void lanes_spread_pair(test_random *random, const test_pair *pair, int exponent, lanes_batch *batch);

void lanes_print_pair(const lanes_batch *batch, int lane);

void lanes_scale_pair(test_pair *pair, int exponent);
int lanes_exponent_of(const test_pair *pair);
int lanes_random_exponent(test_random *random); /* 2^-100 to 2^100 and mostly what is in use */

/* Triangles that nearly touch, of sizes and shapes that differ. */
void lanes_make_near_pair(test_random *random, test_pair *pair);
/* Nearly in one plane: B in the plane of A but for a little. */
void lanes_make_layers(test_random *random, test_pair *pair);
/* So small that products underflow. */
void lanes_make_tiny_pair(test_random *random, test_pair *pair);

#endif
