/* A model as triangles to look at: those that it has; of a model with a radius, the surface of its solid, about. */
#ifndef TUMBLE_CLI_REPORT_SHAPE_H
#define TUMBLE_CLI_REPORT_SHAPE_H

#include "tumble/model.h"

typedef struct report_shape {
    double (*corners)[3][3];
    size_t count, capacity;
    bool closed;
} report_shape;

/* Release it in any case. */
tumble_status report_shape_make(const tumble_model *model, report_shape *out);
void report_shape_release(report_shape *shape);

#endif
