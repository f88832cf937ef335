/* How far must two models be moved to part them? What the files of this folder share. See docs/motion.md, Depth. */
#ifndef TUMBLE_SRC_SEPARATE_SEPARATE_H
#define TUMBLE_SRC_SEPARATE_SEPARATE_H

#include "math/bigfloat.h"
#include "motion/exact.h"
#include "motion/moving.h"
#include "query/query.h"
#include "tree/box_view.h"
#include "tumble/separate.h"

typedef struct tmb_parting_scratch {
    tmb_buffer heaps[2], pairs, vacant; /* tmb_way_sweep_entry, tmb_way_sweep_pair, uint32_t */
    tmb_bigfloat_pool numbers, kept[2];
} tmb_parting_scratch;

/* A question in progress. */
typedef struct tmb_parting {
    tumble_query *query;
    tmb_parting_scratch *scratch;
    const tumble_separate_options *options;
    const tumble_model *models[2];
    const tumble_pose *poses[2];
    tmb_placed placed[2];
    double stretch[2], shrink[2]; /* how much longer the poses make a vector at most and at least, without units */
    tmb_box_view trees[2];
    int exponent; /* lengths in `placed` are times 2^-exponent */
    double error; /* of the difference of two points of the models, in these units */

    tumble_status status;
    tumble_counters counters;
    double deadline;
    int is_spent;
} tmb_parting;

/* Whether the search is to end: the budget ran out, or something failed. */
int tmb_parting_ends(tmb_parting *parting);

/* ---- One direction ---- */

/* How the models part along a way. */
typedef struct tmb_way_out {
    int found;                     /* 0: not before the limit, or the search ended */
    int is_tight;                  /* below and above are around the least multiple */
    double below, above;           /* multiples of the way; if nothing was found, below is how far contact is proven */
    tumble_pose pose;              /* of B after the move */
    double translation[3], length; /* to that pose; the length is rounded up */
    int has_last;
    uint32_t last[2]; /* addresses of the triangles that touch last */
    double normal[3]; /* of their plane, away from A */
} tmb_way_out;

/* The least multiple of a way, which is not 0, by which B is to be moved. Gives up when the move would be longer than
 * the limit. */
void tmb_part_along(tmb_parting *parting, const double way[3], double limit, tmb_way_out *out);

/* Whether the models are parted with B at this pose. Counts. */
typedef enum tmb_parted {
    TMB_PARTED,
    TMB_SURFACES_MEET,
    TMB_CONTAINED
} tmb_parted;
tmb_parted tmb_parted_at(tmb_parting *parting, const tumble_pose *pose);

/* B's pose after a translation, rounded; the exact move that this makes, rounded, and its length, rounded up. */
tumble_pose tmb_moved_pose(const tumble_pose *pose, const double translation[3], double made[3], double *length);

/* ---- All directions ---- */

/* A point that proves how deep the models are in each other. */
typedef struct tmb_deep_point {
    double lower; /* of every move that parts them; 0: nothing is proven */
    double at[3]; /* in the frame of the poses */
    double depth[2];
    double out[2][3]; /* unit vectors: the way out of the nearest surfaces, for B */
} tmb_deep_point;

/* Looks for the deepest point, in the ball of a limit. */
void tmb_find_deepest(tmb_parting *parting, tmb_deep_point *out);

/* Looks for the shortest move; `result` receives bounds, move and witnesses. */
void tmb_part_anywhere(tmb_parting *parting, tumble_separate_result *result);

#endif
