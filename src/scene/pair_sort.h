/* Sorting and merging pairs of objects: smaller object << 32 | larger one. */
#ifndef TUMBLE_SRC_SCENE_PAIR_SORT_H
#define TUMBLE_SRC_SCENE_PAIR_SORT_H

#include "scene/join.h"

/* Room for sorting; zero-initialise it. */
typedef struct tmb_pair_room {
    tmb_buffer pairs, places;
} tmb_pair_room;

void tmb_pair_room_release(tumble_context *context, tmb_pair_room *room);

/* All pairs of the outputs, sorted, in `out`, whose old contents are lost. 0 if memory runs out. Objects are below
 * `object_count`. */
int tmb_pairs_collect(tumble_context *context, uint32_t thread_count, const tmb_join_output outputs[TMB_JOIN_PARTS],
                      uint32_t object_count, tmb_pair_room *room, tmb_buffer *out, size_t *count);

/* Sorted `old` pairs without those that have a changed object (bits by object), merged with sorted `fresh` ones.
 * Returns how many. */
size_t tmb_pairs_merge(const uint64_t *old, size_t old_count, const uint64_t *has_changed, const uint64_t *fresh,
                       size_t fresh_count, uint64_t *out);

#endif
