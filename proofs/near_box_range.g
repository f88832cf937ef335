# statement: squares of distances of boxes keep their digits where they are used
# place: src/query/box_frames.c, tmb_box_distances; near_box_distance uses this
# constant: TMB_BOX_DISTANCE_LEAST_SQUARE
# limit: TMB_BOX_DISTANCE_MOST_SQUARE
#
# Three products lose or gain 2^-1075 each. No sum of theirs below the largest one has overflowed.
{ 3 * 0x1p-1075 / @TMB_BOX_DISTANCE_LEAST_SQUARE@ <= 0x1p-100 /\ @TMB_BOX_DISTANCE_MOST_SQUARE@ * 1.01 <= 0x1p1023 }
