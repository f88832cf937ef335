/* Two meshes of triangles for the examples: a torus and a toothed wheel, both about 2 wide and centred at 0. */
#ifndef TUMBLE_EXAMPLE_SHAPES_H
#define TUMBLE_EXAMPLE_SHAPES_H

#include <stdbool.h>

#include <tumble/model.h>

typedef struct shape {
    double *points; /* x, y, z of each */
    size_t point_count;
    uint32_t *corners; /* three per triangle */
    size_t triangle_count;
} shape;

/* `around` squares along the ring and half as many across it, each of two triangles. False if memory runs out. */
bool make_torus(shape *out, uint32_t around);

/* Flat faces and sharp edges. */
bool make_wheel(shape *out, uint32_t teeth);

/* The mesh as the library takes it; valid until free_shape. */
tumble_mesh shape_mesh(const shape *s);
void free_shape(shape *s);

#endif
