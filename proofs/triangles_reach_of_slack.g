# statement: a slack of the map times the constant is a reach: coordinates are off by 2^-23 of it and not larger
# place: src/device/opencl/kernels/triangles.cl, compare_triangles, devices without doubles; docs/device.md
# constant: TMB_REACH_OF_SLACK
#
# Coordinates are off by less than `slack`, which is at least TMB_BOX_ROUNDING (1 + r) and became a float (a); none is
# larger than 2 (1 + r). 1 + r is scaled to 1. The product with a power of two is exact.
slack = @TMB_BOX_ROUNDING@ * (1 + more) * (1 + a);
reach = slack * @TMB_REACH_OF_SLACK@;
{ more in [0, 0x1p60] /\ @TMB_FLOAT_ROUNDING of a@
  ->
  slack / reach <= 0x1p-23 /\ 2 - reach <= 0 }
slack / reach -> 1 / @TMB_REACH_OF_SLACK@ { reach <> 0 };
