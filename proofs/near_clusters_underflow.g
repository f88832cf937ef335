# statement: what underflows between clusters is less than its slack
# place: src/near/clusters_kernel.c; docs/proximity-proofs.md, Clusters
# constant: TMB_CLUSTER_GAP_UNDERFLOW
# limit: TMB_FLOAT_MOST_SCALE
#
# Models have sizes from 2^-60: a coordinate that was denormal before it was scaled is off by 2^-150 times that.
# Products in a projection lose 2^-150 each. Half of the slack pays for these. The other half, a, makes a gap g >= a
# smaller; that is more than what squares gain when they underflow: g^2 - (g - a)^2 >= a^2.
scale = @TMB_FLOAT_MOST_SCALE@;
half = @TMB_CLUSTER_GAP_UNDERFLOW@ * (1 - @TMB_FLOAT_ROUNDING@) / 2;
{ half - 2 * (sqrt(3) * (0x1p-150 * scale) + 3 * 0x1p-150) >= 0 /\ half * half - 3 * 0x1p-150 >= 0 }
