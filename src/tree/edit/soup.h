/* Triangles by their coordinates, each with the number of its polygon: what an edit takes out of a model, adds to, and
 * makes a model of. */
#ifndef TUMBLE_SRC_TREE_EDIT_SOUP_H
#define TUMBLE_SRC_TREE_EDIT_SOUP_H

#include "base/arena.h"
#include "tree/mesh_validate.h"
#include "tree/model.h"

typedef struct tmb_soup_triangle {
    double corners[3][3];
    uint32_t polygon;
    uint32_t reserved;
} tmb_soup_triangle;

typedef struct tmb_soup {
    tmb_soup_triangle *triangles; /* the user's memory, which is large enough */
    size_t count;
} tmb_soup;

/* Adds the triangles of some clusters of a model, but those of polygons p with is_gone[p] (NULL: all). */
void tmb_soup_add_clusters(tmb_soup *soup, const tumble_model *model, uint32_t first, uint32_t count,
                           const uint8_t *is_gone);

/* The triangles of a surveyed mesh, whose polygons are numbered from `first` on. 0 if memory runs out; the memory is
 * the arena's. */
int tmb_soup_of_mesh(tmb_arena *arena, const tumble_mesh *mesh, const tmb_mesh_facts *facts, uint32_t first,
                     tmb_soup *out);

/* The same triangles with points that they share: corners with the same bits are one. Fills in the facts that follow
 * from these. 0 if memory runs out; the memory is the arena's. */
int tmb_soup_weld(const tmb_soup *soup, tmb_arena *arena, tumble_mesh *mesh, tmb_mesh_facts *facts);

#endif
