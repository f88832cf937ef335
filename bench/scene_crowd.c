/* Cubes that fly about, and how a step of them is timed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "models.h"
#include "scene.h"

double scene_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

tumble_model *scene_cube(tumble_context *context)
{
    models_mesh mesh = {0};
    static const uint32_t corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                            {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int i = 0; i < 8; i++) {
        models_point(&mesh, (i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5);
    }
    for (int i = 0; i < 12; i++) {
        models_triangle(&mesh, corners[i][0], corners[i][1], corners[i][2]);
    }
    const tumble_mesh view = models_view(&mesh);
    tumble_model *model = NULL;
    bench_require(tumble_model_create(context, &view, NULL, &model), context, "building a cube");
    models_free(&mesh);
    return model;
}

static double side_of(scene_crowd *crowd)
{
    const double x = scene_random(&crowd->random);
    return strcmp(crowd->law, "wild") == 0 ? 1 + 99 * pow(x, 10) : 1;
}

static tumble_pose turned(tumble_context *context, scene_crowd *crowd, double side)
{
    tumble_pose pose = tumble_pose_identity();
    const double x = scene_random(&crowd->random), y = scene_random(&crowd->random), z = scene_random(&crowd->random);
    const double axis[3] = {x - 0.5, y - 0.5, z - 0.5}, none[3] = {0};
    if (strcmp(crowd->law, "turned") == 0) {
        bench_require(tumble_pose_from_axis_angle(context, axis, 6 * scene_random(&crowd->random), side, none, &pose),
                      context, "a pose");
    } else {
        for (int k = 0; k < 3; k++) {
            pose.m[k][k] = side;
        }
    }
    return pose;
}

/* As many pairs as objects: n / 2 cubes meet (a + b)^3 / volume others, on average. */
static double space_for(const scene_crowd *crowd, const double *sides)
{
    double means[4] = {0};
    for (size_t i = 0; i < crowd->count; i++) {
        for (int power = 1; power <= 3; power++) {
            means[power] += pow(sides[i], power) / (double)crowd->count;
        }
    }
    const double growth = strcmp(crowd->law, "turned") == 0 ? 1.5 : 1; /* of a box around a turned cube, on average */
    return growth * cbrt((double)crowd->count / 2 * (2 * means[3] + 6 * means[2] * means[1]));
}

void scene_crowd_begin(scene_crowd *crowd, tumble_context *context, const char *law, size_t count, double seed,
                       const tumble_model *cube)
{
    *crowd = (scene_crowd){.count = count, .law = law, .random = (uint64_t)seed};
    crowd->parts = bench_allocate(count, sizeof *crowd->parts);
    crowd->poses = bench_allocate(count, sizeof *crowd->poses);
    crowd->ids = bench_allocate(count, sizeof *crowd->ids);
    crowd->velocities = bench_allocate(3 * count, sizeof *crowd->velocities);
    double *sides = bench_allocate(count, sizeof *sides);
    for (size_t i = 0; i < count; i++) {
        sides[i] = side_of(crowd);
    }
    crowd->side = space_for(crowd, sides);
    for (size_t i = 0; i < count; i++) {
        tumble_pose pose = turned(context, crowd, sides[i]);
        for (int k = 0; k < 3; k++) {
            pose.m[k][3] = crowd->side * scene_random(&crowd->random);
            crowd->velocities[3 * i + (size_t)k] = (2 * scene_random(&crowd->random) - 1) * sides[i];
        }
        crowd->parts[i] = tumble_default_part();
        crowd->parts[i].model = cube;
        crowd->parts[i].pose = crowd->poses[i] = pose;
    }
    free(sides);
}

void scene_crowd_end(scene_crowd *crowd)
{
    free(crowd->parts);
    free(crowd->poses);
    free(crowd->ids);
    free(crowd->velocities);
}

void scene_crowd_move(scene_crowd *crowd, size_t count, double speed)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            double *place = &crowd->poses[i].m[k][3], *velocity = &crowd->velocities[3 * i + (size_t)k];
            *place += speed * *velocity;
            if ((*place < 0 && *velocity < 0) || (*place > crowd->side && *velocity > 0)) {
                *velocity = -*velocity;
            }
        }
    }
}

double scene_clock(uint32_t thread_count)
{
    return thread_count == 1 ? bench_thread_microseconds() : bench_microseconds();
}

void scene_add(tumble_context *context, tumble_scene *scene, scene_crowd *crowd)
{
    bench_require(tumble_scene_add(scene, crowd->parts, crowd->count, crowd->ids), context, "adding objects");
}

static uint64_t hash_of(const tumble_object_pair *pairs, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ ((uint64_t)pairs[i].a.index << 32 | pairs[i].b.index)) * 0x100000001b3u;
    }
    return hash;
}

scene_times scene_step(tumble_context *context, tumble_scene *scene, const scene_crowd *crowd, size_t count,
                       uint32_t thread_count)
{
    const tumble_object_pair *pairs;
    size_t pair_count;
    double times[4] = {scene_clock(thread_count)};
    bench_require(tumble_scene_move(scene, crowd->ids, crowd->poses, count), context, "moving objects");
    times[1] = scene_clock(thread_count);
    bench_require(tumble_scene_update(scene), context, "updating a scene");
    times[2] = scene_clock(thread_count);
    bench_require(tumble_scene_candidates(scene, &pairs, &pair_count), context, "the candidates");
    times[3] = scene_clock(thread_count);
    return (scene_times){(times[1] - times[0]) / 1e3, (times[2] - times[1]) / 1e3, (times[3] - times[2]) / 1e3,
                         pair_count, hash_of(pairs, pair_count)};
}
