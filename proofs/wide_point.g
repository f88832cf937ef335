# statement: moved corners, the shift of the map and the boxes of whole models in doubles are off by the point error
# place: src/query/local_map.h, tmb_point_error; src/collide/wide/setup.c; docs/wide.md, Doubles
# constant: TMB_POINT_ROUNDING
#
# In units of S, the sum of the sizes of all terms: a term of a moved corner meets a product and three sums; of the
# shift of the map, a moved centre minus a centre, as many; the centre of each model, half a sum, two. S is a sum of
# three products and two more, each rounded, times two factors.
corner = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) - 1;
shift = (1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) - 1;
centres = (1 + c1) * (1 + c2) - 1 + (1 + d1) * (1 + d2) - 1;
S = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 d1 d2 s1 s2 s3 s4 s5 s6 s7@
  ->
  corner + shift + centres - @TMB_POINT_ROUNDING@ * S <= 0 }
