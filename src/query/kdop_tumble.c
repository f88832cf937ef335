/* Ways of tumbling a k-DOP of B that look at more than three of its bounds. */
#include <math.h>

#include "query/kdop_walk.h"

void tmb_kdop_tumble_hull(tmb_kdop_state *s, float *apart)
{
    (void)s;
    (void)apart;
}

/* The triangles themselves. */
void tmb_kdop_tumble_triangles(tmb_kdop_state *s, uint32_t address, uint32_t count, float *apart)
{
    const tumble_model *b = s->collider->b;
    for (uint32_t l = 0; l < tmb_kdop_lanes(s->k); l++) {
        apart[l] = INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        tmb_model_corners(b, address, corners);
        for (int c = 0; c < 3; c++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = (corners[c][k] - b->frame.centre[k]) * b->frame.scale;
            }
            for (uint32_t l = 0; l < s->k; l++) {
                const double *u = s->along[l];
                const float bound = -((float)((u[0] * p[0] + u[1] * p[1]) + u[2] * p[2]) + s->offsets[l]);
                apart[l] = bound < apart[l] ? bound : apart[l];
            }
        }
        address = tmb_kdop_next_address(b->places, address);
    }
    for (uint32_t l = s->k; l < tmb_kdop_lanes(s->k); l++) {
        apart[l] = -INFINITY;
    }
}

void tmb_kdop_tumble_vertices(tmb_kdop_state *s, uint32_t node, float *apart)
{
    (void)s;
    (void)node;
    (void)apart;
}

void tmb_kdop_tumble_lookup(tmb_kdop_state *s, uint32_t node, float *apart)
{
    (void)s;
    (void)node;
    (void)apart;
}
