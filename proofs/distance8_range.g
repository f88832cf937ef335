# statement: nothing overflows in distances in floats
# place: src/prim/triangle_distance_lanes.h, (4)
# limit: TMB_DISTANCE8_MOST_REACH
#
# Components of edges and differences are at most twice the reach, those of a normal two products of them, of E x n as
# much; then a product with a difference. 1.01 is for all roundings.
@rnd = float<ieee_32, ne>;
reach = @TMB_DISTANCE8_MOST_REACH@;
edge = 2 * reach;
normal = 2 * edge * edge;
moment = 2 * edge * normal;
{ 3 * edge * moment * 1.01 <= 0xffffffp104 /\ 3 * normal * normal * 1.01 <= 0xffffffp104 }
