# statement: merging corners of a k-DOP and making them floats moves none by more than the vertex error
# place: src/tree/kdop/volume.c, tmb_kdop_vertices
# constant: TMB_KDOP_VERTEX_ERROR
#
# Along each axis by what is merged and by the rounding of a coordinate below 2.
@rnd = float<ieee_32, ne>;
moved = (rnd(c) - c) + m;
{ |c| <= 1.7 /\ @TMB_KDOP_VERTEX_MERGE of m@ -> 1.7321 * moved - @TMB_KDOP_VERTEX_ERROR@ <= 0 }
