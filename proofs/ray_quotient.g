# statement: parameters of a ray at the planes of a box, in doubles, are rounded outward
# place: src/ray/boxes.c, round_down and round_up
# constant: TMB_RAY_QUOTIENT_ROUNDING
#
# In units of the exact quotient: a difference and a quotient, then the product with 1 less or more than a part.
Q = (1 + a) * (1 + b) * (1 + c);
{ @TMB_DOUBLE_ROUNDING of a b c@
  ->
  Q * (1 - @TMB_RAY_QUOTIENT_ROUNDING@) - 1 <= 0 /\ Q * (1 + @TMB_RAY_QUOTIENT_ROUNDING@) - 1 >= 0 }
