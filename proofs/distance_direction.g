# statement: squared lengths of directions in doubles keep their digits, and what is computed from them does not overflow
# place: src/prim/triangle_distance.c, lower_bound, is_beyond_plane; distance_gap and distance_beyond_plane use this
# constant: TMB_DIRECTION_LEAST_SQUARE
# limit: TMB_DIRECTION_MOST_SQUARE
#
# Three products lose 2^-1075 each. The product of the direction with a difference has three terms.
{ 3 * 0x1p-1075 / @TMB_DIRECTION_LEAST_SQUARE@ <= 0x1p-170
  /\ 3 * (sqrt(@TMB_DIRECTION_MOST_SQUARE@) * @TMB_DISTANCE_MOST_RANGE@) * 1.01 <= 0x1p1023 }
