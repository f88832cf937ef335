# statement: boxes that are found apart along an axis are so for the points that tumble_collide compares
# place: src/query/apart_kernel.c
# constant: TMB_APART_ROUNDING
#
# All lengths that take part, scale times reach of both models and the three shifts, sum to 1; the axis has length 1.
# A moved point is off by MOVED (distance + reach) along each of three axes: 1.7323 times that along the axis, and the
# reach of B is at most 1.7323 of its length. Centres and half sides are off by three roundings, and turned by rows:
# three products and two sums; then the shift, and products with the axis: eleven roundings in all, of at most 3 of
# each length. Sums of reaches: as many.
moved = 1.7323 * 1.7323 * @TMB_SCENE_MOVED_ROUNDING@;
G = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + a6) * (1 + a7) * (1 + a8) * (1 + a9) * (1 + a10) * (1 + a11);
M = (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4) * (1 + m5);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 m1 m2 m3 m4 m5@
  ->
  moved + 3 * (G - 1) + 3 * (G - 1) - @TMB_APART_ROUNDING@ * M <= 0 }
