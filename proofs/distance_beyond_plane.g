# statement: a triangle that lies beyond the plane of another by more than a limit and its slack is beyond the limit
# place: src/prim/triangle_distance.c, is_beyond_plane
# constant: TMB_BEYOND_PLANE_TERMS
# constant: TMB_BEYOND_PLANE_LENGTH
#
# n is the cross product of two edges, as computed. Its components have two terms, each with four roundings (two
# differences, a product, a difference). A term of n . (b_j - a_0) has four more: difference, product, two sums. The
# other triangle's n . (a_i - a_0) would be 0 but for the four in n. Both are relative to the sum of the sizes of all
# terms, whose computed value has up to eight roundings; the bound has three more. n . n is at least 2^-900.
@rnd = float<ieee_64, ne>;
u = @TMB_DOUBLE_ROUNDING@;
normal = (1 + n1) * (1 + n2) * (1 + n3) * (1 + n4);
height = (1 + x1) * (1 + x2) * (1 + x3) * (1 + x4);
sizes = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + s8);
bound = @TMB_BEYOND_PLANE_TERMS@ * u * sizes * (1 + b1) * (1 + b2) * (1 + b3);
length = sqrt((1 + q1) * (1 + q2) * (1 + q3) + lost) * (1 + q4);
limit = length * (1 + l1) * rnd(1 + @TMB_BEYOND_PLANE_LENGTH@ * u) * (1 + l2) * (1 + b3);
{ @TMB_DOUBLE_ROUNDING of n1 n2 n3 n4 x1 x2 x3 x4 s1 s2 s3 s4 s5 s6 s7 s8 b1 b2 b3 q1 q2 q3 q4 l1 l2@
  /\ |lost| <= 0x1p-170
  ->
  bound - (normal * |height - 1| + |normal - 1|) >= 0 /\ limit >= 1 }
