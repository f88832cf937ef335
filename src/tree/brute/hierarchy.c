/* No hierarchy: its row in the table. */
#include "tree/brute/brute.h"

const tmb_hierarchy tmb_hierarchy_BRUTE = {.number = TUMBLE_HIERARCHY_BRUTE, .boxes = &tmb_brute_boxes};
