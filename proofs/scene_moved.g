# statement: a point of B that tumble_collide has moved is, in the frame of the poses, where the poses say, to its share
# place: src/math/pose.c, tumble_pose_relative; src/scene/extents.c; docs/scenes.md
# constant: TMB_SCENE_MOVED_ROUNDING
#
# A's scale is 1: its entries, and those of its inverse, are at most 1.0001, and a row of it sums to at most 1.7323. An
# entry of the inverse is a cofactor C, off by ec, divided by the determinant D, off by ed (map_inverse). It is a factor
# of each term of B's place in A's frame: the terms are rounded by the product and two sums, then by the product with the
# point's coordinate and three sums, those of the shift by the difference of the translations first. Three columns of the
# inverse take part; sums of |B's matrix| |point| along an axis are at most its reach, and the shift is the other part.
entry_error = (ec * (1 + b1) + C * (b1 - ed)) / (D * (1 + ed));
G = (1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) * (1 + c5) * (1 + c6) * (1 + c7);
moved_error = 1.7323 * 3 * (entry_error * G + 1.0001 * (G - 1));
{ |C| <= 1.0001 /\ D in [0.9999, 1.0001] /\ |ec| <= 0x5p-53 /\ |ed| <= 0x18p-53
  /\ @TMB_DOUBLE_ROUNDING of b1 c1 c2 c3 c4 c5 c6 c7@
  ->
  |moved_error| - @TMB_SCENE_MOVED_ROUNDING@ <= 0 }
