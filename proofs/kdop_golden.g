# statement: an integer bound of a 12-DOP is not smaller than the exact one
# place: src/tree/kdop/polytope.c, choose_bounds
# constant: TMB_KDOP_GOLDEN_GUARD
#
# Bounds are less than 2^39, the centre an integer whose coordinates are less than 2^41 (2^39 (1 + g), and one). The
# directions' g is off by 2^-54.
@rnd = float<ieee_64, ne>;
g = 0x1.9e3779b97f4a8p+0;
shift = rnd(y + rnd(g * z));
exact = b - (y + (g + d) * z);
guarded = rnd(rnd(b - shift) + @TMB_KDOP_GOLDEN_GUARD@);
{ |b| <= 0x1p39 /\ |y| <= 0x1p41 /\ |z| <= 0x1p41 /\ |d| <= 0x1p-54
  ->
  guarded - exact >= 0 }
guarded - exact -> (guarded - (rnd(b - shift) + @TMB_KDOP_GOLDEN_GUARD@)) + (rnd(b - shift) - (b - shift))
    - (shift - (y + rnd(g * z))) - (rnd(g * z) - g * z) + d * z + @TMB_KDOP_GOLDEN_GUARD@;
