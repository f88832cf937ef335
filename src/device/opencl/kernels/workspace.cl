/* What a work-group that walks has at hand: tables, local memory, its lanes together, its stack. See walk.cl. */

/* Where things are; the same for all lanes except for the lane's number. */
typedef struct tables {
    tmb_cl_settings s;
    global const uchar *memory;
    global const tmb_cl_model *models;
    global const coordinate *frames; /* of the models */
    global const tmb_u32 *pairs;
    global const coordinate *moves; /* how B's points are moved: 12 numbers per check */
    global const float *checks;
    global tmb_u32 *counters, *states, *numbers; /* two numbers per check: the count, low word first; or the first pair */
    global tmb_cl_hit *hits, *undecided;
    global const tmb_cl_item *queue_in;
    global tmb_cl_item *queue_out, *spill;
    global tmb_u32 *saved;
    /* Boxes of the items of both queues, and of all that waits for the work-group; NULL when no model is a boxtree. */
    global const int *boxes_in;
    global int *boxes_out, *boxes;
    tmb_u32 lane;
    int one; /* one pair of a check is enough */
} tables;

/* A node's child, decoded: rows of one number for each lane. */
#define OWN_LOWER 0
#define OWN_UPPER 3
#define OTHER_LOWER 6
#define OTHER_UPPER 9
#define NORMAL 12
#define INVERSE 15
#define CENTRE 16
#define EXTENT 19
#define MIDDLE 22
#define HALF 23
#define FIELDS 24

/* What a turn of the loop does. */
#define LOOK_AT_NODES 0
#define LOOK_AT_CLUSTERS 1
#define LOOK_AT_TRIANGLES 2
#define TAKE_BACK 3 /* items that were put aside */
#define TAKE_CHECK 4
#define SHARE 5
#define SAVE 6
#define END 7

typedef struct workspace {
    float fields[FIELDS][TMB_CL_LANES];
    tmb_u32 stack_a[TMB_CL_STACK], stack_b[TMB_CL_STACK], stack_children[TMB_CL_STACK];
    tmb_u32 candidates_a[TMB_CL_CANDIDATES], candidates_b[TMB_CL_CANDIDATES];
    float check[TMB_CL_CHECK_FLOATS];
    coordinate rows[12], origin[3]; /* how B's points are moved; a point near A's */
    tmb_cl_model models[2];
    tmb_u32 action, is_ended, taken, steps;
    tmb_u32 number; /* of the check */
    tmb_u32 item;   /* of the queue, that it came with */
    tmb_u32 waiting, spilled, candidate_count;
    tmb_u32 pair_a[TMB_CL_PAIRS], pair_b[TMB_CL_PAIRS];
    tmb_u32 present[TMB_CL_PAIRS][2]; /* bit i: child or triangle i exists and is wanted; other lanes hold old numbers */
    tmb_u32 first_child[TMB_CL_PAIRS][2], lowest[TMB_CL_PAIRS][2];
    float longest[TMB_CL_PAIRS][2];
    tmb_u32 lines[TMB_CL_PAIRS][8], has_lines;
    tmb_u32 meeting, passing, deepest, deepest_place;
    tmb_u32 hit_count, undecided_count, hit_base, undecided_base, queue_base;
    tmb_u32 found;   /* a pair of the check, or its flag that another has: nothing more is asked */
    tmb_u32 total;   /* pairs that were counted */
    tmb_u32 is_full; /* results have found no room */
    tmb_u32 is_too_much; /* for the stack */
    uchar meets[64 * TMB_CL_PAIRS], passes[64 * TMB_CL_PAIRS];
} workspace;

typedef char workspace_fits[sizeof(workspace) <= TMB_CL_WORKSPACE_BYTES ? 1 : -1];

/* ---- Numbers that other work-groups change meanwhile ---- */

static tmb_u32 look_at(global tmb_u32 *number)
{
    return atomic_or(number, 0u);
}

static void set(global tmb_u32 *number, tmb_u32 value)
{
    (void)atomic_xchg(number, value);
}

/* ---- Lanes together ---- */

/* All lanes append to a list in local memory whose length is `shared`; those with a flag get places. On NVIDIA's devices
 * the lanes are one warp: it votes, and `total`, each lane's own copy of the length, is published when the list ends. */
#ifdef __NV_CL_C_VERSION

#define WAIT() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define WAIT_ALL() WAIT()

static tmb_u32 append(local tmb_u32 *shared, tmb_u32 *total, int flag, tmb_u32 lane)
{
    tmb_u32 lanes;
    __asm__ volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                     : "=r"(lanes)
                     : "r"(flag));
    const tmb_u32 place = *total + popcount(lanes & ((1u << lane) - 1));
    *total += popcount(lanes);
    return place;
}

static void publish(local tmb_u32 *shared, tmb_u32 total, tmb_u32 lane)
{
    if (lane == 0) {
        *shared = total;
    }
}

#else

#define WAIT() barrier(CLK_LOCAL_MEM_FENCE)
#define WAIT_ALL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

static tmb_u32 append(local tmb_u32 *shared, tmb_u32 *total, int flag, tmb_u32 lane)
{
    return flag ? atomic_inc(shared) : 0;
}

static void publish(local tmb_u32 *shared, tmb_u32 total, tmb_u32 lane)
{
}

#endif

/* ---- The stack ---- */

/* Items of the stack go to the work-group's own part of global memory, after those that are there. */
static void copy_aside(const tables *t, local const workspace *w, tmb_u32 count)
{
    for (tmb_u32 i = t->lane; i < count; i += TMB_CL_LANES) {
        global tmb_cl_item *item = &t->spill[w->spilled + i];
        item->check = w->number;
        item->a = w->stack_a[i];
        item->b = w->stack_b[i];
        item->children = w->stack_children[i];
    }
}

/* The last `taken` of those come back, to an empty stack. */
static void copy_back(const tables *t, local workspace *w)
{
    for (tmb_u32 i = t->lane; i < w->taken; i += TMB_CL_LANES) {
        global const tmb_cl_item *item = &t->spill[w->spilled - w->taken + i];
        w->stack_a[i] = item->a;
        w->stack_b[i] = item->b;
        w->stack_children[i] = item->children;
    }
}

static void put(local workspace *w, tmb_u32 place, tmb_u32 a, tmb_u32 b, tmb_u32 children)
{
    w->stack_a[place] = a;
    w->stack_b[place] = b;
    w->stack_children[place] = children;
}
