# statement: a ray of a packet is in the enlarged box of a child, between the packet's sides, where it is in the child
# place: src/ray/packet_kernel.c, pass_children, see_beside and reach_of; docs/single.md, Why no hit is missed
# constant: TMB_RAY_PACKET_SLACK
#
# Across: G and K, the node's origin and steps times the scale, are decoded in floats (e), and points may be outside of
# them (n); P: the start of the packet. A side is at A + s Z; the ray may begin a little before the first depth (f). The
# far sides are the same with other signs. Corners of triangles, one rounded difference, are less far off.
S = @TMB_RAY_PACKET_SLACK@;
plane = ((G - P * (1 + p)) * (1 + r1) + S) * (1 + r2) + K * (1 + k);
side = (A * (1 + g) + s * (1 + h) * Z * (1 + m)) * (1 + d);
excess = side - (A + s * Z) + f + (G + K - P) + e + n - plane * (1 + t);
{ |G| <= 1.01 /\ |P| <= 3.3 /\ K in [0, 2.02] /\ |A| <= 0.51 /\ |s| <= 1 /\ |Z| <= 2.3
  /\ |e| <= 0x3.2p-24 /\ |n| <= 0x1.1p-24 /\ |f| <= 0x8p-24
  /\ @TMB_FLOAT_ROUNDING of p r1 r2 k g h m d t@
  -> excess <= 0 }
excess -> A * ((1 + g) * (1 + d) - 1) + s * Z * ((1 + h) * (1 + m) * (1 + d) - 1) + f + e + n
    - G * ((1 + r1) * (1 + r2) * (1 + t) - 1) + P * ((1 + p) * (1 + r1) * (1 + r2) * (1 + t) - 1)
    - K * ((1 + k) * (1 + t) - 1) - S * (1 + r2) * (1 + t);
