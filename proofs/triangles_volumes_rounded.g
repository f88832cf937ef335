# statement: the volume of two edges in floats is off by 65 roundings, beyond what the edges are off by
# place: src/prim/triangle_lanes.h, (4); src/device/opencl/kernels/geometry.cl, chosen_volume
# limit: TMB_FLOAT_ROUNDING
#
# In units of 2 reach A B. The triple products n0 n2 (N e), m0 m2 (M f) and d00 ... d22 are at most 1; each is computed
# as itself plus an error of five roundings per term (e...). The volume of the third edges takes all of them.
first = ((n0 + en0 - d00 - e00) * (1 + a1) - d02 - e02) * (1 + a2);
third = ((n2 + en2 - d20 - e20) * (1 + a3) - d22 - e22) * (1 + a4);
sum = -(m0 + em0 + m2 + em2) * (1 + a5);
volume = ((sum - first) * (1 + a6) - third) * (1 + a7);
exact = (-(m0 + m2) - ((n0 - d00) - d02)) - ((n2 - d20) - d22);
{ |n0| <= 1 /\ |n2| <= 1 /\ |m0| <= 1 /\ |m2| <= 1 /\ |d00| <= 1 /\ |d02| <= 1 /\ |d20| <= 1 /\ |d22| <= 1
  /\ |en0| <= 0x5.0001p-24 /\ |en2| <= 0x5.0001p-24 /\ |em0| <= 0x5.0001p-24 /\ |em2| <= 0x5.0001p-24
  /\ |e00| <= 0x5.0001p-24 /\ |e02| <= 0x5.0001p-24 /\ |e20| <= 0x5.0001p-24 /\ |e22| <= 0x5.0001p-24
  /\ @TMB_FLOAT_ROUNDING of a1 a2 a3 a4 a5 a6 a7 c1 c2 c3 c4 c5@
  ->
  |(1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) * (1 + c5) - 1| <= 0x5.0001p-24 /\ |volume - exact| <= 0x41.01p-24 }
volume - exact -> (sum - first) * (1 + a6) * a7 - third * a7 + (sum - first) * a6
    - (em0 + em2) + sum / (1 + a5) * a5
    - ((en0 - e00) - e02 + (n0 + en0 - d00 - e00) * (1 + a1) * a2 - (d02 + e02) * a2 + (n0 + en0 - d00 - e00) * a1)
    - ((en2 - e20) - e22 + (n2 + en2 - d20 - e20) * (1 + a3) * a4 - (d22 + e22) * a4 + (n2 + en2 - d20 - e20) * a3)
    { 1 + a5 <> 0 };
