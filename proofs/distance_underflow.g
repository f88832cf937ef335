# statement: products that underflow change distances in doubles by less than their slack
# place: src/prim/triangle_distance.c, gap_along, bound_edges, bound_face, length_of
# constant: TMB_DISTANCE_UNDERFLOW
#
# A gap has three products, and one more where its error is subtracted. A component of a vector between points has two,
# and its upper bound four. Lengths below 2^-400 are computed times 2^500: where their squares lose 3 * 2^-1075, the
# length x loses at most that over 2 x, or all of it. At 2^-400 and above, squares lose less than 2^-270 of themselves.
lost = 0x1p-1075;
slack = @TMB_DISTANCE_UNDERFLOW@ * (1 - 8 * @TMB_DOUBLE_ROUNDING@);
{ x in [0x1p-1036, 0x1p-399] /\ y in [0, 0x1p-1036]
  ->
  slack - 8 * lost >= 0 /\ slack - (2 * (sqrt(3) * lost) + 4 * lost + 3 * lost * 0x1p-1000 / (2 * x)) >= 0
  /\ slack - (2 * (sqrt(3) * lost) + 4 * lost + 2 * y) >= 0 /\ 3 * lost / 0x1p-800 <= 0x1p-270 }
