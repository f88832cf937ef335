/* The flat block that is a model, and views into it. */
#ifndef TUMBLE_SRC_TREE_MODEL_H
#define TUMBLE_SRC_TREE_MODEL_H

#include "base/assert.h"
#include "base/context.h"
#include "tree/cluster.h"
#include "tumble/hierarchies.h"

#define TMB_BLOCK_MAGIC "TUMBLE\r\n"
#define TMB_BLOCK_ENDIAN 0x01020304u
#define TMB_BLOCK_VERSION 4u
#define TMB_BLOCK_VERSION_THICK 5u /* the same with a radius, see tree/radius.h */

/* Sections follow the header, each on a cache line, in this order. */
typedef enum tmb_section {
    TMB_SECTION_CLUSTERS, /* the geometry, see tree/cluster.h; then TMB_CLUSTER_SLACK bytes that are 0 */
    TMB_SECTION_PLACES,   /* a tmb_cluster_place for each cluster, and one after the last */
    TMB_SECTION_POLYGONS, /* the polygon of each triangle, packed; absent when triangle i is polygon i */
    TMB_SECTION_SURFACES, /* the surface of each polygon; absent when all are surface 0 */
    TMB_SECTION_NODES,    /* the hierarchy's; absent for brute force */
    TMB_SECTION_POINTS,   /* the mesh's point of each corner of each cluster; on request, for larger polygons */
    TMB_SECTION_COUNT
} tmb_section;

/* Parameters of a boxtree: the root box, relative to which everything else is given. */
typedef struct tmb_boxtree_root {
    uint32_t layout;     /* tumble_boxtree_layout */
    uint32_t slot_count; /* nodes of the layout's struct; leaves of the two-plane layout have none */
    int32_t exponent;    /* one unit of the grid is 2^exponent */
    int32_t extent[3];   /* the root box: from the model's lower corner on, in units */
    uint32_t root;       /* for two planes: the root's reference */
    uint32_t reserved;
} tmb_boxtree_root;

/* Of a tree of k-DOPs; see tree/kdop/kdop.h. */
typedef struct tmb_kdop_root {
    uint32_t k;
    uint32_t tumble;       /* tumble_kdop_tumble: LOOKUP or VERTICES where their data are kept, else 0 */
    uint32_t leaf;         /* the most triangles of a leaf: informative only */
    uint32_t vertex_count; /* of all nodes' B-reps */
    uint32_t hull_count;   /* points of all convex hulls; 0: none is kept */
    uint32_t hull_links;   /* neighbours of all of them */
    uint32_t hull_nodes;   /* nodes that keep theirs */
    uint32_t hull_levels;  /* those of so many levels: informative only */
    uint32_t bare_leaves;  /* 1: leaves have no bounds */
    uint32_t reserved;
} tmb_kdop_root;

/* Of R-trees; see tree/rtree/rtree.h. */
typedef struct tmb_rtree_root {
    uint32_t surface_count;
    uint32_t root;   /* of the tree over surfaces: a node, or surface 0 when there is only one */
    uint32_t height; /* of that tree: levels of nodes */
    uint32_t load;   /* tumble_rtree_load: informative only */
    uint32_t width;  /* the most children of a node; 0: 8 */
    uint32_t reserved[3];
} tmb_rtree_root;

typedef struct tmb_block {
    char magic[8];
    uint32_t endian;
    uint32_t version;
    uint64_t total_bytes;
    uint64_t checksum; /* of everything after this field */
    uint32_t hierarchy;
    uint32_t points_are_float;
    uint64_t polygon_count, triangle_count, node_count;
    uint64_t point_count; /* of the mesh, that the triangles use: informative only */
    uint64_t cluster_count;
    uint64_t cluster_units; /* of all of their data, in units of 4 bytes */
    uint32_t depth;
    uint32_t edited; /* 1: polygons were inserted or removed: numbers may have gaps, and there is no mesh any more */
    double lower[3], upper[3];
    uint64_t offsets[TMB_SECTION_COUNT]; /* 0: absent */
    union {
        tmb_boxtree_root boxtree;
        tmb_kdop_root kdop;
        tmb_rtree_root rtree;
        uint64_t wide[5];
    };
    uint64_t point_limit;   /* one more than the mesh's largest index */
    uint64_t topology;      /* what tmb_mesh_facts says of the mesh, to recognise it when its points have moved */
    uint64_t polygon_limit; /* one more than the largest number of a polygon: their count, unless some were removed */
} tmb_block;

_Static_assert(sizeof(tmb_block) == 256, "the file format's header");

/* Local coordinates are those of the model minus its centre, scaled so that they lie in [-1, 1]. */
typedef struct tmb_local_frame {
    double centre[3];
    double scale; /* a power of two */
} tmb_local_frame;
tmb_local_frame tmb_local_frame_of(const double lower[3], const double upper[3]);

struct tumble_model {
    tumble_context *context;
    const tmb_block *block;
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float;            /* whether coordinates are float, not double */
    const uint8_t *polygons; /* NULL: the identity; else numbers of polygon_bytes each, see tmb_packed_number */
    uint32_t polygon_bytes;
    const uint32_t *surfaces; /* NULL: all 0 */
    const void *nodes;
    const uint32_t *points; /* NULL: not kept */
    tmb_local_frame frame;
    tumble_tuning tuning; /* that it was built with, as far as it is known, for editing */
    double build_seconds;
    size_t mapped_bytes;                       /* of a mapping */
    void *owned;                               /* released with the model when not NULL */
    void (*unmap)(void *mapping, size_t size); /* called on the block when not NULL */
    /* Of models that tumble_model_deform makes, for the next time: */
    size_t capacity; /* bytes of `owned`, at least the block's; 0 for other models */
    tmb_buffer scratch;
    _Atomic(struct tmb_topology *) topology; /* NULL until it is first wanted, see tree/topology.h */
    double radius;                           /* of all polygons, or the largest, */
    const double *radii;                     /* when they have their own; else NULL */
    tmb_buffer own_radii;
    int has_flat_ends;       /* polygons, which are segments or points, are cylinders, or balls */
    int has_own_radius;      /* the radius is not the block's */
    uint32_t radius_changes; /* so that scenes notice */
    _Atomic(struct tumble_model *)
        thickened;    /* the model with its block, if that lacks the radius; see tree/radius.h */
    double corner[3]; /* where the grid of a boxtree starts: the lower one of its bounds, unless it is edited */
    _Atomic uint32_t use_count; /* by scenes: it is not destroyed meanwhile */
    struct tmb_live *live;      /* of another model that was edited: it lies there, see tree/edit/live.h; else NULL */
    struct tmb_edit *edit; /* of an R-tree that was edited: the model lies there, see tree/rtree/edit.h; else NULL */
};

/* Numbers below a limit take as few bytes as the largest needs, lowest byte first. Three bytes after the last can be
 * read. */
#define TMB_PACKED_SLACK 3
static inline uint32_t tmb_packed_bytes(uint64_t limit)
{
    TMB_ASSERT(limit <= (uint64_t)UINT32_MAX + 1);
    return limit <= 1u << 8 ? 1 : limit <= 1u << 16 ? 2 : limit <= 1u << 24 ? 3 : 4;
}
static inline uint32_t tmb_packed_number(const uint8_t *numbers, uint32_t bytes, size_t i)
{
    TMB_ASSERT(bytes >= 1 && bytes <= 4);
    const uint8_t *p = numbers + bytes * i;
    const uint32_t number = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return number & UINT32_MAX >> (32 - 8 * bytes);
}

/* The corners of the triangle with this address. */
static inline void tmb_model_corners(const tumble_model *model, uint32_t address, double corners[3][3])
{
    TMB_ASSERT(address / TMB_CLUSTER_TRIANGLES < model->block->cluster_count);
    tmb_cluster_triangle(model->places, model->clusters, model->is_float, address, corners);
}

static inline uint32_t tmb_model_polygon(const tumble_model *model, uint32_t address)
{
    TMB_ASSERT(address / TMB_CLUSTER_TRIANGLES < model->block->cluster_count);
    TMB_ASSERT(address % TMB_CLUSTER_TRIANGLES <
               tmb_cluster_triangle_count(model->places + address / TMB_CLUSTER_TRIANGLES));
    const tmb_cluster_place *place = model->places + address / TMB_CLUSTER_TRIANGLES;
    const uint32_t triangle = tmb_cluster_first_triangle(place) + address % TMB_CLUSTER_TRIANGLES;
    return model->polygons ? tmb_packed_number(model->polygons, model->polygon_bytes, triangle) : triangle;
}

static inline uint32_t tmb_model_surface(const tumble_model *model, uint32_t polygon)
{
    TMB_ASSERT(polygon < model->block->polygon_limit);
    return model->surfaces ? model->surfaces[polygon] : 0;
}

static inline double tmb_model_radius(const tumble_model *model, uint32_t polygon)
{
    TMB_ASSERT(polygon < model->block->polygon_limit);
    return model->radii ? model->radii[polygon] : model->radius;
}

/* Whether its solids are cylinders with flat ends, not everything within a radius. */
static inline int tmb_model_is_flat(const tumble_model *model)
{
    return model->has_flat_ends && model->radius > 0;
}

/* The ends of the axis of a triangle with two equal corners. */
static inline void tmb_model_axis(const double corners[3][3], const double *ends[2])
{
    const int first_two_are_equal =
        corners[0][0] == corners[1][0] && corners[0][1] == corners[1][1] && corners[0][2] == corners[1][2];
    ends[0] = corners[0];
    ends[1] = corners[first_two_are_equal ? 2 : 1];
}

/* Whether some polygon has more than one triangle. */
static inline int tmb_block_has_large_polygons(const tmb_block *block)
{
    return block->polygon_count != block->triangle_count;
}

static inline int tmb_model_has_large_polygons(const tumble_model *model)
{
    return tmb_block_has_large_polygons(model->block);
}

/* Fills in the checksum of a finished block, and makes a model that owns it. On failure the block is not released. */
tumble_status tmb_model_adopt(tumble_context *context, tmb_block *block, tumble_model **out);

/* Of an edited model the one with its block, made when it is wanted and valid until the next edit; any other model is
 * itself. NULL if memory runs out; that is recorded. */
const tumble_model *tmb_model_flat(const tumble_model *model);

/* A number that no block or edit has had before, for the checksum of a model that is edited: what is kept of a model
 * from one question to the next is known by it. */
uint64_t tmb_edit_mark(tumble_context *context);

/* A scene begins or ceases to use a model, which is not destroyed in between. */
void tmb_model_begin_use(const tumble_model *model);
void tmb_model_end_use(const tumble_model *model);

/* Tells scenes, by the context's count of changes, that a model may have changed in place. */
void tmb_model_note_change(const tumble_model *model);

/* Releases the block, but not the model; until it has another, nothing may use it. */
void tmb_model_release_block(tumble_model *model);

/* Gives a model another finished block, which it then owns. What it had before is released. */
void tmb_model_replace(tumble_model *model, tmb_block *block);

/* A model without a block; NULL if memory runs out (the message is then recorded). */
tumble_model *tmb_model_allocate(tumble_context *context);

/* Makes a model refer to this block, which it does not own. */
void tmb_model_view(tumble_model *model, const tmb_block *block);

/* Releases everything that a model holds. */
uint64_t tmb_model_bytes(const tumble_model *model);

/* A model in mapped memory: validates it completely and, on success, owns the mapping. */
tumble_status tmb_model_from_mapping(tumble_context *context, void *mapping, size_t size,
                                     void (*unmap)(void *mapping, size_t size), tumble_model **out);

#endif
