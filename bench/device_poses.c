/* Experiments on devices: where the copy of a shape stands. Only sums, products and roots beside the library's own
 * distances: the poses are the same on every machine. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "failure.h"
#include "touch.h"

static const double shape_size = 2;

/* An orientation, and a direction from which the copy comes. */
typedef struct approach {
    tumble_pose rotation;
    double direction[3];
} approach;

static approach random_approach(models_random *random)
{
    approach a = {.rotation = models_random_rotation(random)};
    const tumble_pose turn = models_random_rotation(random);
    for (int axis = 0; axis < 3; axis++) {
        a.direction[axis] = turn.m[axis][2];
    }
    return a;
}

static tumble_pose pose_at(const approach *a, double distance)
{
    tumble_pose pose = a->rotation;
    for (int axis = 0; axis < 3; axis++) {
        pose.m[axis][3] = distance * a->direction[axis];
    }
    return pose;
}

/* How close the copy can come without touching, to about a millionth: by steps of what is known to lie between. */
static double closest(const device_bench *b, const device_scene *scene, const approach *a)
{
    const double near_enough = 1e-6, safe = 0.999;
    double distance = BENCH_FURTHEST;
    for (int step = 0; step < 200 && distance > near_enough; step++) {
        const tumble_pose pose = pose_at(a, distance);
        tumble_distance_result result;
        bench_require(tumble_distance(scene->query, scene->model, NULL, scene->model, &pose, NULL, &result), b->context,
                      "a distance");
        if (!(result.lower > near_enough)) {
            break;
        }
        distance -= safe * result.lower;
    }
    return distance > 0 ? distance : 0;
}

static double find_reach(const device_bench *b, const device_scene *scene)
{
    enum {
        APPROACHES = 200
    };
    double distances[APPROACHES];
    models_random random = {(uint64_t)b->series.settings->seed};
    for (int i = 0; i < APPROACHES; i++) {
        const approach a = random_approach(&random);
        distances[i] = closest(b, scene, &a);
    }
    return bench_median(distances, APPROACHES);
}

/* ---- The kinds ---- */

static void fill_at_shares(const device_scene *scene, double least, double most, tumble_pose *poses, size_t count,
                           models_random *random)
{
    for (size_t i = 0; i < count; i++) {
        const approach a = random_approach(random);
        poses[i] = pose_at(&a, scene->reach * models_random_range(random, least, most));
    }
}

/* Finding out how close the copy can come takes many queries, so that some hundred ways to come have to do. */
static void fill_near(const device_bench *b, const device_scene *scene, tumble_pose *poses, size_t count,
                      models_random *random)
{
    const size_t most = 1000, approach_count = count < most ? count : most;
    approach *approaches = bench_allocate(approach_count, sizeof *approaches);
    double *distances = bench_allocate(approach_count, sizeof *distances);
    for (size_t i = 0; i < approach_count; i++) {
        approaches[i] = random_approach(random);
        distances[i] = closest(b, scene, &approaches[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t chosen = (size_t)(models_random_bits(random) % approach_count);
        const double share = models_random_unit(random);
        poses[i] = pose_at(&approaches[chosen], distances[chosen] + shape_size * (1e-4 + 1e-2 * share * share));
    }
    free(approaches);
    free(distances);
}

static void fill_mixed(tumble_pose *poses, size_t count, models_random *random)
{
    for (size_t i = 0; i < count; i++) {
        poses[i] = models_random_rotation(random);
        for (int axis = 0; axis < 3; axis++) {
            poses[i].m[axis][3] = 1.5 * shape_size * models_random_range(random, -1, 1);
        }
    }
}

tumble_pose *device_make_poses(const device_bench *b, device_scene *scene, const char *kind, size_t count)
{
    models_random random = {(uint64_t)b->series.settings->seed + 1};
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    if (scene->reach == 0 && (strcmp(kind, "touching") == 0 || strcmp(kind, "deep") == 0)) {
        scene->reach = find_reach(b, scene);
    }
    if (strcmp(kind, "touching") == 0) {
        fill_at_shares(scene, 0.8, 1.2, poses, count, &random);
    } else if (strcmp(kind, "near") == 0) {
        fill_near(b, scene, poses, count, &random);
    } else if (strcmp(kind, "deep") == 0) {
        fill_at_shares(scene, 0.2, 0.6, poses, count, &random);
    } else if (strcmp(kind, "mixed") == 0) {
        fill_mixed(poses, count, &random);
    } else if (strcmp(kind, "same") == 0) {
        fill_at_shares(scene, 0, 0, poses, count, &random);
    } else {
        bench_fail("there are no poses '%s': touching, near, deep, mixed, same", kind);
    }
    return poses;
}
