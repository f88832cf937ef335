# statement: the gap along the line through the centres of wide nodes, or along any direction, less its slack is a lower bound
# place: src/collide/wide/bounds.h, centre_distance, reach_along; src/near/wide/kernel.c, fronts_of; docs/proximity-proofs.md, Nodes
# constant: TMB_SLAB_ROUNDING
#
# The rows of the table in the document, of A's size 1 and of B's reach r. A slab is off by 18 roundings
# (wide_slab_stored), times a share of at most sqrt(3); B's direction and centre are moved with 4 and 5. The length of
# the line, L, is a root of a sum with FLT_MIN of squares; the direction is a quotient by it and a product; L stands for
# the direction times the difference of the centres, which is rounded.
u = @TMB_FLOAT_ROUNDING@;
two = (1 + d1) * (1 + d2) - 1;
three = (1 + d1) * (1 + d2) * (1 + d3) - 1;
six = (1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) * (1 + d5) * (1 + d6) - 1;
length = sqrt((1 + q1) * (1 + q2) * (1 + q3) * (1 + q4) + more) * (1 + q5);
unit = (1 + q6) * (1 + q7) / length;
slabs = sqrt(3) * (18 * u);
line = sqrt(3) * (|unit - length| + u) * 1.01;
offsets = sqrt(3) * three;
sums = 7 * two;
reaches = 3.5 * six;
rest = sqrt(3) * two;
moved = 1.008 * (3 * (4 * u) + sqrt(3) * (5 * u));
of_a = slabs + line + offsets + sums + reaches + rest;
{ @TMB_FLOAT_ROUNDING of d1 d2 d3 d4 d5 d6 q1 q2 q3 q4 q5 q6 q7@ /\ |more| <= 0x1p-45
  ->
  @TMB_SLAB_ROUNDING@ * (1 - u) - of_a >= 0 /\ @TMB_SLAB_ROUNDING@ * (1 - u) - (of_a + moved) >= 0
  # the direction is not quite of length 1
  /\ unit * (1 + d1) * (1 - @TMB_BOUND_ROUNDING@ * (1 + d2)) * (1 + d3) <= 1
  /\ unit * (1 + d1) * (1 + @TMB_BOUND_ROUNDING@ * (1 + d2)) * (1 + d3) >= 1 }
