/* Coherent searches: the answers are those of searches from scratch, whatever happens between them, and they take less
 * work where they can. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_cases.h"

/* Two models that move, and queries that start anew each time, to compare with. */
typedef struct walk {
    near_bench *bench;
    tumble_query *fresh;
    tumble_model *a, *b;
    tumble_pose pose_a, pose_b;
    tumble_distance_options options; /* with coherence */
    tumble_counters coherent_work, fresh_work;
    size_t steps, yes, no, maybe;
} walk;

static walk begin_walk_of(near_bench *b, tumble_model *model_a, tumble_model *model_b)
{
    walk w = {.bench = b,
              .a = model_a,
              .b = model_b,
              .pose_a = tumble_pose_identity(),
              .pose_b = tumble_pose_identity(),
              .options = tumble_default_distance_options()};
    assert_int_equal(tumble_query_create(b->contexts[0], &w.fresh), TUMBLE_OK);
    w.options.coherence = 1;
    return w;
}

static walk begin_walk(near_bench *b, const char *shape_a, const char *shape_b, size_t triangles, size_t variant)
{
    return begin_walk_of(b, near_model(b, shape_a, triangles, variant), near_model(b, shape_b, triangles, variant));
}

static void end_walk(walk *w)
{
    tumble_model_destroy(w->a);
    tumble_model_destroy(w->b);
    tumble_query_destroy(w->fresh);
}

static void add_work(tumble_counters *sum, const tumble_counters *work)
{
    sum->box_tests += work->box_tests;
    sum->primitive_tests += work->primitive_tests;
}

/* The answer of a search that had all the time against one that is known to be right. */
static void check_answer(const walk *w, const tumble_distance_result *found, const tumble_distance_result *truth,
                         double distance, const char *name)
{
    const tumble_distance_options *o = &w->options;
    assert_int_equal(found->answer, truth->answer);
    if (found->answer == TUMBLE_NO) {
        assert_true(found->lower >= o->within * (1 - 1e-14) && found->lower <= distance * (1 + 1e-14));
        return;
    }
    const double most = distance * (1 + o->relative_error) + o->absolute_error;
    if (found->nearest.distance > fmax(most, o->enough) * (1 + 1e-14) ||
        found->nearest.distance < distance * (1 - 1e-14)) {
        fail_msg("%s, step %zu: %.17g, but the distance is %.17g", name, w->steps, found->nearest.distance, distance);
    }
}

/* One step, with the coherent queries of all levels and one that starts anew. */
static tumble_distance_result take_step(walk *w, const char *name)
{
    const near_scene scene = {w->a, w->b, &w->pose_a, &w->pose_b, name};
    const tumble_distance_result found = near_ask_all(w->bench, &scene, &w->options);
    tumble_distance_options options = w->options;
    options.coherence = 0;
    options.budget_box_tests = 0;
    const tumble_distance_result truth = near_ask(w->fresh, &scene, &options);
    const double distance = near_ask(w->fresh, &scene, NULL).nearest.distance;
    add_work(&w->coherent_work, &found.counters);
    add_work(&w->fresh_work, &truth.counters);
    w->yes += found.answer == TUMBLE_YES;
    w->no += found.answer == TUMBLE_NO;
    w->maybe += found.answer == TUMBLE_MAYBE;
    if (!(found.lower <= distance * (1 + 1e-14) && found.upper >= distance * (1 - 1e-14))) {
        fail_msg("%s, step %zu: %.17g is not in [%.17g, %.17g]", name, w->steps, distance, found.lower, found.upper);
    }
    if (found.is_complete) {
        check_answer(w, &found, &truth, distance, name);
    } else {
        assert_true(found.answer == TUMBLE_MAYBE || found.answer == truth.answer);
    }
    w->steps++;
    return found;
}

/* B on a circle around A that it nearly touches, turning as it goes. */
static void set_orbit(walk *w, double angle, double radius)
{
    const double axis[3] = {1, 2, 3}, length = sqrt(14), c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int next = (j + 1) % 3 == i, k = 3 - i - j;
            const double cross = i == j ? 0 : (next ? 1 : -1) * axis[k] / length;
            w->pose_b.m[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j] / 14 + s * cross;
        }
    }
    w->pose_b.m[0][3] = radius * cos(angle);
    w->pose_b.m[1][3] = radius * sin(angle);
    w->pose_b.m[2][3] = 0.3 * sin(3 * angle);
}

/* ---- Small steps ---- */

static void test_small_steps(void **state)
{
    static const struct {
        const char *a, *b;
        double radius, step;
    } cases[] = {{"sphere", "torus", 2.2, 0.002},
                 {"knot", "gear", 3, 0.002},
                 {"plate", "spring", 2.5, 0.002},
                 {"soup", "soup", 2.5, 0.0005}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t variant = 0; variant < 2; variant++) {
            walk w = begin_walk(*state, cases[i].a, cases[i].b, 1500, TEST_TREE_WIDE + variant);
            for (size_t step = 0; step < test_count(60); step++) {
                set_orbit(&w, cases[i].step * (double)step, cases[i].radius);
                take_step(&w, cases[i].a);
            }
            print_message("%s and %s: %.2f times fewer box tests, %.2f times fewer triangles\n", cases[i].a, cases[i].b,
                          (double)w.fresh_work.box_tests / (double)w.coherent_work.box_tests,
                          (double)w.fresh_work.primitive_tests / (double)w.coherent_work.primitive_tests);
            if (w.steps >= 50) {
                assert_true(3 * w.coherent_work.box_tests <= w.fresh_work.box_tests);
                assert_true((double)w.coherent_work.primitive_tests <= 1.1 * (double)w.fresh_work.primitive_tests);
            }
            end_walk(&w);
        }
    }
}

/* A ball within a ball that goes to and fro: nearly all is equally near, so many pairs wait on the stack, not in the
 * heap, and the nearest ones are elsewhere each time. Pairs of the stack that turn out to be too far apart belong to
 * the front as well. */
static void test_nested(void **state)
{
    static const double steps[] = {3e-5, 1e-4, 3e-4, 1e-3};
    test_random random = {7};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        walk w = begin_walk(*state, "sphere", "sphere", 3000, TEST_TREE_WIDE);
        for (int step = 0; step < 12; step++) {
            w.pose_b = near_random_pose(&random, steps[i]);
            for (int k = 0; k < 9; k++) {
                w.pose_b.m[k / 3][k % 3] = k % 4 == 0 ? 0.9 : 0;
            }
            take_step(&w, "nested");
        }
        assert_true(2 * w.coherent_work.box_tests < w.fresh_work.box_tests); /* the front was used */
        end_walk(&w);
    }
}

/* B is so small that squares of its size and of its motions underflow: a front that takes it for unmoved is wrong. */
static tumble_model *tiny_model(near_bench *bench, const double (*points)[3], uint32_t count, double unit)
{
    const tumble_model_options options = tumble_default_model_options();
    models_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        (void)models_point(&mesh, points[i][0] * unit, points[i][1] * unit, points[i][2] * unit);
    }
    for (uint32_t i = 0; i < count; i += 3) {
        models_triangle(&mesh, i, i + 1, i + 2);
    }
    tumble_model *model = test_model(bench->contexts[0], &mesh, &options);
    models_free(&mesh);
    return model;
}

static void test_tiny(void **state)
{
    static const double a[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, -1, 0}};
    static const double b[6][3] = {{0, -1, 0}, {2, 0, 0}, {0, 0, 2}, {0, 0, -2}, {0, 0, -1}, {-2, 0, 0}};
    static const int exponents[] = {-1074, -1070, -800, -602, -540, -500, -300, -20};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        const double unit = ldexp(1, exponents[i]), large = ldexp(1, exponents[i] < -843 ? 900 : 57 - exponents[i]);
        walk w = begin_walk_of(*state, tiny_model(*state, a, 3, 1), tiny_model(*state, b, 6, unit));
        for (int step = 0; step < 12; step++) {
            w.pose_b = tumble_pose_identity();
            for (int k = 0; k < 3; k++) {
                w.pose_b.m[k][k] = step % 3 ? 1 : large;
            }
            w.pose_b.m[2][3] = step % 3 == 2 ? 2 * unit : 0;
            take_step(&w, "tiny");
        }
        end_walk(&w);
    }
}

/* Nothing moves: nothing has to be done. */
static void test_pauses(void **state)
{
    walk w = begin_walk(*state, "sphere", "knot", 1000, TEST_TREE_WIDE);
    set_orbit(&w, 1, 2.7);
    const double distance = take_step(&w, "a pause").nearest.distance;
    for (int i = 0; i < 5; i++) {
        const tumble_distance_result again = take_step(&w, "a pause");
        assert_true(again.nearest.distance == distance);
        assert_int_equal(again.counters.box_tests, 0);
    }
    end_walk(&w);
}

/* ---- When coherence fails ---- */

static void test_jumps(void **state)
{
    static const double radii[2][3] = {{2.5, 3, 4}, {0, 2.2, 50}}; /* apart; overlapping, near and far */
    for (size_t kind = 0; kind < 2; kind++) {
        walk w = begin_walk(*state, "torus", "gear", 1500, TEST_TREE_WIDE);
        test_random random = {20};
        for (size_t step = 0; step < test_count(60); step++) {
            set_orbit(&w, test_random_range(&random, 0, 6), radii[kind][step % 3]);
            take_step(&w, "jumps");
        }
        const double fresh = (double)(w.fresh_work.box_tests + w.fresh_work.primitive_tests);
        const double coherent = (double)(w.coherent_work.box_tests + w.coherent_work.primitive_tests);
        print_message("jumps: %.3f times the work\n", coherent / fresh);
        assert_true(w.steps < 50 || coherent <= 1.1 * fresh);
        end_walk(&w);
    }
}

static void test_oscillation(void **state)
{
    walk w = begin_walk(*state, "sphere", "plate", 800, TEST_TREE_WIDE);
    for (size_t step = 0; step < test_count(60); step++) {
        const double swing = step % 2 ? 0.01 : 0.2;
        set_orbit(&w, 1 + (step % 4 < 2 ? swing : -swing), step % 7 == 0 ? 1.2 : 2.6);
        take_step(&w, "oscillation");
    }
    end_walk(&w);
}

/* B goes away until no float can tell the models' boxes apart, and comes back: other walks take over. */
static void test_far_and_back(void **state)
{
    static const double sizes[] = {1, 1e-3, 1e3};
    for (size_t i = 0; i < 3; i++) {
        walk w = begin_walk(*state, i ? "soup" : "sphere", "knot", 150, TEST_TREE_WIDE);
        for (size_t step = 0; step < 60; step++) {
            set_orbit(&w, 0.05 * (double)step, 3 + 3 * sizes[i] * (double)(step < 30 ? step : 60 - step));
            for (int k = 0; k < 9; k++) {
                w.pose_b.m[k / 3][k % 3] *= sizes[i];
            }
            w.options.within = step % 4 == 1 ? 20 : INFINITY;
            take_step(&w, "far and back");
        }
        end_walk(&w);
    }
    walk w = begin_walk(*state, "box", "box", 12, TEST_TREE_WIDE); /* small steps over the border between two walks */
    for (size_t step = 0; step < 200; step++) {
        const double lap = floor((double)step / 50);
        set_orbit(&w, 0, 60 + 0.3 * (double)(step % 50) + 3 * lap);
        take_step(&w, "over the border");
    }
    end_walk(&w);
}

/* ---- What may happen between two searches ---- */

/* Anything in any order. */
static void storm(near_bench *b, size_t variant, uint64_t seed)
{
    static const char *const shapes[] = {"soup", "sphere", "plate", "needles", "box", "lattice"};
    test_random random = {seed};
    double angle = 0, radius = 3;
    walk w = begin_walk(b, shapes[seed % 6], shapes[(seed / 6 + 1) % 6], 200, variant);
    for (size_t step = 0; step < 60; step++) {
        const int action = test_random_whole(&random, 0, 15);
        angle += action < 10 ? test_random_range(&random, -0.01, 0.01) : test_random_range(&random, -1, 1);
        radius = action == 15 ? 8 * test_random_unit(&random) : radius;
        set_orbit(&w, angle, radius);
        if (action == 10) { /* A's pose changes, too: what counts is how they stand to each other */
            w.pose_a = near_random_pose(&random, 2);
        } else if (action == 11) { /* a model is exchanged, maybe for one at the same address */
            tumble_model_destroy(w.b);
            w.b = near_model(b, shapes[test_random_whole(&random, 0, 5)], 150, variant);
        } else if (action == 12) { /* a search without coherence, and one about others, in between */
            const near_scene swapped = {w.b, w.a, NULL, NULL, "in between"};
            tumble_distance_options options = w.options;
            options.coherence = test_random_whole(&random, 0, 1);
            near_ask_all(b, &swapped, &options);
        } else if (action == 13) {
            w.options.within = test_random_chance(&random, 0.5) ? 2 * test_random_unit(&random) : INFINITY;
            w.options.enough = test_random_chance(&random, 0.5) ? fmin(w.options.within, 1) : 0;
        } else if (action == 14) {
            w.options.relative_error = test_random_chance(&random, 0.5) ? 0.3 * test_random_unit(&random) : 0;
            w.options.absolute_error = test_random_chance(&random, 0.3) ? 0.1 * test_random_unit(&random) : 0;
        }
        w.options.budget_box_tests =
            test_random_chance(&random, 0.3) ? (uint64_t)test_random_whole(&random, 1, 500) : 0;
        if (w.pose_a.m[0][0] != 1) {
            w.pose_b = tumble_pose_compose(&w.pose_a, &w.pose_b);
        }
        take_step(&w, "anything");
    }
    end_walk(&w);
}

static void test_anything(void **state)
{
    for (size_t i = 0; i < test_count(24); i++) {
        const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST, TEST_TREE_KDOP + i % TEST_KDOP_VARIANTS,
                                   i % TEST_TREE_VARIANTS, TEST_TREE_RTREE};
        storm(*state, variants[i % 3 == 2 ? 2 + i / 3 % 3 : i % 3], 100 + i);
    }
}

/* The budget is spent again and again: the searches together find what one would. */
static void test_resumed(void **state)
{
    walk w = begin_walk(*state, "sphere", "torus", 1500, TEST_TREE_WIDE);
    set_orbit(&w, 0.5, 2.2);
    w.options.budget_box_tests = 300;
    double lower = 0, upper = INFINITY;
    size_t searches = 0;
    tumble_distance_result found;
    do {
        found = take_step(&w, "resumed");
        assert_true(found.lower >= lower * (1 - 1e-12) && found.upper <= upper);
        lower = found.lower;
        upper = found.upper;
    } while (!found.is_complete && ++searches < 1000);
    print_message("complete after %zu searches of 300 box tests\n", searches + 1);
    assert_true(found.is_complete && searches > 0);
    end_walk(&w);
}

/* Steps of one unit in the last place, after a long way: distances follow each of them. */
static void test_creeping(void **state)
{
    walk w = begin_walk(*state, "box", "box", 12, TEST_TREE_WIDE);
    for (size_t step = 0; step < test_count(3000); step++) { /* swings, so that the sum of motions is large */
        const near_scene scene = {w.a, w.b, NULL, &w.pose_b, "swinging"};
        w.pose_b.m[0][3] = 3 + (double)(step % 2);
        near_ask(w.bench->queries[0], &scene, &w.options);
    }
    w.pose_b.m[0][3] = 3;
    for (size_t step = 0; step < test_count(3000); step++) {
        const near_scene scene = {w.a, w.b, NULL, &w.pose_b, "creeping"};
        w.pose_b.m[0][3] = test_step_ulps(w.pose_b.m[0][3], -1);
        const double found = near_ask(w.bench->queries[0], &scene, &w.options).nearest.distance;
        assert_true(found == w.pose_b.m[0][3] - 2);
    }
    end_walk(&w);
}

/* B's own coordinates may be of any size when its pose brings them to that of A. */
static void test_extreme_scales(void **state)
{
    near_bench *b = *state;
    for (int exponent = -1000; exponent <= 1000; exponent += 200) {
        walk w = begin_walk(b, "sphere", "box", 100, TEST_TREE_WIDE + (size_t)(exponent / 200 & 1));
        models_mesh mesh = {0};
        const tumble_model_options options = test_tree_variant(exponent % 400 ? TEST_TREE_WIDE : TEST_TREE_RTREE);
        assert_true(models_make_sized(&mesh, "sphere", 100));
        test_transform(&mesh, ldexp(1, exponent), (const double[3]){0, 0, 0});
        tumble_model_destroy(w.b);
        w.b = test_model(b->contexts[0], &mesh, &options);
        for (int step = 0; step < 8; step++) {
            w.options.within = step % 3 == 1 ? 0.1 : INFINITY;
            set_orbit(&w, step < 4 ? 0 : 0.01 * step, 3 + 0.01 * step);
            for (int k = 0; k < 9; k++) {
                w.pose_b.m[k / 3][k % 3] = ldexp(w.pose_b.m[k / 3][k % 3], -exponent);
            }
            take_step(&w, "extreme scales");
        }
        models_free(&mesh);
        end_walk(&w);
    }
}

/* Too small for floats: what an error allows to leave out of a leaf, in doubles, can be the nearest in the next step.
 */
static void test_doubles(void **state)
{
    near_bench *b = *state;
    const double unit = 0x1p-60;
    for (size_t turn = 0; turn < 6; turn++) {
        test_random random = {turn};
        double angle = 0;
        const size_t variant = turn % 2 ? TEST_TREE_RTREE : turn;
        const tumble_model_options options = test_tree_variant(variant);
        walk w = begin_walk(b, "soup", "soup", 60, variant);
        models_mesh meshes[2] = {{0}, {0}};
        tumble_model **models[2] = {&w.a, &w.b};
        for (int i = 0; i < 2; i++) {
            test_make_soup(&meshes[i], &random, 50, 0.8);
            test_transform(&meshes[i], unit, (const double[3]){0, 0, 0});
            tumble_model_destroy(*models[i]);
            *models[i] = test_model(b->contexts[0], &meshes[i], &options);
            models_free(&meshes[i]);
        }
        for (size_t step = 0; step < test_count(60); step++) {
            const double reach = step % 8 == 0 ? 3 : 0.01;
            angle += test_random_range(&random, -reach, reach);
            w.options.relative_error = step % 2 ? 0 : 0.5;
            set_orbit(&w, angle, 2.6);
            for (int k = 0; k < 3; k++) {
                w.pose_b.m[k][3] *= unit;
            }
            take_step(&w, "doubles");
        }
        end_walk(&w);
    }
}

/* Edited R-trees and deformed models are other models. */
static void test_changed_models(void **state)
{
    near_bench *b = *state;
    walk w = begin_walk(b, "sphere", "box", 100, TEST_TREE_WIDE);
    models_mesh mesh = {0};
    tumble_model_options options = test_tree_variant(TEST_TREE_WIDE);
    tumble_model *still;
    options.deformable = 1;
    assert_true(models_make_sized(&mesh, "sphere", 100));
    still = test_model(b->contexts[0], &mesh, &options);
    for (int i = 0; i < 10; i++) {
        tumble_model *moved = NULL;
        const tumble_mesh view = models_view(&mesh);
        assert_int_equal(tumble_model_deform(still, &view, &moved), TUMBLE_OK);
        tumble_model_destroy(w.a);
        w.a = moved;
        set_orbit(&w, 0.01 * i, 3);
        take_step(&w, "deformed");
        for (size_t k = 0; k < 3 * mesh.point_count; k++) {
            mesh.points[k] *= 1.05;
        }
    }
    tumble_model_destroy(still);
    models_free(&mesh);
    end_walk(&w);
}

static tumble_model *make_rtree(const near_bench *b, const models_mesh *mesh)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    return test_model(b->contexts[0], mesh, &options);
}

/* What was learnt of an edited model is not taken for knowledge of the model that it was made from. */
static void test_edited_and_not(void **state)
{
    near_bench *b = *state;
    walk w = begin_walk(b, "sphere", "box", 100, TEST_TREE_WIDE);
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "box", 300));
    tumble_model *plain = make_rtree(b, &mesh), *edited = make_rtree(b, &mesh);
    const tumble_mesh view = models_view(&mesh);
    assert_int_equal(tumble_model_insert(edited, &view, NULL), TUMBLE_OK);
    tumble_model_destroy(w.b);
    for (int i = 0; i < 12; i++) {
        w.b = i % 2 ? plain : edited;
        set_orbit(&w, 0.01 * i, 3);
        take_step(&w, "edited and not");
    }
    tumble_model_destroy(edited);
    w.b = plain;
    models_free(&mesh);
    end_walk(&w);
}

/* Without memory for a front there is none, and nothing else changes. */
static void test_memory(void **state)
{
    near_bench *b = *state;
    walk w = begin_walk(b, "sphere", "torus", 800, TEST_TREE_WIDE);
    size_t refused = 0;
    for (size_t step = 0; step < 40; step++) {
        const near_scene scene = {w.a, w.b, NULL, &w.pose_b, "little memory"};
        tumble_distance_result result;
        set_orbit(&w, 0.01 * (double)step, 2.4);
        test_allocator_fail(&b->memory, 1 + step % 5, (int)(step & 1));
        const tumble_status status = tumble_distance(b->queries[0], w.a, NULL, w.b, &w.pose_b, &w.options, &result);
        test_allocator_fail(&b->memory, 0, 0);
        refused += status != TUMBLE_OK;
        if (status == TUMBLE_OK) {
            near_assert_same(result.nearest.distance, near_ask(w.fresh, &scene, NULL).nearest.distance, scene.name);
        } else {
            assert_int_equal(status, TUMBLE_ERROR_MEMORY);
        }
    }
    assert_true(refused > 0 && refused < 40);
    end_walk(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_small_steps),    TEST_ON_BENCH(test_nested),         TEST_ON_BENCH(test_pauses),
        TEST_ON_BENCH(test_jumps),          TEST_ON_BENCH(test_oscillation),    TEST_ON_BENCH(test_far_and_back),
        TEST_ON_BENCH(test_anything),       TEST_ON_BENCH(test_resumed),        TEST_ON_BENCH(test_creeping),
        TEST_ON_BENCH(test_changed_models), TEST_ON_BENCH(test_extreme_scales), TEST_ON_BENCH(test_doubles),
        TEST_ON_BENCH(test_memory),         TEST_ON_BENCH(test_edited_and_not), TEST_ON_BENCH(test_tiny),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
