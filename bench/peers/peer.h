/* What every collision library in the comparison is asked for. One adapter a library: peer_*.c and peer_*.cpp. */
#ifndef TUMBLE_BENCH_PEER_H
#define TUMBLE_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/math.h"
#include "tumble/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles with area. All coordinates are exact in float. The arrays are gone after the build: a library that does not
 * copy them gets a copy from its adapter, which counts as its memory. */
typedef struct peer_mesh {
    const double *points; /* x, y, z of each */
    size_t point_count;
    const uint32_t *indices; /* three per triangle */
    size_t triangle_count;
} peer_mesh;

/* Model A stays where it is, B stands at `pose`; the same model may be both. NULL functions are not offered. */
typedef struct peer_library {
    const char *name;
    const char *version; /* of the library */
    const char *method;  /* what is called, in a few words */

    void *(*build)(const peer_mesh *mesh); /* geometry and hierarchy, on one thread; NULL when it failed */
    void (*destroy)(void *model);
    size_t (*bytes)(const void *model); /* NULL: what malloc hands out while building is counted */

    /* What has to be done before a question at a new pose, where a library does not take poses. */
    void (*prepare)(void *a, void *b, const tumble_pose *pose);

    int (*first)(void *a, void *b, const tumble_pose *pose);                    /* whether they touch */
    size_t (*all)(void *a, void *b, const tumble_pose *pose);                   /* the number of touching pairs */
    size_t (*pairs)(void *a, void *b, tumble_pair *out, size_t capacity);       /* those of the last `all` */
    double (*distance)(void *a, void *b, const tumble_pose *pose);              /* of models that do not touch */
    int (*within)(void *a, void *b, const tumble_pose *pose, double clearance); /* whether they are that close */

    void *(*build_moving)(const peer_mesh *mesh); /* the same for a model that is only B; NULL: `build` */
    int is_tumble;                                /* this one is not one of the others */
    int only_named;                               /* takes part only when it is asked for by name */
    size_t (*hierarchy_bytes)(const void *model); /* what of its memory is not geometry, where that can be told */
    size_t (*self)(void *model);                  /* pairs of its triangles that intersect outside of what they share */

    /* A ball, or a capsule or a cylinder of this length along z, and whether it touches a model. */
    void *(*build_solid)(double radius, double length, int has_flat_ends);
    void (*destroy_solid)(void *solid);
    int (*solid_touches)(void *model, void *solid, const tumble_pose *pose);
} peer_library;

/* The lists end with an item without a name. */
const peer_library *peer_tumble(void);
const peer_library *peer_fcl(void);
const peer_library *peer_ode(void);
const peer_library *peer_bullet(void);
const peer_library *peer_embree(void);
const peer_library *peer_cgal(void);

#ifdef __cplusplus
}
#endif

#endif
