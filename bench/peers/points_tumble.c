/* Tumble's closest points. */
#include <stdlib.h>

#include "failure.h"
#include "points.h"
#include "tumble/tumble.h"

typedef struct tumble_world {
    tumble_context *context;
    tumble_model *model;
    tumble_query *query;
} tumble_world;

static void *build(const peer_mesh *mesh)
{
    tumble_world *w = bench_allocate(1, sizeof *w);
    tumble_mesh view = tumble_default_mesh();
    view.points = mesh->points, view.point_count = mesh->point_count;
    view.indices = mesh->indices, view.index_count = 3 * mesh->triangle_count;
    bench_require(tumble_context_create(NULL, &w->context), NULL, "a context");
    bench_require(tumble_model_create(w->context, &view, NULL, &w->model), w->context, "a model");
    bench_require(tumble_query_create(w->context, &w->query), w->context, "a query");
    return w;
}

static void destroy(void *model)
{
    tumble_world *w = model;
    tumble_query_destroy(w->query);
    tumble_model_destroy(w->model);
    tumble_context_destroy(w->context);
    free(w);
}

static void closest(void *model, const double *points, size_t count, int is_batch, double *distances)
{
    const tumble_world *w = model;
    tumble_closest_result result;
    if (is_batch) {
        bench_require(tumble_closest_points(w->query, w->model, NULL, points, count, NULL, &result), w->context,
                      "the closest points");
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_batch) {
            bench_require(tumble_closest_point(w->query, w->model, NULL, points + 3 * i, NULL, &result), w->context,
                          "a closest point");
        }
        distances[i] = result.closest[is_batch ? i : 0].distance;
    }
}

const point_peer *points_tumble(void)
{
    static const point_peer list[] = {
        {"tumble", TUMBLE_VERSION, "tumble_closest_point, tumble_closest_points", build, destroy, closest}, {0}};
    return list;
}
