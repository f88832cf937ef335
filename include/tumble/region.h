/* Tumble: along which curves do two models meet?
 *
 *     tumble_regions_result result;
 *     tumble_contact_regions(query, a, NULL, b, &pose_b, &result);
 *     for (size_t i = 0; i < result.curve_count; i++) {
 *         const tumble_contact_curve *curve = &result.curves[i];
 *         ... curve->point_count points from result.points[curve->first_point] on ...
 *     }
 *
 * The segments of all contacts (query.h), joined to curves, and the curves that are connected, to regions. See
 * docs/motion.md. */
#ifndef TUMBLE_REGION_H
#define TUMBLE_REGION_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Segments one after the other. No segment is in two curves. */
typedef struct tumble_contact_curve {
    uint32_t region;
    bool is_closed; /* the last point is joined to the first, which is not repeated */
    /* Which side is inside is known: walking along the curve on the outside of A, what is inside B lies on the left; on
     * the outside of B, what is inside A lies on the right. This needs two closed models that pass through each other
     * all along the curve, and no point of it where more than two segments meet. Otherwise curves run so that, where
     * that can be, the back of B lies on the left of those who walk on the front of A. */
    bool sides_are_known;
    size_t first_point, point_count;
    double length, lower[3], upper[3]; /* its box */
} tumble_contact_curve;

/* What is connected: triangles that meet, and points that they have in common. */
typedef struct tumble_contact_region {
    size_t first_curve, curve_count; /* no curve: the models touch in a point, or only triangles of one plane meet */
    uint64_t contact_count;          /* pairs of triangles, */
    uint64_t coplanar_count;         /* and those of them that overlap in one plane: if there are any, it is an area */
    double length, lower[3], upper[3];
    /* The mean normals of the triangles of A, and of B, that are part of it, weighted by area, of length 1; they point
     * to where corners are seen counterclockwise. 0 if they cancel. */
    double normal_a[3], normal_b[3];
} tumble_contact_region;

/* All of it are views of the query's memory, valid until its next call with this function; NULL where there is nothing.
 * Points are in the frame of the poses, rounded, as in contacts. The order depends on the models' points and polygons
 * only, not on their hierarchies. */
typedef struct tumble_regions_result {
    bool collide;
    bool closed_a, closed_b; /* whether the models are closed */
    size_t region_count, curve_count, point_count;
    const tumble_contact_region *regions;
    const tumble_contact_curve *curves; /* region by region */
    const double (*points)[3];          /* curve by curve */
    const tumble_pair *pairs;           /* for each point: polygons that meet in the segment from it to the next */
    tumble_counters counters;
} tumble_regions_result;

/* Where `a` at `pose_a` and `b` at `pose_b` meet. A NULL pose is the identity. Polygons that meet are those of
 * tumble_collide. Segments are joined where they end in the same corner or edge of the one and the same corner, edge or
 * triangle of the other, which is decided exactly: no distance is compared. Triangles without area do not count, as
 * their neighbours have their points. The curves of two closed models are closed, unless some triangles lie in one
 * plane or models intersect themselves.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_POSE        a pose is not a rotation, uniform scale and translation
 *         TUMBLE_ERROR_NOT_FINITE  a pose is not finite, or moving points overflows
 *         TUMBLE_ERROR_UNSUPPORTED a model has a radius
 *         TUMBLE_ERROR_TOO_LARGE   more than 2^28 pairs of triangles meet
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED   the progress function returned true */
TUMBLE_API tumble_status tumble_contact_regions(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                                const tumble_model *b, const tumble_pose *pose_b,
                                                tumble_regions_result *result);

#ifdef __cplusplus
}
#endif

#endif
