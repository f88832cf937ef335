# statement: a component of an edge in floats is off by 3 d, where coordinates are off by d = 2 u reach
# place: src/prim/triangle_lanes.h, (1); src/device/opencl/kernels/geometry.cl
# limit: TMB_FLOAT_ROUNDING
#
# The reach is scaled to 1; x and y are coordinates as floats, s and t the true ones. c is the rounding of the
# difference.
{ |x| <= 1 /\ |y| <= 1 /\ |x - s| <= 0x1p-23 /\ |y - t| <= 0x1p-23 /\ @TMB_FLOAT_ROUNDING of c@ ->
  |(x - y) * (1 + c) - (s - t)| <= 0x3p-23 }
(x - y) * (1 + c) - (s - t) -> (x - s) - (y - t) + (x - y) * c;
