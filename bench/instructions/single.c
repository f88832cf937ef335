/* Questions about one model, and about models with a radius. */
#include <stdlib.h>

#include "failure.h"
#include "instructions.h"

enum {
    TRIANGLES = 4000,
    QUESTIONS = 32
};

static const char shape[] = "gear";

/* A model, and random points and directions around it. */
typedef struct subject {
    const engine *e;
    tumble_model *model;
    double points[QUESTIONS][3], directions[QUESTIONS][3];
} subject;

typedef void question(const subject *s);

/* Once before, so that the query has all its memory. */
static void count(const subject *s, const char *what, question *ask)
{
    ask(s);
    start_counting();
    ask(s);
    end_counting(s->e, what, shape);
}

static void ask_rays(const subject *s)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        tumble_ray_result result;
        bench_require(tumble_ray(s->e->query, s->model, NULL, s->points[i], s->directions[i], NULL, &result),
                      s->e->context, "a ray");
    }
}

static void ask_inside(const subject *s)
{
    tumble_inside_answer answers[QUESTIONS];
    tumble_counters counters;
    bench_require(tumble_inside(s->e->query, s->model, NULL, s->points[0], QUESTIONS, NULL, answers, &counters),
                  s->e->context, "points inside");
}

static void ask_closest(const subject *s)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        tumble_closest_result result;
        bench_require(tumble_closest_point(s->e->query, s->model, NULL, s->points[i], NULL, &result), s->e->context,
                      "a closest point");
    }
}

static void ask_self(const subject *s)
{
    tumble_self_result result;
    bench_require(tumble_self_collide(s->e->query, s->model, NULL, &result), s->e->context, "a self-intersection");
}

/* A solid at each of the points. */
static void ask_solid(const subject *s, const tumble_model *solid, bool distance)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        tumble_pose pose = tumble_pose_identity();
        tumble_collide_result result;
        tumble_distance_result near;
        for (int k = 0; k < 3; k++) {
            pose.m[k][3] = s->points[i][k];
        }
        bench_require(distance ? tumble_distance(s->e->query, s->model, NULL, solid, &pose, NULL, &near)
                               : tumble_collide(s->e->query, s->model, NULL, solid, &pose, NULL, &result),
                      s->e->context, "a solid");
    }
}

static void count_solid(const subject *s, tumble_model *solid, const char *what, bool distance)
{
    ask_solid(s, solid, distance);
    start_counting();
    ask_solid(s, solid, distance);
    end_counting(s->e, what, shape);
}

static void count_solids(const subject *s)
{
    const double from[3] = {0, 0, 0}, to[3] = {0.1, 0.2, 0.3};
    const tumble_model_options options = bench_model_options(s->e->variant);
    tumble_model *capsule = NULL, *cylinder = NULL;
    bench_require(tumble_model_create_capsule(s->e->context, from, to, 0.05, &options, &capsule), s->e->context,
                  "a capsule");
    bench_require(tumble_model_create_cylinder(s->e->context, from, to, 0.05, &options, &cylinder), s->e->context,
                  "a cylinder");
    count_solid(s, capsule, "capsule", false);
    count_solid(s, cylinder, "cylinder", false);
    count_solid(s, cylinder, "cylinder-distance", true);
    tumble_model_destroy(capsule);
    tumble_model_destroy(cylinder);
}

void count_single(const engine *e)
{
    models_mesh mesh = bench_make_mesh(shape, TRIANGLES, 1);
    models_random random = {1};
    subject s = {.e = e, .model = build(e, &mesh)};
    for (size_t i = 0; i < QUESTIONS; i++) {
        for (int k = 0; k < 3; k++) {
            s.points[i][k] = 2 * models_random_unit(&random) - 1;
            s.directions[i][k] = 2 * models_random_unit(&random) - 1;
        }
    }
    count(&s, "ray", ask_rays);
    count(&s, "inside", ask_inside);
    count(&s, "closest", ask_closest);
    count(&s, "self", ask_self);
    count_solids(&s);
    tumble_model_destroy(s.model);
    models_free(&mesh);
}
