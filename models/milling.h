/* A milled die, a ball-end mill and its path, of lines and arcs. */
#ifndef TUMBLE_MODELS_MILLING_H
#define TUMBLE_MODELS_MILLING_H

#include "models.h"
#include "tumble/motion.h"

/* In millimetres. The die's top is a surface of waves, and a clamp stands at one corner. The mill's ball is around the
 * origin of the tool's frame, the shank and the holder are above it. The path follows the waves, `allowance` above
 * them; on one row it is too deep, and the holder meets the clamp. */
typedef struct models_milling {
    models_mesh part, tool;
    double radius, shank; /* of the ball and the shank, and the shank's length from the ball's centre on */
    double allowance;
    tumble_motion *moves;
    size_t move_count;
    size_t first_deep, last_deep; /* the moves of the row that are too deep */
} models_milling;

/* `rows` of 80 lines each, with half circles between them. 0 when memory ran out. */
int models_make_milling(models_milling *milling, size_t rows);
void models_free_milling(models_milling *milling);

#endif
