# statement: boxes of boxtrees that are farther apart than a limit by all gaps together are so
# place: src/collide/boxtree/kernel.c, walk_is_far; src/collide/boxtree/setup.c, add_limit; docs/proximity-proofs.md, Clearance
# constant: TMB_GAP_LIMIT_ROUNDING
#
# As clearance_kdop, in doubles, with at most six directions. The limit along a direction, less a part, must not be more
# than what has been added to the gaps: length, two products. A gap has a difference and a product.
u = @TMB_DOUBLE_ROUNDING@;
part = @TMB_GAP_LIMIT_ROUNDING@;
length = (1 + l1) * (1 + l2) * sqrt((1 + q1) * (1 + q2) * (1 + q3));
limit = (1 + part) * (1 + m1) * (1 + m2);
slack = part * (1 - x6) * (1 + a1) * (1 + a2);
{ @TMB_DOUBLE_ROUNDING of p1 p2 p3 p4 l1 l2 q1 q2 q3 m1 m2 a1 a2@
  /\ x6 in [0, 0x6.001p-53] /\ |x9| <= 0x9.001p-53
  ->
  (1 + p1) * (1 + p2) - (1 + p3) * (1 - part) * (1 + p4) - 0x8p-53 >= 0
  /\ limit * length * (1 + a2) - (1 + x9) >= 0 /\ slack - |x9| * length * (1 + a2) >= 0 }
