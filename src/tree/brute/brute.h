/* Models without a hierarchy: clusters in the order of the mesh. */
#ifndef TUMBLE_SRC_TREE_BRUTE_BRUTE_H
#define TUMBLE_SRC_TREE_BRUTE_BRUTE_H

#include "tree/hierarchy.h"

extern const tmb_box_reader tmb_brute_boxes;

#endif
