# statement: tripled point errors cover moved corners and the shift of the map along the directions of k-DOPs
# place: src/collide/kdop/setup.c, tmb_kdop_set_up; docs/kdop.md, Doubles
# constant: TMB_POINT_ROUNDING
#
# In units of S, along a direction whose components sum to at most 3: a moved corner and the shift meet four roundings
# each.
corner = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) - 1;
shift = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) - 1;
S = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + s8) * (1 + s9);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 b1 b2 b3 b4 s1 s2 s3 s4 s5 s6 s7 s8 s9@
  ->
  3 * (corner + shift) - 3 * @TMB_POINT_ROUNDING@ * S <= 0 }
