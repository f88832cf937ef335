# statement: triangles whose boxes in floats are farther apart than a limit are so
# place: src/collide/special_kernel.c, near_slots; docs/proximity-proofs.md, Clearance
# constant: TMB_LIMIT_GAP_ROUNDING
# constant: TMB_SQUARE_ROUNDING
#
# In units of the reach: two coordinates, each off by 2 u, and a difference of at most 2. The slack is exact,
# subtracting it a rounding of what is left. Then a product and two sums.
u = @TMB_FLOAT_ROUNDING@;
square = (1 + g) * (1 + g) * (1 + s1) * (1 + s2) * (1 + s3);
{ @TMB_FLOAT_ROUNDING of d g s1 s2 s3 l@ /\ @TMB_DOUBLE_ROUNDING of v1 v2 v3@
  ->
  @TMB_LIMIT_GAP_ROUNDING@ - (4 * u + (2 + 4 * u) * |d|) >= 0
  /\ (1 + v1) * (1 + @TMB_SQUARE_ROUNDING@) * (1 + v2) * (1 + v3) * (1 + l) - square >= 0 }
