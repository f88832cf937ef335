# statement: the distance of k-DOPs by the gaps of their sides and one corner is a lower bound
# place: src/near/kdop/kernel.c, square_with_corners; docs/proximity-proofs.md, Distances through k-DOP trees
# constant: TMB_KDOP_BOUND_ROUNDING
#
# As near_kdop_edges, in units of `first` <= |v|. `total`, the corner's gap, is at most 3, and `first` is off by what a
# third of it is, if at all. `rest` is total - first. `second` is off by a share q of half of what the rest is: it is
# the larger of that half and another number. `third` is rest - second, in [0, 1]. Each is the larger of such a number
# and a gap, which is off by no more.
first = total * @TMB_KDOP_THIRD@ * (1 + c1) - total / 3;
rest = (total - 1 - first) * (1 + c2) - (total - 1);
second = q * rest / 2;
third = (t + rest - second) * (1 + c3) - t;
squares = sqrt((1 + s1) * (1 + s2) * (1 + s3)) * (1 + r);
off = sqrt(first * first + second * second + third * third);
{ @TMB_FLOAT_ROUNDING of g s1 s2 s3 r c1 c2 c3 z@ /\ total in [1, 3] /\ t in [0, 1] /\ q in [0, 1]
  ->
  (1 + g) * (1 + off) * squares * (1 - @TMB_KDOP_BOUND_ROUNDING@) * (1 + z) <= 1 }

first -> total * (@TMB_KDOP_THIRD@ * 3 * (1 + c1) - 1) / 3;
rest -> c2 * (total - 1) - first * (1 + c2);
third -> t * c3 + rest * (1 - q / 2) * (1 + c3);
