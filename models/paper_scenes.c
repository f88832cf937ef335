/* The scenes of the literature, put together. */
#include "paper_scenes.h"

#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"

typedef struct scene_plan {
    const char *name, *help;
    size_t environment, flyer, steps; /* triangles and steps of the paper, table 2 */
    int (*make)(models_scene *scene);
} scene_plan;

static void use_billiard(models_scene *scene, const double lower[3], const double upper[3], double stride, double spin,
                         uint64_t seed)
{
    scene->billiard.stride = stride;
    scene->billiard.spin = spin;
    scene->billiard.seed = seed;
    memcpy(scene->billiard.lower, lower, sizeof scene->billiard.lower);
    memcpy(scene->billiard.upper, upper, sizeof scene->billiard.upper);
}

/* Pipes of 15 sides. The flyer is a copy at a twentieth of the size. */
static int make_pipes(models_scene *scene)
{
    const models_shape *pipes = models_find_shape("pipes");
    double values[MODELS_PARAMETERS];
    models_defaults(pipes, values);
    values[0] = 4780;
    values[1] = 15;
    pipes->make(&scene->environment, values);
    models_fit(&scene->environment, 20, 0);
    models_append(&scene->flyer, &scene->environment, NULL);
    models_fit(&scene->flyer, 1, 0);
    const double half[3] = {10, 10, 10}, minus[3] = {-10, -10, -10};
    use_billiard(scene, minus, half, 0.04, 0.03, 4);
    return 1;
}

static int make_torus(models_scene *scene)
{
    models_make_cave(&scene->environment);
    models_make_bent_torus(&scene->flyer);
    const double lower[3] = {-14, -14, 1.8}, upper[3] = {14, 14, 9};
    use_billiard(scene, lower, upper, 0.08, 0.03, 4);
    return 1;
}

static int make_airliner(models_scene *scene)
{
    const models_strewn strewn = {25000, {-60, -60, -60}, {60, 60, 60}, 1, 1, NULL, NULL};
    models_strew_tetrahedra(&scene->environment, &strewn);
    models_make_airliner(&scene->flyer);
    models_fit(&scene->flyer, 2, 0);
    const double half[3] = {58, 58, 58}, minus[3] = {-58, -58, -58};
    use_billiard(scene, minus, half, 0.08, 0.03, 4);
    return 1;
}

static int make_interior(models_scene *scene)
{
    models_make_interior(&scene->environment);
    models_make_hand(&scene->flyer);
    return models_make_hand_path(scene);
}

static const scene_plan plans[] = {
    {"pipes", "a system of pipes among a larger copy of itself", 143690, 143690, 2000, make_pipes},
    {"torus", "a deformed torus among stalagmites", 98114, 20000, 2000, make_torus},
    {"airliner", "an airliner among 25,000 tetrahedra", 100000, 14646, 10000, make_airliner},
    {"swept", "crossed bars on a way that 10,000 tetrahedra leave free", 40000, 36, 1000, models_make_swept},
    {"interior", "a hand that feels its way through the interior of an aeroplane", 169944, 404, 2528, make_interior},
    {"swept-hull", "crossed bars whose convex hull 10,000 tetrahedra leave free", 40000, 36, 1000,
     models_make_swept_hull}};

enum {
    PLANS = sizeof plans / sizeof *plans,
    SCENES = 5 /* of the paper */
};

const char *const *models_scene_names(void)
{
    static const char *const names[SCENES + 1] = {"pipes", "torus", "airliner", "swept", "interior", NULL};
    return names;
}

int models_make_scene(models_scene *scene, const char *name)
{
    const scene_plan *plan = plans;
    memset(scene, 0, sizeof *scene);
    while (plan < plans + PLANS && strcmp(plan->name, name) != 0) {
        plan++;
    }
    if (plan == plans + PLANS) {
        return 0;
    }
    scene->name = plan->name;
    scene->help = plan->help;
    scene->steps = plan->steps;
    if (!plan->make(scene) || !models_split_to(&scene->environment, plan->environment) ||
        !models_split_to(&scene->flyer, plan->flyer)) {
        models_free_scene(scene);
        return 0;
    }
    models_round_to_float(&scene->environment);
    models_round_to_float(&scene->flyer);
    return 1;
}

void models_free_scene(models_scene *scene)
{
    models_free(&scene->environment);
    models_free(&scene->flyer);
    free(scene->path);
    memset(scene, 0, sizeof *scene);
}

int models_make_facets(models_mesh *mesh, size_t triangles)
{
    const models_shape *sphere = models_find_shape("sphere");
    double values[MODELS_PARAMETERS];
    memset(mesh, 0, sizeof *mesh);
    models_defaults(sphere, values);
    models_tune(sphere, values, triangles);
    if (sphere->count(values) > (double)triangles) {
        models_tune(sphere, values, triangles - triangles / 30);
    }
    sphere->make(mesh, values);
    if (!models_split_to(mesh, triangles)) {
        models_free(mesh);
        return 0;
    }
    models_round_to_float(mesh);
    return 1;
}

void models_perturb(models_mesh *mesh, double amount, uint64_t seed)
{
    models_random random = {seed};
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)(mesh->points[i] + models_random_range(&random, -amount, amount));
    }
}
