# statement: gaps along the directions of slabs, divided by their lengths, are lower bounds, and depths are not too small
# place: src/collide/wide/bounds.h, far_slabs, round_down; docs/proximity-proofs.md, Nodes
# constant: TMB_BOUND_ROUNDING
#
# gap - reach is at most the length of the direction times the separation along it (wide_slab). The direction of B's
# slab was moved by entries of the map (rounded), products and two sums: its length is off by sqrt(3) times these four,
# and the 10^-5 by which the map may not be a rotation. The square of the length: a product and two sums; its inverse;
# the root of that; gap - reach and the product. For depths, which are negative, the same from the other side.
moved = (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4) - 1;
longer = 1 + sqrt(3) * (1 + 3 * @TMB_POSE_TOLERANCE@) * moved;
factor = longer * sqrt((1 + i) / ((1 + q1) * (1 + q2) * (1 + q3))) * (1 + r) * (1 + g1) * (1 + g2);
{ @TMB_FLOAT_ROUNDING of m1 m2 m3 m4 q1 q2 q3 i r g1 g2 d1 d2@
  ->
  factor * (1 - @TMB_BOUND_ROUNDING@ * (1 + d1)) * (1 + d2) <= 1
  /\ factor * (1 + @TMB_BOUND_ROUNDING@ * (1 + d1)) * (1 + d2) >= 1 }
