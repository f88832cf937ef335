# statement: the sum of motions is not less than the motions, however many there are
# place: src/near/front.c, tmb_near_recall; docs/proximity-proofs.md, Coherence
# constant: TMB_AGEING_ROUNDING
#
# The sum of two doubles, as rounded, is between 1 and 2 by a choice of the unit; it is enlarged by a rounded product.
@rnd = float<ieee_64, ne>;
sum = rnd(x);
more = rnd(sum * (1 + @TMB_AGEING_ROUNDING@));
{ sum in [1, 2] -> more - x >= 0 }

more - x -> (more - sum * (1 + @TMB_AGEING_ROUNDING@)) + @TMB_AGEING_ROUNDING@ * sum + (sum - x);
$ sum in (1.5);
