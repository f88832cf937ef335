/* Tumbling nodes of a k-DOP tree exactly, by climbing on the convex hulls of their points. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/kdop/hull_climb.h"
#include "collide/kdop/walk.h"
#include "tree/kdop/node_hulls.h"

/* Between steps of a path directions change little, so each climb starts where the one before ended. */
int tmb_kdop_begin_hulls(tmb_kdop_state *s)
{
    const uint64_t checksum = s->encounter->b->block->checksum;
    tmb_buffer *vertices = &s->scratch->hull_vertices;
    const size_t had = vertices->capacity;
    if (s->hull_count == 0) {
        return 1;
    }
    if (!tmb_buffer_reserve(s->encounter->query->context, vertices, (size_t)s->hull_count * s->k, sizeof(uint32_t),
                            0)) {
        return 0;
    }
    if (s->scratch->hull_of != checksum || vertices->capacity != had) {
        s->scratch->hull_of = checksum;
        memset(vertices->data, 0, vertices->capacity);
    }
    s->last_hull_node = tmb_kdop_last_hull(s->rows_b, &s->parts_b, s->hull_count);
    return 1;
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

int tmb_kdop_tumble_hull(tmb_kdop_state *s, uint32_t node, float *apart)
{
    const tumble_model *b = s->encounter->b;
    const uint32_t number = tmb_kdop_find_hull(b->nodes, &s->parts_b, s->hull_count, node);
    if (number == TMB_KDOP_NO_HULL) {
        return 0;
    }
    const tmb_hull_view hull = tmb_kdop_hull_view(b->nodes, &s->parts_b, number);
    uint32_t *vertices = (uint32_t *)s->scratch->hull_vertices.data + (size_t)number * s->k;
    for (uint32_t l = 0; l < s->k; l++) {
        double direction[3], height = 0;
        scaled(s->along[l], direction);
        vertices[l] = tmb_hull_climb(&hull, direction, vertices[l] < hull.count ? vertices[l] : 0);
        for (int k = 0; k < 3; k++) {
            const double local = (hull.points[vertices[l]][k] - b->frame.centre[k]) * b->frame.scale;
            height += s->along[l][k] * local;
        }
        apart[l] = -((float)height + s->offsets[l]);
    }
    for (uint32_t l = s->k; l < tmb_kdop_lanes(s->k); l++) {
        apart[l] = -INFINITY;
    }
    return 1;
}
