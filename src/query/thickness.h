/* How thick two models are at their poses: the radii of their polygons, and what objects of a scene add to them. */
#ifndef TUMBLE_SRC_QUERY_THICKNESS_H
#define TUMBLE_SRC_QUERY_THICKNESS_H

#include "tree/model.h"
#include "tumble/math.h"

typedef struct tmb_thickness {
    int is_any;        /* 0: both are thin, and nothing below is set */
    int is_uniform;    /* all polygons of each model are equally thick, and no cylinders */
    double scales[2];  /* of the poses of A and B */
    double padding[2]; /* of the objects, in the models' units */
    double most[2];    /* the largest radii */
} tmb_thickness;

tmb_thickness tmb_thickness_of(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                               const tumble_pose *pose_b, const double padding[2]);

/* Of one model, beside what has no radius. */
tmb_thickness tmb_thickness_alone(const tumble_model *model, const tumble_pose *pose, double padding);

/* A length plus the radii, in the frame of the poses, rounded once: of all polygons or the thickest, or of two. */
double tmb_thickness_beside(const tmb_thickness *thickness, double length, double radius_a, double radius_b);
/* Of a polygon of one of them, 0 or 1, alone. */
double tmb_thickness_own(const tmb_thickness *thickness, int which, double radius);
static inline double tmb_thickness_plus(const tmb_thickness *thickness, double length)
{
    return tmb_thickness_beside(thickness, length, thickness->most[0], thickness->most[1]);
}

/* Fails if the models are infinitely thick. */
tumble_status tmb_thickness_check(tumble_context *context, const tmb_thickness *thickness, double length);

#endif
