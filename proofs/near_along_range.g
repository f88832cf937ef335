# statement: nothing overflows along an axis of boxes
# place: src/near/boxes/bounds.c, tmb_box_axis, tmb_widen_along
# limit: TMB_ALONG_AXIS_MOST
#
# Differences of coordinates, three terms, and the sum with the error.
{ 3 * (2 * @TMB_ALONG_AXIS_MOST@) * 1.01 <= 0x1p1023 }
