/* Two polygons of models of which one consists of cylinders with flat ends, or both: where they stand, in A's frame. */
#ifndef TUMBLE_SRC_QUERY_CYLINDERS_H
#define TUMBLE_SRC_QUERY_CYLINDERS_H

#include "prim/triangle_distance.h"
#include "query/encounter.h"

/* Two polygons of an encounter. Their cores are cylinders and, of polygons that are none, their triangles: what these
 * have of a radius is their reach. A cylinder whose axis has shrunk to a point is a ball, which is its own core. */
typedef struct tmb_cylinder_pair {
    tmb_encounter *encounter;
    const double (*corners[2])[3]; /* in A's frame */
    uint32_t polygons[2];
} tmb_cylinder_pair;

/* Whether a model of an encounter consists of cylinders. */
static inline int tmb_encounter_has_cylinders(const tmb_encounter *encounter)
{
    return tmb_model_is_flat(encounter->a) || tmb_model_is_flat(encounter->b);
}

/* A length plus the reaches of two polygons, or of one of them, in the frame of the poses, rounded once. */
double tmb_cylinders_reach(const tmb_encounter *encounter, double length, uint32_t polygon_a, uint32_t polygon_b);
double tmb_cylinders_own_reach(const tmb_encounter *encounter, int which, uint32_t polygon);

/* What limits of traversals are enlarged by, in the frame of the poses, so that all traversals find the same pairs:
 * more than what cores that the rule below does not tell apart are farther apart than the limit. */
double tmb_cylinders_slack(const tmb_encounter *encounter, double limit);

/* Whether the cores are at most that far apart. Exact if the sum is 0 or one core is a point, and the other one not a
 * cylinder or the only one. Else cores that are told to be farther apart are so, and those that are farther apart by
 * more than 2^-40 of their largest length are told so. If memory runs out, 0 and the encounter's status. */
int tmb_cylinders_within(const tmb_cylinder_pair *pair, double length);

/* The distance of the cores: in doubles, or with all digits. The bounds are proven. 0 if and only if they meet by the
 * rule above. */
void tmb_cylinders_distance(const tmb_cylinder_pair *pair, int is_sharp, tmb_triangle_distance *out);

/* How far they are surely apart along a way; 0: nothing is sure. */
double tmb_cylinders_apart_along(const tmb_cylinder_pair *pair, const double way[3]);

#endif
