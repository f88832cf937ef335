# statement: floats do not overflow for reaches below the largest, nor do squares of distances
# place: src/collide/wide/setup.c, src/collide/kdop/setup.c, src/collide/rtree/setup.c; docs/wide.md, Limits of floats
# limit: TMB_MOST_REACH
#
# A coordinate, slack, error and limit are each less than the reach's limit; the square of a distance has three squares
# of sums of four such numbers.
{ r in [0, @TMB_MOST_REACH@] -> 3 * (4 * r) * (4 * r) * 1.001 <= 0x1.fffffep127 }
