/* Collision queries with coherence: the answers are those of queries without, whatever happens between them, and small
 * steps take less work. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "near_cases.h"

/* Two models that move, queries that remember, and one that starts anew each time. */
typedef struct path {
    near_bench *bench;
    tumble_query *fresh;
    tumble_model *a, *b;
    tumble_pose pose_a, pose_b;
    tumble_collide_options options;
    uint64_t hot_tests, fresh_tests;
    size_t steps, hits;
} path;

static path begin_path(near_bench *b, tumble_model *model_a, tumble_model *model_b)
{
    path p = {.bench = b,
              .a = model_a,
              .b = model_b,
              .pose_a = tumble_pose_identity(),
              .pose_b = tumble_pose_identity(),
              .options = tumble_default_collide_options()};
    assert_int_equal(tumble_query_create(b->contexts[0], &p.fresh), TUMBLE_OK);
    p.options.coherence = TUMBLE_COHERENCE_ALL;
    return p;
}

static void end_path(path *p)
{
    tumble_model_destroy(p->a);
    tumble_model_destroy(p->b);
    tumble_query_destroy(p->fresh);
}

static int has_pair(const tumble_collide_result *all, tumble_pair wanted)
{
    for (size_t i = 0; i < all->pair_count; i++) {
        if (all->pairs[i].polygon_a == wanted.polygon_a && all->pairs[i].polygon_b == wanted.polygon_b) {
            return 1;
        }
    }
    return 0;
}

static void check_lists(const tumble_collide_result *found, const tumble_collide_result *truth)
{
    assert_int_equal(found->pair_count, truth->pair_count);
    assert_int_equal(found->contact_count, truth->contact_count);
    assert_int_equal(found->surface_pair_count, truth->surface_pair_count);
    assert_int_equal(!found->pairs, !truth->pairs);
    if (truth->pairs) {
        assert_memory_equal(found->pairs, truth->pairs, truth->pair_count * sizeof *truth->pairs);
    }
    if (truth->contacts) {
        assert_memory_equal(found->contacts, truth->contacts, truth->contact_count * sizeof *truth->contacts);
    }
    for (size_t i = 0; truth->surface_pairs && i < truth->surface_pair_count; i++) {
        assert_int_equal(found->surface_pairs[i].surface_a, truth->surface_pairs[i].surface_a);
        assert_int_equal(found->surface_pairs[i].surface_b, truth->surface_pairs[i].surface_b);
    }
}

/* What is found first may be another pair, but one of those that intersect. */
static void check_first(path *p, const tumble_collide_result *found)
{
    tumble_collide_options all = p->options;
    tumble_collide_result truth;
    all.mode = TUMBLE_ALL;
    all.coherence = TUMBLE_COHERENCE_NONE;
    all.want_contacts = all.want_surfaces = false;
    assert_int_equal(tumble_collide(p->fresh, p->a, &p->pose_a, p->b, &p->pose_b, &all, &truth), TUMBLE_OK);
    assert_true(has_pair(&truth, found->first));
}

/* One step, with the queries of all levels and one that starts anew. */
static tumble_collide_result take_step(path *p)
{
    tumble_collide_options plain = p->options;
    tumble_collide_result truth, found = {0};
    plain.coherence = TUMBLE_COHERENCE_NONE;
    const tumble_status expected = tumble_collide(p->fresh, p->a, &p->pose_a, p->b, &p->pose_b, &plain, &truth);
    for (int level = 0; level < TEST_LEVELS; level++) {
        const uint64_t tests = found.counters.box_tests;
        tumble_query *query = p->bench->queries[level];
        assert_int_equal(tumble_collide(query, p->a, &p->pose_a, p->b, &p->pose_b, &p->options, &found), expected);
        assert_int_equal(found.collide, truth.collide);
        if (p->options.mode == TUMBLE_SURFACES) { /* how many pairs are found on the way depends on the order */
            assert_int_equal(found.surface_pair_count, truth.surface_pair_count);
        } else if (p->options.mode == TUMBLE_FIRST) {
            assert_int_equal(found.pair_count, truth.pair_count);
        } else {
            check_lists(&found, &truth);
        }
        assert_true(level == 0 || found.counters.box_tests == tests);
    }
    if (found.collide) {
        check_first(p, &found);
    }
    p->hot_tests += found.counters.box_tests;
    p->fresh_tests += truth.counters.box_tests;
    p->hits += found.collide;
    p->steps++;
    return found;
}

/* B turns about an axis and lies aside from A. */
static void set_orbit(path *p, double angle, double radius, double scale)
{
    const double axis[3] = {1, 2, 3}, length = sqrt(14), c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int next = (j + 1) % 3 == i, k = 3 - i - j;
            const double cross = i == j ? 0 : (next ? 1 : -1) * axis[k] / length;
            p->pose_b.m[i][j] = scale * ((i == j ? c : 0) + (1 - c) * axis[i] * axis[j] / 14 + s * cross);
        }
    }
    p->pose_b.m[0][3] = radius * cos(angle);
    p->pose_b.m[1][3] = radius * sin(angle);
    p->pose_b.m[2][3] = 0.3 * sin(3 * angle);
}

/* ---- Small steps ---- */

static const struct hierarchies {
    size_t a, b;
} hierarchies[] = {{TEST_TREE_WIDE, TEST_TREE_WIDE},
                   {TEST_TREE_KDOP + 9, TEST_TREE_KDOP + 9},
                   {0, 0},
                   {33, 33},
                   {TEST_TREE_RTREE, TEST_TREE_RTREE},
                   {TEST_TREE_WIDE, 0},
                   {TEST_TREE_KDOP, TEST_TREE_KDOP + 3},
                   {TEST_TREE_RTREE, TEST_TREE_WIDE},
                   {TEST_TREE_KDOP + 4, TEST_TREE_KDOP + 4}};

enum {
    HIERARCHIES = sizeof hierarchies / sizeof *hierarchies
};

/* At least two times fewer box tests, in every mode that examines everything, with and without a clearance. */
static void test_small_steps(void **state)
{
    for (size_t i = 0; i < HIERARCHIES; i++) {
        for (int kind = 0; kind < 3; kind++) {
            path p = begin_path(*state, near_model(*state, "sphere", 2000 + 200 * (size_t)kind, hierarchies[i].a),
                                near_model(*state, "torus", 1500, hierarchies[i].b));
            p.options.mode = kind == 1 ? TUMBLE_COUNT : TUMBLE_ALL;
            p.options.clearance = kind == 2 ? 0.01 : 0;
            p.options.coherence = kind ? TUMBLE_COHERENCE_FRONT : TUMBLE_COHERENCE_ALL;
            for (size_t step = 0; step < test_count(40); step++) {
                set_orbit(&p, 1 + 2e-4 * (double)step, 1.85, 1);
                take_step(&p);
            }
            print_message("%s: %.2f times fewer box tests, %zu hits\n", test_tree_name(hierarchies[i].a),
                          (double)p.fresh_tests / (double)p.hot_tests, p.hits);
            assert_true(p.steps < 40 || 2 * p.hot_tests <= p.fresh_tests);
            end_path(&p);
        }
    }
}

/* Nothing moves: only what was close is compared again. */
static void test_pauses(void **state)
{
    for (size_t i = 0; i < HIERARCHIES; i++) {
        path p = begin_path(*state, near_model(*state, "sphere", 1000, hierarchies[i].a),
                            near_model(*state, "sphere", 1000, hierarchies[i].b));
        set_orbit(&p, 1, 1.99, 1);
        uint64_t first = 0, last = 0;
        for (int step = 0; step < 6; step++) {
            last = take_step(&p).counters.box_tests;
            first = step ? first : last;
        }
        print_message("%s: %zu box tests, then %zu\n", test_tree_name(hierarchies[i].a), (size_t)first, (size_t)last);
        assert_true(2 * last <= first);
        end_path(&p);
    }
}

/* The last pair still meets: nothing else is looked at. */
static void test_last_pair(void **state)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_FIRST};
    for (size_t i = 0; i < HIERARCHIES + 1; i++) {
        const size_t a = i < HIERARCHIES ? hierarchies[i].a : 0, b = i < HIERARCHIES ? hierarchies[i].b : 0;
        path p = begin_path(*state, near_model(*state, "sphere", 600, a), near_model(*state, "knot", 600, b));
        if (i == HIERARCHIES) { /* without hierarchies */
            tumble_model *brute[2] = {test_brute_copy(p.bench->contexts[0], p.a),
                                      test_brute_copy(p.bench->contexts[0], p.b)};
            tumble_model_destroy(p.a), tumble_model_destroy(p.b);
            p.a = brute[0], p.b = brute[1];
        }
        for (size_t step = 0; step < 10; step++) {
            p.options.mode = modes[step % 2];
            p.options.coherence = step < 5 ? TUMBLE_COHERENCE_PAIR : TUMBLE_COHERENCE_ALL;
            set_orbit(&p, 1 + 1e-5 * (double)step, 0.7, 1);
            const tumble_collide_result found = take_step(&p);
            assert_true(found.collide);
            assert_true(step == 0 || (found.counters.box_tests == 0 && found.counters.primitive_tests == 1));
        }
        set_orbit(&p, 1, 9, 1);
        assert_false(take_step(&p).collide);
        end_path(&p);
    }
}

/* Steps that are too long: as much work as without, nearly. */
static void test_jumps(void **state)
{
    for (size_t i = 0; i < 5; i++) {
        path p = begin_path(*state, near_model(*state, "torus", 1500, hierarchies[i].a),
                            near_model(*state, "gear", 1500, hierarchies[i].b));
        test_random random = {20 + i};
        for (size_t step = 0; step < test_count(60); step++) {
            set_orbit(&p, test_random_range(&random, 0, 6), step % 3 ? 1.5 : 0.2, 1);
            take_step(&p);
        }
        assert_true((double)p.hot_tests <= 1.03 * (double)p.fresh_tests);
        end_path(&p);
    }
}

/* Two pairs of models in turn: nothing is kept, and nothing is lost. */
static void test_alternation(void **state)
{
    near_bench *b = *state;
    path one = begin_path(b, near_model(b, "sphere", 800, TEST_TREE_WIDE), near_model(b, "torus", 800, TEST_TREE_WIDE));
    path two = begin_path(b, near_model(b, "sphere", 700, TEST_TREE_WIDE), near_model(b, "knot", 700, TEST_TREE_WIDE));
    for (size_t step = 0; step < 30; step++) {
        set_orbit(&one, 1e-4 * (double)step, 1.8, 1);
        set_orbit(&two, 1e-4 * (double)step, 1.6, 1);
        take_step(&one);
        take_step(&two);
    }
    assert_int_equal(one.hot_tests, one.fresh_tests);
    assert_int_equal(two.hot_tests, two.fresh_tests);
    end_path(&one);
    end_path(&two);
}

/* ---- Anything in any order ---- */

static void storm(near_bench *b, size_t variant_a, size_t variant_b, uint64_t seed)
{
    static const char *const shapes[] = {"soup", "sphere", "plate", "needles", "box", "lattice"};
    test_random random = {seed};
    double angle = 0, radius = 1.5, scale = 1;
    path p = begin_path(b, near_model(b, shapes[seed % 6], 300, variant_a),
                        near_model(b, shapes[(seed / 6 + 1) % 6], 300, variant_b));
    for (size_t step = 0; step < 60; step++) {
        const int action = test_random_whole(&random, 0, 19);
        angle += action < 14 ? test_random_range(&random, -0.003, 0.003) : test_random_range(&random, -1, 1);
        radius = action == 14 ? 3 * test_random_unit(&random) : radius;
        scale = action == 15 ? test_random_range(&random, 0.2, 2) : scale;
        set_orbit(&p, angle, radius, scale);
        if (action == 16) { /* a model is exchanged, maybe for one at the same address */
            tumble_model_destroy(p.b);
            p.b = near_model(b, shapes[test_random_whole(&random, 0, 5)], 250, variant_b);
        } else if (action == 17) { /* about others, in between */
            tumble_model *model = p.a;
            p.a = p.b, p.b = model;
            take_step(&p);
            p.b = p.a, p.a = model;
        } else if (action == 18) {
            p.options.coherence = (tumble_coherence)test_random_whole(&random, 0, 3);
        } else if (action == 19) {
            p.options = test_overlap_variant((size_t)test_random_whole(&random, 0, TEST_OVERLAP_VARIANTS - 1));
            p.options.coherence = TUMBLE_COHERENCE_ALL;
            p.options.mode = (tumble_mode)test_random_whole(&random, 0, 4);
            p.options.want_contacts = test_random_chance(&random, 0.5);
            p.options.clearance = test_random_chance(&random, 0.5) ? 0 : 0.1 * test_random_unit(&random);
        }
        take_step(&p);
    }
    end_path(&p);
}

static void test_anything(void **state)
{
    for (size_t i = 0; i < test_count(24); i++) {
        const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_KDOP + i % TEST_KDOP_VARIANTS, i % TEST_TREE_VARIANTS,
                                   TEST_TREE_RTREE + i % TEST_RTREE_VARIANTS};
        storm(*state, variants[i % 4], variants[i % 3 ? i % 4 : (i + 1) % 4], 300 + i);
    }
}

/* Too far, too small and too different in size for floats, and back. */
static void test_far_and_back(void **state)
{
    static const double sizes[] = {1, 1e-4, 1e5};
    for (size_t i = 0; i < 9; i++) {
        const size_t variant = hierarchies[i / 3].a;
        path p =
            begin_path(*state, near_model(*state, "sphere", 300, variant), near_model(*state, "soup", 300, variant));
        for (size_t step = 0; step < 40; step++) {
            const double far = step % 20 < 10 ? 0 : pow(10, (double)(step % 20) - 9);
            set_orbit(&p, 1e-4 * (double)step, 1 + far, sizes[i % 3]);
            p.options.clearance = step % 5 == 4 ? far : 0;
            take_step(&p);
        }
        end_path(&p);
    }
}

/* ---- Models that change ---- */

static void test_edited(void **state)
{
    near_bench *b = *state;
    path p = begin_path(b, near_model(b, "sphere", 400, TEST_TREE_RTREE), near_model(b, "box", 300, TEST_TREE_RTREE));
    const double points[9] = {0, 0, -2, 3, 0, 2, 0, 3, 2};
    const uint32_t corners[3] = {0, 1, 2};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3, mesh.indices = corners, mesh.index_count = 3;
    for (size_t step = 0; step < 40; step++) {
        uint32_t polygon;
        set_orbit(&p, 1e-4 * (double)step, 1.2, 1);
        p.options.mode = step % 3 ? TUMBLE_ALL : TUMBLE_TEST;
        if (step % 10 == 7) {
            assert_int_equal(tumble_model_insert(step < 20 ? p.a : p.b, &mesh, &polygon), TUMBLE_OK);
        } else if (step % 10 == 9) {
            const uint32_t first = (uint32_t)step;
            assert_int_equal(tumble_model_remove(p.a, &first, 1), TUMBLE_OK);
        }
        take_step(&p);
    }
    end_path(&p);
}

static void test_deformed(void **state)
{
    near_bench *b = *state;
    for (size_t i = 0; i < 3; i++) {
        models_mesh mesh = {0};
        tumble_model_options options = test_tree_variant(hierarchies[i].a);
        options.deformable = true;
        assert_true(models_make_sized(&mesh, "sphere", 400));
        tumble_model *still = test_model(b->contexts[0], &mesh, &options);
        path p =
            begin_path(b, near_model(b, "torus", 400, hierarchies[i].a), near_model(b, "box", 12, hierarchies[i].a));
        for (size_t step = 0; step < 24; step++) {
            if (step % 4 == 3) {
                const tumble_mesh view = models_view(&mesh);
                tumble_model_destroy(p.b);
                p.b = NULL;
                test_assert_status(b->contexts[0], tumble_model_deform(still, &view, &p.b), TUMBLE_OK, "");
                for (size_t k = 0; k < 3 * mesh.point_count; k++) {
                    mesh.points[k] *= 1.02;
                }
            }
            set_orbit(&p, 1e-4 * (double)step, 1.2, 1);
            take_step(&p);
        }
        tumble_model_destroy(still);
        models_free(&mesh);
        end_path(&p);
    }
}

/* ---- Memory ---- */

/* A ball in a shell of which everything is near: no front is that large. */
static void test_large_fronts(void **state)
{
    near_bench *b = *state;
    for (size_t i = 0; i < 3; i++) {
        path p = begin_path(b, near_model(b, "sphere", 6000, hierarchies[i].a),
                            near_model(b, "sphere", 6000, hierarchies[i].b));
        p.options.mode = TUMBLE_COUNT;
        for (size_t step = 0; step < 4; step++) {
            set_orbit(&p, 1e-6 * (double)step, 0, 0.999);
            take_step(&p);
        }
        end_path(&p);
    }
}

/* Some steps of a path; the truth is known. */
static tumble_status walk_path(tumble_query *query, const path *p, const uint64_t truth[8])
{
    path at = *p;
    tumble_status worst = TUMBLE_OK;
    for (size_t step = 0; step < 8; step++) {
        tumble_collide_result result;
        set_orbit(&at, 1e-4 * (double)step, 1.85, 1);
        const tumble_status status = tumble_collide(query, at.a, &at.pose_a, at.b, &at.pose_b, &at.options, &result);
        assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_MEMORY);
        assert_true(status != TUMBLE_OK || result.pair_count == truth[step]);
        worst = status == TUMBLE_OK ? worst : status;
    }
    return worst;
}

/* Each allocation fails once: there is an error, or the right answer; once warm there are no more. */
static void test_failing_memory(void **state)
{
    near_bench *b = *state;
    for (size_t i = 0; i < 4; i++) {
        uint64_t truth[8];
        path p = begin_path(b, near_model(b, "sphere", 800, hierarchies[i].a),
                            near_model(b, "torus", 800, hierarchies[i].b));
        for (size_t step = 0; step < 8; step++) {
            set_orbit(&p, 1e-4 * (double)step, 1.85, 1);
            truth[step] = take_step(&p).pair_count;
        }
        size_t call = 0, failures = 0, errors = 0;
        do {
            tumble_query *query;
            assert_int_equal(tumble_query_create(b->contexts[0], &query), TUMBLE_OK);
            test_allocator_fail(&b->memory, ++call, 0);
            errors += walk_path(query, &p, truth) != TUMBLE_OK;
            failures = test_allocator_failures(&b->memory);
            test_allocator_fail(&b->memory, 0, 0);
            for (int run = 0; run < 4; run++) {
                assert_int_equal(walk_path(query, &p, truth), TUMBLE_OK);
            }
            test_allocator_fail(&b->memory, 0, 0);
            assert_int_equal(walk_path(query, &p, truth), TUMBLE_OK);
            assert_int_equal(test_allocator_calls(&b->memory), 0);
            tumble_query_destroy(query);
        } while (failures);
        assert_true(call > 5 && errors > 3);
        end_path(&p);
    }
}

/* ---- Callers ---- */

static bool stop(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                 size_t contact_count)
{
    (void)pairs, (void)contacts, (void)contact_count;
    *(size_t *)user += count;
    return true;
}

/* A query that its callback ends leaves nothing wrong. */
static void test_stopped(void **state)
{
    near_bench *b = *state;
    path p = begin_path(b, near_model(b, "sphere", 800, TEST_TREE_WIDE), near_model(b, "torus", 800, TEST_TREE_WIDE));
    for (size_t step = 0; step < 20; step++) {
        size_t seen = 0;
        tumble_collide_result result;
        tumble_collide_options options = p.options;
        options.callback = stop;
        options.callback_user = &seen;
        set_orbit(&p, 1e-4 * (double)step, 1.3, 1);
        if (step % 5 == 3) {
            assert_int_equal(tumble_collide(b->queries[0], p.a, NULL, p.b, &p.pose_b, &options, &result),
                             TUMBLE_ERROR_CANCELLED);
            assert_true(seen > 0);
        }
        p.options.coherence = TUMBLE_COHERENCE_ALL;
        const tumble_collide_options plain = p.options;
        tumble_collide_result found, truth;
        assert_int_equal(tumble_collide(b->queries[0], p.a, NULL, p.b, &p.pose_b, &plain, &found), TUMBLE_OK);
        assert_int_equal(tumble_collide(p.fresh, p.a, NULL, p.b, &p.pose_b, NULL, &truth), TUMBLE_OK);
        check_lists(&found, &truth);
    }
    end_path(&p);
}

static void test_unknown(void **state)
{
    near_bench *b = *state;
    path p = begin_path(b, near_model(b, "box", 12, TEST_TREE_WIDE), near_model(b, "box", 12, TEST_TREE_WIDE));
    tumble_distance_options distance = tumble_default_distance_options();
    tumble_collide_result result;
    tumble_distance_result near;
    p.options.coherence = (tumble_coherence)4;
    distance.coherence = (tumble_coherence)-1;
    assert_int_equal(tumble_collide(p.fresh, p.a, NULL, p.b, NULL, &p.options, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(b->contexts[0], TUMBLE_ERROR_ARGUMENT, TUMBLE_ERROR_ARGUMENT, "coherence 4");
    assert_int_equal(tumble_distance(p.fresh, p.a, NULL, p.b, NULL, &distance, &near), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(b->contexts[0], TUMBLE_ERROR_ARGUMENT, TUMBLE_ERROR_ARGUMENT, "coherence -1");
    end_path(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_small_steps),  TEST_ON_BENCH(test_pauses),         TEST_ON_BENCH(test_last_pair),
        TEST_ON_BENCH(test_jumps),        TEST_ON_BENCH(test_alternation),    TEST_ON_BENCH(test_anything),
        TEST_ON_BENCH(test_far_and_back), TEST_ON_BENCH(test_edited),         TEST_ON_BENCH(test_deformed),
        TEST_ON_BENCH(test_large_fronts), TEST_ON_BENCH(test_failing_memory), TEST_ON_BENCH(test_stopped),
        TEST_ON_BENCH(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
