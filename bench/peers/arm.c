/* A robot's arm. */
#include "arm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "models.h"
#include "tumble/tumble.h"
#include "turn.h"

enum {
    NEVER_SAMPLES = 5000, /* states that tell which pairs never touch */
    STATE_BATCH = 256
};

static const double pi = 3.14159265358979323846;

static double radius_at(double share)
{
    return 0.3 + 0.06 * cos(4 * pi * share); /* thicker at the joints and in the middle */
}

/* A closed surface of revolution along z from 0 to 1. */
static models_mesh make_link(size_t triangles)
{
    const uint32_t sides = (uint32_t)fmax(5, round(sqrt((double)triangles / 3)));
    const uint32_t rings = (uint32_t)fmax(2, round((double)triangles / (2 * sides)));
    models_mesh mesh = {0};
    const uint32_t bottom = models_point(&mesh, 0, 0, 0), top = models_point(&mesh, 0, 0, 1);
    for (uint32_t i = 0; i < rings; i++) {
        const double share = (i + 0.5) / rings;
        for (uint32_t k = 0; k < sides; k++) {
            const double angle = 2 * pi * k / sides;
            models_point(&mesh, radius_at(share) * cos(angle), radius_at(share) * sin(angle), share);
        }
    }
    for (uint32_t k = 0; k < sides; k++) {
        const uint32_t next = (k + 1) % sides, last = 2 + (rings - 1) * sides;
        models_triangle(&mesh, bottom, 2 + next, 2 + k);
        models_triangle(&mesh, top, last + k, last + next);
        for (uint32_t i = 0; i + 1 < rings; i++) {
            const uint32_t low = 2 + i * sides, high = low + sides;
            models_triangle(&mesh, low + k, low + next, high + next);
            models_triangle(&mesh, low + k, high + next, high + k);
        }
    }
    return mesh;
}

/* About z, or about y, then to the end of the link. */
static tumble_pose joint(int bends, double angle)
{
    static const double axes[2][3] = {{0, 0, 1}, {0, 1, 0}};
    tumble_pose pose = turn_about(axes[bends], angle);
    pose.m[2][3] = 0.7; /* links reach into each other at the joints */
    return pose;
}

static void draw_state(const robot_arm *arm, models_random *random, tumble_pose *out)
{
    out[0] = tumble_pose_identity();
    for (size_t i = 1; i < arm->link_count; i++) {
        const int bends = i % 2;
        const double most = bends ? 1.9 : 2.8;
        const tumble_pose step = joint(bends, models_random_range(random, -most, most));
        out[i] = tumble_pose_compose(&out[i - 1], &step);
    }
}

bodies_plan arm_plan(const robot_arm *arm)
{
    return (bodies_plan){.meshes = &arm->link.view,
                         .mesh_count = 1,
                         .mesh_of = arm->mesh_of,
                         .body_count = arm->link_count,
                         .disabled = arm->disabled,
                         .disabled_count = arm->disabled_count,
                         .thread_count = 1};
}

static void *open_world(const robot_arm *arm)
{
    tumble_pose poses[ARM_MOST_LINKS];
    const bodies_plan plan = arm_plan(arm);
    for (size_t i = 0; i < arm->link_count; i++) {
        poses[i] = tumble_pose_identity();
        poses[i].m[2][3] = (double)i;
    }
    return bodies_tumble()->create(&plan, poses);
}

/* Whether two links touch, by themselves. */
static int links_touch(void *pair_world, const tumble_pose *a, const tumble_pose *b)
{
    const tumble_pose poses[2] = {*a, *b};
    bodies_tumble()->place(pair_world, poses);
    return bodies_tumble()->touching(pair_world).body_pairs > 0;
}

static void mark_touching(const robot_arm *arm, uint64_t seed, unsigned char *touched)
{
    models_random random = {seed};
    const robot_arm pair = {.link_count = 2, .link = arm->link};
    void *world = open_world(&pair);
    for (int sample = 0; sample < NEVER_SAMPLES; sample++) {
        tumble_pose poses[ARM_MOST_LINKS];
        draw_state(arm, &random, poses);
        for (size_t a = 0; a < arm->link_count; a++) {
            for (size_t b = a + 3; b < arm->link_count; b++) {
                unsigned char *mark = &touched[a * ARM_MOST_LINKS + b];
                *mark = *mark || links_touch(world, &poses[a], &poses[b]);
            }
        }
    }
    bodies_tumble()->destroy(world);
}

static void find_disabled(robot_arm *arm, uint64_t seed)
{
    unsigned char *touched = bench_allocate((size_t)ARM_MOST_LINKS * ARM_MOST_LINKS, 1);
    arm->disabled = bench_allocate(arm->link_count * arm->link_count, sizeof *arm->disabled);
    mark_touching(arm, seed, touched);
    for (uint32_t a = 0; a < arm->link_count; a++) {
        for (uint32_t b = a + 1; b < arm->link_count; b++) {
            if (b <= a + 2 || !touched[a * ARM_MOST_LINKS + b]) {
                arm->disabled[arm->disabled_count++] = (tumble_pair){a, b};
            }
        }
    }
    free(touched);
}

robot_arm arm_make(size_t links, size_t triangles, uint64_t seed)
{
    robot_arm arm = {.link_count = links};
    models_mesh mesh = make_link(triangles);
    if (links < 2 || links > ARM_MOST_LINKS || mesh.failed) {
        bench_fail("an arm has 2 to %d links, not %zu", ARM_MOST_LINKS, links);
    }
    arm.link = peers_mesh_take(&mesh, "link");
    find_disabled(&arm, seed);
    return arm;
}

void arm_free(robot_arm *arm)
{
    peers_mesh_free(&arm->link);
    free(arm->disabled);
    memset(arm, 0, sizeof *arm);
}

tumble_pose *arm_states(const robot_arm *arm, int colliding, size_t *count, uint64_t seed)
{
    const size_t links = arm->link_count, wanted = *count;
    tumble_pose *out = bench_allocate(wanted * links, sizeof *out),
                *batch = bench_allocate(STATE_BATCH * links, sizeof *batch);
    unsigned char answers[STATE_BATCH];
    models_random random = {seed + 1};
    void *world = open_world(arm);
    size_t tries = 0;
    for (*count = 0; *count < wanted && tries < 1000 * wanted; tries += STATE_BATCH) {
        for (size_t i = 0; i < STATE_BATCH; i++) {
            draw_state(arm, &random, batch + i * links);
        }
        bodies_tumble()->place_states(world, batch, STATE_BATCH);
        bodies_tumble()->test_states(world, answers);
        for (size_t i = 0; i < STATE_BATCH && *count < wanted; i++) {
            if (answers[i] == colliding) {
                memcpy(out + *count * links, batch + i * links, links * sizeof *out);
                ++*count;
            }
        }
    }
    bodies_tumble()->destroy(world);
    free(batch);
    return out;
}
