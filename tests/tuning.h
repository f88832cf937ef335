/* Tunings for options that are passed around by value. */
#ifndef TUMBLE_TESTS_TUNING_H
#define TUMBLE_TESTS_TUNING_H

#include "tumble/hierarchies.h"

/* A copy that stays until the program ends. May be called by several threads at once. */
const tumble_tuning *test_keep_tuning(const tumble_tuning *tuning);

/* Sets a member of the tuning of options, for example test_tune(options, kdop.k, 26). */
#define test_tune(options, member, value)                                                     \
    do {                                                                                      \
        tumble_tuning tuned = (options).tuning ? *(options).tuning : tumble_default_tuning(); \
        tuned.member = value;                                                                 \
        (options).tuning = test_keep_tuning(&tuned);                                          \
    } while (0)

#endif
