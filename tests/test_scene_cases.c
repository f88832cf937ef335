/* Scenes whose answers can be told without asking: questions about some pairs only, models within models, a query of
 * another context, memory that runs out between questions. */
#include <stdlib.h>

#include "scenes.h"

/* A cube with sides of 2 `half` around the origin. */
static tumble_model *make_cube(tumble_context *context, double half)
{
    static const uint32_t corners[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double points[24];
    tumble_model *model = NULL;
    for (int i = 0; i < 24; i++) {
        points[i] = i / 3 >> i % 3 & 1 ? half : -half;
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 8, mesh.indices = corners, mesh.index_count = 36;
    assert_int_equal(tumble_model_create(context, &mesh, NULL, &model), TUMBLE_OK);
    return model;
}

static tumble_part part_at(const tumble_model *model, double x)
{
    tumble_part part = tumble_default_part();
    part.model = model;
    part.pose.m[0][3] = x;
    return part;
}

static tumble_scene *make_scene(tumble_context *context, tumble_broad broad, uint32_t threads, const tumble_part *parts,
                                size_t count, tumble_object *ids)
{
    const tumble_scene_options options = {.broad = broad, .thread_count = threads};
    tumble_scene *scene = NULL;
    assert_int_equal(tumble_scene_create(context, &options, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_add(scene, parts, count, ids), TUMBLE_OK);
    return scene;
}

static void assert_nearest(test_world *w, tumble_scene *scene, const tumble_scene_question *q, tumble_object a,
                           tumble_object b, double distance)
{
    tumble_scene_answer answer;
    assert_int_equal(tumble_scene_collide(w->query, scene, q, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 1);
    assert_memory_equal(&answer.meetings[0].a, &a, sizeof a);
    assert_memory_equal(&answer.meetings[0].b, &b, sizeof b);
    assert_true(answer.meetings[0].nearest.distance == distance);
}

/* Two cubes are close to each other, but the question is not about them. */
static void test_nearest_of_some(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_cube(w->context, 0.5);
    for (int broad = TUMBLE_BROAD_TREE; broad <= TUMBLE_BROAD_ALL; broad++) {
        tumble_part parts[] = {part_at(model, 0), part_at(model, 1.25), part_at(model, 50), part_at(model, 60)};
        tumble_object ids[4];
        parts[2].group = 2;
        parts[3].group = 4;
        tumble_scene *scene = make_scene(w->context, (tumble_broad)broad, 1, parts, 4, ids);
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer;
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
        q.mode = TUMBLE_SCENE_NEAREST;
        assert_nearest(w, scene, &q, ids[0], ids[1], 0.25);
        q.groups_a = 2;
        q.groups_b = 4;
        assert_nearest(w, scene, &q, ids[2], ids[3], 9);
        q.groups_b = 1;
        assert_nearest(w, scene, &q, ids[1], ids[2], 47.75);
        q = tumble_default_scene_question();
        q.mode = TUMBLE_SCENE_NEAREST;
        q.only_moved = true;
        parts[2].pose.m[0][3] = 51;
        assert_int_equal(tumble_scene_move(scene, &ids[2], &parts[2].pose, 1), TUMBLE_OK);
        assert_nearest(w, scene, &q, ids[2], ids[3], 8);
        tumble_scene_destroy(scene);
    }
    tumble_model_destroy(model);
}

/* A cube within a cube, and the same of twice the size: equal relative poses, but twice as far apart. */
static void test_scaled_shells(void **state)
{
    test_world *w = *state;
    tumble_model *inner = make_cube(w->context, 0.5), *outer = make_cube(w->context, 1);
    tumble_part parts[] = {part_at(inner, 0), part_at(outer, 0), part_at(inner, 100), part_at(outer, 100)};
    for (int i = 2; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            parts[i].pose.m[k][k] = 2;
        }
    }
    tumble_object ids[4];
    tumble_scene *scene = make_scene(w->context, TUMBLE_BROAD_TREE, 1, parts, 4, ids);
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    for (int mode = TUMBLE_SCENE_PAIRS; mode <= TUMBLE_SCENE_ALL; mode++) {
        q.mode = (tumble_scene_mode)mode;
        q.clearance = 0.75;
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, 1);
        assert_memory_equal(&answer.meetings[0].a, &ids[0], sizeof ids[0]);
        q.clearance = 1;
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, 2);
    }
    tumble_scene_destroy(scene);
    tumble_model_destroy(inner);
    tumble_model_destroy(outer);
}

/* Scenes are told apart within a context only. */
static void test_other_context(void **state)
{
    test_world *w = *state;
    tumble_context *other = test_context(&w->memory, 1, TUMBLE_SIMD_AUTO);
    tumble_model *model = make_cube(w->context, 0.5);
    const tumble_part parts[] = {part_at(model, 0), part_at(model, 0.5)};
    tumble_object ids[2];
    tumble_scene *scene = make_scene(other, TUMBLE_BROAD_TREE, 1, parts, 2, ids);
    const tumble_states states = {.objects = ids, .object_count = 1, .poses = &parts[0].pose, .state_count = 1};
    tumble_scene_answer answer;
    tumble_states_answer states_answer;
    test_assert_status(w->context, tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_ERROR_ARGUMENT,
                       "different contexts");
    test_assert_status(w->context, tumble_scene_collide_part(w->query, scene, &parts[0], NULL, &answer),
                       TUMBLE_ERROR_ARGUMENT, "different contexts");
    test_assert_status(w->context, tumble_scene_states(w->query, scene, &states, NULL, &states_answer),
                       TUMBLE_ERROR_ARGUMENT, "different contexts");
    tumble_scene_destroy(scene);
    tumble_model_destroy(model);
    tumble_context_destroy(other);
}

/* Models that could not be added, for want of memory, leave a batch of states as it was. */
static void test_states_after_failures(void **state)
{
    test_world *w = *state;
    tumble_model *models[40];
    tumble_object ids[40];
    for (int i = 0; i < 40; i++) {
        models[i] = make_cube(w->context, 0.5);
    }
    const tumble_part parts[] = {part_at(models[0], 0), part_at(models[0], 3)};
    tumble_scene *scene = make_scene(w->context, TUMBLE_BROAD_TREE, 1, parts, 2, ids);
    const tumble_states states = {.objects = ids, .object_count = 1, .poses = &parts[1].pose, .state_count = 1};
    tumble_part more[39];
    for (int i = 0; i < 39; i++) {
        more[i] = part_at(models[i + 1], 9);
    }
    tumble_status status = TUMBLE_ERROR_MEMORY;
    for (size_t call = 1; status == TUMBLE_ERROR_MEMORY; call++) {
        tumble_states_answer answer;
        assert_int_equal(tumble_scene_states(w->query, scene, &states, NULL, &answer), TUMBLE_OK);
        assert_int_equal(answer.touch_count, 1);
        test_allocator_fail(&w->memory, call, 0);
        status = tumble_scene_add(scene, more, 39, ids + 1);
        test_allocator_fail(&w->memory, 0, 0);
    }
    assert_int_equal(status, TUMBLE_OK);
    tumble_scene_destroy(scene);
    for (int i = 0; i < 40; i++) {
        tumble_model_destroy(models[i]);
    }
}

/* An object that is given twice gets the last pose. */
static void test_moved_twice(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_cube(w->context, 0.5);
    const tumble_part parts[] = {part_at(model, 0), part_at(model, 0.5)};
    const tumble_pose poses[] = {part_at(model, 7).pose, part_at(model, 8).pose};
    tumble_object ids[2];
    tumble_scene *scene = make_scene(w->context, TUMBLE_BROAD_TREE, 1, parts, 2, ids);
    const tumble_object twice[] = {ids[0], ids[0]};
    tumble_part found;
    assert_int_equal(tumble_scene_move(scene, twice, poses, 2), TUMBLE_OK);
    assert_int_equal(tumble_scene_get(scene, ids[0], &found), TUMBLE_OK);
    assert_true(found.pose.m[0][3] == 8);
    test_assert_status(w->context, tumble_scene_remove(scene, twice, 2), TUMBLE_ERROR_INDEX, "twice");
    tumble_scene_destroy(scene);
    tumble_model_destroy(model);
}

/* More objects than are looked at one by one, all at one place: the first in the order of indices is the answer. */
static void test_states_in_order(void **state)
{
    enum {
        COUNT = 600
    };
    test_world *w = *state;
    tumble_model *model = make_cube(w->context, 0.5);
    tumble_part *parts = malloc(COUNT * sizeof *parts);
    tumble_object ids[COUNT];
    assert_non_null(parts);
    for (int i = 0; i < COUNT; i++) {
        parts[i] = part_at(model, (double)(i * 7919 % COUNT) / COUNT);
        parts[i].mask = i == COUNT - 1 ? UINT32_MAX : 2;
    }
    parts[COUNT - 1].group = 2;
    tumble_scene *scene = make_scene(w->context, TUMBLE_BROAD_TREE, 1, parts, COUNT, ids);
    const tumble_pose pose = part_at(model, 1.25).pose; /* touches those from 0.25 on */
    const tumble_states states = {.objects = &ids[COUNT - 1], .object_count = 1, .poses = &pose, .state_count = 1};
    tumble_states_question q = tumble_default_states_question();
    tumble_states_answer answer;
    q.mode = TUMBLE_STATES_FIRST;
    assert_int_equal(tumble_scene_states(w->query, scene, &states, &q, &answer), TUMBLE_OK);
    int first = 0;
    while (parts[first].pose.m[0][3] < 0.25) {
        first++;
    }
    assert_int_equal(answer.touch_count, 1);
    assert_memory_equal(&answer.pairs[0].a, &ids[first], sizeof ids[first]);
    assert_true(first > 0);
    tumble_scene_destroy(scene);
    tumble_model_destroy(model);
    free(parts);
}

/* ---- Threads ---- */

enum {
    MANY = 30000, /* so many that every step of an update is worth a second thread */
    SOME = 1000   /* movers that are looked for one by one */
};

static void scatter(tumble_part *parts, size_t count, test_random *random)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            parts[i].pose.m[k][3] = 24 * test_random_unit(random);
        }
    }
}

static void assert_same_candidates(tumble_scene *const scenes[2], size_t least)
{
    const tumble_object_pair *pairs[2];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tumble_scene_candidates(scenes[i], &pairs[i], &counts[i]), TUMBLE_OK);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] >= least);
    assert_memory_equal(pairs[0], pairs[1], counts[0] * sizeof *pairs[0]);
}

/* Every step of an update, on one thread and on four. */
static void test_threads(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    tumble_model *model = make_cube(w->context, 0.5);
    tumble_part *parts = malloc(MANY * sizeof *parts);
    tumble_object *ids = malloc(MANY * sizeof *ids);
    tumble_pose *poses = malloc(MANY * sizeof *poses);
    tumble_scene *scenes[2];
    assert_true(parts && ids && poses);
    for (size_t i = 0; i < MANY; i++) {
        parts[i] = part_at(model, 0);
    }
    scatter(parts, MANY, &random);
    for (int i = 0; i < 2; i++) {
        scenes[i] = make_scene(w->context, TUMBLE_BROAD_TREE, i ? 4 : 1, parts, MANY, ids);
    }
    assert_same_candidates(scenes, MANY);
    for (size_t count = SOME; count <= MANY; count *= MANY / SOME) {
        scatter(parts, count, &random);
        for (size_t i = 0; i < count; i++) {
            poses[i] = parts[i].pose;
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tumble_scene_move(scenes[i], ids, poses, count), TUMBLE_OK);
        }
        assert_same_candidates(scenes, MANY);
    }
    for (int i = 0; i < 2; i++) {
        tumble_scene_destroy(scenes[i]);
    }
    free(parts);
    free(ids);
    free(poses);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_nearest_of_some),
                                       TEST_IN_WORLD(test_scaled_shells),
                                       TEST_IN_WORLD(test_other_context),
                                       TEST_IN_WORLD(test_moved_twice),
                                       TEST_IN_WORLD(test_states_after_failures),
                                       TEST_IN_WORLD(test_states_in_order),
                                       TEST_IN_WORLD(test_threads)};
    return cmocka_run_group_tests_name("scene_cases", tests, NULL, NULL);
}
