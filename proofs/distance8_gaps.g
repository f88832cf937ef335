# statement: the gap of two triangles along a direction, in floats, less its slack is at most their distance
# place: src/prim/triangle_distance_lanes.h, (2)
# constant: TMB_DISTANCE8_GAPS
#
# In units of the size S. Along n the floats are apart by g <= S. A term of the products of n with differences of
# corners has four roundings, so both ends together are off by `ends` |n| S. Their difference, the length of n, its
# inverse and a product follow, then the slack is subtracted. Products that underflow take at most 3 * 2^-126 from the
# square of a length, which is at least 2^-100, even where denormal numbers are flushed to 0.
u = @TMB_FLOAT_ROUNDING@;
slack = @TMB_DISTANCE8_GAPS@ * u * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7);
ends = (1 + t1) * (1 + t2) * (1 + t3) * (1 + t4) - 1;
length = sqrt((1 + q1) * (1 + q2) * (1 + q3) + lost) * (1 + q4);
factor = (1 + g1) * ((1 + g2) / length) * (1 + g3);
gap = (g + ends) * factor;
{ @TMB_FLOAT_ROUNDING of s1 s2 s3 s4 s5 s6 s7 t1 t2 t3 t4 q1 q2 q3 q4 g1 g2 g3 r@ /\ |lost| <= 3b-26 /\ g in [0, 1]
  ->
  slack - (gap - g / (1 + r)) >= 0 }

slack - (gap - g / (1 + r)) -> slack - ends * factor - g * (factor - 1 / (1 + r)) { 1 + r <> 0 };
