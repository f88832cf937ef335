/* States: many configurations of some objects of a scene, which itself does not change. What its parts share.
 *
 * A plan is made once and kept while scene and objects stay the same: the objects that take part, in the order of their
 * indices, and for each of them the later ones that it is compared with, as bits of groups of eight. A state then costs
 * the boxes of what moves, eight boxes against one at a time, and the questions about pairs whose boxes overlap. */
#ifndef TUMBLE_SRC_SCENE_STATES_H
#define TUMBLE_SRC_SCENE_STATES_H

#include <stdatomic.h>

#include "query/query.h"
#include "scene/scene.h"

#define TMB_STATES_LANES 8

/* An object that takes part. */
typedef struct tmb_state_item {
    uint32_t object; /* its index */
    uint32_t slot;   /* which pose of a state is its own; TMB_NONE: it stays where the scene has it */
    const tumble_model *model;
    const tmb_extents *extents;
    double clearance;              /* its own */
    double padding;                /* its own radius */
    double centre[4], half[4];     /* of its model's box, with what roundings need; the last are 1 and 0 */
    double grown;                  /* by clearances, in the frame of the poses */
    uint32_t first_link, link_end; /* those with later items */
} tmb_state_item;

/* Items 8 `group` + i, for each bit i, are compared with an item. */
typedef struct tmb_state_link {
    uint32_t group, bits;
} tmb_state_link;

typedef struct tmb_states_plan {
    int is_valid;
    uint64_t serial, update; /* of the scene that it is for */
    double margin;           /* of the boxes, on top of the objects' own clearances, */
    int is_nearest;          /* or boxes have neither */
    tmb_buffer asked;        /* of tumble_object: what moves, in the caller's order */
    size_t asked_count;
    tmb_buffer items, links, still, slots;
    uint32_t item_count, lane_count; /* lanes: items, and empty boxes up to a multiple of 8 */
    uint32_t link_count;
    int uses_tree; /* what stays is not among the items, but looked up in the scene's tree */
} tmb_states_plan;

static inline const tmb_state_item *tmb_plan_item(const tmb_states_plan *plan, uint32_t i)
{
    TMB_ASSERT(i < plan->item_count);
    return (const tmb_state_item *)plan->items.data + i;
}

/* Two objects that may touch, in the order of their indices: the item, or the index of an object that stays. */
typedef struct tmb_state_pair {
    uint32_t a, b;           /* objects */
    uint32_t item_a, item_b; /* TMB_NONE: found in the tree */
    float gap;               /* NEAREST: no more than the distance of their boxes, in the scene's frame */
} tmb_state_pair;

/* What a thread needs. */
typedef struct tmb_states_worker {
    tumble_query *query;
    tmb_buffer boxes; /* floats: three rows of lower and three of upper bounds, a lane for each item */
    tmb_buffer pairs, found;
    size_t pair_count;
    atomic_uchar is_taken;
} tmb_states_worker;

/* Kernels (states_kernel.c). Boxes: those of all items that move, at the poses of a state; returns the slot of a pose
 * that is not plainly good, or TMB_NONE. Overlaps: writes the pairs whose boxes overlap, in order, where there is room
 * for all links; returns how many. Gaps: those whose boxes are within `limit` in the scene's frame, with gaps. */
typedef uint32_t tmb_states_boxes_kernel(const tmb_states_plan *plan, const tmb_scene_frame *frame,
                                         const tumble_pose *poses, float *boxes);
typedef size_t tmb_states_pairs_kernel(const tmb_states_plan *plan, const float *boxes, float limit,
                                       tmb_state_pair *out);
TMB_DECLARE_KERNELS(tmb_states_boxes_kernel, tmb_states_boxes);
TMB_DECLARE_KERNELS(tmb_states_pairs_kernel, tmb_states_overlaps);
TMB_DECLARE_KERNELS(tmb_states_pairs_kernel, tmb_states_gaps);

typedef struct tmb_states_kernels {
    tmb_states_boxes_kernel *boxes;
    tmb_states_pairs_kernel *overlaps, *gaps;
} tmb_states_kernels;

/* A batch while it is looked at. */
typedef struct tmb_states_search {
    tumble_scene *scene;
    const tumble_states *states;
    const tumble_states_question *question;
    const tmb_states_plan *plan;
    size_t stride;
    struct tmb_states_scratch *scratch;
    tmb_states_kernels kernels;
    tmb_boxes_apart_kernel *apart;
    bool *touch; /* results, by state; the others NULL where the mode has none */
    tumble_object_pair *pairs;
    tumble_near *nearest;
    uint64_t first_key;     /* the pair that touched last, or was nearest, before the batch */
    size_t begin;           /* of this block */
    _Atomic uint64_t event; /* the first thing that ends the batch: twice the state, and 1 more if it was looked at */
} tmb_states_search;

/* The answer about one state. */
typedef struct tmb_state_answer {
    int touch;
    uint64_t key; /* of the pair that touches, or is nearest */
    tumble_near nearest;
} tmb_state_answer;

/* Makes the plan, unless it is that already (states_plan.c). The scene is up to date. */
tumble_status tmb_states_make_plan(tumble_scene *scene, const tumble_states *states,
                                   const tumble_states_question *question, tmb_states_plan *plan);
void tmb_states_release_plan(tumble_context *context, tmb_states_plan *plan);

/* Looks at one state (states_check.c). `hint` is the key of a pair that may touch, or be near, and is replaced. */
tumble_status tmb_states_check(const tmb_states_search *search, tmb_states_worker *worker, size_t state, uint64_t *hint,
                               tumble_counters *counters, tmb_state_answer *answer);

/* The box of one item of the worker's, or of an object that stays, in the scene's frame. */
static inline tmb_box tmb_states_box(const tmb_states_plan *plan, const float *boxes, uint32_t item)
{
    const size_t lanes = plan->lane_count;
    return (tmb_box){{boxes[item], boxes[lanes + item], boxes[2 * lanes + item]},
                     {boxes[3 * lanes + item], boxes[4 * lanes + item], boxes[5 * lanes + item]}};
}

#endif
