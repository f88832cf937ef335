# statement: what coordinates are off by changes distances by less than its slack
# place: src/prim/triangle_distance_lanes.h, (1)
# constant: TMB_DISTANCE8_COORDINATES
#
# Coordinates are off by 2 u of the reach, two points by sqrt(3) times that each. The slack has a product and two sums,
# and it is added to a bound, or subtracted, with one rounding more.
u = @TMB_FLOAT_ROUNDING@;
{ @TMB_FLOAT_ROUNDING of c1 c2 c3 r@
  ->
  @TMB_DISTANCE8_COORDINATES@ * u * (1 + c1) * (1 + c2) * (1 + c3) * (1 + r) - 2 * (sqrt(3) * (2 * u)) >= 0 }
