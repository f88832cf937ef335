# statement: triangles of clusters that are left out are farther apart than the bound, by squares of gaps in floats
# place: src/near/clusters_kernel.c, close_slots, local_bound, left_out; docs/proximity-proofs.md, Clusters
# constant: TMB_BOUND_ROUNDING
#
# In units of the true distance. A gap has the roundings of two differences, its square a product, and two sums follow.
# The limit is a product in double, rounded to float, and one more; then its square. What was left out is the root of a
# square, less a part; dividing by the scale, a power of two, is exact.
gap = (1 + g1) * (1 + g2);
square = gap * gap * (1 + s1) * (1 + s2) * (1 + s3);
limit = (1 + v1) * (1 + @TMB_BOUND_ROUNDING@) * (1 + v2) * (1 + l1) * (1 + @TMB_BOUND_ROUNDING@) * (1 + l2);
{ @TMB_FLOAT_ROUNDING of g1 g2 s1 s2 s3 l1 l2 l3 r@ /\ @TMB_DOUBLE_ROUNDING of v1 v2 v3@
  ->
  limit * limit * (1 + l3) - square >= 0 /\ sqrt(square) * (1 + r) * (1 - @TMB_BOUND_ROUNDING@) * (1 + v3) <= 1 }
