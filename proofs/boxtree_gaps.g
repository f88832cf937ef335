# statement: gaps of root boxes, computed along any direction, are not smaller than the exact ones
# place: src/collide/boxtree/setup.c, start_gaps; docs/boxtree.md, Why no pair is lost
# constant: TMB_GAP_ROUNDINGS
#
# In units of M, the sum of the sizes of all terms. A term of B's box meets three roundings for the direction in B's
# frame, a product, two sums, the shift, the difference and the slack; a term of A's box and of the shift fewer. Moved
# points are off by four more. M is computed with nine roundings, and the slack with three.
box_b = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + a6) * (1 + a7) * (1 + a8) * (1 + a9) - 1;
point = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) - 1;
slack = @TMB_GAP_ROUNDINGS@ * @TMB_DOUBLE_ROUNDING@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6)
    * (1 + s7) * (1 + s8) * (1 + s9) * (1 + s10) * (1 + s11) * (1 + s12);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12@
  ->
  box_b + point - slack <= 0 }
