# statement: gaps of k-DOPs divided by the length of their direction are lower bounds, and depths are not too small
# place: src/near/kdop/kernel_body.h, bound; docs/proximity-proofs.md, Distances through k-DOP trees
# constant: TMB_KDOP_BOUND_ROUNDING
#
# In units of the true bound: a difference, the inverse length as a float, a product; then less a part, and for depths,
# which are negative, more. Along a side there is no length.
corner = @TMB_KDOP_CORNER@ * sqrt(3);
edge = @TMB_KDOP_EDGE@ * sqrt(2);
face = @TMB_KDOP_FACE@ * sqrt((5 + sqrt(5)) / 2);
down = (1 + g) * (1 + p) * (1 - @TMB_KDOP_BOUND_ROUNDING@) * (1 + r);
up = (1 + g) * (1 + p) * (1 + @TMB_KDOP_BOUND_ROUNDING@) * (1 + r);
{ @TMB_FLOAT_ROUNDING of g p r@
  ->
  corner * down <= 1 /\ edge * down <= 1 /\ face * down <= 1 /\ down <= 1
  /\ corner * up >= 1 /\ edge * up >= 1 /\ face * up >= 1 /\ up >= 1 }
