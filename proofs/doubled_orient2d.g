# statement: orient2d in pairs of doubles is off by less than its bound
# place: src/math/predicates_2d.c, doubled_determinant
# constant: TMB_ERROR_DOUBLED_2D
#
# The products have high parts of sizes w and 1 - w (their sum is scaled to 1), errors of 8 u^2 and low parts of 3 u of
# these (doubled_product). Their high parts differ by h + l exactly, |l| <= u. The last sum rounds by a factor 1 + z.
low = (l + (w * left_low - (1 - w) * right_low) * (1 + d1)) * (1 + d2);
exact_low = l + (w * left_low - (1 - w) * right_low) - (w * left_error - (1 - w) * right_error);
error = low - exact_low;
bound = @TMB_ERROR_DOUBLED_2D@ * (1 + s) * (1 + t) / (1 + z);
{ w in [0, 1] /\ |left_low| <= 0x3.001p-53 /\ |right_low| <= 0x3.001p-53
  /\ |left_error| <= 0x8.001p-106 /\ |right_error| <= 0x8.001p-106
  /\ @TMB_DOUBLE_ROUNDING of l d1 d2 s t z@
  ->
  |low| <= 0x4.2p-53 /\ |error| <= 0xf.8p-106
  /\ error - bound <= 0 /\ error + bound >= 0 }
error -> l * d2 + (w * left_low - (1 - w) * right_low) * ((1 + d1) * (1 + d2) - 1)
    + (w * left_error - (1 - w) * right_error);
$ w in 32;
