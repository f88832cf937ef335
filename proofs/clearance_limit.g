# statement: a limit in the local unit of floats is not made smaller by roundings that it takes part in
# place: src/collide/wide/setup.c, local_limit; src/collide/kdop/setup.c; docs/proximity-proofs.md, Clearance
# constant: TMB_SLAB_ROUNDING
# constant: TMB_KDOP_ROUNDING
#
# The scale is a power of two. Two products in double, then at most eight roundings in float.
eight = (1 + d1) * (1 + d2) * (1 + d3) * (1 + d4) * (1 + d5) * (1 + d6) * (1 + d7) * (1 + d8);
{ @TMB_FLOAT_ROUNDING of d1 d2 d3 d4 d5 d6 d7 d8@ /\ @TMB_DOUBLE_ROUNDING of v1 v2@
  ->
  (1 + v1) * (1 + @TMB_SLAB_ROUNDING@) * (1 + v2) * eight >= 1
  /\ (1 + v1) * (1 + @TMB_KDOP_ROUNDING@) * (1 + v2) * eight >= 1 }
