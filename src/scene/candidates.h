/* The broad phase: all pairs of objects whose boxes overlap, kept up to date while objects move, come and go. */
#ifndef TUMBLE_SRC_SCENE_CANDIDATES_H
#define TUMBLE_SRC_SCENE_CANDIDATES_H

#include "scene/pair_sort.h"

#define TMB_NO_PLACE UINT32_MAX

/* What the broad phase knows of the objects, by their numbers. */
typedef struct tmb_broad_objects {
    const tmb_box *boxes;      /* of those that are present, finite */
    const uint8_t *is_present; /* others have no pairs */
    tmb_join_filter filter;
    uint32_t count;
} tmb_broad_objects;

/* Most objects are in one tree; those that came or went far since it was built are in a second, small one. */
typedef struct tmb_broad {
    tumble_context *context;
    tmb_box_tree main, young;
    uint32_t *places;      /* of an object: its place in `main`, TMB_NO_PLACE if it is not there */
    int has_places;        /* they are those of `main` */
    uint64_t *has_changed; /* a bit for each object, all 0 between updates */
    tmb_buffer place_room, changed_room, list;
    tmb_buffer pairs; /* of uint64_t: smaller object << 32 | larger, sorted */
    tmb_pair_room room;
    size_t pair_count;
    int is_known; /* `pairs` are those of the objects as the trees have them */
    tmb_join_output outputs[TMB_JOIN_PARTS];
} tmb_broad;

void tmb_broad_begin(tmb_broad *broad, tumble_context *context);
void tmb_broad_end(tmb_broad *broad);

/* Brings pairs and trees up to date after the objects in `changed` (each once) have changed in whatever way. 0 if
 * memory runs out: the next update then starts from nothing. */
int tmb_broad_update(tmb_broad *broad, uint32_t thread_count, const tmb_broad_objects *objects, const uint32_t *changed,
                     uint32_t changed_count);

/* Receives pairs of a stream, sorted; 0: enough. */
typedef int tmb_pairs_sink(void *user, const uint64_t *pairs, size_t count);

typedef enum tmb_stream_end {
    TMB_STREAM_DONE,
    TMB_STREAM_STOPPED, /* by the sink */
    TMB_STREAM_NO_MEMORY
} tmb_stream_end;

/* All pairs in order, block by block, without keeping them: memory is needed for the objects and for a block.
 * Afterwards the pairs are not known. */
tmb_stream_end tmb_broad_stream(tmb_broad *broad, uint32_t thread_count, const tmb_broad_objects *objects,
                                tmb_pairs_sink *sink, void *user);

/* The same pairs by comparing all boxes with all. Appends them, sorted, to `out`. */
int tmb_broad_compare_all(tumble_context *context, const tmb_broad_objects *objects, tmb_join_output *out);

#endif
