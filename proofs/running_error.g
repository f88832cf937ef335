# statement: what seven roundings take from a bound, one factor gives back; what underflows is far below what is added
# place: src/math/running.h
# constant: TMB_RUNNING_ROUNDING
# constant: TMB_RUNNING_UNDERFLOW
#
# All terms of the error of a sum or product are positive, and each passes at most seven roundings on its way to the
# result, that of the factor included. A product and the products in its error are off by l1 to l4 if they underflow.
{ @TMB_DOUBLE_ROUNDING of d1 d2 d3 d4 d5 d6 d7@ /\ @TMB_DOUBLE_LEAST of l1 l2 l3 l4@ ->
  (1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) * (1 + d5) * (1 + d6) * (1 + d7) * (1 + @TMB_RUNNING_ROUNDING@) >= 1
  /\ |(l1 + l2 + l3 + l4) * (1 + d1)| <= @TMB_RUNNING_UNDERFLOW@ }
