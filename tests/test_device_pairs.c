/* Every device finds what tumble_collide finds, to the last pair: "every hierarchy, option, thread count, instruction
 * set and device returns the same set of pairs" (docs/semantics.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_cases.h"

enum {
    SCENE_POSES = 12,
    SET_POSES = 5
};

/* What a test makes and gives back. */
typedef struct two_models {
    const tumble_model *models[1][2];
} two_models;

static tumble_model *make_and_free(device_bench *bench, models_mesh *mesh, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    tumble_model *model = test_model(bench->context, mesh, &options);
    models_free(mesh);
    return model;
}

static tumble_model *shape_model(device_bench *bench, const char *name, size_t triangles)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, name, triangles));
    models_fit(&mesh, 2, 0);
    return make_and_free(bench, &mesh, TUMBLE_HIERARCHY_WIDE);
}

static void free_two(two_models *two)
{
    tumble_model_destroy((tumble_model *)two->models[0][0]);
    tumble_model_destroy((tumble_model *)two->models[0][1]);
}

/* A moves by poses of its own in one call, B by its poses in the other; the truth knows what that means. */
static void compare_poses(device_bench *bench, two_models *two, const tumble_pose *poses_a, const tumble_pose *poses_b,
                          size_t count, const char *name)
{
    device_question question = {
        .models = two->models, .pair_count = 1, .poses_b = poses_b, .pose_b_count = count, .check_count = count};
    snprintf(question.name, sizeof question.name, "%s", name);
    device_compare_all(bench, &question);
    question.poses_a = poses_a;
    question.check_count = question.pose_a_count = count / 2;
    question.pose_b_count = 1;
    snprintf(question.name, sizeof question.name, "%s, both moved", name);
    device_compare_all(bench, &question);
}

static void test_scenes(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < DEVICE_SCENES; i++) {
        test_random random = {1000 + i};
        models_mesh meshes[2] = {{0}};
        tumble_pose poses[2][SCENE_POSES];
        device_scenes[i].make(&meshes[0], &meshes[1], &random);
        two_models two;
        for (int k = 0; k < 2; k++) {
            two.models[0][k] = make_and_free(bench, &meshes[k], TUMBLE_HIERARCHY_WIDE);
            const tumble_model_info info = test_info(two.models[0][k]);
            for (size_t n = 0; n < SCENE_POSES; n++) {
                poses[k][n] = device_pose(&random, &info, device_scenes[i].unit, n);
            }
        }
        compare_poses(bench, &two, poses[0], poses[1], test_effort() < 1 ? 8 : SCENE_POSES, device_scenes[i].name);
        free_two(&two);
    }
}

static void test_difficult_sets(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < TEST_SETS; i++) {
        test_random random = {2000 + i};
        models_mesh meshes[2] = {{0}};
        tumble_pose poses[SET_POSES];
        test_sets[i].make(&meshes[0], &random, 50);
        test_sets[i].make(&meshes[1], &random, 30);
        two_models two;
        for (int k = 0; k < 2; k++) {
            two.models[0][k] = make_and_free(bench, &meshes[k], TUMBLE_HIERARCHY_WIDE);
        }
        const tumble_model_info info = test_info(two.models[0][1]);
        const size_t count = test_effort() < 1 ? 3 : SET_POSES;
        for (size_t n = 0; n < count; n++) {
            poses[n] = test_pose_over(&random, &info, test_sets[i].turns, n);
        }
        device_question question = {
            .models = two.models, .pair_count = 1, .poses_b = poses, .pose_b_count = count, .check_count = count};
        snprintf(question.name, sizeof question.name, "%s", test_sets[i].name);
        device_compare_all(bench, &question);
        free_two(&two);
    }
}

/* Around the numbers of triangles that fill a cluster, a node, a tree of two levels; none at all; all with all. */
static void test_few_triangles(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 16, 17, 63, 64, 65};
    enum {
        SIZES = sizeof sizes / sizeof *sizes,
        PAIRS = SIZES * SIZES
    };
    device_bench *bench = *state;
    test_random random = {3000};
    const tumble_model *models[SIZES], *pairs[PAIRS][2];
    tumble_pose poses[PAIRS];
    for (size_t i = 0; i < SIZES; i++) {
        models_mesh mesh = {0};
        test_make_lattice(&mesh, &random, sizes[i], 2, 2, 0.1);
        models[i] = make_and_free(bench, &mesh, TUMBLE_HIERARCHY_WIDE);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i][0] = models[i / SIZES];
        pairs[i][1] = models[i % SIZES];
        poses[i] = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
    }
    device_question question = {.name = "few triangles", .models = pairs, .pair_count = PAIRS, .check_count = PAIRS};
    device_compare_all(bench, &question); /* without poses */
    question.poses_b = question.poses_a = poses;
    question.pose_b_count = PAIRS;
    question.pose_a_count = 1;
    device_compare_all(bench, &question);
    for (size_t i = 0; i < SIZES; i++) {
        tumble_model_destroy((tumble_model *)models[i]);
    }
}

/* Batches of none, one, two and many checks. */
static void test_batch_sizes(void **state)
{
    device_bench *bench = *state;
    const size_t most = test_count(1000), sizes[] = {0, 1, 2, most};
    test_random random = {4000};
    two_models two = {{{shape_model(bench, "gear", 200), shape_model(bench, "sphere", 100)}}};
    tumble_pose *poses = malloc(most * sizeof *poses);
    assert_non_null(poses);
    for (size_t i = 0; i < most; i++) {
        poses[i] = test_rational_turn(&random);
        for (int k = 0; k < 3; k++) {
            poses[i].m[k][3] = test_random_range(&random, -2, 2);
        }
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        device_question question = {
            .models = two.models, .pair_count = 1, .poses_b = poses, .pose_b_count = sizes[i], .check_count = sizes[i]};
        snprintf(question.name, sizeof question.name, "%zu checks", sizes[i]);
        device_compare_all(bench, &question);
    }
    free(poses);
    free_two(&two);
}

/* Large fronts: two equal bodies at one place have more pairs of nodes to look at than any stack of fixed size. */
static void test_deep_contact(void **state)
{
    device_bench *bench = *state;
    static const double shifts[] = {0, 1e-3, 1e-9};
    tumble_pose poses[3];
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", test_effort() < 1 ? 800 : 1500));
    models_fit(&mesh, 2, 0);
    two_models two;
    two.models[0][0] = two.models[0][1] = make_and_free(bench, &mesh, TUMBLE_HIERARCHY_WIDE);
    for (int i = 0; i < 3; i++) {
        poses[i] = test_translation(shifts[i], shifts[i] / 3, 0);
    }
    device_question question = {.name = "deep contact",
                                .models = two.models,
                                .pair_count = 1,
                                .poses_b = poses,
                                .pose_b_count = 3,
                                .check_count = 3};
    device_compare_all(bench, &question);
    tumble_model_destroy((tumble_model *)two.models[0][0]);
}

/* Few triangles of which each meets each: all is found twice, thrice, ... by triangles of the same polygons. */
static void test_everything_meets(void **state)
{
    device_bench *bench = *state;
    tumble_pose poses[2] = {tumble_pose_identity(), tumble_pose_identity()};
    two_models two;
    poses[1].m[0][3] = 0x1p-30;
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        uint32_t star[40], corners = 40;
        for (uint32_t layer = 0; layer < 20; layer++) { /* stars around one axis, all through one point */
            for (uint32_t i = 0; i < corners; i++) {
                const double angle = 6.283185307179586 * i / corners, radius = i % 2 ? 0.3 : 1;
                const double c = radius * cos(angle), s = radius * sin(angle);
                star[i] = k ? models_point(&mesh, c, s, 0x1p-40 * layer) : models_point(&mesh, 0x1p-40 * layer, c, s);
            }
            models_polygon(&mesh, star, corners);
        }
        two.models[0][k] = make_and_free(bench, &mesh, TUMBLE_HIERARCHY_WIDE);
    }
    device_question question = {.name = "everything meets",
                                .models = two.models,
                                .pair_count = 1,
                                .poses_b = poses,
                                .pose_b_count = 2,
                                .check_count = 2};
    device_compare_all(bench, &question);
    free_two(&two);
}

/* A triangle that crosses the plane of A's triangles for certain, or has a corner in it, which floats do not see. */
static void add_upright(models_mesh *mesh, double x, int touches)
{
    const uint32_t a = models_point(mesh, x, 0.25, touches ? 0 : -1), b = models_point(mesh, x, 0.25, 1),
                   c = models_point(mesh, x + 0x1p-20, 0.5, 1);
    models_triangle(mesh, a, b, c);
}

/* More hits than the list of an OpenCL device holds at first, with undecided pairs among them for which there is room:
 * what was reserved for these is not used, and must not be read. Asked twice, so that there is something to be read. */
static void test_full_list(void **state)
{
    enum {
        COPIES = 160,
        UPRIGHT = 160
    };
    device_bench *bench = *state;
    models_mesh meshes[2] = {{0}};
    const tumble_pose pose = tumble_pose_identity();
    models_point(&meshes[0], -8, -8, 0);
    models_point(&meshes[0], 8, -8, 0);
    models_point(&meshes[0], 0, 8, 0);
    for (uint32_t i = 0; i < COPIES; i++) {
        models_triangle(&meshes[0], 0, 1, 2);
    }
    for (uint32_t i = 0; i < UPRIGHT; i++) {
        add_upright(&meshes[1], 0x1p-10 * i, i % 4 == 0);
    }
    two_models two;
    for (int k = 0; k < 2; k++) {
        two.models[0][k] = make_and_free(bench, &meshes[k], TUMBLE_HIERARCHY_WIDE);
    }
    device_question question = {.name = "full list",
                                .models = two.models,
                                .pair_count = 1,
                                .poses_b = &pose,
                                .pose_b_count = 1,
                                .check_count = 1};
    device_compare_all(bench, &question);
    device_compare_all(bench, &question);
    free_two(&two);
}

/* Poses that are none, between good ones, and poses at which numbers overflow. */
static void test_bad_poses(void **state)
{
    device_bench *bench = *state;
    enum {
        POSES = 16
    };
    tumble_pose poses[POSES];
    two_models two = {{{shape_model(bench, "sphere", 100), shape_model(bench, "torus", 200)}}};
    for (int i = 0; i < POSES; i++) {
        poses[i] = test_translation(0.1 * i, 0, 0);
    }
    poses[1].m[1][3] = NAN;
    poses[3].m[0][0] = INFINITY;
    poses[4].m[0][0] = -1; /* a mirror image */
    memset(&poses[6], 0, sizeof poses[6]);
    poses[7].m[2][1] = 0.5;
    poses[9] = test_translation(1e308, 0, -1e308);
    poses[10].m[0][0] = poses[10].m[1][1] = poses[10].m[2][2] = 1e300;
    poses[11].m[0][0] = poses[11].m[1][1] = poses[11].m[2][2] = 1e-300;
    poses[12].m[0][0] = poses[12].m[1][1] = poses[12].m[2][2] = 0x1p-1074;
    poses[13].m[2][3] = -INFINITY;
    poses[14].m[0][0] = 1 + 2e-6; /* good enough */
    compare_poses(bench, &two, poses, poses, POSES, "bad poses");
    free_two(&two);
}

/* Other hierarchies: the pool takes them, also two different ones; OpenCL devices take only boxtrees besides. */
static void test_other_hierarchies(void **state)
{
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                   TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE,
                                                   TUMBLE_HIERARCHY_WIDE};
    enum {
        COUNT = sizeof hierarchies / sizeof *hierarchies
    };
    device_bench *bench = *state;
    const tumble_model *pairs[COUNT][2];
    tumble_model *models[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, "knot", 200));
        models[i] = make_and_free(bench, &mesh, hierarchies[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        pairs[i][0] = models[i];
        pairs[i][1] = models[i % 2 ? i : COUNT - 1 - i];
    }
    const tumble_pose pose = test_translation(0.4, 0.1, 0);
    device_question question = {.name = "other hierarchies",
                                .models = pairs,
                                .pair_count = COUNT,
                                .poses_b = &pose,
                                .pose_b_count = 1,
                                .check_count = COUNT};
    device_truth *truth = device_find_truth(bench->query, &question);
    for (size_t i = 0; i < bench->seat_count; i++) {
        if (bench->seats[i].kind == TUMBLE_DEVICE_CPU) {
            device_compare(bench, &bench->seats[i], &question, truth);
            continue;
        }
        for (size_t k = 0; k < COUNT; k++) {
            tumble_device_model *added = NULL;
            test_assert_status(bench->context, tumble_device_add_model(bench->seats[i].device, models[k], &added),
                               hierarchies[k] == TUMBLE_HIERARCHY_WIDE || hierarchies[k] == TUMBLE_HIERARCHY_BOXTREE
                                   ? TUMBLE_OK
                                   : TUMBLE_ERROR_UNSUPPORTED,
                               "wide");
            tumble_device_remove_model(added);
        }
    }
    device_free_truth(truth, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        tumble_model_destroy(models[i]);
    }
}

/* The tests above are worth something only if they got there. */
static void test_hard_branches_were_taken(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < bench->seat_count; i++) {
        const device_seat *seat = &bench->seats[i];
        print_message(
            "%s: %llu checks, %llu hits, %llu pairs; %llu exact, %llu retried, %llu refused, %llu lists cut\n",
            seat->name, (unsigned long long)seat->checks, (unsigned long long)seat->hits,
            (unsigned long long)seat->pairs, (unsigned long long)seat->exact, (unsigned long long)seat->retried,
            (unsigned long long)seat->refused, (unsigned long long)seat->cut);
        assert_true(seat->hits > 0 && seat->hits < seat->checks);
        assert_true(seat->cut > 0);
        assert_true(2 * seat->retried < seat->checks);
        assert_true(seat->kind != TUMBLE_DEVICE_OPENCL || (seat->exact > 0 && seat->retried > 0 && seat->refused > 0));
    }
    if (device_has_opencl()) { /* doubles decide most of what floats leave open */
        assert_true(bench->seats[bench->seat_count - 2].exact < bench->seats[bench->seat_count - 1].exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_difficult_sets),
        cmocka_unit_test(test_few_triangles),
        cmocka_unit_test(test_batch_sizes),
        cmocka_unit_test(test_deep_contact),
        cmocka_unit_test(test_everything_meets),
        cmocka_unit_test(test_full_list),
        cmocka_unit_test(test_bad_poses),
        cmocka_unit_test(test_other_hierarchies),
        cmocka_unit_test(test_hard_branches_were_taken),
    };
    device_start_watch(280);
    return cmocka_run_group_tests(tests, device_bench_begin, device_bench_end);
}
