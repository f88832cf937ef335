# statement: pairs of k-DOP nodes that are left out without a bound are farther apart than the limit
# place: src/near/kdop/kernel.c, limits_of; docs/proximity-proofs.md, Distances through k-DOP trees
# constant: TMB_KDOP_LIMIT_ROUNDING
#
# In units of the limit. A bound before its rounding down is larger than the true one by less than that takes off: the
# other scripts near_kdop_* say so. The limit is a product in double, rounded to float; the square of that
# is compared with the bound's before its root is taken.
gap = (1 + v1) * (1 + @TMB_KDOP_LIMIT_ROUNDING@) * (1 + v2) * (1 + l1);
square = gap * gap * (1 + l2);
{ @TMB_FLOAT_ROUNDING of l1 l2@ /\ @TMB_DOUBLE_ROUNDING of v1 v2@
  ->
  gap - (1 + @TMB_KDOP_BOUND_ROUNDING@) >= 0 /\ sqrt(square) - (1 + @TMB_KDOP_BOUND_ROUNDING@) >= 0 }
