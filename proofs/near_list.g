# statement: pairs within a limit by their distances as told are found with the clearance that they are searched with
# place: src/near/list.c, tmb_list_near
# constant: TMB_CLEARANCE_ROUNDING
#
# In units of the limit. A distance in A's frame is told within 9 u (precise_bounds, exact_distance), times the scale of
# A's pose. The clearance is the limit and a part of it, divided by that scale.
told = 1 / ((1 + t1) * (1 - 9 * @TMB_DOUBLE_ROUNDING@));
searched = (1 + @TMB_CLEARANCE_ROUNDING@) * (1 + c1) * (1 + c2) * (1 + c3);
{ @TMB_DOUBLE_ROUNDING of t1 c1 c2 c3@ -> searched - told >= 0 }
