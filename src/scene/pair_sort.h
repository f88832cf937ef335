/* Sorting and merging pairs of objects: smaller object << 32 | larger one. */
#ifndef TUMBLE_SRC_SCENE_PAIR_SORT_H
#define TUMBLE_SRC_SCENE_PAIR_SORT_H

#include "scene/join.h"

/* All pairs of the outputs, sorted, in `out`; `scratch` is room for as many. The old contents of both are lost. 0 if
 * memory runs out. Objects are below `object_count`. */
int tmb_pairs_collect(tumble_context *context, const tmb_join_output outputs[TMB_JOIN_PARTS], uint32_t object_count,
                      tmb_buffer *out, tmb_buffer *scratch, size_t *count);

/* Sorted `old` pairs without those that have a changed object, merged with sorted `fresh` ones. Returns how many. */
size_t tmb_pairs_merge(const uint64_t *old, size_t old_count, const uint8_t *has_changed, const uint64_t *fresh,
                       size_t fresh_count, uint64_t *out);

#endif
