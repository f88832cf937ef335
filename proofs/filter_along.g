# statement: direction . (a - b) in doubles is off by less than its bound, where nothing underflows
# place: src/math/along.h, tmb_along_filter
# constant: TMB_ERROR_ALONG
#
# As in filter_orient3d: three terms with a difference, a product and up to two sums each.
F1 = (1 + a1) * (1 + p1) * (1 + s) * (1 + t);
F2 = (1 + a2) * (1 + p2) * (1 + s) * (1 + t);
F3 = (1 + a3) * (1 + p3) * (1 + t);
G1 = (1 + a1) * (1 + p1) * (1 + v) * (1 + w);
G2 = (1 + a2) * (1 + p2) * (1 + v) * (1 + w);
G3 = (1 + a3) * (1 + p3) * (1 + w);

P1 = T1 * 1; P2 = T2 * 1; P3 = T3 * 1;
P12 = P1 + P2;
P = P12 + P3;
error = ((T1 * (1 + g1 * (F1 - 1)) + T2 * (1 + g2 * (F2 - 1))) + T3 * (1 + g3 * (F3 - 1))) - P;
sum = (T1 * G1 + T2 * G2) + T3 * G3;
bound = @TMB_ERROR_ALONG@ * sum * (1 + x) * (1 + y);

{ @TMB_DOUBLE_ROUNDING of a1 p1 a2 p2 a3 p3 s t v w x y@ /\ |g1| <= 1 /\ |g2| <= 1 /\ |g3| <= 1
  /\ P1 / P12 in [0, 1] /\ P12 <> 0 /\ P12 / P in [0, 1] /\ P <> 0
  ->
  error / P - bound / P <= 0 /\ error / P + bound / P >= 0 }

bound / P -> @TMB_ERROR_ALONG@ * (1 + (sum - P) / P) * (1 + x) * (1 + y) { P <> 0 };
