# statement: the squared tangent of a point's angle, in floats, is off by less than its margin inside the widest cone
# place: src/tree/kdop/lookup_kernel.c, look; src/tree/kdop/lookup.c, lane_word; docs/kdop.md, Lookup
# constant: TMB_LOOKUP_TANGENT_MARGIN
#
# The point is 1 from the centre, s = the square of its height, from 1/3 on (the covering angle of k = 6). Heights are
# off by 5 roundings, so by g relative to themselves; squared distances by e. The tangent is compared with the edge of
# the cone, at most 2.001, which became a float and is multiplied (m, n).
F = (1 + e) / ((1 + g) * (1 + g) * (1 + a));
computed = (F / s - 1) * (1 + b) * (1 + c);
tangent = 1 / s - 1;
error = computed - tangent;
{ s in [0.3333, 1] /\ |e| <= 0x5.001p-24 /\ |g| <= 0x8.ap-24 /\ @TMB_FLOAT_ROUNDING of a b c m n@
  ->
  error + @TMB_LOOKUP_TANGENT_MARGIN@ >= 0
  /\ error - @TMB_LOOKUP_TANGENT_MARGIN@ + 2.001 * ((1 + m) * (1 + n) - 1) <= 0 }
error -> (F - 1) / s * (1 + b) * (1 + c) + tangent * ((1 + b) * (1 + c) - 1) { s <> 0 };
