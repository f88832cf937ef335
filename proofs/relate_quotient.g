# statement: a quotient of big floats, as a double, is off by less than its rounding
# place: src/math/bigfloat.c, tmb_bigfloat_quotient; src/relate/point.c
# constant: TMB_QUOTIENT_ROUNDING
# constant: TMB_QUOTIENT_UNDERFLOW
#
# The leading three words of 32 bits are added up with two roundings; what follows them is less than 2^-64 of them. The
# error is taken of the rounded quotient, in doubles.
quotient = (1 + a) * (1 + b) * (1 + r) / ((1 + c) * (1 + d) * (1 + s)) * (1 + e);
bound = @TMB_QUOTIENT_ROUNDING@ * quotient * (1 + f) * (1 + g);
{ @TMB_DOUBLE_ROUNDING of a b c d e f g@ /\ |r| <= 0x1p-63 /\ |s| <= 0x1p-63 /\ |l| <= 0x1p-1074
  ->
  quotient - 1 - bound <= 0 /\ quotient - 1 + bound >= 0 /\ 2 * l - @TMB_QUOTIENT_UNDERFLOW@ <= 0 }
