/* Fits a boxtree to points that have moved: children and triangles stay, planes are chosen anew.
 *
 * On the way up each node learns the box of its triangles on the grid of the new bounds. On the way down it is cut out
 * of its parent's box as the tree defines it, along the axis that leaves least, and by no more than its triangles
 * allow. So every node's box contains its triangles, for the build's reasons (docs/boxtree.md). Nothing depends on the
 * planes that were there before.
 *
 * Threads take a branch each, below a top that one thread does alone; the division into branches does not affect the
 * result. */
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/boxtree/boxtree.h"

/* No checked tree is deeper. */
#define LEVEL_LIMIT 257

/* A part of the tree that one thread fits. */
typedef struct branch {
    tmb_grid_box box;     /* as the tree defines it */
    tmb_grid_box content; /* the box of its triangles */
    uint32_t node;
} branch;

/* Branches have at most this many nodes, or a share of the tree's if that is more; there is room for one in 512
 * nodes. */
#define BRANCH_NODES 2048
#define BRANCH_SHARE 64
#define BRANCHES_MOST 1024

static uint32_t branch_room(const tmb_block *block)
{
    const uint32_t room = block->boxtree.slot_count / 512 + 1;
    return room < BRANCHES_MOST ? room : BRANCHES_MOST;
}

/* One end of a box along each axis. */
typedef struct ends {
    int32_t x[3];
} ends;

/* What the way up leaves for the way down, in as little memory as possible. One plane: the box of a node with two
 * children, its lower ends at the first child's place, its upper ends at the other's. A node with one child has that
 * one's box, a leaf its triangle's. Two planes: at twice the node's place the lower ends of its last child, then the
 * upper ends of its first one; those are what its planes can reach. */
typedef struct fitting {
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float, two_planes;
    tmb_grid grid;
    const void *from;
    void *nodes;
    ends *ends;
    branch *branches;
    uint32_t branch_count;
} fitting;

/* A copy whose layout the compiler knows, so that what is inlined with it is made for that layout. */
static inline fitting for_layout(const fitting *f, int two_planes)
{
    fitting copy = *f;
    copy.two_planes = two_planes;
    return copy;
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline void store_ends(ends *out, tmb_grid4 from)
{
    *out = (ends){{from[0], from[1], from[2]}};
}

/* Reads on into what comes next, which does not count. */
static inline tmb_grid4 load_ends(const ends *from)
{
    const tmb_grid4 mask = {-1, -1, -1, 0};
    tmb_grid4 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes & mask;
}

/* ---- Nodes of both layouts ----
 * A node is identified by its place, a leaf of two planes, which has none, by its parent's reference. */

static inline const tmb_node_one *one_plane(const fitting *f, uint32_t node)
{
    return (const tmb_node_one *)f->from + node;
}

static inline const tmb_node_two *two_planes(const fitting *f, uint32_t node)
{
    return (const tmb_node_two *)f->from + node;
}

static inline int is_leaf(const fitting *f, uint32_t node)
{
    return f->two_planes ? (node & TMB_TWO_LEAF) != 0 : tmb_one_kind(one_plane(f, node)->word) == TMB_NODE_LEAF;
}

typedef struct children {
    uint32_t node[2];
    uint32_t count;
} children;

static inline children children_of(const fitting *f, uint32_t node)
{
    if (f->two_planes) {
        const tmb_node_two *two = two_planes(f, node);
        const uint32_t second = tmb_two_reference(two->child[1]);
        return (children){{tmb_two_reference(two->child[0]), second}, second == TMB_TWO_NONE ? 1 : 2};
    }
    const uint32_t word = one_plane(f, node)->word, first = tmb_one_index(word);
    return (children){{first, first + 1}, tmb_one_kind(word) == TMB_NODE_TWIN ? 2 : 1};
}

/* Nodes stand in depth-first order: those below a node follow each other, and start here. */
static inline uint32_t start_of(const fitting *f, uint32_t node)
{
    return f->two_planes ? node : tmb_one_index(one_plane(f, node)->word);
}

static inline tmb_grid_box leaf_content(const fitting *f, uint32_t leaf)
{
    const uint32_t triangle = f->two_planes ? leaf & (TMB_TWO_LEAF - 1) : tmb_one_index(one_plane(f, leaf)->word);
    double corners[3][3];
    int32_t lower[3], upper[3];
    tmb_cluster_triangle(f->places, f->clusters, f->is_float, triangle, corners);
    for (int k = 0; k < 3; k++) {
        const double x = corners[0][k], y = corners[1][k], z = corners[2][k];
        const double less = x < y ? x : y, more = x < y ? y : x;
        lower[k] = tmb_grid_below(&f->grid, k, less < z ? less : z);
        upper[k] = tmb_grid_above(&f->grid, k, more > z ? more : z);
    }
    return (tmb_grid_box){{lower[0], lower[1], lower[2], 0}, {upper[0], upper[1], upper[2], 0}};
}

/* ---- Up ---- */

/* A node some of whose children are done. */
typedef struct rising {
    tmb_grid_box content;
    children children;
    uint32_t node, done;
} rising;

static inline void begin_node(const fitting *f, uint32_t node, rising *out)
{
    out->children = children_of(f, node);
    out->node = node;
    out->done = 0;
}

static inline void take_child(const fitting *f, rising *parent, const tmb_grid_box *content)
{
    const int first = parent->done++ == 0, last = parent->done == parent->children.count;
    ends *out = f->ends + (f->two_planes ? 2 * (size_t)parent->node : parent->children.node[0]);
    if (first) {
        parent->content = *content;
    } else {
        parent->content.lower = tmb_grid_min(parent->content.lower, content->lower);
        parent->content.upper = tmb_grid_max(parent->content.upper, content->upper);
    }
    if (f->two_planes && last) {
        store_ends(out, content->lower);
    }
    if (f->two_planes && first) {
        store_ends(out + 1, content->upper);
    }
    if (!f->two_planes && last && !first) {
        store_ends(out, parent->content.lower);
        store_ends(out + 1, parent->content.upper);
    }
}

/* Everything below an inner node, except for the branches from `known` to `end`, which come on the way in this
 * order. */
ALWAYS_INLINE tmb_grid_box rise(const fitting *f, uint32_t node, const branch *known, const branch *end)
{
    rising stack[LEVEL_LIMIT];
    rising *top = stack;
    begin_node(f, node, top);
    for (;;) {
        if (top->done == top->children.count) {
            if (top == stack) {
                return top->content;
            }
            top--;
            take_child(f, top, &top[1].content);
            continue;
        }
        const uint32_t child = top->children.node[top->done];
        if (is_leaf(f, child)) {
            const tmb_grid_box content = leaf_content(f, child);
            take_child(f, top, &content);
        } else if (known < end && child == known->node) {
            take_child(f, top, &known++->content);
        } else {
            begin_node(f, child, ++top);
        }
    }
}

static tmb_grid_box fit_up(const fitting *f, uint32_t node, const branch *known, const branch *end)
{
    const fitting one = for_layout(f, 0), two = for_layout(f, 1);
    return f->two_planes ? rise(&two, node, known, end) : rise(&one, node, known, end);
}

/* ---- Down ---- */

/* How far sides can be moved inward, and the extent by which that is judged. */
typedef struct room {
    tmb_grid4 lower, upper, extent;
} room;

static inline room room_in(const tmb_grid_box *box, tmb_grid4 lower, tmb_grid4 upper)
{
    return (room){lower - box->lower, box->upper - upper, box->upper - box->lower};
}

typedef float lanes4 __attribute__((vector_size(16)));

static inline lanes4 to_float(tmb_grid4 x)
{
    return __builtin_convertvector(x, lanes4);
}

/* The axis along which the greatest share is cut off, the first of several. It is unpredictable, so there is no
 * branch. */
static inline int best_axis(lanes4 cut, tmb_grid4 extent)
{
    const tmb_grid4 one = {1, 1, 1, 1};
    const lanes4 share = cut / to_float(tmb_grid_max(extent, one));
    const float more = share[1] > share[0] ? share[1] : share[0];
    const int second = share[1] > share[0], third = share[2] > more;
    return 2 * third + (second & ~third);
}

/* The cut in the lane of its axis, and nothing in the others. */
static inline tmb_grid4 cut_along(int axis, int32_t cut)
{
    const tmb_grid4 lanes = {0, 1, 2, 3}, chosen = {axis, axis, axis, axis}, all = {cut, cut, cut, cut};
    return all & (lanes == chosen);
}

static inline tmb_grid_box content_of(const fitting *f, uint32_t node)
{
    uint32_t word = one_plane(f, node)->word;
    while (tmb_one_kind(word) == TMB_NODE_SINGLE) {
        node = tmb_one_index(word);
        word = one_plane(f, node)->word;
    }
    if (tmb_one_kind(word) == TMB_NODE_LEAF) {
        return leaf_content(f, node);
    }
    const ends *from = f->ends + tmb_one_index(word);
    return (tmb_grid_box){load_ends(from), load_ends(from + 1)};
}

/* Moves the one of all six sides that leaves least. It is unpredictable, so there is no branch. */
static inline tmb_grid_box cut_one_plane(const fitting *f, const tmb_grid_box *parent, uint32_t node)
{
    const tmb_grid_box content = content_of(f, node);
    const room r = room_in(parent, content.lower, content.upper);
    const tmb_grid4 uppers = r.upper >= r.lower; /* all ones where the upper side has more room */
    const tmb_grid4 more = tmb_grid_select(uppers, r.upper, r.lower);
    const int axis = best_axis(to_float(more), r.extent);
    const int32_t cut = tmb_grid_shorten(more[axis]);
    const uint32_t word = one_plane(f, node)->word, side = (uint32_t)(2 * axis - uppers[axis]);
    const tmb_grid4 moved = cut_along(axis, cut);
    ((tmb_node_one *)f->nodes)[node] =
        (tmb_node_one){(float)cut, tmb_one_word(side, tmb_one_kind(word), tmb_one_index(word))};
    return (tmb_grid_box){parent->lower + (moved & ~uppers), parent->upper - (moved & uppers)};
}

/* Both planes move along the axis that leaves least of the two children together, or of the only one. */
static inline void cut_two_planes(const fitting *f, const tmb_grid_box *parent, uint32_t node, uint32_t child_count,
                                  tmb_grid_box boxes[2])
{
    const tmb_node_two *from = two_planes(f, node);
    const ends *reach = f->ends + 2 * (size_t)node;
    const room r = room_in(parent, load_ends(reach), load_ends(reach + 1));
    const int axis = best_axis(to_float(r.lower) + to_float(r.upper), r.extent);
    const int32_t lower = tmb_grid_shorten(r.lower[axis]), upper = tmb_grid_shorten(r.upper[axis]);
    const uint32_t low_bit = (uint32_t)axis << 31, high_bit = (uint32_t)axis >> 1 << 31;
    ((tmb_node_two *)f->nodes)[node] =
        (tmb_node_two){{(float)upper, (float)lower},
                       {tmb_two_reference(from->child[0]) | low_bit, tmb_two_reference(from->child[1]) | high_bit}};
    boxes[1] = (tmb_grid_box){parent->lower + cut_along(axis, lower), parent->upper};
    boxes[0] =
        (tmb_grid_box){child_count == 1 ? boxes[1].lower : parent->lower, parent->upper - cut_along(axis, upper)};
}

typedef struct falling {
    tmb_grid_box box;
    uint32_t node;
} falling;

/* Everything below an inner node, except for the branches from `known` to `end`, which are given their boxes. */
ALWAYS_INLINE void fall(const fitting *f, uint32_t node, const tmb_grid_box *box, branch *known, const branch *end)
{
    falling stack[LEVEL_LIMIT + 1];
    size_t waiting = 1;
    stack[0] = (falling){*box, node};
    while (waiting > 0) {
        const falling top = stack[--waiting];
        if (known < end && top.node == known->node) {
            known++->box = top.box;
            continue;
        }
        const children c = children_of(f, top.node);
        tmb_grid_box boxes[2];
        if (f->two_planes) {
            cut_two_planes(f, &top.box, top.node, c.count, boxes);
        }
        for (uint32_t i = c.count; i-- > 0;) {
            if (!f->two_planes) {
                boxes[i] = cut_one_plane(f, &top.box, c.node[i]);
            }
            if (!is_leaf(f, c.node[i])) {
                stack[waiting++] = (falling){boxes[i], c.node[i]};
            }
        }
    }
}

static void fit_down(const fitting *f, uint32_t node, const tmb_grid_box *box, branch *known, const branch *end)
{
    const fitting one = for_layout(f, 0), two = for_layout(f, 1);
    if (f->two_planes) {
        fall(&two, node, box, known, end);
    } else {
        fall(&one, node, box, known, end);
    }
}

/* ---- Branches ---- */

/* A node and the end of those below it. */
typedef struct span {
    uint32_t node, end;
} span;

/* Parts of at most `size` nodes, in depth-first order; 0 when there are more of them than room. */
static uint32_t find_branches(fitting *f, span root, uint32_t size, uint32_t most)
{
    span stack[LEVEL_LIMIT + 1] = {root};
    size_t waiting = 1;
    uint32_t found = 0;
    while (waiting > 0) {
        const span top = stack[--waiting];
        if (top.end - start_of(f, top.node) <= size) {
            if (found == most) {
                return 0;
            }
            f->branches[found++].node = top.node;
            continue;
        }
        const children c = children_of(f, top.node);
        const int second = c.count == 2 && !is_leaf(f, c.node[1]);
        if (second) {
            stack[waiting++] = (span){c.node[1], top.end};
        }
        if (!is_leaf(f, c.node[0])) {
            stack[waiting++] = (span){c.node[0], second ? start_of(f, c.node[1]) : top.end};
        }
    }
    return found;
}

/* A tree that splits off little has many small branches; larger ones are fewer. */
static void choose_branches(fitting *f, uint32_t root, const tmb_block *block)
{
    const uint32_t count = block->boxtree.slot_count, share = count / BRANCH_SHARE;
    uint32_t size = share > BRANCH_NODES ? share : BRANCH_NODES;
    for (; size < count / 2 && f->branch_count == 0; size *= 2) {
        f->branch_count = find_branches(f, (span){root, count}, size, branch_room(block));
    }
}

static void branches_up(void *shared, size_t begin, size_t end)
{
    const fitting *f = shared;
    for (size_t i = begin; i < end; i++) {
        f->branches[i].content = fit_up(f, f->branches[i].node, NULL, NULL);
    }
}

static void branches_down(void *shared, size_t begin, size_t end)
{
    const fitting *f = shared;
    for (size_t i = begin; i < end; i++) {
        fit_down(f, f->branches[i].node, &f->branches[i].box, NULL, NULL);
    }
}

static void each_branch(tumble_context *context, uint32_t thread_count, tmb_range_body *body, fitting *f)
{
    if (!tmb_parallel_for(context, thread_count, f->branch_count, 1, body, f)) {
        (void)tmb_parallel_for(context, 1, f->branch_count, 1, body, f);
    }
}

/* ---- All together ---- */

size_t tmb_boxtree_fit_bytes(const tmb_block *block)
{
    const size_t slots = block->boxtree.slot_count;
    const size_t count = block->boxtree.layout == TUMBLE_BOXTREE_TWO_PLANES ? 2 * slots : slots;
    return branch_room(block) * sizeof(branch) + (count + 1) * sizeof(ends); /* one more: load_ends reads on */
}

static fitting fitting_of(tmb_block *block, const void *from, void *scratch)
{
    char *bytes = (char *)block;
    branch *branches = scratch;
    return (fitting){.places = (const tmb_cluster_place *)(bytes + block->offsets[TMB_SECTION_PLACES]),
                     .clusters = (const uint32_t *)(bytes + block->offsets[TMB_SECTION_CLUSTERS]),
                     .is_float = (int)block->points_are_float,
                     .two_planes = block->boxtree.layout == TUMBLE_BOXTREE_TWO_PLANES,
                     .grid = tmb_grid_of(block->lower, block->upper),
                     .from = from,
                     .nodes = bytes + block->offsets[TMB_SECTION_NODES],
                     .ends = (ends *)(branches + branch_room(block)),
                     .branches = branches};
}

static tmb_grid_box write_root(const fitting *f, tmb_block *block)
{
    tmb_grid_box box = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    block->boxtree.exponent = f->grid.exponent;
    for (int k = 0; k < 3; k++) {
        box.upper[k] = block->boxtree.extent[k] = tmb_grid_above(&f->grid, k, block->upper[k]);
    }
    if (!f->two_planes) {
        *(tmb_node_one *)f->nodes = (tmb_node_one){0, one_plane(f, 0)->word};
    }
    return box;
}

int tmb_boxtree_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch)
{
    TMB_ASSERT(((uintptr_t)scratch & 15) == 0);
    fitting f = fitting_of(block, from, scratch);
    const uint32_t root = f.two_planes ? block->boxtree.root : 0;
    const tmb_grid_box box = write_root(&f, block);
    if (is_leaf(&f, root)) {
        return 1;
    }
    if (thread_count > 1) {
        choose_branches(&f, root, block);
    }
    const branch *end = f.branches + f.branch_count;
    each_branch(context, thread_count, branches_up, &f);
    (void)fit_up(&f, root, f.branches, end);
    fit_down(&f, root, &box, f.branches, end);
    each_branch(context, thread_count, branches_down, &f);
    return 1;
}
