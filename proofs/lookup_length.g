# statement: the length of a point outside the widest cone, in floats, is off by less than its margin
# place: src/tree/kdop/lookup_kernel.c, look; src/tree/kdop/lookup.c, fill_lanes; docs/kdop.md, Lookup
# constant: TMB_LOOKUP_LENGTH_MARGIN
#
# The point is 1 from the centre, at the height z and the distance p from the axis, p >= 0.999 times the sine of the
# covering angle (from 0.46 on): p^2 is off by 17 roundings, q is p as computed. Sine and cosine became floats. The
# margin is that of the largest possible distance, at least 0.999.
aside = q * s * (1 + a) * (1 + b) * (1 + c);
along = (z + h) * k * (1 + d) * (1 + e);
error = (aside + along) * (1 + f) - (p * s + z * k);
{ p in [0.46, 1] /\ s in [0.46, 0.82] /\ p / s in [0.999, 2.2] /\ |z| <= 0.9 /\ k in [0.57, 0.89]
  /\ q * q - p * p in [-0x11.1p-24, 0x11.1p-24] /\ q in [0.459, 1.001] /\ |h| <= 0x5.001p-24
  /\ @TMB_FLOAT_ROUNDING of a b c d e f@
  ->
  error + 0.998 * @TMB_LOOKUP_LENGTH_MARGIN@ >= 0 }
error -> (q - p) * s * (1 + a) * (1 + b) * (1 + c) * (1 + f) + p * s * ((1 + a) * (1 + b) * (1 + c) * (1 + f) - 1)
    + h * k * (1 + d) * (1 + e) * (1 + f) + z * k * ((1 + d) * (1 + e) * (1 + f) - 1);
q - p -> (q * q - p * p) / (q + p) { q + p <> 0 };
