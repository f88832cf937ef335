# statement: slabs that a common point lies in are not found apart, along the direction of either
# place: src/collide/wide/decode.h, compare_slabs; nodes.cl; docs/wide.md, Slabs
# constant: TMB_SLAB_ROUNDING
#
# Each line is a row of the table in docs/wide.md, for A's direction and for B's: how many roundings of what size. x and
# y are the shares of the reach r and of 1 in 1 + r. |v|1 <= 1.7321 |v|2; a slab is off by 18 (wide_slab_stored).
s3 = 1.7321;
# both slabs
a1 = 0x12p-24 * y + s3 * 0x12p-24 * x;
b1 = s3 * 0x12p-24 * y + 0x12p-24 * x;
# B's direction, moved: entry, product, two sums; it counts with points up to 1.75 of their box, and share up to s3
a2 = s3 * 1.7321 * 1.008 * ((1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) - 1) * x;
# B's centre, moved: entry, product, three sums
a3 = s3 * 1.008 * ((1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) * (1 + d5) - 1) * x;
b3 = 1.008 * ((1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) * (1 + d5) - 1) * x;
# n . (difference of the centres): difference, product, two sums
a4 = 1.008 * ((1 + e1) * (1 + e2) * (1 + e3) * (1 + e4) - 1) * (x + y);
# plus or minus the middles
a5 = 1.008 * ((1 + f1) * (1 + f2) * (1 + f3) - 1) * y
    + s3 * 1.008 * ((1 + f1) * (1 + f2) * (1 + f3) * (1 + f4) - 1) * x;
b5 = s3 * 1.008 * ((1 + f1) * (1 + f2) * (1 + f3) - 1) * y
    + 1.008 * ((1 + f1) * (1 + f2) * (1 + f3) * (1 + f4) - 1) * x;
# the right-hand side: six roundings of its value
a6 = ((1 + g1) * (1 + g2) * (1 + g3) * (1 + g4) * (1 + g5) * (1 + g6) - 1) * (1.008 * y + 2 * s3 * 1.008 * x);
b6 = ((1 + g1) * (1 + g2) * (1 + g3) * (1 + g4) * (1 + g5) * (1 + g6) - 1) * (2 * s3 * 1.008 * y + 1.008 * x);
# the rest: two roundings
a7 = 1.008 * s3 * ((1 + h1) * (1 + h2) - 1) * x;
b7 = 1.008 * s3 * ((1 + h1) * (1 + h2) - 1) * y;
slack = @TMB_SLAB_ROUNDING@ * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4) * (1 + k5);
along_a = a1 + a2 + a3 + a4 + a5 + a6 + a7;
along_b = b1 + a2 + b3 + a4 + b5 + b6 + b7;
{ x in [0, 1] /\ y in [0, 1] /\ x + y in [1, 1]
  /\ @TMB_FLOAT_ROUNDING of c1 c2 c3 c4 d1 d2 d3 d4 d5 e1 e2 e3 e4 f1 f2 f3 f4 g1 g2 g3 g4 g5 g6 h1 h2@
  /\ @TMB_FLOAT_ROUNDING of k1 k2 k3 k4 k5@
  ->
  along_a - slack <= 0 /\ along_b - slack <= 0 }
$ x in 16;
