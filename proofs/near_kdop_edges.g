# statement: the distance of k-DOPs by the gaps of their sides and one edge is a lower bound
# place: src/near/kdop/kernel.c, square_of_sides, square_with_edges; docs/proximity-proofs.md, Distances through k-DOP trees
# constant: TMB_KDOP_BOUND_ROUNDING
#
# Gaps are differences, and the least |v| grows in proportion to them: one rounding. Then, for them as they are, and in
# units of |v| >= `first`: `second` is the difference of the edge's gap and `first`, at most `first`. Three squares, two
# sums, a root; less a part.
squares = sqrt((1 + s1) * (1 + s2) * (1 + s3)) * (1 + r);
{ @TMB_FLOAT_ROUNDING of g s1 s2 s3 r d z@
  ->
  (1 + g) * (1 + d) * squares * (1 - @TMB_KDOP_BOUND_ROUNDING@) * (1 + z) <= 1 }
