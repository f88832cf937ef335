# statement: boxes in an R-tree that are left out are farther from the probe's than the limit
# place: src/collide/rtree/setup.c, set_limit; src/collide/rtree/kernel.c, close_children; docs/proximity-proofs.md, Clearance
# constant: TMB_RTREE_GAP_ROUNDING
# constant: TMB_SQUARE_ROUNDING
#
# A gap of boxes of which one was enlarged by the limit, plus the limit less a part: a float for the enlarged side, a
# difference, a float for what is added, a sum, of sizes up to 1 + r, and the limit. Squares: a product, two sums.
u = @TMB_FLOAT_ROUNDING@;
four = (1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) - 1;
square = (1 + s1) * (1 + s2) * (1 + s3);
{ @TMB_FLOAT_ROUNDING of d1 d2 d3 d4 s1 s2 s3 l@ /\ @TMB_DOUBLE_ROUNDING of v1 v2 v3@
  ->
  @TMB_RTREE_GAP_ROUNDING@ * (1 - u) - four >= 0 /\ @TMB_SQUARE_ROUNDING@ * (1 - u) - four - 0x1p-39 >= 0
  /\ (1 + v1) * (1 + @TMB_SQUARE_ROUNDING@) * (1 + v2) * (1 + v3) * (1 + l) - square >= 0 }
