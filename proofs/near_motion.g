# statement: the motion of a point of B is not underestimated: what cancels in it, and the rounding of the points
# place: src/query/motion.c, tmb_encounter_motion; docs/proximity-proofs.md, Coherence
# constant: TMB_POINT_ROUNDING
#
# In units of the sum of all absolute terms of a coordinate at both poses. The motion of the centre: change and centre,
# a product and three sums; points are moved by a product and three sums at each pose. Three coordinates. The sum of the
# terms has up to eight roundings, and three follow.
u = @TMB_DOUBLE_ROUNDING@;
centre = (1 + c1) * (1 + c2) * (1 + c3) * (1 + c4) * (1 + c5) * (1 + c6) - 1;
points = (1 + p1) * (1 + p2) * (1 + p3) * (1 + p4) - 1;
sizes = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + s8);
added = 2 * @TMB_POINT_ROUNDING@ * sizes * (1 + a1) * (1 + a2) * (1 + a3);
{ @TMB_DOUBLE_ROUNDING of c1 c2 c3 c4 c5 c6 p1 p2 p3 p4 s1 s2 s3 s4 s5 s6 s7 s8 a1 a2 a3@
  ->
  added - sqrt(3) * (centre + points) >= 0 }
