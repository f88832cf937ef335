# statement: a bound of a row is not smaller than the exact projections of its points, before it becomes a float
# place: src/tree/kdop/fit_body.h, rounded_up in src/tree/kdop/fit.c; docs/kdop.md, Rows
# constant: TMB_KDOP_ROW_ROUNDING
#
# x, y and z are exact local coordinates, rounded once (scaling is exact); the directions (1, 1, 1) and, for 12, (0, 1,
# g).
@rnd = float<ieee_64, ne>;
g = 0x1.9e3779b97f4a8p+0;
sum = rnd(rnd(rnd(x) + rnd(y)) + rnd(z));
sum12 = rnd(rnd(y) + rnd(g * rnd(z)));
K = @TMB_KDOP_ROW_ROUNDING@;
{ |x| <= 1 /\ |y| <= 1 /\ |z| <= 1
  ->
  rnd(sum + K) - (x + y + z) >= 0 /\ rnd(sum12 + K) - (y + g * z) >= 0 }
rnd(sum + K) - (x + y + z) -> (rnd(sum + K) - (sum + K)) + (sum - (rnd(rnd(x) + rnd(y)) + rnd(z)))
    + (rnd(rnd(x) + rnd(y)) - (rnd(x) + rnd(y))) + (rnd(x) - x) + (rnd(y) - y) + (rnd(z) - z) + K;
rnd(sum12 + K) - (y + g * z) -> (rnd(sum12 + K) - (sum12 + K)) + (sum12 - (rnd(y) + rnd(g * rnd(z))))
    + (rnd(g * rnd(z)) - g * rnd(z)) + (rnd(y) - y) + g * (rnd(z) - z) + K;
