/* The kernels alone, of wide models and of boxtrees, on few triangles and without the threads of a device, for slow
 * runs: in a simulator that finds races, uninitialised values and accesses outside of arrays; and for other ways in
 * which a device can distribute work-items. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/internal.h"
#include "device_cases.h"
#include "device_stage.h"

enum {
    POSES = 4,
    MOST_POSES = 18, /* more than the processor prepares */
    MODES = 4,
    ROOM = 3
};

static const tumble_mode modes[MODES] = {TUMBLE_ALL, TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_FIRST};

/* One back end; two at a time are too many for Oclgrind. */
typedef struct kernel_bench {
    stage_backend on;
    int has_boxtrees; /* of one plane per node for A, two for B */
    uint64_t exact, hits, checks;
} kernel_bench;

static int begin(void **state, int without_doubles)
{
    kernel_bench *bench = *state = calloc(1, sizeof *bench);
    assert_non_null(bench);
    stage_open_backend(&bench->on, without_doubles);
    return 0;
}

static int begin_with_doubles(void **state)
{
    return begin(state, 0);
}

static int begin_without_doubles(void **state)
{
    return begin(state, 1);
}

static int begin_boxtrees(void **state)
{
    (void)begin(state, 0);
    ((kernel_bench *)*state)->has_boxtrees = 1;
    return 0;
}

static int end(void **state)
{
    kernel_bench *bench = *state;
    stage_close_backend(&bench->on);
    free(bench);
    return 0;
}

/* ---- Running ---- */

/* Answers of one mode. */
typedef struct asked {
    tmb_job job;
    tumble_check_answer answers[MOST_POSES];
    tumble_pair found[MOST_POSES][ROOM];
} asked;

static void make_job(asked *a, tumble_mode mode, const tumble_model_pair *pair, const device_question *question)
{
    memset(a, 0, sizeof *a);
    tumble_batch *batch = &a->job.batch;
    *batch = tumble_default_batch();
    batch->mode = mode;
    batch->check_count = question->check_count;
    batch->pairs = pair;
    batch->pair_count = 1;
    batch->poses_b = question->poses_b;
    batch->pose_b_count = question->pose_b_count;
    batch->answers = a->answers;
    batch->tuning = question->tuning;
    batch->found = a->found[0];
    batch->found_capacity = mode == TUMBLE_ALL ? ROOM : 0;
    a->job.finished = stage_finished;
}

static void compare_answer(const asked *a, size_t check, const device_truth *truth)
{
    const tumble_mode mode = a->job.batch.mode;
    const tumble_check_answer *answer = &a->answers[check];
    const size_t count = truth->pairs.count, listed = count < ROOM ? count : ROOM;
    assert_int_equal(answer->status, TUMBLE_OK);
    assert_int_equal(answer->collide, count > 0);
    assert_int_equal(answer->pair_count, mode == TUMBLE_ALL || mode == TUMBLE_COUNT ? count : count > 0);
    if (mode == TUMBLE_ALL) {
        assert_memory_equal(a->found[check], truth->pairs.items, listed * sizeof a->found[0][0]);
    }
    if (count && (mode == TUMBLE_ALL || mode == TUMBLE_FIRST)) {
        assert_true(test_has_pair(&truth->pairs, answer->first));
    }
}

static void run_question(kernel_bench *bench, const device_question *question, const device_truth *truth)
{
    const tmb_backend *backend = &bench->on.backend;
    tumble_device_model models[2];
    tumble_model_pair pair = {&models[0], &models[1]};
    asked batches[MODES];
    tmb_job *jobs[MODES];
    memset(models, 0, sizeof models);
    for (int k = 0; k < 2; k++) {
        models[k].model = question->models[0][k];
        assert_int_equal(backend->add_model(backend->self, models[k].model, &models[k].uploaded), TUMBLE_OK);
    }
    for (size_t i = 0; i < MODES; i++) {
        make_job(&batches[i], modes[i], &pair, question);
        jobs[i] = &batches[i].job;
    }
    backend->run(backend->self, jobs, MODES);
    for (size_t i = 0; i < MODES; i++) {
        assert_int_equal(batches[i].job.status, TUMBLE_OK);
        bench->exact += batches[i].job.exact_count;
        for (size_t check = 0; check < question->check_count; check++) {
            compare_answer(&batches[i], check, &truth[check]);
            bench->hits += truth[check].pairs.count > 0;
            bench->checks++;
        }
    }
    for (int k = 0; k < 2; k++) {
        backend->remove_model(backend->self, models[k].uploaded);
    }
}

/* Frees the meshes. Boxtrees are compared along the axes of A if there are many poses, else of both. */
static void compare_at(kernel_bench *bench, models_mesh meshes[2], const tumble_pose *poses, size_t count)
{
    const tumble_model *models[1][2], *exact[1][2];
    tumble_tuning tuning = tumble_default_tuning();
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = bench->has_boxtrees ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE;
    options.tuning = &tuning;
    tuning.boxtree_walk.overlap = count > POSES ? TUMBLE_OVERLAP_AXES : TUMBLE_OVERLAP_SAT_LITE;
    for (int k = 0; k < 2; k++) {
        tuning.boxtree.layout = k ? TUMBLE_BOXTREE_TWO_PLANES : TUMBLE_BOXTREE_ONE_PLANE;
        models[0][k] = test_model(bench->on.context, &meshes[k], &options);
        exact[0][k] = test_brute_model(bench->on.context, &meshes[k]);
        models_free(&meshes[k]);
    }
    const device_question question = {.models = models,
                                      .exact = exact,
                                      .pair_count = 1,
                                      .poses_b = poses,
                                      .pose_b_count = count,
                                      .check_count = count,
                                      .tuning = &tuning};
    device_truth *truth = device_find_truth(bench->on.query, &question);
    run_question(bench, &question, truth);
    device_free_truth(truth, count);
    for (int k = 0; k < 2; k++) {
        tumble_model_destroy((tumble_model *)models[0][k]);
        tumble_model_destroy((tumble_model *)exact[0][k]);
    }
}

/* With less effort only some of the poses. */
static void compare(kernel_bench *bench, models_mesh meshes[2], double unit)
{
    static const size_t numbers[POSES] = {0, 4, 1, 11}; /* at rest, turned by quarters, touching, turned somehow */
    test_random random = {7000};
    tumble_pose poses[POSES];
    tumble_model *b = test_model(bench->on.context, &meshes[1], NULL);
    const tumble_model_info info = test_info(b);
    tumble_model_destroy(b);
    for (size_t i = 0; i < POSES; i++) {
        poses[i] = device_pose(&random, &info, unit, numbers[i]);
    }
    poses[1].m[0][3] += 3 * unit;
    compare_at(bench, meshes, poses, test_effort() < 1 ? 2 : POSES);
}

/* ---- Scenes ---- */

static void test_lattices(void **state)
{
    test_random random = {7001};
    models_mesh meshes[2] = {{0}};
    test_make_lattice(&meshes[0], &random, test_effort() < 1 ? 12 : 80, 2, 2, 0.2);
    test_make_lattice(&meshes[1], &random, test_effort() < 1 ? 9 : 60, 2, 2, 0.2);
    compare(*state, meshes, 1);
}

/* Several levels of nodes, and a leaf that is compared with them; coordinates that float does not hold. */
static void test_spheres(void **state)
{
    models_mesh meshes[2] = {{0}};
    assert_true(models_make_sized(&meshes[0], "sphere", test_effort() < 1 ? 80 : 300));
    assert_true(models_make_sized(&meshes[1], "sphere", test_effort() < 1 ? 1 : 300));
    models_fit(&meshes[0], 2, 0);
    models_fit(&meshes[1], test_effort() < 1 ? 0.3 : 2, 1);
    compare(*state, meshes, 0.9);
}

/* Pairs of polygons that are found more than once. */
static void test_polygons(void **state)
{
    models_mesh meshes[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        assert_true(models_make_sized(&meshes[k], "cylinder", test_effort() < 1 ? 12 : 60));
    }
    compare(*state, meshes, 1);
}

static void test_nothing(void **state)
{
    models_mesh meshes[2] = {{0}};
    test_random random = {7002};
    test_make_soup(&meshes[0], &random, 1, 1);
    compare(*state, meshes, 1);
}

/* Boxes of triangles that are infinite in floats, clusters that are not full, and checks that the device prepares. */
static void test_huge(void **state)
{
    test_random random = {7003};
    const double zero[3] = {0, 0, 0};
    models_mesh meshes[2] = {{0}};
    tumble_pose poses[MOST_POSES];
    for (int k = 0; k < 2; k++) {
        test_make_lattice(&meshes[k], &random, test_effort() < 1 ? 3 : 19, 1, 2, 0);
        test_transform(&meshes[k], 0x1p130, zero);
    }
    for (size_t i = 0; i < MOST_POSES; i++) {
        poses[i] = test_translation(0x1p128 * (double)i, 0, 0);
    }
    compare_at(*state, meshes, poses, test_effort() < 1 ? 2 : MOST_POSES); /* Oclgrind takes long for many */
}

static void test_hard_branches_were_taken(void **state)
{
    const kernel_bench *bench = *state;
    assert_true(bench->hits > 0 && bench->hits < bench->checks);
    assert_true(bench->exact > 0);
}

/* With an argument: only `wide` or `boxtrees`. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattices), cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_polygons), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_huge),     cmocka_unit_test(test_hard_branches_were_taken),
    };
    const struct CMUnitTest of_boxtrees[] = {
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_hard_branches_were_taken),
    };
    if (!device_is_ready()) {
        return DEVICE_SKIPPED;
    }
    int failed = 0;
    if (argc < 2 || strcmp(argv[1], "wide") == 0) {
        failed += cmocka_run_group_tests_name("with doubles", tests, begin_with_doubles, end);
        failed += cmocka_run_group_tests_name("without doubles", tests, begin_without_doubles, end);
    }
    if (argc < 2 || strcmp(argv[1], "boxtrees") == 0) {
        failed += cmocka_run_group_tests_name("boxtrees", of_boxtrees, begin_boxtrees, end);
    }
    return failed;
}
