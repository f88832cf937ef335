# statement: a model reaches no farther along a direction than its extent says
# place: src/scene/extents.c, tmb_extents_of
# constant: TMB_SCENE_EXTENT_ROUNDING
#
# The largest coordinate is 1. A sum of three coordinates is rounded twice, and once more with the slack.
sum = ((p + q) * (1 + a) + r) * (1 + b);
extent = (sum + @TMB_SCENE_EXTENT_ROUNDING@ * (1 + m)) * (1 + c);
{ |p| <= 1 /\ |q| <= 1 /\ |r| <= 1 /\ @TMB_DOUBLE_ROUNDING of a b c m@ -> extent - (p + q + r) >= 0 }
extent - (p + q + r) -> (p + q) * ((1 + a) * (1 + b) * (1 + c) - 1) + r * ((1 + b) * (1 + c) - 1) + @TMB_SCENE_EXTENT_ROUNDING@ * (1 + m) * (1 + c);
