# statement: the distance of 12-DOPs by their three largest gaps is a lower bound
# place: src/near/kdop/kernel.c, square_of_faces; docs/proximity-proofs.md, Distances through k-DOP trees
# constant: TMB_KDOP_BOUND_ROUNDING
#
# In units of the largest gap, which is at most |v|. Gaps have a difference, a length and a product. `second` and
# `third` are what is left to the other two when all cosines are c = 1 / sqrt(5), as the constants in floats approximate
# it.
c = 1 / sqrt(5);
k = sqrt(5) / 2;
d = (1 - c) / 2;
l = sqrt(10 / (5 + sqrt(5)));
cc = @TMB_KDOP_COSINE@ * (1 + a1);
kk = (1 + a2) * @TMB_KDOP_SECOND@ * (1 + a3);
dd = @TMB_KDOP_SECOND_COSINE@ * (1 + b1);
ll = (1 + b2) * @TMB_KDOP_LAST@ * (1 + b3);
h = (g1 - c) * k;
second = (g1 - cc) * kk - h;
third = ((g2 - cc) * (1 + a4) - (h + second) * dd) * ll - (g2 - c - h * d) * l;
gap = (1 + e1) * (@TMB_KDOP_FACE@ * sqrt((5 + sqrt(5)) / 2)) * (1 + e2);
squares = sqrt((1 + s1) * (1 + s2) * (1 + s3)) * (1 + r);
{ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 b1 b2 b3 s1 s2 s3 r e1 e2 z@ /\ g1 in [0.4472, 1] /\ g2 in [0.4472, 1]
  ->
  gap * (1 + sqrt(second * second + third * third)) * squares * (1 - @TMB_KDOP_BOUND_ROUNDING@) * (1 + z) <= 1 }

second -> (g1 - c) * (kk - k) - (cc - c) * kk { sqrt(5) <> 0 };
third -> (g2 - c) * ((1 + a4) * ll - l) - (cc - c) * ((1 + a4) * ll) - h * (dd * ll - d * l) - second * (dd * ll) { sqrt(5) <> 0 };
