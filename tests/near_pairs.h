/* More generators of pairs of triangles: those that do not meet, near and far, by the features in which they are
 * nearest. */
#ifndef TUMBLE_TESTS_NEAR_PAIRS_H
#define TUMBLE_TESTS_NEAR_PAIRS_H

#include "pairs.h"

/* All of them; the last has a null name. No classes must occur. */
const test_generator *test_near_generators(void);

#endif
