/* What the test programs share: cmocka with its prelude, how much work to do, a random generator, steps of one ulp. */
#ifndef TUMBLE_TESTS_SUPPORT_H
#define TUMBLE_TESTS_SUPPORT_H

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The environment variable TUMBLE_TEST_EFFORT, a factor for counts of iterations: 1 when unset, and when it is not a
 * positive number the test program stops with an error rather than testing nothing. */
double test_effort(void);

/* `count` times the effort, at least 1. */
size_t test_count(size_t count);

/* A pseudo-random generator (splitmix64) with the same sequence on every machine. Any seed is good. */
typedef struct test_random {
    uint64_t state;
} test_random;

uint64_t test_random_bits(test_random *random);
double test_random_unit(test_random *random);                             /* [0, 1), a multiple of 2^-53 */
double test_random_range(test_random *random, double least, double most); /* about uniform, least and most included */
int test_random_whole(test_random *random, int least, int most);          /* least and most included */
int test_random_chance(test_random *random, double probability);          /* 1 with this probability, else 0 */

/* The double that lies `steps` representable numbers above `value` (below, when negative). -0 and 0 are one number.
 * Stops at the largest finite doubles. `value` must be finite. */
double test_step_ulps(double value, int64_t steps);

#endif
