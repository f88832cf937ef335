# statement: a distance from integers is right to its bounds
# place: src/prim/triangle_distance_exact.c, distance_of, tmb_exact_distance
# constant: TMB_EXACT_DISTANCE_ROUNDING
#
# Numerator and denominator of the square become doubles that are right to 2 u, then a quotient and a root. The bounds
# are products, moved by one double, which is at least u of them.
u = @TMB_DOUBLE_ROUNDING@;
value = sqrt((1 + t) / (1 + b) * (1 + q)) * (1 + r);
part = @TMB_EXACT_DISTANCE_ROUNDING@;
{ |t| <= 2b-53 /\ |b| <= 2b-53 /\ @TMB_DOUBLE_ROUNDING of q r l h@
  ->
  value * (1 - part) * (1 + l) * (1 - u) <= 1 /\ value * (1 + part) * (1 + h) * (1 + u) >= 1 }
