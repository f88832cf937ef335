/* A model as triangles to look at: those that it has; of a model with a radius, the surface of its solid, about. */
#ifndef TUMBLE_CLI_REPORT_SHAPE_H
#define TUMBLE_CLI_REPORT_SHAPE_H

#include "tumble/model.h"

typedef struct report_shape {
    double (*corners)[3][3];
    uint32_t *polygons; /* of each triangle its polygon */
    size_t count, capacity;
    uint32_t polygon; /* the one that is being added */
    int sides;        /* of what is round */
    bool closed;
} report_shape;

#define REPORT_SHAPE_SIDES 12 /* of many parts; even */

/* Release it in any case. */
tumble_status report_shape_make(const tumble_model *model, int sides, report_shape *out);
void report_shape_release(report_shape *shape);

#endif
