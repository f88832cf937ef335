# statement: a sum of doubles is off by u times itself, and so is any other result or, if it underflows, by 2^-1075
# place: all of src; src/math/filter.h
# constant: TMB_DOUBLE_ROUNDING
# constant: TMB_DOUBLE_LEAST
#
# What scripts start from that hold for all doubles: an operation has a factor 1 + d, |d| <= u. Sums and differences
# underflow without error. p is a product, quotient or root before it is rounded, q one that underflows.
@rnd = float<ieee_64, ne>;
x = rnd(x_);
y = rnd(y_);
{ |p| in [0x1p-1021, 0x1p1023] /\ |q| <= 0x1p-1021 ->
  rnd(x + y) -/ (x + y) in [-@TMB_DOUBLE_ROUNDING@, @TMB_DOUBLE_ROUNDING@]
  /\ rnd(p) -/ p in [-@TMB_DOUBLE_ROUNDING@, @TMB_DOUBLE_ROUNDING@]
  /\ |rnd(q) - q| <= @TMB_DOUBLE_LEAST@ }
