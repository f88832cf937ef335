/* A model that is being made of a mesh, for the builders of the hierarchies. */
#ifndef TUMBLE_SRC_TREE_CREATION_H
#define TUMBLE_SRC_TREE_CREATION_H

#include "base/arena.h"
#include "tree/clusters.h"
#include "tree/hierarchy.h"
#include "tree/mesh_validate.h"
#include "tree/triangle_set.h"

struct tmb_creation {
    tumble_context *context;
    tmb_arena arena; /* what is needed until the block is written */
    const tumble_mesh *mesh;
    tumble_model_options options; /* with the tuning, and no hierarchy AUTO */
    const tmb_hierarchy *hierarchy;
    tmb_mesh_facts facts;
    size_t polygon_limit; /* one more than the largest number of a polygon */
    int is_edited;        /* their numbers are those of an edited model, and the mesh is only a view of its triangles */
    int is_part;          /* of a model, whose frame or grid it has */
    tmb_triangle_set set;
    uint32_t *own_corners;       /* when polygons had to be cut */
    uint32_t *triangle_polygons; /* then the polygon of each triangle */
    tmb_clusters clusters;
    void *draft; /* what the hierarchy's builder keeps, in the arena; NULL: there are no triangles */
    tmb_block header;
    tmb_block *block;
};

/* Room for the draft, which is 0; NULL if memory runs out. */
void *tmb_creation_draft(tmb_creation *creation, size_t size);

/* Where a section of the block lies. */
void *tmb_creation_section(const tmb_creation *creation, tmb_section which);

/* A larger block for nodes that have grown, as the header now says; everything up to them, and what there was of them,
 * stays. */
tumble_status tmb_creation_enlarge(tmb_creation *creation);

/* From the mesh to the block: cuts polygons, builds, lays out, writes. */
tumble_status tmb_creation_make_block(tmb_creation *creation);

#endif
