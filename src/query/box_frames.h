/* The boxes of two models' nodes (tree/box_view.h), in A's frame and in B's: how far apart they are at least. */
#ifndef TUMBLE_SRC_QUERY_BOX_FRAMES_H
#define TUMBLE_SRC_QUERY_BOX_FRAMES_H

#include "query/encounter.h"
#include "tree/box_view.h"

#define TMB_BOX_LANES TMB_BOX_CHILDREN

enum {
    TMB_BOXES_A,
    TMB_BOXES_B
};

/* Eight boxes, or points that they hold. */
typedef struct tmb_box_lanes {
    double lower[3][TMB_BOX_LANES], upper[3][TMB_BOX_LANES];
} tmb_box_lanes;

/* Between the frames of the models, with all errors. */
typedef struct tmb_box_frames {
    tumble_pose into_b; /* about the inverse of the pose that takes B's points into A's frame */
    int has_b;          /* 0: B's frame is not used, as too much is lost on the way */
    double slack;       /* of distances in B's frame */
    double least, most; /* how much longer a vector of B's frame gets in A's: bounds from both sides */
    double reach;       /* no coordinate in A's frame is larger, about */
} tmb_box_frames;

tmb_box_frames tmb_box_frames_of(const tmb_encounter *encounter);

/* Lower bounds of the distances, in A's frame, of 8 boxes of one model from a box of the other, all in both frames. */
void tmb_box_bounds(const tmb_box_frames *frames, const tmb_box_lanes *eight, const tmb_box_lanes *one, uint32_t lane,
                    double lower[TMB_BOX_LANES]);

/* Those of 8 boxes from one, in whatever frame: negative when they overlap, by how deep they do. */
void tmb_box_distances(const tmb_box_lanes *eight, const tmb_box_lanes *one, uint32_t lane,
                       double lower[TMB_BOX_LANES]);

#endif
