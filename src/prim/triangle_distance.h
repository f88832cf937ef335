/* The distance of two triangles. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_H
#define TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_H

#include "math/scaled.h"

/* The distance of two closed triangles (segments and points when degenerate): a bound from each side, and where. */
typedef struct tmb_triangle_distance {
    double lower, upper; /* the true distance is in [lower, upper]; from DBL_MAX to infinity if no double is as large */
    double value;        /* the best guess, in the same interval */
    tmb_scaled scaled;   /* the same with all its digits, also where it is below DBL_MIN or above DBL_MAX */
    double points[2][3]; /* on the first triangle and on the second, up to rounding */
    double way[3]; /* towards the second, of any length, each component rounded: along it they are at least `lower`
                      apart; zeros where it is not known */
} tmb_triangle_distance;

typedef enum tmb_feature_kind {
    TMB_EDGE_EDGE,
    TMB_FACE_CORNER, /* inside the first triangle and a corner of the second */
    TMB_CORNER_FACE
} tmb_feature_kind;

/* Where two triangles are nearest. Edges a and b (from that corner to the next): at corner + s edge of the first and
 * corner + t edge of the second; or a corner, and corner 0 + s (corner 1 - corner 0) + t (corner 2 - corner 0) of the
 * other triangle. */
typedef struct tmb_feature_pair {
    tmb_feature_kind kind;
    int a, b;
    double s, t;
} tmb_feature_pair;

/* In plain doubles, with a proven bound. 0 only where the triangles intersect or may do so (lower is 0, then). `scaled`
 * is `value`, even where that is infinite. */
void tmb_triangles_distance_fast(const double a[3][3], const double b[3][3], tmb_triangle_distance *out);

/* How far they are surely apart along the way between two nearest points of others, in plain doubles. 0: nothing is
 * sure, or the way is so short that errors would be larger than what counts. */
double tmb_triangles_apart_along(const double a[3][3], const double b[3][3], const double way[3]);

/* Whether no corner of the triangles a and b lies ahead of those of others, between which `way` was found (above): a
 * that of A's, b of B's the other way. Then a and b are along this way not closer than the others. 0: it may be. Errors
 * by underflow are less than 2^-600. */
int tmb_triangles_are_behind(const double a[3][3], const double b[3][3], const double other_a[3][3],
                             const double other_b[3][3], const double way[3]);

/* tmb_triangles_distance in two parts. The first is tmb_triangles_distance_fast, which also tells the features in which
 * they seem to be nearest; the second makes the answer of both exact. */
void tmb_triangles_distance_begin(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                                  tmb_feature_pair *features);
void tmb_triangles_distance_end(const double a[3][3], const double b[3][3], const tmb_feature_pair *features,
                                tmb_triangle_distance *out, unsigned long long *exact);

/* The mathematically exact distance of these doubles, rounded: `scaled` is right to a few units in the last place
 * (below 1e-15 of it), for all finite corners; lower and upper are as near, or the next doubles. It is 0 if and only if
 * tmb_triangles_intersect; then both points are the same one that they have in common. `exact`, if not NULL, is
 * incremented if pairs of doubles could not decide.
 *
 * Points, also those of tmb_triangles_distance_fast, are in the bounding boxes of their triangles. Here each coordinate
 * is within seven units in the last place of the triangle's largest one of a point of it
 * (proofs/distance_feature_points.g), and their distance is `value` within some such units, which may be more than
 * 1e-15 of it. */
void tmb_triangles_distance(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                            unsigned long long *exact);

/* Whether their distance is at most `limit` (>= 0, finite or infinite): exactly. With limit 0: whether they intersect.
 * `exact`, if not NULL, is incremented if plain doubles could not decide. */
int tmb_triangles_within(const double a[3][3], const double b[3][3], double limit, unsigned long long *exact);

/* The same for a limit that may be beyond the range of doubles. */
int tmb_triangles_within_limit(const double a[3][3], const double b[3][3], const tmb_limit *limit,
                               unsigned long long *exact);

/* Whether their distance is less than the limit, which is above 0: exactly. */
int tmb_triangles_closer(const double a[3][3], const double b[3][3], const tmb_limit *limit);

#endif
