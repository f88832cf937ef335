# statement: what underflows in a box in doubles, or in the limit of B's frame, is less than the least margin
# place: src/tree/box_view.c, tmb_box_set_origin; src/collide/boxes/setup.c; docs/mixed.md, B's frame
# constant: TMB_BOX_LEAST_MARGIN
#
# Half of the origin, a product with the unit and one with the rest, the margin's three products: half of the least
# double each. A limit in B's frame: a quotient and a product.
{ |l| <= 0x1p-1075 /\ @TMB_DOUBLE_ROUNDING of a b@ -> 6 * l - @TMB_BOX_LEAST_MARGIN@ * (1 + a) * (1 + b) <= 0 }
