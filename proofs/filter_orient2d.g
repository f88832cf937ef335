# statement: the determinant of orient2d in doubles is off by less than its bound, where nothing underflows
# place: src/math/filter.h, tmb_orient2d_filter
# constant: TMB_ERROR_2D
#
# As in filter_orient3d: two terms with two differences, a product and a difference each.
F1 = (1 + a1) * (1 + b1) * (1 + p1) * (1 + s);
F2 = (1 + a2) * (1 + b2) * (1 + p2) * (1 + s);
G1 = (1 + a1) * (1 + b1) * (1 + p1) * (1 + t);
G2 = (1 + a2) * (1 + b2) * (1 + p2) * (1 + t);

P1 = T1 * 1; P2 = T2 * 1;
P = P1 + P2;
error = (T1 * (1 + g1 * (F1 - 1)) + T2 * (1 + g2 * (F2 - 1))) - P;
sum = T1 * G1 + T2 * G2;
bound = @TMB_ERROR_2D@ * sum * (1 + x) * (1 + y);

{ @TMB_DOUBLE_ROUNDING of a1 b1 p1 a2 b2 p2 s t x y@ /\ |g1| <= 1 /\ |g2| <= 1
  /\ P1 / P in [0, 1] /\ P <> 0
  ->
  error / P - bound / P <= 0 /\ error / P + bound / P >= 0 }

bound / P -> @TMB_ERROR_2D@ * (1 + (sum - P) / P) * (1 + x) * (1 + y) { P <> 0 };
