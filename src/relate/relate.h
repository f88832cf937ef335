/* The spatial relation of two models: what the files of this folder share. */
#ifndef TUMBLE_SRC_RELATE_RELATE_H
#define TUMBLE_SRC_RELATE_RELATE_H

#include "base/sort.h"
#include "collide/collider.h"
#include "relate/ray.h"
#include "tree/topology.h"
#include "tumble/proximity.h"

/* What these questions keep in a query's handle. */
typedef struct tmb_relate_scratch {
    tmb_buffer meetings; /* tmb_sort_item, twice as many as there are pairs of triangles that meet */
} tmb_relate_scratch;

/* A question in progress; solid 0 is A, 1 is B, both in A's frame. */
typedef struct tmb_relating {
    tumble_query *query;
    tmb_relate_scratch *scratch;
    tumble_pose relative;
    tmb_solid solid[2];
    const tmb_topology *topology[2];
    int passes_through;   /* two triangles do */
    size_t meeting_count; /* pairs of triangles that meet, in the scratch memory: keys are those of tmb_meeting_key */
    tumble_status status;
    tumble_counters counters;
} tmb_relating;

static inline uint64_t tmb_meeting_key(uint32_t ta, uint32_t tb)
{
    return (uint64_t)ta << 32 | tb;
}

/* Whether two triangles with an area, in different planes, have a point in common that is on no edge of either. */
int tmb_triangles_pass_through(const double a[3][3], const double b[3][3]);

/* For surfaces that meet, where no triangles pass through each other, and at least one model is closed: whether a point
 * of one is inside the other. */
tumble_status tmb_relate_meeting(tmb_relating *r, int *crosses);

/* For surfaces that do not meet. */
tumble_relation tmb_relate_apart(tmb_relating *r);

/* For models of which one has a radius (thick.c); `result` has everything but what this finds. */
tumble_status tmb_relate_thick(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                               tumble_relation_result *result);

/* The same of models of cylinders (cylinders.c). */
tumble_status tmb_relate_cylinders(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                   tumble_relation_result *result);

/* The box of a model in A's frame, without radii; and whether one, made larger by `more`, reaches beyond another one
 * somewhere, for certain (thick.c). */
typedef struct tmb_solid_box {
    double lower[3], upper[3];
} tmb_solid_box;
tmb_solid_box tmb_solid_box_of(const tmb_solid *solid);
int tmb_box_reaches_beyond(const tmb_solid_box *inner, const tmb_solid_box *outer, double more);

/* Whether the point in which a part is known is inside the other solid, which is closed. */
int tmb_part_is_inside(tmb_relating *r, int which, uint32_t part);

#endif
