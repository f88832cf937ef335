# statement: a bound by lookup, in floats, is not smaller than the exact one, with A's triangles in floats
# place: src/collide/kdop/kernel_body.h, tumble_lookup; docs/kdop.md, Lookup
# constant: TMB_KDOP_ROUNDING
#
# As in kdop_three. Points are off by half a rounding. The centre along u: rounded components, products, three sums and
# the last one; the offset: its own rounding and four sums. D . c takes roundings of up to |D|1 for its sums (for 12
# also g and its products) and |D|1 / 2 for the points, times |u| / (|D| cos of the covering angle): in |u|, for 6, 12,
# 14, 18 and 26.
F = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + a6) - 1 + 0.5 * @TMB_FLOAT_ROUNDING@;
G = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) * (1 + b5) - 1;
U = @TMB_FLOAT_ROUNDING@;
A = 5.3 * U * (1 - x);
slack = @TMB_KDOP_ROUNDING@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4);
d6 = 0.5 * U / (1 * 0.577350);
d12 = (2 * 1.6181 + 2.6181 + 2.6181 / 2) * U / (1.9021 * 0.794654);
d14 = (2 + 3 + 1.5) * U / (1.73205 * 0.806898);
d18 = (2 + 1) * U / (1.41421 * 0.816496);
d26 = (2 + 3 + 1.5) * U / (1.73205 * 0.886451);
k6 = x * 1 * (t * (F + d6) + (1 - t) * G);
k12 = x * 2.6181 * (t * (F + d12) + (1 - t) * G);
k14 = x * 3 * (t * (F + d14) + (1 - t) * G);
k18 = x * 2 * (t * (F + d18) + (1 - t) * G);
k26 = x * 3 * (t * (F + d26) + (1 - t) * G);
{ x in [0, 1] /\ t in [0, 1] /\ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 a5 a6 b1 b2 b3 b4 b5 s1 s2 s3 s4@
  ->
  k6 + A - slack <= 0 /\ k12 + A - slack <= 0 /\ k14 + A - slack <= 0 /\ k18 + A - slack <= 0 /\ k26 + A - slack <= 0 }
$ t in 4;
