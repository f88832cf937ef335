/* Trees of k-DOPs, top down (Klosowski et al. 1998, section 3.3.4). */
#include "base/tasks.h"
#include "tree/kdop.h"
#include "tree/mesh_check.h"

typedef struct item {
    float centroid[3]; /* local */
    uint32_t triangle;
} item;

typedef struct building {
    const tumble_kdop_options *options;
    item *items;
    tmb_kdop_tree *tree;
    uint32_t node_count, depth;
} building;

static int widest_axis(const item *items, uint32_t begin, uint32_t end, double mean[3])
{
    double variance[3];
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0, squares = 0;
        for (uint32_t i = begin; i < end; i++) {
            sum += (double)items[i].centroid[k];
        }
        mean[k] = sum / (end - begin);
        for (uint32_t i = begin; i < end; i++) {
            const double x = (double)items[i].centroid[k] - mean[k];
            squares += x * x;
        }
        variance[k] = squares;
        axis = variance[k] > variance[axis] ? k : axis;
    }
    return axis;
}

static uint32_t cut_set(building *b, uint32_t begin, uint32_t end, uint32_t depth)
{
    double mean[3];
    b->node_count++;
    b->depth = depth > b->depth ? depth : b->depth;
    if (end - begin <= b->options->leaf) {
        return 0;
    }
    const int axis = widest_axis(b->items, begin, end, mean);
    uint32_t cut = begin;
    for (uint32_t i = begin; i < end; i++) {
        if ((double)b->items[i].centroid[axis] < mean[axis]) {
            const item other = b->items[cut];
            b->items[cut++] = b->items[i];
            b->items[i] = other;
        }
    }
    if (cut == begin || cut == end || depth > 60) {
        cut = begin + (end - begin) / 2;
    }
    const uint32_t left = cut_set(b, begin, cut, depth + 1), right = cut_set(b, cut, end, depth + 1);
    b->tree->cuts[cut][0] = left;
    b->tree->cuts[cut][1] = right;
    return cut;
}

tumble_status tmb_kdop_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_kdop_tree *out)
{
    const tmb_local_frame frame = tmb_local_frame_of(set->lower, set->upper);
    building b = {.options = &options->kdop, .tree = out};
    b.items = tmb_arena_allocate(arena, set->count, sizeof *b.items);
    out->order = tmb_arena_allocate(arena, set->count, sizeof *out->order);
    out->cuts = tmb_arena_allocate(arena, set->count, sizeof *out->cuts);
    if (!b.items || !out->order || !out->cuts) {
        return tmb_fail_memory(arena->context, "building a k-DOP tree");
    }
    for (size_t i = 0; i < set->count; i++) {
        double p[3], sum[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++) {
            tmb_mesh_point(set->mesh, set->corners[3 * i + (size_t)c], p);
            for (int k = 0; k < 3; k++) {
                sum[k] += (p[k] - frame.centre[k]) * frame.scale;
            }
        }
        b.items[i] = (item){{(float)(sum[0] / 3), (float)(sum[1] / 3), (float)(sum[2] / 3)}, (uint32_t)i};
    }
    out->root_cut = cut_set(&b, 0, (uint32_t)set->count, 0);
    out->node_count = b.node_count;
    out->depth = b.depth;
    for (size_t i = 0; i < set->count; i++) {
        out->order[i] = b.items[i].triangle;
    }
    return TUMBLE_OK;
}
