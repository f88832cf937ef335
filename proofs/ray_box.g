# statement: a ray is in the enlarged box of a child, as it is decoded, where it is in the child
# place: src/ray/wide_kernel.c, pass_children; src/ray/wide.c; docs/single.md, Why no hit is missed
# constant: TMB_RAY_BOX_SLACK
#
# Along an axis on which the direction d is positive, in positions: the parameter of the near plane, times d, less what
# it may be. G: the node's origin, K: steps times the scale, O: the start; o: what the start is off by as a float, the
# direction's least size included; S: the slack. The planes are decoded in floats when boxes are made (e), and points
# may be outside of them (n). The inverse i is a rounded quotient; then come the difference r with the slack, the
# difference, products and the sum. The far plane and negative directions are the same with other signs.
A = (1 + a1) * (1 + a2) * (1 + i1) * (1 + i2) * (1 + s);
B = (1 + b1) * (1 + b2) * (1 + i1) * (1 + i2) * (1 + s);
S = @TMB_RAY_BOX_SLACK@;
excess = G * (A - 1) + K * (B - 1) - O * (A * (1 + r) - 1) - (o + S) * (1 + r) * A + e + n;
{ |G| <= 1.01 /\ K in [0, 2.02] /\ |O| <= 1.07 /\ |o| <= 0x1.2p-24 /\ |e| <= 0x3.2p-24 /\ |n| <= 0x1.1p-24
  /\ @TMB_FLOAT_ROUNDING of a1 a2 b1 b2 i1 i2 s r@
  -> excess <= 0 }
