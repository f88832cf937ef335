# statement: a side of a child in steps of its node needs one correction downward, at most two upward
# place: src/tree/wide/fit.c, write_boxes, and fit_kernel.c; docs/wide.md, Boxes contain the float points
# limit: TMB_FLOAT_ROUNDING
#
# e is the exact quotient (side - origin) / scale, at most 255, computed as q: difference, inverse and product are
# rounded. Its integer part i is in (q - 1, q]. A step more or less, times the scale, is rounded again (a) and then
# added to the origin, which keeps order: so it suffices that (i - 1) and (i + 2) steps enclose e.
q = e * (1 + b) * (1 + c) * (1 + d);
{ e in [0, 255] /\ t in [0, 1] /\ @TMB_FLOAT_ROUNDING of a b c d@
  ->
  (q - t - 1) * (1 + a) - e <= 0 /\ (q - t + 2) * (1 + a) - e >= 0 }
(q - t - 1) * (1 + a) - e -> e * ((1 + b) * (1 + c) * (1 + d) * (1 + a) - 1) - (t + 1) * (1 + a);
(q - t + 2) * (1 + a) - e -> e * ((1 + b) * (1 + c) * (1 + d) * (1 + a) - 1) + (2 - t) * (1 + a);
