# statement: bounds by the distances of balls' centres hold
# place: src/near/boxes/leaf.c, nearest_to, tmb_boxes_raise_small
# constant: TMB_BALL_DISTANCE_ROUNDING
#
# A sum (the radius twice is exact) and a product must not be too small; a difference and a product, not too large; then
# the least double is subtracted.
{ @TMB_DOUBLE_ROUNDING of s p d@
  ->
  (1 + s) * (1 + @TMB_BALL_DISTANCE_ROUNDING@) * (1 + p) >= 1
  /\ (1 + s) * (1 - @TMB_BALL_DISTANCE_ROUNDING@) * (1 + p) * (1 + d) <= 1 }
