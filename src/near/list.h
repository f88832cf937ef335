/* All pairs of polygons within a distance, with their distances: the second pass of a search. */
#ifndef TUMBLE_SRC_NEAR_LIST_H
#define TUMBLE_SRC_NEAR_LIST_H

#include "collide/collider.h"
#include "tumble/proximity.h"

/* Pairs of polygons whose distance, as a result reports it (that of tmb_triangles_distance, the smallest of their
 * triangles, times the scale of A's pose), is at most `limit`, in the order of (polygon_a, polygon_b), in the
 * query's memory until its next call; NULL if there are none. Points are in the frame of the poses; of equal distances
 * those with the smallest coordinates are given. The work is added to the counters, without the time. With limit 0:
 * pairs that intersect. */
tumble_status tmb_list_near(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                            const tumble_model *b, const tumble_pose *pose_b, double limit, const tumble_tuning *tuning,
                            const tumble_near **pairs, size_t *count, tumble_counters *counters);

#endif
