# statement: what products lose by underflow in a filter is less than 2^-1000 times the sizes z0 + z1 + z2 + 1
# place: src/math/filter.h, src/math/along.h, src/prim/triangle_intersect.c, src/tree/kdop/hull/surface.c
# constant: TMB_ERROR_UNDERFLOW
#
# Each product may lose half of the least double: six of the determinant that are multiplied with a z, three after that,
# all again in the permanent, whose loss counts with 9 u < 1. v0, v1, v2, v3 are the shares of z0, z1, z2, 1 in their
# sum; F, G and H are roundings. A filter with fewer products (2D, along, planes) loses less.
lost = v0 * (l1 + l2) * F + v1 * (l3 + l4) * F + v2 * (l5 + l6) * F + v3 * (l7 + l8 + l9) * F;
lost_bound = v0 * (k1 + k2) * G + v1 * (k3 + k4) * G + v2 * (k5 + k6) * G + v3 * (k7 + k8 + k9) * G;
bound = @TMB_ERROR_UNDERFLOW@ * H;
{ v0 in [0, 1] /\ v1 in [0, 1] /\ v2 in [0, 1] /\ v3 in [0, 1]
  /\ |l1| <= 0x1p-1075 /\ |l2| <= 0x1p-1075 /\ |l3| <= 0x1p-1075 /\ |l4| <= 0x1p-1075 /\ |l5| <= 0x1p-1075
  /\ |l6| <= 0x1p-1075 /\ |l7| <= 0x1p-1075 /\ |l8| <= 0x1p-1075 /\ |l9| <= 0x1p-1075
  /\ |k1| <= 0x1p-1075 /\ |k2| <= 0x1p-1075 /\ |k3| <= 0x1p-1075 /\ |k4| <= 0x1p-1075 /\ |k5| <= 0x1p-1075
  /\ |k6| <= 0x1p-1075 /\ |k7| <= 0x1p-1075 /\ |k8| <= 0x1p-1075 /\ |k9| <= 0x1p-1075
  /\ F in [0.99, 1.01] /\ G in [0.99, 1.01] /\ H in [0.99, 1.01]
  ->
  lost + lost_bound - bound <= 0 /\ lost - lost_bound + bound >= 0 }
