# statement: corners seen along a ray are off by half of the slack, across it and along it
# place: src/ray/wide_kernel.c, see_corners; src/ray/wide.c, set_start; docs/single.md, Why no hit is missed
# constant: TMB_RAY_BOX_SLACK
#
# X and Z: a corner from the start, across and along; at most 2.2. The start is off by o: as a float in a model that is
# at most 5.1 from the origin of coordinates. The difference is rounded twice (doubles become floats); the shear sh and
# the inverse of the direction, which is at least 1, are floats.
x = (X + o1) * (1 + a1) * (1 + a2);
z = (Z + o2) * (1 + b1) * (1 + b2);
across = x * (1 + d) - X - sh * (z * (1 + h) * (1 + m) * (1 + d) - Z);
along = z * (1 + h) * (1 + m) - Z;
half = 0.5 * @TMB_RAY_BOX_SLACK@;
{ |X| <= 2.2 /\ |Z| <= 2.2 /\ |sh| <= 1 /\ |o1| <= 0x5.4p-24 /\ |o2| <= 0x5.4p-24
  /\ @TMB_FLOAT_ROUNDING of a1 a2 b1 b2 h m d@
  -> across - half <= 0 /\ along - half <= 0 }
x * (1 + d) - X -> o1 * (1 + a1) * (1 + a2) * (1 + d) + X * ((1 + a1) * (1 + a2) * (1 + d) - 1);
z * (1 + h) * (1 + m) * (1 + d) - Z -> o2 * (1 + b1) * (1 + b2) * (1 + h) * (1 + m) * (1 + d)
    + Z * ((1 + b1) * (1 + b2) * (1 + h) * (1 + m) * (1 + d) - 1);
z * (1 + h) * (1 + m) - Z -> o2 * (1 + b1) * (1 + b2) * (1 + h) * (1 + m)
    + Z * ((1 + b1) * (1 + b2) * (1 + h) * (1 + m) - 1);
