/* The kernel that prepares checks computes what the processor computes, to the bit: maps, slacks, and whether bounding
 * boxes are apart. Batches of at most TMB_SMALL_CHECKS checks never reach it. */
#include <stdlib.h>
#include <string.h>

#include "collide/wide/walk.h"
#include "device/internal.h"
#include "device/opencl/batch.h"
#include "device_range.h"
#include "device_stage.h"
#include "math/pose.h"

enum {
    POSES = 40
};

typedef struct prepare_bench {
    stage_backend on;
    size_t walked, apart, left;
} prepare_bench;

static int begin(void **state)
{
    prepare_bench *bench = *state = calloc(1, sizeof *bench);
    assert_non_null(bench);
    stage_open_backend(&bench->on, 0);
    return 0;
}

static int end(void **state)
{
    prepare_bench *bench = *state;
    stage_close_backend(&bench->on);
    free(bench);
    return 0;
}

/* ---- What the processor says ---- */

typedef struct expectation {
    tmb_wide_outlook outlook;
    float floats[TMB_CL_CHECK_FLOATS];
} expectation;

static void put_map(const tmb_wide_map *map, float *out)
{
    for (int k = 0; k < 3; k++) {
        memcpy(out + 3 * k, map->m[k], sizeof map->m[k]);
    }
    memcpy(out + TMB_CL_MAP_SHIFT, map->shift, sizeof map->shift);
    out[TMB_CL_MAP_SLACK] = map->slack;
}

static expectation expect(prepare_bench *bench, const range_scene *s, const tumble_pose *pose)
{
    tmb_encounter encounter = {.query = bench->on.query, .a = s->models[0][0], .b = s->models[0][1]};
    expectation e = {.outlook = TMB_WIDE_NO_FLOATS};
    tmb_wide_walk walk;
    if (!tmb_pose_is_plainly_good(pose) || tmb_encounter_place(&encounter, NULL, pose) != TUMBLE_OK) {
        return e;
    }
    e.outlook = tmb_wide_look(&encounter, 0, &walk);
    if (e.outlook == TMB_WIDE_WALK) {
        put_map(&walk.into_a, e.floats + TMB_CL_INTO_A);
        put_map(&walk.into_b, e.floats + TMB_CL_INTO_B);
        memcpy(e.floats + TMB_CL_TURN, walk.turn, sizeof walk.turn);
        e.floats[TMB_CL_SLAB_UNIT] = walk.slab_unit;
        e.floats[TMB_CL_SLAB_SLACK] = walk.slab_slack;
        e.floats[TMB_CL_SIZE_OF_B] = walk.size_of_b;
    }
    return e;
}

/* ---- What the device says ---- */

typedef struct prepared {
    float checks[POSES][TMB_CL_CHECK_FLOATS]; /* all bits set: not prepared for a walk */
    tumble_pose moves[POSES];
    tumble_check_answer answers[POSES];
    uint64_t retried;
} prepared;

static void run(prepare_bench *bench, const tumble_model_pair *pair, const tumble_pose *poses, prepared *out)
{
    tmb_job job = {.finished = stage_finished}, *jobs[] = {&job};
    job.batch = tumble_default_batch();
    job.batch.mode = TUMBLE_COUNT;
    job.batch.check_count = POSES;
    job.batch.pairs = pair, job.batch.pair_count = 1;
    job.batch.poses_b = poses, job.batch.pose_b_count = POSES;
    job.batch.answers = out->answers;
    bench->on.backend.run(bench->on.backend.self, jobs, 1);
    out->retried = job.retried_count;
}

static void fill(tmb_opencl *o, const tmb_device_buffer *buffer, size_t size)
{
    const uint32_t ones = UINT32_MAX;
    assert_true(size <= buffer->size);
    assert_int_equal(o->api.clEnqueueFillBuffer(o->queue, buffer->memory, &ones, sizeof ones, 0, size, 0, NULL, NULL),
                     CL_SUCCESS);
}

static void fetch_buffer(tmb_opencl *o, const tmb_device_buffer *buffer, void *to, size_t size)
{
    assert_int_equal(o->api.clEnqueueReadBuffer(o->queue, buffer->memory, CL_TRUE, 0, size, to, 0, NULL, NULL),
                     CL_SUCCESS);
}

/* Twice: the first run makes the buffers. */
static void prepare(prepare_bench *bench, const range_scene *s, const tumble_pose *poses, prepared *out)
{
    tmb_opencl_backend *backend = bench->on.backend.self;
    tumble_device_model models[2];
    const tumble_model_pair pair = {&models[0], &models[1]};
    memset(models, 0, sizeof models);
    for (int k = 0; k < 2; k++) {
        models[k].model = s->models[0][k];
        assert_int_equal(bench->on.backend.add_model(backend, models[k].model, &models[k].uploaded), TUMBLE_OK);
    }
    run(bench, &pair, poses, out);
    fill(backend->opencl, &backend->checks, sizeof out->checks);
    fill(backend->opencl, &backend->moves, sizeof out->moves);
    run(bench, &pair, poses, out);
    fetch_buffer(backend->opencl, &backend->checks, out->checks, sizeof out->checks);
    fetch_buffer(backend->opencl, &backend->moves, out->moves, sizeof out->moves);
    for (int k = 0; k < 2; k++) {
        bench->on.backend.remove_model(backend, models[k].uploaded);
    }
}

static int has_same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int is_untouched(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    size_t same = 0;
    for (size_t i = 0; i < size; i++) {
        same += byte[i] == 0xff;
    }
    return same == size;
}

/* ---- Tests ---- */

static void compare_check(prepare_bench *bench, const expectation *e, const prepared *p, size_t i, size_t scene,
                          const tumble_pose *pose)
{
    const int walks = !is_untouched(p->checks[i], sizeof p->checks[i]);
    if (walks != (e->outlook == TMB_WIDE_WALK)) {
        fail_msg("scene %zu, pose %zu: the device %s, the processor finds %d", scene, i,
                 walks ? "walks" : "does not walk", (int)e->outlook);
    }
    bench->walked += (size_t)walks;
    bench->apart += e->outlook == TMB_WIDE_APART;
    bench->left += e->outlook == TMB_WIDE_NO_FLOATS;
    for (size_t k = 0; walks && k < TMB_CL_CHECK_FLOATS; k++) {
        if (!has_same_bits(&p->checks[i][k], &e->floats[k], sizeof(float))) {
            fail_msg("scene %zu, pose %zu: number %zu is %a instead of %a", scene, i, k, (double)p->checks[i][k],
                     (double)e->floats[k]);
        }
    }
    assert_true(walks ? has_same_bits(&p->moves[i], pose, sizeof *pose) : is_untouched(&p->moves[i], sizeof *pose));
}

static void compare_scene(prepare_bench *bench, const range_scene *s, const tumble_pose *poses, size_t scene)
{
    prepared p = {.retried = 0};
    uint64_t left = 0;
    prepare(bench, s, poses, &p);
    for (size_t i = 0; i < POSES; i++) {
        const expectation e = expect(bench, s, &poses[i]);
        left += e.outlook == TMB_WIDE_NO_FLOATS;
        compare_check(bench, &e, &p, i, scene, &poses[i]);
    }
    assert_true(p.retried >= left); /* apart, but far beyond floats: the device leaves these to the processor, too */
}

static void test_whole_range(void **state)
{
    prepare_bench *bench = *state;
    const size_t scenes = test_count(60);
    for (size_t n = 0; n < scenes; n++) {
        test_random random = {12000 + n};
        range_scene s;
        tumble_pose poses[POSES];
        range_make_scene(&s, bench->on.context, &random, NULL);
        for (size_t i = 0; i < POSES; i++) {
            poses[i] = range_pose(&random, &s);
        }
        compare_scene(bench, &s, poses, n);
        range_free_scene(&s);
    }
}

/* The sets that are hard for boxes and for rounding. */
static void test_difficult_sets(void **state)
{
    prepare_bench *bench = *state;
    for (size_t n = 0; n < TEST_SETS; n++) {
        test_random random = {12500 + n};
        range_scene s;
        tumble_pose poses[POSES];
        for (int k = 0; k < 2; k++) {
            models_mesh mesh = {0};
            test_sets[n].make(&mesh, &random, 20);
            range_set_model(&s, k, bench->on.context, &mesh, NULL);
        }
        for (size_t i = 0; i < POSES; i++) {
            poses[i] = test_pose_over(&random, &s.info[1], test_sets[n].turns, i);
        }
        compare_scene(bench, &s, poses, n);
        range_free_scene(&s);
    }
}

/* Poses about as large as those of most programs, where nothing is left to the processor. */
static void test_ordinary(void **state)
{
    prepare_bench *bench = *state;
    test_random random = {12900};
    range_scene s;
    tumble_pose poses[POSES];
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        test_make_soup(&mesh, &random, 30, 0.5);
        range_set_model(&s, k, bench->on.context, &mesh, NULL);
    }
    const size_t left = bench->left;
    for (size_t i = 0; i < POSES; i++) {
        poses[i] = test_rational_turn(&random);
        for (int k = 0; k < 3; k++) {
            poses[i].m[k][3] = test_random_range(&random, -4, 4);
        }
    }
    compare_scene(bench, &s, poses, 0);
    assert_int_equal(bench->left, left);
    range_free_scene(&s);
}

/* A matrix that may be a pose, but is not plainly one, is left to the processor: tests of the check's every part. */
static void test_matrices(void **state)
{
    prepare_bench *bench = *state;
    test_random random = {12901};
    range_scene s;
    tumble_pose poses[POSES];
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        test_make_soup(&mesh, &random, 5, 0.5);
        range_set_model(&s, k, bench->on.context, &mesh, NULL);
    }
    for (size_t i = 0; i < POSES; i++) {
        const size_t entry = i % 12;
        poses[i] = tumble_pose_identity();
        poses[i].m[entry / 4][entry % 4] += i < 12 ? 2e-6 : i < 24 ? 4e-6 : i < 36 ? NAN : INFINITY;
    }
    memset(&poses[39], 0, sizeof poses[39]);
    poses[38] = tumble_pose_identity();
    poses[38].m[0][0] = -1; /* a mirror image */
    compare_scene(bench, &s, poses, 0);
    range_free_scene(&s);
}

static void test_hard_branches_were_taken(void **state)
{
    const prepare_bench *bench = *state;
    print_message("%zu walked, %zu apart, %zu left\n", bench->walked, bench->apart, bench->left);
    assert_true(bench->walked > 100 && bench->apart > 20 && bench->left > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_range),
        cmocka_unit_test(test_difficult_sets),
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_hard_branches_were_taken),
    };
    return DEVICE_RUN(tests, begin, end);
}
