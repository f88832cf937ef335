/* Generators of meshes, poses and scenes for tests, benchmarks, examples and the command line. */
#ifndef TUMBLE_MODELS_H
#define TUMBLE_MODELS_H

#include "tumble/math.h"
#include "tumble/model.h"

/* A mesh that owns its arrays (malloc). Free it with models_free. */
typedef struct models_mesh {
    double *points; /* x, y, z of each */
    size_t point_count, point_capacity;
    uint32_t *indices;
    size_t index_count, index_capacity;
    uint32_t *polygon_sizes;
    size_t polygon_count, polygon_capacity;
    uint32_t *surface_ids; /* one a polygon */
    uint32_t surface;      /* the surface that polygons added next belong to */
    int failed;            /* memory ran out: the mesh is incomplete and must not be used */
} models_mesh;

/* Building a mesh by hand. models_point returns the number of the new point. */
uint32_t models_point(models_mesh *mesh, double x, double y, double z);
void models_triangle(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void models_quad(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void models_polygon(models_mesh *mesh, const uint32_t *corners, uint32_t count);
void models_free(models_mesh *mesh);

/* The mesh as the library takes it (polygon_sizes left out when all are triangles). Valid while the mesh is unchanged. */
tumble_mesh models_view(const models_mesh *mesh);

/* Scales and shifts so that the bounding box is centred at 0 and fits a cube of side `size`; with `as_float` coordinates are rounded to float. */
void models_fit(models_mesh *mesh, double size, int as_float);

/* Shapes by name, for `tumble make` and for tests that run over all of them. */
typedef struct models_parameter {
    const char *name;    /* "--name" on the command line */
    double value;        /* default */
    double least, most;  /* allowed range */
    int whole;           /* takes whole numbers only */
    const char *help;
} models_parameter;

typedef struct models_shape {
    const char *name;
    const char *help;
    models_parameter parameters[8]; /* up to the first without a name */
    /* Appends the shape to an empty mesh; `values` are the parameters in order. */
    void (*make)(models_mesh *mesh, const double *values);
} models_shape;

/* All shapes; the last entry has a null name. */
const models_shape *models_shapes(void);
const models_shape *models_find_shape(const char *name); /* null when unknown */

/* A shape with default parameters except `detail` tuned so that it has about `triangles` triangles. */
int models_make_sized(models_mesh *mesh, const char *name, size_t triangles);

/* A small generator of pseudo-random numbers with the same sequence on every machine. */
typedef struct models_random {
    uint64_t state;
} models_random;
uint64_t models_random_bits(models_random *random);
double models_random_unit(models_random *random);                              /* [0, 1) */
double models_random_range(models_random *random, double least, double most);
tumble_pose models_random_rotation(models_random *random);                     /* uniform */

/* Zachmann's experiment: step k of n of a full turn about z and x, B's centre at distance d along x from A's. */
tumble_pose models_tumbling_pose(size_t step, size_t steps, double distance);

/* The demonstration: a part that is pulled out of its housing. `housing` and `part` are at their places when pose 0 is applied to the part. */
typedef struct models_demo {
    models_mesh housing, part;
    tumble_pose *path;
    size_t path_length;
} models_demo;
int models_make_demo(models_demo *demo, size_t steps); /* 0 when memory ran out */
void models_free_demo(models_demo *demo);

#endif
