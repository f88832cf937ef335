/* Rays and triangles with a radius in pairs of doubles: what doubles leave open, and parameters rounded to nearest. */
#include <math.h>

#include "math/bounded.h"
#include "prim/triangle_ray_thick.h"

#define NUMBER tmb_bounded2
#define OP(name) tmb_bounded2_##name
#define NAME tmb_thick_passage_in_pairs
#include "prim/triangle_ray_thick_body.h"
