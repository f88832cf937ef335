/* Candidates of scenes: the three methods agree at every step of random lives, and no pair that collides is missing. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "crowd.h"
#include "sets.h"

static void compare(crowd *c)
{
    const tumble_object_pair *expected = NULL, *pairs = NULL;
    size_t expected_count = 0, count = 0;
    assert_int_equal(tumble_scene_candidates(c->scenes[0], &expected, &expected_count), TUMBLE_OK);
    for (int m = 1; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_candidates(c->scenes[m], &pairs, &count), TUMBLE_OK);
        assert_int_equal(count, expected_count);
        assert_true(count == 0 || memcmp(pairs, expected, count * sizeof *pairs) == 0);
    }
    for (size_t i = 1; i < expected_count; i++) { /* in order */
        const tumble_object_pair *a = &expected[i - 1], *b = &expected[i];
        assert_true(a->a.index < b->a.index || (a->a.index == b->a.index && a->b.index < b->b.index));
    }
}

static void test_lives_of_scenes(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    for (size_t round = 0; round < test_count(40); round++) {
        crowd c;
        crowd_begin(&c, w->context, &random);
        for (int step = 0; step < 60; step++) {
            crowd_step(&c, &random);
            if (test_random_chance(&random, 0.8)) {
                compare(&c);
            }
        }
        crowd_end(&c);
    }
}

/* ---- Nothing is lost ---- */

static int has_pair(const tumble_object_pair *pairs, size_t count, tumble_object a, tumble_object b)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].a.index == a.index && pairs[i].b.index == b.index) {
            return 1;
        }
    }
    return 0;
}

/* Pairs that touch, or are within the sum of their clearances, are candidates. Returns how many touch. */
static size_t assert_complete(test_world *w, tumble_scene *scene, const tumble_object *ids, const tumble_part *parts,
                              size_t count)
{
    const tumble_object_pair *pairs;
    size_t found, touching = 0;
    assert_int_equal(tumble_scene_candidates(scene, &pairs, &found), TUMBLE_OK);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.mode = TUMBLE_TEST;
            options.clearance = parts[i].clearance + parts[j].clearance;
            const tumble_status status = tumble_collide(w->query, parts[i].model, &parts[i].pose, parts[j].model,
                                                        &parts[j].pose, &options, &result);
            if (status == TUMBLE_OK && result.collide) {
                assert_true(has_pair(pairs, found, ids[i], ids[j]));
                touching++;
            }
        }
    }
    return touching;
}

/* Objects that just touch, or have just parted: at all sizes and places. */
static void test_nothing_is_lost(void **state)
{
    static const double units[] = {1, 1e-3, 1e12, 1e-300, 1e290, 0x1p-1060};
    static const double far[] = {0, 1, 1e12, 1e30};
    test_world *w = *state;
    test_random random = {2};
    size_t touching = 0;
    for (size_t round = 0; round < test_count(240); round++) {
        enum {
            COUNT = 8
        };
        const test_set *set = &test_sets[round % TEST_SETS];
        const double shift = far[round / 6 % 4] * units[round % 6];
        models_mesh mesh = {0};
        set->make(&mesh, &random, 6);
        tumble_model *model = test_model(w->context, &mesh, NULL);
        const tumble_model_info info = test_info(model);
        tumble_scene *scene;
        assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
        tumble_part parts[COUNT];
        tumble_object ids[COUNT];
        size_t count = 0;
        for (size_t i = 0; i < COUNT; i++) {
            tumble_part part = tumble_default_part();
            part.model = model;
            part.pose = test_pose_over(&random, &info, set->turns, round + i);
            part.pose.m[0][3] += isfinite(shift) ? shift : 0;
            part.clearance = i % 3 == 0 ? fabs(info.upper[0] - info.lower[0]) * 0x1p-20 : 0;
            part.clearance = isfinite(part.clearance) ? part.clearance : 0;
            if (tumble_pose_check(w->context, &part.pose) == TUMBLE_OK) {
                parts[count++] = part;
            }
        }
        assert_int_equal(tumble_scene_add(scene, parts, count, ids), TUMBLE_OK);
        touching += assert_complete(w, scene, ids, parts, count);
        tumble_scene_destroy(scene);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    assert_true(touching > 0);
}

/* ---- Errors ---- */

static void test_bad_ids(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    crowd c;
    crowd_begin(&c, w->context, &random);
    tumble_scene *scene = c.scenes[1];
    tumble_part parts[3] = {crowd_random_part(&c, &random), crowd_random_part(&c, &random),
                            crowd_random_part(&c, &random)};
    tumble_object ids[3];
    assert_int_equal(tumble_scene_add(scene, parts, 3, ids), TUMBLE_OK);
    assert_int_equal(tumble_scene_count(scene), 3);
    const tumble_object twice[] = {ids[0], ids[1], ids[0]};
    test_assert_status(w->context, tumble_scene_remove(scene, twice, 3), TUMBLE_ERROR_INDEX, "twice");
    assert_int_equal(tumble_scene_count(scene), 3);
    assert_int_equal(tumble_scene_remove(scene, &ids[1], 1), TUMBLE_OK);
    test_assert_status(w->context, tumble_scene_move(scene, ids, &parts[0].pose, 0), TUMBLE_OK, "");
    const tumble_pose poses[] = {parts[0].pose, parts[0].pose};
    test_assert_status(w->context, tumble_scene_move(scene, ids, poses, 2), TUMBLE_ERROR_INDEX, "removed");
    tumble_object again;
    assert_int_equal(tumble_scene_add(scene, parts, 1, &again), TUMBLE_OK);
    assert_int_equal(again.index, ids[1].index);
    assert_int_not_equal(again.generation, ids[1].generation);
    test_assert_status(w->context, tumble_scene_remove(scene, &ids[1], 1), TUMBLE_ERROR_INDEX, "removed");
    const tumble_object none = {0, 0}, beyond = {99, 1};
    test_assert_status(w->context, tumble_scene_remove(scene, &none, 1), TUMBLE_ERROR_INDEX, "{0, 0}");
    test_assert_status(w->context, tumble_scene_remove(scene, &beyond, 1), TUMBLE_ERROR_INDEX, "{99, 1}");
    tumble_part bad = parts[0];
    bad.pose.m[1][1] = NAN;
    test_assert_status(w->context, tumble_scene_add(scene, &bad, 1, ids), TUMBLE_ERROR_NOT_FINITE, "row 2");
    bad = parts[0];
    bad.clearance = -1;
    test_assert_status(w->context, tumble_scene_add(scene, &bad, 1, ids), TUMBLE_ERROR_ARGUMENT, "clearance");
    bad = parts[0];
    bad.model = NULL;
    test_assert_status(w->context, tumble_scene_add(scene, &bad, 1, ids), TUMBLE_ERROR_ARGUMENT, "model");
    crowd_end(&c);
}

/* ---- Memory ---- */

typedef struct memory_job {
    crowd crowd;
    int method;
} memory_job;

/* A life: whatever fails, what was there before stays, and the next try works. */
static tumble_status live(test_world *w, void *user)
{
    memory_job *job = user;
    crowd *c = &job->crowd;
    tumble_scene *scene = NULL;
    tumble_object ids[CROWD_MOST];
    const tumble_object_pair *pairs;
    size_t count;
    tumble_status status = tumble_scene_create(w->context, &crowd_methods[job->method], &scene);
    status = status != TUMBLE_OK ? status : tumble_scene_add(scene, c->parts, 20, ids);
    status = status != TUMBLE_OK ? status : tumble_scene_candidates(scene, &pairs, &count);
    const tumble_object_pair pair = {ids[0], ids[1]};
    status = status != TUMBLE_OK ? status : tumble_scene_ignore(scene, &pair, 1, true);
    status = status != TUMBLE_OK ? status : tumble_scene_add(scene, c->parts + 20, CROWD_MOST - 20, ids + 20);
    status = status != TUMBLE_OK ? status : tumble_scene_candidates(scene, &pairs, &count);
    status = status != TUMBLE_OK ? status : tumble_scene_move(scene, ids, &c->parts[1].pose, 1);
    status = status != TUMBLE_OK ? status : tumble_scene_stream(scene, NULL, NULL, NULL);
    status = status != TUMBLE_OK ? status : tumble_scene_candidates(scene, &pairs, &count);
    status = status != TUMBLE_OK ? status : tumble_scene_move(scene, ids, &c->parts[0].pose, 1);
    status = status != TUMBLE_OK ? status : tumble_scene_candidates(scene, &pairs, &count);
    tumble_scene_destroy(scene);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    memory_job job;
    crowd_begin(&job.crowd, w->context, &random);
    for (int i = 0; i < CROWD_MOST; i++) {
        job.crowd.parts[i] = crowd_random_part(&job.crowd, &random);
    }
    for (job.method = 0; job.method < CROWD_METHODS; job.method++) {
        assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, live, NULL, &job) > 10);
    }
    crowd_end(&job.crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_lives_of_scenes), TEST_IN_WORLD(test_nothing_is_lost),
                                       TEST_IN_WORLD(test_bad_ids), TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests_name("scene_candidates", tests, NULL, NULL);
}
