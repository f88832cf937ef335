/* No hierarchy: its row in the table. */
#include "tree/brute/brute.h"
#include "tree/creation.h"

static tumble_status build(tmb_creation *c)
{
    return tmb_clusters_cut(&c->arena, c->set.corners, NULL, NULL, c->set.count, &c->clusters)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the clusters");
}

static const tmb_hierarchy_builder builder = {.build = build};

const tmb_hierarchy tmb_hierarchy_BRUTE = {
    .number = TUMBLE_HIERARCHY_BRUTE, .builder = &builder, .boxes = &tmb_brute_boxes};
