# statement: a height in floats that is larger than its bound has the right sign
# place: src/prim/triangle_lanes.h, (3); src/device/opencl/kernels/geometry.cl, triangles_intersect
# constant: TMB_TRIANGLES_HEIGHT_ERROR
#
# In units of d B S, with b = B / S, W / S = 1 - b and p = d / B. The true height differs from that of the rounded
# vectors by `moved` (changing one vector after the other; components are off by 3 d: triangles_component). N w and N e
# pass five roundings per term, their sum one more; each is at most B B d / u. The bound passes nine roundings. p: a
# computed height is at most B B S, so one above the bound has B > 20 d.
W = (1 - b) + 12 * p * b;
moved = 3 * (1 + 9 * p) * W + 3 * W + 4 * b;
F1 = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) * (1 + a5) * (1 + h) - 1;
F2 = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) * (1 + b5) * (1 + h) - 1;
rounded = b * (F1 / @TMB_FLOAT_ROUNDING@ + F2 / @TMB_FLOAT_ROUNDING@);
G = (1 + g1) * (1 + g2) * (1 + g3) * (1 + g4) * (1 + g5) * (1 + g6) * (1 + g7) * (1 + g8) * (1 + g9);
bound = @TMB_TRIANGLES_HEIGHT_ERROR@ * 0x1p23 * G;
{ b in [0, 1] /\ p in [0, 0.05]
  /\ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 h g1 g2 g3 g4 g5 g6 g7 g8 g9@
  ->
  moved + rounded - 0.99 * bound <= 0 /\ 1.00001 - 0.05 * bound <= 0 }
$ b in 32;
