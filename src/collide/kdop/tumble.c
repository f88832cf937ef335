/* Tumbling the root of a k-DOP tree exactly, by climbing on the convex hull of its points. */
#include <math.h>

#include "base/assert.h"
#include "collide/kdop/hull_climb.h"
#include "collide/kdop/walk.h"
#include "tree/kdop/root_hull.h"

/* Between steps of a path directions change little, so each climb starts where the one before ended. */
static uint32_t *last_vertices(tmb_kdop_scratch *scratch, const tmb_block *block)
{
    if (scratch->hull_of != block->checksum) {
        scratch->hull_of = block->checksum;
        for (int l = 0; l < TMB_KDOP_MOST; l++) {
            scratch->hull_vertices[l] = 0;
        }
    }
    return scratch->hull_vertices;
}

/* Vectors that are as good: u times a number. Those of a pose with a tiny scale would underflow. */
static void scaled(const double u[3], double out[3])
{
    const double most = fmax(fmax(fabs(u[0]), fabs(u[1])), fabs(u[2]));
    int exponent = 0;
    (void)frexp(most, &exponent);
    for (int k = 0; k < 3; k++) {
        out[k] = ldexp(u[k], -exponent);
    }
}

void tmb_kdop_tumble_hull(tmb_kdop_state *s, float *apart)
{
    TMB_ASSERT(s->root_by_hull);
    const tumble_model *b = s->encounter->b;
    const tmb_hull_view hull = tmb_kdop_hull_of(b->block, b->nodes);
    uint32_t *vertices = last_vertices(s->scratch, b->block);
    for (uint32_t l = 0; l < tmb_kdop_lanes(s->k); l++) {
        if (l >= s->k) {
            apart[l] = -INFINITY;
            continue;
        }
        double direction[3], height = 0;
        scaled(s->along[l], direction);
        vertices[l] = tmb_hull_climb(&hull, direction, vertices[l] < hull.count ? vertices[l] : 0);
        for (int k = 0; k < 3; k++) {
            const double local = (hull.points[vertices[l]][k] - b->frame.centre[k]) * b->frame.scale;
            height += s->along[l][k] * local;
        }
        apart[l] = -((float)height + s->offsets[l]);
    }
}
