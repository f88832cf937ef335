# statement: points of features are within 7 units in the last place of the largest coordinate of where s and t put them
# place: src/prim/triangle_distance.c, mix, tmb_feature_points
# constant: TMB_FEATURE_POINT_ERROR
#
# The largest coordinate is below 2 by a choice of the unit; its last place is then 2^-52 at most. a + s (b - a), and that
# with t (c - a), lie between the corners, so they are not larger either.
@rnd = float<ieee_64, ne>;
d = rnd(b - a);
e = rnd(c - a);
p = rnd(s * d);
q = rnd(t * e);
f = rnd(a + p);
x = rnd(f + q);
edge = a + s * (b - a);
exact = edge + t * (c - a);
{ |a| <= 0x1.fffffffffffffp0 /\ |b| <= 0x1.fffffffffffffp0 /\ |c| <= 0x1.fffffffffffffp0 /\ s in [0, 1] /\ t in [0, 1] /\ |edge| <= 2 /\ |exact| <= 2
  ->
  |x - exact| <= @TMB_FEATURE_POINT_ERROR@ }

a + p -> edge + ((p - s * d) + s * (d - (b - a)));
f + q -> exact + ((f - (a + p)) + (p - s * d) + (q - t * e) + (s * (d - (b - a)) + t * (e - (c - a))));
x - exact -> (x - (f + q)) + (f - (a + p)) + (p - s * d) + (q - t * e) + (s * (d - (b - a)) + t * (e - (c - a)));
