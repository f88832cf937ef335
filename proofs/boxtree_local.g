# statement: a side on the grid of a boxtree, as a float of the local frame, lies outside of the exact one
# place: src/device/opencl/kernels/boxtree.cl, store_grid_node; docs/device.md, Why no pair is lost
# constant: TMB_GRID_LOCAL_ROUNDING
#
# z is the exact distance of the side from the grid's origin in the local unit, a power of two times an integer, which
# becomes a float; o is where the origin is, computed in doubles, off by at most 2^-52. Local coordinates are at most a
# little larger than 1. The float that is added differs by the constant, and that difference is rounded too.
@rnd = float<ieee_32, ne>;
origin = rnd(p);
lower = rnd(rnd(z) + rnd(origin - @TMB_GRID_LOCAL_ROUNDING@));
upper = rnd(rnd(z) + rnd(origin + @TMB_GRID_LOCAL_ROUNDING@));
{ z in [0, 2.01] /\ p in [-1.01, 0.01] /\ p - o in [-0x1p-52, 0x1p-52] ->
  lower - (z + o) <= 0 /\ upper - (z + o) >= 0 }
lower - (z + o) -> (lower - (rnd(z) + rnd(origin - @TMB_GRID_LOCAL_ROUNDING@))) + (rnd(z) - z) +
    (rnd(origin - @TMB_GRID_LOCAL_ROUNDING@) - (origin - @TMB_GRID_LOCAL_ROUNDING@)) + (origin - p) + (p - o) -
    @TMB_GRID_LOCAL_ROUNDING@;
upper - (z + o) -> (upper - (rnd(z) + rnd(origin + @TMB_GRID_LOCAL_ROUNDING@))) + (rnd(z) - z) +
    (rnd(origin + @TMB_GRID_LOCAL_ROUNDING@) - (origin + @TMB_GRID_LOCAL_ROUNDING@)) + (origin - p) + (p - o) +
    @TMB_GRID_LOCAL_ROUNDING@;
