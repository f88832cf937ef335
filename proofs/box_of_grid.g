# statement: a box of a boxtree in doubles holds the box on the grid
# place: src/tree/boxtree/boxes.c; src/tree/box_view.c, tmb_box_set_range
# constant: TMB_BOX_SUM_ROUNDING
#
# As in box_of_tree, with 2^31 units taken as 1: numbers of the grid are exact.
of_h = (1 + a) * (1 + b) - 1;
M = (1 + m1) * (1 + m2) * (1 + m3) * (1 + m4);
S = @TMB_BOX_SUM_ROUNDING@;
{ @TMB_DOUBLE_ROUNDING of a b m1 m2 m3 m4@ -> of_h - S * M <= 0 /\ b + S * of_h - S * M <= 0 }
