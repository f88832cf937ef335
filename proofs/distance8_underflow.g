# statement: products that underflow change distances in floats by less than their slack
# place: src/prim/triangle_distance_lanes.h, (2) and (3)
# constant: TMB_DISTANCE8_UNDERFLOW
# constant: TMB_DISTANCE8_LEAST_SQUARE
#
# A product loses up to 2^-126 where denormal numbers are flushed to 0. A gap loses six, divided by a length of n that
# is at least the root of the least square, and three or fewer roundings follow. Squares of a vector between points lose
# three, and the root of the sum at most the root of that. That root, divided by n's length: see distance8_gaps.
lost = 0x1p-126;
n = sqrt(@TMB_DISTANCE8_LEAST_SQUARE@);
slack = @TMB_DISTANCE8_UNDERFLOW@ * (1 - 3 * @TMB_FLOAT_ROUNDING@);
{ slack - 6 * lost / n * 1.001 >= 0
  /\ slack - sqrt(3 * lost) * 1.001 >= 0
  /\ 3b-26 - 3 * lost / @TMB_DISTANCE8_LEAST_SQUARE@ >= 0 }
