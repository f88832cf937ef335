# statement: in the scene's frame, before it is rounded outward to a float, a side of a box is not inside of it
# place: src/scene/extents.c, tmb_extents_box; src/scene/boxes_kernel.c, make_axis
# constant: TMB_SCENE_BOX_ROUNDING
# constant: TMB_SCENE_BOX_LEAST
#
# The sum of the side x and the origin o, both as sizes, is 1, and so is the scale, a power of two. What underflows in a
# product with it is v. The slack is a sum and products; side and slack are added.
side = (x - o) * (1 + a) * (1 + b);
slack = @TMB_SCENE_BOX_ROUNDING@ * (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4) * (1 + b);
least = @TMB_SCENE_BOX_LEAST@ * (1 + m4) * (1 + b);
{ |x - o| <= 1 /\ |v| <= 0x1p-1074 /\ @TMB_DOUBLE_ROUNDING of a b m1 m2 m3 m4@
  ->
  |side - (x - o)| - slack <= 0 /\ 2 * v - least <= 0 }
side - (x - o) -> (x - o) * ((1 + a) * (1 + b) - 1);
