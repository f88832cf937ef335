# statement: a bound that was kept, less what B has moved since, is a bound
# place: src/near/near.h, tmb_near_keep; src/near/front.c, revive; docs/proximity-proofs.md, Coherence
# constant: TMB_AGEING_ROUNDING
# constant: TMB_MOTION_ROUNDING
#
# A bound b (of either sign) is kept as b + m less a part of its size, m being the motion until then; later, with a
# total of n >= m, n and a part of it are subtracted. The result minus b + m - n has the terms b (f - 1), m (f - 1), -
# part |b|, - n (age - 1): the terms of b are negative together, and those of m and n, as n >= m.
f = (1 + d1) * (1 + d2) * (1 + d3);
part = @TMB_AGEING_ROUNDING@ * (1 + d4) * (1 + d2) * (1 + d3);
age = (1 + @TMB_MOTION_ROUNDING@) * (1 + d5) * (1 + d3);
{ @TMB_DOUBLE_ROUNDING of d1 d2 d3 d4 d5@
  ->
  part - |f - 1| >= 0 /\ (age - 1) - |f - 1| >= 0 }
