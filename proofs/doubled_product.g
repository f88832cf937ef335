# statement: a product in pairs of doubles is off by 8 u^2 of the product of the high parts, its low part at most 3 u
# place: src/math/expansion.h, tmb_multiply_doubled
# limit: TMB_DOUBLE_ROUNDING
#
# The factors are 1 + a and 1 + b after division by their high parts; 1 + x is the rounded product of these, which
# leaves exactly -x. The numbers 8 and 3 are what doubled_orient2d and doubled_orient3d start from.
low = (-x + (b * (1 + d1) + a * (1 + d2)) * (1 + d3)) * (1 + d4);
error = (1 + x) + low - (1 + a) * (1 + b);
{ @TMB_DOUBLE_ROUNDING of x d1 d2 d3 d4@ /\ |a| <= 0x1p-53 /\ |b| <= 0x1p-53
  ->
  |error| <= 0x8.001p-106 /\ |low| <= 0x3.001p-53 }
error -> b * ((1 + d1) * (1 + d3) * (1 + d4) - 1) + a * ((1 + d2) * (1 + d3) * (1 + d4) - 1) - x * d4 - a * b;
