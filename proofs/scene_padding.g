# statement: the paddings of two boxes cover what a moved point of B is off by, and leave three quarters for roundings
# place: src/scene/extents.c, tmb_extents_world; docs/scenes.md
# constant: TMB_SCENE_BOX_PADDING
#
# The sum of both reaches is 1, that of B is r. If surfaces meet, the translations are at most 1 and the error apart: the
# error e is MOVED (distance + r), so the distance is at most (1 + MOVED r) / (1 - MOVED). The padding is a product, a sum
# with what underflows and another product; the reach has three roundings.
E = @TMB_SCENE_MOVED_ROUNDING@;
distance = (1 + E * r) / (1 - E);
error = E * (distance + r);
padding = @TMB_SCENE_BOX_PADDING@ / 4 * (1 + a) * (1 + b) * (1 + c) * (1 + d) * (1 + e) * (1 + f);
{ r in [0, 1] /\ @TMB_DOUBLE_ROUNDING of a b c d e f@ -> error - padding <= 0 }
