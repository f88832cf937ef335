# statement: the boxes that an unfinished search tells hold the points of their nodes
# place: src/near/wide/wide.c, add_children; src/near/kdop/kdop.c, describe_one
# constant: TMB_TOLD_WIDE_ROUNDING
# constant: TMB_TOLD_KDOP_ROUNDING
# constant: TMB_TOLD_SUM_ROUNDING
#
# In local units. A wide side, at most 1.008, was met in floats by a product and a sum, local points became floats (n);
# adding the centre keeps order. Bounds of 12-DOPs are sums of two, up to 5.3, divided by 2 g; the sums with the centre,
# in units of it, are rounded twice.
wide = 1.008 * ((1 + a) * (1 + b) - 1) + n;
kdop = 1.7 * ((1 + c) * (1 + d) * (1 + e) * (1 + f) - 1);
centre = (1 + e) * (1 + f) - 1;
M = (1 + m1) * (1 + m2) * (1 + m3);
{ @TMB_FLOAT_ROUNDING of a b@ /\ |n| <= 0x1.001p-25 /\ @TMB_DOUBLE_ROUNDING of c d e f m1 m2 m3@
  ->
  wide - @TMB_TOLD_WIDE_ROUNDING@ * M <= 0 /\ kdop - @TMB_TOLD_KDOP_ROUNDING@ * M <= 0
  /\ centre - @TMB_TOLD_SUM_ROUNDING@ * M <= 0 }
