# statement: the distance found is at most 5e-15 larger than the least one
# place: src/near/compare.c, set_bound; docs/proximity-proofs.md, Triangles
# limit: TMB_NOT_CLOSER
#
# In units of the least distance. What is told is right to 9 u (precise_bounds, exact_distance), and so is at most U
# over 1 - 9 u, where U is the upper end. What is left out is farther than U, divided by 1 (no error is allowed), times
# 1 less a part.
u = @TMB_DOUBLE_ROUNDING@;
bound = (1 + d1) * (1 + d2) * (1 - @TMB_NOT_CLOSER@) * (1 + d3);
{ @TMB_DOUBLE_ROUNDING of d1 d2 d3@ -> 1 / (bound * (1 - 9 * u)) - 1 <= 5e-15 }
