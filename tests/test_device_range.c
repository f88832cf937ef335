/* Devices over the whole range of doubles: coordinates that no float holds, differences that overflow, denormal
 * numbers, sizes, places and scales that have nothing in common. The truth is brute force on the processor. */
#include <math.h>
#include <stdio.h>

#include "device_range.h"

enum {
    POSES = 24, /* more than the processor prepares for an OpenCL device */
    FEW_POSES = 6
};

static void ask(device_bench *bench, range_scene *s, size_t number, const tumble_pose *poses_a,
                const tumble_pose *poses_b, size_t count)
{
    device_question question = {.models = s->models,
                                .exact = s->exact,
                                .pair_count = 1,
                                .poses_a = poses_a,
                                .pose_a_count = poses_a ? count : 0,
                                .poses_b = poses_b,
                                .pose_b_count = count,
                                .check_count = count};
    snprintf(question.name, sizeof question.name, "scene %zu, %zu poses%s", number, count,
             poses_a ? ", both moved" : "");
    device_compare_all(bench, &question);
}

/* Of B alone; of both, which the processor composes; few, which it prepares too. */
static void test_whole_range(void **state)
{
    device_bench *bench = *state;
    const size_t scenes = test_count(40);
    for (size_t i = 0; i < scenes; i++) {
        test_random random = {9000 + i};
        range_scene s;
        tumble_pose poses_a[POSES], poses_b[POSES];
        range_make_scene(&s, bench->context, &random, NULL);
        for (size_t n = 0; n < POSES; n++) {
            poses_b[n] = range_pose(&random, &s);
            poses_a[n] = test_random_chance(&random, 0.5) ? tumble_pose_identity() : range_pose(&random, &s);
        }
        ask(bench, &s, i, NULL, poses_b, i % 3 == 1 ? FEW_POSES : POSES);
        if (i % 3 == 0) {
            ask(bench, &s, i, poses_a, poses_b, POSES);
        }
        range_free_scene(&s);
    }
}

/* Triangles whose boxes are infinite in floats: they must not meet what is not there. */
static void test_infinite_boxes(void **state)
{
    device_bench *bench = *state;
    const size_t scenes = test_count(15);
    for (size_t i = 0; i < scenes; i++) {
        test_random random = {9500 + i};
        range_scene s;
        tumble_pose poses[POSES];
        for (int k = 0; k < 2; k++) {
            models_mesh mesh = {0};
            const double zero[3] = {0, 0, 0};
            test_make_soup(&mesh, &random, (size_t)test_random_whole(&random, 1, 20), 2);
            test_transform(&mesh, ldexp(1, test_random_whole(&random, 126, 140)), zero);
            range_set_model(&s, k, bench->context, &mesh, NULL);
        }
        for (size_t n = 0; n < POSES; n++) {
            poses[n] = range_pose(&random, &s);
        }
        ask(bench, &s, i, NULL, poses, POSES);
        range_free_scene(&s);
    }
}

/* A box from -INFINITY to INFINITY on all axes, and one triangle in a cluster of eight places. */
static void test_one_huge_triangle(void **state)
{
    device_bench *bench = *state;
    models_mesh mesh = {0};
    range_scene s;
    models_point(&mesh, -1e40, -1e40, -1e40);
    models_point(&mesh, 1e40, -1e40, 1e40);
    models_point(&mesh, -1e40, 1e40, 1e40);
    models_triangle(&mesh, 0, 1, 2);
    s.models[0][0] = s.models[0][1] = test_model(bench->context, &mesh, NULL);
    s.exact[0][0] = s.exact[0][1] = test_brute_model(bench->context, &mesh);
    models_free(&mesh);
    tumble_pose poses[POSES];
    for (size_t n = 0; n < POSES; n++) {
        poses[n] = test_translation(1e38 * (double)n, 0, 0);
    }
    ask(bench, &s, 0, NULL, poses, POSES);
    ask(bench, &s, 0, NULL, poses, FEW_POSES);
    tumble_model_destroy((tumble_model *)s.models[0][0]);
    tumble_model_destroy((tumble_model *)s.exact[0][0]);
}

/* The tests above are worth something only if they got there. */
static void test_hard_branches_were_taken(void **state)
{
    device_bench *bench = *state;
    for (size_t i = DEVICE_POOLS; i < bench->seat_count; i++) {
        const device_seat *seat = &bench->seats[i];
        print_message("%s: %llu checks, %llu hits, %llu pairs; %llu exact, %llu retried, %llu refused\n", seat->name,
                      (unsigned long long)seat->checks, (unsigned long long)seat->hits, (unsigned long long)seat->pairs,
                      (unsigned long long)seat->exact, (unsigned long long)seat->retried,
                      (unsigned long long)seat->refused);
        assert_true(5 * seat->hits > seat->checks && 10 * seat->hits < 9 * seat->checks);
        assert_true(2 * seat->retried < seat->checks);
        assert_true(seat->retried > 0 && seat->exact > 0);
        assert_true(seat->refused > 0 || test_effort() < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_huge_triangle),
        cmocka_unit_test(test_infinite_boxes),
        cmocka_unit_test(test_whole_range),
        cmocka_unit_test(test_hard_branches_were_taken),
    };
    return DEVICE_RUN(tests, device_bench_begin, device_bench_end);
}
