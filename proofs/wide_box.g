# statement: a point in a box of B is within the box that a query moves into A's frame, and the other way round
# place: src/collide/wide/decode.h, move_boxes; nodes.cl, decode_box; docs/wide.md, Boxes in the other frame
# constant: TMB_BOX_ROUNDING
#
# Along one axis, a term of the moved point is m (C + th H + n): C and H are centre and half side of the box, n what
# made the local point a float. The box is at most 1.008 from 0. Computed, C meets seven roundings: its own, the map's
# entry, product, three sums, and the difference with the half side; H meets as many. The terms' sizes |m| and the
# shift's, which meets three, sum to the reach r. A's own local points are off by n2 of 1: so of 1 + r the larger of
# both is needed.
F = (1 + f1) * (1 + e) * (1 + f2) * (1 + f3) * (1 + f4) * (1 + f5) * (1 + l);
G = (1 + g1) * (1 + e) * (1 + g2) * (1 + g3) * (1 + g4) * (1 + g5) * (1 + l);
C = 1.008 * c * w;
H = 1.008 * (1 - w);
term = C * (F - 1) + th * H * (G - 1) + n;
shift = (1 + s1) * (1 + s2) * (1 + l) - 1;
slack = @TMB_BOX_ROUNDING@ * (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4) * (1 + k5);
{ w in [0, 1] /\ |c| <= 1 /\ |th| <= 1 /\ |n| <= 0x1p-25 /\ |n2| <= 0x1p-25
  /\ @TMB_FLOAT_ROUNDING of f1 f2 f3 f4 f5 g1 g2 g3 g4 g5 e l s1 s2 k1 k2 k3 k4 k5@
  ->
  term - slack <= 0 /\ shift - slack <= 0 /\ n2 - slack <= 0 }
$ w in 32;
