/* The pieces into which another surface cuts a triangle. */
#ifndef TUMBLE_SRC_RELATE_CELLS_H
#define TUMBLE_SRC_RELATE_CELLS_H

#include "relate/relate.h"

/* What one triangle meets of the other surface: triangles that it does not pass through. */
typedef struct tmb_meeting_group {
    int which; /* the model of the triangle */
    uint32_t own;
    const tmb_sort_item *items; /* the lower halves of the keys are the others' addresses */
    size_t count;
} tmb_meeting_group;

/* Whether one of the pieces is inside the other model, which is closed; or is on its surface and next to points that
 * are inside both. 1, 0, or -1 if memory runs out. `has_free_corner`: a corner of the triangle is not on the other
 * surface, and known to be outside. */
int tmb_cell_is_inside(tmb_relating *r, const tmb_meeting_group *group, int has_free_corner);

#endif
