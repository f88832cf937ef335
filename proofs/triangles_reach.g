# statement: the reach of triangles as floats bounds the true coordinates too, which are off by at most 2^-23 of it
# place: src/collide/leaf_lanes.h; src/device/opencl/kernels/triangles.cl, compare_triangles
# constant: TMB_REACH_ROUNDING
#
# t is the exact difference to the origin, of which the largest is scaled to 1; it is rounded to double (a) and to float
# (b). The reach is the largest float times 1 + the constant, rounded (c).
largest = (1 + a) * (1 + b);
reach = largest * (1 + @TMB_REACH_ROUNDING@) * (1 + c);
{ |t| <= 1 /\ @TMB_DOUBLE_ROUNDING of a d@ /\ @TMB_FLOAT_ROUNDING of b c e@
  ->
  1 - reach <= 0 /\ largest - reach <= 0 /\ |t * (1 + d) * (1 + e) - t| - 0x1p-23 * reach <= 0 }
t * (1 + d) * (1 + e) - t -> t * ((1 + d) * (1 + e) - 1);
