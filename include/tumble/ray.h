/* Tumble: rays, lines of sight, and points inside a model. See docs/single.md.
 *
 *     const double origin[3] = {0, 0, 5}, direction[3] = {0, 0, -1};
 *     tumble_ray_result result;
 *     tumble_ray(query, model, NULL, origin, direction, NULL, &result);
 *     if (result.hit) {
 *         ... result.first.polygon, result.first.t, result.first.point ...
 *     }
 *
 * A ray is the points origin + t * direction with t0 <= t <= t1. Whether it meets a polygon is decided exactly, and
 * polygons are closed: a ray through an edge or a corner meets all polygons that share it, so it never slips through a
 * closed mesh. A degenerate triangle is a segment or a point, and can be hit like any other. A polygon with a radius
 * (model.h) is hit where the ray enters its solid, as exactly. */
#ifndef TUMBLE_RAY_H
#define TUMBLE_RAY_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Rays ---- */

#define TUMBLE_NO_POLYGON UINT32_MAX

/* From which side a polygon is hit: the front is where its corners are seen counterclockwise. A polygon with a radius
 * is hit on the FRONT where the ray enters its solid. If the ray starts within it, t is t0 and the side is BACK. */
typedef enum tumble_side {
    TUMBLE_SIDE_EDGE_ON = 0, /* the ray lies in the plane of the triangle, or the triangle has no area */
    TUMBLE_SIDE_FRONT = 1,
    TUMBLE_SIDE_BACK = 2
} tumble_side;

/* A polygon and the first point that it has in common with the ray. */
typedef struct tumble_ray_hit {
    uint32_t polygon; /* TUMBLE_NO_POLYGON: none */
    tumble_side side; /* of the triangle that is hit there; of several, FRONT before BACK before EDGE_ON */
    double t;         /* rounded to the nearest double */
    double point[3];  /* origin + t * direction, in the frame of the pose */
} tumble_ray_hit;

typedef struct tumble_ray_options {
    /* TEST: is anything hit? FIRST: the closest hit, of equally close ones the polygon with the smallest number. COUNT:
     * how many polygons are hit. ALL: all of them, by the exact order of t, then by number. Default: FIRST. */
    tumble_mode mode;
    double t0, t1;        /* the range of t, both included; may be infinite. Default: 0 and INFINITY */
    tumble_ray_hit *hits; /* tumble_ray: an optional array for ALL, which gets the first ones; the total is known */
    size_t hit_capacity;
    uint32_t thread_count; /* tumble_rays, tumble_inside: 0: the context's. Default: 1 */
} tumble_ray_options;

TUMBLE_API tumble_ray_options tumble_default_ray_options(void);

typedef struct tumble_ray_result {
    bool hit;
    tumble_ray_hit first;       /* FIRST, ALL: the closest hit; else, and if nothing is hit, no polygon */
    uint64_t hit_count;         /* TEST, FIRST: 0 or 1; of a batch: of all rays */
    const tumble_ray_hit *hits; /* ALL: a view of the query's memory, valid until its next call; or NULL */
    tumble_counters counters;
} tumble_ray_result;

/* Casts a ray at a model at a pose; a NULL pose is the identity, NULL options are the defaults.
 *
 * Without a pose the answer is exact for the numbers given. With one, origin and direction are first moved into the
 * model's frame by tumble_pose_inverse(pose), as tumble_pose_apply does it, the direction without the translation; the
 * answer is exact for the moved ray. `t` does not change with the frame. Never allocates once the query is warm, but
 * in the longest exact arithmetic about models with a radius.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT    also if the direction is 0, or t0 > t1
 *         TUMBLE_ERROR_NOT_FINITE  a coordinate is not finite, t0 or t1 is NaN, or moving the ray overflows
 *         TUMBLE_ERROR_POSE
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_ray(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                    const double origin[3], const double direction[3],
                                    const tumble_ray_options *options, tumble_ray_result *result);

/* A batch of rays. */
typedef struct tumble_ray_batch {
    size_t count;
    const double *origins;    /* three numbers per ray */
    const double *directions; /* likewise */
    const double *ranges;     /* optional: t0 and t1 of each ray, instead of those of the options */
    /* Optional results, one per ray: the closest hit (FIRST, ALL; TEST: nothing but whether there is a polygon), and
     * how many polygons are hit (TEST and FIRST: 0 or 1). */
    tumble_ray_hit *hits;
    uint64_t *hit_counts;
} tumble_ray_batch;

TUMBLE_API tumble_ray_batch tumble_default_ray_batch(void);

/* Casts many rays: the answer of each is that of tumble_ray. In mode ALL, `hits` of the result has those of all rays,
 * ray after ray; in the others it is NULL. The results do not depend on the number of threads. Rays that start or go
 * nearly alike are fastest if they follow each other.
 *
 * Errors: those of tumble_ray; the message names the ray */
TUMBLE_API tumble_status tumble_rays(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                     const tumble_ray_batch *batch, const tumble_ray_options *options,
                                     tumble_ray_result *result);

/* ---- Points ---- */

typedef enum tumble_place {
    TUMBLE_PLACE_OUTSIDE = 0,
    TUMBLE_PLACE_INSIDE = 1,
    TUMBLE_PLACE_ON_SURFACE = 2,
    TUMBLE_PLACE_UNDEFINED = 3 /* not on the surface, and the model is open: it has no inside */
} tumble_place;

/* "outside", "inside", "on-surface", "undefined"; never NULL. */
TUMBLE_API const char *tumble_place_name(tumble_place place);

/* What is inside. */
typedef enum tumble_inside_rule {
    /* Rays from the point cross the surface an odd number of times: what tumble_relate says. The model is closed if
     * every edge has an even number of triangles. */
    TUMBLE_INSIDE_PARITY = 0,
    /* The surface winds around the point: its winding number is not 0. The model is closed if every edge has as many
     * triangles in one direction as in the other. Parts that overlap count as one solid. */
    TUMBLE_INSIDE_WINDING = 1
} tumble_inside_rule;

typedef struct tumble_inside_options {
    tumble_inside_rule rule; /* default: PARITY */
    uint32_t thread_count;   /* 0: the context's. Default: 1 */
} tumble_inside_options;

TUMBLE_API tumble_inside_options tumble_default_inside_options(void);

typedef struct tumble_inside_answer {
    tumble_place place;
    int32_t
        winding; /* WINDING: how often the surface winds around the point, positive where it shows its back; else 0 */
    uint32_t polygon; /* ON_SURFACE: the one with the smallest number that holds the point; else TUMBLE_NO_POLYGON */
} tumble_inside_answer;

/* Tells of each of `count` points (three numbers each) whether it is inside the model at a pose. Points are moved into
 * the model's frame like the origin of a ray; then the answers are exact. A NULL pose is the identity, NULL options are
 * the defaults. `counters`, which may be NULL, gets the work.
 *
 * A model with a radius is a solid, also an open one: INSIDE is what is nearer to a polygon than its radius, and what
 * the rule says if the polygons are a closed surface; ON_SURFACE else what is just as far from a polygon; all else is
 * OUTSIDE.
 *
 * The first call for a model takes time and memory proportional to its size, to find whether it is closed; the model
 * keeps the result.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_NOT_FINITE  the message names the point
 *         TUMBLE_ERROR_POSE
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_inside(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                       const double *points, size_t count, const tumble_inside_options *options,
                                       tumble_inside_answer *answers, tumble_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
