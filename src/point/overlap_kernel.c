/* Boxes and triangles against a box or a ball, eight at a time. Compiled once for each instruction set. */
#include <math.h>
#include <string.h>

#include "collide/leaf_lanes.h"
#include "math/bounds.h"
#include "math/lanes_double.h"
#include "point/overlap.h"
#include "prim/point_distance_lanes.h"
#include "tree/wide/wide.h"

/* ---- Boxes ---- */

static inline tmb_d8 decode_sides(const tmb_wide_node *node, int k, const uint8_t *steps, double half, double unit)
{
    float local[TMB_LANES];
    tmb_f8_storeu(local, tmb_f8_add(tmb_f8_set(node->origin[k]),
                                    tmb_f8_mul(tmb_f8_from_i8(tmb_i8_from_u8(steps)), tmb_f8_set(node->scale[k]))));
    const tmb_d8 sum = tmb_d8_add(tmb_d8_set(half), tmb_d8_mul(tmb_d8_from_f32(local), tmb_d8_set(unit)));
    return tmb_d8_mul(tmb_d8_set(2), sum);
}

void TMB_KERNEL_NAME(tmb_overlap_decode)(const tmb_box_view *view, const void *from, tmb_box_lanes *out)
{
    const tmb_wide_node *node = from;
    const tmb_block *block = view->model->block;
    for (int k = 0; k < 3; k++) {
        const tmb_d8 lower = decode_sides(node, k, node->lower[k], view->lower[k], view->unit);
        const tmb_d8 upper = decode_sides(node, k, node->upper[k], view->upper[k], view->unit);
        tmb_d8_storeu(out->lower[k], tmb_d8_max(lower, tmb_d8_set(block->lower[k])));
        tmb_d8_storeu(out->upper[k], tmb_d8_min(upper, tmb_d8_set(block->upper[k])));
    }
}

/* One coordinate of the corners in which it is least, or greatest, when they are moved. All points of a box are moved
 * between the two, as they are rounded: products and sums only grow with their operands, and so does their rounding. */
static inline tmb_d8 move_corner(const double row[4], const tmb_box_lanes *boxes, int greatest)
{
    tmb_d8 terms[3];
    for (int j = 0; j < 3; j++) {
        const int takes_upper = (row[j] < 0) != greatest;
        terms[j] = tmb_d8_mul(tmb_d8_set(row[j]), tmb_d8_loadu(takes_upper ? boxes->upper[j] : boxes->lower[j]));
    }
    return tmb_d8_add(tmb_d8_add(tmb_d8_add(terms[0], terms[1]), terms[2]), tmb_d8_set(row[3]));
}

unsigned TMB_KERNEL_NAME(tmb_overlap_moved_boxes)(const tmb_overlap *o, const tmb_box_lanes *boxes, unsigned *inside)
{
    unsigned out = 0, apart = 0;
    for (int k = 0; k < 3; k++) {
        const double *row = o->place.relative.m[k];
        const tmb_d8 low = o->has_pose ? move_corner(row, boxes, 0) : tmb_d8_loadu(boxes->lower[k]);
        const tmb_d8 high = o->has_pose ? move_corner(row, boxes, 1) : tmb_d8_loadu(boxes->upper[k]);
        const tmb_d8 lower = tmb_d8_set(o->lower[k]), upper = tmb_d8_set(o->upper[k]);
        apart |= tmb_d8_less(high, tmb_d8_set(o->reach_lower[k])) | tmb_d8_less(tmb_d8_set(o->reach_upper[k]), low);
        out |= tmb_d8_less(low, lower) | tmb_d8_less(upper, high);
    }
    *inside = ~out & 255;
    return ~apart & 255;
}

/* ---- Triangles ---- */

/* Rounding to floats keeps the order of coordinates, also where they become infinite: so what is less is less before
 * it, too. */
void TMB_KERNEL_NAME(tmb_overlap_box_cluster)(tmb_overlap *o, uint32_t cluster, unsigned *hits, unsigned *misses)
{
    const double origin[3] = {0, 0, 0};
    cluster_lanes lanes;
    unsigned apart = 0, corners[3] = {255, 255, 255};
    expand_cluster(o->model, cluster, o->has_pose ? &o->place.relative : NULL, origin, &lanes);
    const tmb_f8 *axes[3] = {lanes.triangles.x, lanes.triangles.y, lanes.triangles.z};
    for (int k = 0; k < 3; k++) {
        const tmb_f8 lower = tmb_f8_set((float)o->lower[k]), upper = tmb_f8_set((float)o->upper[k]);
        apart |= tmb_b8_bits(tmb_f8_less(tmb_f8_load(lanes.upper[k]), tmb_f8_set((float)o->reach_lower[k]))) |
                 tmb_b8_bits(tmb_f8_less(tmb_f8_set((float)o->reach_upper[k]), tmb_f8_load(lanes.lower[k])));
        for (int i = 0; i < 3; i++) {
            corners[i] &= tmb_b8_bits(tmb_f8_less(lower, axes[k][i])) & tmb_b8_bits(tmb_f8_less(axes[k][i], upper));
        }
    }
    *misses = apart;
    *hits = corners[0] | corners[1] | corners[2];
}

void TMB_KERNEL_NAME(tmb_overlap_ball_cluster)(tmb_overlap *o, uint32_t cluster, unsigned *hits, unsigned *misses)
{
    const double scale = o->model->frame.scale, rounding = (double)TMB_BOUND_ROUNDING;
    cluster_lanes lanes;
    *hits = *misses = 0;
    if (!o->has_floats) {
        return;
    }
    expand_cluster(o->model, cluster, NULL, o->centre, &lanes);
    for (int i = 0; i < 3; i++) {
        lanes.triangles.x[i] = tmb_f8_mul(lanes.triangles.x[i], tmb_f8_set((float)scale));
        lanes.triangles.y[i] = tmb_f8_mul(lanes.triangles.y[i], tmb_f8_set((float)scale));
        lanes.triangles.z[i] = tmb_f8_mul(lanes.triangles.z[i], tmb_f8_set((float)scale));
    }
    const float reach = lanes.reach * (float)scale * (1 + TMB_REACH_ROUNDING);
    const float above = (float)(o->radius.above * scale * (1 + rounding)) * (1 + TMB_BOUND_ROUNDING);
    const float below = (float)(o->least.below * scale * (1 - rounding)) * (1 - TMB_BOUND_ROUNDING);
    const tmb_distance8 d = tmb_point_distance8(&lanes.triangles, reach);
    *misses = tmb_b8_bits(tmb_f8_less(tmb_f8_set(above), d.lower));
    *hits = tmb_b8_bits(tmb_f8_less(d.upper, tmb_f8_set(below)));
}
