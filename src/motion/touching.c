/* Collisions of two models at a time of their motions. */
#include "motion/touching.h"

#include <string.h>

#include "collide/collider.h"

tumble_status tmb_touching_test(tumble_query *query, const tmb_touching *ask, bool *touch, tumble_counters *counters)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = ask->clearance;
    const tumble_status status = tumble_collide(query, ask->a, &ask->pose_a, ask->b, &ask->pose_b, &options, &result);
    if (status == TUMBLE_OK) {
        *touch = result.collide;
        tmb_counters_add(counters, &result.counters);
    }
    return status;
}

tumble_status tmb_touching_triangles(tumble_query *query, const tmb_touching *ask, bool *touch, uint32_t triangles[2],
                                     tumble_counters *counters)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    tmb_collider collider;
    options.mode = TUMBLE_FIRST;
    options.clearance = ask->clearance;
    tmb_collider_begin(&collider, query, ask->a, ask->b, &options);
    const tumble_status status = tmb_collider_run(&collider, &ask->pose_a, &ask->pose_b);
    if (status == TUMBLE_OK) {
        tmb_collider_report(&collider, 0, &result);
        tmb_counters_add(counters, &result.counters);
        *touch = result.collide;
        memcpy(triangles, collider.first_triangles, sizeof collider.first_triangles);
    }
    return status;
}
