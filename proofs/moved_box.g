# statement: a triangle that is found far from the moved box is farther than the limit
# place: src/collide/collide.c, is_far_from_moved_box
# constant: TMB_MOVED_BOX_ROUNDING
# constant: TMB_MOVED_BOX_UNDERFLOW
#
# The limit is scaled to 1. Bounds are rounded outward, so a gap g of at most 1 is computed as at most
# rnd(rnd(g - 1) + 1): off by d
# (moved_gap). The squares of three gaps sum to at most 1, the gaps to 1.7321. Products and sums are rounded,
# and each square may underflow (l).
square = (S + 2 * d * T + 3 * d * d) * (1 + a) * (1 + b) * (1 + c);
most = (1 + @TMB_MOVED_BOX_ROUNDING@) * (1 + f) * (1 + g) * (1 + h);
{ S in [0, 1] /\ T in [0, 1.7321] /\ d in [0, 0x2.001p-53] /\ |l| <= 0x1p-1075 /\ @TMB_DOUBLE_ROUNDING of a b c f g h@
  ->
  square - most <= 0 /\ 4 * l - @TMB_MOVED_BOX_UNDERFLOW@ <= 0 }
