# statement: a box brought into A's own unit holds the triangles that it held, with the slack added once more
# place: src/collide/wide/kernel.c, bring_boxes; docs/wide.md, Traversal
# constant: TMB_BOX_ROUNDING
#
# In A's local unit, with the reach r. A side of the box meets the sum with the slack, a product by a power of two,
# which is exact, and the sum with the shift to the origin, which became a float; so did a corner of a triangle,
# relative to the origin, where it could be beside the box: there it is as far away as the side. Boxes of B, at most
# 1.008 r, are compared with A's triangles, whose origin is at most 1 from the centre; boxes of A, at most 1.008, with
# B's triangles, whose origin is at most 1.008 r from it; A's local points are off by n. Differences in double are off
# by far less (f). x and y: shares of r and 1 in 1 + r.
of_a = 1.008 * x * ((1 + a) * (1 + c) - 1) + 1.001 * y * ((1 + d) * (1 + c) - 1)
    + (1.008 * x + 1.001 * y) * (e + f);
of_b = 1.008 * y * ((1 + a) * (1 + c) - 1) + 1.008 * x * ((1 + d) * (1 + c) - 1)
    + (1.008 * x + 1.008 * y) * (e + f) + y * n;
slack = @TMB_BOX_ROUNDING@ * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4);
{ x in [0, 1] /\ y in [0, 1] /\ x + y in [1, 1] /\ @TMB_FLOAT_ROUNDING of a c d e k1 k2 k3 k4@ /\ |f| <= 0x1p-45 /\ |n| <= 0x1p-25
  ->
  of_a - slack <= 0 /\ of_b - slack <= 0 }
