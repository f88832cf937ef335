/* What this machine and the kernels both know of: read by C compilers and by OpenCL's. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_KERNELS_TYPES_H
#define TUMBLE_SRC_DEVICE_OPENCL_KERNELS_TYPES_H

#ifdef __OPENCL_VERSION__
typedef uint tmb_u32;
typedef ulong tmb_u64;
#else
#include <stdint.h>
typedef uint32_t tmb_u32;
typedef uint64_t tmb_u64;
#endif

/* A model: where the sections of its block are in the device's memory, in bytes. */
typedef struct tmb_cl_model {
    tmb_u64 nodes, places, clusters, polygons;
    tmb_u32 is_float;
    tmb_u32 polygon_bytes; /* of each number; 0: triangle i is polygon i */
    tmb_u32 kind;          /* TMB_CL_WIDE and so on */
    /* Of a boxtree: its root, as nodes are referred to; the root box, in units of the grid; the unit and the grid's
     * origin in the local frame. */
    tmb_u32 root;
    int extent[3];
    float unit, origin[3];
    tmb_u32 reserved;
} tmb_cl_model;

/* Its nodes. */
#define TMB_CL_WIDE 0u
#define TMB_CL_ONE_PLANE 1u  /* boxtrees, in both layouts */
#define TMB_CL_TWO_PLANES 2u /* */

/* The same model for the kernel that prepares checks; all doubles. */
/* centre[3], scale, half[3] in the local unit, size[3]: the largest |coordinate|; whether it is a boxtree */
#define TMB_CL_FRAME_DOUBLES 16
#define TMB_CL_FRAME_SCALE 3
#define TMB_CL_FRAME_HALF 4
#define TMB_CL_FRAME_SIZE 8
#define TMB_CL_FRAME_IS_BOXTREE 11

/* A check as the walk needs it, in floats: see tmb_wide_walk. Maps are nine entries, the shift, the slack. */
#define TMB_CL_INTO_A 0
#define TMB_CL_INTO_B 13
#define TMB_CL_TURN 26
#define TMB_CL_SLAB_UNIT 35
#define TMB_CL_SLAB_SLACK 36
#define TMB_CL_SIZE_OF_B 37
#define TMB_CL_CHECK_FLOATS 38
#define TMB_CL_MAP_SHIFT 9
#define TMB_CL_MAP_SLACK 12

/* What became of a check. */
#define TMB_CL_OPEN 0u  /* it does not collide, unless pairs that are left to this machine do */
#define TMB_CL_FOUND 1u /* it collides */
#define TMB_CL_HOST 2u  /* this machine must answer it: an unusual pose or model */

/* What is asked of all checks of a launch. */
#define TMB_CL_TEST 0u
#define TMB_CL_FIRST 1u
#define TMB_CL_COUNT 2u
#define TMB_CL_LIST 3u

/* Work that waits: a check, two nodes, and which of their children are to be examined; or two clusters. */
typedef struct tmb_cl_item {
    tmb_u32 check, a, b;
    tmb_u32 children; /* those of A, 256 times those of B; or TMB_CL_CLUSTERS */
} tmb_cl_item;

#define TMB_CL_ALL_CHILDREN 0xffffu
#define TMB_CL_CLUSTERS 0x10000u
#define TMB_CL_ROOTS 0x20000u /* besides: the roots, whatever `a` and `b` are */

/* Levels that a step goes down in a boxtree: to as many nodes as a wide one has children. */
#define TMB_CL_LEVELS 3

/* Boxes of a pair of boxtrees' nodes, on their grids: lower and upper side along x, y and z, of A and then of B. */
#define TMB_CL_BOX_WORDS 12

/* How boxes of boxtrees are compared: along the axes of A, those of B, or both. */
#define TMB_CL_AXES_OF_A 1u
#define TMB_CL_AXES_OF_B 2u

/* A pair of triangles, by their addresses: found, or not decided. */
typedef struct tmb_cl_hit {
    tmb_u32 check, a, b;
} tmb_cl_hit;

#define TMB_CL_NOTHING 0xffffffffu /* as `check`: room that was not used */

/* Numbers that the work-groups of a launch share; the states of the checks follow them. */
#define TMB_CL_IN 0              /* items in the queue that is read */
#define TMB_CL_TAKEN 1           /* of these, given out (may be larger) */
#define TMB_CL_OUT 2             /* room asked for in the queue that is written */
#define TMB_CL_OUT_LIMIT 3       /* what lies before this is filled */
#define TMB_CL_HITS 4            /* the same for pairs that were found, */
#define TMB_CL_HITS_LIMIT 5      /* */
#define TMB_CL_UNDECIDED 6       /* and for those that were not decided */
#define TMB_CL_UNDECIDED_LIMIT 7 /* */
#define TMB_CL_IDLE 8            /* work-groups without work */
#define TMB_CL_SAVED 9           /* work-groups that have stopped with work left */
#define TMB_CL_LEFT 10           /* pairs that doubles have not decided either */
#define TMB_CL_TURNS 11          /* how often the queues were exchanged: the first is read when it is even */
#define TMB_CL_ENDED 12          /* work-groups that have ended, in this launch */
#define TMB_CL_KEPT 13           /* what SAVED was at the end of the last launch */
#define TMB_CL_COUNTERS 16

typedef struct tmb_cl_settings {
    tmb_u32 mode;
    tmb_u32 first_check, check_count; /* that are prepared */
    tmb_u32 one_pair;                 /* all checks are of the models below */
    tmb_u32 model_a, model_b;
    tmb_u32 queue_capacity, hit_capacity, undecided_capacity;
    tmb_u32 spill_capacity;  /* items that a work-group may put aside */
    tmb_u32 spill_threshold; /* from this many on it pops one at a time */
    tmb_u32 most_steps;      /* in one launch */
    tmb_u32 least_trials;    /* pairs of triangles that are tested together, if there are as many */
    tmb_u32 hungry;          /* this many idle work-groups make others share */
    tmb_u32 share_after;     /* steps, at least, */
    tmb_u32 share_mask;      /* and then whenever these bits of the steps are 0 */
    tmb_u32 one_pose;        /* all checks have the first one */
    tmb_u32 axes;            /* TMB_CL_AXES_OF_A and TMB_CL_AXES_OF_B: for boxtrees */
} tmb_cl_settings;

/* Lanes of a work-group, and pairs of nodes or clusters that it examines together: 8 + 8 children each. */
#define TMB_CL_LANES 32
#define TMB_CL_PAIRS (TMB_CL_LANES / 16)
#define TMB_CL_STACK 192
#define TMB_CL_REFILL 64
#define TMB_CL_CANDIDATES 160

/* Local memory of a work-group. It is an argument: PoCL 3.1 cannot compile this kernel with a variable for it. */
#define TMB_CL_WORKSPACE_BYTES 7616

/* Of the kernels that sort: work-items of a work-group, and items that each of them examines. */
#define TMB_CL_SORT_LANES 128
#define TMB_CL_SORT_ITEMS 16

/* What a work-group keeps between launches, in words: check, items put aside, candidates; then the candidates. */
#define TMB_CL_SAVED_HEAD 4
#define TMB_CL_SAVED_WORDS (TMB_CL_SAVED_HEAD + 2 * TMB_CL_CANDIDATES)

#endif
