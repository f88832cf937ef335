#include "work_book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void work_add(uint64_t work[WORK_NUMBERS], const tumble_counters *counters)
{
    work[0] += counters->box_tests;
    work[1] += counters->box_updates;
    work[2] += counters->primitive_tests;
    work[3] += counters->bytes_touched;
    work[4] += counters->exact_tests;
}

static void print_work(const uint64_t work[WORK_NUMBERS])
{
    for (int i = 0; i < WORK_NUMBERS; i++) {
        printf("%s%llu", i ? ", " : "{", (unsigned long long)work[i]);
    }
    printf("}");
}

void work_compare(work_book *book, const char *name, const uint64_t work[WORK_NUMBERS])
{
    const size_t number = book->compared++;
    if (getenv("TUMBLE_TEST_WORK")) {
        printf("    {\"%s\", ", name);
        print_work(work);
        printf("},\n");
        return;
    }
    assert_true(number < book->count);
    const work_row *row = &book->kept[number];
    assert_string_equal(name, row->name);
    if (memcmp(work, row->work, sizeof row->work) != 0) {
        book->differing++;
        printf("%s: the work was ", name);
        print_work(row->work);
        printf(" and is now ");
        print_work(work);
        printf("\n");
    }
}

void work_end(const work_book *book)
{
    assert_int_equal(book->differing, 0);
    assert_true(getenv("TUMBLE_TEST_WORK") || book->compared == book->count);
}
