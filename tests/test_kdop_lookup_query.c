/* Whole queries on k-DOPs tumbled by lookup: what brute force finds, with the same bits on every instruction set;
 * damaged blocks, and memory that runs out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/kdop/walk.h"
#include "kdop_cases.h"
#include "tree/block.h"

/* ---- Whole queries ---- */

/* The same models in contexts for each instruction set. */
typedef struct level_models {
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *models[TEST_LEVELS];
} level_models;

/* All that was tumbled is still in the query's memory: the same bits. */
static void assert_same_tumbled(const level_models *m, int level, uint32_t k, const tumble_counters *counters)
{
    const size_t slot = sizeof(tmb_kdop_slot) + tmb_kdop_lanes(k) * sizeof(float);
    assert_memory_equal(tmb_kdop_scratch_of(m->queries[0])->tumbled.data,
                        tmb_kdop_scratch_of(m->queries[level])->tumbled.data, (size_t)counters->box_updates * slot);
}

/* One that takes some direction to the edge of a ring around it, or to where it is as near to another. */
static tumble_pose ring_turn(test_random *random, uint32_t k)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    double d[3], e[3], across[3];
    tmb_kdop_lane(set, (uint32_t)test_random_whole(random, 0, (int)k - 1), d);
    tmb_kdop_lane(set, (uint32_t)test_random_whole(random, 0, (int)k - 1), e);
    test_random_across(random, d, across);
    const double angle = test_angle(d, e);
    if (angle > 0.1 && angle < 3 && test_random_chance(random, 0.5)) {
        const double normal[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]};
        return test_turn(normal, angle / 2);
    }
    return test_turn(across, acos(set->cover) * test_random_whole(random, 0, TMB_KDOP_RINGS) / TMB_KDOP_RINGS);
}

static tumble_pose some_pose(test_random *random, const tumble_model_info *info, int turns, uint32_t k, size_t number)
{
    tumble_pose pose = test_pose_over(random, info, turns, number);
    if (!turns || number % 2) {
        return pose;
    }
    double centre[3], before[3], after[3];
    for (int j = 0; j < 3; j++) {
        centre[j] = 0.5 * info->lower[j] + 0.5 * info->upper[j];
    }
    tumble_pose_apply(&pose, centre, before);
    pose = ring_turn(random, k);
    tumble_pose_apply(&pose, centre, after);
    for (int j = 0; j < 3; j++) {
        pose.m[j][3] += before[j] - after[j];
    }
    return pose;
}

typedef struct query_tally {
    size_t queries, pairs, boxes, all;
} query_tally;

static void compare_queries(test_world *w, level_models *m, const tumble_model *brute, const tumble_pose *pose,
                            size_t number, query_tally *t, const char *name)
{
    test_pairs right = {0}, found = {0};
    tumble_collide_options options = tumble_default_collide_options();
    test_tune(options, kdop_walk.tumble, TUMBLE_KDOP_TUMBLE_LOOKUP);
    test_tune(options, kdop_walk.traversal, (tumble_kdop_traversal)(number % 3));
    test_tune(options, kdop_walk.mixed, number % 2 ? TUMBLE_KDOP_MIXED_PRIMITIVES : TUMBLE_KDOP_MIXED_VOLUMES);
    test_tune(options, kdop_walk.root, TUMBLE_KDOP_ROOT_SAME);
    const tumble_collide_result all = test_collide(w->query, brute, NULL, brute, pose, NULL, &right);
    tumble_collide_result first = {0};
    for (int i = 0; i < TEST_LEVELS; i++) {
        const tumble_collide_result r =
            test_collide(m->queries[i], m->models[i], NULL, m->models[i], pose, &options, &found);
        test_assert_same_pairs(&found, &right, "%s, k %u, level %d", name, m->models[i]->block->kdop.k, i);
        if (i == 0) {
            first = r;
        } else {
            assert_true(test_same_work(&r.counters, &first.counters));
            if (test_kdops_suit_floats(m->models[i], NULL, m->models[i], pose, 0)) {
                assert_same_tumbled(m, i, m->models[i]->block->kdop.k, &r.counters);
            }
        }
    }
    t->queries++;
    t->pairs += right.count;
    t->boxes += first.counters.primitive_tests;
    t->all += all.counters.primitive_tests;
    test_free_pairs(&right);
    test_free_pairs(&found);
}

static void test_queries(void **state)
{
    test_world *w = *state;
    test_random random = {4105};
    query_tally t = {0};
    level_models m;
    test_open_levels(&w->memory, m.contexts, m.queries);
    for (size_t i = 0; i < TEST_SETS * TEST_KDOPS; i++) {
        const test_set *set = &test_sets[i / TEST_KDOPS];
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        models_mesh mesh = {0};
        set->make(&mesh, &random, 10 + test_count(50));
        const tumble_model_options options = test_kdop_options(k, i % 2 ? 1 : 3, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
        tumble_model *brute = test_brute_model(w->context, &mesh);
        const tumble_model_info info = test_info(brute);
        for (int level = 0; level < TEST_LEVELS; level++) {
            m.models[level] = test_model(m.contexts[level], &mesh, &options);
            test_assert_same_blocks(m.models[0], m.models[level]);
        }
        for (size_t n = 0; n < test_count(12); n++) {
            const tumble_pose pose = some_pose(&random, &info, set->turns, k, n);
            compare_queries(w, &m, brute, &pose, n, &t, set->name);
        }
        for (int level = 0; level < TEST_LEVELS; level++) {
            tumble_model_destroy(m.models[level]);
        }
        tumble_model_destroy(brute);
        models_free(&mesh);
    }
    test_close_levels(m.contexts, m.queries);
    print_message("  %zu queries, %zu pairs, %zu of %zu pairs of triangles looked at\n", t.queries, t.pairs, t.boxes,
                  t.all);
    assert_true(t.pairs > t.queries && t.boxes < t.all);
}

/* ---- Damaged blocks ---- */

/* A copy of a block in which one word of a record is another. */
static tumble_status load_changed(test_world *w, const tumble_model *model, uint32_t node, uint32_t word, uint32_t bits,
                                  tumble_model **out)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    const tmb_kdop_parts parts = tmb_kdop_parts_of(model->block);
    tmb_block *copy = aligned_alloc(TMB_CACHE_LINE, size);
    assert_non_null(copy);
    memcpy(copy, block, size);
    char *nodes = (char *)copy + copy->offsets[TMB_SECTION_NODES];
    uint32_t *record = (uint32_t *)(nodes + parts.lookups) + (size_t)node * tmb_kdop_lookup_words(copy->kdop.k);
    record[word] = bits;
    copy->checksum = tmb_block_checksum(copy);
    const tumble_status status = tumble_model_from_block(w->context, copy, size, 1, out);
    free(copy);
    return status;
}

static void test_damage(void **state)
{
    test_world *w = *state;
    static const uint32_t bad[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x40800001, 0xbf800000, 0x7f7fffff};
    models_mesh mesh = {0};
    test_random random = {4106};
    test_make_soup(&mesh, &random, 40, 0.5);
    const tumble_model_options options = test_kdop_options(14, 1, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
    tumble_model *model = test_model(w->context, &mesh, &options), *loaded = NULL;
    const uint32_t words = tmb_kdop_lookup_words(14);
    for (uint32_t node = 1; node <= model->block->node_count; node += 6) {
        for (uint32_t word = 0; word < words; word++) {
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                if (word >= TMB_KDOP_LOOKUP_LANES || bad[i] != 0xbf800000) { /* -1 is a coordinate */
                    test_assert_status(w->context, load_changed(w, model, node, word, bad[i], &loaded),
                                       TUMBLE_ERROR_FORMAT, "lookup record");
                }
            }
        }
        /* Any ring and length in range is taken, and read without harm. */
        assert_int_equal(
            load_changed(w, model, node, words - 1, (uint32_t)test_random_bits(&random) & 0x3fffffff, &loaded),
            TUMBLE_OK);
        test_pairs found = {0};
        test_collide(w->query, loaded, NULL, loaded, NULL, NULL, &found);
        test_free_pairs(&found);
        tumble_model_destroy(loaded);
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Memory ---- */

static tumble_status create_and_ask(test_world *w, void *user)
{
    const tumble_mesh *mesh = user;
    const tumble_model_options options = test_kdop_options(18, 1, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
    tumble_collide_result result;
    tumble_model *model = NULL;
    tumble_query *query = NULL;
    tumble_status status = tumble_model_create(w->context, mesh, &options, &model);
    if (status == TUMBLE_OK) {
        status = tumble_query_create(w->context, &query);
    }
    if (status == TUMBLE_OK) {
        status = tumble_collide(query, model, NULL, model, NULL, NULL, &result);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {4107};
    test_make_soup(&mesh, &random, 300, 0.3);
    tumble_mesh view = models_view(&mesh);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, create_and_ask, NULL, &view) > 5);
    models_free(&mesh);
}

/* Once a query has been asked, it asks for no more memory, also when k and the way of tumbling change. */
static void test_warm(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {4108};
    test_make_soup(&mesh, &random, 300, 0.3);
    tumble_model *models[2];
    for (int i = 0; i < 2; i++) {
        const tumble_model_options options = test_kdop_options(i ? 26 : 12, 1, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
        models[i] = test_model(w->context, &mesh, &options);
    }
    for (int round = 0; round < 3; round++) {
        test_allocator_fail(&w->memory, 0, 0);
        for (int i = 0; i < 4; i++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.mode = TUMBLE_TEST;
            test_tune(options, kdop_walk.tumble, i < 2 ? TUMBLE_KDOP_TUMBLE_LOOKUP : TUMBLE_KDOP_TUMBLE_UNIT);
            assert_int_equal(tumble_collide(w->query, models[i % 2], NULL, models[i % 2], NULL, &options, &result),
                             TUMBLE_OK);
        }
        assert_true(round == 0 || test_allocator_calls(&w->memory) == 0);
    }
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_queries),
        TEST_IN_WORLD(test_damage),
        TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
