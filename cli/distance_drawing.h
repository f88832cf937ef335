/* What 'tumble distance' draws. */
#ifndef TUMBLE_CLI_DISTANCE_DRAWING_H
#define TUMBLE_CLI_DISTANCE_DRAWING_H

#include "compare.h"

/* The drawings that the options ask for, of the answers at all poses. `within` is infinity when it was not given.
 * Returns 0 or an exit status after reporting the error. */
int cli_distance_draw(const cli_comparison *common, const tumble_distance_result *steps, double within);

#endif
