/* Boxtrees of edited models: sections in their place, and the tree over them.
 *
 * A section's root box is that of its triangles, with sides at multiples of 2^7 units of the grid. The tree over the
 * sections leads to this very box: all its cuts are such multiples, so floats hold them exactly, and what is left to
 * cut above a section is cut by nodes with one child. So a section does not depend on the others. */
#include <string.h>

#include "base/assert.h"
#include "tree/boxtree/boxtree.h"
#include "tree/edit/live.h"

typedef struct section_root {
    uint32_t reference; /* one plane: the word; two: that of the root */
    int32_t lower[3], upper[3];
} section_root;

_Static_assert(sizeof(section_root) <= TMB_LIVE_ROOT_WORDS * sizeof(uint32_t), "a section keeps its root");

static int is_one_plane(const tumble_tuning *tuning)
{
    return tuning->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE;
}

static uint32_t node_bytes(const tumble_tuning *tuning)
{
    return is_one_plane(tuning) ? sizeof(tmb_node_one) : sizeof(tmb_node_two);
}

static int has_root_node(const tmb_block *part)
{
    return part->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE;
}

static uint32_t node_count(const tmb_block *part)
{
    return part->boxtree.slot_count - (uint32_t)has_root_node(part);
}

/* Above each section up to five nodes for the sides that its parent does not cut. */
static size_t top_count(size_t section_count)
{
    return 8 * section_count + 2;
}

static const void *nodes_of(const tmb_block *part)
{
    return (const char *)part + part->offsets[TMB_SECTION_NODES];
}

/* The part's bounds are those of the grid, its section's those of its triangles. */
static int prepare(tumble_context *context, tmb_block *part, tmb_live_section *section)
{
    (void)context;
    const tmb_grid grid = tmb_grid_of(part->lower, part->upper);
    section_root root = {.reference =
                             has_root_node(part) ? ((const tmb_node_one *)nodes_of(part))[0].word : part->boxtree.root};
    tmb_grid_box box = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        box.lower[k] = tmb_grid_below(&grid, k, section->lower[k]);
        box.upper[k] = tmb_grid_above(&grid, k, section->upper[k]);
    }
    tmb_grid_coarsen(&box);
    for (int k = 0; k < 3; k++) {
        root.lower[k] = box.lower[k];
        root.upper[k] = box.upper[k];
    }
    memcpy(section->root, &root, sizeof root);
    return 1;
}

/* ---- Links ---- */

/* Node i > 0 of the part becomes i - 1 of the section. */
static uint32_t shift_one(const tmb_live_section *section, uint32_t word)
{
    const uint32_t kind = tmb_one_kind(word);
    const uint32_t by = kind == TMB_NODE_LEAF ? section->cluster * TMB_CLUSTER_TRIANGLES : section->node - 1;
    return tmb_one_word(tmb_one_side(word), kind, tmb_one_index(word) + by);
}

static uint32_t shift_two(const tmb_live_section *section, uint32_t word)
{
    const uint32_t reference = tmb_two_reference(word);
    if (reference == TMB_TWO_NONE) {
        return word;
    }
    return word + (reference & TMB_TWO_LEAF ? section->cluster * TMB_CLUSTER_TRIANGLES : section->node);
}

static void place_one(tmb_live *live, const tmb_block *part, const tmb_live_section *section)
{
    const tmb_node_one *from = (const tmb_node_one *)nodes_of(part) + 1;
    tmb_node_one *out = (tmb_node_one *)(void *)live->nodes + section->node;
    for (uint32_t i = 0; i < node_count(part); i++) {
        out[i] = (tmb_node_one){from[i].cut, shift_one(section, from[i].word)};
    }
}

static void place_two(tmb_live *live, const tmb_block *part, const tmb_live_section *section)
{
    const tmb_node_two *from = nodes_of(part);
    tmb_node_two *out = (tmb_node_two *)(void *)live->nodes + section->node;
    for (uint32_t i = 0; i < node_count(part); i++) {
        out[i] = from[i];
        out[i].child[0] = shift_two(section, from[i].child[0]);
        out[i].child[1] = shift_two(section, from[i].child[1]);
    }
}

static void place(tmb_live *live, const tmb_block *part, tmb_live_section *section)
{
    section_root root;
    memcpy(&root, section->root, sizeof root);
    if (is_one_plane(&live->tuning)) {
        place_one(live, part, section);
        root.reference = shift_one(section, root.reference);
    } else {
        place_two(live, part, section);
        root.reference = shift_two(section, root.reference);
    }
    memcpy(section->root, &root, sizeof root);
}

/* ---- The tree over sections ---- */

typedef struct writing {
    tmb_live *live;
    tmb_grid_box *contents; /* of the plan's nodes */
    uint32_t used;
} writing;

static section_root root_of(const writing *w, uint32_t from)
{
    section_root root;
    memcpy(&root, w->live->sections[w->live->top[from].section].root, sizeof root);
    return root;
}

/* The boxes of all sections below. */
static void find_contents(writing *w, uint32_t from)
{
    const uint32_t children = w->live->top[from].children;
    tmb_grid_box *out = &w->contents[from];
    if (!children) {
        const section_root root = root_of(w, from);
        *out = (tmb_grid_box){{root.lower[0], root.lower[1], root.lower[2], 0},
                              {root.upper[0], root.upper[1], root.upper[2], 0}};
        return;
    }
    find_contents(w, children);
    find_contents(w, children + 1);
    out->lower = tmb_grid_min(w->contents[children].lower, w->contents[children + 1].lower);
    out->upper = tmb_grid_max(w->contents[children].upper, w->contents[children + 1].upper);
}

/* How far a side can be moved inward. */
static int32_t room_at(const tmb_grid_box *box, const tmb_grid_box *content, int side)
{
    const int axis = side / 2;
    return side % 2 ? box->upper[axis] - content->upper[axis] : content->lower[axis] - box->lower[axis];
}

static int32_t extent_of(const tmb_grid_box *box, int axis)
{
    const int32_t extent = box->upper[axis] - box->lower[axis];
    return extent > 1 ? extent : 1;
}

static uint32_t take(writing *w, uint32_t count)
{
    const uint32_t first = w->used;
    w->used += count;
    TMB_ASSERT(w->used <= w->live->top_room);
    return first;
}

/* ---- One plane ---- */

/* Writes the plane of a node: at the side where it cuts off most. */
static tmb_grid_box cut_one(writing *w, uint32_t number, const tmb_grid_box *parent, const tmb_grid_box *content)
{
    int best = 0;
    double most = -1;
    for (int side = 0; side < 6; side++) {
        const double share = (double)room_at(parent, content, side) / extent_of(parent, side / 2);
        if (share > most) {
            most = share;
            best = side;
        }
    }
    const float cut = tmb_grid_cut(room_at(parent, content, best));
    TMB_ASSERT((int32_t)cut == room_at(parent, content, best));
    ((tmb_node_one *)(void *)w->live->nodes)[number] =
        (tmb_node_one){cut, tmb_one_word((uint32_t)best, TMB_NODE_LEAF, 0)};
    tmb_grid_box box = *parent;
    tmb_grid_move(&box, best, cut);
    return box;
}

static int is_same(const tmb_grid_box *a, const tmb_grid_box *b)
{
    int same = 1;
    for (int side = 0; side < 6; side++) {
        same &= room_at(a, b, side) == 0;
    }
    return same;
}

/* What is below a node whose plane is written; returns the depth. */
static uint32_t write_one(writing *w, uint32_t number, tmb_grid_box box, uint32_t from)
{
    tmb_node_one *nodes = (tmb_node_one *)(void *)w->live->nodes;
    const uint32_t children = w->live->top[from].children;
    uint32_t above = 0;
    if (!children) {
        for (; !is_same(&box, &w->contents[from]); above++) {
            const uint32_t only = take(w, 1);
            nodes[number].word |= tmb_one_word(0, TMB_NODE_SINGLE, only);
            box = cut_one(w, only, &box, &w->contents[from]);
            number = only;
        }
        nodes[number].word |= root_of(w, from).reference;
        return above + w->live->sections[w->live->top[from].section].depth;
    }
    const uint32_t first = take(w, 2);
    uint32_t depth = 0;
    nodes[number].word |= tmb_one_word(0, TMB_NODE_TWIN, first);
    for (uint32_t i = 0; i < 2; i++) {
        const tmb_grid_box own = cut_one(w, first + i, &box, &w->contents[children + i]);
        const uint32_t below = write_one(w, first + i, own, children + i);
        depth = below > depth ? below : depth;
    }
    return depth + 1;
}

/* ---- Two planes ---- */

static tmb_node_two *add_two(writing *w, int axis, int32_t upper, int32_t lower, uint32_t *number)
{
    *number = take(w, 1);
    tmb_node_two *node = (tmb_node_two *)(void *)w->live->nodes + *number;
    *node = (tmb_node_two){{tmb_grid_cut(upper), tmb_grid_cut(lower)},
                           {((uint32_t)axis & 1) << 31, ((uint32_t)axis >> 1) << 31}};
    return node;
}

/* The reference of what leads to a section's box, and on to its root. */
static uint32_t write_chain(writing *w, tmb_grid_box box, uint32_t from, uint32_t *depth)
{
    const tmb_grid_box *content = &w->contents[from];
    uint32_t first = TMB_TWO_NONE;
    tmb_node_two *last = NULL;
    *depth = w->live->sections[w->live->top[from].section].depth;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t lower = room_at(&box, content, 2 * axis), upper = room_at(&box, content, 2 * axis + 1);
        uint32_t number;
        if (lower == 0 && upper == 0) {
            continue;
        }
        tmb_node_two *node = add_two(w, axis, upper, lower, &number);
        node->child[1] |= TMB_TWO_NONE;
        if (last) {
            last->child[0] |= number;
        } else {
            first = number;
        }
        last = node;
        ++*depth;
    }
    const uint32_t root = root_of(w, from).reference;
    if (last) {
        last->child[0] |= root;
    }
    return last ? first : root;
}

/* Along the axis that leaves least of both children together. */
static int best_axis(const tmb_grid_box *box, const tmb_grid_box *lower, const tmb_grid_box *upper)
{
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        const double cut = (double)room_at(box, lower, 2 * axis + 1) + (double)room_at(box, upper, 2 * axis);
        if (cut / extent_of(box, axis) > most) {
            most = cut / extent_of(box, axis);
            best = axis;
        }
    }
    return best;
}

static uint32_t write_two(writing *w, tmb_grid_box box, uint32_t from, uint32_t *depth)
{
    const uint32_t children = w->live->top[from].children;
    if (!children) {
        return write_chain(w, box, from, depth);
    }
    const tmb_grid_box *contents = w->contents + children;
    const int ways[2] = {best_axis(&box, &contents[0], &contents[1]), best_axis(&box, &contents[1], &contents[0])};
    double shares[2];
    for (int i = 0; i < 2; i++) { /* which of the two is the lower child */
        shares[i] =
            ((double)room_at(&box, &contents[i], 2 * ways[i] + 1) + (double)room_at(&box, &contents[!i], 2 * ways[i])) /
            extent_of(&box, ways[i]);
    }
    const int swapped = shares[1] > shares[0], axis = ways[swapped];
    const uint32_t low = children + (uint32_t)swapped, high = children + (uint32_t)!swapped;
    const int32_t upper = room_at(&box, &w->contents[low], 2 * axis + 1),
                  lower = room_at(&box, &w->contents[high], 2 * axis);
    tmb_grid_box boxes[2] = {box, box};
    uint32_t number, depths[2];
    (void)add_two(w, axis, upper, lower, &number);
    tmb_grid_move(&boxes[0], 2 * axis + 1, tmb_grid_cut(upper));
    tmb_grid_move(&boxes[1], 2 * axis, tmb_grid_cut(lower));
    const uint32_t references[2] = {write_two(w, boxes[0], low, &depths[0]), write_two(w, boxes[1], high, &depths[1])};
    tmb_node_two *node = (tmb_node_two *)(void *)w->live->nodes + number;
    node->child[0] |= references[0];
    node->child[1] |= references[1];
    *depth = (depths[0] > depths[1] ? depths[0] : depths[1]) + 1;
    return number;
}

static void write_top(tmb_live *live)
{
    const tmb_grid grid = tmb_grid_of((const double *)live->frame[0], (const double *)live->frame[1]);
    tmb_boxtree_root *root = &live->header.boxtree;
    tmb_grid_box box = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    writing w = {live, live->scratch, 0};
    uint32_t depth;
    *root = (tmb_boxtree_root){.layout = (uint32_t)live->tuning.boxtree.layout, .exponent = grid.exponent};
    for (int k = 0; k < 3; k++) { /* the frame has room to spare */
        box.upper[k] = root->extent[k] = tmb_grid_above(&grid, k, live->frame[1][k]) & ~TMB_GRID_COARSE;
    }
    find_contents(&w, 0);
    if (is_one_plane(&live->tuning)) {
        ((tmb_node_one *)(void *)live->nodes)[take(&w, 1)] = (tmb_node_one){0, 0};
        depth = write_one(&w, 0, box, 0);
    } else {
        root->root = write_two(&w, box, 0, &depth);
    }
    root->slot_count = live->node_used;
    live->header.node_count = live->node_used;
    live->header.depth = depth;
}

const tmb_live_kind tmb_boxtree_live = {.node_bytes = node_bytes,
                                        .node_count = node_count,
                                        .top_count = top_count,
                                        .scratch_bytes = sizeof(tmb_grid_box),
                                        .prepare = prepare,
                                        .place = place,
                                        .write_top = write_top};
