/* From triangles to the clusters and the tree of a wide hierarchy: local points, a spatial order, runs of that order,
 * and its ranges. */
#include "tree/wide/build.h"

#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/mesh_validate.h"
#include "tree/wide/order.h"

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
    uint32_t leaf; /* triangles in a run, at most */
    uint8_t *marks;
    uint32_t *runs; /* where runs start, and the end */
    size_t run_count;
    tmb_cluster_draft *drafts;
    uint32_t *order;    /* of the triangles, in that of the drafts */
    uint32_t *clusters; /* how many come before each run, and all */
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

/* ---- Runs ---- */

/* Runs start with a range, and after each full run. */
static size_t find_runs(building *b)
{
    size_t count = 0, length = 0;
    for (size_t i = 0; i < b->set->count; i++, length++) {
        if (i == 0 || b->marks[i] || length == b->leaf) {
            if (b->runs) {
                b->runs[count] = (uint32_t)i;
            }
            count++;
            length = 0;
        }
    }
    return count;
}

static void make_drafts(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t run = begin; run < end; run++) {
        const size_t first = b->runs[run];
        const uint32_t count = b->runs[run + 1] - b->runs[run];
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

/* Splits a run that does not fit into one cluster. Returns the last of them. */
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
    for (size_t run = 0; run < b->run_count; run++) {
        b->clusters[run] = (uint32_t)(next - drafts);
        if (b->drafts[run].triangle_count) {
            *next++ = b->drafts[run];
        } else {
            next = cut_run(b, b->runs[run], b->runs[run + 1], next) + 1;
        }
    }
    b->clusters[b->run_count] = (uint32_t)(next - drafts);
    b->drafts = drafts;
}

static int make_clusters(building *b, tmb_arena *arena, uint32_t threads, void *scratch)
{
    b->run_count = find_runs(b);
    b->runs = tmb_arena_allocate(arena, b->run_count + 1, sizeof *b->runs);
    b->clusters = tmb_arena_allocate(arena, b->run_count + 1, sizeof *b->clusters);
    if (!b->runs || !b->clusters) {
        return 0;
    }
    (void)find_runs(b);
    b->runs[b->run_count] = (uint32_t)b->set->count;
    /* the scratch is large enough for the drafts except when runs are short */
    b->drafts = b->run_count * sizeof *b->drafts <= b->set->count * sizeof(tmb_wide_item)
                    ? scratch
                    : tmb_arena_allocate(arena, b->run_count, sizeof *b->drafts);
    if (!b->drafts || !tmb_parallel_for(arena->context, threads, b->run_count, GRAIN, make_drafts, b)) {
        return 0;
    }
    if (atomic_load(&b->overflows)) {
        tmb_cluster_draft *drafts = tmb_arena_allocate(arena, 2 * b->run_count, sizeof *drafts);
        if (!drafts) {
            return 0;
        }
        cut_runs(b, drafts);
        return 1;
    }
    for (size_t run = 0; run <= b->run_count; run++) {
        b->clusters[run] = (uint32_t)run;
    }
    return 1;
}

/* ---- The tree ---- */

/* The ranges of which each becomes one node over clusters: the first run, and the mark it starts with. */
typedef struct range {
    uint32_t run;
    uint32_t mark;
} range;

typedef struct planting {
    const building *b;
    const range *ranges; /* one after the last, too */
    tmb_wide_link *links;
    uint32_t used, depth;
} planting;

static void add_lowest(planting *p, uint32_t node, uint32_t begin, uint32_t end)
{
    TMB_ASSERT(begin < end && end - begin <= TMB_WIDE);
    p->links[node] = (tmb_wide_link){begin, (uint16_t)(end - begin), 1};
}

/* Runs that had to be split can leave a range with more clusters than a node can hold. */
static void add_range(planting *p, uint32_t node, uint32_t i, uint32_t depth)
{
    const uint32_t begin = p->b->clusters[p->ranges[i].run], end = p->b->clusters[p->ranges[i + 1].run];
    if (end - begin > TMB_WIDE) {
        p->links[node] = (tmb_wide_link){p->used, 2, 0};
        add_lowest(p, p->used, begin, begin + TMB_WIDE);
        add_lowest(p, p->used + 1, begin + TMB_WIDE, end);
        p->used += 2;
        depth++;
    } else {
        add_lowest(p, node, begin, end);
    }
    p->depth = depth + 1 > p->depth ? depth + 1 : p->depth;
}

/* The node over ranges begin to end, and all below it. */
static void add_node(planting *p, uint32_t node, uint32_t begin, uint32_t end, uint32_t depth)
{
    TMB_ASSERT(begin < end);
    TMB_ASSERT(depth < TMB_WIDE_LEVELS);
    if (end - begin == 1) {
        add_range(p, node, begin, depth);
        return;
    }
    uint32_t starts[TMB_WIDE + 1] = {begin}, count = 1;
    for (uint32_t i = begin + 1; i < end; i++) {
        if (p->ranges[i].mark == depth + 1) {
            starts[count++] = i;
        }
    }
    starts[count] = end;
    const uint32_t first = p->used;
    p->links[node] = (tmb_wide_link){first, (uint16_t)count, 0};
    p->used += count;
    for (uint32_t i = 0; i < count; i++) {
        add_node(p, first + i, starts[i], starts[i + 1], depth + 1);
    }
}

static int plant_tree(const building *b, tmb_arena *arena, tmb_wide_tree *tree)
{
    range *ranges = tmb_arena_allocate(arena, b->run_count + 1, sizeof *ranges);
    uint32_t count = 0;
    for (size_t run = 0; ranges && run <= b->run_count; run++) {
        const uint32_t mark = run < b->run_count ? b->marks[b->runs[run]] : 0;
        if (run == 0 || mark || run == b->run_count) {
            ranges[count++] = (range){(uint32_t)run, mark};
        }
    }
    tmb_wide_link *links = ranges ? tmb_arena_allocate(arena, 4 * (size_t)count, sizeof *links) : NULL;
    if (!links) {
        return 0;
    }
    planting p = {.b = b, .ranges = ranges, .links = links, .used = 1};
    add_node(&p, 0, 0, count - 1, 0);
    *tree = (tmb_wide_tree){links, p.used, p.depth};
    return 1;
}

tumble_status tmb_wide_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_clusters *out, tmb_wide_tree *tree)
{
    TMB_ASSERT(set->count > 0);
    tumble_context *context = arena->context;
    const uint32_t threads = options->thread_count;
    const size_t count = set->count, points = set->mesh->point_count;
    building b = {.set = set,
                  .frame = tmb_local_frame_of(set->lower, set->upper),
                  .leaf = run_length(set),
                  .draft = TMB_PICK_KERNEL(context, tmb_wide_draft)};
    b.order = tmb_arena_allocate(arena, count, sizeof *b.order);
    b.points = tmb_arena_allocate(arena, points, sizeof *b.points);
    b.items = tmb_arena_allocate(arena, count, sizeof *b.items);
    b.marks = tmb_arena_allocate(arena, count, sizeof *b.marks);
    tmb_wide_item *scratch = tmb_arena_allocate(arena, count, sizeof *scratch);
    const tmb_wide_mesh mesh = {(const float(*)[4])b.points, set->corners};
    int ok = b.order && b.points && b.items && b.marks && scratch &&
             tmb_parallel_for(context, threads, points, GRAIN, make_points, &b) &&
             tmb_parallel_for(context, threads, count, GRAIN, make_items, &b);
    const tumble_status status =
        ok ? tmb_wide_order(context, options, &mesh, b.items, scratch, count, b.leaf, b.marks) : TUMBLE_OK;
    if (status != TUMBLE_OK) {
        return status;
    }
    ok = ok && make_clusters(&b, arena, threads, scratch) && plant_tree(&b, arena, tree);
    if (!ok) {
        return tmb_fail_memory(context, "the order of a wide hierarchy");
    }
    *out = (tmb_clusters){.drafts = b.drafts, .count = b.clusters[b.run_count], .order = b.order};
    return TUMBLE_OK;
}
