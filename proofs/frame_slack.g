# statement: sums of four products that move a point between frames are off by less than the frame's rounding
# place: src/query/box_frames.c, slack_of; docs/mixed.md, B's frame
# constant: TMB_FRAME_ROUNDING
#
# In units of the sum of the sizes: a term of q, of a moved point or of a residue meets a product and three sums. The
# slack doubles everything, for vectors at most 1.7321 times as long as their largest coordinate. Norms and reaches meet
# at most eight roundings.
error = (1 + a1) * (1 + a2) * (1 + a3) * (1 + a4) - 1;
sizes = (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) * (1 + s6) * (1 + s7) * (1 + s8);
{ @TMB_DOUBLE_ROUNDING of a1 a2 a3 a4 s1 s2 s3 s4 s5 s6 s7 s8@ ->
  1.7321 * error - 2 * @TMB_FRAME_ROUNDING@ * sizes <= 0 }
