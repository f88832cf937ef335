/* Which polygons of a model meet a box or a ball: what the files overlap*.c share. */
#ifndef TUMBLE_SRC_POINT_OVERLAP_H
#define TUMBLE_SRC_POINT_OVERLAP_H

#include "base/kernel.h"
#include "collide/pair_set.h"
#include "point/point.h"
#include "tree/box_view.h"
#include "tumble/point.h"

#define TMB_OVERLAP_STAGE 256 /* polygons that wait for the callback */

typedef struct tmb_overlap tmb_overlap;

/* Which of some boxes, in the model's frame, may meet the shape, as bits; and which are inside it. */
typedef unsigned tmb_overlap_boxes_function(const tmb_overlap *overlap, const tmb_box_lanes *boxes, unsigned *inside);

/* Hits and misses among some triangles of a cluster, as bits; the others are not decided. */
typedef void tmb_overlap_cluster_function(tmb_overlap *overlap, uint32_t cluster, unsigned *hits, unsigned *misses);

struct tmb_overlap {
    tumble_query *query;
    const tumble_model *model;
    const tumble_overlap_options *options;
    tmb_point_scratch *scratch;
    tmb_encounter place;

    /* A box: in its own frame, into which the model is moved unless both frames are the same. */
    double lower[3], upper[3];
    double reach_lower[3], reach_upper[3]; /* larger by the model's radius, */
    tmb_limit reach;                       /* in that frame */
    int has_pose;
    /* A ball, in the model's frame. */
    int is_ball;
    double centre[3];
    double given_radius;
    tmb_limit radius, least; /* with those of the model's polygons: the largest, and one that none is below */
    int has_floats;          /* see tmb_point_search */
    /* Of models with a radius: */
    int is_thick, has_radii; /* polygons have their own */
    int has_flat_ends;       /* they are cylinders */
    tmb_thickness thick;
    double unit; /* of the frame in which they are compared */

    tmb_overlap_boxes_function *boxes;
    tmb_overlap_cluster_function *cluster;
    tmb_pair_set seen; /* polygons that were reported, if some have several triangles */
    int has_large, is_over;
    size_t stored; /* polygons in scratch->polygons; with a callback, those that wait for it */
    tumble_status status;
    tumble_overlap_result *result;
};

/* The children of a wide node in doubles, as tree/box_view.h gives them. */
typedef void tmb_overlap_decode_function(const tmb_box_view *view, const void *node, tmb_box_lanes *out);
TMB_DECLARE_KERNELS(tmb_overlap_decode_function, tmb_overlap_decode);
TMB_DECLARE_KERNELS(tmb_overlap_boxes_function, tmb_overlap_moved_boxes);
TMB_DECLARE_KERNELS(tmb_overlap_cluster_function, tmb_overlap_box_cluster);
TMB_DECLARE_KERNELS(tmb_overlap_cluster_function, tmb_overlap_ball_cluster);

/* Decides about a triangle that the lanes left. */
int tmb_overlap_triangle(tmb_overlap *overlap, uint32_t address);

/* Reports a polygon, unless it was before. */
void tmb_overlap_hit(tmb_overlap *overlap, uint32_t polygon);

/* Goes through the hierarchy. */
void tmb_overlap_walk(tmb_overlap *overlap);

#endif
