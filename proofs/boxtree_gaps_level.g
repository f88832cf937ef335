# statement: what a level of the trees takes off a gap is off by less than its share of the slack
# place: src/collide/boxtree/kernel_body.h; docs/boxtree.md, Why no pair is lost
# constant: TMB_GAP_LEVEL_ROUNDINGS
#
# In units of M. A level of one tree takes up to two products off a gap: both and the gap are at most 2 M, and what the
# slack and a limit add is a hundredth at most.
step = (gap - (p * (1 + a) + q * (1 + b)) * (1 + c)) * (1 + d);
error = step - (gap - (p + q));
{ |gap| <= 2.02 /\ |p| <= 2.02 /\ |q| <= 2.02 /\ |p + q| <= 2.02 /\ |gap - (p + q)| <= 2.02
  /\ @TMB_DOUBLE_ROUNDING of a b c d s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12@
  ->
  error - @TMB_GAP_LEVEL_ROUNDINGS@ * @TMB_DOUBLE_ROUNDING@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5)
      * (1 + s6) * (1 + s7) * (1 + s8) * (1 + s9) * (1 + s10) * (1 + s11) * (1 + s12) <= 0 }
error -> (gap - (p + q)) * d - (p * a + q * b) * (1 + c) * (1 + d) - (p + q) * c * (1 + d);
