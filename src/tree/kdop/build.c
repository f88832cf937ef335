/* k-DOP trees, top down (Klosowski et al. 1998, section 3.3.4).
 *
 * Sets are split on several threads. A set split before triangle m is recorded in cuts[m], which no other set uses, so
 * the result does not depend on timing. */
#include <math.h>
#include <stdatomic.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/kdop/kdop.h"
#include "tree/kdop/split.h"
#include "tree/mesh_validate.h"

/* Smaller sets are not worth a task of their own. */
#define TASK_LEAST 4096

/* Sets as deep as this are cut at the median, which leaves at most 32 more levels. */
#define DEPTH_BALANCED 64
_Static_assert(DEPTH_BALANCED + 32 <= TMB_KDOP_DEPTH, "no tree is deeper than it may be");

typedef struct building {
    const tmb_triangle_set *set;
    const tumble_model_options *options;
    tmb_local_frame frame;
    tmb_kdop_rules rules;
    tmb_kdop_item *items;
    uint64_t *keys; /* scratch memory of the splits */
    float *rows;
    tmb_kdop_tree *tree;
    atomic_size_t triangles_done;
    atomic_uint node_count, depth;
    atomic_int cancelled;
} building;

/* A set yet to be split. */
typedef struct range {
    uint32_t begin, end, depth;
    uint32_t *link; /* where its cut is given */
} range;

_Static_assert(sizeof(range) <= TMB_TASK_BYTES, "a range travels as a task");

/* ---- Triangles ---- */

static void fill_row(const building *b, const double corners[3][3], float *row)
{
    for (uint32_t i = 0; i < b->rules.row_lanes / 2; i++) {
        const double *d = b->rules.row_axes[i];
        double least = INFINITY, most = -INFINITY;
        for (int c = 0; c < 3; c++) {
            const double x = (d[0] * corners[c][0] + d[1] * corners[c][1]) + d[2] * corners[c][2];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        row[2 * i] = (float)most;
        row[2 * i + 1] = (float)-least;
    }
}

static void fill_items(void *shared, size_t begin, size_t end)
{
    building *b = shared;
    for (size_t i = begin; i < end; i++) {
        double corners[3][3];
        tmb_kdop_item *item = &b->items[i];
        for (int c = 0; c < 3; c++) {
            tmb_mesh_point(b->set->mesh, b->set->corners[3 * i + (size_t)c], corners[c]);
            for (int k = 0; k < 3; k++) {
                corners[c][k] = (corners[c][k] - b->frame.centre[k]) * b->frame.scale;
            }
        }
        for (int k = 0; k < 3; k++) {
            item->centroid[k] = (float)((corners[0][k] + corners[1][k] + corners[2][k]) / 3);
        }
        item->triangle = (uint32_t)i;
        if (b->rows) {
            fill_row(b, (const double(*)[3])corners, b->rows + i * b->rules.row_lanes);
        }
    }
}

static void write_order(void *shared, size_t begin, size_t end)
{
    const building *b = shared;
    for (size_t i = begin; i < end; i++) {
        b->tree->order[i] = b->items[i].triangle;
    }
}

/* ---- Sets ---- */

static void report(building *b, tmb_tasks *tasks, size_t triangles)
{
    const size_t done = atomic_fetch_add(&b->triangles_done, triangles) + triangles;
    if (b->options->progress && tmb_tasks_on_caller(tasks) && !atomic_load(&b->cancelled) &&
        b->options->progress(b->options->progress_user, (double)done / (double)b->set->count)) {
        atomic_store(&b->cancelled, 1);
    }
}

static void split_range(building *b, const range *r, range children[2])
{
    const uint32_t count = r->end - r->begin;
    const uint32_t cut = r->begin + tmb_kdop_split(&b->rules, b->items + r->begin, b->keys ? b->keys + r->begin : NULL,
                                                   count, r->depth >= DEPTH_BALANCED);
    *r->link = cut;
    children[0] = (range){r->begin, cut, r->depth + 1, &b->tree->cuts[cut][0]};
    children[1] = (range){cut, r->end, r->depth + 1, &b->tree->cuts[cut][1]};
}

/* The smaller child is cut first, so the stack of waiting ones is no longer than the number has bits. */
#define WAITING_MOST 34

static void build_range(tmb_tasks *tasks, void *shared, const void *argument)
{
    building *b = shared;
    range stack[WAITING_MOST], children[2];
    uint32_t waiting = 1, nodes = 0, deepest = 0;
    size_t done = 0;
    memcpy(&stack[0], argument, sizeof stack[0]);
    while (waiting > 0 && !atomic_load_explicit(&b->cancelled, memory_order_relaxed)) {
        const range r = stack[--waiting];
        const uint32_t count = r.end - r.begin;
        nodes++;
        if (count <= b->rules.options.leaf) {
            *r.link = 0;
            deepest = r.depth > deepest ? r.depth : deepest;
            done += count;
            if (done >= TASK_LEAST) {
                report(b, tasks, done);
                done = 0;
            }
            continue;
        }
        split_range(b, &r, children);
        const int larger = children[1].end - children[1].begin > children[0].end - children[0].begin;
        if (children[larger].end - children[larger].begin < TASK_LEAST || !tmb_tasks_add(tasks, &children[larger])) {
            stack[waiting++] = children[larger];
        }
        stack[waiting++] = children[!larger];
    }
    report(b, tasks, done);
    atomic_fetch_add(&b->node_count, nodes);
    uint32_t depth = atomic_load(&b->depth);
    while (depth < deepest && !atomic_compare_exchange_weak(&b->depth, &depth, deepest)) {
    }
}

/* ---- All together ---- */

static int reserve(building *b, tmb_arena *own)
{
    const size_t count = b->set->count;
    b->items = tmb_arena_allocate(own, count, sizeof *b->items);
    b->keys = tmb_arena_allocate(own, count, sizeof *b->keys);
    if (b->rules.row_lanes) {
        b->rows = tmb_arena_allocate(own, count, b->rules.row_lanes * sizeof *b->rows);
    }
    b->rules.rows = b->rows;
    return b->items && b->keys && (b->rows || !b->rules.row_lanes);
}

static tumble_status sort_items(building *b, tumble_context *context)
{
    const uint32_t count = (uint32_t)b->set->count;
    const uint32_t threads = tmb_threads_for(b->options->thread_count, count, TASK_LEAST);
    const range all = {.end = count, .link = &b->tree->root_cut};
    if (!tmb_parallel_for(context, threads, count, TASK_LEAST, fill_items, b) ||
        !tmb_tasks_run(context, threads, build_range, b, &all, sizeof all) ||
        !tmb_parallel_for(context, threads, count, TASK_LEAST, write_order, b)) {
        return tmb_fail_memory(context, "the threads that build a model");
    }
    if (atomic_load(&b->cancelled)) {
        return tmb_fail(context, TUMBLE_ERROR_CANCELLED, "building the model was stopped by the progress callback");
    }
    b->tree->node_count = atomic_load(&b->node_count);
    b->tree->depth = atomic_load(&b->depth);
    return TUMBLE_OK;
}

tumble_status tmb_kdop_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                             tmb_kdop_tree *out)
{
    TMB_ASSERT(set->count > 0);
    TMB_ASSERT(tmb_kdop_set_of(options->tuning->kdop.k));
    tmb_arena own = {.context = arena->context}; /* what only the build needs */
    building b = {.set = set, .options = options, .frame = tmb_local_frame_of(set->lower, set->upper), .tree = out};
    tmb_kdop_rules_of(&options->tuning->kdop, &b.rules);
    out->order = tmb_arena_allocate(arena, set->count, sizeof *out->order);
    out->cuts = tmb_arena_allocate(arena, set->count, sizeof *out->cuts);
    const tumble_status status = out->order && out->cuts && reserve(&b, &own)
                                     ? sort_items(&b, arena->context)
                                     : tmb_fail_memory(arena->context, "building a k-DOP tree");
    tmb_arena_release(&own);
    return status;
}
