# statement: the height of a line over a place, in doubles, is off by less than its error
# place: src/relate/cells.c, height_of
# constant: TMB_SHARE_ROUNDING
# constant: TMB_HEIGHT_ROUNDING
# constant: TMB_CELL_UNDERFLOW
#
# The share of the place along the line, in units of |near| / length + |share|: v is that of the first. The place is off
# by its rounding, then difference, length and quotient are rounded. The height, in units of |p| + |q|: the rise times
# the share, at most 1, passes its difference, a product and a sum, p the sum. The share's error counts with twice the
# rise.
share_error = v * p * (1 + a) * (1 + b) / (1 + c) + (1 - v) * ((1 + a) * (1 + b) / (1 + c) - 1);
height_error = (1 + d) * (1 + e) * (1 + f) - 1;
M = (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4) * (1 + m5);
{ v in [0, 1] /\ @TMB_QUOTIENT_ROUNDING of p@ /\ @TMB_DOUBLE_ROUNDING of a b c d e f m1 m2 m3 m4 m5@ /\ |l| <= 0x1p-1050
  ->
  share_error - @TMB_SHARE_ROUNDING@ * M <= 0 /\ height_error - @TMB_HEIGHT_ROUNDING@ * M <= 0
  /\ (1 + d) * (1 + e) * (1 + f) - 2 * M <= 0
  /\ 4 * l - @TMB_CELL_UNDERFLOW@ <= 0 }
