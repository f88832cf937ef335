/* Tumble's first contact, and what it would be by samples. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "motions.h"
#include "tumble/tumble.h"

typedef struct tumble_world {
    tumble_context *context;
    tumble_model *model;
    tumble_query *query;
    double reach; /* of the model's points from its origin */
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
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = mesh->points + 3 * i;
        w->reach = fmax(w->reach, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    return w;
}

static void destroy(void *world)
{
    tumble_world *w = world;
    tumble_query_destroy(w->query);
    tumble_model_destroy(w->model);
    tumble_context_destroy(w->context);
    free(w);
}

static double first(void *world, const tumble_motion *motion, double tolerance)
{
    const tumble_world *w = world;
    tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result result;
    options.tolerance = tolerance;
    bench_require(tumble_first_contact(w->query, w->model, NULL, w->model, motion, &options, &result), w->context,
                  "a first contact");
    return result.touching_at;
}

static int touches(const tumble_world *w, const tumble_pose *pose, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    bench_require(tumble_collide(w->query, w->model, NULL, w->model, pose, &options, &result), w->context, "a query");
    return result.collide;
}

/* Samples as dense as the tolerance, with a clearance that no point can cross between two of them: nothing is missed,
 * either. */
static double sampled(void *world, const tumble_motion *motion, double tolerance)
{
    const tumble_world *w = world;
    const double *t = motion->translation;
    const double speed = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) + fabs(motion->angle) * w->reach;
    for (double time = 0; time <= 1; time += tolerance) {
        const tumble_pose pose = tumble_motion_pose(motion, time);
        if (touches(w, &pose, 0.5 * tolerance * speed)) {
            return time;
        }
    }
    return INFINITY;
}

size_t motions_tumble_queries(void *world, const tumble_motion *motion, double from, double until, size_t count)
{
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        const tumble_pose pose = tumble_motion_pose(motion, from + (until - from) * (double)i / (double)count);
        touching += (size_t)touches(world, &pose, 0);
    }
    return touching;
}

const motion_peer *motions_tumble(void)
{
    static const motion_peer list[] = {
        {"tumble", TUMBLE_VERSION, "tumble_first_contact", build, destroy, first},
        {"samples", TUMBLE_VERSION, "tumble_collide as densely as the tolerance", build, destroy, sampled},
        {0}};
    return list;
}
