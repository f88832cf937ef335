/* Parts of a mesh that was read: the polygons of some of its surfaces as a mesh of their own. */
#ifndef TUMBLE_SRC_ASSEMBLY_CUT_H
#define TUMBLE_SRC_ASSEMBLY_CUT_H

#include "io/mesh_buffer.h"

/* Start with tmb_cutter_begin, and end in any case. */
typedef struct tmb_cutter {
    tumble_context *context;
    tumble_mesh mesh;
    size_t surface_count;
    uint32_t *first;         /* of surfaces: polygons; UINT32_MAX: none */
    uint32_t *next;          /* of polygons: the next one of the same surface */
    uint32_t *corner_starts; /* of polygons */
    uint32_t *new_number;    /* of points, in the part that is being made; UINT32_MAX: not in it */
    tmb_buffer points, indices, sizes, used;
} tmb_cutter;

/* `surface_count` 1 for a mesh without surfaces; ids are below it. */
tumble_status tmb_cutter_begin(tmb_cutter *cutter, tumble_context *context, const tumble_mesh *mesh,
                               size_t surface_count);
void tmb_cutter_end(tmb_cutter *cutter);

/* The polygons of some surfaces, one surface after the other. Points are in the order in which polygons use them, so
 * that equal parts become equal meshes wherever they stand in a file. Valid until the next call. */
tumble_status tmb_cut(tmb_cutter *cutter, const uint32_t *surfaces, size_t count, tumble_mesh *out);

#endif
