# statement: pairs of wide nodes whose squared distance of boxes is above the limit's are farther apart than the limit
# place: src/collide/wide/bounds.h, far_boxes; src/near/wide/kernel.c; src/collide/wide/setup.c; docs/proximity-proofs.md
# constant: TMB_SQUARE_ROUNDING
#
# As near_wide_boxes. The limit is compared as if it had only been rounded to float: the part that it has been enlarged
# by before is for the other bounds.
in_a = (1 + g) * (1 + g) * (1 + s1) * (1 + s2) * (1 + s3);
in_b = in_a * (1 + k2) * (1 + k3);
most = (1 + v) * (1 + l1) * ((1 + v) * (1 + l1)) * (1 + l2) * (1 + @TMB_SQUARE_ROUNDING@) * (1 + l3);
{ @TMB_FLOAT_ROUNDING of g s1 s2 s3 k2 k3 l1 l2 l3@ /\ @TMB_DOUBLE_ROUNDING of v@
  ->
  most - in_a >= 0 /\ most - in_b >= 0 }
