# statement: the gap of two triangles along a direction, in doubles, is a lower bound of their distance
# place: src/prim/triangle_distance.c, gap_along, lower_bound
# constant: TMB_DISTANCE_GAP_TERMS
# constant: TMB_DISTANCE_GAP
#
# n . w is the sum of three products. A computed one, of size 1, passes two sums; exactly, it lacks the roundings of the
# difference w and of the product. What is subtracted for it goes through the same sums and a product: it is larger than
# the difference of the two, for each term and so for their sum. What is left, if positive, is at most n . w times one
# rounding; a product and a difference more, and it is divided by the length of n: the direction times the sign over its
# length, whose square (at least 2^-900) may have lost three products by underflow.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
computed = (1 + s1) * (1 + s2);
exact = 1 / ((1 + w) * (1 + p));
subtracted = @TMB_DISTANCE_GAP_TERMS@ * u * (1 + t1) * (1 + t2) * (1 + t3);
length = (1 + n1) * (1 + n2) / (sqrt((1 + q1) * (1 + q2) * (1 + q3) + lost) * (1 + q4));
left = (1 + v1) * rnd(1 - @TMB_DISTANCE_GAP@ * u) * (1 + v2) * (1 + v3);
{ @TMB_DOUBLE_ROUNDING of s1 s2 w p t1 t2 t3 n1 n2 q1 q2 q3 q4 v1 v2 v3@ /\ |lost| <= 0x1p-170
  ->
  subtracted - |computed - exact| >= 0 /\ left * length <= 1 }
