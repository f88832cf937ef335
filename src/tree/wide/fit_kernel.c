/* The lowest levels of a wide hierarchy, up to 64 clusters at a time. Compiled once for each instruction set. */
#include <float.h>
#include <string.h>

#include "math/lanes.h"
#include "tree/wide/fit.h"

#define GROUP (TMB_WIDE * TMB_WIDE)

/* Local coordinates of a cluster's corners; those after the last repeat the first. */
typedef struct corner_lanes {
    tmb_f8 axis[3][2];
} corner_lanes;

static float horizontal_sum(tmb_f8 v)
{
    float lanes[TMB_LANES];
    tmb_f8_storeu(lanes, v);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

static void load_corners(const tmb_wide_fitting *f, uint32_t cluster, corner_lanes *out)
{
    const tmb_cluster_place *place = &f->places[cluster];
    const uint32_t count = tmb_cluster_corner_count(place, f->is_float);
    const unsigned used = (1u << count) - 1;
    const tmb_b8 masks[2] = {tmb_b8_from_bits(used & 255), tmb_b8_from_bits(used >> 8)};
    const float *floats = (const float *)(const void *)(f->clusters + place->offset + TMB_CLUSTER_HEAD_FLOAT);
    const double *doubles = (const double *)(const void *)(f->clusters + place->offset + TMB_CLUSTER_HEAD_DOUBLE);
    for (uint32_t k = 0; k < 3; k++) {
        const double centre = f->frame.centre[k], scale = f->frame.scale;
        double local[TMB_CLUSTER_CORNERS];
        if (f->is_float) {
            for (int i = 0; i < TMB_CLUSTER_CORNERS; i++) {
                local[i] = ((double)floats[k * count + (uint32_t)i] - centre) * scale;
            }
        } else {
            for (int i = 0; i < TMB_CLUSTER_CORNERS; i++) {
                local[i] = (doubles[k * count + (uint32_t)i] - centre) * scale;
            }
        }
        const tmb_f8 first = tmb_f8_set((float)local[0]);
        out->axis[k][0] = tmb_f8_select(masks[0], tmb_f8_from_f64(local), first);
        out->axis[k][1] = tmb_f8_select(masks[1], tmb_f8_from_f64(local + 8), first);
    }
}

/* Slots without a triangle have three times the same corner, so they add nothing. */
static void sum_normals(const uint32_t words[3], const corner_lanes *c, float normal[3])
{
    tmb_f8 corners[3][3], u[3], v[3];
    for (int i = 0; i < 3; i++) {
        const tmb_i8 numbers = tmb_i8_nibbles(words[i]);
        for (int k = 0; k < 3; k++) {
            corners[i][k] = tmb_f8_lookup(c->axis[k], numbers);
        }
    }
    for (int k = 0; k < 3; k++) {
        u[k] = tmb_f8_sub(corners[1][k], corners[0][k]);
        v[k] = tmb_f8_sub(corners[2][k], corners[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        normal[k] = horizontal_sum(tmb_f8_sub(tmb_f8_mul(u[m], v[n]), tmb_f8_mul(u[n], v[m])));
    }
}

static void fit_slab(const corner_lanes *corners, uint32_t count, tmb_wide_patch *patch)
{
    float n[3];
    tmb_wide_encode_direction(patch->normal, patch->direction);
    tmb_wide_decode_direction(patch->direction, n);
    const tmb_f8 x = tmb_f8_set(n[0]), y = tmb_f8_set(n[1]), z = tmb_f8_set(n[2]);
    tmb_f8 least = tmb_f8_set(FLT_MAX), greatest = tmb_f8_set(-FLT_MAX);
    for (uint32_t i = 0; i < count; i++) {
        for (int half = 0; half < 2; half++) {
            const tmb_f8 height =
                tmb_f8_add(tmb_f8_add(tmb_f8_mul(x, corners[i].axis[0][half]), tmb_f8_mul(y, corners[i].axis[1][half])),
                           tmb_f8_mul(z, corners[i].axis[2][half]));
            least = tmb_f8_min(height, least);
            greatest = tmb_f8_max(height, greatest);
        }
    }
    patch->slab_lower = -tmb_f8_max_of(tmb_f8_neg(least));
    patch->slab_upper = tmb_f8_max_of(greatest);
}

static void fit_cluster(const tmb_wide_fitting *f, uint32_t cluster, corner_lanes *corners, tmb_wide_patch *patch)
{
    load_corners(f, cluster, corners);
    for (int k = 0; k < 3; k++) {
        patch->lower[k] = -tmb_f8_max_of(tmb_f8_neg(tmb_f8_min(corners->axis[k][0], corners->axis[k][1])));
        patch->upper[k] = tmb_f8_max_of(tmb_f8_max(corners->axis[k][0], corners->axis[k][1]));
    }
    sum_normals(f->clusters + f->places[cluster].offset, corners, patch->normal);
    fit_slab(corners, 1, patch);
}

/* A lowest node and its patch. `corners` has room for those of all its clusters. */
static void fit_lowest(const tmb_wide_fitting *f, uint32_t number, corner_lanes *corners)
{
    tmb_wide_patch children[TMB_WIDE];
    tmb_wide_node *node = &f->nodes[number];
    for (uint32_t j = 0; j < node->child_count; j++) {
        fit_cluster(f, node->children + j, &corners[j], &children[j]);
    }
    tmb_wide_write_node(node, children, &f->patches[number]);
    fit_slab(corners, node->child_count, &f->patches[number]);
}

void TMB_KERNEL_NAME(tmb_wide_fit)(tmb_wide_fitting *f, uint32_t number)
{
    corner_lanes corners[GROUP];
    tmb_wide_node *node = &f->nodes[number];
    if (node->is_lowest) {
        if (number == 0) {
            fit_lowest(f, 0, corners);
        }
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const tmb_wide_node *child = &f->nodes[node->children + i];
        if (child->is_lowest) {
            fit_lowest(f, node->children + i, corners + count);
            count += child->child_count;
        }
    }
    if (tmb_wide_children_are_lowest(f->nodes, node)) {
        tmb_wide_write_node(node, f->patches + node->children, &f->patches[number]);
        fit_slab(corners, count, &f->patches[number]);
    }
}
