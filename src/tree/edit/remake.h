/* A block made of the triangles that an edit leaves. */
#ifndef TUMBLE_SRC_TREE_EDIT_REMAKE_H
#define TUMBLE_SRC_TREE_EDIT_REMAKE_H

#include "tree/edit/soup.h"

typedef struct tmb_remake {
    tumble_context *context;
    uint32_t thread_count;
    tumble_hierarchy hierarchy;
    const tumble_tuning *tuning;
    tmb_soup soup;
    uint32_t polygon_count, polygon_limit;
    const uint32_t *surfaces; /* of all polygons below the limit; NULL: all 0 */
    /* For a part of a model: the bounds that its local frame or grid follow from, and whether coordinates are float.
     * NULL: the triangles' own. */
    const double (*frame)[3]; /* lower, upper */
    int is_float;
} tmb_remake;

/* By the ordinary builder, as an edited model's. The block is the caller's and has no checksum yet. */
tumble_status tmb_remake_block(const tmb_remake *remake, tmb_block **out);

#endif
