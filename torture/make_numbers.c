/* Coordinates. Those of one scene are of one kind, so that they meet often: by chance, doubles never do. */
#include <float.h>
#include <math.h>

#include "make.h"

torture_grain torture_make_grain(test_random *random)
{
    torture_grain grain = {.range = test_random_whole(random, 1, 4)};
    grain.kind =
        torture_chance(random, 0.25) ? TORTURE_GRAIN_LATTICE : (torture_grain_kind)torture_pick(random, TORTURE_GRAINS);
    if (grain.kind >= TORTURE_GRAIN_POLYGONS && torture_chance(random, 0.7)) { /* exact arithmetic is slow there */
        grain.kind = (torture_grain_kind)torture_pick(random, TORTURE_GRAIN_POLYGONS);
    }
    switch (grain.kind) {
    case TORTURE_GRAIN_LATTICE: grain.exponent = test_random_whole(random, -3, 3); break;
    case TORTURE_GRAIN_SCALED: grain.exponent = test_random_whole(random, -1070, 1018); break;
    case TORTURE_GRAIN_DENORMAL: grain.exponent = -1074 + test_random_whole(random, 0, 60); break;
    case TORTURE_GRAIN_HUGE:
        grain.exponent = torture_chance(random, 0.5) ? 1021 : test_random_whole(random, 124, 1020);
        break;
    default: break;
    }
    for (int axis = 0; axis < 3; axis++) {
        grain.offset[axis] = ldexp(test_random_range(random, -1, 1), test_random_whole(random, 0, 30));
    }
    return grain;
}

static double special_number(test_random *random)
{
    static const double numbers[] = {0,         -0.0,    1,        0.5,     2,       3,        1e-5,
                                     0x1p-1074, DBL_MIN, DBL_MAX,  0x1p60,  0x1p-60, 1e40,     FLT_MAX,
                                     3.5e38,    FLT_MIN, 0x1p-149, 1.5e308, 0x1p512, 0x1p-512, 0x1p-537,
                                     0x1p-1022, 0x1p24,  0x1p53,   0.1,     1e100};
    const double number = numbers[torture_pick(random, sizeof numbers / sizeof *numbers)];
    return torture_chance(random, 0.5) ? -number : number;
}

double torture_make_number(const torture_grain *grain, test_random *random, int axis)
{
    const double whole = test_random_whole(random, -grain->range, grain->range);
    const double sign = torture_chance(random, 0.5) ? 1 : -1;
    switch (grain->kind) {
    case TORTURE_GRAIN_TENTHS: return whole * 0.1;
    case TORTURE_GRAIN_FLOATS: return (double)(float)test_random_range(random, -1, 1);
    case TORTURE_GRAIN_DOUBLES: return test_random_range(random, -1, 1);
    case TORTURE_GRAIN_NEIGHBOURS:
        return whole == 0 ? 0x1p-52 * test_random_whole(random, -2, 2)
                          : test_step_ulps(whole, test_random_whole(random, -2, 2));
    case TORTURE_GRAIN_GAPS:
        return whole + (torture_chance(random, 0.5) ? 0 : ldexp(sign, -test_random_whole(random, 1, 60)));
    case TORTURE_GRAIN_OFFSET: return test_step_ulps(grain->offset[axis], test_random_whole(random, -9, 9));
    case TORTURE_GRAIN_MIXED: return ldexp(whole, test_random_whole(random, -1074, 1020));
    case TORTURE_GRAIN_SPECIAL: return special_number(random);
    default: return ldexp(whole, grain->exponent);
    }
}

void torture_make_point(const torture_grain *grain, test_random *random, double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = torture_make_number(grain, random, axis);
    }
}
