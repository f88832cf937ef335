# statement: the products in the quick check of a pose neither overflow nor underflow
# place: src/math/pose.c, tmb_pose_is_plainly_good
# constant: TMB_POSE_LEAST_SQUARE
# limit: TMB_POSE_MOST_SQUARE
#
# s is the squared scale. Its cube is compared with the squared determinant, which is at most that to 10^-4.
{ s in [@TMB_POSE_LEAST_SQUARE@, @TMB_POSE_MOST_SQUARE@] ->
  0.5 * s * s * s >= 0x1p-1021 /\ 1.01 * s * s * s <= 0x1p1023 }
