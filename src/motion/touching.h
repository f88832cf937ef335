/* Collisions of two models at a time of their motions. */
#ifndef TUMBLE_SRC_MOTION_TOUCHING_H
#define TUMBLE_SRC_MOTION_TOUCHING_H

#include "query/query.h"

typedef struct tmb_touching {
    const tumble_model *a, *b;
    tumble_pose pose_a, pose_b;
    double clearance;
} tmb_touching;

/* Whether they are within the clearance. Counters are added. */
tumble_status tmb_touching_test(tumble_query *query, const tmb_touching *ask, bool *touch, tumble_counters *counters);

/* The same, and the addresses of two triangles that are. */
tumble_status tmb_touching_triangles(tumble_query *query, const tmb_touching *ask, bool *touch, uint32_t triangles[2],
                                     tumble_counters *counters);

#endif
