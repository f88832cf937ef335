/* A ray through a wide hierarchy: what the setup hands to the kernel.
 *
 * Floats are local: the model's frame scaled to [-1, 1] (tree/model.h), relative to a start on the ray that is near the
 * model; the direction is scaled by a power of two so that its longest component is in [1, 2). Parameters are the
 * distance from the start, in that unit. */
#ifndef TUMBLE_SRC_RAY_WIDE_H
#define TUMBLE_SRC_RAY_WIDE_H

#include "base/kernel.h"
#include "math/bounds.h"
#include "ray/search.h"
#include "tree/wide/wide.h"

typedef struct tmb_ray_local {
    float inverse[3];                    /* of the direction */
    float near_origin[3], far_origin[3]; /* the start, moved by the slack against the direction and along it */
    int negative[3];                     /* whether the direction is */
    int axis[3];                         /* the last is the one along which it is longest */
    float shear[2];                      /* the direction along the others, as parts of it */
    float inverse_longest;
    double start[3], scale; /* the start in the model's frame, and the unit of the local one */
    float start_float[3];   /* if `in_floats`: the same */
    float scale_float;
    int in_floats;      /* clusters are moved to the start in floats */
    double unit, shift; /* the parameter t is unit * t - shift here */
} tmb_ray_local;

/* A limit of t as a parameter here, rounded up. */
static inline float tmb_ray_local_limit(const tmb_ray_local *local, double t)
{
    const double limit = t * local->unit - local->shift;
    return limit < 8 ? (float)(limit + (double)TMB_RAY_BOX_SLACK) : 8;
}

typedef void tmb_ray_wide_function(tmb_ray_search *s, const tmb_ray_local *local);
TMB_DECLARE_KERNELS(tmb_ray_wide_function, tmb_ray_wide);

#endif
