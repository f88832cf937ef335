/* The nearest polygons through k-DOP trees: the answers of brute force. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kdop_cases.h"
#include "moving.h"
#include "near/kdop/kdop.h"

/* ---- Models and answers ---- */

static tumble_distance_result ask(tumble_query *query, tumble_model *const models[2], const tumble_pose *pose_a,
                                  const tumble_pose *pose_b, const tumble_distance_options *options)
{
    tumble_distance_result result;
    assert_int_equal(tumble_distance(query, models[0], pose_a, models[1], pose_b, options, &result), TUMBLE_OK);
    return result;
}

static double apart(const double p[3], const double q[3])
{
    return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

/* Both results are within 1e-14 of the true distance. */
static void assert_same(const tumble_distance_result *found, const tumble_distance_result *expected, const char *name)
{
    const double a = found->nearest.distance, b = expected->nearest.distance;
    if (found->answer != expected->answer || !(fabs(a - b) <= 2e-14 * b) || !found->is_complete) {
        fail_msg("%s: answer %d and distance %.17g, not %d and %.17g", name, (int)found->answer, a,
                 (int)expected->answer, b);
    }
    if (found->answer == TUMBLE_YES) {
        const double *p = found->nearest.point_a, *q = found->nearest.point_b;
        const double size = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
        assert_true(fabs(apart(p, q) - a) <= 1e-13 * (size + a) + 0x1p-1071);
        assert_true(found->lower <= b * (1 + 1e-14) && found->upper >= b * (1 - 1e-14));
    }
}

static void check(test_world *w, const kdop_scene *s, const tumble_pose *pose_a, const tumble_pose *pose_b,
                  const tumble_distance_options *options, const char *name)
{
    tumble_distance_options plain = options ? *options : tumble_default_distance_options();
    const tumble_distance_result found = ask(w->query, s->models, pose_a, pose_b, options);
    plain.coherence = TUMBLE_COHERENCE_NONE;
    const tumble_distance_result expected = ask(w->query, s->brute, pose_a, pose_b, &plain);
    assert_same(&found, &expected, name);
}

static void check_all_ways(test_world *w, const kdop_scene *s, const tumble_pose *pose_a, const tumble_pose *pose_b,
                           const char *name)
{
    tumble_distance_options options = tumble_default_distance_options();
    const tumble_distance_result expected = ask(w->query, s->brute, pose_a, pose_b, NULL);
    tumble_kdop_tumble tumble = TUMBLE_KDOP_TUMBLE_AUTO;
    do {
        tumble = kdop_next_tumble(s->models[1], tumble);
        test_tune(options, kdop_walk.tumble, tumble);
        const tumble_distance_result found = ask(w->query, s->models, pose_a, pose_b, &options);
        assert_same(&found, &expected, name);
    } while (tumble != TUMBLE_KDOP_TUMBLE_AUTO);
}

/* ---- Brute force ---- */

/* The arrangement of the models. */
static tumble_pose place(test_random *random, uint32_t k, size_t n)
{
    static const double reaches[4] = {0.05, 0.7, 2, 12}; /* nested, crossing, near, far */
    tumble_pose pose = kdop_any_pose(random, k, reaches[n % 4]);
    if (n % 5 == 4) {
        test_scale_pose(&pose, exp2(test_random_range(random, -3, 3)));
    }
    return pose;
}

static void test_shapes(void **state)
{
    test_world *w = *state;
    static const char *const shapes[][2] = {
        {"sphere", "sphere"}, {"gear", "torus"}, {"soup", "knot"}, {"lattice", "shards"}, {"box", "needles"}};
    static const uint32_t leaves[] = {1, 8, 40, 3};
    test_random random = {1};
    for (size_t i = 0; i < test_count(15); i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const char *const *pair = shapes[i / TEST_KDOPS % 5];
        const tumble_model_options options[2] = {
            test_kdop_options(k, leaves[i % 4], 0, 0),
            test_kdop_options(k, leaves[(i + i / 20) % 4], (tumble_kdop_tumble)(i % 3), i % 2 == 0)};
        const kdop_scene s = kdop_make_shapes(w, options, pair[0], pair[1], 80 + i % 7, i % 3 ? 1 : 0.5);
        for (size_t n = 0; n < 4; n++) {
            const tumble_pose a = place(&random, k, 2), b = place(&random, k, n + i);
            check_all_ways(w, &s, n % 2 ? &a : NULL, &b, pair[0]);
        }
        kdop_drop_scene(&s);
    }
}

/* Sets that are made to be difficult: all sizes, flat, far from the origin, degenerate; also with each other. */
static void test_hard_sets(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    for (size_t i = 0; i < TEST_SETS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        models_mesh meshes[2] = {{0}};
        test_sets[i].make(&meshes[0], &random, 40);
        test_sets[i].make(&meshes[1], &random, 30);
        const kdop_scene s = kdop_make_scene(w, meshes, options);
        const tumble_model_info info = test_info(s.models[0]);
        for (size_t n = 0; n < 2 + test_count(4); n++) {
            const tumble_pose pose = test_pose_over(&random, &info, test_sets[i].turns, n);
            check_all_ways(w, &s, NULL, &pose, test_sets[i].name);
        }
        kdop_drop_scene(&s);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
}

/* Poses that bring a corner of B onto one of A, or beside it. */
static void test_touching(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    for (int i = 0; i < 2 * TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        models_mesh meshes[2];
        assert_true(models_make_sized(&meshes[0], "sphere", 120) && models_make_sized(&meshes[1], "spikes", 100));
        const kdop_scene s = kdop_make_scene(w, meshes, options);
        for (size_t n = 0; n < test_count(12); n++) {
            tumble_pose pose = test_special_turn(&random, k);
            const double *p = meshes[0].points + 3 * (test_random_bits(&random) % meshes[0].point_count);
            const double *q = meshes[1].points + 3 * (test_random_bits(&random) % meshes[1].point_count);
            double onto[3];
            for (int j = 0; j < 3; j++) {
                onto[j] = p[j] * (1 + (n % 3 ? exp2(-(double)(n % 50)) : 0));
            }
            test_scale_pose(&pose, n % 2 ? 1 : 0.1);
            test_move_onto(&pose, q, onto);
            check_all_ways(w, &s, NULL, &pose, "touching");
        }
        kdop_drop_scene(&s);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
}

/* So far apart, so unlike in size, so large or so small that floats tell nothing. */
static void test_extremes(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        const kdop_scene s = kdop_make_shapes(w, options, "torus", "sphere", 24, 1);
        for (int e = -60; e <= 60; e += 12) {
            tumble_pose a = kdop_any_pose(&random, k, 1), b = kdop_any_pose(&random, k, 3);
            b.m[0][3] += ldexp(1.5, e);
            check(w, &s, NULL, &b, NULL, "far");
            b.m[0][3] = 1.5;
            test_scale_pose(&b, ldexp(1, e / 2));
            check(w, &s, NULL, &b, NULL, "unlike");
            test_scale_pose(&a, ldexp(1, 3 * e));
            test_scale_pose(&b, ldexp(1, 3 * e - e / 2));
            for (int j = 0; j < 3; j++) {
                a.m[j][3] = ldexp(a.m[j][3], 3 * e);
                b.m[j][3] = ldexp(b.m[j][3], 3 * e);
            }
            check(w, &s, &a, &b, NULL, "large or small");
        }
        kdop_drop_scene(&s);
    }
}

static void test_deformed(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        tumble_model_options options = test_kdop_options(k, i % 2 ? 8 : 1, (tumble_kdop_tumble)(i % 3), 1);
        options.deformable = 1;
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, "torus", 60));
        tumble_model *model = test_model(w->context, &mesh, &options);
        for (int motion = TEST_MOVE_REST; motion < TEST_MOTIONS; motion++) {
            models_mesh moved = test_share(&mesh);
            kdop_scene s = {{model, NULL}, {test_brute_model(w->context, &mesh), NULL}};
            test_move(&moved, &mesh, (enum test_motion)motion, &random);
            test_deform(w->context, model, &moved, &s.models[1]);
            s.brute[1] = test_brute_model(w->context, &moved);
            for (int n = 0; n < 2; n++) {
                const tumble_pose pose = kdop_any_pose(&random, k, 2);
                check_all_ways(w, &s, NULL, &pose, test_motion_name((enum test_motion)motion));
            }
            tumble_model_destroy(s.models[1]);
            tumble_model_destroy(s.brute[0]);
            tumble_model_destroy(s.brute[1]);
            free(moved.points);
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* ---- What is asked ---- */

static void test_errors(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    size_t fewer = 0, all = 0;
    const size_t count = test_count(12) < 6 ? 6 : test_count(12); /* enough to compare work */
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        tumble_model_options options[2];
        options[0] = test_any_kdop(&random, k);
        options[1] = test_any_kdop(&random, k);
        const kdop_scene s = kdop_make_shapes(w, options, "gear", "knot", 400, 1);
        for (size_t n = 0; n < count; n++) {
            const tumble_pose pose = place(&random, k, n % 2 ? 2 : n);
            tumble_distance_options o = tumble_default_distance_options();
            const tumble_distance_result exact = ask(w->query, s.models, NULL, &pose, NULL);
            o.relative_error = n % 3 ? test_random_unit(&random) : 0;
            o.absolute_error = n % 3 != 1 ? test_random_unit(&random) : 0;
            const tumble_distance_result r = ask(w->query, s.models, NULL, &pose, &o);
            const double d = exact.nearest.distance;
            assert_true(r.answer == TUMBLE_YES && r.nearest.distance >= d * (1 - 1e-14));
            assert_true(r.nearest.distance <= (d * (1 + o.relative_error) + o.absolute_error) * (1 + 1e-14));
            assert_true(r.lower <= d * (1 + 1e-14) && r.upper == r.nearest.distance);
            assert_true(r.upper <= (r.lower * (1 + o.relative_error) + o.absolute_error) * (1 + 1e-14));
            fewer += r.counters.box_tests;
            all += exact.counters.box_tests;
        }
        kdop_drop_scene(&s);
    }
    assert_true(fewer < all - all / 4);
}

static void test_within(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    static const double factors[] = {0, 0.5, 1 - 1e-12, 1, 1 + 1e-12, 2, INFINITY};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        const kdop_scene s = kdop_make_shapes(w, options, "spikes", "torus", 80, 0.7);
        for (size_t n = 0; n < test_count(8); n++) {
            const tumble_pose pose = place(&random, k, n);
            const double d = ask(w->query, s.models, NULL, &pose, NULL).nearest.distance;
            for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
                tumble_distance_options o = tumble_default_distance_options();
                o.within = d > 0 ? d * factors[f] : f % 2 ? INFINITY : 0;
                check(w, &s, NULL, &pose, &o, "within");
                o.enough = o.within;
                const tumble_distance_result yes = ask(w->query, s.models, NULL, &pose, &o);
                const tumble_distance_result expected = ask(w->query, s.brute, NULL, &pose, &o);
                assert_int_equal(yes.answer, expected.answer);
                assert_true(!(yes.answer == TUMBLE_YES && yes.nearest.distance > o.within * (1 + 1e-14)));
            }
        }
        kdop_drop_scene(&s);
    }
}

/* ---- Coherence and budgets ---- */

/* Small steps, now and then a jump: the same answers, with fewer tests. */
static void test_path(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < 2 * TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const tumble_model_options options[2] = {test_kdop_options(k, i % 2 ? 1 : 8, 0, 0),
                                                 test_kdop_options(k, i % 2 ? 2 : 8, (tumble_kdop_tumble)(i % 3), 0)};
        const kdop_scene s = kdop_make_shapes(w, options, "knot", "torus", 300, 1);
        tumble_distance_options o = tumble_default_distance_options();
        const double axis[3] = {0.3, 0.5, 0.8};
        uint64_t with = 0, without = 0;
        tumble_query *query;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        for (size_t n = 0; n < 60; n++) {
            tumble_pose pose = test_turn(axis, 0.002 * (double)n + (n < 40 ? 0 : 1));
            pose.m[0][3] = 2.1 + 0.002 * (double)n;
            pose.m[1][3] = n % 40 > 30 ? -1 : 0.7;
            o.coherence = TUMBLE_COHERENCE_NONE;
            const tumble_distance_result fresh = ask(w->query, s.models, NULL, &pose, &o);
            o.coherence = TUMBLE_COHERENCE_ALL;
            const tumble_distance_result found = ask(query, s.models, NULL, &pose, &o);
            assert_same(&found, &fresh, "path");
            with += found.counters.box_tests;
            without += fresh.counters.box_tests;
            if (n == 35) {
                const tumble_distance_result brute = ask(w->query, s.brute, NULL, &pose, NULL);
                assert_same(&found, &brute, "path");
            }
        }
        assert_true(3 * with < without);
        tumble_query_destroy(query);
        kdop_drop_scene(&s);
    }
}

/* B grows, so that the larger one of two nodes becomes the smaller one: what was chosen for the front stands. */
static void test_growing(void **state)
{
    test_world *w = *state;
    test_random random = {8};
    for (int i = 0; i < 3 * TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const tumble_model_options options[2] = {test_kdop_options(k, 1, 0, 0), test_kdop_options(k, 1, 0, 0)};
        const kdop_scene s = kdop_make_shapes(w, options, "soup", "soup", 100, 0.3);
        tumble_distance_options o = tumble_default_distance_options();
        const tumble_pose start = kdop_any_pose(&random, k, 1.6);
        for (int n = 0; n < 150; n++) {
            tumble_pose pose = start;
            test_scale_pose(&pose, 0.7 * pow(1.01, n));
            o.coherence = TUMBLE_COHERENCE_NONE;
            const tumble_distance_result fresh = ask(w->query, s.models, NULL, &pose, &o);
            o.coherence = TUMBLE_COHERENCE_ALL;
            const tumble_distance_result found = ask(w->query, s.models, NULL, &pose, &o);
            assert_same(&found, &fresh, "growing");
        }
        kdop_drop_scene(&s);
    }
}

static void assert_box(const double lower[3], const double upper[3], const tumble_model *model)
{
    for (int k = 0; k < 3; k++) {
        assert_true(lower[k] <= upper[k] && lower[k] >= model->block->lower[k] && upper[k] <= model->block->upper[k]);
    }
}

/* A box that holds no corner of its model is one of nothing. */
static void assert_holds_corner(const double lower[3], const double upper[3], const models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = mesh->points + 3 * i;
        if (p[0] >= lower[0] && p[0] <= upper[0] && p[1] >= lower[1] && p[1] <= upper[1] && p[2] >= lower[2] &&
            p[2] <= upper[2]) {
            return;
        }
    }
    fail_msg("a box is empty");
}

static void check_budgets(test_world *w, const kdop_scene *s, const models_mesh meshes[2], const tumble_pose *pose)
{
    enum {
        ROOM = 64
    };
    tumble_undecided undecided[ROOM];
    tumble_distance_options o = tumble_default_distance_options();
    const double distance = ask(w->query, s->models, NULL, pose, NULL).nearest.distance;
    double lower = 0, upper = INFINITY;
    o.undecided = undecided, o.undecided_capacity = ROOM;
    for (o.budget_box_tests = 1;; o.budget_box_tests = o.budget_box_tests * 3 / 2 + 1) {
        const tumble_distance_result r = ask(w->query, s->models, NULL, pose, &o);
        assert_true(r.lower >= lower * (1 - 1e-14) && r.upper <= upper);
        assert_true(r.lower <= distance * (1 + 1e-14) && r.upper >= distance * (1 - 1e-14));
        lower = r.lower, upper = r.upper;
        if (r.is_complete) {
            return;
        }
        assert_true(r.counters.box_tests <= o.budget_box_tests + 4 && r.undecided_count > 0);
        for (size_t i = 0; i < r.undecided_count && i < ROOM; i++) {
            assert_true(undecided[i].lower <= r.upper);
            assert_box(undecided[i].lower_a, undecided[i].upper_a, s->models[0]);
            assert_box(undecided[i].lower_b, undecided[i].upper_b, s->models[1]);
            assert_holds_corner(undecided[i].lower_a, undecided[i].upper_a, &meshes[0]);
            assert_holds_corner(undecided[i].lower_b, undecided[i].upper_b, &meshes[1]);
        }
    }
}

static void test_budgets(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        models_mesh meshes[2];
        assert_true(models_make_sized(&meshes[0], "knot", 200) && models_make_sized(&meshes[1], "sphere", 180));
        const kdop_scene s = kdop_make_scene(w, meshes, options);
        for (size_t n = 0; n < test_count(8); n++) {
            const tumble_pose pose = place(&random, k, n);
            check_budgets(w, &s, meshes, &pose);
        }
        kdop_drop_scene(&s);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
}

/* ---- Instruction sets, memory, refusals ---- */

static void test_instruction_sets(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_random random = {10};
    test_open_levels(&w->memory, contexts, queries);
    for (int i = 0; i < 2 * TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        const tumble_model_options options[2] = {test_any_kdop(&random, k), test_any_kdop(&random, k)};
        const kdop_scene s = kdop_make_shapes(w, options, "knot", "torus", 200, 1);
        for (size_t n = 0; n < test_count(8); n++) {
            const tumble_pose pose = place(&random, k, n);
            tumble_distance_options o = tumble_default_distance_options();
            o.coherence = n % 2 == 0 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
            tumble_distance_result results[3];
            for (int level = 0; level < 3; level++) {
                results[level] = ask(queries[level], s.models, NULL, &pose, &o);
                assert_true(test_same_work(&results[0].counters, &results[level].counters));
                assert_memory_equal(&results[0].nearest, &results[level].nearest, sizeof results[0].nearest);
            }
        }
        kdop_drop_scene(&s);
    }
    test_close_levels(contexts, queries);
}

static void test_no_memory(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options a = test_kdop_options(test_kdops[i], 1, 0, 0), options[2] = {a, a};
        const kdop_scene s = kdop_make_shapes(w, options, "torus", "knot", 200, 1);
        const tumble_pose pose = test_translation(2.5, 0.5, 0);
        const tumble_distance_result brute = ask(w->query, s.brute, NULL, &pose, NULL);
        tumble_distance_options o = tumble_default_distance_options();
        o.coherence = (tumble_coherence)(i % 4);
        size_t n = 1;
        for (int failed = 1; failed; n++) {
            tumble_query *query;
            tumble_distance_result result;
            assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
            test_allocator_fail(&w->memory, n, 0);
            const tumble_status status = tumble_distance(query, s.models[0], NULL, s.models[1], &pose, &o, &result);
            failed = test_allocator_failures(&w->memory) > 0;
            test_allocator_fail(&w->memory, 0, 0);
            if (status != TUMBLE_OK) { /* a front is not needed */
                test_assert_status(w->context, status, TUMBLE_ERROR_MEMORY, "out of memory for ");
            }
            assert_true(failed || status == TUMBLE_OK);
            result = ask(query, s.models, NULL, &pose, &o);
            assert_same(&result, &brute, "after a failure");
            tumble_query_destroy(query);
        }
        assert_true(n > 8);
        kdop_drop_scene(&s);
    }
}

static void test_refusals(void **state)
{
    test_world *w = *state;
    const tumble_model_options options[2] = {test_kdop_options(18, 8, TUMBLE_KDOP_TUMBLE_LOOKUP, 1),
                                             test_kdop_options(18, 8, 0, 0)};
    const kdop_scene s = kdop_make_shapes(w, options, "torus", "knot", 100, 1);
    const tumble_pose poses[2] = {test_translation(3, 0, 0), test_translation(1e30, 0, 0)};
    for (int i = 0; i < 4; i++) { /* also where the tree is of no use */
        tumble_distance_options o = tumble_default_distance_options();
        tumble_distance_result result;
        test_tune(o, kdop_walk.tumble, i / 2 ? TUMBLE_KDOP_TUMBLE_LOOKUP : TUMBLE_KDOP_TUMBLE_VERTICES);
        test_assert_status(w->context,
                           tumble_distance(w->query, s.models[0], NULL, s.models[1], &poses[i % 2], &o, &result),
                           TUMBLE_ERROR_UNSUPPORTED, "B lacks");
    }
    kdop_drop_scene(&s);
}

/* Trees of different k, and of different hierarchies. */
static void test_mixed(void **state)
{
    test_world *w = *state;
    const tumble_pose pose = test_translation(2.2, 0.3, 0.1);
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options options[2] = {test_kdop_options(test_kdops[i], 8, 0, 0),
                                                 i == 0 ? test_tree_variant(TEST_TREE_WIDE)
                                                        : test_kdop_options(test_kdops[i - 1], 8, 0, 0)};
        const kdop_scene s = kdop_make_shapes(w, options, "torus", "knot", 80, 1);
        check(w, &s, NULL, &pose, NULL, "mixed");
        kdop_drop_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_shapes),           TEST_IN_WORLD(test_hard_sets), TEST_IN_WORLD(test_touching),
        TEST_IN_WORLD(test_extremes),         TEST_IN_WORLD(test_deformed),  TEST_IN_WORLD(test_errors),
        TEST_IN_WORLD(test_within),           TEST_IN_WORLD(test_path),      TEST_IN_WORLD(test_growing),
        TEST_IN_WORLD(test_budgets),          TEST_IN_WORLD(test_no_memory), TEST_IN_WORLD(test_refusals),
        TEST_IN_WORLD(test_instruction_sets), TEST_IN_WORLD(test_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
