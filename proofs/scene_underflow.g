# statement: what underflow takes from a moved coordinate of B, or from a box, is less than the boxes allow for
# place: src/scene/extents.c, tmb_extents_lost; src/scene/models.c, tmb_scene_note_reach
# constant: TMB_SCENE_BOX_UNDERFLOW
#
# Each entry of the relative pose is a sum of three products, each of which may be off by v, and so are the shift and the
# point's three products. No coordinate of B is larger than R, or 2 R where that is the largest power of two. A box loses
# three products of its reach and three of its padding.
#
# R is at least 1 here; for a smaller one, 1 stands in the sum 1 + R.
moved = 3 * 3 * v * 2 + 3 * v + 3 * v;
{ |v| <= 0x1p-1075 /\ @TMB_DOUBLE_ROUNDING of a b@
  ->
  moved - @TMB_SCENE_BOX_UNDERFLOW@ * (1 + a) * (1 + b) <= 0 /\ 6 * v - @TMB_SCENE_BOX_UNDERFLOW@ <= 0 }
