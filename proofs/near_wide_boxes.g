# statement: distances of boxes of wide nodes, in floats, are lower bounds, and what is left out by them is farther than the limit
# place: src/collide/wide/bounds.h, far_boxes, finish_far, round_down; src/near/wide/wide.c; docs/proximity-proofs.md, Nodes
# constant: TMB_BOUND_ROUNDING
#
# In units of the distance of the true boxes, along whose axes gaps are not too large but for the rounding of their own
# size (wide_box). A square has a product and two sums; in B's frame it is times the square of the unit, which was
# rounded down. The limit that it is compared with is rounded to float. A bound is the root, less a part.
in_a = (1 + g) * (1 + g) * (1 + s1) * (1 + s2) * (1 + s3);
unit = (1 + v1) * (1 - @TMB_BOUND_ROUNDING@) * (1 + v2) * (1 + k1);
in_b = in_a * (unit * unit) * (1 + k2) * (1 + k3);
finished = (1 + r1) * (1 - @TMB_BOUND_ROUNDING@) * (1 + r2);
down = (1 + r1) * (1 - @TMB_BOUND_ROUNDING@ * (1 + r3)) * (1 + r2);
{ @TMB_FLOAT_ROUNDING of g s1 s2 s3 k1 k2 k3 r1 r2 r3@ /\ @TMB_DOUBLE_ROUNDING of v1 v2@
  ->
  sqrt(in_a) * finished <= 1 /\ sqrt(in_b) * finished <= 1 /\ sqrt(in_a) * down <= 1 /\ sqrt(in_b) * down <= 1 }
