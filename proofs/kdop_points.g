# statement: the farthest of a node's points or corners in floats is not nearer than the exact one
# place: src/collide/kdop/kernel_body.h, farthest; src/collide/kdop/tumble.c; docs/kdop.md, Points
# constant: TMB_KDOP_ROUNDING
# limit: TMB_KDOP_VERTEX_MERGE
#
# As in kdop_three: coordinates at most 1, for corners of 12-DOPs 1.6181. A term meets the rounding of u, a product and
# three sums; the point itself is off by half a rounding, or one below 2, and a corner by what was merged. The offset
# meets its own rounding and a sum. Triangles of A's leaves: 5.3 roundings.
F = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) - 1;
G = (1 + b1) * (1 + b2) - 1;
A = 5.3 * @TMB_FLOAT_ROUNDING@ * (1 - x);
slack = @TMB_KDOP_ROUNDING@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4);
M = @TMB_KDOP_VERTEX_MERGE@;
H = 0.5 * @TMB_FLOAT_ROUNDING@;
k6 = x * 1 * (t * (F + H + M) + (1 - t) * G);
k12 = x * 2.6181 * (t * (1.6181 * F + 2 * H + M) + (1 - t) * G);
k26 = x * 3 * (t * (F + H + M) + (1 - t) * G);
{ x in [0, 1] /\ t in [0, 1] /\ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 a5 b1 b2 s1 s2 s3 s4@
  ->
  k6 + A - slack <= 0 /\ k12 + A - slack <= 0 /\ k26 + A - slack <= 0 }
