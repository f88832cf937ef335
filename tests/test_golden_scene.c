/* One number for the answers about a fixed scene in motion, and one for its candidates: the same for every method,
 * number of threads, instruction set, compiler and optimisation. Scenes are made with sums, products, quotients and
 * integers alone. A change of the first number is a change of answers; one of the second, of boxes. */
#include <string.h>

#include "scenes.h"

#define GOLDEN_ANSWERS UINT64_C(0x5c798c97f23c391f)
#define GOLDEN_CANDIDATES UINT64_C(0x38bd5d59f15df460)

enum {
    MODELS = 4,
    OBJECTS = 48,
    STEPS = 14
};

static void hash_number(uint64_t *hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) { /* FNV-1a, of the bytes from the lowest on */
        *hash = (*hash ^ (number >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
    }
}

static void make_models(tumble_context *context, tumble_model *models[MODELS])
{
    test_random random = {3};
    for (int i = 0; i < MODELS; i++) {
        const double zero[3] = {0, 0, 0};
        models_mesh mesh = {0};
        if (i == 0) {
            test_make_grid_box(&mesh, 2);
            test_transform(&mesh, 0.5, zero);
        } else if (i == 1) {
            test_make_lattice(&mesh, &random, 30, 8, 4, 0.2);
            test_transform(&mesh, 0.125, zero);
        } else {
            test_make_soup(&mesh, &random, (size_t)i * 12, 0.5);
        }
        models[i] = test_model(context, &mesh, NULL);
        models_free(&mesh);
    }
}

static tumble_pose make_pose(test_random *random, int step)
{
    tumble_pose pose = step % 3 ? test_rational_turn(random) : test_quarter_turn((size_t)step);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = test_random_whole(random, -24, 24) / (step % 2 ? 8.0 : 7.0);
    }
    return pose;
}

static void hash_candidates(uint64_t *hash, tumble_scene *scene)
{
    const tumble_object_pair *pairs;
    size_t count;
    assert_int_equal(tumble_scene_candidates(scene, &pairs, &count), TUMBLE_OK);
    hash_number(hash, count);
    for (size_t i = 0; i < count; i++) {
        hash_number(hash, (uint64_t)pairs[i].a.index << 32 | pairs[i].b.index);
    }
}

static void hash_answer(uint64_t *hash, tumble_query *query, tumble_scene *scene, tumble_scene_mode mode)
{
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    q.mode = mode;
    q.within = 0.5;
    q.clearance = mode == TUMBLE_SCENE_COUNT ? 0.125 : 0;
    assert_int_equal(tumble_scene_collide(query, scene, &q, &answer), TUMBLE_OK);
    hash_number(hash, answer.touch);
    hash_number(hash, answer.meeting_count);
    hash_number(hash, answer.ended_count);
    for (size_t i = 0; i < answer.meeting_count; i++) {
        const tumble_meeting *m = &answer.meetings[i];
        uint64_t distance;
        memcpy(&distance, &m->nearest.distance, sizeof distance);
        hash_number(hash, (uint64_t)m->a.index << 32 | m->b.index);
        hash_number(hash, (uint64_t)m->event << 32 | (uint64_t)m->relation);
        hash_number(hash, m->pair_count);
        hash_number(hash, mode >= TUMBLE_SCENE_DISTANCE ? distance : 0);
        for (uint64_t k = 0; mode == TUMBLE_SCENE_ALL && k < m->pair_count; k++) {
            hash_number(hash, (uint64_t)m->pairs[k].polygon_a << 32 | m->pairs[k].polygon_b);
        }
    }
}

static void move(tumble_scene *scene, const tumble_object ids[OBJECTS], test_random *random, int step)
{
    for (int i = step % 5; i < OBJECTS; i += step % 4 ? 11 : 1) { /* few, or nearly all */
        const tumble_pose pose = make_pose(random, step);
        assert_int_equal(tumble_scene_move(scene, &ids[i], &pose, 1), TUMBLE_OK);
    }
}

static void hash_life(test_world *w, const tumble_scene_options *options, int level, uint64_t hashes[2])
{
    tumble_context *context = test_context(&w->memory, 1, (tumble_simd)(TUMBLE_SIMD_SCALAR + level));
    tumble_query *query;
    tumble_scene *scene;
    tumble_model *models[MODELS];
    tumble_object ids[OBJECTS];
    test_random random = {11};
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(context, options, &scene), TUMBLE_OK);
    make_models(context, models);
    for (int i = 0; i < OBJECTS; i++) {
        tumble_part part = tumble_default_part();
        part.model = models[i % MODELS];
        part.pose = make_pose(&random, i);
        part.clearance = i % 7 ? 0 : 0.25;
        assert_int_equal(tumble_scene_add(scene, &part, 1, &ids[i]), TUMBLE_OK);
    }
    hashes[0] = hashes[1] = UINT64_C(0xcbf29ce484222325);
    for (int step = 0; step < STEPS; step++) {
        hash_candidates(&hashes[1], scene);
        hash_answer(&hashes[0], query, scene, (tumble_scene_mode)(step % (TUMBLE_SCENE_NEAREST + 1)));
        move(scene, ids, &random, step);
    }
    tumble_scene_destroy(scene);
    for (int i = 0; i < MODELS; i++) {
        assert_int_equal(tumble_model_destroy(models[i]), TUMBLE_OK);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
}

static void test_scenes(void **state)
{
    for (int i = 0; i < 18; i++) {
        const tumble_scene_options options = {.broad = (tumble_broad)(i % 3), .thread_count = i < 9 ? 1 : 3};
        uint64_t hashes[2];
        hash_life(*state, &options, i / 3 % 3, hashes);
        if (hashes[0] != GOLDEN_ANSWERS || hashes[1] != GOLDEN_CANDIDATES) {
            fail_msg("answers 0x%016llx, candidates 0x%016llx: %s, %u threads, level %d", (unsigned long long)hashes[0],
                     (unsigned long long)hashes[1],
                     i % 3 == 0   ? "tree"
                     : i % 3 == 1 ? "sweep"
                                  : "all",
                     options.thread_count, i / 3 % 3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_scenes)};
    return cmocka_run_group_tests_name("golden_scene", tests, NULL, NULL);
}
