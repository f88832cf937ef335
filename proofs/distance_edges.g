# statement: the distance of two points of edges, in doubles, with its slack is an upper bound
# place: src/prim/triangle_distance.c, bound_edges
# constant: TMB_DISTANCE_LENGTH
# constant: TMB_DISTANCE_EDGES
#
# v = (w + t F) - s E, each component with the roundings of the differences w, F and E, of two products and two sums: it
# is W ww + t F ff - s E ee, where exactly it is V = W + t F - s E. So V ww = v - t F (ff - ww) + s E (ee - ww): divided
# by ww, this bounds a component of V, and so the length. In the upper bound |v| is times `length`, and each of t |F|
# and s |E| (or more, the sum of the components' sizes) times `edges`. |v| is computed from squares of at least 2^-800.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
ww = (1 + w1) * (1 + w2) * (1 + w3);
ff = (1 + f1) * (1 + f2) * (1 + w2) * (1 + w3);
ee = (1 + e1) * (1 + e2) * (1 + w3);
root = sqrt((1 + q1) * (1 + q2) * (1 + q3) + lost) * (1 + q4);
added = (1 + a1) * (1 + a2);
length = root * rnd(1 + @TMB_DISTANCE_LENGTH@ * u) * (1 + l) * added;
edges = @TMB_DISTANCE_EDGES@ * u * (1 + s1) * (1 + s2) * (1 + s3) * (1 + g1) * (1 + g2) * (1 + g3) * added;
{ @TMB_DOUBLE_ROUNDING of w1 w2 w3 f1 f2 e1 e2 q1 q2 q3 q4 a1 a2 l s1 s2 s3 g1 g2 g3@ /\ |lost| <= 0x1p-270
  ->
  length * ww >= 1 /\ edges * ww - |ff - ww| >= 0 /\ edges * ww - |ee - ww| >= 0 }
