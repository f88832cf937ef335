/* Incremental sweep and prune along three axes, as in I-COLLIDE (Cohen, Lin, Manocha, Ponamgi 1995), which Klosowski et
 * al. name for several flying objects.
 *
 * The ends of all boxes are sorted along each axis. When boxes move a little, the order changes a little, and an
 * insertion sort exchanges only the ends that have passed each other: each exchange is the moment at which two boxes
 * begin or cease to overlap along that axis. */
#ifndef TUMBLE_SRC_SCENE_SWEEP_H
#define TUMBLE_SRC_SCENE_SWEEP_H

#include "scene/candidates.h"

/* One end of a box along an axis. */
typedef struct tmb_sweep_end {
    float value;
    uint32_t object; /* twice its number, plus 1 for the upper end */
} tmb_sweep_end;

#define TMB_SWEEP_MOST 0x7fffffffu /* objects */

typedef struct tmb_sweep {
    tumble_context *context;
    tmb_buffer ends[3];  /* of tmb_sweep_end */
    tmb_buffer scratch;  /* likewise */
    size_t end_count;    /* along each axis */
    tmb_buffer listed;   /* of uint8_t: which objects have ends */
    tmb_pair_hash pairs; /* of boxes that overlap, whether they may be paired or not */
    tmb_buffer sorted;   /* those that may, as tmb_broad has them */
    tmb_pair_room room;
    size_t pair_count;
    int is_known;
} tmb_sweep;

void tmb_sweep_begin(tmb_sweep *sweep, tumble_context *context);
void tmb_sweep_end_all(tmb_sweep *sweep);

/* As tmb_broad_update. */
int tmb_sweep_update(tmb_sweep *sweep, const tmb_broad_objects *objects, const uint32_t *changed,
                     uint32_t changed_count);

#endif
