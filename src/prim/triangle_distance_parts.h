/* What the files triangle_distance*.c share. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_PARTS_H
#define TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_PARTS_H

#include <math.h>

#include "math/predicates.h"
#include "math/vec3.h"
#include "prim/triangle_distance.h"

/* The length of a vector that may be so short that its squares underflow, but not so long that they overflow. */
static inline double tmb_short_length(const double v[3])
{
    const double largest = tmb_greater(tmb_greater(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (largest >= 0x1p-400) {
        return tmb_length(v);
    }
    const double scaled[3] = {v[0] * 0x1p500, v[1] * 0x1p500, v[2] * 0x1p500};
    return tmb_length(scaled) * 0x1p-500;
}

/* As tmb_triangles_distance, and as tmb_triangles_within for a limit above 0. `stage` receives what decided: plain
 * doubles (and, where they intersect, that test), pairs of doubles, or integers. */
void tmb_triangles_distance_stage(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                                  tmb_stage *stage);
int tmb_triangles_within_stage(const double a[3][3], const double b[3][3], double limit, tmb_stage *stage);

/* The points there: exact corners where they are corners, else within seven units in the last place of the largest
 * coordinate of the triangle (three have been seen), each axis by itself, plus what s and t are off
 * (proofs/distance_feature_points.g); in the triangle's bounding box. */
void tmb_feature_points(const double a[3][3], const double b[3][3], const tmb_feature_pair *pair, double (*points)[3]);

/* In pairs of doubles, for the features that plain doubles found: nonzero if that proves the distance to 9 u (u =
 * 2^-53). Then s and t are as exact; `points` is left alone. */
int tmb_precise_distance(const double a[3][3], const double b[3][3], tmb_feature_pair *features,
                         tmb_triangle_distance *out);

/* By integers, for triangles that do not intersect: the distance, right to 4 u (u = 2^-53), and
 * where; `points` is left alone. s and t are as exact. */
void tmb_exact_distance(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                        tmb_feature_pair *features);

/* The same, whether it is at most `limit`. */
int tmb_exact_within(const double a[3][3], const double b[3][3], tmb_scaled limit);

/* The same, whether it is less than `limit`, which is above 0. */
int tmb_exact_closer(const double a[3][3], const double b[3][3], tmb_scaled limit);

#endif
