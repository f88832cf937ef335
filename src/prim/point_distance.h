/* The distance of a point from a triangle: the distance of two triangles (prim/triangle_distance.h), one of which is a
 * point, with fewer features to look at. */
#ifndef TUMBLE_SRC_PRIM_POINT_DISTANCE_H
#define TUMBLE_SRC_PRIM_POINT_DISTANCE_H

#include "prim/triangle_distance.h"

/* In plain doubles, with a proven bound, and where. Two triangles that share the feature in which they are nearest have
 * bit by bit the same value, whatever the order of their corners. */
typedef struct tmb_point_distance {
    double lower, upper, value;
    int corner_count;     /* of the feature: a corner, an edge or the face; 0: not known */
    double corners[3][3]; /* of the triangle, those of the feature first, in lexicographic order */
    double s, t;          /* the nearest point is corner 0 + s (corner 1 - corner 0) + t (corner 2 - corner 0) */
} tmb_point_distance;

void tmb_point_distance_fast(const double triangle[3][3], const double point[3], tmb_point_distance *out);

/* The same as tmb_triangles_distance for this feature, whose points are one on the triangle and `point`. 0 if and only
 * if the point is on the triangle. */
void tmb_point_distance_sharp(const tmb_point_distance *fast, const double point[3], tmb_triangle_distance *out,
                              unsigned long long *exact);

/* Whether two triangles surely are nearest to a point in the same feature: then their sharp distances are the same. */
int tmb_point_features_equal(const tmb_point_distance *a, const tmb_point_distance *b, const double point[3]);

/* Whether the distance is at most a limit: exactly. */
int tmb_point_within_limit(const tmb_point_distance *fast, const double point[3], const tmb_limit *limit,
                           unsigned long long *exact);

#endif
