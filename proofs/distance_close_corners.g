# statement: corners whose squared distance in doubles is within that of a limit are within the limit
# place: src/prim/triangle_distance.c, has_close_corners
# constant: TMB_CLOSE_CORNERS
#
# A square has the rounding of a difference twice, a product and two sums. The limit's is at least 2^-1000; what three
# products lose by underflow is less than 2^-70 of it.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
square = (1 + d) * (1 + d) * (1 + p) * (1 + s1) * (1 + s2);
{ @TMB_DOUBLE_ROUNDING of d p s1 s2 m l@
  ->
  square * rnd(1 + @TMB_CLOSE_CORNERS@ * u) * (1 + m) - (1 + l) - 0x1p-70 >= 0 }
