/* A ray through a wide hierarchy: what the setup hands to the kernel.
 *
 * Floats are local: the model's frame scaled to [-1, 1] (tree/model.h), relative to a start on the ray that is near the
 * model; the direction is scaled by a power of two so that its longest component is in [1, 2). Parameters are the
 * distance from the start, in that unit. */
#ifndef TUMBLE_SRC_RAY_WIDE_H
#define TUMBLE_SRC_RAY_WIDE_H

#include <stddef.h>

#include "base/kernel.h"
#include "math/bounds.h"
#include "ray/search.h"
#include "tree/wide/wide.h"

#define TMB_RAY_NEAR_REACH 4 /* of the model from the origin of coordinates: for it, floats see corners */

/* How corners are seen from a start. */
typedef struct tmb_ray_frame {
    int axis[3];            /* the last is the one along which the direction is longest */
    double start[3], scale; /* the start in the model's frame, and the unit of the local one */
    float start_float[3];   /* if `in_floats`: the same */
    float scale_float;
    int in_floats; /* clusters are moved to the start in floats */
} tmb_ray_frame;

typedef struct tmb_ray_local {
    float inverse[3];                     /* of the direction */
    float near_origin[3], far_origin[3];  /* the start, moved by the slack against the direction and along it */
    int negative[3];                      /* whether the direction is */
    uint32_t near_steps[3], far_steps[3]; /* of a node, where the planes lie that the ray meets first and last */
    float shear[2];                       /* the direction along the others, as parts of it */
    float inverse_longest;
    int left_side; /* the side of a triangle whose corners are seen to turn left: 1 or -1 */
    tmb_ray_frame frame;
    double unit, shift; /* the parameter t is unit * t - shift here */
} tmb_ray_local;

/* Steps of eight planes of a node: its first bytes are those of `lower`, then those of `upper`. */
static inline const uint8_t *tmb_ray_steps(const tmb_wide_node *node, uint32_t at)
{
    _Static_assert(offsetof(tmb_wide_node, lower) == 0, "lower planes come first");
    _Static_assert(offsetof(tmb_wide_node, upper) == sizeof node->lower, "upper planes come next");
    return (const uint8_t *)node + at;
}

/* A limit of t as a parameter here, rounded up. */
static inline float tmb_ray_local_limit(const tmb_ray_local *local, double t)
{
    const double limit = t * local->unit - local->shift;
    return limit < 8 ? (float)(limit + (double)TMB_RAY_BOX_SLACK) : 8;
}

/* Kernel: walks up to TMB_RAYS_IN_TURN rays. */
typedef void tmb_ray_wide_function(tmb_ray_search *const *searches, const tmb_ray_local *locals, unsigned count);
TMB_DECLARE_KERNELS(tmb_ray_wide_function, tmb_ray_wide);

#endif
