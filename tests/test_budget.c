/* Searches with a budget: what they report is true, and a larger budget never reports less. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_cases.h"
#include "prim/triangle.h"

enum {
    ROOM = 200000
};

typedef struct fixture {
    tumble_model *a, *b;
    tumble_pose pose;
    near_scene scene;
    double distance;
    tumble_undecided *undecided;
} fixture;

static void begin_fixture(near_bench *b, fixture *f, const char *shapes[2], size_t triangles, size_t variant,
                          const tumble_pose *pose)
{
    f->a = near_model(b, shapes[0], triangles, variant);
    f->b = near_model(b, shapes[1], triangles, variant);
    f->pose = *pose;
    f->scene = (near_scene){f->a, f->b, NULL, &f->pose, shapes[0]};
    f->distance = near_ask(b->queries[0], &f->scene, NULL).nearest.distance;
    f->undecided = calloc(ROOM, sizeof *f->undecided);
    assert_non_null(f->undecided);
}

static void end_fixture(fixture *f)
{
    tumble_model_destroy(f->a);
    tumble_model_destroy(f->b);
    free(f->undecided);
}

/* ---- All that a result claims ---- */

static int is_inside(const double lower[3], const double upper[3], double corners[3][3], double slack)
{
    for (int i = 0; i < 9; i++) {
        const int k = i % 3;
        if (corners[i / 3][k] < lower[k] - slack || corners[i / 3][k] > upper[k] + slack) {
            return 0;
        }
    }
    return 1;
}

typedef struct triangles {
    double (*own)[3][3], (*moved)[3][3]; /* in the model's frame; in A's */
    uint32_t *polygons;
    size_t count;
} triangles;

static triangles list_triangles(const tumble_model *model, const tumble_pose *pose)
{
    triangles out = {.count = 0};
    const size_t most = (size_t)model->block->cluster_count * TMB_CLUSTER_TRIANGLES;
    out.own = calloc(most, sizeof *out.own);
    out.moved = calloc(most, sizeof *out.moved);
    out.polygons = calloc(most, sizeof *out.polygons);
    if (!out.own || !out.moved || !out.polygons) {
        abort();
    }
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(&model->places[cluster]); slot++) {
            const uint32_t address = tmb_triangle_address(cluster, slot);
            tmb_model_corners(model, address, out.own[out.count]);
            memcpy(out.moved[out.count], out.own[out.count], sizeof out.own[0]);
            for (int i = 0; pose && i < 3; i++) {
                tumble_pose_apply(pose, out.own[out.count][i], out.moved[out.count][i]);
            }
            out.polygons[out.count++] = tmb_model_polygon(model, address);
        }
    }
    return out;
}

static void free_triangles(triangles *t)
{
    free(t->own);
    free(t->moved);
    free(t->polygons);
}

/* How far one triangle has to go, at least, to get clear of the other, from below: in no direction of a few hundred is
 * it less. The least way is along one of the normals or of the products of edges; all of them are tried, so it is what
 * it says but for rounding. */
static double depth_of(double a[3][3], double b[3][3])
{
    double axes[11][3], edges[2][3][3], least = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            edges[0][i][k] = a[(i + 1) % 3][k] - a[i][k];
            edges[1][i][k] = b[(i + 1) % 3][k] - b[i][k];
        }
    }
    for (int n = 0; n < 11; n++) {
        const double *x = n < 9 ? edges[0][n / 3] : edges[n - 9][0], *y = n < 9 ? edges[1][n % 3] : edges[n - 9][1];
        for (int k = 0; k < 3; k++) {
            axes[n][k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
        }
        const double length = sqrt(axes[n][0] * axes[n][0] + axes[n][1] * axes[n][1] + axes[n][2] * axes[n][2]);
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 6; i++) {
            const double *p = i < 3 ? a[i] : b[i - 3];
            const double along = (axes[n][0] * p[0] + axes[n][1] * p[1] + axes[n][2] * p[2]) / length;
            low[i / 3] = fmin(low[i / 3], along);
            high[i / 3] = fmax(high[i / 3], along);
        }
        if (length > 1e-12) {
            least = fmin(least, fmin(high[0] - low[1], high[1] - low[0]));
        }
    }
    return least;
}

/* Of each pair of triangles that intersect and are in the boxes of something undecided, and of the nearest pair: the
 * bounds hold for it, and something undecided covers it. */
static void check_undecided(const fixture *f, const tumble_distance_result *result, const triangles *a,
                            const triangles *b, size_t *meetings)
{
    const double slack = 1e-12;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (!tmb_triangles_intersect((const double(*)[3])a->moved[i], (const double(*)[3])b->moved[j], NULL)) {
                continue;
            }
            const double depth = depth_of(a->moved[i], b->moved[j]);
            int covered = result->answer == TUMBLE_YES && result->upper == 0;
            for (size_t n = 0; n < result->undecided_count && !covered; n++) {
                const tumble_undecided *u = &f->undecided[n];
                covered = is_inside(u->lower_a, u->upper_a, a->own[i], slack) &&
                          is_inside(u->lower_b, u->upper_b, b->own[j], slack) && u->lower <= 0 &&
                          depth <= -u->lower + slack;
            }
            if (!covered) {
                fail_msg("%s: triangles of polygons %u and %u meet, %g deep: nothing undecided covers them",
                         f->scene.name, a->polygons[i], b->polygons[j], depth);
            }
            if (result->answer != TUMBLE_YES && depth > result->penetration + slack) {
                fail_msg("%s: triangles reach %g deep, not %g", f->scene.name, depth, result->penetration);
            }
            *meetings += 1;
        }
    }
}

/* The nearest pair is the result, or something undecided that is as near covers it. */
static void check_cover(const fixture *f, const tumble_distance_result *result, const tumble_near *nearest)
{
    if (result->answer == TUMBLE_YES && near_same(result->upper, f->distance)) {
        return;
    }
    for (size_t n = 0; n < result->undecided_count; n++) {
        const tumble_undecided *u = &f->undecided[n];
        const tumble_pose back = tumble_pose_inverse(&f->pose);
        double b[3];
        int inside = u->lower <= f->distance * (1 + 1e-14);
        tumble_pose_apply(&back, nearest->point_b, b);
        for (int k = 0; k < 3; k++) {
            inside &= nearest->point_a[k] >= u->lower_a[k] - 1e-12 && nearest->point_a[k] <= u->upper_a[k] + 1e-12;
            inside &= b[k] >= u->lower_b[k] - 1e-12 && b[k] <= u->upper_b[k] + 1e-12;
        }
        if (inside) {
            return;
        }
    }
    fail_msg("%s: nothing undecided covers the nearest pair", f->scene.name);
}

static void check_order(const fixture *f, const tumble_distance_result *result)
{
    double lower = INFINITY;
    for (size_t n = 0; n < result->undecided_count; n++) {
        assert_true(n == 0 || f->undecided[n].lower >= f->undecided[n - 1].lower);
        lower = fmin(lower, f->undecided[n].lower);
    }
    if (result->undecided_count) {
        assert_true(result->penetration == fmax(-lower, 0));
        assert_true(result->lower <= fmax(lower, 0));
    }
}

/* ---- Larger and larger budgets ---- */

/* What a result says is no weaker than what the one before has said. */
static void check_progress(const fixture *f, const tumble_distance_result *now, const tumble_distance_result *before,
                           double within)
{
    const double distance = f->distance;
    assert_true(now->lower <= distance * (1 + 1e-14) && now->upper >= distance * (1 - 1e-14));
    if (now->lower < before->lower || now->upper > before->upper || now->penetration > before->penetration) {
        fail_msg("%s: [%.17g, %.17g], %g deep, is weaker than [%.17g, %.17g], %g deep", f->scene.name, now->lower,
                 now->upper, now->penetration, before->lower, before->upper, before->penetration);
    }
    if (before->answer != TUMBLE_MAYBE) {
        assert_int_equal(now->answer, before->answer);
    }
    if (now->answer != TUMBLE_MAYBE) {
        assert_int_equal(now->answer, distance <= within ? TUMBLE_YES : TUMBLE_NO);
    }
    assert_true(now->is_complete >= before->is_complete);
    if (now->is_complete) {
        assert_true(now->undecided_count == 0 && now->penetration == 0 && now->answer != TUMBLE_MAYBE);
    }
}

static void check_budgets(near_bench *b, fixture *f, tumble_distance_options options, int is_thorough)
{
    const triangles ta = list_triangles(f->a, NULL), tb = list_triangles(f->b, &f->pose);
    const tumble_near nearest = near_ask(b->queries[0], &f->scene, NULL).nearest;
    tumble_distance_result before = {.answer = TUMBLE_MAYBE, .upper = INFINITY, .penetration = INFINITY};
    size_t meetings = 0;
    options.undecided = f->undecided;
    options.undecided_capacity = ROOM;
    const double within = options.within;
    for (uint64_t budget = 1; !before.is_complete; budget += 1 + budget / 3) {
        options.budget_box_tests = budget;
        const tumble_distance_result now = near_ask_all(b, &f->scene, &options);
        check_progress(f, &now, &before, within);
        if (!now.is_complete && is_thorough) {
            assert_true(now.undecided_count > 0 && now.undecided_count <= ROOM);
            check_order(f, &now);
            const int is_exact = options.relative_error == 0 && options.absolute_error == 0 && options.enough == 0;
            if (f->distance > 0 && f->distance <= within && is_exact) {
                check_cover(f, &now, &nearest);
            } else if (f->distance == 0) {
                check_undecided(f, &now, &ta, &tb, &meetings);
            }
        }
        assert_true(budget < 10000000);
        before = now;
    }
    free_triangles((triangles *)&ta);
    free_triangles((triangles *)&tb);
}

static const char *shape_pairs[][2] = {{"sphere", "torus"}, {"plate", "box"}, {"soup", "knot"}, {"box", "box"}};

static void check_variant(near_bench *b, size_t number, size_t variant, int is_thorough, test_random *random)
{
    static const double shifts[] = {0, 0.3, 1.2, 2.2, 5, 20};
    fixture f;
    const tumble_pose pose = near_random_pose(random, shifts[number % 6]);
    begin_fixture(b, &f, shape_pairs[number % 4], is_thorough ? 150 : 1500, variant, &pose);
    tumble_distance_options options = tumble_default_distance_options();
    check_budgets(b, &f, options, is_thorough);
    options.within = options.enough = f.distance * (number % 2 ? 0.9 : 1.1);
    check_budgets(b, &f, options, is_thorough);
    options.enough = 0;
    check_budgets(b, &f, options, is_thorough);
    options.within = INFINITY;
    options.relative_error = 0.2 * test_random_unit(random);
    check_budgets(b, &f, options, is_thorough);
    options.absolute_error = 0.3 * test_random_unit(random);
    check_budgets(b, &f, options, is_thorough);
    end_fixture(&f);
}

static void test_box_tests(void **state)
{
    test_random random = {30};
    for (size_t i = 0; i < test_count(12); i++) {
        check_variant(*state, i, i % 2 ? TEST_TREE_WIDE : TEST_TREE_WIDE_LONGEST, i % 3 != 2, &random);
    }
}

static void test_other_hierarchies(void **state)
{
    test_random random = {31};
    for (size_t i = 0; i < test_count(9); i++) {
        const size_t variants[3] = {TEST_TREE_KDOP + i % TEST_KDOP_VARIANTS, i % TEST_TREE_VARIANTS,
                                    TEST_TREE_RTREE + i % TEST_RTREE_VARIANTS};
        check_variant(*state, i, variants[i % 3], 1, &random);
    }
}

/* Boxes with one centre, poses that are rotations but for 1e-5, scales: how deep they reach into each other. */
static void test_penetration(void **state)
{
    near_bench *b = *state;
    test_random random = {32};
    for (size_t i = 0; i < test_count(12); i++) {
        tumble_pose pose = i % 3 ? near_random_pose(&random, 0.1 * (double)(i % 2)) : test_quarter_turn(i);
        for (int k = 0; k < 9 && i % 2; k++) {
            pose.m[k / 3][k % 3] *= 0.7 * (1 + test_random_range(&random, -4e-6, 4e-6));
        }
        fixture f;
        begin_fixture(b, &f, shape_pairs[i % 4], 60, TEST_TREE_WIDE, &pose);
        tumble_distance_options options = tumble_default_distance_options();
        options.within = options.enough = 0;
        check_budgets(b, &f, options, 1);
        end_fixture(&f);
    }
}

/* Crossing triangles with one centre: nothing may say that they hardly touch. */
static void test_one_centre(void **state)
{
    near_bench *b = *state;
    models_mesh meshes[2] = {{0}, {0}};
    for (uint32_t i = 0; i < 70; i++) {
        models_point(&meshes[0], -1, -1, 0), models_point(&meshes[0], 1, -1, 0), models_point(&meshes[0], 0, 1, 0);
        models_point(&meshes[1], -1, 0, -1), models_point(&meshes[1], 1, 0, -1), models_point(&meshes[1], 0, 0, 1);
        models_triangle(&meshes[0], 3 * i, 3 * i + 1, 3 * i + 2);
        models_triangle(&meshes[1], 3 * i, 3 * i + 1, 3 * i + 2);
    }
    fixture f = {.pose = tumble_pose_identity()};
    f.a = test_model(b->contexts[0], &meshes[0], NULL);
    f.b = test_model(b->contexts[0], &meshes[1], NULL);
    f.scene = (near_scene){f.a, f.b, NULL, NULL, "one centre"};
    tumble_distance_options options = tumble_default_distance_options();
    options.within = 0;
    options.budget_box_tests = 1;
    const tumble_distance_result result = near_ask_all(b, &f.scene, &options);
    assert_int_equal(result.answer, TUMBLE_MAYBE);
    assert_true(result.penetration >= 0.5);
    end_fixture(&f);
    models_free(&meshes[0]);
    models_free(&meshes[1]);
}

/* A list that is too short gets the nearest ones. */
static void test_short_list(void **state)
{
    near_bench *b = *state;
    fixture f;
    const tumble_pose pose = test_translation(2.3, 0.1, 0.2);
    begin_fixture(b, &f, shape_pairs[0], 1500, TEST_TREE_WIDE, &pose);
    tumble_undecided few[5];
    tumble_distance_options options = tumble_default_distance_options();
    options.budget_box_tests = 700;
    options.undecided = f.undecided, options.undecided_capacity = ROOM;
    const tumble_distance_result all = near_ask(b->queries[0], &f.scene, &options);
    options.undecided = few, options.undecided_capacity = 5;
    const tumble_distance_result some = near_ask(b->queries[1], &f.scene, &options);
    assert_true(all.undecided_count > 5 && some.undecided_count == all.undecided_count);
    for (int i = 0; i < 5; i++) {
        assert_true(few[i].lower == f.undecided[i].lower);
    }
    options.undecided = NULL, options.undecided_capacity = 0;
    assert_true(near_ask(b->queries[2], &f.scene, &options).undecided_count == all.undecided_count);
    end_fixture(&f);
}

/* ---- Time ---- */

static int compare_doubles(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* How much longer than its budget a search takes. Machines that run tests are busy, so this only tells the wrong order
 * of magnitude, in the middle of many; what it found in that time must be true. */
static void test_time(void **state)
{
    near_bench *b = *state;
    static const double budgets[] = {1, 10, 50, 200};
    fixture f;
    const tumble_pose pose = test_translation(2.1, 0.1, 0.2);
    begin_fixture(b, &f, shape_pairs[0], 20000, TEST_TREE_WIDE, &pose);
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        double over[101];
        size_t spent = 0;
        for (size_t n = 0; n < 101; n++) {
            tumble_distance_options options = tumble_default_distance_options();
            options.budget_microseconds = budgets[i];
            options.coherence = TUMBLE_COHERENCE_NONE;
            options.undecided = f.undecided, options.undecided_capacity = n % 2 ? 100 : 0;
            const tumble_distance_result result = near_ask(b->queries[2], &f.scene, &options);
            assert_true(result.lower <= f.distance * (1 + 1e-14) && result.upper >= f.distance * (1 - 1e-14));
            assert_true(result.is_complete || result.undecided_count > 0);
            over[n] = 1e6 * result.counters.seconds - budgets[i];
            spent += !result.is_complete;
        }
        qsort(over, 101, sizeof over[0], compare_doubles);
        print_message("budget %g us: %.1f over in the middle, %.1f in 99 of 100; %zu of 101 spent\n", budgets[i],
                      over[50], over[99], spent);
        assert_true(over[50] < 1000);
        assert_true(spent > 0 || i > 0);
    }
    end_fixture(&f);
}

/* Without a hierarchy, what is undecided when the time is over is all of both models. */
static void test_brute_force(void **state)
{
    near_bench *b = *state;
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 1, 2, 3};
    const tumble_pose pose = {{{1, 0, 0, 5}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 4, mesh.indices = corners, mesh.index_count = 9;
    tumble_model_options brute = tumble_default_model_options();
    brute.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    tumble_model *model = NULL;
    assert_int_equal(tumble_model_create(b->contexts[0], &mesh, &brute, &model), TUMBLE_OK);
    tumble_undecided undecided = {0};
    tumble_distance_options options = tumble_default_distance_options();
    options.budget_microseconds = 1e-6;
    options.undecided = &undecided;
    options.undecided_capacity = 1;
    tumble_distance_result result;
    assert_int_equal(tumble_distance(b->queries[0], model, NULL, model, &pose, &options, &result), TUMBLE_OK);
    assert_true(!result.is_complete && result.answer == TUMBLE_MAYBE && result.undecided_count == 1);
    assert_true(result.lower <= 4 && result.upper >= 4);
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 2, 3};
    assert_memory_equal(undecided.lower_a, lower, sizeof lower);
    assert_memory_equal(undecided.upper_a, upper, sizeof upper);
    assert_memory_equal(undecided.lower_b, lower, sizeof lower);
    assert_memory_equal(undecided.upper_b, upper, sizeof upper);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_box_tests),   TEST_ON_BENCH(test_other_hierarchies), TEST_ON_BENCH(test_penetration),
        TEST_ON_BENCH(test_one_centre),  TEST_ON_BENCH(test_short_list),        TEST_ON_BENCH(test_time),
        TEST_ON_BENCH(test_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
