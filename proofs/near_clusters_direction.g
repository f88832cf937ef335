# statement: the direction between clusters is not longer than 1
# place: src/near/clusters_kernel.c, direction_between; docs/proximity-proofs.md, Clusters
# constant: TMB_BOUND_ROUNDING
#
# Squares of the components: a product and three sums, the first one with FLT_MIN, which is more than what underflows.
# The scale is a quotient by a root; then a product.
square = (1 + q1) * (1 + q2) * (1 + q3) * (1 + q4);
{ @TMB_FLOAT_ROUNDING of q1 q2 q3 q4 r s p@
  ->
  (1 - @TMB_BOUND_ROUNDING@) * (1 + s) * (1 + p) / (sqrt(square) * (1 + r)) <= 1 }
