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
} tmb_inside;

/* Finds out whether the model is closed. */
tumble_status tmb_inside_begin(tumble_context *context, const tumble_model *model, tumble_inside_rule rule,
                               tmb_inside *out);

/* The point is in the model's frame, and finite. */
tumble_inside_answer tmb_inside_of(const tmb_inside *inside, const double point[3], tumble_counters *counters);

#endif
