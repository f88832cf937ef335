/* An encounter: two models at their poses, and the counters. Every question about two models has one, and every
 * traversal starts from it. */
#ifndef TUMBLE_SRC_QUERY_ENCOUNTER_H
#define TUMBLE_SRC_QUERY_ENCOUNTER_H

#include "query/query.h"
#include "query/thickness.h"
#include "tree/model.h"

typedef struct tmb_encounter {
    tumble_query *query;
    const tumble_model *a, *b;
    tumble_pose pose_a, relative; /* `relative` takes B's points into A's frame */
    int has_pose_a;               /* pose_a is not the identity */
    int is_plain;                 /* tmb_place has found both poses and models so: they need no check */
    tmb_thickness thick;
    tumble_status status; /* not OK: the question ends with it */

    uint64_t box_tests, box_updates, primitive_tests, node_bytes;
    unsigned long long exact_tests;
} tmb_encounter;

/* Whether a model has a radius. */
static inline int tmb_encounter_is_thick(const tmb_encounter *encounter)
{
    return encounter->a->radius > 0 || encounter->b->radius > 0 || encounter->query->padding[0] > 0 ||
           encounter->query->padding[1] > 0;
}

/* Where the models stand; NULL is the identity. Fails if a pose is invalid or B's points could overflow. */
tumble_status tmb_encounter_place(tmb_encounter *encounter, const tumble_pose *pose_a, const tumble_pose *pose_b);

/* Whether no point of A, or none of B where it stands in A's frame, can become infinite when A's pose moves it. */
int tmb_encounter_a_stays_finite(const tmb_encounter *encounter);
int tmb_encounter_b_stays_finite(const tmb_encounter *encounter);

/* Points of tiny models, which A's pose enlarges, would lose digits when they are rounded in A's frame. So their
 * two triangles, which are in A's frame, are replaced by those in `room`, which are larger by a power of two, exactly,
 * before points on them are computed. Returns the exponent: 0 for all usual triangles, which stay. */
int tmb_encounter_enlarge(const tmb_encounter *encounter, const double (*triangles[2])[3], double room[2][3][3]);

/* A point of A's frame, enlarged by 2^exponent, in the frame of the poses. Infinite only where the point is. */
void tmb_encounter_point(const tmb_encounter *encounter, int exponent, const double point[3], double out[3]);

/* What it did. */
tumble_counters tmb_encounter_counters(const tmb_encounter *encounter, double seconds);

#endif
