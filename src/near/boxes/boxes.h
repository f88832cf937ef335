/* Two hierarchies of any kind in a search for the nearest triangles, as trees of boxes (tree/box_view.h) in double: for
 * hierarchies that have no faster walk, for two different ones, and where floats do not do because the models are far
 * apart, or very different in size.
 *
 * Nodes that were opened are kept in tables, one for each model, as groups of up to eight siblings. A node is known by
 * 8 times its group's number plus its lane. The tables stay in the query as long as the models are the same, and so do
 * the numbers; what depends on where the models stand is computed anew when a group is first examined in a search. */
#ifndef TUMBLE_SRC_NEAR_BOXES_BOXES_H
#define TUMBLE_SRC_NEAR_BOXES_BOXES_H

#include "base/assert.h"
#include "math/bounds.h"
#include "near/near.h"
#include "query/box_frames.h"
#include "tree/box_view.h"

/* In a pair's number: the node was replaced by its children, to which the bits of the pair's children refer. Without it
 * in either number the pair is whole. */
#define TMB_BOX_LEFT 0x80000000u
#define TMB_BOX_GROUPS_MOST (TMB_BOX_LEFT / TMB_BOX_LANES)

typedef struct tmb_box_group {
    tmb_box_lanes in[2];                                              /* A's frame and B's */
    double along_lower[TMB_BOX_LANES];                                /* how far they reach along the axis, */
    double along_upper[TMB_BOX_LANES];                                /* when there is one */
    double size[TMB_BOX_LANES];                                       /* the longest side, about, in A's unit */
    uint64_t search;                                                  /* for which the above was computed */
    uint32_t count;                                                   /* lanes */
    uint32_t together;                                                /* triangles, when all are leaves; else 0 */
    uint32_t children[TMB_BOX_LANES];                                 /* a group; 0: not opened so far */
    uint32_t reference[TMB_BOX_LANES], triangle_count[TMB_BOX_LANES]; /* as in tmb_box_node */
    int32_t own[TMB_BOX_LANES][6];
} tmb_box_group;

typedef struct tmb_triangle_lanes tmb_triangle_lanes;

typedef struct tmb_boxes_near {
    tmb_box_view trees[2];
    tmb_box_frames frames;
    uint64_t search; /* its number */
    /* When the models are farther apart than large, leaves are also compared along the line between them. Distances are
     * from an origin. */
    int has_axis, is_tight;
    double axis[3], origin[3];
    tmb_triangle_lanes *triangles[2];     /* of leaves */
    tmb_near_clusters_function *clusters; /* NULL: coordinates do not suit floats */
} tmb_boxes_near;

/* ---- Along an axis ---- */

/* A direction to look along, with an origin near A's box, from the centre of one box to that of the other. 0 when there
 * is none, or the boxes are too large for it. */
int tmb_box_axis(const tmb_box_lanes *a, uint32_t lane_a, const tmb_box_lanes *b, uint32_t lane_b, double origin[3],
                 double axis[3]);

/* Widens a range by a point's place along an axis, and the rounding errors of that. */
void tmb_widen_along(const double axis[3], const double origin[3], double x, double y, double z, double *lower,
                     double *upper);

/* From ranges along an axis to a lower bound of the distance; below 0 it means nothing. The axis has length 1 except
 * for 3.5 u, u = 2^-53: a sum, a root and two quotients; then the difference and the product here. */
static inline double tmb_gap_along(double upper_a, double lower_b)
{
    TMB_ASSERT(!isnan(upper_a) && !isnan(lower_b));
    return (lower_b - upper_a) * (1 - TMB_ALONG_AXIS_GAP_ROUNDING);
}

/* ---- Tables ---- */

/* Makes the tables ready, with the roots; 0 if memory runs out. */
int tmb_boxes_begin(tmb_near_search *search, tmb_boxes_near *near);

/* The group of a node (0 for A, 1 for B), as it is in this search. Valid until the next node of that model is opened.
 */
tmb_box_group *tmb_boxes_group(tmb_near_search *search, int side, uint32_t node);

/* The number of the group of a node's children; 0, and the search has failed, if memory runs out. Not of leaves. */
uint32_t tmb_boxes_open(tmb_near_search *search, int side, uint32_t node);

/* Of the tree itself. */
static inline int tmb_box_is_leaf(const tmb_box_group *group, uint32_t lane)
{
    TMB_ASSERT(lane < group->count);
    return group->triangle_count[lane] - 1 < TMB_BOX_LEAF;
}

/* Whether a node is a leaf of the search: one of the tree, or above leaves that together have few triangles. */
int tmb_boxes_is_leaf(tmb_near_search *search, int side, uint32_t node);

/* Finds which triangles reach farthest towards the other model along the axis. Nodes on the way get tight there, which
 * leaves few pairs to examine. Ends before, when the budget is spent; nothing is wrong, then. */
void tmb_boxes_tighten(tmb_near_search *search);

/* ---- Triangles ---- */

#define TMB_BOX_LEAVES 32              /* of each model whose triangles are kept, in a direct-mapped table */
size_t tmb_triangle_lanes_bytes(void); /* of all these */
void tmb_triangle_lanes_begin(tmb_boxes_near *near, void *memory);

/* Raises the lower bounds of the distances, `stride` apart, of a leaf from a group of nodes that are much smaller. */
void tmb_boxes_raise_small(tmb_near_search *search, int side, uint32_t leaf, const tmb_box_group *small, double *bounds,
                           uint32_t stride);

/* Compares the triangles of two leaves. */
void tmb_boxes_near_leaves(tmb_near_search *search, uint32_t node_a, uint32_t node_b);

#endif
