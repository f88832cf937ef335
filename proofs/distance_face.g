# statement: the distance of a corner from a point of a face, in doubles, with its slack is an upper bound
# place: src/prim/triangle_distance.c, bound_face
# constant: TMB_DISTANCE_LENGTH
# constant: TMB_DISTANCE_EDGES
# constant: TMB_DISTANCE_OUTSIDE
#
# As distance_edges, for v = (p - s E) + t F. The point is in the triangle if s + t <= 1. Else s + t - 1 <= u, as the
# sum is rounded to 1, and the point is at most u |F| from it (t is not less than s + t - 1, for s <= 1).
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
pp = (1 + p1) * (1 + p2) * (1 + p3);
ee = (1 + e1) * (1 + e2) * (1 + p2) * (1 + p3);
ff = (1 + f1) * (1 + f2) * (1 + p3);
root = sqrt((1 + q1) * (1 + q2) * (1 + q3) + lost) * (1 + q4);
added = (1 + a1) * (1 + a2);
length = root * rnd(1 + @TMB_DISTANCE_LENGTH@ * u) * (1 + l) * added;
sizes = (1 + s1) * (1 + s2) * (1 + s3);
edges = @TMB_DISTANCE_EDGES@ * u * sizes * (1 + g1) * (1 + g2) * (1 + g3) * (1 + g4) * added;
outside = @TMB_DISTANCE_OUTSIDE@ * u * sizes * (1 + h) * (1 + g4) * added;
{ @TMB_DOUBLE_ROUNDING of p1 p2 p3 e1 e2 f1 f2 q1 q2 q3 q4 a1 a2 l s1 s2 s3 g1 g2 g3 g4 h@ /\ |lost| <= 0x1p-270
  ->
  length * pp >= 1 /\ edges * pp - |ee - pp| >= 0 /\ edges * pp - |ff - pp| >= 0
  /\ outside - u >= 0 }
