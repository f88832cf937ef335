# statement: k-DOPs that are farther apart than a limit by all gaps together are so
# place: src/collide/kdop/kernel_body.h, is_far; src/collide/kdop/setup.c; docs/proximity-proofs.md, Clearance
# constant: TMB_KDOP_ROUNDING
#
# A gap is a difference, times an inverse length (a float), plus the limit less the slack: four roundings of at most
# sqrt(3) (1 + r) and of the limit. Then, in units of the sum of the gaps, |sum of g n| = v in [0, 1]. Terms of sums
# pass up to 11 additions; squares a product more, vectors two products and two constants; the length is a root of three
# squares. If the sum of g^2 is at most the limit times v, it is not larger than the other side as computed.
u = @TMB_FLOAT_ROUNDING@;
part = @TMB_KDOP_ROUNDING@;
four = (1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) - 1;
length = (1 + l1) * sqrt((1 + q1) * (1 + q2) * (1 + q3));
limit = (1 + part) * (1 + v1) * (1 + part) * (1 + v2) * (1 + m1) * (1 + m2);
slack = part * (1 - x11) * (1 + a1) * (1 + a2);
{ @TMB_FLOAT_ROUNDING of d1 d2 d3 d4 l1 q1 q2 q3 m1 m2 a1 a2@ /\ @TMB_DOUBLE_ROUNDING of v1 v2@
  /\ x11 in [0, 0xb.001p-24] /\ |x12| <= 0xc.001p-24 /\ |x15| <= 0xf.001p-24
  ->
  part * (1 - u) - sqrt(3) * four >= 0 /\ part * (1 - u) - four >= 0
  # the two terms of the sum on the right, less the left side
  /\ limit * length * (1 + a2) - (1 + x12) >= 0 /\ slack - |x15| * length * (1 + a2) >= 0 }
