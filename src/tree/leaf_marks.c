#include "tree/leaf_marks.h"

#include <string.h>

tumble_status tmb_leaf_marks_begin(tumble_context *context, const tmb_block *block, tmb_leaf_marks *marks)
{
    const char *places = (const char *)block + block->offsets[TMB_SECTION_PLACES];
    const size_t clusters = (size_t)block->cluster_count;
    *marks = (tmb_leaf_marks){.places = (const tmb_cluster_place *)places,
                              .cluster_count = block->cluster_count,
                              .seen = tmb_allocate(context, clusters, 1)};
    if (!marks->seen) {
        return tmb_fail_memory(context, "the check of a hierarchy");
    }
    memset(marks->seen, 0, clusters);
    return TUMBLE_OK;
}

void tmb_leaf_marks_end(tumble_context *context, tmb_leaf_marks *marks)
{
    tmb_release(context, marks->seen);
}

tumble_status tmb_leaf_marks_all(tumble_context *context, const tmb_leaf_marks *marks, uint64_t triangle_count)
{
    return marks->count == triangle_count
               ? TUMBLE_OK
               : tmb_fail(context, TUMBLE_ERROR_FORMAT,
                          "the hierarchy is damaged: it has %llu triangles in its leaves, of %llu",
                          (unsigned long long)marks->count, (unsigned long long)triangle_count);
}
