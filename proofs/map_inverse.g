# statement: the inverse of a map between local frames, and a point moved by it, are off by less than the map's rounding
# place: src/query/local_map.h, tmb_map_inverse; src/collide/rtree/setup.c; docs/rtree.md, docs/wide.md
# constant: TMB_MAP_ROUNDING
#
# The map is a rotation to 10^-5, times a scale that is taken as 1. A cofactor C is off by two products and a difference
# of entries, the determinant D, a sum of three products, by 24 roundings. The inverse's entries move a point x and the
# shift s, in units of 1 + reach: |x| <= 1, |s| <= 1.75 along each axis. The rest is what underflows, docs/rtree.md.
cofactor = (p * (1 + a1) - q * (1 + a2)) * (1 + a3);
C = p - q;
G1 = (1 + r1) * (1 + r2) * (1 + r3);
G2 = (1 + r4) * (1 + r2) * (1 + r3);
G3 = (1 + r5) * (1 + r3);
det_error = m1 * (e1 * G1 + C1 * (G1 - 1)) + m2 * (e2 * G2 + C2 * (G2 - 1)) + m3 * (e3 * G3 + C3 * (G3 - 1));
entry_error = (ec * (1 + b1) + C * (b1 - ed)) / (D * (1 + ed));
moved_error = 3 * (entry_error * (x + s) + 1.0001 * (x + s) * ((1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) - 1));
{ |p| <= 1.0001 /\ |q| <= 1.0001 /\ |C| <= 1.0001 /\ D in [0.9999, 1.0001] /\ |ec| <= 0x5p-53 /\ |ed| <= 0x18p-53
  /\ |x| <= 1 /\ |s| <= 1.75 /\ |underflow| <= 0x1p-70
  /\ @TMB_DOUBLE_ROUNDING of a1 a2 a3 b1 c1 c2 c3 c4 r1 r2 r3 r4 r5@
  /\ |m1| <= 1.0001 /\ |m2| <= 1.0001 /\ |m3| <= 1.0001 /\ |C1| <= 1.0001 /\ |C2| <= 1.0001 /\ |C3| <= 1.0001
  /\ |e1| <= 0x5p-53 /\ |e2| <= 0x5p-53 /\ |e3| <= 0x5p-53
  ->
  |cofactor - C| <= 0x5p-53 /\ |det_error| <= 0x17.fp-53 /\ moved_error + underflow - @TMB_MAP_ROUNDING@ <= 0 }
cofactor - C -> p * a1 * (1 + a3) - q * a2 * (1 + a3) + C * a3;
