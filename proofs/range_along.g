# statement: expansions of a comparison along a direction are exact: nothing underflows inexactly or overflows
# place: src/math/along.c
# constant: TMB_ALONG_LEAST
# limit: TMB_ALONG_MOST
@rnd = float<ieee_64, ne>;
a = rnd(a_); b = rnd(b_); direction = rnd(direction_);
product = direction * (a - b);
{ |a| in [@TMB_ALONG_LEAST@, @TMB_ALONG_MOST@] /\ |b| in [@TMB_ALONG_LEAST@, @TMB_ALONG_MOST@]
  /\ |direction| in [@TMB_ALONG_LEAST@, @TMB_ALONG_MOST@]
  ->
  @FIX(product, -1074) /\ |3 * product| <= 0x1p1023 /\ |0x8000001p0 * (a - b)| <= 0x1p1023 }
