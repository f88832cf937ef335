/* Tumble: where is a model closest to a point, and which of its polygons meet a box or a ball? See docs/single.md.
 *
 *     const double point[3] = {1, 2, 3};
 *     tumble_closest_result result;
 *     tumble_closest_point(query, model, NULL, point, NULL, &result);
 *     if (result.count > 0) {
 *         ... result.closest[0].distance, result.closest[0].point, result.closest[0].polygon ...
 *     } */
#ifndef TUMBLE_POINT_H
#define TUMBLE_POINT_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Closest points ---- */

/* The point of a polygon that is closest to the given one, in the frame of the pose. Of a polygon with a radius
 * (model.h) it is on the surface of its solid or, if the given point is in the solid, the given point itself. */
typedef struct tumble_closest {
    uint32_t polygon;    /* TUMBLE_NO_POLYGON (ray.h): none, in batches */
    double distance;     /* 0 only if the point is on the polygon; with `want_sign` negative inside. INFINITY: none */
    double lower, upper; /* proven bounds of the exact distance, with its sign */
    double point[3];
} tumble_closest;

typedef struct tumble_closest_options {
    double within; /* ignore polygons that are farther than this, decided exactly; default: INFINITY */
    size_t count;  /* the most polygons wanted for a point, the nearest ones; default: 1 */
    /* Distances are negative if the model is closed (proximity.h) and the point is inside: not on the surface, and a
     * ray from it crosses an odd number of triangles. The first such call for a model takes time and memory
     * proportional to its size, as tumble_relate does. With a radius r and the distance d from a polygon, the distance
     * is d - r, of which the sign is exact, and inside a closed surface -(d + r); the point is that far from the given
     * one, on the line through both that goes through the polygon's nearest point. In a cylinder it is minus the depth
     * below its surface, and the point is the nearest of that. */
    bool want_sign;
    uint32_t thread_count; /* of batches; 0: the context's. Results do not depend on it. Default: 1 */
} tumble_closest_options;

TUMBLE_API tumble_closest_options tumble_default_closest_options(void);

typedef struct tumble_closest_result {
    uint64_t count; /* polygons found, for all points together */
    /* A view of the query's memory, valid until its next call. The nearest polygon comes first; of those whose rounded
     * distances in the model's frame are equal, the one with the smaller number; with radii, of distances less radii,
     * even where these are negative. In batches those of point i start at i times the option `count`, and places
     * without a polygon say so. */
    const tumble_closest *closest;
    bool closed; /* with `want_sign`: the model is closed; if not, no distance is negative */
    tumble_counters counters;
} tumble_closest_result;

/* The polygons of `model` at `pose` that are nearest to a point, each with its point that is closest. A NULL pose is
 * the identity, NULL options are the defaults.
 *
 * The point is moved into the model's frame by tumble_pose_inverse(pose) with tumble_pose_apply; from there
 * the distance is that of exact arithmetic times the scale of the pose, as in tumble_distance: `distance` is off by at
 * most 1e-14 of it, and `lower` and `upper` are bounds of the exact one. The answer is the same for every hierarchy.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_POSE        the pose is not a rotation, uniform scale and translation
 *         TUMBLE_ERROR_NOT_FINITE  the point or the pose is not finite, or moving or a sum with radii overflows
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_closest_point(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                              const double point[3], const tumble_closest_options *options,
                                              tumble_closest_result *result);

/* The same for many points: x, y, z, x, y, z, ... on several threads. A point that lies near the one before it is
 * faster, so keep points in order along curves and surfaces. */
TUMBLE_API tumble_status tumble_closest_points(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                               const double *points, size_t point_count,
                                               const tumble_closest_options *options, tumble_closest_result *result);

/* ---- Boxes and balls ---- */

/* Receives polygons while the query runs, each once, in an order that depends on the model and the question only.
 * Return true to stop with TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_overlap_callback(void *user, const uint32_t *polygons, size_t count);

typedef struct tumble_overlap_options {
    tumble_mode mode;   /* TEST, FIRST, COUNT or ALL; default: TUMBLE_ALL */
    uint32_t *polygons; /* optional, in modes FIRST and ALL: receives the first polygons in order */
    size_t polygon_capacity;
    tumble_overlap_callback *callback; /* optional, in modes FIRST and ALL; what goes there is not stored */
    void *callback_user;
} tumble_overlap_options;

TUMBLE_API tumble_overlap_options tumble_default_overlap_options(void);

typedef struct tumble_overlap_result {
    bool overlap;
    uint32_t first;           /* a polygon that overlaps, in every mode, if `overlap` */
    uint64_t polygon_count;   /* TEST, FIRST: 0 or 1 */
    const uint32_t *polygons; /* modes FIRST and ALL: a view of the query's memory, valid until its next call, in order;
                               * NULL if there are none, or a callback gets them */
    tumble_counters counters;
} tumble_overlap_result;

/* The polygons of `model` at `pose` that have a point in common with a solid box: all points whose coordinates in the
 * frame of `box_pose` are at most `half_extents` in size. A NULL pose is the identity, NULL options are the defaults.
 * Both sets are closed: touching is enough. Extents may be 0; a polygon inside the box counts.
 *
 * The model's points are moved by tumble_pose_relative(box_pose, pose) with tumble_pose_apply, as B's points in
 * tumble_collide; on the moved coordinates the answer is exact. Polygons with a radius meet the box if their distance
 * from it is at most the radius.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT   also if an extent is negative
 *         TUMBLE_ERROR_POSE, TUMBLE_ERROR_NOT_FINITE, TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED  the callback returned true; the count so far is in the result */
TUMBLE_API tumble_status tumble_overlap_box(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                            const tumble_pose *box_pose, const double half_extents[3],
                                            const tumble_overlap_options *options, tumble_overlap_result *result);

/* The same for a solid ball: polygons whose distance from the centre is at most the radius, or the sum of the radius
 * and their own times the scale of the pose, rounded once. The centre is moved as in tumble_closest_point and the
 * radius or sum divided by the scale of the pose, rounded once; then the answer is exact.
 *
 * Errors: likewise; a negative radius is TUMBLE_ERROR_ARGUMENT, INFINITY is allowed. */
TUMBLE_API tumble_status tumble_overlap_sphere(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                               const double centre[3], double radius,
                                               const tumble_overlap_options *options, tumble_overlap_result *result);

#ifdef __cplusplus
}
#endif

#endif
