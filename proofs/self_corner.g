# statement: triangles with a common corner, whose other corners are beyond it on different sides by this much, are apart
# place: src/self/wide_kernel.c, are_opposite8; src/prim/triangle_lanes.h, tmb_vector8_least_gap
# constant: TMB_CORNER_GAP
#
# In units of the reach times the sum of the sizes of the direction's components, which is any direction. A product with
# a corner has three roundings per term, and a coordinate is within 2^-23 of the true one. If the true gap between two
# corners were not positive, the computed one would be at most the error of two products, and one rounding.
bound = @TMB_CORNER_GAP@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4);
rounded = (1 + t1) * (1 + t2) * (1 + t3) - 1;
error = 2 * (rounded + 1b-23) * (1 + g);
{ @TMB_FLOAT_ROUNDING of s1 s2 s3 s4 t1 t2 t3 g@ -> bound - error >= 0 }
