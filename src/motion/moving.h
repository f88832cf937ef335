/* A model in motion, for computing: in units in which everything is at most about 1, with bounds of all roundings. */
#ifndef TUMBLE_SRC_MOTION_MOVING_H
#define TUMBLE_SRC_MOTION_MOVING_H

#include "tree/box_view.h"
#include "tumble/motion.h"

/* Lengths are times 2^-exponent. At time t a point x is at turn(t) (linear x + arm) + centre + t velocity. */
typedef struct tmb_moving {
    const tumble_model *model;
    double linear[3][3], arm[3], centre[3], velocity[3];
    double axis[3], angle; /* a unit vector, up to rounding; the angle is 0 if it does not turn */
    double stretch;        /* how much `linear` makes a vector longer at most */
} tmb_moving;

/* The pose at a time, in these units. */
typedef struct tmb_placed {
    double linear[3][3], shift[3];
} tmb_placed;

/* How large the coordinates of a model are at most: where it stands, with its axis, and how far it moves, in doubles.
 * Infinite where that is beyond the range of doubles, about. */
typedef struct tmb_motion_size {
    double still, moved;
    double own; /* of the model's points, in its own frame */
} tmb_motion_size;
tmb_motion_size tmb_motion_size_of(const tumble_model *model, const tumble_motion *motion);

/* The exponent of the unit for two motions whose sizes have this sum: the power of two above it, or more where its
 * reciprocal, also times the scale of a pose, is no double. */
int tmb_motion_unit(double sum, const tumble_motion *const motions[2]);

tmb_moving tmb_moving_of(const tumble_model *model, const tumble_motion *motion, int exponent);
tmb_placed tmb_placed_at(const tmb_moving *moving, double time);

static inline void tmb_placed_point(const tmb_placed *at, const double point[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const double *m = at->linear[k];
        out[k] = ((m[0] * point[0] + m[1] * point[1]) + m[2] * point[2]) + at->shift[k];
    }
}

/* The box around a box of the model that is placed; rounded, but not outward. */
void tmb_placed_box(const tmb_placed *at, const double lower[3], const double upper[3], double out_lower[3],
                    double out_upper[3]);

/* How far the points of a box are from the axis at most. */
double tmb_moving_arm(const tmb_moving *moving, const double lower[3], const double upper[3]);

/* How far a point with such an arm is at most from where it would be if it moved on a straight line at constant speed,
 * from its place at the one end of a span of time to that at the other: at the part s of the span, 4 s (1 - s) of
 * this. */
static inline double tmb_moving_bend(const tmb_moving *moving, double arm, double span)
{
    const double turn = moving->angle * span;
    return arm * (turn * turn) * (0.125 * (1 + 0x1p-40));
}

#endif
