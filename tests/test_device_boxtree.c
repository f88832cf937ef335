/* Boxtrees on devices: both layouts, every way of comparing boxes, beside wide models and against them; over the whole
 * range of doubles. All find what tumble_collide finds, or what brute force does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device_range.h"
#include "tumble/col.h"

enum {
    POSES = 18, /* more than the processor prepares for an OpenCL device */
    FEW_POSES = 6
};

/* How two models are built, and how they are compared. */
typedef struct style {
    tumble_boxtree_layout layouts[2];
    tumble_boxtree_walk walk;
} style;

static const style styles[] = {
    {{TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_ONE_PLANE}, {.overlap = TUMBLE_OVERLAP_AUTO}},
    {{TUMBLE_BOXTREE_TWO_PLANES, TUMBLE_BOXTREE_TWO_PLANES},
     {.overlap = TUMBLE_OVERLAP_AXES, .direction = TUMBLE_DIRECTION_B_INTO_A}},
    {{TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_TWO_PLANES},
     {.overlap = TUMBLE_OVERLAP_AXES, .direction = TUMBLE_DIRECTION_A_INTO_B}},
    {{TUMBLE_BOXTREE_TWO_PLANES, TUMBLE_BOXTREE_ONE_PLANE}, {.overlap = TUMBLE_OVERLAP_SAT_LITE}},
    {{TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_ONE_PLANE},
     {.overlap = TUMBLE_OVERLAP_TABLES, .direction = TUMBLE_DIRECTION_BOTH}},
    {{TUMBLE_BOXTREE_TWO_PLANES, TUMBLE_BOXTREE_TWO_PLANES}, {.overlap = TUMBLE_OVERLAP_SAT}},
    {{TUMBLE_BOXTREE_TWO_PLANES, TUMBLE_BOXTREE_ONE_PLANE},
     {.overlap = TUMBLE_OVERLAP_TABLES, .direction = TUMBLE_DIRECTION_A_INTO_B}},
};

enum {
    STYLES = sizeof styles / sizeof *styles
};

static tumble_tuning tuning_of(const style *s, int k)
{
    tumble_tuning tuning = tumble_default_tuning();
    tuning.boxtree.layout = s->layouts[k];
    tuning.boxtree_walk = s->walk;
    return tuning;
}

/* Frees the mesh. */
static tumble_model *make_boxtree(device_bench *bench, models_mesh *mesh, const style *s, int k)
{
    const tumble_tuning tuning = tuning_of(s, k);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    options.tuning = &tuning;
    tumble_model *model = test_model(bench->context, mesh, &options);
    models_free(mesh);
    return model;
}

/* Frees the models. */
static void ask(device_bench *bench, const tumble_model *models[1][2], const style *s, const tumble_pose *poses,
                size_t count, const char *name)
{
    const tumble_tuning tuning = tuning_of(s, 0);
    device_question question = {.models = models,
                                .pair_count = 1,
                                .poses_b = poses,
                                .pose_b_count = count,
                                .check_count = count,
                                .tuning = &tuning};
    snprintf(question.name, sizeof question.name, "%s, style %d", name, (int)(s - styles));
    device_compare_all(bench, &question);
    tumble_model_destroy((tumble_model *)models[0][0]);
    if (models[0][1] != models[0][0]) {
        tumble_model_destroy((tumble_model *)models[0][1]);
    }
}

static void test_scenes(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < DEVICE_SCENES; i++) {
        const style *s = &styles[i % STYLES];
        const size_t count = test_effort() < 1 ? FEW_POSES : i % 4 == 1 ? POSES : FEW_POSES;
        test_random random = {11000 + i};
        models_mesh meshes[2] = {{0}};
        tumble_pose poses[POSES];
        device_scenes[i].make(&meshes[0], &meshes[1], &random);
        const tumble_model *models[1][2];
        models[0][0] = make_boxtree(bench, &meshes[0], s, 0);
        models[0][1] = make_boxtree(bench, &meshes[1], s, 1);
        const tumble_model_info info = test_info(models[0][1]);
        for (size_t n = 0; n < count; n++) {
            poses[n] = device_pose(&random, &info, device_scenes[i].unit, n);
        }
        ask(bench, models, s, poses, count, device_scenes[i].name);
    }
}

/* Degenerate triangles, copies, and what else is hard to split. */
static void test_difficult_sets(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < TEST_SETS; i++) {
        const style *s = &styles[(i + 3) % STYLES];
        test_random random = {12000 + i};
        models_mesh meshes[2] = {{0}};
        tumble_pose poses[3];
        test_sets[i].make(&meshes[0], &random, 50);
        test_sets[i].make(&meshes[1], &random, 30);
        const tumble_model *models[1][2];
        models[0][0] = make_boxtree(bench, &meshes[0], s, 0);
        models[0][1] = make_boxtree(bench, &meshes[1], s, 1);
        const tumble_model_info info = test_info(models[0][1]);
        for (size_t n = 0; n < 3; n++) {
            poses[n] = test_pose_over(&random, &info, test_sets[i].turns, n);
        }
        ask(bench, models, s, poses, 3, test_sets[i].name);
    }
}

/* Boxtrees of every layout and wide models, of none, one and some triangles: all with all, in one batch. */
static void test_mixtures(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 9, 64};
    enum {
        SIZES = sizeof sizes / sizeof *sizes,
        COUNT = 3 * SIZES,
        PAIRS = COUNT * COUNT
    };
    device_bench *bench = *state;
    test_random random = {13000};
    const tumble_model *models[COUNT], *pairs[PAIRS][2];
    for (size_t i = 0; i < COUNT; i++) {
        models_mesh mesh = {0};
        test_make_lattice(&mesh, &random, sizes[i % SIZES], 2, 2, 0.1);
        if (i < SIZES) {
            models[i] = test_model(bench->context, &mesh, NULL);
            models_free(&mesh);
        } else {
            models[i] = make_boxtree(bench, &mesh, &styles[i / SIZES - 1], 0);
        }
    }
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i][0] = models[i / COUNT];
        pairs[i][1] = models[i % COUNT];
    }
    const uint64_t retried = bench->seats[bench->seat_count - 1].retried;
    const device_question question = {.name = "mixtures", .models = pairs, .pair_count = PAIRS, .check_count = PAIRS};
    device_compare_all(bench, &question);
    assert_true(bench->seats[bench->seat_count - 1].retried > retried); /* wide against boxtree */
    for (size_t i = 0; i < COUNT; i++) {
        tumble_model_destroy((tumble_model *)models[i]);
    }
}

/* One check that all work-groups share, and more pairs of nodes than any stack of fixed size. */
static void test_deep_contact(void **state)
{
    device_bench *bench = *state;
    const tumble_pose poses[2] = {tumble_pose_identity(), test_translation(1e-3, 1e-9, 0)};
    for (size_t i = 0; i < 2; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, "torus", test_effort() < 1 ? 400 : 1000));
        models_fit(&mesh, 2, 0);
        const tumble_model *models[1][2];
        models[0][0] = models[0][1] = make_boxtree(bench, &mesh, &styles[i], 0);
        ask(bench, models, &styles[i], poses, i + 1, "deep contact");
    }
}

/* More hits than the list of an OpenCL device holds at first: copies of one triangle that all others cross. */
static void test_full_list(void **state)
{
    enum {
        COPIES = 140
    };
    device_bench *bench = *state;
    models_mesh meshes[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < COPIES; i++) {
            const double x = k ? 0.01 * i : 0;
            const uint32_t first = models_point(&meshes[k], x - 1, k ? 0.25 : -8, k ? -1 : 0);
            models_point(&meshes[k], x, k ? 0.25 : 8, k ? 1 : 0);
            models_point(&meshes[k], x + 9, k ? 0.5 : 0, k ? 1 : 0);
            models_triangle(&meshes[k], first, first + 1, first + 2);
        }
    }
    const tumble_model *models[1][2];
    models[0][0] = make_boxtree(bench, &meshes[0], &styles[3], 0);
    models[0][1] = make_boxtree(bench, &meshes[1], &styles[3], 1);
    const tumble_pose pose = tumble_pose_identity();
    ask(bench, models, &styles[3], &pose, 1, "full list");
}

static void test_whole_range(void **state)
{
    device_bench *bench = *state;
    const size_t scenes = test_count(20);
    for (size_t i = 0; i < scenes; i++) {
        const style *s = &styles[i % STYLES];
        const tumble_tuning tuning = tuning_of(s, (int)(i & 1));
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
        options.tuning = &tuning;
        test_random random = {14000 + i};
        range_scene scene;
        tumble_pose poses[POSES];
        range_make_scene(&scene, bench->context, &random, &options);
        const size_t count = i % 3 == 1 ? FEW_POSES : POSES;
        for (size_t n = 0; n < count; n++) {
            poses[n] = range_pose(&random, &scene);
        }
        device_question question = {.models = scene.models,
                                    .exact = scene.exact,
                                    .pair_count = 1,
                                    .poses_b = poses,
                                    .pose_b_count = count,
                                    .check_count = count,
                                    .tuning = &tuning};
        snprintf(question.name, sizeof question.name, "range %zu", i);
        device_compare_all(bench, &question);
        range_free_scene(&scene);
    }
}

/* The patent's interface on its device, with its tree. */
static void test_col(void **state)
{
    device_bench *bench = *state;
    tumble_tuning tuning = tuning_of(&styles[1], 0);
    colOptions options = colDefaultOptions();
    options.context = bench->context;
    options.device = 1; /* the first of OpenCL */
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    options.tuning = &tuning;
    colContext *context = colInit(&options);
    assert_non_null(context);
    tuning.boxtree_walk.overlap = (tumble_overlap)99; /* it was copied */
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 300));
    const colObject id = colNewObject(context);
    for (size_t i = 0; i < mesh.point_count; i++) {
        colVertex(context, mesh.points[3 * i], mesh.points[3 * i + 1], mesh.points[3 * i + 2]);
    }
    for (size_t i = 0; i < mesh.index_count; i++) {
        colIndex(context, mesh.indices[i]);
    }
    assert_int_equal(colEndObject(context), TUMBLE_OK);
    const double matrix[16] = {1, 0, 0, 0, /**/ 0, 0, 1, 0, /**/ 0, -1, 0, 0, /**/ 0.5, 0, 0, 1};
    const tumble_pose pose = {{{1, 0, 0, 0.5}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
    tumble_model *model = test_model(bench->context, &mesh, NULL);
    tumble_collide_result expected;
    colResult result;
    uint32_t indices[4][2];
    assert_int_equal(tumble_collide(bench->query, model, NULL, model, &pose, NULL, &expected), TUMBLE_OK);
    assert_true(expected.pair_count > 4);
    const colPending check = colCheck(context, id, id, matrix, indices[0], NULL, 4);
    assert_int_equal(colWait(context, check, DEVICE_LIMIT_SECONDS, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, expected.pair_count);
    assert_memory_equal(indices, expected.pairs, sizeof indices);
    assert_int_equal(colError(context, NULL, 0), TUMBLE_OK);
    colShutdown(context);
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void test_tuning_is_validated(void **state)
{
    device_bench *bench = *state;
    tumble_tuning tuning = tumble_default_tuning();
    tumble_batch batch = tumble_default_batch();
    tumble_ticket ticket;
    tuning.boxtree_walk.overlap = (tumble_overlap)7;
    batch.tuning = &tuning;
    for (size_t i = 0; i < bench->seat_count; i++) {
        test_assert_status(bench->context, tumble_device_submit(bench->seats[i].device, &batch, 0, &ticket),
                           TUMBLE_ERROR_ARGUMENT, "tuning");
    }
}

static void test_hard_branches_were_taken(void **state)
{
    device_bench *bench = *state;
    for (size_t i = DEVICE_POOLS; i < bench->seat_count; i++) {
        const device_seat *seat = &bench->seats[i];
        print_message("%s: %llu checks, %llu hits, %llu pairs; %llu exact, %llu retried\n", seat->name,
                      (unsigned long long)seat->checks, (unsigned long long)seat->hits, (unsigned long long)seat->pairs,
                      (unsigned long long)seat->exact, (unsigned long long)seat->retried);
        assert_true(seat->hits > 0 && seat->hits < seat->checks && seat->exact > 0);
        assert_true(2 * seat->retried < seat->checks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_difficult_sets),
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_deep_contact),
        cmocka_unit_test(test_full_list),
        cmocka_unit_test(test_whole_range),
        cmocka_unit_test(test_col),
        cmocka_unit_test(test_tuning_is_validated),
        cmocka_unit_test(test_hard_branches_were_taken),
    };
    return DEVICE_RUN(tests, device_bench_begin, device_bench_end);
}
