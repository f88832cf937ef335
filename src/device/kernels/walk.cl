/* Two wide hierarchies against each other, for many checks at once: what src/query/wide_kernel.c does with eight lanes,
 * by work-groups of 32. docs/wide.md has the bounds, docs/device.md what is different here.
 *
 * A work-group takes a check from the queue and goes down its two trees with a stack of its own. Two pairs of nodes are
 * looked at together: each lane decodes one of their 32 children, then the lanes share the 128 pairs of children. Pairs
 * of clusters wait on the same stack; of these the triangles' boxes are compared, and the pairs of triangles that are
 * left are gathered until there is one for each lane.
 *
 * No work-group ever waits for another. When too many have nothing to do, one that has puts its stack into the queue of
 * the next launch; when a list of results is full, or its time is over, it keeps what it has and ends.
 *
 * The kernel is one loop. In each turn lane 0 plans what all do next; then come phases with a barrier behind each. No
 * barrier is in a branch, and for one warp they cost little. PoCL asks for more. The loop has at least one turn: to
 * PoCL a barrier in a loop that may have none is in a branch. And where a phase begins with a choice, one way leads
 * straight to the barrier: PoCL 5.0 gives every way with branches of its own a new end, and when none is left for the
 * choice itself it makes a block that nothing leads to. END, a turn that does nothing, serves for both. */

/* Where things are; the same for all lanes but for the lane's number. */
typedef struct tables {
    tmb_cl_settings s;
    global const uchar *memory;
    global const tmb_cl_model *models;
    global const coordinate *frames; /* of the models */
    global const tmb_u32 *pairs;
    global const coordinate *moves; /* how B's points are moved: 12 numbers a check */
    global const float *checks;
    global tmb_u32 *counters, *states, *numbers; /* two numbers a check: the count, low word first; or the first pair */
    global tmb_cl_hit *hits, *undecided;
    global const tmb_cl_item *queue_in;
    global tmb_cl_item *queue_out, *spill;
    global tmb_u32 *saved;
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
    tmb_u32 waiting, spilled, candidate_count;
    tmb_u32 pair_a[TMB_CL_PAIRS], pair_b[TMB_CL_PAIRS];
    tmb_u32 first_child[TMB_CL_PAIRS][2], lowest[TMB_CL_PAIRS][2];
    float longest[TMB_CL_PAIRS][2];
    tmb_u32 lines[TMB_CL_PAIRS][8];
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

/* Items of the stack go to the work-group's own part of global memory, behind those that are there. */
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

/* ---- Nodes ---- */

/* A child that is not there, or not wanted, meets nothing. */
static void store_nothing(local workspace *w, tmb_u32 lane)
{
    for (int k = 0; k < 3; k++) {
        w->fields[OWN_LOWER + k][lane] = w->fields[OTHER_LOWER + k][lane] = INFINITY;
        w->fields[OWN_UPPER + k][lane] = w->fields[OTHER_UPPER + k][lane] = -INFINITY;
    }
}

/* The slab of a child; `unit` brings B's directions to about A's length. */
static void decode_slab(global const uchar *node, tmb_u32 child, tmb_u32 side, local workspace *w, tmb_u32 lane,
                        float longest)
{
    global const char *direction = (global const char *)(node + 48);
    global const short *range = (global const short *)(node + 64);
    const float x = (float)direction[child] * (1.0f / 127), y = (float)direction[8 + child] * (1.0f / 127);
    const float z = 1 - fabs(x) - fabs(y), over = fmax(-z, 0.0f);
    float n[3] = {x - copysign(over, x), y - copysign(over, y), z};
    const float half_unit = longest * (0.5f / 256) * (side ? w->check[TMB_CL_SLAB_UNIT] : 1.0f);
    const float low = (float)range[child], high = (float)range[8 + child];
    w->fields[MIDDLE][lane] = (high + low) * half_unit;
    w->fields[HALF][lane] = (high - low) * half_unit;
    if (side) {
        local const float *turn = &w->check[TMB_CL_TURN];
        const float nx = turn[0] * n[0] + turn[1] * n[1] + turn[2] * n[2];
        const float ny = turn[3] * n[0] + turn[4] * n[1] + turn[5] * n[2];
        const float nz = turn[6] * n[0] + turn[7] * n[1] + turn[8] * n[2];
        n[0] = nx, n[1] = ny, n[2] = nz;
    }
    for (int k = 0; k < 3; k++) {
        w->fields[NORMAL + k][lane] = n[k];
    }
    w->fields[INVERSE][lane] = 1 / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* Its box, in its own frame and in the other's. */
static void decode_box(global const uchar *node, tmb_u32 child, tmb_u32 side, local workspace *w, tmb_u32 lane)
{
    global const float *origin = (global const float *)(node + 96), *scale = (global const float *)(node + 108);
    local const float *map = &w->check[side ? TMB_CL_INTO_A : TMB_CL_INTO_B];
    float centre[3], half_side[3];
    for (int k = 0; k < 3; k++) {
        const float low = (float)node[8 * k + child] * scale[k] + origin[k];
        const float high = (float)node[24 + 8 * k + child] * scale[k] + origin[k];
        w->fields[OWN_LOWER + k][lane] = low;
        w->fields[OWN_UPPER + k][lane] = high;
        centre[k] = (low + high) * 0.5f;
        half_side[k] = (high - low) * 0.5f;
    }
    for (int k = 0; k < 3; k++) {
        local const float *row = map + 3 * k;
        const float middle =
            row[0] * centre[0] + row[1] * centre[1] + row[2] * centre[2] + map[TMB_CL_MAP_SHIFT + k];
        const float extent = fabs(row[0]) * half_side[0] + fabs(row[1]) * half_side[1] + fabs(row[2]) * half_side[2] +
                             map[TMB_CL_MAP_SLACK];
        w->fields[OTHER_LOWER + k][lane] = middle - extent;
        w->fields[OTHER_UPPER + k][lane] = middle + extent;
        w->fields[CENTRE + k][lane] = side ? middle : centre[k]; /* in A's frame, for the slabs */
        w->fields[EXTENT + k][lane] = side ? extent : half_side[k];
    }
}

static void decode(const tables *t, local workspace *w, tmb_u32 number, tmb_u32 children)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, child = lane & 7;
    global const uchar *node = t->memory + w->models[side].nodes + 128 * (tmb_u64)number;
    global const float *scale = (global const float *)(node + 108);
    global const tmb_u32 *links = (global const tmb_u32 *)(node + 120);
    const float longest = fmax(fmax(scale[0], scale[1]), scale[2]);
    const tmb_u32 count = links[1] & 0xffff, wanted = children >> 8 * side;
    if (child < count && (wanted >> child & 1)) {
        decode_box(node, child, side, w, lane);
        decode_slab(node, child, side, w, lane, longest);
    } else {
        store_nothing(w, lane);
    }
    if (child == 0) {
        w->first_child[slot][side] = links[0];
        w->lowest[slot][side] = links[1] >> 16;
        w->longest[slot][side] = longest;
    }
}

/* Child i of A's node is that of lane i of the slot, child j of B's that of lane 8 + j. */
static tmb_u32 lane_of_a(tmb_u32 pair)
{
    return (pair >> 6) * 16 + (pair & 7);
}

static tmb_u32 lane_of_b(tmb_u32 pair)
{
    return (pair >> 6) * 16 + 8 + (pair >> 3 & 7);
}

/* The boxes of one child in both frames. */
typedef struct boxes {
    float own_lower[3], own_upper[3], other_lower[3], other_upper[3];
} boxes;

static boxes boxes_of(local const workspace *w, tmb_u32 lane)
{
    boxes b;
    for (int k = 0; k < 3; k++) {
        b.own_lower[k] = w->fields[OWN_LOWER + k][lane];
        b.own_upper[k] = w->fields[OWN_UPPER + k][lane];
        b.other_lower[k] = w->fields[OTHER_LOWER + k][lane];
        b.other_upper[k] = w->fields[OTHER_UPPER + k][lane];
    }
    return b;
}

static int boxes_meet(const boxes *a, const boxes *b)
{
    int meet = 1;
    for (int k = 0; k < 3; k++) {
        meet &= a->own_lower[k] <= b->other_upper[k];
        meet &= b->other_lower[k] <= a->own_upper[k];
        meet &= a->other_lower[k] <= b->own_upper[k];
        meet &= b->own_lower[k] <= a->other_upper[k];
    }
    return meet;
}

static int slabs_meet(local const workspace *w, tmb_u32 pair)
{
    const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair);
    float dot_ab = 0, between_a = 0, between_b = 0, na[3], nb[3];
    for (int k = 0; k < 3; k++) {
        na[k] = w->fields[NORMAL + k][a];
        nb[k] = w->fields[NORMAL + k][b];
        const float apart = w->fields[CENTRE + k][b] - w->fields[CENTRE + k][a];
        dot_ab += na[k] * nb[k];
        between_a += na[k] * apart;
        between_b += nb[k] * apart;
    }
    const float share_a = dot_ab * w->fields[INVERSE][a], share_b = dot_ab * w->fields[INVERSE][b];
    const float half_a = w->fields[HALF][a], half_b = w->fields[HALF][b];
    const float slack = w->check[TMB_CL_SLAB_SLACK];
    float reach_a = half_a + fabs(share_b) * half_b + slack, reach_b = half_b + fabs(share_a) * half_a + slack;
    for (int k = 0; k < 3; k++) {
        reach_a += fabs(na[k] - share_b * nb[k]) * w->fields[EXTENT + k][b];
        reach_b += fabs(nb[k] - share_a * na[k]) * w->fields[EXTENT + k][a];
    }
    const float middle_a = w->fields[MIDDLE][a], middle_b = w->fields[MIDDLE][b];
    return fabs(between_a + share_b * middle_b - middle_a) <= reach_a &&
           fabs(between_b + middle_b - share_a * middle_a) <= reach_b;
}

/* How deep two boxes are in each other, as bits that have the same order; the pair in the lowest ones. */
static tmb_u32 depth_of(local const workspace *w, tmb_u32 pair)
{
    const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair);
    float depth = 1;
    for (int k = 0; k < 3; k++) {
        const float from_below = w->fields[OWN_UPPER + k][a] - w->fields[OTHER_LOWER + k][b];
        const float from_above = w->fields[OTHER_UPPER + k][b] - w->fields[OWN_LOWER + k][a];
        depth = fmin(depth, fmin(from_below, from_above) / (from_below + from_above));
    }
    return (as_uint(fmax(depth, 0.0f)) & ~127u) | pair;
}

/* Bit 0: A's node is left for its children, bit 1: B's; both when their children are clusters. */
static tmb_u32 steps_of(local const workspace *w, tmb_u32 slot)
{
    const tmb_u32 lowest_a = w->lowest[slot][0], lowest_b = w->lowest[slot][1];
    if (lowest_a && lowest_b) {
        return 3;
    }
    const float size_a = w->longest[slot][0], size_b = w->longest[slot][1] * w->check[TMB_CL_SIZE_OF_B];
    const int into_a = !lowest_a && (lowest_b || !(size_b > 1.5f * size_a));
    const int into_b = !lowest_b && (lowest_a || !(size_a > 1.5f * size_b));
    return (tmb_u32)into_a | (tmb_u32)into_b << 1;
}

/* What comes first is on top. */
static void raise_deepest(local workspace *w)
{
    const tmb_u32 from = w->deepest_place, top = w->waiting - 1;
    const tmb_u32 a = w->stack_a[from], b = w->stack_b[from], children = w->stack_children[from];
    w->stack_a[from] = w->stack_a[top], w->stack_b[from] = w->stack_b[top];
    w->stack_children[from] = w->stack_children[top];
    w->stack_a[top] = a, w->stack_b[top] = b, w->stack_children[top] = children;
}

/* The pairs that were taken lie behind the stack's end until something is pushed. */
static void decode_nodes(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, entry = w->waiting + slot;
    if (slot < w->taken) {
        decode(t, w, side ? w->stack_b[entry] : w->stack_a[entry], w->stack_children[entry]);
    }
    if (lane < w->taken) {
        w->pair_a[lane] = w->stack_a[w->waiting + lane];
        w->pair_b[lane] = w->stack_b[w->waiting + lane];
    }
    if (lane < 8 * TMB_CL_PAIRS) {
        w->lines[lane >> 3][lane & 7] = 0;
    }
}

/* A lane has one child of A, and two of B's one after the other. */
static void list_meeting_boxes(const tables *t, local workspace *w)
{
    tmb_u32 total = 0;
    for (tmb_u32 slot = 0; slot < w->taken; slot++) {
        const boxes a = boxes_of(w, slot * 16 + (t->lane & 7));
        for (tmb_u32 turn = 0; turn < 2; turn++) {
            const tmb_u32 pair = slot * 64 + turn * TMB_CL_LANES + t->lane;
            const boxes b = boxes_of(w, lane_of_b(pair));
            const int meet = boxes_meet(&a, &b);
            const tmb_u32 place = append(&w->meeting, &total, meet, t->lane);
            if (meet) {
                w->meets[place] = (uchar)pair;
            }
        }
    }
    publish(&w->meeting, total, t->lane);
}

static void list_meeting_slabs(const tables *t, local workspace *w)
{
    const tmb_u32 meeting = w->meeting;
    tmb_u32 total = 0;
    for (tmb_u32 first = 0; first < meeting; first += TMB_CL_LANES) {
        const tmb_u32 i = first + t->lane, pair = w->meets[min(i, meeting - 1)];
        const int meet = i < meeting && slabs_meet(w, pair);
        const tmb_u32 place = append(&w->passing, &total, meet, t->lane);
        if (meet) {
            w->passes[place] = (uchar)pair;
            if (t->one) {
                atomic_max(&w->deepest, depth_of(w, pair));
            }
        }
    }
    publish(&w->passing, total, t->lane);
}

/* Pairs of which both nodes are left go on the stack. Where one node stays, the other's children come with the line of
 * those that they meet. */
static void push_pairs(const tables *t, local workspace *w)
{
    const tmb_u32 passing = w->passing;
    tmb_u32 total = w->waiting;
    for (tmb_u32 first = 0; first < passing; first += TMB_CL_LANES) {
        const tmb_u32 number = first + t->lane, pair = w->passes[min(number, passing - 1)];
        const tmb_u32 slot = pair >> 6, i = pair & 7, j = pair >> 3 & 7, steps = steps_of(w, slot);
        const int is_there = number < passing, is_pair = is_there && steps == 3;
        const tmb_u32 place = append(&w->waiting, &total, is_pair, t->lane);
        if (is_pair) {
            const int are_clusters = w->lowest[slot][0] && w->lowest[slot][1];
            put(w, place, w->first_child[slot][0] + i, w->first_child[slot][1] + j,
                are_clusters ? TMB_CL_CLUSTERS : TMB_CL_ALL_CHILDREN);
            if (t->one && pair == (w->deepest & 127)) {
                w->deepest_place = place;
            }
        } else if (is_there) {
            atomic_or(&w->lines[slot][steps == 1 ? i : j], 1u << (steps == 1 ? j : i));
        }
    }
    publish(&w->waiting, total, t->lane);
}

static void push_lines(const tables *t, local workspace *w)
{
    const tmb_u32 slot = min(t->lane >> 3, (tmb_u32)TMB_CL_PAIRS - 1), line = t->lane & 7;
    const tmb_u32 others = t->lane < 8 * w->taken ? w->lines[slot][line] : 0;
    tmb_u32 total = w->waiting;
    const tmb_u32 place = append(&w->waiting, &total, others != 0, t->lane);
    if (others) {
        const int into_a = steps_of(w, slot) == 1;
        const tmb_u32 deepest = w->deepest & 127;
        put(w, place, into_a ? w->first_child[slot][0] + line : w->pair_a[slot],
            into_a ? w->pair_b[slot] : w->first_child[slot][1] + line, into_a ? 255 | others << 8 : others | 255 << 8);
        if (t->one && slot == deepest >> 6 && line == (into_a ? deepest & 7 : deepest >> 3 & 7)) {
            w->deepest_place = place;
        }
    }
    publish(&w->waiting, total, t->lane);
}

/* ---- Clusters ---- */

/* A corner relative to a point nearby; without doubles that is the local frame's origin. */
static vector brought(point p, local const coordinate *origin)
{
    vector v = {(float)(p.x - origin[0]), (float)(p.y - origin[1]), (float)(p.z - origin[2])};
    return v;
}

static void corners_of(const tables *t, local const workspace *w, tmb_u32 side, tmb_u32 address, point *corners)
{
    const mesh m = MESH_OF(t->memory, w->models[side]);
    const cluster c = cluster_of(&m, address >> 3);
    for (int i = 0; i < 3; i++) {
        const point p = corner_of(&c, m.is_float, corner_number(&c, address & 7, i));
        corners[i] = side ? MOVED(w->rows, p) : p;
    }
}

/* How much farther apart boxes may be than they seem. */
static float leaf_slack(local const workspace *w)
{
#if TUMBLE_DOUBLES
    return 0; /* rounding keeps the order */
#else
    return w->check[TMB_CL_INTO_A + TMB_CL_MAP_SLACK];
#endif
}

/* The box of one triangle. */
static void store_triangle_box(const tables *t, local workspace *w, tmb_u32 side, tmb_u32 number, tmb_u32 slot)
{
    const tmb_u32 lane = t->lane;
    const mesh m = MESH_OF(t->memory, w->models[side]);
    const cluster c = cluster_of(&m, number);
    if (slot >= c.triangle_count) {
        store_nothing(w, lane);
        return;
    }
    vector low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const point p = corner_of(&c, m.is_float, corner_number(&c, slot, i));
        const vector v = brought(side ? MOVED(w->rows, p) : p, w->origin);
        low.x = fmin(low.x, v.x), low.y = fmin(low.y, v.y), low.z = fmin(low.z, v.z);
        high.x = fmax(high.x, v.x), high.y = fmax(high.y, v.y), high.z = fmax(high.z, v.z);
    }
    const float slack = leaf_slack(w);
    w->fields[0][lane] = low.x - slack, w->fields[1][lane] = low.y - slack, w->fields[2][lane] = low.z - slack;
    w->fields[3][lane] = high.x + slack, w->fields[4][lane] = high.y + slack, w->fields[5][lane] = high.z + slack;
}

static int triangle_boxes_meet(local const workspace *w, tmb_u32 pair)
{
    const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair);
    int meet = 1;
    for (int k = 0; k < 3; k++) {
        meet &= w->fields[k][a] <= w->fields[3 + k][b] && w->fields[k][b] <= w->fields[3 + k][a];
    }
    return meet;
}

static void box_triangles(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, entry = w->waiting + slot;
    if (slot < w->taken) {
        store_triangle_box(t, w, side, side ? w->stack_b[entry] : w->stack_a[entry], lane & 7);
    }
}

static void list_candidates(const tables *t, local workspace *w)
{
    tmb_u32 total = w->candidate_count;
    for (tmb_u32 pair = t->lane; pair < 64 * w->taken; pair += TMB_CL_LANES) {
        const int meet = triangle_boxes_meet(w, pair);
        const tmb_u32 place = append(&w->candidate_count, &total, meet, t->lane), entry = w->waiting + (pair >> 6);
        if (meet) {
            w->candidates_a[place] = w->stack_a[entry] * 8 + (pair & 7);
            w->candidates_b[place] = w->stack_b[entry] * 8 + (pair >> 3 & 7);
        }
    }
    publish(&w->candidate_count, total, t->lane);
}

/* ---- Triangles ---- */

/* One pair of triangles, by their addresses. */
static int compare_triangles(const tables *t, local const workspace *w, tmb_u32 address_a, tmb_u32 address_b)
{
    point corners[4]; /* the last of four is not used: PoCL 6.0, told to use CBS, aligns no other size */
    vector a[4], b[4];
    corners_of(t, w, 0, address_a, corners);
#if TUMBLE_DOUBLES
    const point origin = corners[0];
#endif
    for (int side = 0; side < 2; side++) {
        if (side) {
            corners_of(t, w, 1, address_b, corners);
        }
        for (int i = 0; i < 3; i++) {
#if TUMBLE_DOUBLES
            const vector v = {(float)(corners[i].x - origin.x), (float)(corners[i].y - origin.y),
                              (float)(corners[i].z - origin.z)};
#else
            const vector v = {corners[i].x, corners[i].y, corners[i].z};
#endif
            if (side) {
                b[i] = v;
            } else {
                a[i] = v;
            }
        }
    }
#if TUMBLE_DOUBLES
    float reach = 0;
    for (int i = 0; i < 3; i++) {
        reach = fmax(reach, fmax(fmax(fabs(a[i].x), fabs(a[i].y)), fabs(a[i].z)));
        reach = fmax(reach, fmax(fmax(fabs(b[i].x), fabs(b[i].y)), fabs(b[i].z)));
    }
    return triangles_intersect(a, b, reach * (1 + 0x1p-20f));
#else
    /* Coordinates are within the slack of the map, which is at least 2^-20 (1 + its reach). */
    return triangles_intersect(a, b, w->check[TMB_CL_INTO_A + TMB_CL_MAP_SLACK] * 0x1p23f);
#endif
}

/* Room in a list of all work-groups; what lies before `limit` stays filled when there is none. */
static int reserve(global tmb_u32 *used, global tmb_u32 *limit, tmb_u32 count, tmb_u32 capacity, local tmb_u32 *base)
{
    const tmb_u32 old = count ? atomic_add(used, count) : 0;
    *base = old;
    if (count && (old > capacity || count > capacity - old)) {
        atomic_min(limit, old);
        return 0;
    }
    return 1;
}

/* By lane 0: room for what the lanes have found. When there is no room for all of it nothing is used. */
static void reserve_results(const tables *t, local workspace *w)
{
    global tmb_u32 *c = t->counters;
    const tmb_u32 hits = t->s.mode == TMB_CL_LIST ? w->hit_count : 0, undecided = w->undecided_count;
    if (!reserve(&c[TMB_CL_UNDECIDED], &c[TMB_CL_UNDECIDED_LIMIT], undecided, t->s.undecided_capacity,
                 &w->undecided_base)) {
        w->is_full = 1;
    } else if (!reserve(&c[TMB_CL_HITS], &c[TMB_CL_HITS_LIMIT], hits, t->s.hit_capacity, &w->hit_base)) {
        w->is_full = 1;
        for (tmb_u32 i = 0; i < undecided; i++) {
            t->undecided[w->undecided_base + i].check = TMB_CL_NOTHING;
        }
    }
}

static void store_hit(global tmb_cl_hit *hit, tmb_u32 check, tmb_u32 a, tmb_u32 b)
{
    hit->check = check;
    hit->a = a;
    hit->b = b;
}

/* What one lane has found; lists have room for it. */
static void store_result(const tables *t, local workspace *w, int verdict, tmb_u32 place, tmb_u32 a,
                         tmb_u32 b)
{
    const tmb_u32 check = w->number;
    if (verdict == UNKNOWN) {
        store_hit(&t->undecided[w->undecided_base + place], check, a, b);
    } else if (verdict == HIT && t->s.mode == TMB_CL_LIST) {
        store_hit(&t->hits[w->hit_base + place], check, a, b);
    } else if (verdict == HIT && t->s.mode == TMB_CL_FIRST &&
               atomic_cmpxchg(&t->states[check], TMB_CL_OPEN, TMB_CL_FOUND) == TMB_CL_OPEN) {
        t->numbers[2 * check] = a;
        t->numbers[2 * check + 1] = b;
    }
}

/* What one lane has at hand: one of the last candidates. */
typedef struct trial {
    tmb_u32 a, b, place;
    int verdict;
} trial;

static trial try_candidate(const tables *t, local workspace *w)
{
    trial r = {0, 0, 0, MISS};
    tmb_u32 hits = 0, undecided = 0;
    if (t->lane < w->taken) {
        const tmb_u32 number = w->candidate_count - w->taken + t->lane;
        r.a = w->candidates_a[number];
        r.b = w->candidates_b[number];
        r.verdict = compare_triangles(t, w, r.a, r.b);
    }
    const tmb_u32 hit = append(&w->hit_count, &hits, r.verdict == HIT, t->lane);
    const tmb_u32 unknown = append(&w->undecided_count, &undecided, r.verdict == UNKNOWN, t->lane);
    r.place = r.verdict == HIT ? hit : unknown;
    publish(&w->hit_count, hits, t->lane);
    publish(&w->undecided_count, undecided, t->lane);
    return r;
}

/* ---- Checks ---- */

static void load_check(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, check = w->number;
    for (tmb_u32 i = lane; i < TMB_CL_CHECK_FLOATS; i += TMB_CL_LANES) {
        w->check[i] = t->checks[TMB_CL_CHECK_FLOATS * (size_t)check + i];
    }
    if (lane < 2) {
        const tmb_u32 one = lane ? t->s.model_b : t->s.model_a;
        w->models[lane] = t->models[t->s.one_pair ? one : t->pairs[2 * check + lane]];
    }
    if (lane < 3) {
#if TUMBLE_DOUBLES
        const tmb_u32 model = t->s.one_pair ? t->s.model_a : t->pairs[2 * check];
        w->origin[lane] = t->frames[TMB_CL_FRAME_DOUBLES * (size_t)model + lane]; /* the centre */
#else
        w->origin[lane] = 0;
#endif
    }
    if (lane < 12) {
#if TUMBLE_DOUBLES
        w->rows[lane] = t->moves[12 * (size_t)check + lane];
#else
        const tmb_u32 k = lane >> 2, j = lane & 3;
        w->rows[lane] = t->checks[TMB_CL_CHECK_FLOATS * (size_t)check + TMB_CL_INTO_A +
                                  (j < 3 ? 3 * k + j : TMB_CL_MAP_SHIFT + k)];
#endif
    }
}

/* By lane 0: the next item of the queue that is still asked for; when there is none, something beyond its end. */
static tmb_u32 next_item(const tables *t)
{
    const tmb_u32 end = look_at(&t->counters[TMB_CL_IN]);
    tmb_u32 next = atomic_inc(&t->counters[TMB_CL_TAKEN]);
    while (t->one && next < end && look_at(&t->states[t->queue_in[next].check]) != TMB_CL_OPEN) {
        next = atomic_inc(&t->counters[TMB_CL_TAKEN]);
    }
    return next;
}

/* By lane 0: what was found so far is told. */
static void tell(const tables *t, local workspace *w)
{
    const tmb_u32 check = w->number;
    if (!w->total) {
        return;
    }
    if (t->s.mode == TMB_CL_COUNT) {
        const tmb_u32 old = atomic_add(&t->numbers[2 * check], w->total);
        if (old + w->total < old) {
            atomic_inc(&t->numbers[2 * check + 1]);
        }
    }
    if (t->s.mode != TMB_CL_FIRST) {
        set(&t->states[check], TMB_CL_FOUND);
    }
    w->total = 0;
}

/* ---- Plans, all by lane 0 ---- */

/* Another check, or the end. What is left of the last one is not asked for any more. */
static tmb_u32 plan_check(const tables *t, local workspace *w)
{
    tell(t, w);
    w->waiting = w->spilled = w->candidate_count = w->found = 0;
    const tmb_u32 next = next_item(t);
    if (next >= look_at(&t->counters[TMB_CL_IN])) {
        return END;
    }
    const tmb_cl_item item = t->queue_in[next];
    w->number = item.check;
    put(w, 0, item.a, item.b, item.children);
    w->waiting = 1;
    return TAKE_CHECK;
}

/* Whether the others have too little to do; room for all that waits is then reserved. */
static int plan_sharing(const tables *t, local workspace *w)
{
    if (t->one && look_at(&t->states[w->number]) != TMB_CL_OPEN) {
        w->found = 1;
    }
    return look_at(&t->counters[TMB_CL_IDLE]) >= t->s.hungry &&
           reserve(&t->counters[TMB_CL_OUT], &t->counters[TMB_CL_OUT_LIMIT], w->waiting + w->spilled,
                   t->s.queue_capacity, &w->queue_base);
}

/* Takes what is on top of the stack: two pairs of one kind, if there are. */
static tmb_u32 plan_look(const tables *t, local workspace *w)
{
    const tmb_u32 waiting = w->waiting, kind = w->stack_children[waiting - 1] & TMB_CL_CLUSTERS;
    const int two = waiting > 1 && w->spilled < t->s.spill_threshold &&
                    (w->stack_children[waiting - 2] & TMB_CL_CLUSTERS) == kind;
    w->taken = two ? 2 : 1;
    w->waiting = waiting - w->taken;
    w->meeting = w->passing = w->deepest = 0;
    w->deepest_place = TMB_CL_NOTHING;
    return kind ? LOOK_AT_CLUSTERS : LOOK_AT_NODES;
}

static tmb_u32 plan(const tables *t, local workspace *w)
{
    const int is_over = t->one && w->found, is_through = !w->waiting && !w->spilled;
    if (w->is_full) {
        return SAVE;
    }
    if (!is_over && (w->candidate_count >= TMB_CL_LANES || (w->candidate_count && is_through))) {
        w->taken = min(w->candidate_count, (tmb_u32)TMB_CL_LANES);
        w->hit_count = w->undecided_count = 0;
        return LOOK_AT_TRIANGLES;
    }
    if (is_over || is_through) {
        return plan_check(t, w);
    }
    if (!w->waiting) {
        w->taken = min(w->spilled, (tmb_u32)TMB_CL_REFILL);
        return TAKE_BACK;
    }
    w->steps++;
    if (w->steps >= t->s.most_steps) {
        return SAVE;
    }
    if (w->steps >= t->s.share_after && (w->steps & t->s.share_mask) == 0 && plan_sharing(t, w)) {
        return SHARE;
    }
    return plan_look(t, w);
}

/* The end has a flag of its own, and every phase reads the action anew: PoCL 3.1 cannot compile the loop when the
 * compiler can see that its parts ask for one number. */
static void set_action(local workspace *w, tmb_u32 action)
{
    w->action = action;
    w->is_ended = action == END;
}

/* ---- Phases ---- */

/* What was found is counted, or comes back when lists are full. */
static void book_results(const tables *t, local workspace *w)
{
    if (w->hit_count || w->undecided_count) {
        reserve_results(t, w);
        w->found |= !w->is_full && w->hit_count;
        w->total += w->is_full ? 0 : w->hit_count;
    }
    w->candidate_count -= w->is_full ? 0 : w->taken;
}

static void hand_over(const tables *t, local const workspace *w)
{
    for (tmb_u32 i = t->lane; i < w->spilled; i += TMB_CL_LANES) {
        t->queue_out[w->queue_base + i] = t->spill[i];
    }
}

static void save_candidates(const tables *t, local const workspace *w)
{
    for (tmb_u32 i = t->lane; i < w->candidate_count; i += TMB_CL_LANES) {
        t->saved[TMB_CL_SAVED_HEAD + i] = w->candidates_a[i];
        t->saved[TMB_CL_SAVED_HEAD + TMB_CL_CANDIDATES + i] = w->candidates_b[i];
    }
}

/* By lane 0. */
static void end_saved(const tables *t, local workspace *w)
{
    tell(t, w);
    t->saved[0] = w->number;
    t->saved[1] = w->spilled;
    t->saved[2] = w->candidate_count;
    atomic_inc(&t->counters[TMB_CL_SAVED]);
}

/* What the last launch has left; 1 when there is something. */
static int restore(const tables *t, local workspace *w)
{
    const tmb_u32 spilled = t->saved[1], candidates = t->saved[2];
    for (tmb_u32 i = t->lane; i < candidates; i += TMB_CL_LANES) {
        w->candidates_a[i] = t->saved[TMB_CL_SAVED_HEAD + i];
        w->candidates_b[i] = t->saved[TMB_CL_SAVED_HEAD + TMB_CL_CANDIDATES + i];
    }
    if (t->lane == 0) {
        w->number = t->saved[0];
        w->waiting = w->found = w->total = w->is_full = w->steps = 0;
        w->spilled = spilled;
        w->candidate_count = candidates;
    }
    return spilled || candidates;
}

static void first_phase(const tables *t, local workspace *w, tmb_u32 action, trial *r)
{
    switch (action) {
    case LOOK_AT_NODES: decode_nodes(t, w); break;
    case LOOK_AT_CLUSTERS: box_triangles(t, w); break;
    case LOOK_AT_TRIANGLES: *r = try_candidate(t, w); break;
    case TAKE_BACK: copy_back(t, w); break;
    case TAKE_CHECK: load_check(t, w); break;
    case END: break;
    default: copy_aside(t, w, w->waiting); save_candidates(t, w); break;
    }
}

/* By lane 0. */
static void book(const tables *t, local workspace *w, tmb_u32 action)
{
    switch (action) {
    case LOOK_AT_TRIANGLES: book_results(t, w); break;
    case TAKE_BACK: w->spilled -= w->taken, w->waiting = w->taken; break;
    case TAKE_CHECK: break;
    default: w->spilled += w->waiting, w->waiting = 0; break;
    }
}

static void second_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    switch (action) {
    case LOOK_AT_NODES: list_meeting_boxes(t, w); break;
    case LOOK_AT_CLUSTERS: list_candidates(t, w); break;
    case END: break;
    default:
        if (t->lane == 0) {
            book(t, w, action);
        }
        break;
    }
}

static void third_phase(const tables *t, local workspace *w, tmb_u32 action, const trial *r)
{
    if (action == LOOK_AT_NODES) {
        list_meeting_slabs(t, w);
        if (t->lane == 0) {
            w->is_too_much = w->waiting + w->meeting > TMB_CL_STACK;
        }
    } else if (action == LOOK_AT_TRIANGLES && !w->is_full) {
        store_result(t, w, r->verdict, r->place, r->a, r->b);
    } else if (action == SHARE) {
        hand_over(t, w);
    } else if (action == SAVE && t->lane == 0) {
        end_saved(t, w);
    }
}

/* The stack makes room. */
static void fourth_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    if (action == LOOK_AT_NODES && w->is_too_much) {
        copy_aside(t, w, w->waiting);
    }
}

static void fifth_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    if (t->lane == 0 && action == LOOK_AT_NODES && w->is_too_much) {
        w->spilled += w->waiting;
        w->waiting = 0;
    } else if (t->lane == 0 && action == SHARE) {
        w->spilled = 0;
    }
}

/* By the last work-group of a launch: the queues are exchanged, unless something is left in the one that was read. */
static void turn(const tables *t)
{
    global tmb_u32 *c = t->counters;
    const tmb_u32 handed_over = min(look_at(&c[TMB_CL_OUT]), look_at(&c[TMB_CL_OUT_LIMIT]));
    const int is_read = look_at(&c[TMB_CL_TAKEN]) >= look_at(&c[TMB_CL_IN]);
    if (is_read) {
        set(&c[TMB_CL_IN], handed_over);
        set(&c[TMB_CL_TAKEN], 0);
        atomic_inc(&c[TMB_CL_TURNS]);
    }
    set(&c[TMB_CL_OUT], is_read ? 0 : handed_over);
    set(&c[TMB_CL_OUT_LIMIT], t->s.queue_capacity);
    set(&c[TMB_CL_KEPT], look_at(&c[TMB_CL_SAVED]));
    set(&c[TMB_CL_IDLE], 0);
    set(&c[TMB_CL_SAVED], 0);
    set(&c[TMB_CL_ENDED], 0);
}

kernel __attribute__((reqd_work_group_size(TMB_CL_LANES, 1, 1))) void
tumble_walk(tmb_cl_settings s, global const uchar *memory, global const tmb_cl_model *models,
            global const coordinate *frames, global const tmb_u32 *pairs, global const coordinate *moves, global const float *checks,
            global tmb_u32 *counters, global tmb_u32 *numbers, global tmb_cl_hit *hits, global tmb_cl_hit *undecided,
            global tmb_cl_item *queue_even, global tmb_cl_item *queue_odd, global tmb_cl_item *spill,
            global tmb_u32 *saved, local workspace *w)
{
    const tmb_u32 group = (tmb_u32)get_group_id(0);
    tables t;
    trial r = {0, 0, 0, MISS};
    t.s = s;
    t.memory = memory, t.models = models, t.frames = frames, t.pairs = pairs, t.moves = moves, t.checks = checks;
    t.counters = counters, t.states = counters + TMB_CL_COUNTERS, t.numbers = numbers;
    t.hits = hits, t.undecided = undecided;
    const int is_odd = look_at(&counters[TMB_CL_TURNS]) & 1;
    t.queue_in = is_odd ? queue_odd : queue_even, t.queue_out = is_odd ? queue_even : queue_odd;
    t.spill = spill + (size_t)group * s.spill_capacity;
    t.saved = saved + (size_t)group * TMB_CL_SAVED_WORDS;
    t.lane = (tmb_u32)get_local_id(0);
    t.one = s.mode <= TMB_CL_FIRST;

    const int has_work = restore(&t, w);
    WAIT_ALL();
    if (has_work) {
        load_check(&t, w);
    }
    WAIT();
    if (t.lane == 0) {
        t.saved[1] = t.saved[2] = 0;
    }
    if (t.lane == 0) {
        set_action(w, plan(&t, w));
    }
    WAIT();
    do {
        first_phase(&t, w, w->action, &r);
        WAIT_ALL();
        second_phase(&t, w, w->action);
        WAIT();
        third_phase(&t, w, w->action, &r);
        WAIT();
        fourth_phase(&t, w, w->action);
        WAIT_ALL();
        fifth_phase(&t, w, w->action);
        WAIT();
        if (w->action == LOOK_AT_NODES) {
            push_pairs(&t, w);
        }
        WAIT();
        if (w->action == LOOK_AT_NODES) {
            push_lines(&t, w);
        }
        WAIT();
        if (t.lane == 0) {
            if (w->action == LOOK_AT_NODES && t.one && w->passing) {
                raise_deepest(w);
            }
            set_action(w, w->action == SAVE || w->action == END ? END : plan(&t, w));
        }
        WAIT();
    } while (!w->is_ended);
    if (t.lane == 0) {
        atomic_inc(&counters[TMB_CL_IDLE]);
        atomic_add(&counters[TMB_CL_STEPS], w->steps);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(&counters[TMB_CL_ENDED]) + 1 == (tmb_u32)get_num_groups(0)) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            turn(&t);
        }
    }
}

/* By one work-item, when lists were fetched: they are empty, but for the hits that stay. */
kernel void tumble_empty_lists(tmb_cl_settings s, global tmb_u32 *counters, tmb_u32 hits)
{
    counters[TMB_CL_UNDECIDED] = counters[TMB_CL_LEFT] = 0;
    counters[TMB_CL_UNDECIDED_LIMIT] = s.undecided_capacity;
    counters[TMB_CL_HITS] = hits;
    counters[TMB_CL_HITS_LIMIT] = s.hit_capacity;
}

/* ---- What floats have not decided ---- */

#if TUMBLE_DOUBLES

static void count_one(global tmb_u32 *count)
{
    if (atomic_inc(count) == 0xffffffffu) {
        atomic_inc(count + 1);
    }
}

/* One work-item for each pair. Those that doubles do not decide either, or that find no room in the list of hits, are
 * listed for this machine. */
kernel void tumble_settle(tmb_cl_settings s, global const uchar *memory, global const tmb_cl_model *models,
                          global const tmb_u32 *pairs, global const double *moves, global tmb_u32 *counters,
                          global tmb_u32 *numbers, global tmb_cl_hit *hits, global const tmb_cl_hit *undecided,
                          global tmb_cl_hit *left)
{
    global tmb_u32 *states = counters + TMB_CL_COUNTERS;
    const tmb_u32 end = min(counters[TMB_CL_UNDECIDED], counters[TMB_CL_UNDECIDED_LIMIT]);
    for (tmb_u32 i = (tmb_u32)get_global_id(0); i < end; i += (tmb_u32)get_global_size(0)) {
        const tmb_cl_hit pair = undecided[i];
        const tmb_u32 check = pair.check;
        if (check == TMB_CL_NOTHING || (s.mode <= TMB_CL_FIRST && look_at(&states[check]) != TMB_CL_OPEN)) {
            continue;
        }
        double rows[12];
        point a[3], b[3];
        for (int k = 0; k < 12; k++) {
            rows[k] = moves[12 * (size_t)check + k];
        }
        const mesh mesh_a = MESH_OF(memory, models[s.one_pair ? s.model_a : pairs[2 * check]]);
        const mesh mesh_b = MESH_OF(memory, models[s.one_pair ? s.model_b : pairs[2 * check + 1]]);
        const cluster cluster_a = cluster_of(&mesh_a, pair.a >> 3), cluster_b = cluster_of(&mesh_b, pair.b >> 3);
        for (int k = 0; k < 3; k++) {
            a[k] = corner_of(&cluster_a, mesh_a.is_float, corner_number(&cluster_a, pair.a & 7, k));
            b[k] = corner_of(&cluster_b, mesh_b.is_float, corner_number(&cluster_b, pair.b & 7, k));
            b[k] = MOVED(rows, b[k]);
        }
        int verdict = triangles_intersect_doubles(a, b);
        if (verdict == HIT && s.mode == TMB_CL_LIST) {
            const tmb_u32 place = atomic_inc(&counters[TMB_CL_HITS]);
            if (place < s.hit_capacity && look_at(&counters[TMB_CL_HITS_LIMIT]) >= s.hit_capacity) {
                hits[place] = pair;
            } else {
                atomic_min(&counters[TMB_CL_HITS_LIMIT], place);
                verdict = UNKNOWN;
            }
        }
        if (verdict == HIT && s.mode == TMB_CL_COUNT) {
            count_one(&numbers[2 * check]);
        }
        if (verdict == HIT && s.mode != TMB_CL_FIRST) {
            set(&states[check], TMB_CL_FOUND);
        }
        if (verdict == HIT && s.mode == TMB_CL_FIRST &&
            atomic_cmpxchg(&states[check], TMB_CL_OPEN, TMB_CL_FOUND) == TMB_CL_OPEN) {
            numbers[2 * check] = pair.a;
            numbers[2 * check + 1] = pair.b;
        }
        if (verdict == UNKNOWN) {
            left[atomic_inc(&counters[TMB_CL_LEFT])] = pair;
        }
    }
}

#endif
