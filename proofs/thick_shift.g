# statement: a distance and the difference of two thicknesses, summed up in doubles, are rounded outward
# place: src/near/thick.c, tmb_near_shift
# constant: TMB_THICK_ROUNDING
#
# In units of the exact sum, of which the difference is the part m: a difference, a sum, a product, and one more sum,
# with a term that moves it outward.
Q = (1 + m * a) * (1 + b) * (1 + c) * (1 + d);
{ @TMB_DOUBLE_ROUNDING of a b c d@ /\ m in [0, 1]
  ->
  Q * (1 - @TMB_THICK_ROUNDING@) - 1 <= 0 /\ Q * (1 + @TMB_THICK_ROUNDING@) - 1 >= 0 }
