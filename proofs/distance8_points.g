# statement: the distance of two points of triangles, in floats, with its slack is an upper bound
# place: src/prim/triangle_distance_lanes.h, (3)
# constant: TMB_DISTANCE8_POINTS
#
# In units of the size S, with v = |V| in [0, 1], and ww, ff, ee as in distance_edges. |v| as computed is at least
# ww |V| - |ff - ww| t |F| - |ee - ww| s |E|. Edges are at most twice the sizes A and B, A + B <= 1, so the worst is one
# of them with 2; in a face, s |E| + t |F| <= 1 + u. The slack is added with one rounding.
u = @TMB_FLOAT_ROUNDING@;
ww = (1 + w1) * (1 + w2) * (1 + w3);
ff = (1 + f1) * (1 + f2) * (1 + w2) * (1 + w3);
ee = (1 + e1) * (1 + e2) * (1 + w3);
root = sqrt((1 + q1) * (1 + q2) * (1 + q3)) * (1 + q4) * (1 + r);
slack = @TMB_DISTANCE8_POINTS@ * u * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + r);
{ @TMB_FLOAT_ROUNDING of w1 w2 w3 f1 f2 e1 e2 q1 q2 q3 q4 s1 s2 s3 s4 s5 s6 s7 r@
  ->
  # at v = 1; for a smaller v the last term is smaller in size
  slack - 2 * |ff - ww| * root - |1 - ww * root| >= 0
  /\ slack - 2 * |ee - ww| * root - |1 - ww * root| >= 0
  /\ slack - (1 + u) * |ff - ww| * root - u - |1 - ww * root| >= 0
  /\ slack - (1 + u) * |ee - ww| * root - u - |1 - ww * root| >= 0 }
