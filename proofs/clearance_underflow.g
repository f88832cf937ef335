# statement: squares of gaps that underflow stay below the limit's
# place: src/collide/special_kernel.c, near_slots; src/collide/rtree/setup.c, set_limit; docs/proximity-proofs.md, Clearance
# constant: TMB_SQUARE_UNDERFLOW
#
# Three squares gain at most 2^-150 each, the limit's square loses as much, and less in double.
{ @TMB_SQUARE_UNDERFLOW@ * (1 - @TMB_FLOAT_ROUNDING@) - 4 * 0x1p-150 - 0x1p-1074 >= 0 }
