# statement: the length of a line between centres keeps its digits
# place: src/collide/wide/bounds.h, centre_distance; near_wide_lines uses this
# constant: TMB_LINE_LEAST_SQUARE
#
# Added to the square are FLT_MIN, so that it is not 0, and what three products lose or gain by underflow.
{ (0x1p-126 + 3 * 0x1p-150) / @TMB_LINE_LEAST_SQUARE@ <= 0x1p-45 }
