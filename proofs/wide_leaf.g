# statement: a box brought into A's own unit holds the triangles that it held, with the slack added once more
# place: src/collide/wide/kernel.c, bring_boxes; docs/wide.md, Traversal
# constant: TMB_BOX_ROUNDING
#
# In A's local unit, with the reach r: a side of the box is at most 1.008 + r and meets the sum with the slack, a product
# (by a power of two: exact) and a sum; the shift to the origin, at most 2.1, and a corner of a triangle, at most 2.1 from
# it, become floats. Coordinates in double are off by far less. x and y: shares of r and 1 in 1 + r.
side = 1.008 * y + x;
error = side * ((1 + a) * (1 + b) * (1 + c) - 1) + 2.1 * y * ((1 + d) * (1 + c) - 1) + 2.1 * y * (e + f);
slack = @TMB_BOX_ROUNDING@ * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4);
{ x in [0, 1] /\ y in [0, 1] /\ x + y in [1, 1] /\ @TMB_FLOAT_ROUNDING of a b c d e k1 k2 k3 k4@ /\ |f| <= 0x1p-45
  ->
  error - slack <= 0 }
