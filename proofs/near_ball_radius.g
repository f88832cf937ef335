# statement: a ball around a box holds it
# place: src/near/boxes/leaf.c, ball_around
# constant: TMB_BALL_RADIUS_ROUNDING
# constant: TMB_BALL_LEAST_MARGIN
#
# Half a side is a difference, divided by the largest one; three squares are summed up; a root and two products follow,
# and a sum with the margin. Where these underflow, they lose a few times the least double; quotients that do, nothing.
radius = (1 + h) * (1 + q) * sqrt((1 + s1) * (1 + s2) * (1 + s3)) * (1 + r) * (1 + p1);
{ @TMB_DOUBLE_ROUNDING of h q s1 s2 s3 r p1 p2 a@
  ->
  radius * (1 + @TMB_BALL_RADIUS_ROUNDING@) * (1 + p2) * (1 + a) >= 1
  /\ @TMB_BALL_LEAST_MARGIN@ * (1 + a) - 8 * @TMB_DOUBLE_LEAST@ >= 0 }
