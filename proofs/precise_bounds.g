# statement: a distance that gap and points in pairs of doubles agree about is within its bounds
# place: src/prim/triangle_distance_precise.c, tmb_precise_distance
# constant: TMB_PRECISE_LOWER
# constant: TMB_PRECISE_UPPER
# constant: TMB_PRECISE_LEAST
# limit: TMB_PRECISE_GAP
#
# In units of the computed distance of the points. Its square is a pair cut to a double, and the root is rounded. The
# gap is cut, divided by the root of n . n, cut as well, and was compared with a rounded product. What the pairs are off
# by is a part of the least distance. The bounds are rounded products; scaling is exact.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
off = @TMB_PRECISE_ERROR@ / @TMB_PRECISE_LEAST@;
points = 1 / (sqrt(1 + p1) * (1 + p2)) + off;
compared = rnd(1 - @TMB_PRECISE_GAP@ * u) * (1 + g1);
gap = compared * sqrt(1 + g2) * (1 + g3) / ((1 + g4) * (1 + g5)) - off;
{ |p1| <= 0x1.00001p-53 /\ |g2| <= 0x1.00001p-53 /\ @TMB_DOUBLE_ROUNDING of p2 g1 g3 g4 g5 l h@
  ->
  gap - rnd(1 - @TMB_PRECISE_LOWER@ * u) * (1 + l) >= 0 /\ rnd(1 + @TMB_PRECISE_UPPER@ * u) * (1 + h) - points >= 0 }
