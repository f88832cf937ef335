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
    uint32_t *surface_ids; /* one per polygon */
    uint32_t surface;      /* the surface that polygons added next belong to */
    int failed;            /* memory ran out: the mesh is incomplete and must not be used */
} models_mesh;

/* Building a mesh by hand. models_point returns the number of the new point. */
uint32_t models_point(models_mesh *mesh, double x, double y, double z);
void models_triangle(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void models_quad(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void models_polygon(models_mesh *mesh, const uint32_t *corners, uint32_t count);
void models_free(models_mesh *mesh);

/* Appends a copy of `other`, moved by `pose` (NULL: as it is), with its surface numbers raised by `surface` of
 * `mesh`. */
void models_append(models_mesh *mesh, const models_mesh *other, const tumble_pose *pose);

/* Triangles once the polygons are cut up: one with n corners counts n - 2. */
size_t models_triangle_count(const models_mesh *mesh);

/* Whether every edge belongs to exactly two polygons that run along it in opposite directions; 0 also when memory for
 * the check ran out. */
int models_is_closed(const models_mesh *mesh);

/* The enclosed volume: positive when a closed mesh is turned outward. */
double models_volume(const models_mesh *mesh);

/* The mesh as the library takes it (polygon_sizes left out when all are triangles). Valid while the mesh is unchanged.
 */
tumble_mesh models_view(const models_mesh *mesh);

/* Scales and shifts so that the bounding box is centred at 0 and fits a cube of side `size`; with `as_float`
 * coordinates are rounded to float. */
void models_fit(models_mesh *mesh, double size, int as_float);

/* Shapes by name, for `tumble make` and for tests that run over all of them. */
typedef struct models_parameter {
    const char *name;   /* "--name" on the command line */
    double value;       /* default */
    double least, most; /* allowed range */
    int whole;          /* takes integers only */
    const char *help;
} models_parameter;

enum {
    MODELS_PARAMETERS = 8
};

typedef struct models_shape {
    const char *name;
    const char *help;
    int closed;                                     /* its surface is closed and turned outward, for all parameters */
    models_parameter parameters[MODELS_PARAMETERS]; /* up to the first without a name, which the last always is; the
                                                       first is `detail` where there is one */
    /* Appends the shape to an empty mesh; `values` are the parameters in order. */
    void (*make)(models_mesh *mesh, const double *values);
    double (*count)(const double *values); /* triangles that `make` would give; NULL when `detail` does not exist */
} models_shape;

/* All shapes; the last entry has a NULL name. */
const models_shape *models_shapes(void);
const models_shape *models_find_shape(const char *name); /* NULL when unknown */

/* Fills `values` (MODELS_PARAMETERS numbers) with the defaults. */
void models_defaults(const models_shape *shape, double *values);

/* Changes the `detail` in `values` so that the shape has about `triangles` triangles, within its range; 0 when the
 * shape has no detail. */
int models_tune(const models_shape *shape, double *values, size_t triangles);

/* A shape with default parameters except `detail` tuned so that it has about `triangles` triangles: within an eighth
 * from a thousand (the bodies of the demonstration: fifty thousand) to ten million, and ever closer as it grows. 0 when
 * the name is unknown or memory ran out: then the mesh is empty. */
int models_make_sized(models_mesh *mesh, const char *name, size_t triangles);

/* A small generator of pseudo-random numbers with the same sequence on every machine. */
typedef struct models_random {
    uint64_t state;
} models_random;
uint64_t models_random_bits(models_random *random);
double models_random_unit(models_random *random); /* [0, 1) */
double models_random_range(models_random *random, double least, double most);
tumble_pose models_random_rotation(models_random *random); /* uniform */

/* Zachmann's experiment: step k of n of a full turn about z and x, B's centre at distance d along x from A's. */
tumble_pose models_tumbling_pose(size_t step, size_t steps, double distance);

/* The demonstration: a part that is pulled out of its housing. `housing` and `part` are at their places when pose 0 is
 * applied to the part. */
typedef struct models_demo {
    models_mesh housing, part;
    tumble_pose *path;
    size_t path_length;
} models_demo;
int models_make_demo(models_demo *demo, size_t steps); /* 0 when memory ran out */
void models_free_demo(models_demo *demo);

#endif
