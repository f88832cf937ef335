/* Worlds of objects that move: closed shapes, names of their own, valid poses that repeat, and the contacts that their
 * descriptions promise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tumble/tumble.h"
#include "world.h"

/* A world in a scene of its own. */
typedef struct theatre {
    models_world world;
    models_stage stage;
    tumble_context *context;
    tumble_scene *scene;
    tumble_query *query;
    tumble_scene_answer answer;
} theatre;

static void open_theatre(theatre *t, const char *name, const double *values)
{
    assert_int_equal(models_make_world(&t->world, models_find_world(name), values), 1);
    assert_int_equal(tumble_context_create(NULL, &t->context), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(t->context, NULL, &t->scene), TUMBLE_OK);
    assert_int_equal(tumble_query_create(t->context, &t->query), TUMBLE_OK);
    assert_int_equal(models_open_stage(t->context, &t->world, NULL, t->scene, &t->stage), TUMBLE_OK);
    assert_int_equal(tumble_scene_count(t->scene), t->world.object_count);
}

static void close_theatre(theatre *t)
{
    tumble_query_destroy(t->query);
    tumble_scene_destroy(t->scene);
    models_close_stage(&t->stage);
    tumble_context_destroy(t->context);
    models_free_world(&t->world);
}

static void ask_at(theatre *t, size_t step)
{
    assert_int_equal(models_move_stage(&t->stage, &t->world, step, t->scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(t->query, t->scene, NULL, &t->answer), TUMBLE_OK);
}

static const char *name_of(const theatre *t, tumble_object object)
{
    return t->world.objects[object.index].name;
}

/* Whether a pair touches in the last answer; names in the order of the world. */
static int touches(const theatre *t, const char *a, const char *b)
{
    int found = 0;
    for (size_t i = 0; i < t->answer.meeting_count; i++) {
        const tumble_meeting *meeting = &t->answer.meetings[i];
        found |= strcmp(name_of(t, meeting->a), a) == 0 && strcmp(name_of(t, meeting->b), b) == 0;
    }
    return found;
}

/* ---- All of them ---- */

static void check_shapes(const models_world *world)
{
    for (size_t i = 0; i < world->shape_count; i++) {
        assert_true(models_is_closed(&world->shapes[i].mesh));
        assert_true(models_volume(&world->shapes[i].mesh) > 0);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void check_names(const models_world *world)
{
    char(*names)[MODELS_WORLD_NAME] = calloc(world->object_count, sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < world->object_count; i++) {
        const models_world_object *object = &world->objects[i];
        assert_true(object->name[0] && strlen(object->name) == strcspn(object->name, " \t#\""));
        assert_true(object->shape < world->shape_count);
        memcpy(names[i], object->name, sizeof names[i]);
    }
    qsort(names, world->object_count, sizeof *names, compare_names);
    for (size_t i = 1; i < world->object_count; i++) {
        assert_string_not_equal(names[i - 1], names[i]);
    }
    free(names);
}

/* Poses are rotations; those of the second world, made with the same parameters, are the same bits; still objects
 * stay. */
static void check_poses(tumble_context *context, const models_world *world, const models_world *same)
{
    const size_t count = world->object_count;
    tumble_pose *poses = calloc(3 * count, sizeof *poses), *again = poses + count, *first = again + count;
    assert_non_null(poses);
    models_world_poses(world, 0, first);
    for (size_t step = 0; step < world->step_count + 2; step++) {
        models_world_poses(world, step, poses);
        models_world_poses(same, step < world->step_count ? step : world->step_count - 1, again);
        assert_memory_equal(poses, again, count * sizeof *poses);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(tumble_pose_check(context, &poses[i]), TUMBLE_OK);
            if (world->objects[i].group == MODELS_GROUP_STILL) {
                assert_memory_equal(&poses[i], &first[i], sizeof *poses);
            }
        }
    }
    free(poses);
}

static void test_all(void **state)
{
    (void)state;
    tumble_context *context;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        double values[MODELS_PARAMETERS];
        models_world world, same;
        assert_ptr_equal(models_find_world(kind->name), kind);
        models_world_defaults(kind, values);
        values[0] = 9;
        assert_int_equal(models_make_world(&world, kind, values), 1);
        assert_int_equal(models_make_world(&same, kind, values), 1);
        assert_int_equal(world.step_count, 9);
        check_shapes(&world);
        check_names(&world);
        check_poses(context, &world, &same);
        models_free_world(&world);
        models_free_world(&same);
    }
    assert_null(models_find_world("world"));
    tumble_context_destroy(context);
}

/* Parameters have an effect, and the smallest and odd ones do no harm. */
static void test_parameters(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double values[MODELS_PARAMETERS];
        size_t objects;
    } cases[] = {{"heap", {1, 1, 12, 0}, 2},
                 {"heap", {2, 1000, 12, 5}, 1001},
                 {"hall", {1, 1, 8}, 1 + 5 + 3 + 3},
                 {"hall", {3, 100, 9}, 1 + 500 + 30 + 3},
                 {"cell", {1, 8}, 47},
                 {"cell", {2, 64}, 47}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        theatre t;
        open_theatre(&t, cases[i].name, cases[i].values);
        assert_int_equal(t.world.object_count, cases[i].objects);
        check_shapes(&t.world);
        check_names(&t.world);
        ask_at(&t, 0);
        close_theatre(&t);
    }
}

/* ---- Beside the question about two models ---- */

static int pair_touches(const theatre *t, size_t i, size_t j)
{
    const models_world_object *a = &t->world.objects[i], *b = &t->world.objects[j];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_collide(t->query, t->stage.models[a->shape], &t->stage.poses[i], t->stage.models[b->shape],
                                    &t->stage.poses[j], &options, &result),
                     TUMBLE_OK);
    return result.collide && (a->group & b->mask) && (b->group & a->mask);
}

/* The scene's pairs are those of a question for every two objects, in their order. */
static void check_step(theatre *t, size_t step)
{
    ask_at(t, step);
    const uint64_t count = t->answer.meeting_count;
    uint32_t(*pairs)[2] = calloc(count + 1, sizeof *pairs);
    assert_non_null(pairs);
    for (uint64_t i = 0; i < count; i++) {
        pairs[i][0] = t->answer.meetings[i].a.index;
        pairs[i][1] = t->answer.meetings[i].b.index;
    }
    uint64_t found = 0;
    for (size_t i = 0; i < t->world.object_count; i++) {
        for (size_t j = i + 1; j < t->world.object_count; j++) {
            if (pair_touches(t, i, j)) {
                assert_true(found < count && pairs[found][0] == i && pairs[found][1] == j);
                found++;
            }
        }
    }
    assert_int_equal(found, count);
    free(pairs);
}

static void test_brute_force(void **state)
{
    (void)state;
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        theatre t;
        open_theatre(&t, kind->name, NULL);
        const size_t stride = t.world.step_count / test_count(8) + 1;
        for (size_t step = t.world.step_count / 2; step < t.world.step_count; step += stride) {
            check_step(&t, step);
        }
        close_theatre(&t);
    }
}

/* ---- Each ---- */

/* Nothing touches at first, nearly every body lies on others at the end. */
static void test_heap(void **state)
{
    (void)state;
    theatre t;
    const double values[MODELS_PARAMETERS] = {20, 60, 100, 3};
    open_theatre(&t, "heap", values);
    ask_at(&t, 0);
    assert_int_equal(t.answer.meeting_count, 0);
    ask_at(&t, 16);
    uint8_t lies[61] = {0};
    for (size_t i = 0; i < t.answer.meeting_count; i++) {
        lies[t.answer.meetings[i].a.index] = lies[t.answer.meetings[i].b.index] = 1;
    }
    size_t count = 0;
    for (size_t i = 1; i < t.world.object_count; i++) {
        count += lies[i];
    }
    assert_in_range(count, 54, 60);
    const uint64_t resting = t.answer.meeting_count;
    ask_at(&t, 19);
    assert_int_equal(t.answer.meeting_count, resting);
    assert_int_equal(t.answer.ended_count, 0);
    close_theatre(&t);
}

/* Nothing but rams on blocks, each of them at some time and not at others. */
static void test_hall(void **state)
{
    (void)state;
    theatre t;
    double values[MODELS_PARAMETERS];
    size_t pressed[12] = {0};
    models_world_defaults(models_find_world("hall"), values);
    open_theatre(&t, "hall", values);
    for (size_t step = 0; step < t.world.step_count; step++) {
        ask_at(&t, step);
        for (size_t i = 0; i < t.answer.meeting_count; i++) {
            const char *a = name_of(&t, t.answer.meetings[i].a), *b = name_of(&t, t.answer.meetings[i].b);
            assert_true(strncmp(a, "block-", 6) == 0 && strncmp(b, "ram-", 4) == 0);
            assert_string_equal(a + 6, b + 4);
            pressed[strtoul(a + 6, NULL, 10) - 1]++;
        }
    }
    for (int i = 0; i < 12; i++) {
        assert_in_range(pressed[i], 3, 50);
    }
    close_theatre(&t);
}

/* Nothing touches, also of what stands still, until the camera is hit; then only the camera is; then nothing. */
static void test_cell(void **state)
{
    (void)state;
    theatre t;
    open_theatre(&t, "cell", NULL);
    for (size_t i = 0; i < t.world.object_count; i++) {
        tumble_part part;
        assert_int_equal(tumble_scene_get(t.scene, t.stage.objects[i], &part), TUMBLE_OK);
        part.mask = UINT32_MAX;
        assert_int_equal(tumble_scene_set(t.scene, &t.stage.objects[i], &part, 1), TUMBLE_OK);
    }
    size_t first = t.world.step_count, steps = 0;
    for (size_t step = 0; step < t.world.step_count; step++) {
        ask_at(&t, step);
        for (size_t i = 0; i < t.answer.meeting_count; i++) {
            assert_string_equal(name_of(&t, t.answer.meetings[i].b), "camera");
        }
        if (t.answer.touch && first == t.world.step_count) {
            first = step;
            assert_int_equal(t.answer.meeting_count, 1);
            assert_true(touches(&t, "gripper", "camera"));
        }
        steps += t.answer.touch;
    }
    assert_in_range(first, 110, 130);
    assert_in_range(steps, 15, 30);
    close_theatre(&t);
}

/* The part is held: it stays where it is in the gripper, with a small gap to both fingers; so do links next to each
 * other. */
static void test_grip(void **state)
{
    (void)state;
    theatre t;
    open_theatre(&t, "cell", NULL);
    ask_at(&t, 120);
    assert_int_equal(t.world.joined_count, 11);
    for (size_t i = 0; i < t.world.joined_count; i++) {
        const uint32_t *pair = t.world.joined[i];
        const models_world_object *a = &t.world.objects[pair[0]], *b = &t.world.objects[pair[1]];
        tumble_distance_result near;
        assert_int_equal(tumble_distance(t.query, t.stage.models[a->shape], &t.stage.poses[pair[0]],
                                         t.stage.models[b->shape], &t.stage.poses[pair[1]], NULL, &near),
                         TUMBLE_OK);
        assert_true(near.nearest.distance > 0.3 && near.nearest.distance < 4.5);
    }
    close_theatre(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all),         cmocka_unit_test(test_parameters),
                                       cmocka_unit_test(test_brute_force), cmocka_unit_test(test_heap),
                                       cmocka_unit_test(test_hall),        cmocka_unit_test(test_cell),
                                       cmocka_unit_test(test_grip)};
    return cmocka_run_group_tests_name("worlds", tests, NULL, NULL);
}
