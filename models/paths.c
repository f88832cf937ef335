/* Poses for experiments. */
#include <math.h>

#include "build.h"

/* Turning about z and x at once, by the same angle: first about x, then about z. G. Zachmann, Minimal hierarchical
 * collision detection, VRST 2002, section 5. */
tumble_pose models_tumbling_pose(size_t step, size_t steps, double distance)
{
    const double angle = steps ? MODELS_FULL_TURN * (double)(step % steps) / (double)steps : 0;
    const double c = cos(angle), s = sin(angle);
    const tumble_pose pose = {{{c, -s * c, s * s, distance}, {s, c * c, -c * s, 0}, {0, s, c, 0}}};
    return pose;
}
