# statement: nothing overflows in the test of triangles in floats
# place: src/prim/triangle_lanes.h, (5)
# limit: TMB_TRIANGLES_MOST_REACH
#
# Components of edges are at most 2 reach, their sizes A and B 6 reach. A volume is the sum of eight triple products of
# at most 2 reach A B; bounds take S <= 18 reach.
{ r in [0, @TMB_TRIANGLES_MOST_REACH@] /\ @TMB_FLOAT_ROUNDING of c@ ->
  8 * (2 * r) * (6 * r) * (6 * r) * (1 + 20 * c) <= 0x1.fffffep127
  /\ @TMB_TRIANGLES_VOLUME_ERROR@ * 2 * @TMB_TRIANGLES_HEIGHT_ERROR@ * r * (18 * r) * (6 * r) <= 0x1.fffffep127 }
