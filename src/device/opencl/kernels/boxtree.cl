/* Two pairs of nodes of boxtrees (src/tree/boxtree/boxtree.h): boxes restored, compared, and put on the stack. See
 * walk.cl.
 *
 * A node's up to eight descendants three levels down take the places of a wide node's children: a lane for each, which
 * goes down on its own and moves sides inward as src/tree/boxtree/boxes.c does, in integers, so that boxes are exact. A
 * leaf above that level is one of the eight. Boxes are compared along the axes of both models (SAT lite), or of one,
 * where the other's are enclosed in auxiliary boxes (axis alignment; the patent). Pairs of leaves are candidates.
 *
 * An item's boxes are in global memory, where the item itself would be if the whole stack were: copy_aside and
 * copy_back need not move them. */

/* Rows of `fields` that slabs, which boxtrees lack, would take: six sides of a child's box on the grid, its reference
 * (TMB_CL_NOTHING: there is no such child); and the sides of the node's own box, one for each of six lanes. */
#define GRID_SIDES 12
#define REFERENCE 18
#define NODE_SIDES 19

/* Bits of references and nodes, as in boxtree.h. */
#define ONE_INDEX ((1u << 27) - 1)
#define ONE_TWIN 1u
#define TWO_LEAF (1u << 30)
#define TWO_AXIS (1u << 31)
#define TWO_NONE (TWO_AXIS - 1)

static int is_leaf(tmb_u32 kind, tmb_u32 reference)
{
    return kind == TMB_CL_TWO_PLANES ? (reference & TWO_LEAF) != 0 : (reference >> 27 & 3) == 0;
}

static tmb_u32 leaf_address(tmb_u32 kind, tmb_u32 reference)
{
    return reference & (kind == TMB_CL_TWO_PLANES ? TWO_LEAF - 1 : ONE_INDEX);
}

/* Lower sides go up, upper ones down. */
static void move_side(int *sides, tmb_u32 side, tmb_u32 cut_bits)
{
    const int cut = (int)as_float(cut_bits);
    for (tmb_u32 k = 0; k < 6; k++) {
        sides[k] += k != side ? 0 : k & 1 ? -cut : cut;
    }
}

static tmb_u32 child_of_one(global const tmb_u32 *nodes, tmb_u32 reference, tmb_u32 which, int *sides)
{
    if (which && (reference >> 27 & 3) != ONE_TWIN) {
        return TMB_CL_NOTHING;
    }
    global const tmb_u32 *child = nodes + 2 * ((size_t)(reference & ONE_INDEX) + which);
    move_side(sides, child[1] >> 29, child[0]);
    return child[1];
}

static tmb_u32 child_of_two(global const tmb_u32 *nodes, tmb_u32 reference, tmb_u32 which, int *sides)
{
    global const tmb_u32 *from = nodes + 4 * (size_t)reference;
    const tmb_u32 first = from[2], second = from[3], axis = first >> 31 | second >> 31 << 1;
    const int is_only = (second & ~TWO_AXIS) == TWO_NONE;
    if (which && is_only) {
        return TMB_CL_NOTHING;
    }
    if (!which) {
        move_side(sides, 2 * axis + 1, from[0]);
    }
    if (which || is_only) {
        move_side(sides, 2 * axis, from[1]);
    }
    return (which ? second : first) & ~TWO_AXIS;
}

/* Child 0 or 1, and its box instead of the node's; TMB_CL_NOTHING when there is none. A leaf is its own child 0. */
static tmb_u32 child_of(tmb_u32 kind, global const tmb_u32 *nodes, tmb_u32 reference, tmb_u32 which, int *sides)
{
    if (is_leaf(kind, reference)) {
        return which ? TMB_CL_NOTHING : reference;
    }
    return kind == TMB_CL_TWO_PLANES ? child_of_two(nodes, reference, which, sides)
                                     : child_of_one(nodes, reference, which, sides);
}

/* A child's box: on the grid, in its own frame, rounded outward, and enclosed by one in the other's where that is asked
 * for. */
static void store_grid_box(const tables *t, local workspace *w, tmb_u32 side, const int *sides)
{
    const tmb_u32 lane = t->lane, axes_of_other = side ? TMB_CL_AXES_OF_A : TMB_CL_AXES_OF_B;
    local const tmb_cl_model *model = &w->models[side];
    local const float *map = &w->check[side ? TMB_CL_INTO_A : TMB_CL_INTO_B];
    float centre[3], half_side[3];
    for (int k = 0; k < 6; k++) {
        w->fields[GRID_SIDES + k][lane] = as_float(sides[k]);
    }
    for (int k = 0; k < 3; k++) {
        const float origin = model->origin[k], unit = model->unit;
        const float low = (float)sides[2 * k] * unit + (origin - TMB_GRID_LOCAL_ROUNDING);
        const float high = (float)sides[2 * k + 1] * unit + (origin + TMB_GRID_LOCAL_ROUNDING);
        w->fields[OWN_LOWER + k][lane] = low;
        w->fields[OWN_UPPER + k][lane] = high;
        centre[k] = (low + high) * 0.5f;
        half_side[k] = (high - low) * 0.5f;
    }
    for (int k = 0; k < 3 && (t->s.axes & axes_of_other); k++) {
        const float middle = moved_middle(map, k, centre), extent = moved_extent(map, k, half_side);
        w->fields[OTHER_LOWER + k][lane] = middle - extent;
        w->fields[OTHER_UPPER + k][lane] = middle + extent;
    }
}

/* A lane's descendant: the bits of its number lead there. */
static void decode_boxtree(const tables *t, local workspace *w, tmb_u32 slot, tmb_u32 side)
{
    const tmb_u32 lane = t->lane, child = lane & 7, entry = w->waiting + slot;
    local const tmb_cl_model *model = &w->models[side];
    const tmb_u32 kind = model->kind;
    global const tmb_u32 *nodes = (global const tmb_u32 *)(t->memory + model->nodes);
    global const int *box = t->boxes + TMB_CL_BOX_WORDS * (size_t)(w->spilled + entry) + 6 * side;
    tmb_u32 reference = side ? w->stack_b[entry] : w->stack_a[entry];
    int sides[8], longest = 0; /* lower and upper along x, y and z; two are not used */
    for (int k = 0; k < 6; k++) {
        sides[k] = box[k];
        longest = k & 1 ? max(longest, sides[k] - sides[k - 1]) : longest;
    }
    if (child < 6) {
        w->fields[NODE_SIDES][lane] = as_float(box[child]);
    }
    if (child == 0) {
        w->lowest[slot][side] = (tmb_u32)is_leaf(kind, reference);
        w->longest[slot][side] = (float)longest * model->unit;
    }
    reference = w->stack_children[entry] >> (8 * side + child) & 1 ? reference : TMB_CL_NOTHING;
    for (tmb_u32 level = 0; level < TMB_CL_LEVELS && reference != TMB_CL_NOTHING; level++) {
        reference = child_of(kind, nodes, reference, child >> (TMB_CL_LEVELS - 1 - level) & 1, sides);
    }
    w->fields[REFERENCE][lane] = as_float(reference);
    if (reference != TMB_CL_NOTHING) {
        store_grid_box(t, w, side, sides);
    }
}

static void decode_boxtrees(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4;
    if (slot < w->taken) {
        decode_boxtree(t, w, slot, lane >> 3 & 1);
    }
    note_pairs(t, w);
}

static tmb_u32 reference_of(local const workspace *w, tmb_u32 lane)
{
    return as_uint(w->fields[REFERENCE][lane]);
}

/* Along the axes of the model whose child is `own`: the other's is enclosed in a box of these axes. */
static int meet_along(local const workspace *w, tmb_u32 own, tmb_u32 other)
{
    int meet = 1;
    for (int k = 0; k < 3; k++) {
        meet &= w->fields[OWN_LOWER + k][own] <= w->fields[OTHER_UPPER + k][other];
        meet &= w->fields[OTHER_LOWER + k][other] <= w->fields[OWN_UPPER + k][own];
    }
    return meet;
}

static int grids_meet(const tables *t, local const workspace *w, tmb_u32 pair)
{
    const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair), axes = t->s.axes;
    return reference_of(w, a) != TMB_CL_NOTHING && reference_of(w, b) != TMB_CL_NOTHING &&
           (!(axes & TMB_CL_AXES_OF_A) || meet_along(w, a, b)) && (!(axes & TMB_CL_AXES_OF_B) || meet_along(w, b, a));
}

static void list_meeting_grids(const tables *t, local workspace *w)
{
    const int of_a = (t->s.axes & TMB_CL_AXES_OF_A) != 0;
    tmb_u32 total = 0;
    for (tmb_u32 first = 0; first < 64 * w->taken; first += TMB_CL_LANES) {
        const tmb_u32 pair = first + t->lane, a = lane_of_a(pair), b = lane_of_b(pair);
        const int meet = grids_meet(t, w, pair);
        const tmb_u32 place = append(&w->passing, &total, meet, t->lane);
        if (meet) {
            w->passes[place] = (uchar)pair;
            if (t->one) {
                atomic_max(&w->deepest, depth_bits(w, of_a ? a : b, of_a ? b : a) | pair);
            }
        }
    }
    publish(&w->passing, total, t->lane);
}

/* As steps_of; a leaf goes down beside the other, to itself. */
static tmb_u32 boxtree_steps(local const workspace *w, tmb_u32 slot)
{
    return w->lowest[slot][0] || w->lowest[slot][1] ? 3 : larger_steps(w, slot);
}

/* The boxes of a new item: of both lanes' children; or, in place of one, of the node that stays. */
static void store_boxes(const tables *t, local const workspace *w, tmb_u32 place, tmb_u32 a, tmb_u32 b, tmb_u32 steps)
{
    global int *to = t->boxes + TMB_CL_BOX_WORDS * (size_t)(w->spilled + place);
    for (tmb_u32 k = 0; k < 6; k++) {
        to[k] = as_int(steps & 1 ? w->fields[GRID_SIDES + k][a] : w->fields[NODE_SIDES][(a & ~7u) + k]);
        to[6 + k] = as_int(steps & 2 ? w->fields[GRID_SIDES + k][b] : w->fields[NODE_SIDES][(b & ~7u) + k]);
    }
}

/* Pairs of leaves become candidates; of the others as push_pairs. */
static void push_boxtrees(const tables *t, local workspace *w)
{
    const tmb_u32 passing = w->passing, kind_a = w->models[0].kind, kind_b = w->models[1].kind;
    tmb_u32 total = w->waiting, candidates = w->candidate_count;
    for (tmb_u32 first = 0; first < passing; first += TMB_CL_LANES) {
        const tmb_u32 number = first + t->lane, pair = w->passes[min(number, passing - 1)];
        const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair), slot = pair >> 6, steps = boxtree_steps(w, slot);
        const tmb_u32 node_a = reference_of(w, a), node_b = reference_of(w, b);
        const int is_there = number < passing, are_leaves = is_leaf(kind_a, node_a) && is_leaf(kind_b, node_b);
        const int is_candidate = is_there && are_leaves, is_pair = is_there && !are_leaves && steps == 3;
        const tmb_u32 place = append(&w->waiting, &total, is_pair, t->lane);
        const tmb_u32 candidate = append(&w->candidate_count, &candidates, is_candidate, t->lane);
        if (is_candidate) {
            w->candidates_a[candidate] = leaf_address(kind_a, node_a);
            w->candidates_b[candidate] = leaf_address(kind_b, node_b);
        } else if (is_pair) {
            put(w, place, node_a, node_b, TMB_CL_ALL_CHILDREN);
            store_boxes(t, w, place, a, b, steps);
            if (t->one && pair == (w->deepest & 127)) {
                w->deepest_place = place;
            }
        } else if (is_there) {
            atomic_or(&w->lines[slot][steps == 1 ? pair & 7 : pair >> 3 & 7],
                      1u << (steps == 1 ? pair >> 3 & 7 : pair & 7));
            w->has_lines = 1;
        }
    }
    publish(&w->waiting, total, t->lane);
    publish(&w->candidate_count, candidates, t->lane);
}

/* By lane 0: the boxes of raise_deepest. */
static void raise_boxes(const tables *t, local const workspace *w)
{
    global int *from = t->boxes + TMB_CL_BOX_WORDS * (size_t)(w->spilled + w->deepest_place);
    global int *top = t->boxes + TMB_CL_BOX_WORDS * (size_t)(w->spilled + w->waiting - 1);
    for (tmb_u32 k = 0; k < TMB_CL_BOX_WORDS; k++) {
        const int side = from[k];
        from[k] = top[k];
        top[k] = side;
    }
}

/* The boxes of an item that came from the queue, which is the only one. */
static void load_boxes(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, side = lane >= 6, k = lane - 6 * side, check = w->number;
    const int are_roots = (w->stack_children[0] & TMB_CL_ROOTS) != 0;
    if (lane < TMB_CL_BOX_WORDS) {
        const tmb_u32 one = side ? t->s.model_b : t->s.model_a;
        const tmb_u32 model = t->s.one_pair ? one : t->pairs[2 * check + side];
        global const tmb_u32 *frame = (global const tmb_u32 *)t->frames + 2 * TMB_CL_FRAME_DOUBLES * (size_t)model;
        global const tmb_u32 *grid = frame + 2 * TMB_CL_FRAME_GRID; /* the root, and how far its box reaches */
        if (are_roots) {
            t->boxes[lane] = k & 1 ? (int)grid[1 + (k >> 1)] : 0;
        } else if (t->models[model].kind != TMB_CL_WIDE) {
            t->boxes[lane] = t->boxes_in[TMB_CL_BOX_WORDS * (size_t)w->taken + lane];
        }
        if (are_roots && lane == 0) {
            w->stack_a[0] = grid[0];
        }
        if (are_roots && lane == 6) {
            w->stack_b[0] = grid[0];
        }
    }
}

static void hand_over_boxes(const tables *t, local const workspace *w)
{
    for (tmb_u32 i = t->lane; i < TMB_CL_BOX_WORDS * w->spilled; i += TMB_CL_LANES) {
        t->boxes_out[TMB_CL_BOX_WORDS * (size_t)w->queue_base + i] = t->boxes[i];
    }
}
