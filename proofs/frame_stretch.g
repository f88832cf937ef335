# statement: the stretch of a map is not smaller than the exact one, and its inverse not larger
# place: src/query/box_frames.c, most_stretch; src/query/local_map.h, tmb_map_stretch; docs/mixed.md
# constant: TMB_STRETCH_ROUNDING
#
# The square of the stretch is at most the sum of three products of rows, which are as long as the scale, taken as 1, to
# 10^-5. Each product is off by three roundings of at most 1.0001, their sum by two more; the root halves that. The
# inverse takes a difference and a quotient.
square = 3 * 1.0001 * ((1 + a) * (1 + b) * (1 + c) - 1) + 1.0001 * ((1 + f) * (1 + g) - 1);
q = 1 + e;
stretch = q * (1 + r) * (1 + @TMB_STRETCH_ROUNDING@) * (1 + s);
least = (1 - @TMB_STRETCH_ROUNDING@) / stretch * (1 + t);
{ |e| <= 0xcp-53 /\ @TMB_DOUBLE_ROUNDING of a b c f g r s t@ -> |square| <= 0xcp-53 /\ stretch - 1 >= 0 /\ least - 1 <= 0 }
