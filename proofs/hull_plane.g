# statement: the height over a rounded plane of a hull is off by less than its bound, where nothing underflows
# place: src/tree/kdop/hull/surface.c, set_plane and tmb_hull_side
# constant: TMB_ERROR_PLANE
#
# The normal has six terms with sizes T1 ... T6, two along each axis; a term passes two differences, a product and a
# difference (F). Times the coordinates q of the point and a of the corner it passes a product, two sums and a
# difference more (H, J). Coordinates are scaled, axis by axis, so that the reach is 1. Gappa bounds the error of one
# term relative to its size; the others are alike.
F1 = (1 + a1) * (1 + b1) * (1 + p1) * (1 + m1);
F2 = (1 + a2) * (1 + b2) * (1 + p2) * (1 + m1);
H = (1 + h1) * (1 + h2) * (1 + h3) * (1 + h4);
J = (1 + j1) * (1 + j2) * (1 + j3) * (1 + h4);
error1 = F1 * (q * H - a * J) - (q - a);
error2 = F2 * (q * H - a * J) - (q - a);
G1 = (1 + a1) * (1 + b1) * (1 + p1) * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4);
G2 = (1 + a2) * (1 + b2) * (1 + p2) * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4);

P1 = T1 * 1; P2 = T2 * 1;
P = P1 + P2;
error = (T1 * (1 + g1 * error1) + T2 * (1 + g2 * error2)) - P;
sum = T1 * G1 + T2 * G2;
bound = @TMB_ERROR_PLANE@ * sum * (1 + x) * (1 + y);

{ @TMB_DOUBLE_ROUNDING of a1 b1 p1 m1 a2 b2 p2 h1 h2 h3 h4 j1 j2 j3 k1 k2 k3 k4 x y@ /\ |q| <= 1 /\ |a| <= 1
  /\ |g1| <= 1 /\ |g2| <= 1 /\ P1 / P in [0, 1] /\ P <> 0
  ->
  error / P - bound / P <= 0 /\ error / P + bound / P >= 0 }

error1 -> (F1 - 1) * (q * H - a * J) + q * (H - 1) - a * (J - 1);
error2 -> (F2 - 1) * (q * H - a * J) + q * (H - 1) - a * (J - 1);
bound / P -> @TMB_ERROR_PLANE@ * (1 + (sum - P) / P) * (1 + x) * (1 + y) { P <> 0 };
