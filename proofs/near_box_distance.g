# statement: distances of boxes in doubles are lower bounds
# place: src/query/box_frames.c, tmb_box_distances, distance_by_quotients; docs/proximity-proofs.md, Bounds
# constant: TMB_BOX_DISTANCE_ROUNDING
#
# In units of the true distance of the boxes. Gaps are differences. By squares: a product, two sums, a root, a product.
# By quotients: each by the largest gap, then the same, times that gap, less a part and the least double. Depths are
# negative, and not too small.
squares = sqrt((1 + g) * (1 + g) * (1 + s1) * (1 + s2) * (1 + s3) + lost) * (1 + r);
quotients = (1 + g) * (1 + q) * sqrt((1 + s1) * (1 + s2) * (1 + s3)) * (1 + r) * (1 + p);
down = (1 - @TMB_BOX_DISTANCE_ROUNDING@ * (1 + d1)) * (1 + d2) * (1 + d3);
{ @TMB_DOUBLE_ROUNDING of g s1 s2 s3 r q p d1 d2 d3@ /\ |lost| <= 0x1p-100
  ->
  squares * (1 - @TMB_BOX_DISTANCE_ROUNDING@) * (1 + d1) <= 1 /\ quotients * down <= 1
  /\ (1 + g) * (1 + @TMB_BOX_DISTANCE_ROUNDING@ * (1 + d1)) * (1 + d2) >= 1 }
