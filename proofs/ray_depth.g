# statement: a ray that surely crosses a triangle does so between the depths that are told
# place: src/ray/waiting.h, tmb_crossing_depths; src/ray/packet_kernel.c, find_depths; docs/single.md
# constant: TMB_RAY_DEPTH_FACTOR
# constant: TMB_RAY_BOX_SLACK
#
# The depth D above the first corner's, F, is a mean weighted by turns. With each turn off by at most B, it is off by
# the sum of (r - D) e over the sum of the turns, where r, the depth of a corner, and D are in the range R: by at most 3 B
# R over it. The mean is rounded in a difference, a product, two sums above and two below, the inverse, a product, a sum;
# corners are off by half of the slack (ray_seen, ray_packet_seen). The bound meets a product, the inverse with its sums,
# a product, a difference and two sums.
K = (1 + c) * (1 + p) * (1 + s1) * (1 + s2) * (1 + i) * (1 + m) * (1 + w1) * (1 + w2);
part = @TMB_RAY_DEPTH_FACTOR@ * (1 + k1) * (1 + i) * (1 + w1) * (1 + w2) * (1 + k2) * (1 + k3) * (1 + k4) * (1 + k5);
least = @TMB_RAY_BOX_SLACK@ * (1 + k4) * (1 + k5);
off = (F + D * K) * (1 + t) - (F + D) + 0.5 * @TMB_RAY_BOX_SLACK@;
{ F in [-2.2, 2.2] /\ D in [0, 2.2]
  /\ @TMB_FLOAT_ROUNDING of c p s1 s2 i m t k1 k2 k3 k4 k5@ /\ |w1| <= 0x1.01p-24 /\ |w2| <= 0x1.01p-24
  ->
  off - least <= 0 /\ 3 - part <= 0 }
off -> F * t + D * (K * (1 + t) - 1) + 0.5 * @TMB_RAY_BOX_SLACK@;
