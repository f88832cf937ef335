# statement: quotients that are clearly apart as doubles are in that order
# place: src/relate/cells.c, are_clearly_apart
# constant: TMB_QUOTIENTS_APART
#
# x and y are the shares of both sizes in their sum: each is off by at most its rounding, and its difference by one
# more.
room = @TMB_QUOTIENTS_APART@ * (1 + a) * (1 + b);
{ x in [0, 1] /\ @TMB_QUOTIENT_ROUNDING of e f@ /\ @TMB_DOUBLE_ROUNDING of a b c@
  ->
  x * e + (1 - x) * f + c - room <= 0 }
