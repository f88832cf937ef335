# statement: where A is the probe of R-trees, doubled point errors cover moved corners in B's frame
# place: src/collide/rtree/setup.c, slack_b; docs/rtree.md, A is the probe
# constant: TMB_POINT_ROUNDING
#
# In units of S: a moved corner meets six roundings, the shift of the map seven. The inverse makes at most the square
# root of 3 of an error of that size along each axis; the pose may be off a rotation by 10^-5.
corner = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + a6) - 1;
shift = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) * (1 + b5) * (1 + b6) * (1 + b7) - 1;
S = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + s8) * (1 + s9);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 a5 a6 b1 b2 b3 b4 b5 b6 b7 s1 s2 s3 s4 s5 s6 s7 s8 s9@
  ->
  1.7322 * (corner + shift) - 2 * @TMB_POINT_ROUNDING@ * S <= 0 }
