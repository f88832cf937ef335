/* The distance of two triangles that do not meet, in long doubles: to sort out the pairs that need exact arithmetic.
 * truth.c compares some of the estimates that it relies on with the exact distance, at random. */
#ifndef TUMBLE_TORTURE_ESTIMATE_H
#define TUMBLE_TORTURE_ESTIMATE_H

typedef struct torture_estimate {
    long double distance;
    long double error; /* at most, by far */
} torture_estimate;

torture_estimate torture_estimate_distance(const double a[3][3], const double b[3][3]);

/* 1: an edge of one passes through the inside of the other, by far; 0: nothing is known. */
int torture_surely_meet(const double a[3][3], const double b[3][3]);

#endif
