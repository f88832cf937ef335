# statement: a coordinate in units of the grid, rounded outward, contains the coordinate
# place: src/tree/boxtree/grid.h, tmb_grid_below and tmb_grid_above; docs/boxtree.md, The grid
# constant: TMB_GRID_GUARD
#
# z is the exact distance from the lower corner in units; its difference in doubles and the sum with the guard are
# rounded. Rounding to integers then goes outward.
@rnd = float<ieee_64, ne>;
units = rnd(z);
{ z in [0, 0x40000002] ->
  rnd(units - @TMB_GRID_GUARD@) - z <= 0 /\ rnd(units + @TMB_GRID_GUARD@) - z >= 0 }
rnd(units - @TMB_GRID_GUARD@) - z ->
    (rnd(units - @TMB_GRID_GUARD@) - (units - @TMB_GRID_GUARD@)) + (units - z) - @TMB_GRID_GUARD@;
rnd(units + @TMB_GRID_GUARD@) - z ->
    (rnd(units + @TMB_GRID_GUARD@) - (units + @TMB_GRID_GUARD@)) + (units - z) + @TMB_GRID_GUARD@;
