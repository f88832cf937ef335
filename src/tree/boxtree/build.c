/* Builds a boxtree top-down: boxes on a grid, splits on several threads, then the nodes in depth-first order.
 *
 * A split of the boxes begin .. end at `middle` has slot middle - 1, which no other split of the tree has. So threads
 * write to places that do not depend on timing, and the result has the same bytes for any number of them. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/boxtree/boxtree.h"
#include "tree/boxtree/split.h"
#include "tree/mesh_validate.h"

/* Smaller sets are not worth a task of their own. */
#define TASK_LEAST 4096

/* With two planes a one-child node takes 16 bytes and has no leaf to share them with. T such nodes among n triangles
 * come to 16 (n - 1 + T) / (2 n - 1 + T) bytes per node, which is 9 at T = 2 n / 7: this is their budget. */
#define TRIMS_PER_TRIANGLE (2.0 / 7)

#define SLOT_LEAF 0x80000000u

/* A split and, before it, an optional trim (a node with one child). */
typedef struct slot {
    float cut[2];      /* of the lower and the upper child */
    float trim_cut[2]; /* of the lower and the upper side; both 0: no trim */
    uint32_t child[2]; /* slots, or SLOT_LEAF | place in the order of boxes */
    uint8_t side[2];   /* which side of the node moves for the child */
    uint8_t axis;
    uint8_t trim_axis;
} slot;

typedef struct builder {
    tumble_context *context;
    const tmb_triangle_set *set;
    const tumble_model_options *options;
    tumble_boxtree_options rules;
    tmb_grid grid;
    tmb_grid_box *boxes, *spare;
    slot *slots;
    uint32_t root;
    atomic_size_t leaves_done;
    atomic_int cancelled;
} builder;

/* A set yet to be split. */
typedef struct range {
    tmb_grid_set set;
    tmb_grid_box box;
    size_t begin, end;
    uint32_t *link; /* where the parent keeps this node */
    double trims;   /* one-child nodes that this set may still have */
    int levels;     /* that may still follow below */
} range;

_Static_assert(sizeof(range) <= TMB_TASK_BYTES, "a range travels as a task");

/* ---- Boxes ---- */

static tmb_grid_box grid_box(const builder *b, uint32_t triangle)
{
    double corners[3][3];
    const uint32_t *t = b->set->corners + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++) {
        tmb_mesh_point(b->set->mesh, t[i], corners[i]);
    }
    tmb_grid_box box = {{0, 0, 0, (int32_t)triangle}, {0, 0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        const double x = corners[0][k], y = corners[1][k], z = corners[2][k];
        box.lower[k] = tmb_grid_below(&b->grid, k, fmin(x, fmin(y, z)));
        box.upper[k] = tmb_grid_above(&b->grid, k, fmax(x, fmax(y, z)));
    }
    return box;
}

/* ---- The order in which boxes are examined ----
 * A split that grows from box to box needs early samples from everywhere: taken in the order of a strip along the axis,
 * the lower child would grow by little steps and swallow all. So the list is read as SEGMENTS runs in parallel, in
 * bit-reversed order. */
#define SEGMENT_BITS 8
#define SEGMENTS (1u << SEGMENT_BITS)

static uint32_t reverse_bits(uint32_t value)
{
    uint32_t reversed = 0;
    for (int i = 0; i < SEGMENT_BITS; i++) {
        reversed = reversed << 1 | ((value >> i) & 1);
    }
    return reversed;
}

/* Round j takes item j of each segment. */
static void fill_rounds(void *shared, size_t begin, size_t end)
{
    builder *b = shared;
    const size_t count = b->set->count, length = (count + SEGMENTS - 1) / SEGMENTS;
    const size_t full = count / length, rest = count - full * length;
    for (size_t round = begin; round < end; round++) {
        tmb_grid_box *out = b->boxes + round * full + (round < rest ? round : rest);
        for (uint32_t s = 0; s < SEGMENTS; s++) {
            const size_t triangle = reverse_bits(s) * length + round;
            if (triangle < count) {
                *out++ = grid_box(b, (uint32_t)triangle);
            }
        }
    }
}

/* ---- Splitting ---- */

static float side_room(const tmb_grid_box *box, const tmb_grid_box *content, int side)
{
    TMB_ASSERT(side >= 0 && side < 6);
    const int axis = side >> 1;
    return tmb_grid_cut(side & 1 ? box->upper[axis] - content->upper[axis] : content->lower[axis] - box->lower[axis]);
}

/* Adds a one-child node where it leaves a small enough share of the volume: along one axis for two planes, at one side
 * for one. */
static void trim(const builder *b, range *r, slot *s)
{
    double least = b->rules.trim;
    int best_axis = -1;
    float best[2] = {0, 0};
    for (int side = 0; side < 6; side++) {
        const int axis = side >> 1;
        const double extent = r->box.upper[axis] - r->box.lower[axis];
        float cut[2] = {0, 0};
        cut[side & 1] = side_room(&r->box, &r->set.bounds, side);
        if (b->rules.layout == TUMBLE_BOXTREE_TWO_PLANES) {
            cut[~side & 1] = side_room(&r->box, &r->set.bounds, side ^ 1);
        }
        if (extent > 0 && cut[0] + cut[1] > 0 && 1 - ((double)cut[0] + (double)cut[1]) / extent <= least) {
            least = 1 - ((double)cut[0] + (double)cut[1]) / extent;
            best_axis = axis;
            best[0] = cut[0], best[1] = cut[1];
        }
    }
    if (best_axis >= 0) {
        r->trims -= 1;
        s->trim_axis = (uint8_t)best_axis;
        for (int k = 0; k < 2; k++) {
            s->trim_cut[k] = best[k];
            tmb_grid_move(&r->box, 2 * best_axis + k, best[k]);
        }
    }
}

/* Of all six sides the one that can move farthest; `facing` if it is one of several. */
static int farthest_side(const tmb_grid_box *box, const tmb_grid_box *content, int facing)
{
    const tmb_grid4 below = content->lower - box->lower, above = box->upper - content->upper;
    int side = facing;
    int32_t most = facing & 1 ? above[facing >> 1] : below[facing >> 1];
    for (int axis = 0; axis < 3; axis++) {
        side = below[axis] > most ? 2 * axis : side;
        most = below[axis] > most ? below[axis] : most;
        side = above[axis] > most ? 2 * axis + 1 : side;
        most = above[axis] > most ? above[axis] : most;
    }
    return side;
}

/* The child's plane. The lower child's upper side faces the upper child, and the reverse. One plane per node: any side
 * moves, or one of the two along the axis (the paper). */
static void cut_child(const builder *b, range *child, int axis, int upper, slot *s)
{
    const tmb_grid_box *box = &child->box, *content = &child->set.bounds;
    int side = 2 * axis + !upper;
    if (b->rules.layout == TUMBLE_BOXTREE_ONE_PLANE && b->rules.planes == TUMBLE_BOXTREE_PLANES_ANY) {
        side = farthest_side(box, content, side);
    } else if (b->rules.layout == TUMBLE_BOXTREE_ONE_PLANE) {
        side ^= side_room(box, content, side ^ 1) > side_room(box, content, side);
    }
    const float cut = side_room(box, content, side);
    s->cut[upper] = cut;
    s->side[upper] = (uint8_t)side;
    tmb_grid_move(&child->box, side, cut);
}

/* Splits a range in two and links its node to the parent. */
static void split_range(builder *b, range *r, range children[2])
{
    const size_t count = r->end - r->begin;
    slot made = {0};
    if (b->rules.trim > 0 && r->trims >= 1) {
        trim(b, r, &made);
    }
    const int below = r->levels - 1;
    const size_t most = below >= 31 ? count : (size_t)1 << below;
    tmb_split split;
    tmb_boxtree_split(&b->rules, &r->box, &r->set, b->boxes + r->begin, b->spare + r->begin, count, most, &split);
    const size_t middle = r->begin + split.lower_count;
    slot *s = &b->slots[middle - 1];
    made.axis = (uint8_t)split.axis;
    for (int upper = 0; upper < 2; upper++) {
        const size_t begin = upper ? middle : r->begin, end = upper ? r->end : middle;
        const double trims = r->trims * (double)(end - begin) / (double)count;
        children[upper] =
            (range){upper ? split.upper : split.lower, r->box, begin, end, &s->child[upper], trims, below};
        cut_child(b, &children[upper], split.axis, upper, &made);
    }
    *s = made;
    *r->link = (uint32_t)(middle - 1);
}

static void report_leaves(builder *b, tmb_tasks *tasks, size_t leaves)
{
    const size_t done = atomic_fetch_add(&b->leaves_done, leaves) + leaves;
    if (b->options->progress && tmb_tasks_on_caller(tasks) &&
        b->options->progress(b->options->progress_user, (double)done / (double)b->set->count)) {
        atomic_store(&b->cancelled, 1);
    }
}

/* At most 2 * 32 + 8 levels, so the stack of waiting siblings needs no more room. */
#define LEVEL_LIMIT 80

static void build_range(tmb_tasks *tasks, void *shared, const void *argument)
{
    builder *b = shared;
    range stack[LEVEL_LIMIT];
    size_t waiting = 1, leaves = 0;
    memcpy(&stack[0], argument, sizeof stack[0]);
    while (waiting > 0 && !atomic_load_explicit(&b->cancelled, memory_order_relaxed)) {
        range r = stack[--waiting];
        if (r.end - r.begin == 1) {
            *r.link = SLOT_LEAF | (uint32_t)r.begin;
            if (++leaves == TASK_LEAST) {
                report_leaves(b, tasks, leaves);
                leaves = 0;
            }
            continue;
        }
        range children[2];
        split_range(b, &r, children);
        const int larger = children[1].end - children[1].begin > children[0].end - children[0].begin;
        if (children[larger].end - children[larger].begin < TASK_LEAST || !tmb_tasks_add(tasks, &children[larger])) {
            stack[waiting++] = children[larger];
        }
        stack[waiting++] = children[!larger];
    }
    report_leaves(b, tasks, leaves);
}

static int levels_for(size_t count)
{
    int bits = 0;
    while (bits < 32 && ((size_t)1 << bits) < count) {
        bits++;
    }
    return 2 * bits + 8;
}

/* ---- Nodes from slots, depth-first ---- */

typedef struct emitter {
    const builder *b;
    tmb_boxtree *tree;
    uint32_t next_node, next_leaf;
} emitter;

/* A node to be written: where its reference goes (two planes) or where it goes itself (one plane). */
typedef struct pending_node {
    uint32_t reference; /* a slot or a leaf of the builder */
    uint32_t place;
    uint32_t depth;
} pending_node;

static uint32_t emit_leaf(emitter *e, const pending_node *p)
{
    e->tree->order[e->next_leaf] = (uint32_t)e->b->boxes[p->reference & ~SLOT_LEAF].lower[3];
    e->tree->depth = p->depth > e->tree->depth ? p->depth : e->tree->depth;
    return e->next_leaf++;
}

static int is_trimmed(const slot *s)
{
    return s->trim_cut[0] > 0 || s->trim_cut[1] > 0;
}

static void emit_one_plane(emitter *e)
{
    tmb_node_one *nodes = e->tree->nodes;
    pending_node stack[LEVEL_LIMIT + 1];
    size_t waiting = 1;
    stack[0] = (pending_node){e->b->root, 0, 0};
    nodes[0] = (tmb_node_one){0, 0};
    e->next_node = 1;
    while (waiting > 0) {
        pending_node p = stack[--waiting];
        if (p.reference & SLOT_LEAF) {
            nodes[p.place].word |= tmb_one_word(0, TMB_NODE_LEAF, emit_leaf(e, &p));
            continue;
        }
        const slot *s = &e->b->slots[p.reference];
        if (is_trimmed(s)) {
            const int upper = s->trim_cut[1] > 0;
            nodes[p.place].word |= tmb_one_word(0, TMB_NODE_SINGLE, e->next_node);
            p.place = e->next_node++;
            p.depth++;
            nodes[p.place] =
                (tmb_node_one){s->trim_cut[upper], tmb_one_word(2u * s->trim_axis + (uint32_t)upper, 0, 0)};
        }
        nodes[p.place].word |= tmb_one_word(0, TMB_NODE_TWIN, e->next_node);
        for (uint32_t k = 0; k < 2; k++) {
            nodes[e->next_node + k] = (tmb_node_one){s->cut[k], tmb_one_word(s->side[k], 0, 0)};
            stack[waiting + 1 - k] = (pending_node){s->child[k], e->next_node + k, p.depth + 1};
        }
        e->next_node += 2;
        waiting += 2;
    }
    e->tree->node_count = e->next_node;
}

/* A reference is put into word place % 2 of node place / 2, which already holds a bit of the axis. */
static void put_reference(tmb_boxtree *tree, uint32_t place, uint32_t reference)
{
    if (place == UINT32_MAX) {
        tree->root.root = reference;
    } else {
        ((tmb_node_two *)tree->nodes)[place >> 1].child[place & 1] |= reference;
    }
}

static uint32_t emit_two_node(emitter *e, const float cut[2], uint32_t axis)
{
    TMB_ASSERT(axis < 3);
    TMB_ASSERT(cut[0] >= 0 && cut[1] >= 0);
    tmb_node_two *node = (tmb_node_two *)e->tree->nodes + e->next_node;
    *node = (tmb_node_two){{cut[0], cut[1]}, {(axis & 1) << 31, (axis >> 1) << 31}};
    return e->next_node++;
}

static void emit_two_planes(emitter *e)
{
    pending_node stack[LEVEL_LIMIT + 1];
    size_t waiting = 1;
    stack[0] = (pending_node){e->b->root, UINT32_MAX, 0};
    while (waiting > 0) {
        pending_node p = stack[--waiting];
        if (p.reference & SLOT_LEAF) {
            put_reference(e->tree, p.place, TMB_TWO_LEAF | emit_leaf(e, &p));
            continue;
        }
        const slot *s = &e->b->slots[p.reference];
        if (is_trimmed(s)) {
            /* cut[0] belongs to the upper side, as for a lower child */
            const float cut[2] = {s->trim_cut[1], s->trim_cut[0]};
            const uint32_t single = emit_two_node(e, cut, s->trim_axis);
            put_reference(e->tree, p.place, single);
            put_reference(e->tree, 2 * single + 1, TMB_TWO_NONE);
            p.place = 2 * single;
            p.depth++;
        }
        const uint32_t node = emit_two_node(e, s->cut, s->axis);
        put_reference(e->tree, p.place, node);
        for (uint32_t k = 0; k < 2; k++) {
            stack[waiting + 1 - k] = (pending_node){s->child[k], 2 * node + k, p.depth + 1};
        }
        waiting += 2;
    }
    e->tree->node_count = e->next_node + (uint64_t)e->next_leaf;
}

static size_t slots_needed(const builder *b)
{
    const size_t count = b->set->count;
    size_t nodes = b->rules.layout == TUMBLE_BOXTREE_ONE_PLANE ? 2 * count - 1 : count - 1;
    for (size_t i = 0; i + 1 < count; i++) {
        nodes += (size_t)is_trimmed(&b->slots[i]);
    }
    return nodes;
}

static tumble_status emit(builder *b, tmb_arena *arena, tmb_boxtree *tree)
{
    const int one_plane = b->rules.layout == TUMBLE_BOXTREE_ONE_PLANE;
    const size_t slots = slots_needed(b);
    tree->root.slot_count = (uint32_t)slots;
    tree->node_bytes = slots * (one_plane ? sizeof(tmb_node_one) : sizeof(tmb_node_two));
    tree->nodes = tmb_arena_allocate(arena, tree->node_bytes, 1);
    tree->order = tmb_arena_allocate(arena, b->set->count, sizeof *tree->order);
    if (!tree->nodes || !tree->order) {
        return tmb_fail_memory(b->context, "the boxtree's nodes");
    }
    emitter e = {b, tree, 0, 0};
    if (one_plane) {
        emit_one_plane(&e);
    } else {
        emit_two_planes(&e);
    }
    return TUMBLE_OK;
}

/* ---- Addresses of triangles, which are known only when the clusters are ---- */

static uint32_t readdress_two(uint32_t word, const uint32_t *addresses)
{
    const uint32_t reference = tmb_two_reference(word);
    if (!(reference & TMB_TWO_LEAF) || reference == TMB_TWO_NONE) {
        return word;
    }
    return (word & TMB_TWO_AXIS) | TMB_TWO_LEAF | addresses[reference & (TMB_TWO_LEAF - 1)];
}

void tmb_boxtree_readdress(tmb_boxtree *tree, const uint32_t *addresses)
{
    const uint32_t count = tree->root.slot_count;
    if (tree->root.layout == TUMBLE_BOXTREE_TWO_PLANES) {
        tmb_node_two *nodes = tree->nodes;
        tree->root.root = readdress_two(tree->root.root, addresses);
        for (uint32_t i = 0; i < count; i++) {
            nodes[i].child[0] = readdress_two(nodes[i].child[0], addresses);
            nodes[i].child[1] = readdress_two(nodes[i].child[1], addresses);
        }
        return;
    }
    tmb_node_one *nodes = tree->nodes;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = nodes[i].word;
        if (tmb_one_kind(word) == TMB_NODE_LEAF) {
            nodes[i].word = tmb_one_word(tmb_one_side(word), TMB_NODE_LEAF, addresses[tmb_one_index(word)]);
        }
    }
}

/* ---- All together ---- */

static tumble_status sort_boxes(builder *b, tmb_boxtree *out)
{
    const size_t count = b->set->count;
    const uint32_t threads = tmb_threads_for(b->options->thread_count, count, TASK_LEAST);
    if (!tmb_parallel_for(b->context, threads, (count + SEGMENTS - 1) / SEGMENTS, 64, fill_rounds, b)) {
        return tmb_fail_memory(b->context, "the threads that build a model");
    }
    range all = {.set = tmb_grid_set_empty(), .end = count, .link = &b->root, .levels = levels_for(count)};
    all.trims = b->rules.layout == TUMBLE_BOXTREE_ONE_PLANE ? INFINITY : TRIMS_PER_TRIANGLE * (double)count;
    for (size_t i = 0; i < count; i++) {
        tmb_grid_set_add(&all.set, &b->boxes[i]);
    }
    all.box = all.set.bounds;
    tmb_grid_coarsen(&all.box);
    for (int k = 0; k < 3 && !b->set->is_part; k++) {
        all.box.lower[k] = 0;
        out->root.extent[k] = all.box.upper[k] = all.set.bounds.upper[k];
    }
    if (!tmb_tasks_run(b->context, threads, build_range, b, &all, sizeof all)) {
        return tmb_fail_memory(b->context, "the threads that build a model");
    }
    if (atomic_load(&b->cancelled)) {
        return tmb_fail(b->context, TUMBLE_ERROR_CANCELLED, "building the model was stopped by the progress callback");
    }
    return TUMBLE_OK;
}

tumble_status tmb_boxtree_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                                tmb_boxtree *out)
{
    TMB_ASSERT(set->count > 0);
    memset(out, 0, sizeof *out);
    const int one_plane = options->tuning->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE;
    const size_t limit = one_plane ? TMB_ONE_TRIANGLES : TMB_TWO_TRIANGLES;
    if (set->count > limit) {
        return tmb_fail(arena->context, TUMBLE_ERROR_TOO_LARGE,
                        "%zu triangles: a boxtree with %s per node holds at most %zu", set->count,
                        one_plane ? "one plane" : "two planes", limit);
    }
    tmb_arena own = {.context = arena->context}; /* what only the build needs */
    builder b = {.context = arena->context, .set = set, .options = options, .rules = options->tuning->boxtree};
    b.grid = tmb_grid_of(set->lower, set->upper);
    out->root.layout = (uint32_t)options->tuning->boxtree.layout;
    out->root.exponent = b.grid.exponent;
    b.boxes = tmb_arena_allocate(&own, set->count, sizeof *b.boxes);
    b.spare = tmb_arena_allocate(&own, set->count, sizeof *b.spare);
    b.slots = tmb_arena_allocate(&own, set->count, sizeof *b.slots);
    tumble_status status;
    if (b.boxes && b.spare && b.slots) {
        status = sort_boxes(&b, out);
        status = status == TUMBLE_OK ? emit(&b, arena, out) : status;
    } else {
        status = tmb_fail_memory(b.context, "building a boxtree");
    }
    tmb_arena_release(&own);
    return status;
}
