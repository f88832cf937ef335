/* k-DOP trees (Klosowski et al. 1998): how they lie in a model's block.
 *
 * A node is a row of 32-bit words: its k bounds as floats in the model's local frame, rounded outward, in the lanes of
 * tree/kdop/sets.h; then `link` and `count`. Rows are read as whole vectors, so the words after the last row exist too.
 * The root is number 1, pairs of children are numbers 2 i and 2 i + 1 and lie after their parent; row 0 is 0. Data for
 * some ways of tumbling follows the rows.
 *
 * Trees with bare leaves have link and count of all nodes first, and then bounds of inner nodes alone: those of the
 * node with the children 2 i and 2 i + 1 are number i. Data for tumbling has the same numbers. Code that does not care
 * reads both kinds through a tmb_kdop_view. */
#ifndef TUMBLE_SRC_TREE_KDOP_KDOP_H
#define TUMBLE_SRC_TREE_KDOP_KDOP_H

#include "base/arena.h"
#include "base/assert.h"
#include "tree/kdop/sets.h"
#include "tree/model.h"
#include "tree/triangle_set.h"

#define TMB_KDOP_ROOT 1

/* No tree is deeper: see tmb_kdop_build. */
#define TMB_KDOP_DEPTH 128

/* Words of a row, and where its last two are. */
static inline uint32_t tmb_kdop_words(uint32_t k)
{
    return k + 2;
}
static inline uint32_t tmb_kdop_link(uint32_t k, const uint32_t *row)
{
    return row[k]; /* of an inner node: its first child; of a leaf: the address of its first triangle */
}
static inline uint32_t tmb_kdop_count(uint32_t k, const uint32_t *row)
{
    return row[k + 1]; /* triangles of a leaf; 0: an inner node */
}

/* Words after the last row that can be read. */
#define TMB_KDOP_SLACK 8

/* Of a node, for tumbling by lookup: its centre, then a word for each lane. See tree/kdop/lookup.h. */
static inline uint32_t tmb_kdop_lookup_words(uint32_t k)
{
    return 3 + k;
}

/* Where the parts lie in the section, in bytes; those that are absent have the next one's place. */
typedef struct tmb_kdop_parts {
    uint64_t links;        /* of node 0: its link and count */
    uint64_t rows;         /* the bounds of volume 0; 0 unless leaves are bare */
    uint64_t lookups;      /* a record for each volume */
    uint64_t vertex_first; /* uint32_t for each volume and one more: where its vertices start */
    uint64_t vertices;     /* float[3] */
    uint64_t hull_places;  /* tmb_kdop_hull_place for each hull and one more, by ascending nodes */
    uint64_t hull_points;  /* double[3] */
    uint64_t hull_first;   /* uint32_t for each point and, for each hull, one more: where its neighbours start */
    uint64_t hull_links;   /* uint32_t: numbers of points of the same hull */
    uint64_t end;
} tmb_kdop_parts;
tmb_kdop_parts tmb_kdop_parts_of(const tmb_block *block);

/* The node that a hull is of, and where its points and its links start. */
typedef struct tmb_kdop_hull_place {
    uint32_t node, point, link;
} tmb_kdop_hull_place;

static inline const uint32_t *tmb_kdop_row(const void *nodes, uint32_t k, uint32_t node)
{
    TMB_ASSERT(tmb_kdop_set_of(k));
    TMB_ASSERT(node >= TMB_KDOP_ROOT);
    return (const uint32_t *)nodes + (size_t)node * tmb_kdop_words(k);
}

/* How many k-DOPs a tree keeps: numbers 1 to this. */
static inline uint32_t tmb_kdop_volumes(const tmb_block *block)
{
    return (uint32_t)(block->kdop.bare_leaves ? block->node_count / 2 : block->node_count);
}

/* A tree with or without bounds of leaves. */
typedef struct tmb_kdop_view {
    const uint32_t *links;
    const float *bounds;
    uint32_t link_step, bound_step; /* words from one to the next */
    int has_bare_leaves;
} tmb_kdop_view;
tmb_kdop_view tmb_kdop_view_of(const tmb_block *block, const void *nodes);

/* A node's link, followed by its count. */
static inline const uint32_t *tmb_kdop_links(const tmb_kdop_view *view, uint32_t node)
{
    TMB_ASSERT(node >= TMB_KDOP_ROOT);
    return view->links + (size_t)node * view->link_step;
}

/* The number of a node's k-DOP; a bare leaf has none. */
static inline uint32_t tmb_kdop_volume_of(const tmb_kdop_view *view, uint32_t node)
{
    return view->has_bare_leaves ? tmb_kdop_links(view, node)[0] / 2 : node;
}
static inline const float *tmb_kdop_bounds(const tmb_kdop_view *view, uint32_t volume)
{
    return view->bounds + (size_t)volume * view->bound_step;
}

/* A leaf's box along x, y and z, in local coordinates, from its triangles: off by roundings of doubles alone. */
void tmb_kdop_leaf_box(const tumble_model *model, uint32_t address, uint32_t count, double lower[3], double upper[3]);

/* A tree without volumes: the triangles in the order of the leaves, and where the sets were cut. A set of more than
 * `leaf` triangles that is cut in front of its triangle m (by its number in the whole order) has halves that are cut in
 * front of cuts[m][0] and cuts[m][1], 0 where they are leaves. No two sets are cut in front of the same triangle. */
typedef struct tmb_kdop_tree {
    uint32_t *order;     /* triangle i of the tree is number order[i] of the input */
    uint32_t (*cuts)[2]; /* one for each triangle; the first is not used */
    uint32_t root_cut;   /* 0: the root is a leaf */
    uint32_t node_count, depth;
} tmb_kdop_tree;

/* The tree's memory is the arena's. Where cuts at the mean leave a deep tree, the rest is cut at the median. */
tumble_status tmb_kdop_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_kdop_tree *out);

/* Writes links and counts of all nodes from a tree, `step` words apart; `addresses` are those of the triangles in the
 * tree's order. */
void tmb_kdop_write(const tmb_kdop_tree *tree, size_t triangle_count, const uint32_t *addresses, uint32_t *links,
                    uint32_t step);

/* Trees whose leaves may have at least this many triangles have whole clusters as leaves, and pairs of them are tested
 * as such. */
#define TMB_KDOP_CLUSTERED 4

/* Says which triangles of the tree's order are the first of a leaf; `starts` has a byte for each. */
void tmb_kdop_mark_leaves(const tmb_kdop_tree *tree, size_t triangle_count, uint8_t *starts);

/* Fits all bounds of a block, whose clusters are there, to the triangles. Links and counts are taken from the section
 * of another block with the same tree; NULL: they are there already. Linear time. The result does not depend on the
 * number of threads. Returns 0, having done nothing, if memory for them runs out; one thread needs none. */
int tmb_kdop_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from);

/* Whether the section of a block, whose clusters are valid, is a tree with each triangle in one leaf, and everything
 * else in it is in range. */
tumble_status tmb_kdop_validate(tumble_context *context, const tmb_block *block, const void *nodes);

/* How it is built, and its nodes as boxes. */
extern const struct tmb_hierarchy_builder tmb_kdop_builder;
extern const struct tmb_box_reader tmb_kdop_boxes;

#endif
