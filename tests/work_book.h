/* Counters of fixed questions, by name, compared with those that are kept in a file of data/. With TUMBLE_TEST_WORK
 * set, they are printed for such a file instead. */
#ifndef TUMBLE_TESTS_WORK_BOOK_H
#define TUMBLE_TESTS_WORK_BOOK_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/query.h"

enum {
    WORK_NUMBERS = 5
};

typedef struct work_row {
    const char *name;
    uint64_t work[WORK_NUMBERS];
} work_row;

typedef struct work_book {
    const work_row *kept;
    size_t count, compared, differing;
} work_book;

/* Adds boxes compared and moved, triangles compared, bytes, and exact tests. */
void work_add(uint64_t work[WORK_NUMBERS], const tumble_counters *counters);

/* With the next row. A difference is printed, and fails in the end. */
void work_compare(work_book *book, const char *name, const uint64_t work[WORK_NUMBERS]);

/* Asserts that all rows were compared and none differed. */
void work_end(const work_book *book);

#endif
