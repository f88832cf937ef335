/* The broad phase of large scenes: boxes at every instruction set, crowds of thousands, few movers among many. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "crowd.h"
#include "scene/scene.h"
#include "sets.h"

typedef struct test_levels {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
} test_levels;

static test_levels the_levels;

static int begin_levels(void **state)
{
    test_open_levels(&the_levels.memory, the_levels.contexts, the_levels.queries);
    *state = &the_levels;
    return 0;
}

static int end_levels(void **state)
{
    test_levels *levels = *state;
    test_close_levels(levels->contexts, levels->queries);
    return 0;
}

/* ---- Boxes ---- */

static void assert_boxes(const tumble_scene *scene)
{
    for (uint32_t i = 0; i < scene->all.count; i++) {
        const tmb_scene_object *object = &scene->all.objects[i];
        const tmb_extents *extents = &tmb_scene_model_at(scene, object->model)->extents;
        assert_int_equal(scene->all.is_present[i], object->is_active && !extents->is_empty);
        if (scene->all.is_present[i]) {
            const tmb_box box = tmb_extents_box(extents, &scene->all.poses[i], object->clearance, &scene->frame);
            assert_memory_equal(&scene->all.boxes[i], &box, sizeof box);
        }
    }
}

/* Boxes of many objects at a time are those of one: at all sizes, also where they overflow. */
static void test_boxes_at_all_levels(void **state)
{
    static const double units[] = {1, 1e-3, 1e12, 1e-300, 1e290, 1e307, 0x1p-1060};
    test_levels *levels = *state;
    for (int level = 0; level < TEST_LEVELS; level++) {
        test_random random = {7};
        for (size_t round = 0; round < test_count(30); round++) {
            const double unit = units[round % (sizeof units / sizeof *units)];
            crowd c;
            tumble_object id;
            crowd_begin(&c, levels->contexts[level], &random);
            for (int i = 0; i < 30; i++) {
                tumble_part part = crowd_random_part(&c, &random);
                for (int k = 0; k < 12; k++) {
                    part.pose.m[k / 4][k % 4] *= unit;
                }
                part.clearance = i % 5 == 0 ? fmin(part.clearance * unit, DBL_MAX / 4) : part.clearance;
                if (tumble_pose_check(levels->contexts[level], &part.pose) == TUMBLE_OK) {
                    assert_int_equal(tumble_scene_add(c.scenes[1], &part, 1, &id), TUMBLE_OK);
                }
            }
            assert_int_equal(tumble_scene_update(c.scenes[1]), TUMBLE_OK);
            assert_boxes(c.scenes[1]);
            crowd_end(&c);
        }
    }
}

/* ---- Thousands ---- */

enum {
    MOST = 900,
    SCENES = TEST_LEVELS + 2
};

/* One crowd in a scene of brute force, and in trees of one thread at each level and of three threads. */
typedef struct large {
    tumble_model *cube;
    tumble_scene *scenes[SCENES];
    tumble_part parts[MOST];
    tumble_pose poses[MOST];
    tumble_object ids[MOST];
} large;

static large the_large;

static double place_of(test_random *random, int law, int axis)
{
    const double x = test_random_range(random, 0, 20);
    switch (law) {
    case 1: return x * x * x * x / 8000 * (axis + 1);                                 /* a dense corner */
    case 2: return floor(x / 2);                                                      /* a lattice */
    case 3: return test_random_chance(random, 0.99) ? 0.01 * x : ldexp(x, axis * 13); /* a cluster, and a void */
    case 4: return axis == 0 ? 100 * x : 0;                                           /* a row */
    default: return x;
    }
}

static tumble_pose pose_of(test_random *random, int law)
{
    const double x = test_random_range(random, 0, 1), y = place_of(random, law, 0), z = place_of(random, law, 1),
                 w = place_of(random, law, 2);
    const double scale = law == 0 ? 0.1 + 10 * pow(x, 10) : law == 3 ? 0.02 : 1;
    tumble_pose pose = tumble_pose_identity();
    for (int k = 0; k < 3; k++) {
        pose.m[k][k] = scale;
    }
    pose.m[0][3] = y, pose.m[1][3] = z, pose.m[2][3] = w;
    return pose;
}

static tumble_model *make_cube(tumble_context *context)
{
    models_mesh mesh = {0};
    test_make_grid_box(&mesh, 1);
    tumble_model *cube = test_model(context, &mesh, NULL);
    models_free(&mesh);
    return cube;
}

static void begin_large(large *l, test_levels *levels, test_random *random, int law)
{
    l->cube = make_cube(levels->contexts[0]);
    for (int s = 0; s < SCENES; s++) {
        const tumble_scene_options options = {s == 0 ? TUMBLE_BROAD_ALL : TUMBLE_BROAD_TREE, s == SCENES - 1 ? 3 : 1};
        tumble_context *context = levels->contexts[s < 1 || s > TEST_LEVELS ? TEST_LEVELS - 1 : s - 1];
        assert_int_equal(tumble_scene_create(context, &options, &l->scenes[s]), TUMBLE_OK);
    }
    for (int i = 0; i < MOST; i++) {
        l->parts[i] = tumble_default_part();
        l->parts[i].model = l->cube;
        l->parts[i].pose = pose_of(random, law);
    }
    for (int s = 0; s < SCENES; s++) {
        assert_int_equal(tumble_scene_add(l->scenes[s], l->parts, MOST, l->ids), TUMBLE_OK);
    }
}

static void end_large(large *l)
{
    for (int s = 0; s < SCENES; s++) {
        tumble_scene_destroy(l->scenes[s]);
    }
    tumble_model_destroy(l->cube);
}

static void move_some(large *l, test_random *random, int law, size_t share)
{
    tumble_object ids[MOST];
    size_t count = 0;
    for (int i = 0; i < MOST; i++) {
        if (test_random_whole(random, 0, (int)share - 1) == 0) {
            tumble_part part;
            assert_int_equal(tumble_scene_get(l->scenes[0], l->ids[i], &part), TUMBLE_OK);
            part.pose.m[0][3] += test_random_range(random, -0.1, 0.1);
            l->poses[count] = test_random_chance(random, 0.1) ? pose_of(random, law) : part.pose;
            ids[count++] = l->ids[i];
        }
    }
    for (int s = 0; s < SCENES; s++) {
        assert_int_equal(tumble_scene_move(l->scenes[s], ids, l->poses, count), TUMBLE_OK);
    }
}

static size_t compare(large *l)
{
    const tumble_object_pair *expected, *pairs;
    size_t expected_count, count;
    assert_int_equal(tumble_scene_candidates(l->scenes[0], &expected, &expected_count), TUMBLE_OK);
    for (int s = 1; s < SCENES; s++) {
        assert_int_equal(tumble_scene_candidates(l->scenes[s], &pairs, &count), TUMBLE_OK);
        assert_int_equal(count, expected_count);
        assert_true(count == 0 || memcmp(pairs, expected, count * sizeof *pairs) == 0);
    }
    return expected_count;
}

/* ---- Streams ---- */

typedef struct stream_check {
    const tumble_object_pair *expected;
    size_t at, most; /* stops after so many */
} stream_check;

static bool check_block(void *user, const tumble_object_pair *pairs, size_t count)
{
    stream_check *check = user;
    assert_true(count > 0);
    assert_memory_equal(pairs, check->expected + check->at, count * sizeof *pairs);
    check->at += count;
    return check->at >= check->most;
}

/* Before an update and after it; counted, handed over, and stopped. */
static void check_stream(tumble_scene *scene, const tumble_object_pair *expected, size_t expected_count)
{
    stream_check check = {expected, 0, SIZE_MAX};
    uint64_t count = 0;
    assert_int_equal(tumble_scene_stream(scene, check_block, &check, &count), TUMBLE_OK);
    assert_int_equal(check.at, expected_count);
    assert_int_equal(count, expected_count);
    assert_int_equal(tumble_scene_stream(scene, NULL, NULL, &count), TUMBLE_OK);
    assert_int_equal(count, expected_count);
    if (expected_count > 0) {
        check = (stream_check){expected, 0, expected_count / 2 + 1};
        assert_int_equal(tumble_scene_stream(scene, check_block, &check, &count), TUMBLE_ERROR_CANCELLED);
        assert_int_equal(count, check.at);
    }
}

static void compare_streams(large *l)
{
    const tumble_object_pair *expected;
    size_t expected_count;
    assert_int_equal(tumble_scene_candidates(l->scenes[0], &expected, &expected_count), TUMBLE_OK);
    for (int s = 0; s < SCENES; s++) {
        check_stream(l->scenes[s], expected, expected_count);
    }
}

/* All objects in one place: n (n - 1) / 2 pairs, in memory for some of them. */
static void test_many_pairs(void **state)
{
    enum {
        COUNT = 3000
    };
    test_levels *levels = *state;
    tumble_scene *scene;
    uint64_t count;
    tumble_model *cube = make_cube(levels->contexts[0]);
    assert_int_equal(tumble_scene_create(levels->contexts[0], NULL, &scene), TUMBLE_OK);
    for (int i = 0; i < COUNT; i++) {
        tumble_part part = tumble_default_part();
        tumble_object id;
        part.model = cube;
        assert_int_equal(tumble_scene_add(scene, &part, 1, &id), TUMBLE_OK);
    }
    assert_int_equal(tumble_scene_stream(scene, NULL, NULL, &count), TUMBLE_OK);
    assert_true(count == (uint64_t)COUNT * (COUNT - 1) / 2);
    const tmb_broad *broad = &scene->broad;
    assert_true(broad->pairs.capacity + broad->room.pairs.capacity < count * sizeof(uint64_t));
    tumble_scene_destroy(scene);
    tumble_model_destroy(cube);
}

static void test_thousands(void **state)
{
    static const size_t shares[] = {1, 50, 400, 12, 3000, 5, 100};
    test_random random = {8};
    for (int law = 0; law < 5; law++) {
        size_t total = 0;
        begin_large(&the_large, *state, &random, law);
        total += compare(&the_large);
        for (size_t step = 0; step < test_count(sizeof shares / sizeof *shares); step++) {
            move_some(&the_large, &random, law, shares[step % (sizeof shares / sizeof *shares)]);
            if (step % 3 == 1) {
                compare_streams(&the_large);
            }
            total += compare(&the_large);
        }
        compare_streams(&the_large);
        assert_true(total > 0);
        end_large(&the_large);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_boxes_at_all_levels, begin_levels, end_levels),
        cmocka_unit_test_setup_teardown(test_thousands, begin_levels, end_levels),
        cmocka_unit_test_setup_teardown(test_many_pairs, begin_levels, end_levels)};
    return cmocka_run_group_tests_name("scene_broad", tests, NULL, NULL);
}
