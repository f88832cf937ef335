# statement: points along an axis of boxes, and their gap, are bounds
# place: src/near/boxes/bounds.c, tmb_widen_along; src/near/boxes/boxes.h, tmb_gap_along
# constant: TMB_ALONG_AXIS_ROUNDINGS
# constant: TMB_ALONG_AXIS_GAP_ROUNDING
#
# A term of size 1 as computed passes two sums, and exactly lacks a difference and a product; the error is subtracted
# from the sum with one rounding more. The axis: components are divided by the longest, squared, summed up, and divided
# by the root. The gap: a difference and a product, over the length of the axis.
u = @TMB_DOUBLE_ROUNDING@;
computed = (1 + s1) * (1 + s2) * (1 + d);
exact = 1 / ((1 + w) * (1 + p));
error = @TMB_ALONG_AXIS_ROUNDINGS@ * u * (1 + t1) * (1 + t2) * (1 + t3) * (1 + t4) * (1 + d);
axis = (1 + n) / (sqrt((1 + q1) * (1 + q2) * (1 + q3)) * (1 + q4));
{ @TMB_DOUBLE_ROUNDING of s1 s2 d w p t1 t2 t3 t4 q1 q2 q3 q4 n g1 g2@
  ->
  error - |computed - exact| >= 0 /\ axis * (1 + g1) * (1 - @TMB_ALONG_AXIS_GAP_ROUNDING@) * (1 + g2) <= 1 }
