/* Paths of two models, piece by piece. */
#ifndef TUMBLE_SRC_MOTION_PATH_H
#define TUMBLE_SRC_MOTION_PATH_H

#include "tumble/motion.h"

/* Two paths with the same times; one that stands still has none. */
typedef struct tmb_way {
    const tumble_motion *pieces[2]; /* NULL: the model stands */
    tumble_motion still[2];         /* where it does */
    const double *times;            /* NULL: 0, 1, 2, ... */
    size_t count;
} tmb_way;

/* Checks the paths, and that their times are the same. */
tumble_status tmb_way_of(tumble_context *context, const tumble_path *a, const tumble_path *b, tmb_way *out);

static inline const tumble_motion *tmb_way_motion(const tmb_way *way, size_t piece, int side)
{
    return way->pieces[side] ? &way->pieces[side][piece] : &way->still[side];
}

/* When a piece begins; that of the count is the end. */
static inline double tmb_way_begin(const tmb_way *way, size_t piece)
{
    return way->times ? way->times[piece] : (double)piece;
}

/* The time of a path at a part of a piece from 0 to 1: not later than it, the nearest or not earlier, as the direction
 * is -1, 0 or 1. */
double tmb_way_time(const tmb_way *way, size_t piece, double part, int direction);

#endif
