# statement: expansions of orient2d are exact: nothing underflows inexactly or overflows
# place: src/math/predicates_2d.c
# constant: TMB_ORIENT2D_LEAST
# limit: TMB_ORIENT2D_MOST
@rnd = float<ieee_64, ne>;
a = rnd(a_); b = rnd(b_); c = rnd(c_); d = rnd(d_);
product = (a - b) * (c - d);
{ |a| in [@TMB_ORIENT2D_LEAST@, @TMB_ORIENT2D_MOST@] /\ |b| in [@TMB_ORIENT2D_LEAST@, @TMB_ORIENT2D_MOST@]
  /\ |c| in [@TMB_ORIENT2D_LEAST@, @TMB_ORIENT2D_MOST@] /\ |d| in [@TMB_ORIENT2D_LEAST@, @TMB_ORIENT2D_MOST@]
  ->
  @FIX(product, -1074) /\ |2 * product| <= 0x1p1023 /\ |0x8000001p0 * (a - b)| <= 0x1p1023 }
