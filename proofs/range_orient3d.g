# statement: expansions of orient3d are exact: nothing underflows inexactly or overflows
# place: src/math/predicates_3d.c
# constant: TMB_ORIENT3D_LEAST
# limit: TMB_ORIENT3D_MOST
#
# Nonzero coordinates within the limits are multiples of one unit, and so are differences, their errors, the products of
# three and of their halves. A coordinate that is 0 is a multiple of all. Splitting a minor multiplies it by 2^27 + 1.
@rnd = float<ieee_64, ne>;
a = rnd(a_); b = rnd(b_); c = rnd(c_); d = rnd(d_); e = rnd(e_); f = rnd(f_); g = rnd(g_); h = rnd(h_);
i = rnd(i_); j = rnd(j_);
product = (a - b) * (c - d) * (e - f);
minor = (a - b) * (c - d) - (g - h) * (i - j);
{ |a| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@] /\ |b| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@]
  /\ |c| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@] /\ |d| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@]
  /\ |e| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@] /\ |f| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@]
  /\ |g| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@] /\ |h| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@]
  /\ |i| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@] /\ |j| in [@TMB_ORIENT3D_LEAST@, @TMB_ORIENT3D_MOST@]
  ->
  @FIX(product, -1074) /\ |6 * product| <= 0x1p1023 /\ |0x8000001p0 * minor| <= 0x1p1023 }
