/* When do two triangles with whole coordinates meet, if one of them moves by multiples of a whole vector? Exactly, by
 * trying all events one after the other. */
#ifndef TUMBLE_TESTS_SPAN_ORACLE_H
#define TUMBLE_TESTS_SPAN_ORACLE_H

#include "oracle.h"

typedef struct span_fraction {
    long long num, den; /* den > 0 */
} span_fraction;

typedef struct span_triangle {
    long long at[3][3];
} span_triangle;

int span_compare(span_fraction a, span_fraction b);

/* The sign of a double less a fraction. */
int span_compare_double(double x, span_fraction f);

/* The first and the last multiple from 0 on at which b, moved by it times the way, meets a. 0: there is none. */
int span_of_pair(oracle *truth, const span_triangle *a, const span_triangle *b, const long long way[3],
                 span_fraction *first, span_fraction *last);

/* From which multiple on all pairs are apart for the first time; 0 stands for being apart at once. */
span_fraction span_free(oracle *truth, const span_triangle *a, size_t a_count, const span_triangle *b, size_t b_count,
                        const long long way[3], int *meets_at_0);

#endif
