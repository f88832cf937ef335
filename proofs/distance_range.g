# statement: nothing overflows in distances in doubles, and squares of heights are normal down to 2^-52 of the size
# place: src/prim/triangle_distance.c, Range
# limit: TMB_DISTANCE_MOST_RANGE
# constant: TMB_DISTANCE_LEAST_RANGE
#
# Differences of corners are at most `most`, edges twice that, and the largest difference at least `least`. The largest
# number is the square of a height: the product of a difference and the normal of a face, three terms with two products.
# The smallest that counts: of triangles of size `least`, at a height of 2^-52 of it. 1.01 is for all roundings.
most = @TMB_DISTANCE_MOST_RANGE@;
least = @TMB_DISTANCE_LEAST_RANGE@;
normal = 2 * (2 * most) * (2 * most);
height = 3 * (most * normal);
moment = 2 * (2 * most) * normal;
low = least * 0x1p-52 * (least * least);
{ height * height * 1.01 <= 0x1p1023 /\ 3 * (most * moment) * 1.01 <= 0x1p1023 /\ low * low * 0.99 >= 0x1p-1022 }
