# statement: a triangle whose bounds are farther from a point by a part has a larger rounded distance
# place: src/point/nearest.c, comes_before, note_measured; src/point/cluster_kernel.c
# constant: TMB_POINT_ORDER
#
# In units of the nearer one's upper bound, which the margin is multiplied with, rounded: `farther` is a lower bound above
# it. Rounded distances are right to 10 u, in pairs of doubles, or to 4 u, in integers.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
farther = rnd(1 + @TMB_POINT_ORDER@) * (1 + m);
{ @TMB_DOUBLE_ROUNDING of m@ /\ |a| <= 0x1.4p-50 /\ |b| <= 0x1.4p-50
  ->
  farther * (1 + b) - (1 + a) >= 0 }
