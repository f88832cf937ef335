/* Binary trees over triangles: the library's, and one that is built bottom up. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "failure.h"
#include "tree/kdop/kdop.h"

/* ---- Boxes ---- */

static void bound_triangle(design_split *split, double corners[3][3])
{
    for (int j = 0; j < 3; j++) {
        split->lower[j] = (float)fmin(fmin(corners[0][j], corners[1][j]), corners[2][j]);
        split->upper[j] = (float)fmax(fmax(corners[0][j], corners[1][j]), corners[2][j]);
    }
}

static void join_boxes(const design_split *a, const design_split *b, design_split *out)
{
    for (int j = 0; j < 3; j++) {
        out->lower[j] = a->lower[j] < b->lower[j] ? a->lower[j] : b->lower[j];
        out->upper[j] = a->upper[j] > b->upper[j] ? a->upper[j] : b->upper[j];
    }
}

static float half_surface(const design_split *split)
{
    const float x = split->upper[0] - split->lower[0], y = split->upper[1] - split->lower[1],
                z = split->upper[2] - split->lower[2];
    return x * y + y * z + z * x;
}

static design_sets allocate_sets(size_t triangles)
{
    return (design_sets){.corners = bench_allocate(triangles, sizeof(double[3][3])),
                         .splits = bench_allocate(2 * triangles, sizeof(design_split))};
}

void design_free_sets(design_sets *sets)
{
    free(sets->corners);
    free(sets->splits);
    *sets = (design_sets){.corners = NULL};
}

/* ---- The library's ---- */

typedef struct copying {
    const tumble_model *model;
    design_sets *sets;
} copying;

static void copy_node(const copying *c, uint32_t row_number, uint32_t number)
{
    const uint32_t k = c->model->block->kdop.k, *row = tmb_kdop_row(c->model->nodes, k, row_number);
    design_split *split = &c->sets->splits[number];
    split->first = (uint32_t)c->sets->triangle_count;
    if (tmb_kdop_count(k, row)) {
        double(*corners)[3] = c->sets->corners[c->sets->triangle_count++];
        tmb_model_corners(c->model, tmb_kdop_link(k, row), corners);
        bound_triangle(split, corners);
        split->count = 1;
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        split->children[i] = (uint32_t)c->sets->split_count++;
        copy_node(c, tmb_kdop_link(k, row) + i, split->children[i]);
    }
    join_boxes(&c->sets->splits[split->children[0]], &c->sets->splits[split->children[1]], split);
    split->count = (uint32_t)c->sets->triangle_count - split->first;
}

design_sets design_top_down(const models_mesh *mesh)
{
    const tumble_mesh view = models_view(mesh);
    tumble_tuning tuning = tumble_default_tuning();
    tumble_model_options options = tumble_default_model_options();
    tumble_context *context = NULL;
    tumble_model *model = NULL;
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    tuning.kdop.leaf = 1;
    options.tuning = &tuning;
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    bench_require(tumble_model_create(context, &view, &options, &model), context, "building a model");
    design_sets sets = allocate_sets(model->block->triangle_count);
    sets.split_count = 1;
    copy_node(&(copying){model, &sets}, TMB_KDOP_ROOT, 0);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    return sets;
}

/* ---- Bottom up ---- */

typedef struct cluster {
    design_split split; /* children are numbers of clusters */
    uint64_t key;
} cluster;

typedef struct clustering {
    const models_mesh *mesh;
    cluster *clusters; /* triangles first, then what was joined */
    uint32_t *active, *next, *nearest;
    uint32_t count, active_count;
} clustering;

static void mesh_corners(const models_mesh *mesh, size_t triangle, double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        memcpy(out[i], mesh->points + 3 * mesh->indices[3 * triangle + (size_t)i], sizeof out[i]);
    }
}

/* Every third bit. */
static uint64_t spread(uint64_t x)
{
    uint64_t out = 0;
    for (int bit = 0; bit < 20; bit++) {
        out |= (x >> bit & 1) << (3 * bit);
    }
    return out;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const cluster *)a)->key, y = ((const cluster *)b)->key;
    return (x > y) - (x < y);
}

static void sort_triangles(clustering *c)
{
    design_split all = {.lower = {FLT_MAX, FLT_MAX, FLT_MAX}, .upper = {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    for (uint32_t i = 0; i < c->count; i++) {
        double corners[3][3];
        mesh_corners(c->mesh, i, corners);
        bound_triangle(&c->clusters[i].split, corners);
        c->clusters[i].split.first = i;
        c->clusters[i].split.count = 1;
        join_boxes(&all, &c->clusters[i].split, &all);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const design_split *split = &c->clusters[i].split;
        for (int j = 0; j < 3; j++) {
            const float middle = (split->lower[j] + split->upper[j]) / 2 - all.lower[j];
            const float width = all.upper[j] - all.lower[j];
            c->clusters[i].key |= spread((uint64_t)(width > 0 ? 1048575 * middle / width : 0)) << j;
        }
    }
    qsort(c->clusters, c->count, sizeof *c->clusters, by_key);
    for (uint32_t i = 0; i < c->count; i++) {
        c->active[i] = i;
    }
    c->active_count = c->count;
}

/* Of each active cluster, which of those near it on the curve it fits best with. */
static void find_nearest(const clustering *c)
{
    const int64_t radius = 16;
    for (int64_t i = 0; i < (int64_t)c->active_count; i++) {
        float least = INFINITY;
        for (int64_t j = i - radius < 0 ? 0 : i - radius; j <= i + radius && j < (int64_t)c->active_count; j++) {
            design_split joint;
            if (i != j) {
                join_boxes(&c->clusters[c->active[i]].split, &c->clusters[c->active[j]].split, &joint);
                if (half_surface(&joint) < least) {
                    least = half_surface(&joint);
                    c->nearest[i] = (uint32_t)j;
                }
            }
        }
    }
}

/* Pairs that fit best with each other are joined. There is one: of all pairs with the least surface, that with the
 * smallest numbers. */
static void join_pairs(clustering *c)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->active_count; i++) {
        const uint32_t other = c->nearest[i];
        if (c->nearest[other] != i) {
            c->next[left++] = c->active[i];
        } else if (i < other) {
            cluster *made = &c->clusters[c->count];
            const design_split *a = &c->clusters[c->active[i]].split, *b = &c->clusters[c->active[other]].split;
            join_boxes(a, b, &made->split);
            made->split.children[0] = c->active[i];
            made->split.children[1] = c->active[other];
            made->split.count = a->count + b->count;
            c->next[left++] = c->count++;
        }
    }
    uint32_t *swapped = c->active;
    c->active = c->next;
    c->next = swapped;
    c->active_count = left;
}

/* As sets, from the root on. */
static void copy_cluster(const clustering *c, uint32_t from, design_sets *sets, uint32_t number)
{
    const design_split *source = &c->clusters[from].split;
    design_split *split = &sets->splits[number];
    *split = *source;
    split->first = (uint32_t)sets->triangle_count;
    if (source->count == 1) {
        mesh_corners(c->mesh, source->first, sets->corners[sets->triangle_count++]);
        return;
    }
    for (int i = 0; i < 2; i++) {
        split->children[i] = (uint32_t)sets->split_count++;
        copy_cluster(c, source->children[i], sets, split->children[i]);
    }
}

design_sets design_bottom_up(const models_mesh *mesh)
{
    const size_t triangles = models_triangle_count(mesh);
    clustering c = {.mesh = mesh,
                    .clusters = bench_allocate(2 * triangles, sizeof *c.clusters),
                    .active = bench_allocate(triangles, sizeof *c.active),
                    .next = bench_allocate(triangles, sizeof *c.next),
                    .nearest = bench_allocate(triangles, sizeof *c.nearest),
                    .count = (uint32_t)triangles};
    sort_triangles(&c);
    while (c.active_count > 1) {
        find_nearest(&c);
        join_pairs(&c);
    }
    design_sets sets = allocate_sets(triangles);
    sets.split_count = 1;
    copy_cluster(&c, c.active[0], &sets, 0);
    free(c.clusters);
    free(c.active);
    free(c.next);
    free(c.nearest);
    return sets;
}
