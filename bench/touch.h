/* Where two models that approach each other first touch. */
#ifndef TUMBLE_BENCH_TOUCH_H
#define TUMBLE_BENCH_TOUCH_H

/* The distance of the centres of two models in cubes of side 2 from which on they cannot touch: the cubes have a
 * diagonal of 3.46. */
#define BENCH_FURTHEST 3.5

/* Whether the two touch at a distance. */
typedef int bench_touches(void *user, double distance);

/* Searched downward from BENCH_FURTHEST in steps of `stride`, then halved until it is known to `precision`: a distance
 * at which they do not touch, that much above one at which they do. */
double bench_first_touch(bench_touches *touches, void *user, double stride, double precision);

#endif
