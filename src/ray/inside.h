/* One point and one model, for single models and the objects of scenes. */
#ifndef TUMBLE_SRC_RAY_INSIDE_H
#define TUMBLE_SRC_RAY_INSIDE_H

#include "relate/ray.h"
#include "tree/topology.h"
#include "tumble/ray.h"

typedef struct tmb_inside {
    tmb_solid solid;
    tumble_inside_rule rule;
    int is_closed;
    double padding, reach; /* what is added to polygons' radii, and the largest sum; 0: a model without a radius */
} tmb_inside;

/* Finds out whether the model is closed. */
tumble_status tmb_inside_begin(tumble_context *context, const tumble_model *model, double padding,
                               tumble_inside_rule rule, tmb_inside *out);

/* The point is in the model's frame, and finite. */
tumble_inside_answer tmb_inside_of(const tmb_inside *inside, const double point[3], tumble_counters *counters);

/* Where a point is among the solids of polygons with a radius: nearer to one than its radius; else the least polygon
 * that is just as far, or UINT32_MAX. */
typedef struct tmb_thick_place {
    int is_inside;
    uint32_t polygon;
} tmb_thick_place;
tmb_thick_place tmb_thick_place_of(const tmb_inside *inside, const double point[3], tumble_counters *counters);

#endif
