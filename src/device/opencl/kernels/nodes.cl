/* Two pairs of nodes of wide hierarchies: their children decoded, compared, and put on the stack. See walk.cl. */

/* a b + c. Where that is one operation it is rounded once: bounds that allow for two hold all the more. What the builder
 * has computed in two must be so here too: the sides of a box. */
static float added(float a, float b, float c)
{
#ifdef FP_FAST_FMAF
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* The product of a row of a map with a vector, plus a number. */
static float row_times(local const float *row, float x, float y, float z, float plus)
{
    return added(row[0], x, added(row[1], y, added(row[2], z, plus)));
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
        const float nx = row_times(turn, n[0], n[1], n[2], 0), ny = row_times(turn + 3, n[0], n[1], n[2], 0);
        n[2] = row_times(turn + 6, n[0], n[1], n[2], 0);
        n[0] = nx, n[1] = ny;
    }
    for (int k = 0; k < 3; k++) {
        w->fields[NORMAL + k][lane] = n[k];
    }
    w->fields[INVERSE][lane] = 1 / added(n[0], n[0], added(n[1], n[1], n[2] * n[2]));
}

/* A box in the other model's frame, along axis k: its middle, and half of its side. */
static float moved_middle(local const float *map, int k, const float *centre)
{
    return row_times(map + 3 * k, centre[0], centre[1], centre[2], map[TMB_CL_MAP_SHIFT + k]);
}

static float moved_extent(local const float *map, int k, const float *half_side)
{
    local const float *row = map + 3 * k;
    const float rest = added(fabs(row[2]), half_side[2], map[TMB_CL_MAP_SLACK]);
    return added(fabs(row[0]), half_side[0], added(fabs(row[1]), half_side[1], rest));
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
        const float middle = moved_middle(map, k, centre), extent = moved_extent(map, k, half_side);
        w->fields[OTHER_LOWER + k][lane] = middle - extent;
        w->fields[OTHER_UPPER + k][lane] = middle + extent;
        w->fields[CENTRE + k][lane] = side ? middle : centre[k]; /* in A's frame, for the slabs */
        w->fields[EXTENT + k][lane] = side ? extent : half_side[k];
    }
}

/* The lowest `count` bits. */
static tmb_u32 first_bits(tmb_u32 count)
{
    return (1u << count) - 1;
}

static void decode(const tables *t, local workspace *w, tmb_u32 number, tmb_u32 children)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, child = lane & 7;
    global const uchar *node = t->memory + w->models[side].nodes + 128 * (tmb_u64)number;
    global const float *scale = (global const float *)(node + 108);
    global const tmb_u32 *links = (global const tmb_u32 *)(node + 120);
    const float longest = fmax(fmax(scale[0], scale[1]), scale[2]);
    const tmb_u32 present = children >> 8 * side & first_bits(links[1] & 0xffff);
    if (present >> child & 1) {
        decode_box(node, child, side, w, lane);
        decode_slab(node, child, side, w, lane, longest);
    }
    if (child == 0) {
        w->present[slot][side] = present;
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

/* Whether both of a pair exist. No box stands for one that does not: boxes of triangles can be infinite, and meet any
 * other infinite one. */
static int are_present(local const workspace *w, tmb_u32 pair)
{
    local const tmb_u32 *present = w->present[pair >> 6];
    return present[0] >> (pair & 7) & present[1] >> (pair >> 3 & 7) & 1;
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
        dot_ab = added(na[k], nb[k], dot_ab);
        between_a = added(na[k], apart, between_a);
        between_b = added(nb[k], apart, between_b);
    }
    const float share_a = dot_ab * w->fields[INVERSE][a], share_b = dot_ab * w->fields[INVERSE][b];
    const float half_a = w->fields[HALF][a], half_b = w->fields[HALF][b];
    const float slack = w->check[TMB_CL_SLAB_SLACK];
    float reach_a = added(fabs(share_b), half_b, half_a) + slack, reach_b = added(fabs(share_a), half_a, half_b) + slack;
    for (int k = 0; k < 3; k++) {
        reach_a = added(fabs(added(-share_b, nb[k], na[k])), w->fields[EXTENT + k][b], reach_a);
        reach_b = added(fabs(added(-share_a, na[k], nb[k])), w->fields[EXTENT + k][a], reach_b);
    }
    const float middle_a = w->fields[MIDDLE][a], middle_b = w->fields[MIDDLE][b];
    return fabs(added(share_b, middle_b, between_a) - middle_a) <= reach_a &&
           fabs(added(-share_a, middle_a, between_b + middle_b)) <= reach_b;
}

/* How deep a box is in another, in the frame of `own`, as bits that have the same order; the lowest seven are 0. */
static tmb_u32 depth_bits(local const workspace *w, tmb_u32 own, tmb_u32 other)
{
    float depth = 1;
    for (int k = 0; k < 3; k++) {
        const float from_below = w->fields[OWN_UPPER + k][own] - w->fields[OTHER_LOWER + k][other];
        const float from_above = w->fields[OTHER_UPPER + k][other] - w->fields[OWN_LOWER + k][own];
        depth = fmin(depth, fmin(from_below, from_above) / (from_below + from_above));
    }
    return as_uint(fmax(depth, 0.0f)) & ~127u;
}

/* Bit 0: A's node descends, bit 1: B's. Not both when one is much larger, or the other's children are clusters. */
static tmb_u32 larger_steps(local const workspace *w, tmb_u32 slot)
{
    const tmb_u32 lowest_a = w->lowest[slot][0], lowest_b = w->lowest[slot][1];
    const float size_a = w->longest[slot][0], size_b = w->longest[slot][1] * w->check[TMB_CL_SIZE_OF_B];
    const int into_a = !lowest_a && (lowest_b || !(size_b > 1.5f * size_a));
    const int into_b = !lowest_b && (lowest_a || !(size_a > 1.5f * size_b));
    return (tmb_u32)into_a | (tmb_u32)into_b << 1;
}

/* Both when their children are clusters. */
static tmb_u32 steps_of(local const workspace *w, tmb_u32 slot)
{
    return w->lowest[slot][0] && w->lowest[slot][1] ? 3 : larger_steps(w, slot);
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

/* The pairs that were taken lie after the stack's end until something is pushed. */
static void note_pairs(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane;
    if (lane < w->taken) {
        w->pair_a[lane] = w->stack_a[w->waiting + lane];
        w->pair_b[lane] = w->stack_b[w->waiting + lane];
    }
    if (lane < 8 * TMB_CL_PAIRS) {
        w->lines[lane >> 3][lane & 7] = 0;
    }
}

static void decode_nodes(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, entry = w->waiting + slot;
    if (slot < w->taken) {
        decode(t, w, side ? w->stack_b[entry] : w->stack_a[entry], w->stack_children[entry]);
    }
    note_pairs(t, w);
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
            const int meet = are_present(w, pair) && boxes_meet(&a, &b);
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
                atomic_max(&w->deepest, depth_bits(w, lane_of_a(pair), lane_of_b(pair)) | pair);
            }
        }
    }
    publish(&w->passing, total, t->lane);
}

/* Pairs of which both nodes descend go on the stack. Where one node stays, the other's children come with the line of
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
            w->has_lines = 1;
        }
    }
    publish(&w->waiting, total, t->lane);
}
