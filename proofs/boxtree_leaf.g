# statement: the distance of a corner from a side of its leaf's box, in units of the grid, is never computed as larger
# place: src/collide/boxtree/kernel.c, walk_distances; docs/boxtree.md, Why no pair is lost
# constant: TMB_GRID_GUARD
#
# z is the exact distance from the lower corner of the root box, s that of the side, an integer; both differences are
# rounded, and two guards are taken off.
@rnd = float<ieee_64, ne>;
units = rnd(z);
above = rnd(rnd(units - s) - 2 * @TMB_GRID_GUARD@);
below = rnd(rnd(s - units) - 2 * @TMB_GRID_GUARD@);
{ z in [0, 0x40000002] /\ s in [0, 0x40000002] -> above - (z - s) <= 0 /\ below - (s - z) <= 0 }
above - (z - s) -> (above - (rnd(units - s) - 2 * @TMB_GRID_GUARD@)) + (rnd(units - s) - (units - s)) + (units - z)
    - 2 * @TMB_GRID_GUARD@;
below - (s - z) -> (below - (rnd(s - units) - 2 * @TMB_GRID_GUARD@)) + (rnd(s - units) - (s - units)) - (units - z)
    - 2 * @TMB_GRID_GUARD@;
