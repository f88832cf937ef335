# statement: factors of a lookup, enlarged, cover the roundings of what they are multiplied with
# place: src/collide/kdop/cones.c; src/collide/kdop/kernel_body.h, tumble_lookup; docs/kdop.md, Lookup
# constant: TMB_LOOKUP_FACTOR_MARGIN
#
# The factor becomes a float; it meets a product and a sum with another one, the difference that gives the extent, a
# product and the last sum.
{ @TMB_FLOAT_ROUNDING of a b c d e f@ /\ |g| <= 0x1p-49 ->
  (1 + @TMB_LOOKUP_FACTOR_MARGIN@) * (1 + a) * (1 + b) * (1 + c) * (1 + d) * (1 + e) * (1 + f) * (1 + g) - 1 >= 0 }
