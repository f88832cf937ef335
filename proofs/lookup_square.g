# statement: a point that is long is found so, as its squared distance is off by less than the margin
# place: src/tree/kdop/lookup.c, fill_lanes; docs/kdop.md, Lookup
# constant: TMB_LOOKUP_SQUARE_MARGIN
#
# A term of the squared distance meets two differences, a product and two sums; the limit, in doubles, becomes a float.
square = (1 + a) * (1 + a) * (1 + b) * (1 + c) * (1 + d);
limit = (1 - @TMB_LOOKUP_SQUARE_MARGIN@) * (1 + e) * (1 + f);
{ @TMB_FLOAT_ROUNDING of a b c d e@ /\ |f| <= 0x1p-50 -> limit - square <= 0 }
