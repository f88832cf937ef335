# statement: gaps and points in pairs of doubles are off by less than this, for triangles of size 1
# place: src/prim/triangle_distance_precise.c
# constant: TMB_PRECISE_ERROR
#
# A sum of pairs is off by 4 u^2 (|a| + |b|), a product by 8 u^2 |a b| (Joldes, Muller, Popescu). Differences are exact;
# components of those between the triangles are at most 1, of edges at most 2. A gap, over |n|: the products of n with
# vectors of length sqrt(3) and 2 sqrt(3), and their difference. A component of v = (w + t F) - s E: products of at most
# 2, sums of at most 3 and 5; in a face, s + t may exceed 1 by what 1 - s is off by, 8 u^2, times an edge.
v = @TMB_DOUBLE_ROUNDING@ * @TMB_DOUBLE_ROUNDING@;
term = (1 + 8 * v) * (1 + 4 * v) * (1 + 4 * v) - 1;
gap = sqrt(3) * 3 * (term + 4 * v * (1 + term));
first = 8 * v * 2 + 4 * v * (3 + 16 * v);
component = first + 8 * v * 2 + 4 * v * (5 + 2 * first + 16 * v);
points = sqrt(3) * component + 8 * v * (2 * sqrt(3));
{ @TMB_PRECISE_ERROR@ - gap >= 0 /\ @TMB_PRECISE_ERROR@ - points >= 0 }
