# statement: a box of a wide, k-DOP or R-tree in doubles holds the points that the node's floats stand for
# place: src/tree/box_view.c, tmb_box_set_local and tmb_box_set_range; boxes.c of the trees
# constant: TMB_BOX_SUM_ROUNDING
# constant: TMB_BOX_OF_WIDE_ROUNDING
# constant: TMB_BOX_OF_RTREE_ROUNDING
# constant: TMB_BOX_OF_KDOP_ROUNDING
#
# Half a coordinate is h + l: h half the centre, l a local coordinate times the unit, which is a power of two and taken
# as 1. What h needs is a part of |h|, what l needs a part of 1. The margin is subtracted from h, then l is added. A
# point's local coordinate is off by the difference (e), in wide nodes also by rounding to nearest (n); frames of edited
# models have room for 4. Bounds of 12-DOPs are sums of two, up to 5.3, divided by 2 or more. Margins pass four
# roundings.
of_h = (1 + a) * (1 + b) - 1;
of_l = 4.1 * b + 4.1 * e;
of_12 = 2.7 * ((1 + f) * (1 + g) - 1);
M = (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4);
S = @TMB_BOX_SUM_ROUNDING@;
wide = @TMB_BOX_OF_WIDE_ROUNDING@ + S;
rtree = @TMB_BOX_OF_RTREE_ROUNDING@ + S;
kdop = @TMB_BOX_OF_KDOP_ROUNDING@ + S;
{ @TMB_DOUBLE_ROUNDING of a b e f g m1 m2 m3 m4@ /\ |n| <= 0x1p-25
  ->
  of_h - S * M <= 0
  /\ of_l + n + wide * of_h - wide * M <= 0
  /\ of_l + rtree * of_h - rtree * M <= 0
  /\ of_l + of_12 + kdop * of_h - kdop * M <= 0 }
