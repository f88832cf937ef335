# statement: a slab computed from those of a node's children encloses them
# place: src/tree/wide/fit.c, reach_along; docs/wide.md, Slabs
# constant: TMB_SLAB_LEVEL_ROUNDING
#
# Any share is valid, as it was rounded. With v = share n' and rest = n - v, neither longer than 1, so |v|1, |rest|1 <=
# 1.7321 times the factors that rounding the share and the lengths leaves: 1.7322. Rounding v and the rest changes the
# direction that is bounded by one rounding of each, times coordinates of at most 1. The products with the slab's and
# the box's sides meet a product and three sums. The bound by the box alone, |n|1 = 1, meets as many; the smaller one is
# at most 1 and the slack is added to it.
direction = 1.7322 * a1 + 1.7322 * a2;
slab = 1.7322 * ((1 + b1) * (1 + b2) * (1 + b3) * (1 + b4) - 1);
box = 1.7322 * ((1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) - 1);
error = direction + slab + box;
reach = (0 + @TMB_SLAB_LEVEL_ROUNDING@) * (1 + d) + 1.001 * d;
{ @TMB_FLOAT_ROUNDING of a1 a2 b1 b2 b3 b4 c1 c2 c3 c4 d@
  ->
  error - reach <= 0 }
