/* Sine and cosine. See docs/motion.md, Rounding. */
#include "motion/turn.h"

#include <math.h>

#include "base/assert.h"
#include "math/expansion.h"
#include "tumble/motion.h"

/* Half of pi in three parts: of 33 bits, so that products with a number of quarter turns, of 20 bits, are exact. */
#define QUARTER_1 0x1.921fb544p+0
#define QUARTER_2 0x1.0b4611a6p-34
#define QUARTER_3 0x1.3198a2e037073p-69
#define TURNS_OF_ONE 0x1.45f306dc9c883p-1 /* 2 / pi */

/* Taylor's series from the last term on. What is left out is below 2^-62 up to an eighth of a turn. */
static const double sines[] = {-1.0 / 121645100408832000.0,
                               1.0 / 355687428096000.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 6227020800.0,
                               -1.0 / 39916800.0,
                               1.0 / 362880.0,
                               -1.0 / 5040.0,
                               1.0 / 120.0,
                               -1.0 / 6.0};
static const double cosines[] = {-1.0 / 6402373705728000.0,
                                 1.0 / 20922789888000.0,
                                 -1.0 / 87178291200.0,
                                 1.0 / 479001600.0,
                                 -1.0 / 3628800.0,
                                 1.0 / 40320.0,
                                 -1.0 / 720.0,
                                 1.0 / 24.0,
                                 -1.0 / 2.0};

static double series(const double terms[9], double square)
{
    double sum = terms[0];
    for (int i = 1; i < 9; i++) {
        sum = terms[i] + sum * square;
    }
    return sum * square;
}

static tmb_turn small_turn(double x)
{
    const double square = x * x;
    return (tmb_turn){x + x * series(sines, square), 1 + series(cosines, square)};
}

tmb_turn tmb_turn_by(double time, double angle)
{
    TMB_ASSERT(time >= 0 && time <= 1);
    TMB_ASSERT(fabs(angle) <= TUMBLE_MOTION_MOST_ANGLE);
    const tmb_double2 product = tmb_two_product(time, angle);
    const double quarters = floor(product.high * TURNS_OF_ONE + 0.5);
    const double rest = ((product.high - quarters * QUARTER_1) - quarters * QUARTER_2) - quarters * QUARTER_3;
    const tmb_turn t = small_turn(rest + product.low);
    switch ((int)(quarters - 4 * floor(quarters / 4))) {
    case 0: return t;
    case 1: return (tmb_turn){t.cosine, -t.sine};
    case 2: return (tmb_turn){-t.sine, -t.cosine};
    default: return (tmb_turn){-t.cosine, t.sine};
    }
}
