/* Sine and cosine with a proven error, the same bits everywhere: those of C libraries differ. */
#ifndef TUMBLE_SRC_MOTION_TURN_H
#define TUMBLE_SRC_MOTION_TURN_H

typedef struct tmb_turn {
    double sine, cosine;
} tmb_turn;

/* Of the real product of a time in [0, 1] and an angle of at most TUMBLE_MOTION_MOST_ANGLE: both are off by at most
 * 2^-50. Of 0: 0 and 1. */
tmb_turn tmb_turn_by(double time, double angle);

#endif
