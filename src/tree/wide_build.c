/* From triangles to the clusters of a wide hierarchy: local points, an order in space, and runs of that order. */
#include "tree/wide_build.h"

#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "tree/mesh_check.h"
#include "tree/wide_order.h"

#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
#include <emmintrin.h>
#endif

#define GRAIN 8192
#define AHEAD 32 /* triangles whose corners are fetched while those before them are worked on */

typedef struct building {
    const tmb_triangle_set *set;
    tmb_local_frame frame;
    float (*points)[4]; /* local */
    tmb_wide_item *items;
    uint32_t leaf; /* triangles in a run */
    tmb_cluster_draft *drafts;
    uint32_t *order; /* of the triangles, in that of the drafts */
    size_t count;    /* of drafts */
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

#if !defined(__SSE2__) || defined(TUMBLE_SCALAR_ONLY)
static float least(float a, float b)
{
    return a < b ? a : b;
}

static float greatest(float a, float b)
{
    return a > b ? a : b;
}
#endif

static void make_items(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *t = b->set->corners + 3 * i;
        const float *p = b->points[t[0]], *q = b->points[t[1]], *r = b->points[t[2]];
        tmb_wide_item *item = &b->items[i];
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
        const __m128 x = _mm_load_ps(p), y = _mm_load_ps(q), z = _mm_load_ps(r);
        const __m128 lower = _mm_min_ps(_mm_min_ps(x, y), z), upper = _mm_max_ps(_mm_max_ps(x, y), z);
        _mm_store_ps(item->middle, _mm_add_ps(lower, upper)); /* the fourth is overwritten below */
#else
        for (int k = 0; k < 3; k++) {
            item->middle[k] = least(least(p[k], q[k]), r[k]) + greatest(greatest(p[k], q[k]), r[k]);
        }
#endif
        item->triangle = (uint32_t)i;
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
        uint32_t *order = b->order + first;
        for (uint32_t i = 0; i < count; i++) {
            order[i] = b->items[first + i].triangle;
        }
        for (size_t i = first + AHEAD; i < first + AHEAD + count && i < b->set->count; i++) {
            __builtin_prefetch(b->set->corners + 3 * (size_t)b->items[i].triangle);
        }
        if (!b->draft(b->set->corners, order, count, &b->drafts[run])) {
            b->drafts[run].triangle_count = 0;
            atomic_store_explicit(&b->overflows, 1, memory_order_relaxed);
        }
    }
}

/* A run that does not fit into one cluster becomes two. Returns the last of them. */
static tmb_cluster_draft *cut_run(const building *b, size_t begin, size_t end, tmb_cluster_draft *draft)
{
    memset(draft, 0, sizeof *draft);
    for (size_t i = begin; i < end; i++) {
        const uint32_t *triangle = b->set->corners + 3 * (size_t)b->order[i];
        if (!tmb_cluster_add(draft, triangle)) {
            memset(++draft, 0, sizeof *draft);
            (void)tmb_cluster_add(draft, triangle);
        }
    }
    return draft;
}

static void cut_runs(building *b, tmb_cluster_draft *drafts)
{
    tmb_cluster_draft *next = drafts;
    for (size_t run = 0; run < b->count; run++) {
        const size_t begin = run * b->leaf, left = b->set->count - begin;
        if (b->drafts[run].triangle_count) {
            *next++ = b->drafts[run];
        } else {
            next = cut_run(b, begin, begin + (left < b->leaf ? left : b->leaf), next) + 1;
        }
    }
    b->drafts = drafts;
    b->count = (size_t)(next - drafts);
}

tumble_status tmb_wide_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_clusters *out)
{
    tumble_context *context = arena->context;
    const uint32_t threads = options->thread_count;
    const size_t count = set->count, points = set->mesh->point_count;
    building b = {.set = set,
                  .frame = tmb_local_frame_of(set->lower, set->upper),
                  .leaf = run_length(set),
                  .draft = TMB_PICK_KERNEL(context, tmb_wide_draft)};
    b.count = (count + b.leaf - 1) / b.leaf;
    b.order = tmb_arena_allocate(arena, count, sizeof *b.order);
    b.points = tmb_arena_allocate(arena, points, sizeof *b.points);
    b.items = tmb_arena_allocate(arena, count, sizeof *b.items);
    tmb_wide_item *scratch = tmb_arena_allocate(arena, count, sizeof *scratch);
    const tmb_wide_mesh mesh = {(const float(*)[4])b.points, set->corners};
    int ok = b.order && b.points && b.items && scratch &&
             tmb_parallel_for(context, threads, points, GRAIN, make_points, &b) &&
             tmb_parallel_for(context, threads, count, GRAIN, make_items, &b);
    const tumble_status status =
        ok ? tmb_wide_order(context, options, &mesh, b.items, scratch, count, b.leaf) : TUMBLE_OK;
    if (status != TUMBLE_OK) {
        return status;
    }
    /* the scratch is large enough for the drafts but when runs are short */
    b.drafts = !ok ? NULL
               : b.count * sizeof *b.drafts <= count * sizeof *scratch
                   ? (tmb_cluster_draft *)(void *)scratch
                   : tmb_arena_allocate(arena, b.count, sizeof *b.drafts);
    ok = b.drafts && tmb_parallel_for(context, threads, b.count, GRAIN, make_drafts, &b);
    if (ok && atomic_load(&b.overflows)) {
        tmb_cluster_draft *drafts = tmb_arena_allocate(arena, 2 * b.count, sizeof *drafts);
        ok = drafts != NULL;
        if (ok) {
            cut_runs(&b, drafts);
        }
    }
    *out = (tmb_clusters){.drafts = b.drafts, .count = b.count, .order = b.order};
    return ok ? TUMBLE_OK : tmb_fail_memory(context, "the order of a wide hierarchy");
}
