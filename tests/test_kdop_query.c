/* Queries of k-DOP trees: modes, counters, instruction sets, and the memory that a query keeps from one to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/kdop/walk.h"
#include "kdop_cases.h"

/* ---- Scenes ---- */

/* Two models of one k, and what brute force says of them. */
typedef struct scene {
    tumble_model *models[2], *brute[2];
    tumble_pose pose;
    test_pairs expected;
} scene;

static scene make_scene(test_world *w, const tumble_model_options *options_a, const tumble_model_options *options_b,
                        const char *first, const char *second, size_t triangles)
{
    scene s = {0};
    const char *const shapes[2] = {first, second};
    const tumble_model_options *options[2] = {options_a, options_b};
    for (int k = 0; k < 2; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[k], triangles));
        models_fit(&mesh, 2, k);
        s.models[k] = test_model(w->context, &mesh, options[k]);
        s.brute[k] = test_brute_model(w->context, &mesh);
        models_free(&mesh);
    }
    test_random random = {triangles};
    s.pose = test_rational_turn(&random);
    s.pose.m[0][3] = 0.3;
    test_collide(w->query, s.brute[0], NULL, s.brute[1], &s.pose, NULL, &s.expected);
    assert_true(s.expected.count > 0);
    return s;
}

static void drop_scene(scene *s)
{
    for (int k = 0; k < 2; k++) {
        tumble_model_destroy(s->models[k]);
        tumble_model_destroy(s->brute[k]);
    }
    test_free_pairs(&s->expected);
}

static tumble_status collide(tumble_query *query, const scene *s, const tumble_collide_options *options,
                             tumble_collide_result *result)
{
    *result = (tumble_collide_result){0};
    return tumble_collide(query, s->models[0], NULL, s->models[1], &s->pose, options, result);
}

/* All ways of walking that need no data: 12. */
static tumble_kdop_walk plain_walk(int number)
{
    return (tumble_kdop_walk){.tumble = number & 1 ? TUMBLE_KDOP_TUMBLE_AXES : TUMBLE_KDOP_TUMBLE_UNIT,
                              .mixed = number & 2 ? TUMBLE_KDOP_MIXED_PRIMITIVES : TUMBLE_KDOP_MIXED_VOLUMES,
                              .traversal = (tumble_kdop_traversal)(number / 4 % 3)};
}

/* ---- Modes ---- */

typedef struct received {
    tumble_pair *pairs;
    size_t count, capacity, contacts, batches;
    size_t stop_after; /* 0: never */
} received;

static bool receive(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                    size_t contact_count)
{
    received *r = user;
    if (r->count + pair_count > r->capacity) {
        r->capacity = 2 * (r->count + pair_count);
        r->pairs = realloc(r->pairs, r->capacity * sizeof *r->pairs);
        assert_non_null(r->pairs);
    }
    memcpy(r->pairs + r->count, pairs, pair_count * sizeof *pairs);
    r->count += pair_count;
    r->contacts += contact_count;
    r->batches++;
    assert_true(contact_count == 0 || contacts);
    return r->stop_after && r->count >= r->stop_after;
}

static int compare_pairs(const void *a, const void *b)
{
    const tumble_pair *p = a, *q = b;
    if (p->polygon_a != q->polygon_a) {
        return p->polygon_a < q->polygon_a ? -1 : 1;
    }
    return p->polygon_b < q->polygon_b ? -1 : p->polygon_b > q->polygon_b;
}

static void check_modes(test_world *w, const scene *s, const tumble_kdop_walk *walk)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result, brute = {0};
    test_tune(options, kdop_walk, *walk);
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_FIRST; mode++) {
        options.mode = (tumble_mode)mode;
        assert_int_equal(collide(w->query, s, &options, &result), TUMBLE_OK);
        assert_true(result.collide == 1 && result.pair_count == 1 && test_has_pair(&s->expected, result.first));
    }
    options.mode = TUMBLE_ALL;
    received r = {0};
    options.callback = receive;
    options.callback_user = &r;
    assert_int_equal(collide(w->query, s, &options, &result), TUMBLE_OK);
    assert_int_equal(r.count, s->expected.count);
    qsort(r.pairs, r.count, sizeof *r.pairs, compare_pairs);
    assert_memory_equal(r.pairs, s->expected.items, r.count * sizeof *r.pairs);
    r.count = 0, r.stop_after = 1 + s->expected.count / 2;
    assert_int_equal(collide(w->query, s, &options, &result), TUMBLE_ERROR_CANCELLED);
    free(r.pairs);
    options.callback = NULL;

    enum {
        ROOM = 4000
    };
    tumble_contact *contacts = malloc(2 * ROOM * sizeof *contacts);
    assert_non_null(contacts);
    options.contacts = contacts, options.contact_capacity = ROOM;
    assert_int_equal(collide(w->query, s, &options, &result), TUMBLE_OK);
    options.contacts = contacts + ROOM;
    assert_int_equal(tumble_collide(w->query, s->brute[0], NULL, s->brute[1], &s->pose, &options, &brute), TUMBLE_OK);
    assert_true(result.contact_count == brute.contact_count && brute.contact_count <= ROOM);
    assert_memory_equal(contacts, contacts + ROOM, (size_t)brute.contact_count * sizeof *contacts);
    free(contacts);
}

static void test_modes(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options a = test_kdop_options(test_kdops[i], test_kdop_leaves[i], 0, 0),
                                   b = test_kdop_options(test_kdops[i], test_kdop_leaves[(i + 2) % 5], 0, 0);
        scene s = make_scene(w, &a, &b, i % 2 ? "torus" : "prism", "knot", 400);
        for (int n = 0; n < 12; n++) {
            const tumble_kdop_walk walk = plain_walk(n);
            check_modes(w, &s, &walk);
        }
        drop_scene(&s);
    }
}

/* Far apart: one k-DOP is tumbled and one comparison made. */
static void test_apart(void **state)
{
    test_world *w = *state;
    const tumble_model_options options = test_kdop_options(18, 1, 0, 0);
    scene s = make_scene(w, &options, &options, "torus", "torus", 300);
    s.pose.m[0][3] = 10;
    for (int n = 0; n < 12; n++) {
        tumble_collide_options query = tumble_default_collide_options();
        tumble_collide_result result;
        test_tune(query, kdop_walk, plain_walk(n));
        assert_int_equal(collide(w->query, &s, &query, &result), TUMBLE_OK);
        assert_true(!result.collide && result.counters.box_tests == 1 && result.counters.box_updates == 1 &&
                    result.counters.primitive_tests == 0);
    }
    drop_scene(&s);
}

/* ---- Instruction sets ---- */

/* The same pairs in the same order with the same counters. */
static void test_instruction_sets(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_open_levels(&w->memory, contexts, queries);
    test_random random = {1};
    for (int i = 0; i < 2 * TEST_KDOPS; i++) {
        const tumble_model_options a = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]),
                                   b = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]);
        scene s = make_scene(w, &a, &b, "knot", "gear", 600);
        for (size_t n = 0; n < test_count(20); n++) {
            received r[3] = {{0}, {0}, {0}};
            tumble_collide_result results[3];
            tumble_collide_options options = tumble_default_collide_options();
            test_tune(options, kdop_walk, test_any_walk(&random, s.models[1], 0.1));
            options.mode = n % 4 == 3 ? TUMBLE_FIRST : TUMBLE_ALL;
            options.callback = receive;
            s.pose = test_special_turn(&random, test_kdops[i % TEST_KDOPS]);
            s.pose.m[n % 3][3] = test_random_range(&random, -1.5, 1.5);
            for (int level = 0; level < 3; level++) {
                options.callback_user = &r[level];
                assert_int_equal(collide(queries[level], &s, &options, &results[level]), TUMBLE_OK);
                assert_true(test_same_work(&results[0].counters, &results[level].counters));
                assert_int_equal(r[0].count, r[level].count);
                assert_true(r[0].count == 0 ||
                            memcmp(r[0].pairs, r[level].pairs, r[0].count * sizeof *r[0].pairs) == 0);
            }
            for (int level = 0; level < 3; level++) {
                free(r[level].pairs);
            }
        }
        drop_scene(&s);
    }
    test_close_levels(contexts, queries);
}

/* ---- Counters ---- */

/* Nodes of B that the last walk has marked. */
static size_t marked_nodes(tumble_query *query, const tumble_model *b)
{
    const tmb_kdop_mark *marks = tmb_kdop_scratch_of(query)->marks.data;
    size_t count = 0;
    for (size_t i = 0; i <= b->block->node_count; i++) {
        count += marks[i].walk == tmb_kdop_scratch_of(query)->mark_walk;
    }
    return count;
}

/* No node is tumbled twice, whatever the order; those that are tumbled are those that are marked. No two triangles are
 * compared twice. */
static void test_updates(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options options = test_kdop_options(test_kdops[i], i % 2 ? 3 : 1, 0, 0);
        scene s = make_scene(w, &options, &options, "gear", "knot", 700);
        uint64_t updates[3];
        for (int n = 0; n < 12; n++) {
            tumble_collide_options query = tumble_default_collide_options();
            tumble_collide_result result;
            test_tune(query, kdop_walk, plain_walk(n));
            assert_int_equal(collide(w->query, &s, &query, &result), TUMBLE_OK);
            const uint64_t nodes = s.models[1]->block->node_count;
            assert_true(result.counters.box_updates > nodes / 50 && result.counters.box_updates <= nodes);
            assert_int_equal(result.counters.box_updates, marked_nodes(w->query, s.models[1]));
            assert_true(result.counters.primitive_tests >= s.expected.count);
            assert_true(result.counters.primitive_tests <
                        s.models[0]->block->triangle_count * s.models[1]->block->triangle_count / 4);
            assert_true(result.counters.box_tests >= result.counters.box_updates);
            updates[n / 4] = result.counters.box_updates;
        }
        /* restarting leaves a node of B only when it meets a leaf of A, as the walk that goes down A first does, which
         * also asks triangles of a leaf when there are several */
        assert_true(i % 2 ? updates[0] <= updates[1] : updates[0] == updates[1]);
        drop_scene(&s);
    }
}

/* A point of B at a distance of 1 from a point of A, along one of the directions or along any other. */
static void test_epsilon(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options options = test_kdop_options(test_kdops[i], 1, 0, 0);
        models_mesh mesh = {0};
        const uint32_t point = models_point(&mesh, 0.25, 0.5, 0.75);
        models_triangle(&mesh, point, point, point);
        tumble_model *model = test_model(w->context, &mesh, &options);
        for (uint32_t l = 0; l < 2 * test_kdops[i]; l++) {
            double d[3];
            tmb_kdop_lane(tmb_kdop_set_of(test_kdops[i]), l % test_kdops[i], d);
            const int known = l < test_kdops[i];
            for (int k = 0; !known && k < 3; k++) {
                d[k] = test_random_range(&random, -1, 1);
            }
            const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            const tumble_pose pose = test_translation(d[0] / length, d[1] / length, d[2] / length);
            for (int n = 0; n < 24; n++) {
                tumble_collide_options query = tumble_default_collide_options();
                tumble_collide_result result;
                test_tune(query, kdop_walk, plain_walk(n / 2));
                test_tune(query, kdop_walk.epsilon, n % 2 ? 1.0001 : 0.9999);
                assert_int_equal(tumble_collide(w->query, model, NULL, model, &pose, &query, &result), TUMBLE_OK);
                assert_true(result.collide == 0);
                if (n % 2) {
                    assert_int_equal(result.counters.primitive_tests, 1);
                } else if (known) {
                    assert_int_equal(result.counters.primitive_tests, 0);
                }
            }
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* When everything counts as overlapping, an inner node of B that restarts goes straight down to one leaf of A and no
 * further. */
static void check_restarts(test_world *w, const scene *s, int number)
{
    const tmb_block *a = s->models[0]->block, *b = s->models[1]->block;
    tumble_collide_options query = tumble_default_collide_options();
    tumble_collide_result result;
    test_tune(query, kdop_walk, plain_walk(number));
    test_tune(query, kdop_walk.epsilon, 1e6);
    assert_int_equal(collide(w->query, s, &query, &result), TUMBLE_OK);
    const uint64_t inner_b = b->node_count / 2;
    assert_int_equal(result.counters.box_updates, b->node_count);
    if (query.tuning->kdop_walk.traversal == TUMBLE_KDOP_TRAVERSAL_RESTART) {
        assert_true(result.counters.box_tests <= (inner_b + 1) * a->node_count + inner_b * (2 * a->depth + 1));
    }
}

/* The larger epsilon is, the more there is to do, up to everything. */
static void test_growing_epsilon(void **state)
{
    test_world *w = *state;
    const tumble_model_options options = test_kdop_options(14, 1, 0, 0);
    scene s = make_scene(w, &options, &options, "torus", "sphere", 150);
    for (int n = 0; n < 12; n++) {
        uint64_t before = 0;
        for (double epsilon = 0; epsilon<1e17; epsilon = epsilon> 0 ? 10 * epsilon : 1e-5) {
            tumble_collide_options query = tumble_default_collide_options();
            tumble_collide_result result;
            test_tune(query, kdop_walk, plain_walk(n));
            test_tune(query, kdop_walk.epsilon, epsilon);
            assert_int_equal(collide(w->query, &s, &query, &result), TUMBLE_OK);
            assert_int_equal(result.pair_count, s.expected.count);
            assert_true(result.counters.primitive_tests >= before);
            before = result.counters.primitive_tests;
        }
        assert_int_equal(before, s.models[0]->block->triangle_count * s.models[1]->block->triangle_count);
        check_restarts(w, &s, n);
    }
    drop_scene(&s);
}

/* ---- One query for everything ---- */

enum {
    SCENES = 8
};

/* Models of all k and sizes in turns: what one walk leaves behind never disturbs the next, also when the count of walks
 * starts again. */
static void test_shared_query(void **state)
{
    test_world *w = *state;
    scene scenes[SCENES];
    test_random random = {3};
    tumble_query *query;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    for (int i = 0; i < SCENES; i++) {
        const tumble_model_options a = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]),
                                   b = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]);
        scenes[i] = make_scene(w, &a, &b, "torus", i % 2 ? "knot" : "soup", i ? (size_t)60 << i % 4 : 12);
    }
    test_pairs found = {0};
    size_t starts = 0;
    for (size_t n = 0; n < 1000; n++) {
        const size_t i = n < SCENES ? n : test_random_bits(&random) % SCENES;
        const scene *s = &scenes[i];
        const uint32_t last = tmb_kdop_scratch_of(query)->mark_walk;
        tumble_collide_options options = tumble_default_collide_options();
        test_tune(options, kdop_walk, test_any_walk(&random, s->models[1], 0.01));
        const tumble_collide_result result =
            test_collide(query, s->models[0], NULL, s->models[1], &s->pose, &options, &found);
        test_assert_same_pairs(&found, &s->expected, "scene %zu after %zu queries, %s", i, n,
                               test_walk_name(&options.tuning->kdop_walk));
        assert_int_equal(result.counters.box_updates, marked_nodes(query, s->models[1]));
        starts += tmb_kdop_scratch_of(query)->mark_walk < last;
        if (n % 100 == 50) {
            tmb_kdop_scratch_of(query)->mark_walk = UINT32_MAX - 3; /* as after four billion walks */
        }
    }
    assert_true(starts >= 10);
    test_free_pairs(&found);
    for (int i = 0; i < SCENES; i++) {
        drop_scene(&scenes[i]);
    }
    tumble_query_destroy(query);
}

/* Marks of before the count of walks started again are not taken for those of a later walk. */
static void test_old_marks(void **state)
{
    test_world *w = *state;
    const tumble_model_options options = test_kdop_options(18, 1, 0, 0);
    scene s = make_scene(w, &options, &options, "torus", "knot", 300);
    test_pairs found = {0};
    tumble_pose poses[4];
    test_pairs expected[4] = {{0}};
    test_random random = {4};
    for (int n = 0; n < 4; n++) {
        poses[n] = test_rational_turn(&random);
        test_collide(w->query, s.brute[0], NULL, s.brute[1], &poses[n], NULL, &expected[n]);
        test_collide(w->query, s.brute[0], NULL, s.brute[1], &poses[n], NULL, &found); /* has room from now on */
    }
    tumble_query *query;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    for (int n = 0; n < 16; n++) { /* walks 1 to 5 three times over */
        test_collide(query, s.models[0], NULL, s.models[1], &poses[n % 3], NULL, &found);
        test_assert_same_pairs(&found, &expected[n % 3], "walk %u", tmb_kdop_scratch_of(query)->mark_walk);
        if (n % 5 == 4) {
            assert_int_equal(tmb_kdop_scratch_of(query)->mark_walk, 5);
            tmb_kdop_scratch_of(query)->mark_walk = UINT32_MAX;
        }
    }
    tumble_query_destroy(query);
    for (int n = 0; n < 4; n++) {
        test_free_pairs(&expected[n]);
    }
    test_free_pairs(&found);
    drop_scene(&s);
}

/* ---- Memory ---- */

/* Once it has seen the largest of its models a query asks for no more. */
static void test_warm(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options options = test_kdop_options(test_kdops[i], 1, 0, 0);
        scene s = make_scene(w, &options, &options, "torus", "knot", 500);
        tumble_query *query;
        tumble_collide_options wanted = tumble_default_collide_options();
        tumble_collide_result result;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        for (int warm = 0; warm < 2; warm++) {
            test_allocator_fail(&w->memory, (size_t)warm, 1);
            for (int n = 0; n < 12; n++) {
                test_tune(wanted, kdop_walk, plain_walk(n));
                wanted.mode = (tumble_mode)(n % 4);
                assert_int_equal(collide(query, &s, &wanted, &result), TUMBLE_OK);
            }
            assert_int_equal(warm ? test_allocator_calls(&w->memory) : 0, 0);
        }
        test_allocator_fail(&w->memory, 0, 0);
        tumble_query_destroy(query);
        drop_scene(&s);
    }
}

/* The n-th allocation of a query fails, for every n, and after it the query is as good as before. */
static void test_no_memory(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options a = test_kdop_options(test_kdops[i], 1, 0, 0);
        scene s = make_scene(w, &a, &a, "torus", "knot", 300);
        for (int walk = 0; walk < 12; walk += 3) {
            size_t n = 1;
            for (int failed = 1; failed; n++) {
                tumble_query *query;
                tumble_collide_options options = tumble_default_collide_options();
                tumble_collide_result result;
                test_tune(options, kdop_walk, plain_walk(walk));
                assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
                test_allocator_fail(&w->memory, n, walk % 2);
                const tumble_status status = collide(query, &s, &options, &result);
                failed = test_allocator_failures(&w->memory) > 0;
                test_allocator_fail(&w->memory, 0, 0);
                test_assert_status(w->context, status, failed ? TUMBLE_ERROR_MEMORY : TUMBLE_OK, "out of memory for ");
                assert_int_equal(collide(query, &s, &options, &result), TUMBLE_OK);
                assert_int_equal(result.pair_count, s.expected.count);
                tumble_query_destroy(query);
            }
            assert_true(n > 8); /* marks, tables, the stack, pairs, and slots several times */
        }
        drop_scene(&s);
    }
}

/* The same for models: with all that they can keep. */
static void test_no_memory_to_build(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "shards", 120));
    const tumble_mesh view = models_view(&mesh);
    for (int i = 0; i < 3 * TEST_KDOPS; i++) {
        tumble_model_options options = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]);
        test_tune(options, kdop.tumble, (tumble_kdop_tumble)(i / TEST_KDOPS));
        test_tune(options, kdop.hull, 1 + (uint32_t)i % 3);
        tumble_model *expected = test_model(w->context, &mesh, &options);
        size_t n = 1;
        for (int failed = 1; failed; n++) {
            const size_t live = test_allocator_live(&w->memory);
            tumble_model *model = NULL;
            test_allocator_fail(&w->memory, n, i % 2);
            const tumble_status status = tumble_model_create(w->context, &view, &options, &model);
            failed = test_allocator_failures(&w->memory) > 0;
            test_allocator_fail(&w->memory, 0, 0);
            test_assert_status(w->context, status, failed ? TUMBLE_ERROR_MEMORY : TUMBLE_OK, "out of memory for ");
            assert_int_equal(model != NULL, status == TUMBLE_OK);
            if (model) {
                assert_memory_equal(model->block, expected->block, model->block->total_bytes);
            }
            tumble_model_destroy(model);
            assert_int_equal(test_allocator_live(&w->memory), live);
        }
        assert_true(n > 5);
        tumble_model_destroy(expected);
    }
    models_free(&mesh);
}

/* ---- What does not fit together ---- */

/* Trees of different k, and hierarchies of different kinds, are compared by their boxes. */
static void test_mixed(void **state)
{
    test_world *w = *state;
    tumble_model_options options[TEST_KDOPS + 3];
    for (int i = 0; i < TEST_KDOPS; i++) {
        options[i] = test_kdop_options(test_kdops[i], test_kdop_leaves[i], 0, 0);
    }
    options[TEST_KDOPS] = test_tree_variant(5);
    options[TEST_KDOPS + 1] = test_tree_variant(TEST_TREE_WIDE);
    options[TEST_KDOPS + 2] = tumble_default_model_options();
    options[TEST_KDOPS + 2].hierarchy = TUMBLE_HIERARCHY_BRUTE;
    test_pairs found = {0};
    for (int i = 0; i < TEST_KDOPS + 3; i++) {
        for (int j = 0; j < TEST_KDOPS + 3; j++) {
            scene s = make_scene(w, &options[i], &options[j], "torus", "knot", 80);
            const tumble_collide_result result =
                test_collide(w->query, s.models[0], NULL, s.models[1], &s.pose, NULL, &found);
            test_assert_same_pairs(&found, &s.expected, "models %d and %d", i, j);
            assert_true((result.counters.box_tests == 0) == (i == j && i == TEST_KDOPS + 2));
            drop_scene(&s);
        }
    }
    test_free_pairs(&found);
}

static void refuse_model(test_world *w, const models_mesh *mesh, const tumble_kdop_options *kdop, const char *words)
{
    const tumble_mesh view = models_view(mesh);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    test_tune(options, kdop, *kdop);
    tumble_model *model = (tumble_model *)w;
    test_assert_status(w->context, tumble_model_create(w->context, &view, &options, &model), TUMBLE_ERROR_ARGUMENT,
                       words);
    assert_null(model);
}

static void test_refusals(void **state)
{
    test_world *w = *state;
    const tumble_kdop_options good = tumble_default_tuning().kdop;
    const tumble_model_options options = test_kdop_options(18, 1, 0, 0);
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 50));
#define REFUSE(field, value, words)          \
    do {                                     \
        tumble_kdop_options bad = good;      \
        bad.field = value;                   \
        refuse_model(w, &mesh, &bad, words); \
    } while (0)
    REFUSE(k, 0, "k is 0");
    REFUSE(k, 8, "k is 8");
    REFUSE(leaf, 0, "1 to 255");
    REFUSE(leaf, 256, "1 to 255");
    REFUSE(split, (tumble_kdop_split)4, "invalid value");
    REFUSE(at, (tumble_kdop_at)3, "invalid value");
    REFUSE(tumble, (tumble_kdop_tumble)5, "invalid value");
#undef REFUSE
    scene s = make_scene(w, &options, &options, "torus", "knot", 100);
    tumble_collide_result result;
    tumble_collide_options query = tumble_default_collide_options();
    const tumble_kdop_walk bad[] = {
        {.tumble = (tumble_kdop_tumble)5}, {.root = (tumble_kdop_root)3}, {.traversal = (tumble_kdop_traversal)3},
        {.mixed = (tumble_kdop_mixed)2},   {.epsilon = -1e-300},          {.epsilon = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        test_tune(query, kdop_walk, bad[i]);
        test_assert_status(w->context, collide(w->query, &s, &query, &result), TUMBLE_ERROR_ARGUMENT, "invalid value");
    }
    const tumble_kdop_walk absent[] = {{.tumble = TUMBLE_KDOP_TUMBLE_LOOKUP},
                                       {.tumble = TUMBLE_KDOP_TUMBLE_VERTICES},
                                       {.root = TUMBLE_KDOP_ROOT_HULL}};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        test_tune(query, kdop_walk, absent[i]);
        test_assert_status(w->context, collide(w->query, &s, &query, &result), TUMBLE_ERROR_UNSUPPORTED, "B lacks");
    }
    test_tune(query, kdop_walk, (tumble_kdop_walk){.epsilon = INFINITY}); /* everything counts as overlapping */
    assert_int_equal(collide(w->query, &s, &query, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, s.expected.count);
    drop_scene(&s);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_modes),
        TEST_IN_WORLD(test_apart),
        TEST_IN_WORLD(test_instruction_sets),
        TEST_IN_WORLD(test_updates),
        TEST_IN_WORLD(test_epsilon),
        TEST_IN_WORLD(test_growing_epsilon),
        TEST_IN_WORLD(test_shared_query),
        TEST_IN_WORLD(test_old_marks),
        TEST_IN_WORLD(test_warm),
        TEST_IN_WORLD(test_no_memory),
        TEST_IN_WORLD(test_no_memory_to_build),
        TEST_IN_WORLD(test_mixed),
        TEST_IN_WORLD(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
