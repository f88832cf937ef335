# statement: a corner that is found behind another one along a direction is so
# place: src/prim/triangle_distance.c, is_behind
# constant: TMB_BEHIND_TERMS
#
# n . (p - q) is the sum of three products. A computed one, of size 1, passes two sums; exactly, it lacks the roundings of
# the difference, of the component of n, and of the product. What is added for it goes through the same sums and a
# product: it is larger than the difference of the two, for each term and so for their sum. A sum has the sign of what is
# rounded.
u = @TMB_DOUBLE_ROUNDING@;
computed = (1 + s1) * (1 + s2);
exact = (1 + c) / ((1 + w) * (1 + p));
added = @TMB_BEHIND_TERMS@ * u * (1 + t1) * (1 + t2) * (1 + t3);
{ @TMB_DOUBLE_ROUNDING of s1 s2 c w p t1 t2 t3@ -> added - |computed - exact| >= 0 }
