/* Do two models touch? tumble_collide in mode TEST for callers inside the library, which ask often: arguments are
 * right, and no clock is read. */
#ifndef TUMBLE_SRC_COLLIDE_TOUCH_H
#define TUMBLE_SRC_COLLIDE_TOUCH_H

#include "query/query.h"

/* Adds to the counters. */
tumble_status tmb_collide_touch(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                const tumble_model *b, const tumble_pose *pose_b, double clearance,
                                tumble_counters *counters, int *touch);

#endif
