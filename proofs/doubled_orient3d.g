# statement: orient3d in pairs of doubles is off by less than its bound
# place: src/math/predicates_3d.c, minor and doubled_determinant
# constant: TMB_ERROR_DOUBLED_3D
#
# A minor, in units of the sum of its products, has a high part of at most 1, a low part of 4 1/8 u and an error of 15
# 1/2 u^2 (doubled_orient2d). It is multiplied by z = 1 + b, in units of z's high part. Then three such products are
# added, whose sizes V0, V1, V2 sum to 1: so their low parts, and errors, also sum to at most those of one. s and t are
# what the sums of the high parts leave, exactly.
m = high + minor_low;
low = (-high * x + (high * b * (1 + d1) + minor_low * (1 + d2)) * (1 + d3)) * (1 + d4);
product_error = high * (1 + x) + low - (m - minor_error) * (1 + b);

sum = ((l01 * (1 + e1) + l2) * (1 + e2) + st * (1 + e3)) * (1 + e4);
sum_error = sum - (l01 + l2 + st);
bound = @TMB_ERROR_DOUBLED_3D@ * (1 + s1) * (1 + s2) * (1 + s3) * (1 + s4) * (1 + s5) / (1 + z);

{ |high| <= 1.00001 /\ |minor_low| <= 0x4.2p-53 /\ |minor_error| <= 0xf.8p-106
  /\ @TMB_DOUBLE_ROUNDING of x b d1 d2 d3 d4 e1 e2 e3 e4 s1 s2 s3 s4 s5 z@
  /\ |l01| <= 0x6.4p-53 /\ |l01 + l2| <= 0x6.4p-53 /\ |st| <= 0x2.001p-53
  ->
  |low| <= 0x6.4p-53
  /\ product_error + sum_error - bound <= 0 /\ product_error + sum_error + bound >= 0 }

product_error -> high * b * ((1 + d1) * (1 + d3) * (1 + d4) - 1) + minor_low * ((1 + d2) * (1 + d3) * (1 + d4) - 1)
    - high * x * d4 - minor_low * b + minor_error * (1 + b);
sum_error -> l01 * e1 * (1 + e2) * (1 + e4) + (l01 + l2) * (e2 * (1 + e4) + e4) + st * (e3 * (1 + e4) + e4);
