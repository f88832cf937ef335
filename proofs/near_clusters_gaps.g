# statement: gaps between triangles of clusters, in floats, less their slack are at most the true ones, but for roundings of their own size
# place: src/near/clusters_kernel.c, box_gaps, project; docs/proximity-proofs.md, Clusters
# constant: TMB_CLUSTER_GAP_ROUNDING
#
# In units of the reach. Coordinates are off by u, and by the rounding of a difference in double. Boxes: two
# coordinates, and the difference is rounded. Along a line, a direction of length at most 1: a projection is off by what
# the coordinates are, with sqrt(3), and by a product and two sums of sizes up to sqrt(3); two of them; and the slack is
# added to one. The slack itself is a rounded sum.
u = @TMB_FLOAT_ROUNDING@;
slack = @TMB_CLUSTER_GAP_ROUNDING@ * (1 + k);
off = u + 0x1p-52;
box = 2 * off * (1 + b);
products = (1 + p1) * (1 + p2) * (1 + p3) - 1;
line = 2 * (sqrt(3) * (off + products * (1 + off))) + sqrt(3) * r * (1 + 0x1p-19);
{ @TMB_FLOAT_ROUNDING of k b p1 p2 p3 r@
  ->
  slack - box >= 0 /\ slack - line >= 0 }
