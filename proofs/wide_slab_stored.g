# statement: a slab as stored and decoded is off by 18 roundings in its own frame
# place: src/tree/wide/fit.c, write_slab, and fit_kernel.c; src/collide/wide/decode.h; docs/wide.md, Slabs
# limit: TMB_FLOAT_ROUNDING
#
# Directions have |n|1 = 1, local coordinates are at most 1, decoded centres 1.008. n . x of a corner meets a product
# and two sums. The middle is n times the centre: three for it, three for the product. The distance of both, at most 1,
# is divided by the unit: difference, inverse, product. The traversal's own centre meets four. Middle and half of the
# range are rounded once, together at most 1. Local points are off by half a rounding (p).
corner = (1 + a1) * (1 + a2) * (1 + a3) - 1;
middle = 1.008 * ((1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) * (1 + b5) * (1 + b6) - 1);
divided = (1 + c1) * (1 + c2) * (1 + c3) - 1;
centre = 1.008 * ((1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) - 1);
{ @TMB_FLOAT_ROUNDING of a1 a2 a3 b1 b2 b3 b4 b5 b6 c1 c2 c3 d1 d2 d3 d4 e@ /\ |p| <= 0x1p-25
  ->
  |corner + middle + divided + centre + e + p| <= 0x12p-24 }
