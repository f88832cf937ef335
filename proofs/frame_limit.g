# statement: the limit that gaps in B's frame are compared with is not smaller than slack + limit |S|
# place: src/collide/boxes/setup.c; docs/mixed.md, B's frame
# constant: TMB_FRAME_ROUNDING
#
# t is the share of the quotient in the sum.
computed = (t * (1 + a) + (1 - t)) * (1 + b) * (1 + @TMB_FRAME_ROUNDING@) * (1 + c) * (1 + d);
{ t in [0, 1] /\ @TMB_DOUBLE_ROUNDING of a b c d@ -> computed - 1 >= 0 }
computed -> (1 + t * a) * (1 + b) * (1 + @TMB_FRAME_ROUNDING@) * (1 + c) * (1 + d);
