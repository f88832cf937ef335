/* Rays and triangles with a radius in doubles: most answers, and nearly all misses. */
#include <math.h>

#include "math/bounded.h"
#include "prim/triangle_ray_thick.h"

#define NUMBER tmb_bounded
#define OP(name) tmb_bounded_##name
#define NAME tmb_thick_passage_in_doubles
#include "prim/triangle_ray_thick_body.h"
