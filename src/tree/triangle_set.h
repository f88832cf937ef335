/* What every hierarchy is built from. */
#ifndef TUMBLE_SRC_TREE_TRIANGLE_SET_H
#define TUMBLE_SRC_TREE_TRIANGLE_SET_H

#include "tumble/model.h"

/* Triangles to be sorted into a tree. */
typedef struct tmb_triangle_set {
    const tumble_mesh *mesh; /* for its points */
    const uint32_t *corners; /* three per triangle */
    size_t count;
    double lower[3], upper[3]; /* bounds of the triangles' points, */
    int is_part;               /* or of the model that they are a part of */
} tmb_triangle_set;

#endif
