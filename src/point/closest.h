/* Closest points: what a single point and batches share. */
#ifndef TUMBLE_SRC_POINT_CLOSEST_H
#define TUMBLE_SRC_POINT_CLOSEST_H

#include "base/clock.h"
#include "point/point.h"
#include "relate/ray.h"
#include "tree/topology.h"

/* A question about a model. */
typedef struct tmb_closest {
    tmb_encounter place;
    double unit, within_given;
    tmb_limit within;
    size_t wanted;
    int is_thick, want_sign;
    tmb_thickness thick; /* if it is */
    int closed;          /* signs are wanted, and the model is closed */
} tmb_closest;

tumble_status tmb_closest_check(tumble_query *query, const tumble_model *model, const double *points,
                                const tumble_closest_options *options, const tumble_closest_result *result);
tumble_status tmb_closest_begin(tmb_closest *closest, tumble_query *query, const tumble_model *model,
                                const tumble_pose *pose, const tumble_closest_options *options);

/* A search without a point yet. */
tmb_point_search tmb_closest_search(const tmb_closest *closest, tmb_point_memory *memory);

/* As tmb_point_find, with signs. */
size_t tmb_closest_find(const tmb_closest *closest, tmb_point_search *search, double hint, tumble_closest *out);

#endif
