# statement: a bound of a bare leaf, computed in floats, is not smaller than the exact projections of its points
# place: src/collide/kdop/kernel_body.h, leaf_bounds; docs/kdop.md, Bare leaves
# constant: TMB_KDOP_LEAF_ROUNDING
#
# x, y and z are exact local coordinates, which become local in double and then float; the directions (1, 1, 1) and, for
# 12, (0, 1, g), with g as a float.
@rnd = float<ieee_32, ne>;
@dbl = float<ieee_64, ne>;
g = 0x1.9e3779b97f4a8p+0;
fx = rnd(dbl(x));
fy = rnd(dbl(y));
fz = rnd(dbl(z));
fg = rnd(g);
sum = rnd(rnd(fx + fy) + fz);
sum12 = rnd(fy + rnd(fg * fz));
K = @TMB_KDOP_LEAF_ROUNDING@;
{ |x| <= 1 /\ |y| <= 1 /\ |z| <= 1
  ->
  rnd(sum + K) - (x + y + z) >= 0 /\ rnd(sum12 + K) - (y + g * z) >= 0 }
rnd(sum + K) - (x + y + z) -> (rnd(sum + K) - (sum + K)) + (sum - (rnd(fx + fy) + fz)) + (rnd(fx + fy) - (fx + fy))
    + (fx - dbl(x)) + (dbl(x) - x) + (fy - dbl(y)) + (dbl(y) - y) + (fz - dbl(z)) + (dbl(z) - z) + K;
rnd(sum12 + K) - (y + g * z) -> (rnd(sum12 + K) - (sum12 + K)) + (sum12 - (fy + rnd(fg * fz)))
    + (rnd(fg * fz) - fg * fz) + (fg - g) * fz + (fy - dbl(y)) + (dbl(y) - y) + g * ((fz - dbl(z)) + (dbl(z) - z)) + K;
