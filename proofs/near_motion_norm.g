# statement: the motion of a point of B is not underestimated: the norm of the change of the rotation, and lengths
# place: src/query/motion.c, norm_of, tmb_encounter_motion; docs/proximity-proofs.md, Coherence
# constant: TMB_MOTION_ROUNDING
#
# A product of a matrix and its transpose is off by 3 roundings of the sum of the sizes, in the Frobenius norm 3 sqrt(3)
# of the product's. Three times, each time twice as much as before; then nine squares, four roots, a product. Lengths:
# three squares and a root, and the sum of both.
u = @TMB_DOUBLE_ROUNDING@;
once = 0x5.4p0 * u;
twice = 2 * (once + u) + once + 0x1p-100;
thrice = 2 * twice + once + 0x1p-100;
norm = 1 - (thrice + 10 * u + 4 * u + 2 * u);
length = sqrt((1 + q1) * (1 + q2) * (1 + q3) * (1 + q4)) * (1 + q5) * (1 + q6) * (1 + q6);
{ @TMB_DOUBLE_ROUNDING of q1 q2 q3 q4 q5 q6 a1 a2 a3@
  ->
  norm * length * (1 + @TMB_MOTION_ROUNDING@) * (1 + a1) * (1 + a2) * (1 + a3) >= 1 /\ once - 3 * (sqrt(3) * u) >= 0 }
