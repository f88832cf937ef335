/* The polygons of a mesh as triangles. */
#ifndef TUMBLE_SRC_TREE_MESH_CUT_H
#define TUMBLE_SRC_TREE_MESH_CUT_H

#include "base/arena.h"
#include "tree/mesh_validate.h"

/* Of a mesh that was checked. */
static inline int tmb_mesh_all_triangles(const tumble_mesh *mesh)
{
    return !mesh->polygon_sizes || mesh->index_count == 3 * mesh->polygon_count;
}

/* Three points and the polygon of each triangle, polygon by polygon; 0 if memory runs out; the memory is the
 * arena's. */
int tmb_mesh_cut(tmb_arena *arena, const tumble_mesh *mesh, const tmb_mesh_facts *facts, uint32_t **corners,
                 uint32_t **polygons);

#endif
