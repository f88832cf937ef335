# statement: what underflows in the test of triangles in floats is less than a hundredth of the least bound
# place: src/prim/triangle_lanes.h, (5)
# constant: TMB_TRIANGLES_UNDERFLOW
#
# An operation that underflows loses at most 2^-126 (with denormal numbers flushed to zero): three of each component of
# a cross product, which is multiplied by at most 2 reach, and five of the products and sums. A volume takes eight such
# triple products and ten sums. x = reach / (1 + reach), y = 1 / (1 + reach).
triple = 3 * (l1 * 2 * x) + 5 * (l2 * y);
volume = 8 * triple + 10 * (l3 * y);
least = @TMB_TRIANGLES_UNDERFLOW@ * (1 + a) * (1 + b);
{ x in [0, 1] /\ y in [0, 1] /\ |l1| <= 0x3p-126 /\ |l2| <= 0x1p-126 /\ |l3| <= 0x1p-126
  /\ @TMB_FLOAT_ROUNDING of a b@
  ->
  volume - 0.01 * least <= 0 }
