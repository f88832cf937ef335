# statement: converting bounds in floats to A's unit and back is exact
# place: src/near/wide/wide.c, is_usable; src/near/kdop/kdop.c; docs/proximity-proofs.md
# constant: TMB_NEAR_LEAST_SCALE
# limit: TMB_NEAR_MOST_SCALE
#
# A unit is a power of two: a product with a float, which may be denormal, is a normal double and does not overflow.
{ 0x1p-149 * @TMB_NEAR_LEAST_SCALE@ >= 0x1p-1022 /\ 0x1p128 * @TMB_NEAR_MOST_SCALE@ <= 0x1p1023
  /\ 0x1p-149 / @TMB_NEAR_MOST_SCALE@ >= 0x1p-1022 /\ 0x1p128 / @TMB_NEAR_LEAST_SCALE@ <= 0x1p1023 }
