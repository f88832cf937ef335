/* For validation of loaded hierarchies: whether each triangle is in one leaf. */
#ifndef TUMBLE_SRC_TREE_LEAF_MARKS_H
#define TUMBLE_SRC_TREE_LEAF_MARKS_H

#include "base/assert.h"
#include "tree/model.h"

typedef struct tmb_leaf_marks {
    const tmb_cluster_place *places;
    uint64_t cluster_count;
    uint64_t count; /* of triangles that were in a leaf */
    uint8_t *seen;  /* of each cluster: a bit for each of them */
} tmb_leaf_marks;

/* The block's clusters are known to be good. */
tumble_status tmb_leaf_marks_begin(tumble_context *context, const tmb_block *block, tmb_leaf_marks *marks);
void tmb_leaf_marks_end(tumble_context *context, tmb_leaf_marks *marks);

/* Marks a triangle; returns what is wrong with its address, or NULL. */
static inline const char *tmb_leaf_mark(tmb_leaf_marks *marks, uint64_t address)
{
    TMB_ASSERT(marks->seen);
    const uint64_t cluster = address / TMB_CLUSTER_TRIANGLES, slot = address % TMB_CLUSTER_TRIANGLES;
    if (cluster >= marks->cluster_count || slot >= tmb_cluster_triangle_count(marks->places + cluster)) {
        return "refers to a triangle that does not exist";
    }
    if (marks->seen[cluster] >> slot & 1) {
        return "refers to a triangle of another leaf";
    }
    marks->seen[cluster] |= (uint8_t)(1u << slot);
    marks->count++;
    return NULL;
}

/* Whether all triangles were marked. */
tumble_status tmb_leaf_marks_all(tumble_context *context, const tmb_leaf_marks *marks, uint64_t triangle_count);

#endif
