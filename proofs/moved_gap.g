# statement: a gap of the moved box of at most the limit is too large by at most two roundings of the limit
# place: src/collide/collide.c, enlarge_moved_box and is_far_from_moved_box
# limit: TMB_DOUBLE_ROUNDING
{ g in [0, 1] /\ @TMB_DOUBLE_ROUNDING of a b@ -> ((g - 1) * (1 + a) + 1) * (1 + b) - g <= 0x2.001p-53 }
((g - 1) * (1 + a) + 1) * (1 + b) - g -> (g - 1) * a * (1 + b) + g * b;
