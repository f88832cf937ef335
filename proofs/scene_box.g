# statement: the box of an object, in doubles, holds it, with what is left of its padding
# place: src/scene/extents.c, tmb_extents_world; src/scene/boxes_kernel.c, make_axis
# constant: TMB_SCENE_BOX_ROUNDING
# limit: TMB_POSE_STRETCH
#
# |translation| + reach + 2 clearance is 1. What an object reaches along an axis is a sum of three products with factors
# that are differences, five roundings of at most its reach: F times that. The padding is less than 2^-39 of the reach and
# the clearance with its stretch; three quarters of 2^-40 of the reach are left for errors that are parts of the reach, the
# slack for the others. Reach and padding are added, then the translation t, then the slack.
of_reach = F * ((1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + b1) * (1 + b2) * (1 + b3) - 1);
of_padding = 0x1p-39 * ((1 + b1) * (1 + b2) * (1 + b3) - 1);
clearance = (1 + @TMB_POSE_STRETCH@) * c;
rest = clearance * ((1 + g1) * (1 + b1) * (1 + b2) * (1 + b3) - 1) + t * ((1 + b2) * (1 + b3) - 1);
slack = @TMB_SCENE_BOX_ROUNDING@ * (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4) * (1 + m5) * (1 + b3);
{ |F| <= 1 /\ c in [0, 0.5] /\ |t| <= 1
  /\ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 a5 b1 b2 b3 g1 m1 m2 m3 m4 m5@
  ->
  |of_reach| + |of_padding| - 0x.cp-40 <= 0 /\ |rest| - slack <= 0 }
