# statement: a bound from three bounds of a row, in floats, is not smaller than the exact one, with A's triangles in floats
# place: src/collide/kdop/kernel_body.h, tumble_three; docs/kdop.md, Three bounds and Triangles of A's leaves
# constant: TMB_KDOP_ROUNDING
#
# In units of 1 + r; x is the share of r. |u|1 + |o| <= E r, t the share of |u|1. The sum of the weights' terms is at
# most W = w |u|1: a term meets the weight's rounding, a product and three sums, the offset its own rounding and three
# sums. E and w for k = 6, 12 (unit), 12 (axes), 14, 18, 26. Triangles of A's leaves are off by 5.3 roundings whatever r
# is.
F = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) - 1;
G = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) - 1;
A = 5.3 * @TMB_FLOAT_ROUNDING@ * (1 - x);
slack = @TMB_KDOP_ROUNDING@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4);
k6 = x * (1 * t * F + (1 - t) * G);
k12unit = x * 2.6181 * (1.6181 * t * F + (1 - t) * G);
k12axes = x * 2.6181 * (2.6181 * t * F + (1 - t) * G);
k14 = x * 3 * (1.5 * t * F + (1 - t) * G);
k18 = x * 2 * (1 * t * F + (1 - t) * G);
k26 = x * 3 * (1 * t * F + (1 - t) * G);
{ x in [0, 1] /\ t in [0, 1] /\ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 a5 b1 b2 b3 b4 s1 s2 s3 s4@
  ->
  k6 + A - slack <= 0 /\ k12unit + A - slack <= 0 /\ k12axes + A - slack <= 0 /\ k14 + A - slack <= 0
  /\ k18 + A - slack <= 0 /\ k26 + A - slack <= 0 }
