# statement: the volume of two edges in floats that is larger than its bound has the right sign
# place: src/prim/triangle_lanes.h, (4); src/device/opencl/kernels/geometry.cl, meet_on_line
# constant: TMB_TRIANGLES_VOLUME_ERROR
#
# In units of d (A + B) S, with s = A / (A + B), t = (A + B) / S and v = d / (A + B). All heights are decided, so A and
# B are larger than 20 d and v is at most 1/40. The true volume differs from that of the rounded vectors by `moved`;
# rounding adds 65 d A B (triangles_volumes_rounded). The bounds of both heights pass nine roundings each, their sum two
# more.
moved = 4 * (2 * (1 - s) + 12 * v) * (1 + 15 * v * t) + 8 * s * (1 + 15 * v * t) + 20 * s * (1 - s) * t;
rounded = 65.01 * s * (1 - s) * t;
G = (1 + g1) * (1 + g2) * (1 + g3) * (1 + g4) * (1 + g5) * (1 + g6) * (1 + g7) * (1 + g8) * (1 + g9)
    * (1 + g10) * (1 + g11);
bound = @TMB_TRIANGLES_VOLUME_ERROR@ * @TMB_TRIANGLES_HEIGHT_ERROR@ * 0x1p23 * G;
{ s in [0, 1] /\ t in [0, 1] /\ v in [0, 0.025] /\ @TMB_FLOAT_ROUNDING of g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11@
  ->
  moved + rounded - 0.99 * bound <= 0 }
$ s in 32;
