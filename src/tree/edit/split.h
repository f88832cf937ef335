/* Cuts sets of boxes in two, where the halves have the least surface: for the sections of an edited model, and for the
 * tree over them. */
#ifndef TUMBLE_SRC_TREE_EDIT_SPLIT_H
#define TUMBLE_SRC_TREE_EDIT_SPLIT_H

#include <stddef.h>
#include <stdint.h>

typedef struct tmb_split_box {
    float lower[3], upper[3]; /* in a model's local frame, roughly */
} tmb_split_box;

typedef struct tmb_split_item {
    tmb_split_box box;
    uint32_t number;
    uint32_t weight; /* triangles */
} tmb_split_item;

tmb_split_box tmb_split_union(const tmb_split_box *a, const tmb_split_box *b);
float tmb_split_area(const tmb_split_box *box);

/* Reorders two items or more, so that the first ones, whose number is returned, are one half. No half has less than an
 * eighth of the weight, if items allow it. With `middle`, each has half of the items. */
size_t tmb_split(tmb_split_item *items, size_t count, int middle);

#endif
