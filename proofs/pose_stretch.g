# statement: lengths in the frame of the poses, along an axis of a model, and the squares of these axes are those of its scale to the stretch
# place: src/scene/extents.c, tmb_extents_world; src/scene/apart.c; src/query/apart_kernel.c
# constant: TMB_POSE_STRETCH
#
# Columns of a pose have the mean scale g to t, and products of two columns are at most t g^2. The largest stretch is at
# most the root of the largest square and two products (Gershgorin); a limit has been divided by the root of the mean
# square. It is compared by squares. Clearances have a few roundings, and what a moved point is off by (scene_moved).
# Along an axis, a model's box reaches as far as the square of another column says, times its half side, to the stretch,
# and products of columns add less than that of the other half sides.
t = @TMB_POSE_TOLERANCE@ * 1.0001;
S = @TMB_POSE_STRETCH@ * (1 + a) * (1 + b) * (1 + c) - 0x1p-42;
{ @TMB_DOUBLE_ROUNDING of a b c@
  ->
  (1 + t) * (1 + t) + 2 * t - (1 + S) * (1 + S) * (1 - t) * (1 - t) <= 0
  /\ (1 + t) * (1 + t) - (1 + S) * (1 - t) * (1 - t) <= 0
  /\ t - S * (1 - t) * (1 - t) <= 0 }
