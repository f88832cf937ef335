# statement: corners seen from a ray of a packet are off by half of the slack
# place: src/ray/packet_kernel.c, see_corner; src/ray/packet.c, set_frame; docs/single.md, Why no hit is missed
# constant: TMB_RAY_BOX_SLACK
#
# X and Z: a corner from the start, across and in depth; s: the slope of the ray, A: where it is at depth 0, with what
# doubles lose (e). The start is exact, and the scale is a power of two: a corner is rounded once, and so are the slope
# and A; then come a product and two differences.
x = X * (1 + a);
z = Z * (1 + b);
product = s * (1 + h) * z * (1 + m);
off = ((x - product) * (1 + d1) - (A + e) * (1 + g)) * (1 + d2) - (X - s * Z - A);
half = 0.5 * @TMB_RAY_BOX_SLACK@;
{ |X| <= 4.3 /\ |Z| <= 2.2 /\ |s| <= 1 /\ |A| <= 0.51 /\ |e| <= 0x1p-30
  /\ @TMB_FLOAT_ROUNDING of a b h m d1 g d2@
  -> off - half <= 0 }
off -> X * ((1 + a) * (1 + d1) * (1 + d2) - 1)
    - s * Z * ((1 + h) * (1 + b) * (1 + m) * (1 + d1) * (1 + d2) - 1)
    - A * ((1 + g) * (1 + d2) - 1) - e * (1 + g) * (1 + d2);
