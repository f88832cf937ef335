/* A heap without physics. */
#include "heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "failure.h"
#include "models.h"
#include "tumble/tumble.h"
#include "turn.h"

/* Bodies fit a cube of side 2, in any rotation within `reach` of their middle. */
static const double reach = 1.7320508;
static const double cell_side = 3.5;
static const double sunk = 0.005;

/* What lies there, in cells along x and y. */
typedef struct pile {
    tumble_context *context;
    tumble_query *query;
    tumble_model *models[HEAP_SHAPES];
    const body_heap *heap;
    uint32_t *next, *first; /* lists of the bodies of each cell; UINT32_MAX ends them */
    int cells;              /* along a side */
    double side, top;
} pile;

static void open_pile(pile *p, const body_heap *heap)
{
    p->heap = heap;
    p->side = fmax(4, 1.7 * sqrt((double)heap->count / 10)); /* about ten layers */
    p->cells = (int)(p->side / cell_side) + 1;
    p->next = bench_allocate(heap->count, sizeof *p->next);
    p->first = bench_allocate((size_t)p->cells * (size_t)p->cells, sizeof *p->first);
    memset(p->first, 0xff, (size_t)p->cells * (size_t)p->cells * sizeof *p->first);
    bench_require(tumble_context_create(NULL, &p->context), NULL, "a context");
    bench_require(tumble_query_create(p->context, &p->query), p->context, "a query");
    for (int i = 0; i < HEAP_SHAPES; i++) {
        p->models[i] = bodies_model(p->context, &heap->views[i]);
    }
}

static void close_pile(pile *p)
{
    for (int i = 0; i < HEAP_SHAPES; i++) {
        tumble_model_destroy(p->models[i]);
    }
    tumble_query_destroy(p->query);
    tumble_context_destroy(p->context);
    free(p->next);
    free(p->first);
}

static int touches_body(const pile *p, size_t body, const tumble_pose *pose, size_t other)
{
    const tumble_pose *rest = &p->heap->rest[other];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    for (int k = 0; k < 3; k++) {
        if (fabs(pose->m[k][3] - rest->m[k][3]) > 2 * reach) {
            return 0;
        }
    }
    options.mode = TUMBLE_TEST;
    bench_require(tumble_collide(p->query, p->models[p->heap->shape_of[other]], rest,
                                 p->models[p->heap->shape_of[body]], pose, &options, &result),
                  p->context, "a body in the heap");
    return result.collide;
}

static int cell_of(const pile *p, double place)
{
    const int cell = (int)(place / cell_side);
    return cell < 0 ? 0 : cell < p->cells ? cell : p->cells - 1;
}

/* The floor stops a body's middle at height 1. */
static int touches(const pile *p, size_t body, const tumble_pose *pose)
{
    const int x = cell_of(p, pose->m[0][3]), y = cell_of(p, pose->m[1][3]);
    int found = pose->m[2][3] < 1;
    for (int i = x - 1; i <= x + 1 && !found; i++) {
        for (int k = y - 1; k <= y + 1 && !found; k++) {
            if (i < 0 || k < 0 || i >= p->cells || k >= p->cells) {
                continue;
            }
            for (uint32_t other = p->first[i * p->cells + k]; other != UINT32_MAX && !found; other = p->next[other]) {
                found = touches_body(p, body, pose, other);
            }
        }
    }
    return found;
}

/* Down from where it is free until it just is. */
static void drop(const pile *p, size_t body, tumble_pose *pose)
{
    const double stride = 0.25;
    double free_height = pose->m[2][3], taken;
    do {
        free_height = pose->m[2][3];
        pose->m[2][3] -= stride;
    } while (!touches(p, body, pose));
    taken = pose->m[2][3];
    while (free_height - taken > 0.2 * sunk) {
        pose->m[2][3] = 0.5 * (free_height + taken);
        if (touches(p, body, pose)) {
            taken = pose->m[2][3];
        } else {
            free_height = pose->m[2][3];
        }
    }
    pose->m[2][3] = free_height;
}

/* Rolls to the side wherever it can fall further. */
static void settle(const pile *p, size_t body, tumble_pose *pose, models_random *random)
{
    const double limit = p->side;
    for (int i = 0; i < 16; i++) {
        const double x = models_random_range(random, -0.4, 0.4), y = models_random_range(random, -0.4, 0.4);
        tumble_pose aside = *pose;
        aside.m[0][3] = fmin(fmax(aside.m[0][3] + x, 0), limit);
        aside.m[1][3] = fmin(fmax(aside.m[1][3] + y, 0), limit);
        aside.m[2][3] -= 0.02;
        if (!touches(p, body, &aside)) {
            drop(p, body, &aside);
            *pose = aside;
        }
    }
}

static void add_body(pile *p, size_t body, tumble_pose *rest, models_random *random)
{
    *rest = models_random_rotation(random);
    rest->m[0][3] = models_random_range(random, 0, p->side);
    rest->m[1][3] = models_random_range(random, 0, p->side);
    rest->m[2][3] = p->top + 2 * reach + 0.1;
    drop(p, body, rest);
    settle(p, body, rest, random);
    rest->m[2][3] -= sunk;
    p->top = fmax(p->top, rest->m[2][3]);
    const int cell = cell_of(p, rest->m[0][3]) * p->cells + cell_of(p, rest->m[1][3]);
    p->next[body] = p->first[cell];
    p->first[cell] = (uint32_t)body;
}

static void draw_axis(models_random *random, double *axis)
{
    const tumble_pose turn = models_random_rotation(random);
    for (int k = 0; k < 3; k++) {
        axis[k] = turn.m[k][0];
    }
}

body_heap heap_make(size_t count, size_t triangles, uint64_t seed)
{
    static const char *const names[HEAP_SHAPES] = {"sphere", "torus", "knot", "gear", "bolt"};
    models_random random = {seed};
    pile p = {.top = 0};
    body_heap heap = {.shape_of = bench_allocate(count, sizeof *heap.shape_of),
                      .rest = bench_allocate(count, sizeof *heap.rest),
                      .axes = bench_allocate(count, sizeof *heap.axes),
                      .count = count};
    for (int i = 0; i < HEAP_SHAPES; i++) {
        heap.shapes[i] = peers_mesh_shape(names[i], triangles, (double)seed);
        heap.views[i] = heap.shapes[i].view;
    }
    open_pile(&p, &heap);
    for (size_t i = 0; i < count; i++) {
        heap.shape_of[i] = (uint32_t)(models_random_bits(&random) >> 32) % HEAP_SHAPES;
        add_body(&p, i, &heap.rest[i], &random);
        draw_axis(&random, heap.axes[i]);
    }
    close_pile(&p);
    return heap;
}

void heap_free(body_heap *heap)
{
    for (int i = 0; i < HEAP_SHAPES; i++) {
        peers_mesh_free(&heap->shapes[i]);
    }
    free(heap->shape_of);
    free(heap->rest);
    free(heap->axes);
    memset(heap, 0, sizeof *heap);
}

/* Turned about its own middle, then shifted. */
static tumble_pose disturbed(const tumble_pose *rest, const double *axis, double angle, const double *shift)
{
    const tumble_pose turn = turn_about(axis, angle);
    tumble_pose out = *rest;
    for (int k = 0; k < 3; k++) {
        out.m[k][3] = 0;
    }
    out = tumble_pose_compose(&turn, &out);
    for (int k = 0; k < 3; k++) {
        out.m[k][3] = rest->m[k][3] + shift[k];
    }
    return out;
}

void heap_resting_poses(const body_heap *heap, size_t step, tumble_pose *out)
{
    models_random random = {1 + step};
    for (size_t i = 0; i < heap->count; i++) {
        double shift[3];
        for (int k = 0; k < 3; k++) {
            shift[k] = models_random_range(&random, -0.001, 0.001);
        }
        out[i] = disturbed(&heap->rest[i], heap->axes[i], models_random_range(&random, -0.001, 0.001), shift);
    }
}

void heap_falling_poses(const body_heap *heap, double share, tumble_pose *out)
{
    for (size_t i = 0; i < heap->count; i++) {
        const double left = 1 - share, shift[3] = {0, 0, 0.5 * left * heap->rest[i].m[2][3]};
        out[i] = disturbed(&heap->rest[i], heap->axes[i], left, shift);
    }
}
