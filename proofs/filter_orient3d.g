# statement: the determinant of three rows in doubles is off by less than its bound, where nothing underflows
# place: src/math/filter.h, tmb_determinant_filter; src/prim/triangle_intersect.c
# constant: TMB_ERROR_3D
#
# The six terms of the expanded determinant have sizes T1 ... T6. Term 1 is computed as T1 F1, where F1 has a factor for
# each operation that it passes (arithmetic_double): three differences, a product, the difference of the minor, the
# product with z, and the sums. The computed determinant minus the exact one is the sum of T_i g_i (F_i - 1) with signs
# g_i. The permanent is the sum of T_i G_i with the roundings of its own operations, and the bound takes two more.
F1 = (1 + a1) * (1 + b1) * (1 + c1) * (1 + p1) * (1 + m1) * (1 + q1) * (1 + s) * (1 + t);
F2 = (1 + a2) * (1 + b2) * (1 + c1) * (1 + p2) * (1 + m1) * (1 + q1) * (1 + s) * (1 + t);
F3 = (1 + a3) * (1 + b3) * (1 + c3) * (1 + p3) * (1 + m3) * (1 + q3) * (1 + s) * (1 + t);
F4 = (1 + a4) * (1 + b4) * (1 + c3) * (1 + p4) * (1 + m3) * (1 + q3) * (1 + s) * (1 + t);
F5 = (1 + a5) * (1 + b5) * (1 + c5) * (1 + p5) * (1 + m5) * (1 + q5) * (1 + t);
F6 = (1 + a6) * (1 + b6) * (1 + c5) * (1 + p6) * (1 + m5) * (1 + q5) * (1 + t);
G1 = (1 + a1) * (1 + b1) * (1 + c1) * (1 + p1) * (1 + n1) * (1 + r1) * (1 + v) * (1 + w);
G2 = (1 + a2) * (1 + b2) * (1 + c1) * (1 + p2) * (1 + n1) * (1 + r1) * (1 + v) * (1 + w);
G3 = (1 + a3) * (1 + b3) * (1 + c3) * (1 + p3) * (1 + n3) * (1 + r3) * (1 + v) * (1 + w);
G4 = (1 + a4) * (1 + b4) * (1 + c3) * (1 + p4) * (1 + n3) * (1 + r3) * (1 + v) * (1 + w);
G5 = (1 + a5) * (1 + b5) * (1 + c5) * (1 + p5) * (1 + n5) * (1 + r5) * (1 + w);
G6 = (1 + a6) * (1 + b6) * (1 + c5) * (1 + p6) * (1 + n5) * (1 + r5) * (1 + w);

P1 = T1 * 1; P2 = T2 * 1; P3 = T3 * 1; P4 = T4 * 1; P5 = T5 * 1; P6 = T6 * 1;
P12 = P1 + P2; P34 = P3 + P4; P56 = P5 + P6; P1234 = P12 + P34;
P = P1234 + P56;
shifted = ((T1 * (1 + g1 * (F1 - 1)) + T2 * (1 + g2 * (F2 - 1)))
    + (T3 * (1 + g3 * (F3 - 1)) + T4 * (1 + g4 * (F4 - 1))))
    + (T5 * (1 + g5 * (F5 - 1)) + T6 * (1 + g6 * (F6 - 1)));
permanent = ((T1 * G1 + T2 * G2) + (T3 * G3 + T4 * G4)) + (T5 * G5 + T6 * G6);
error = shifted - P;
bound = @TMB_ERROR_3D@ * permanent * (1 + x) * (1 + y);

{ @TMB_DOUBLE_ROUNDING of a1 b1 c1 p1 m1 q1 n1 r1 a2 b2 p2 a3 b3 c3 p3 m3 q3 n3 r3 a4 b4 p4@
  /\ @TMB_DOUBLE_ROUNDING of a5 b5 c5 p5 m5 q5 n5 r5 a6 b6 p6 s t v w x y@
  /\ |g1| <= 1 /\ |g2| <= 1 /\ |g3| <= 1 /\ |g4| <= 1 /\ |g5| <= 1 /\ |g6| <= 1
  # sizes are not negative
  /\ P1 / P12 in [0, 1] /\ P12 <> 0 /\ P3 / P34 in [0, 1] /\ P34 <> 0 /\ P5 / P56 in [0, 1] /\ P56 <> 0
  /\ P12 / P1234 in [0, 1] /\ P1234 <> 0 /\ P1234 / P in [0, 1] /\ P <> 0
  ->
  error / P - bound / P <= 0 /\ error / P + bound / P >= 0 }

bound / P -> @TMB_ERROR_3D@ * (1 + (permanent - P) / P) * (1 + x) * (1 + y) { P <> 0 };
