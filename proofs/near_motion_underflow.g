# statement: the motion of a point of B is not underestimated: products that underflow
# place: src/near/front.c, motion_of; docs/proximity-proofs.md, Coherence
# constant: TMB_MOTION_LEAST_MARGIN
#
# Each is off by half a least double. Points: three at each of two poses in three coordinates, sqrt(3) * 6 in length.
# The centre's motion: half of sqrt(3) * 3. The norm times the sides, the half, and the size times its rounding: 4.
{ |l| <= 0x1p-1075 /\ @TMB_DOUBLE_ROUNDING of a b@
  -> (0x1.bcp0 * 7.5 + 4) * l - @TMB_MOTION_LEAST_MARGIN@ * (1 + a) * (1 + b) <= 0 }
