/* The order of boxes along a Morton curve, by their middles. */
#ifndef TUMBLE_SRC_SCENE_ORDER_H
#define TUMBLE_SRC_SCENE_ORDER_H

#include "scene/box_tree.h"

/* Sorts the numbers of boxes: `objects` holds `count` of them, and afterwards those whose boxes are close together are
 * mostly close together. `room` is for 2 * `count` items. Boxes are finite. Cells of the curve that hold many boxes are
 * divided again, so that clusters in a large void are sorted as well as a uniform heap. */
void tmb_order_boxes(const tmb_box *boxes, uint32_t *objects, uint32_t count, uint64_t *room);

#endif
