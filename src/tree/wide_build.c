/* From triangles to the clusters of a wide hierarchy: local points, an order in space, and runs of that order. */
#include "tree/wide_build.h"

#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "tree/mesh_check.h"
#include "tree/wide_order.h"

#define GRAIN 8192

typedef struct building {
    const tmb_triangle_set *set;
    tmb_local_frame frame;
    float (*points)[4]; /* local */
    tmb_wide_item *items;
    tmb_wide_box *boxes;
    uint32_t leaf; /* triangles in a run */
    tmb_wide_drafts *out;
    tmb_wide_draft_function *draft;
    atomic_int overflows; /* whether a run has more corners than a cluster */
} building;

static void make_points(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t i = begin; i < end; i++) {
        double p[3];
        tmb_mesh_point(b->set->mesh, i, p);
        for (int k = 0; k < 3; k++) {
            b->points[i][k] = (float)((p[k] - b->frame.centre[k]) * b->frame.scale);
        }
        b->points[i][3] = 0;
    }
}

static float least(float a, float b)
{
    return a < b ? a : b;
}

static float greatest(float a, float b)
{
    return a > b ? a : b;
}

static void make_items(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *t = b->set->corners + 3 * i;
        const float *p = b->points[t[0]], *q = b->points[t[1]], *r = b->points[t[2]];
        tmb_wide_box *box = &b->boxes[i];
        for (int k = 0; k < 4; k++) {
            box->lower[k] = least(least(p[k], q[k]), r[k]);
            box->upper[k] = greatest(greatest(p[k], q[k]), r[k]);
        }
        for (int k = 0; k < 3; k++) {
            b->items[i].middle[k] = box->lower[k] + box->upper[k];
        }
        b->items[i].triangle = (uint32_t)i;
    }
}

/* A cluster of 8 triangles of a closed surface has some 9 corners. Where triangles hardly share any, five fill it. */
static uint32_t run_length(const tmb_triangle_set *set)
{
    return set->mesh->point_count > set->count + set->count / 2 ? 5 : TMB_CLUSTER_TRIANGLES;
}

static void make_drafts(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t run = begin; run < end; run++) {
        const size_t first = run * b->leaf, left = b->set->count - first;
        const uint32_t count = left < b->leaf ? (uint32_t)left : b->leaf;
        uint32_t *order = b->out->order + first;
        for (uint32_t i = 0; i < count; i++) {
            order[i] = b->items[first + i].triangle;
        }
        if (!b->draft(b->set->corners, order, count, &b->out->drafts[run])) {
            atomic_store_explicit(&b->overflows, 1, memory_order_relaxed);
        }
    }
}

/* Runs that do not fit into one cluster become two. */
static void cut_runs(building *b)
{
    tmb_cluster_draft *draft = b->out->drafts - 1;
    for (size_t i = 0; i < b->set->count; i++) {
        const uint32_t *triangle = b->set->corners + 3 * (size_t)b->out->order[i];
        if (i % b->leaf == 0 || !tmb_cluster_add(draft, triangle)) {
            memset(++draft, 0, sizeof *draft);
            tmb_cluster_add(draft, triangle);
        }
    }
    b->out->count = (size_t)(draft + 1 - b->out->drafts);
}

static tmb_wide_draft_function *kernel_for(tumble_simd simd)
{
#ifdef TUMBLE_X86_KERNELS
    if (simd == TUMBLE_SIMD_AVX512) {
        return tmb_wide_draft_avx512;
    }
    if (simd == TUMBLE_SIMD_AVX2) {
        return tmb_wide_draft_avx2;
    }
#endif
    (void)simd;
    return tmb_wide_draft_scalar;
}

tumble_status tmb_wide_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_wide_drafts *out)
{
    tumble_context *context = arena->context;
    const uint32_t threads = options->thread_count;
    const size_t count = set->count, points = set->mesh->point_count;
    building b = {.set = set,
                  .frame = tmb_local_frame_of(set->lower, set->upper),
                  .leaf = run_length(set),
                  .out = out,
                  .draft = kernel_for(context->simd)};
    out->count = (count + b.leaf - 1) / b.leaf;
    out->order = tmb_arena_allocate(arena, count, sizeof *out->order);
    b.points = tmb_arena_allocate(arena, points, sizeof *b.points);
    b.items = tmb_arena_allocate(arena, count, sizeof *b.items);
    b.boxes = tmb_arena_allocate(arena, count, sizeof *b.boxes);
    tmb_wide_item *scratch = tmb_arena_allocate(arena, count, sizeof *scratch);
    int ok = out->order && b.points && b.items && b.boxes && scratch &&
             tmb_parallel_for(context, threads, points, GRAIN, make_points, &b) &&
             tmb_parallel_for(context, threads, count, GRAIN, make_items, &b);
    const tumble_status status =
        ok ? tmb_wide_order(context, options, b.boxes, b.items, scratch, count, b.leaf) : TUMBLE_OK;
    if (status != TUMBLE_OK) {
        return status;
    }
    out->drafts = ok ? tmb_arena_allocate(arena, out->count, sizeof *out->drafts) : NULL;
    ok = out->drafts && tmb_parallel_for(context, threads, out->count, GRAIN, make_drafts, &b);
    if (ok && atomic_load(&b.overflows)) {
        out->drafts = tmb_arena_allocate(arena, 2 * out->count, sizeof *out->drafts);
        if (out->drafts) {
            cut_runs(&b);
        }
    }
    return ok && out->drafts ? TUMBLE_OK : tmb_fail_memory(context, "the order of a wide hierarchy");
}
