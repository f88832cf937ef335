/* Tumble's rays. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "rays.h"
#include "tumble/tumble.h"

typedef struct tumble_world {
    tumble_context *context;
    tumble_model *model;
    tumble_query *query;
    tumble_ray_hit *hits;
} tumble_world;

static void check(const tumble_world *w, tumble_status status)
{
    if (status != TUMBLE_OK) {
        char text[512];
        tumble_last_error(w->context, text, sizeof text);
        bench_fail("tumble: %s", text);
    }
}

static void *build(const peer_mesh *mesh)
{
    tumble_world *w = bench_allocate(1, sizeof *w);
    tumble_mesh view = tumble_default_mesh();
    view.points = mesh->points, view.point_count = mesh->point_count;
    view.indices = mesh->indices, view.index_count = 3 * mesh->triangle_count;
    check(w, tumble_context_create(NULL, &w->context));
    check(w, tumble_model_create(w->context, &view, NULL, &w->model));
    check(w, tumble_query_create(w->context, &w->query));
    return w;
}

static void destroy(void *model)
{
    tumble_world *w = model;
    tumble_query_destroy(w->query);
    tumble_model_destroy(w->model);
    tumble_context_destroy(w->context);
    free(w->hits);
    free(w);
}

static void take(void *model, const ray_set *rays)
{
    tumble_world *w = model;
    free(w->hits);
    w->hits = bench_allocate(rays->count, sizeof *w->hits);
}

static void cast(void *model, const ray_set *rays, int is_batch)
{
    tumble_world *w = model;
    tumble_ray_result result;
    if (is_batch) {
        tumble_ray_batch batch = tumble_default_ray_batch();
        batch.count = rays->count, batch.origins = rays->origins, batch.directions = rays->directions;
        batch.hits = w->hits;
        check(w, tumble_rays(w->query, w->model, NULL, &batch, NULL, &result));
        return;
    }
    for (size_t i = 0; i < rays->count; i++) {
        check(w, tumble_ray(w->query, w->model, NULL, rays->origins + 3 * i, rays->directions + 3 * i, NULL, &result));
        w->hits[i] = result.first;
    }
}

static void answers(void *model, const ray_set *rays, ray_answer *out)
{
    const tumble_world *w = model;
    for (size_t i = 0; i < rays->count; i++) {
        const tumble_ray_hit *hit = &w->hits[i];
        out[i] = (ray_answer){hit->polygon == TUMBLE_NO_POLYGON ? (double)INFINITY : hit->t, hit->polygon};
    }
}

static size_t all(void *model, const ray_set *rays, size_t i, uint32_t *out, size_t capacity)
{
    tumble_world *w = model;
    tumble_ray_result result;
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = TUMBLE_ALL;
    check(w, tumble_ray(w->query, w->model, NULL, rays->origins + 3 * i, rays->directions + 3 * i, &options, &result));
    for (size_t k = 0; k < result.hit_count && k < capacity; k++) {
        out[k] = result.hits[k].polygon;
    }
    return (size_t)result.hit_count;
}

const ray_peer *rays_tumble(void)
{
    static const ray_peer list[] = {
        {"tumble", TUMBLE_VERSION, "tumble_ray, tumble_rays", build, destroy, take, cast, answers, all, 1}, {0}};
    return list;
}
