/* Editing R-trees: what is kept in addition while a model is edited.
 *
 * An edited model is no longer a block: its parts are in growing arrays with gaps. All clusters have room for the most
 * corners, so that each can be rewritten in place; unused corners repeat another. Traversals see the same structs as in
 * a block. The block is made on demand (tmb_edit_flat).
 *
 * Inserting is that of the R*-tree (Beckmann et al. 1990), or Guttman's where the model was loaded so. The R*-tree's
 * reinsertions happen only when a model is loaded triangle by triangle; edits pack subtrees anew instead, when enough
 * has changed in them, see edit_rebuild.c. */
#ifndef TUMBLE_SRC_TREE_RTREE_EDIT_H
#define TUMBLE_SRC_TREE_RTREE_EDIT_H

#include <pthread.h>

#include "tree/rtree/rtree.h"

#define TMB_EDIT_NONE UINT32_MAX
#define TMB_EDIT_ROOT (1u << 31) /* in a parent: none, but the root of the surface whose number follows */

/* Of nodes that are not roots, and of clusters: how few children they have at least, if they may have so many. */
static inline uint32_t tmb_edit_least(uint32_t most)
{
    return (3 * most + 4) / 8;
}

/* How many of the children of a node that is too full, and has one more than it may, are reinserted. */
static inline uint32_t tmb_edit_reinserted(uint32_t most)
{
    return (most + 1) / 3;
}

/* Trees of width 2 and 3, whose nodes may have a single child, are packed above this height; and in trees above half of
 * it nothing is reinserted. So a triangle that comes makes no tree higher than tmb_rtree_height_most. */
#define TMB_EDIT_TALL 32

/* Of triangles: not rounded, as the boxes of nodes are. */
typedef struct tmb_edit_bounds {
    double lower[3], upper[3];
} tmb_edit_bounds;

typedef struct tmb_edit_node {
    uint32_t parent;    /* a node; TMB_EDIT_ROOT | surface; TMB_EDIT_NONE for the root of the tree over surfaces */
    uint32_t triangles; /* below; not of nodes over surfaces */
    uint32_t updates;   /* triangles that came or went below since it was packed */
    uint32_t next_free;
    tmb_edit_bounds bounds; /* of all triangles below */
} tmb_edit_node;

/* The other triangles of the same polygon, by their addresses: a ring. */
typedef struct tmb_edit_ring {
    uint32_t next, previous;
} tmb_edit_ring;

typedef struct tmb_edit_triangle {
    double corners[3][3];
    uint32_t polygon;
    uint32_t reserved;
} tmb_edit_triangle;

typedef struct tmb_edit {
    tumble_context *context;
    tmb_block header; /* what queries examine; it has no sections */
    tmb_local_frame frame;
    int is_float;
    uint32_t width, pages; /* of nodes */
    uint32_t cluster_most; /* triangles */
    uint32_t least, cluster_least;

    /* Clusters: all of these arrays have the same capacity. */
    uint32_t cluster_capacity, cluster_used, cluster_free, free_clusters; /* used: or free; the first that is free */
    tmb_cluster_place *places;                                            /* one more */
    uint32_t *clusters;
    uint8_t *polygons; /* of addresses, 4 bytes each */
    tmb_edit_ring *rings;
    uint32_t *cluster_parents; /* like those of nodes; of those that are free: the next one */
    tmb_edit_bounds *cluster_bounds;

    /* Nodes, and after them the surfaces, without gaps and in any order. */
    uint32_t node_capacity, node_used, node_free, free_nodes;
    tmb_rtree_node *nodes;
    tmb_edit_node *node_facts;
    uint32_t surface_capacity, surface_count;
    tmb_rtree_surface *surfaces;
    uint32_t *surface_parents;
    uint32_t *surface_slots; /* hashed by id: a surface plus 1, or 0 */
    uint32_t surface_mask;

    uint32_t *polygon_addresses; /* of one of its triangles; TMB_EDIT_NONE: removed */
    uint32_t *polygon_surfaces;  /* ids, also of those that are removed */
    uint32_t polygon_capacity, polygon_limit, polygon_count;
    uint32_t triangle_count;

    uint64_t frame_updates; /* triangles that came or went since the frame was chosen */
    uint32_t top_updates;   /* surfaces, since the tree over them was packed */
    uint64_t work;          /* nodes and clusters that were written: what edits cost */
    int one_by_one;         /* a model is loaded: nothing is packed, but there are reinsertions */
    uint32_t reinserted;    /* where there was one for the same triangle: clusters, and then levels of nodes, as bits */

    tumble_rtree_load load;
    tmb_buffer scratch;
    pthread_mutex_t flat_lock; /* guards the block */
    tumble_model *flat;        /* NULL: not made since the last edit */
} tmb_edit;

static inline tmb_rtree_node *tmb_edit_at(const tmb_edit *edit, uint32_t node)
{
    return edit->nodes + (size_t)node * edit->pages;
}

/* ---- Memory: edit_memory.c ---- */

/* The state for a model, which stays as it is; NULL if memory runs out. */
tmb_edit *tmb_edit_create(const tumble_model *model);
void tmb_edit_destroy(tmb_edit *edit);
uint64_t tmb_edit_bytes(const tmb_edit *edit);

/* Room for this many more; 0 if memory runs out, and nothing has changed. */
int tmb_edit_reserve(tmb_edit *edit, size_t clusters, size_t nodes, size_t surfaces);
int tmb_edit_reserve_polygons(tmb_edit *edit, size_t more);
int tmb_edit_become_double(tmb_edit *edit);

/* From what was reserved. */
uint32_t tmb_edit_take_cluster(tmb_edit *edit);
uint32_t tmb_edit_take_node(tmb_edit *edit, uint32_t level);
void tmb_edit_give_cluster(tmb_edit *edit, uint32_t cluster);
void tmb_edit_give_node(tmb_edit *edit, uint32_t node);

/* Surfaces by id; TMB_EDIT_NONE: there is none. New ones have no tree yet. */
uint32_t tmb_edit_find_surface(const tmb_edit *edit, uint32_t id);
uint32_t tmb_edit_add_surface(tmb_edit *edit, uint32_t id);
/* Forgets one that is in no tree; the last gets its number. */
void tmb_edit_drop_surface(tmb_edit *edit, uint32_t surface);

/* ---- Trees: edit_tree.c ---- */

/* The one of a surface, or with TMB_EDIT_NONE that over surfaces. */
typedef struct tmb_edit_tree {
    uint32_t surface;
    uint32_t *root, *height;
} tmb_edit_tree;
tmb_edit_tree tmb_edit_tree_of(tmb_edit *edit, uint32_t surface);

typedef struct tmb_edit_entry {
    uint32_t child;
    tmb_rtree_box box;
} tmb_edit_entry;

extern const tmb_rtree_box tmb_edit_empty_box;
double tmb_edit_area(const tmb_rtree_box *box);

tmb_rtree_box tmb_edit_node_box(const tmb_rtree_node *node);
/* All of a tree that is not empty. */
tmb_rtree_box tmb_edit_tree_box(tmb_edit *edit, uint32_t surface);

extern const tmb_edit_bounds tmb_edit_empty_bounds;
void tmb_edit_widen_bounds(tmb_edit_bounds *bounds, const tmb_edit_bounds *other);
/* Of all triangles; the model is not empty. */
const tmb_edit_bounds *tmb_edit_model_bounds(const tmb_edit *edit);

/* The child of a node into which a box goes best. */
uint32_t tmb_edit_choose(const tmb_edit *edit, const tmb_rtree_node *node, const tmb_rtree_box *box);

/* Cuts up to TMB_EDIT_SPLIT_MOST boxes in two groups of at least `least`: their numbers in `order`, how many are in the
 * first group as the result. `fits` (may be NULL) rejects some splits; it must accept one. */
#define TMB_EDIT_SPLIT_MOST 44 /* a full node and one with too few children */
typedef int tmb_edit_fits(const void *user, const uint8_t *order, uint32_t count);
uint32_t tmb_edit_split(const tmb_edit *edit, const tmb_rtree_box *boxes, uint32_t count, uint32_t least,
                        tmb_edit_fits *fits, const void *user, uint8_t order[TMB_EDIT_SPLIT_MOST]);

/* The same by Guttman: with quadratic or linear cost. edit_guttman.c */
uint32_t tmb_edit_split_guttman(const tmb_rtree_box *boxes, uint32_t count, uint32_t least, int is_linear,
                                uint8_t order[TMB_EDIT_SPLIT_MOST]);
static inline int tmb_edit_is_guttman(const tmb_edit *edit)
{
    return edit->load == TUMBLE_RTREE_LOAD_GUTTMAN || edit->load == TUMBLE_RTREE_LOAD_GUTTMAN_LINEAR;
}

/* The same numbers by the distance of the boxes' middles from the middle of all: the farthest first. */
void tmb_edit_sort_by_distance(const tmb_rtree_box *boxes, uint32_t count, uint8_t order[TMB_EDIT_SPLIT_MOST]);

/* Whether full clusters and nodes of a surface reinsert some of what they have before they are split. */
int tmb_edit_reinserts(const tmb_edit *edit, uint32_t surface);

/* What a new node is made of; it has no parent yet. */
void tmb_edit_fill_node(tmb_edit *edit, uint32_t surface, uint32_t node, const tmb_edit_entry *entries, uint32_t count);
void tmb_edit_set_parent(tmb_edit *edit, uint32_t surface, int is_node, uint32_t child, uint32_t parent);
void tmb_edit_set_root(tmb_edit *edit, uint32_t surface, uint32_t root, uint32_t height);

/* A leaf of a tree, that is a cluster or a surface: adds it to a node of level 0 (or a node to one of the level above
 * its own), or takes it out of its tree, which may be empty afterwards (then 1 is returned, and the root means
 * nothing). */
void tmb_edit_insert_leaf(tmb_edit *edit, uint32_t surface, uint32_t node, const tmb_edit_entry *entry);
int tmb_edit_remove_leaf(tmb_edit *edit, uint32_t surface, uint32_t leaf);

/* A leaf has another box: all above follow. */
void tmb_edit_leaf_changed(tmb_edit *edit, uint32_t surface, uint32_t leaf);
void tmb_edit_node_changed(tmb_edit *edit, uint32_t surface, uint32_t node);

/* Surfaces into their tree and out of it. */
void tmb_edit_hang_surface(tmb_edit *edit, uint32_t surface);
void tmb_edit_unhang_surface(tmb_edit *edit, uint32_t surface);

/* ---- Clusters and triangles: edit_clusters.c ---- */

uint32_t tmb_edit_read_cluster(const tmb_edit *edit, uint32_t cluster, tmb_edit_triangle *out);
/* Writes coordinates, polygons and rings; the old content must have left its rings. */
void tmb_edit_write_cluster(tmb_edit *edit, uint32_t cluster, const tmb_edit_triangle *triangles, uint32_t count);
void tmb_edit_unring_cluster(tmb_edit *edit, uint32_t cluster);
/* How many of the triangles fit into one cluster, from the first on. */
uint32_t tmb_edit_fitting(const tmb_edit_triangle *triangles, uint32_t count);
tmb_rtree_box tmb_edit_triangle_box(const tmb_edit *edit, const tmb_edit_triangle *triangle);
tmb_rtree_box tmb_edit_cluster_box(const tmb_edit *edit, uint32_t cluster);

/* Room for one triangle, or for one surface. 0 if memory runs out. */
int tmb_edit_reserve_one(tmb_edit *edit, uint32_t surface);
/* One triangle into a tree that is not empty, for which memory was reserved. Returns a cluster near it. */
uint32_t tmb_edit_insert_triangle(tmb_edit *edit, uint32_t surface, const tmb_edit_triangle *triangle);
void tmb_edit_remove_triangle(tmb_edit *edit, uint32_t address);

/* The surface that a cluster belongs to. */
uint32_t tmb_edit_surface_of(const tmb_edit *edit, uint32_t cluster);

/* Whether the frame has room for a point. */
int tmb_edit_in_frame(const tmb_local_frame *frame, const double point[3]);

/* ---- Packing: edit_rebuild.c ---- */

/* Gives a surface, new or not, its tree anew: of the triangles it has and of `count` more. 0 if memory runs out, and
 * nothing has changed. */
int tmb_edit_build_surface(tmb_edit *edit, uint32_t surface, const tmb_edit_triangle *more, size_t count);
/* Throws a surface's tree away, with all that is in it. */
void tmb_edit_clear_surface(tmb_edit *edit, uint32_t surface);

/* Reports that a triangle of a cluster was added or removed; packs anew what has changed enough. Addresses may
 * change. */
void tmb_edit_note_update(tmb_edit *edit, uint32_t cluster);

/* Another frame, which has room for the model and these bounds (NULL: none); parents, boxes and counts of all trees
 * follow from their clusters. */
void tmb_edit_refit(tmb_edit *edit, const tmb_edit_bounds *more);

/* Packs trees of another origin that have nodes with too few children. 0 if memory runs out. */
int tmb_edit_repair(tmb_edit *edit);

/* Packs a surface's tree, and that over surfaces, where they are too high to grow. 0 if memory runs out. */
int tmb_edit_keep_low(tmb_edit *edit, uint32_t surface);

/* At the end of an edit: bounds and counts for queries; what has grown too large is made anew or given back. */
void tmb_edit_finish(tmb_edit *edit);

/* ---- edit_model.c ---- */

/* As tumble_model_insert, tumble_model_remove and tumble_model_remove_surface. */
tumble_status tmb_edit_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon);
tumble_status tmb_edit_remove(tumble_model *model, const uint32_t *polygons, size_t count);
tumble_status tmb_edit_remove_surface(tumble_model *model, uint32_t surface);

struct tmb_mesh_facts;
/* The block of a model whose triangles were inserted one by one. */
tumble_status tmb_edit_load(tumble_context *context, const tumble_mesh *mesh, const struct tmb_mesh_facts *facts,
                            const tumble_rtree_options *options, tmb_block **out);

/* ---- edit_flat.c ---- */

/* An edited model as a block: made when it is wanted, valid until the next edit. Any other model is itself. NULL if
 * memory runs out; that is recorded. */
const tumble_model *tmb_edit_flat(const tumble_model *model);
/* The block alone, which is the caller's; NULL if memory runs out or it would be too large. */
tmb_block *tmb_edit_write_block(tmb_edit *edit);

#endif
