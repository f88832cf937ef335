/* Distances: every hierarchy and instruction set gives what brute force gives, with points that prove it; the options
 * mean what tumble/proximity.h says. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_cases.h"

/* ---- A mesh as brute force and as some hierarchies ---- */

enum {
    TREES = 5
};

typedef struct object {
    tumble_model *brute, *trees[TREES];
    size_t variants[TREES];
} object;

/* Both wide hierarchies, and each time another one of the others. */
static object make_object(near_bench *b, const models_mesh *mesh, size_t number)
{
    object made = {.brute = test_brute_model(b->contexts[0], mesh)};
    const size_t variants[TREES] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST,
                                    TEST_TREE_KDOP + number % TEST_KDOP_VARIANTS, number % TEST_TREE_VARIANTS,
                                    TEST_TREE_RTREE + number % TEST_RTREE_VARIANTS};
    for (size_t i = 0; i < TREES; i++) {
        made.variants[i] = variants[i];
        const tumble_model_options options = test_tree_variant(variants[i]);
        made.trees[i] = test_model(b->contexts[0], mesh, &options);
    }
    return made;
}

static void free_object(object *o)
{
    tumble_model_destroy(o->brute);
    for (size_t i = 0; i < TREES; i++) {
        tumble_model_destroy(o->trees[i]);
    }
}

/* The distance by brute force; it must be that of the hierarchies in the mask, and for bit TREES that of a wide one
 * with another. */
static double compare(near_bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                      const tumble_pose *pose_b, unsigned mask, const char *name)
{
    const near_scene brute = {a->brute, o->brute, pose_a, pose_b, name};
    const double distance = near_ask(b->queries[b->asked % TEST_LEVELS], &brute, NULL).nearest.distance;
    for (size_t i = 0; i <= TREES; i++) {
        char text[200];
        const size_t own = i < TREES ? i : 0, other = i < TREES ? i : 2 + b->asked % (TREES - 2);
        if (!(mask >> i & 1)) {
            continue;
        }
        snprintf(text, sizeof text, "%s, %s", name, test_tree_name(o->variants[other]));
        const near_scene scene = {a->trees[own], o->trees[other], pose_a, pose_b, text};
        const tumble_distance_result result = near_ask_all(b, &scene, NULL);
        assert_int_equal(result.answer, TUMBLE_YES);
        assert_int_equal(result.is_complete, 1);
        near_assert_same(result.nearest.distance, distance, text);
        near_assert_same(result.lower, distance, text);
    }
    return distance;
}

enum {
    WIDE = 3,
    ALL = (2 << TREES) - 1
};

/* ---- Shapes, poses, sizes ---- */

/* From deep inside to far away, with a pose of A and scales now and then. */
static void compare_poses(near_bench *b, const object *a, const object *o, test_random *random, const char *name)
{
    static const double shifts[] = {0, 0.4, 1.1, 2, 2.6, 4, 30};
    const size_t count = test_count(4);
    for (size_t i = 0; i < count; i++) {
        const double shift = shifts[(b->asked / 2 + i) % 7], scale = i % 3 == 2 ? test_random_range(random, 0.3, 3) : 1;
        tumble_pose pose_a = near_random_pose(random, test_random_range(random, 0, 3));
        tumble_pose pose = near_random_pose(random, shift);
        for (int k = 0; k < 9; k++) {
            pose_a.m[k / 3][k % 3] *= i % 4 == 3 ? 1.7 : 1;
            pose.m[k / 3][k % 3] *= scale;
        }
        const tumble_pose pose_b = tumble_pose_compose(&pose_a, &pose);
        compare(b, a, i % 2 ? &pose_a : NULL, o, i % 2 ? &pose_b : &pose, i == 0 ? ALL : WIDE, name);
    }
}

static void test_shapes(void **state)
{
    near_bench *b = *state;
    test_random random = {1};
    object ball;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "sphere", 80));
    ball = make_object(b, &mesh, 0);
    models_free(&mesh);
    size_t tried = 0;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        if (!test_make_shape(&mesh, shape, 120)) {
            continue;
        }
        models_fit(&mesh, 2, tried % 2 == 0);
        object o = make_object(b, &mesh, tried++);
        compare_poses(b, &o, tried % 2 ? &o : &ball, &random, shape->name);
        free_object(&o);
        models_free(&mesh);
    }
    assert_true(tried >= 15);
    free_object(&ball);
}

/* Coordinates that need doubles, far from the origin, and models of very different and of extreme sizes. */
static void test_offsets_and_sizes(void **state)
{
    near_bench *b = *state;
    static const double sizes[][2] = {{1, 1},         {1, 1e-3},        {1e-4, 1},      {1, 1e-7},
                                      {1e9, 1},       {1e-20, 1e-20},   {3e-23, 3e-23}, {1e20, 1e19},
                                      {1e-40, 2e-40}, {1e-130, 1e-130}, {1e40, 1e40},   {1e100, 3e100}};
    test_random random = {2};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        models_mesh meshes[2] = {{0}, {0}};
        object objects[2];
        char name[80];
        for (int k = 0; k < 2; k++) {
            double shift[3] = {0, 0, 0};
            for (int axis = 0; axis < 3; axis++) {
                shift[axis] = i % 3 == 0 ? test_random_range(&random, -1e6, 1e6) * sizes[i][k] : 0;
            }
            assert_true(models_make_sized(&meshes[k], k ? "torus" : "soup", 70));
            test_transform(&meshes[k], sizes[i][k], shift);
            objects[k] = make_object(b, &meshes[k], i);
        }
        for (size_t n = 0; n < test_count(3); n++) {
            double centre[2][3] = {{0}}, moved[3];
            for (int k = 0; k < 2; k++) {
                const tumble_model_info info = test_info(objects[k].brute);
                for (int axis = 0; axis < 3; axis++) {
                    centre[k][axis] = 0.5 * (info.lower[axis] + info.upper[axis]);
                }
            }
            tumble_pose pose = near_random_pose(&random, fmax(sizes[i][0], sizes[i][1]) * (n ? 3 * (double)n : 0.7));
            tumble_pose turn = pose;
            turn.m[0][3] = turn.m[1][3] = turn.m[2][3] = 0;
            tumble_pose_apply(&turn, centre[1], moved);
            for (int axis = 0; axis < 3; axis++) {
                pose.m[axis][3] += centre[0][axis] - moved[axis];
            }
            snprintf(name, sizeof name, "sizes %g and %g, %zu", sizes[i][0], sizes[i][1], n);
            compare(b, &objects[0], NULL, &objects[1], &pose, n == 0 ? ALL : WIDE, name);
        }
        for (int k = 0; k < 2; k++) {
            free_object(&objects[k]);
            models_free(&meshes[k]);
        }
    }
}

/* Gaps of 1e-3 to 1e-15 of the size, between parallel faces with many pairs equally near, and between a corner and a
 * face. With whole coordinates distances are what they look like. */
static void test_small_gaps(void **state)
{
    near_bench *b = *state;
    models_mesh mesh = {0};
    test_make_grid_box(&mesh, 4);
    const object box = make_object(b, &mesh, 3);
    const tumble_model_info info = test_info(box.brute);
    const double side = info.upper[0] - info.lower[0];
    test_random random = {3};
    for (int exponent = -50; exponent <= 4; exponent += 6) {
        const double gap = ldexp(1, exponent);
        const tumble_pose pose = test_translation(side + gap, side * 0.25 * test_random_whole(&random, 0, 3), 0.5);
        const double expected = pose.m[0][3] - side;
        assert_true(compare(b, &box, NULL, &box, &pose, exponent % 4 ? WIDE : ALL, "parallel faces") == expected);
        tumble_pose turned = near_random_pose(&random, 0); /* then shifted until the lowest corner is at the gap */
        double lowest[3] = {0, 0, INFINITY};
        for (int corner = 0; corner < 8; corner++) {
            const double own[3] = {corner & 1 ? info.upper[0] : info.lower[0],
                                   corner & 2 ? info.upper[1] : info.lower[1],
                                   corner & 4 ? info.upper[2] : info.lower[2]};
            double moved[3];
            tumble_pose_apply(&turned, own, moved);
            memcpy(lowest, moved[2] < lowest[2] ? moved : lowest, sizeof lowest);
        }
        turned.m[0][3] = 0.3 * info.lower[0] + 0.7 * info.upper[0] - lowest[0];
        turned.m[1][3] = 0.6 * info.lower[1] + 0.4 * info.upper[1] - lowest[1];
        turned.m[2][3] = info.upper[2] + gap - lowest[2];
        const double distance = compare(b, &box, NULL, &box, &turned, WIDE, "a corner above a face");
        assert_true(fabs(distance - gap) <= 1e-14 * side);
    }
    free_object((object *)&box);
    models_free(&mesh);
}

/* Surfaces that lie inside of each other; nearly all pairs are equally near. */
static void test_nested(void **state)
{
    near_bench *b = *state;
    models_mesh inner = {0}, outer = {0};
    test_random random = {4};
    assert_true(models_make_sized(&inner, "sphere", 160));
    assert_true(models_make_sized(&outer, "sphere", 200));
    for (int i = 0; i < 3; i++) {
        test_transform(&inner, i ? 0.7 : 0.9, (const double[3]){0, 0, 0});
        object o[2] = {make_object(b, &outer, 5), make_object(b, &inner, 6)};
        const tumble_pose pose = near_random_pose(&random, 0.01);
        compare(b, &o[0], NULL, &o[1], &pose, ALL, "nested");
        compare(b, &o[1], NULL, &o[0], &pose, WIDE, "nested");
        free_object(&o[0]);
        free_object(&o[1]);
    }
    models_free(&inner);
    models_free(&outer);
}

/* Gaps whose squares are denormal floats: here rounding each of them makes the nearest pair seem the farther one. */
static void test_tiny_squares(void **state)
{
    near_bench *b = *state;
    const double unit = sqrt(0x1p-149), g = sqrt(0.51), h = sqrt(1.6);
    const double first[2][9] = {{0, 0, 0, 10, 10, 0, 0, 0, 0}, {10, 0, 5, 0, 10, 5, 10, 0, 5}};
    const double points[3][3] = {{5, 5, h}, {100, 0, 0}, {100 + g, g, g}};
    models_mesh meshes[2] = {{0}, {0}};
    for (int i = 0; i < 16; i++) {
        for (int k = 0; k < 2; k++) {
            for (int corner = 0; corner < 3; corner++) {
                const double *p = k == 0 && i < 8 ? first[i % 2] + 3 * corner : points[i < 8 ? 0 : 1 + k];
                models_point(&meshes[k], unit * p[0], unit * p[1], unit * p[2]);
            }
            const uint32_t at = 3 * (uint32_t)i;
            models_triangle(&meshes[k], at, at + 1, at + 2);
        }
    }
    object o[2] = {make_object(b, &meshes[0], 7), make_object(b, &meshes[1], 8)};
    assert_true(fabs(compare(b, &o[0], NULL, &o[1], NULL, ALL, "tiny") / (unit * sqrt(1.53)) - 1) < 1e-10);
    for (int k = 0; k < 2; k++) {
        free_object(&o[k]);
        models_free(&meshes[k]);
    }
}

/* Brute force itself against every pair of triangles, exactly; lattices have many that touch or are degenerate. */
static void test_brute_force(void **state)
{
    near_bench *b = *state;
    test_random random = {5};
    size_t meetings = 0, apart = 0;
    for (size_t i = 0; i < test_count(30); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        object o[2];
        for (size_t k = 0; k < 2; k++) {
            if (i % 3 == 0) {
                test_make_soup(&meshes[k], &random, 12, 0.5);
            } else {
                test_make_lattice(&meshes[k], &random, 12, 4, 2, 0.3);
            }
            o[k] = make_object(b, &meshes[k], i);
            models_free(&meshes[k]);
        }
        tumble_pose pose = i % 2 ? test_quarter_turn(i) : test_rational_turn(&random);
        pose.m[0][3] = test_random_whole(&random, 0, 8);
        pose.m[1][3] = test_random_whole(&random, -3, 3);
        const near_scene scene = {o[0].brute, o[1].brute, NULL, &pose, "lattice"};
        const double distance = compare(b, &o[0], NULL, &o[1], &pose, ALL, "lattice");
        near_assert_same(distance, near_true_distance(&scene), "all pairs");
        tumble_collide_result result;
        assert_int_equal(tumble_collide(b->queries[0], o[0].brute, NULL, o[1].brute, &pose, NULL, &result), TUMBLE_OK);
        assert_int_equal(result.collide, distance == 0);
        meetings += distance == 0;
        apart += distance > 0;
        free_object(&o[0]);
        free_object(&o[1]);
    }
    assert_true((meetings > 0 && apart > 0) || test_effort() < 1);
}

/* ---- Errors that are allowed ---- */

/* Two models that are apart, and both kinds of them. */
typedef struct pair_of_models {
    tumble_model *wide[2], *brute[2];
    tumble_pose pose;
    double distance;
    near_scene scene;
} pair_of_models;

static void make_pair(near_bench *b, pair_of_models *p, test_random *random, double shift)
{
    static const char *const shapes[2] = {"knot", "plate"};
    p->pose = near_random_pose(random, shift);
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[k], k ? 300 : 200));
        p->wide[k] = test_model(b->contexts[0], &mesh, NULL);
        p->brute[k] = test_brute_model(b->contexts[0], &mesh);
        models_free(&mesh);
    }
    p->scene = (near_scene){p->brute[0], p->brute[1], NULL, &p->pose, "brute force"};
    p->distance = near_ask(b->queries[0], &p->scene, NULL).nearest.distance;
    p->scene = (near_scene){p->wide[0], p->wide[1], NULL, &p->pose, "wide"};
}

static void free_pair(pair_of_models *p)
{
    for (int k = 0; k < 2; k++) {
        tumble_model_destroy(p->wide[k]);
        tumble_model_destroy(p->brute[k]);
    }
}

static void test_errors(void **state)
{
    near_bench *b = *state;
    test_random random = {6};
    for (size_t i = 0; i < test_count(6); i++) {
        pair_of_models p;
        uint64_t work[2] = {0, 0};
        make_pair(b, &p, &random, test_random_range(&random, 2, 6));
        for (int exponent = -40; exponent <= 4; exponent += 4) {
            for (int kind = 0; kind < 3; kind++) {
                tumble_distance_options options = tumble_default_distance_options();
                options.relative_error = kind != 1 ? ldexp(1, exponent) : 0;
                options.absolute_error = kind != 0 ? ldexp(1, exponent) : 0;
                const tumble_distance_result result = near_ask_all(b, &p.scene, &options);
                const double most = p.distance * (1 + options.relative_error) + options.absolute_error;
                assert_int_equal(result.answer, TUMBLE_YES);
                assert_int_equal(result.is_complete, 1);
                assert_true(result.nearest.distance <= most * (1 + 1e-14));
                assert_true(result.nearest.distance >= p.distance * (1 - 1e-14));
                assert_true(result.lower <= p.distance * (1 + 1e-14));
                assert_true(result.upper <= result.lower * (1 + options.relative_error) * (1 + 1e-14) +
                                                options.absolute_error * (1 + 1e-14));
                work[exponent > 0] += result.counters.box_tests + result.counters.primitive_tests;
            }
        }
        assert_true(work[1] < work[0]); /* large errors are cheap */
        free_pair(&p);
    }
}

/* ---- Within, enough ---- */

/* Two squares of side 2: above each other their distance is the gap, exactly. */
static void make_squares(near_bench *b, tumble_hierarchy hierarchy, uint32_t cuts, tumble_model *models[2])
{
    tumble_model_options options = tumble_default_model_options();
    models_mesh mesh = {0};
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, centre[3] = {0, 0, 0};
    test_make_patch(&mesh, cuts, x, y, centre, 2);
    options.hierarchy = hierarchy;
    models[0] = test_model(b->contexts[0], &mesh, &options);
    models[1] = test_model(b->contexts[0], &mesh, &options);
    models_free(&mesh);
}

static tumble_distance_result ask_limits(near_bench *b, const near_scene *scene, double within, double enough)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.within = within;
    options.enough = enough;
    const tumble_distance_result result = near_ask_all(b, scene, &options);
    assert_int_equal(result.is_complete, 1);
    return result;
}

static void check_limits(near_bench *b, tumble_model *models[2], double gap)
{
    const double above = test_step_ulps(gap, 1), below = test_step_ulps(gap, -1);
    const tumble_pose pose = test_translation(0.3, 0.2, gap);
    const near_scene scene = {models[0], models[1], NULL, &pose, "squares"};
    near_assert_same(ask_limits(b, &scene, INFINITY, 0).nearest.distance, gap, "squares");
    for (int equal = 0; equal < 2; equal++) {
        const tumble_distance_result at = ask_limits(b, &scene, gap, equal ? gap : 0);
        assert_int_equal(at.answer, TUMBLE_YES);
        near_assert_same(at.nearest.distance, gap, "squares");
        assert_true(at.upper == at.nearest.distance && at.lower <= gap * (1 + 1e-14));
        assert_int_equal(ask_limits(b, &scene, above, equal ? above : 0).answer, TUMBLE_YES);
        if (gap > 0) {
            const tumble_distance_result under = ask_limits(b, &scene, below, equal ? below : 0);
            assert_int_equal(under.answer, TUMBLE_NO);
            assert_true(under.lower >= below && under.lower <= gap && under.upper >= gap);
        }
    }
}

static void test_exact_limits(void **state)
{
    near_bench *b = *state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP,
                                                   TUMBLE_HIERARCHY_BRUTE};
    static const double gaps[] = {1, 0.75, 1e-3, 1e-9, 5, 0, 3.7e-15, 1e-300, 0x1p-1074};
    for (size_t h = 0; h < sizeof hierarchies / sizeof hierarchies[0]; h++) {
        for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
            tumble_model *models[2];
            make_squares(b, hierarchies[h], i < 6 ? 4 : 1, models); /* exact arithmetic is slow on the smallest */
            check_limits(b, models, gaps[i]);
            tumble_model_destroy(models[0]);
            tumble_model_destroy(models[1]);
        }
    }
}

/* Yes and no at random limits, and that a search ends when enough is found. */
static void test_limits(void **state)
{
    near_bench *b = *state;
    test_random random = {7};
    for (size_t i = 0; i < test_count(7); i++) {
        pair_of_models p;
        make_pair(b, &p, &random, test_random_range(&random, 1, 6));
        const uint64_t whole = near_ask(b->queries[0], &p.scene, NULL).counters.box_tests;
        for (int k = 0; k < 6; k++) {
            const double limit = p.distance * (1 + (k % 2 ? 1 : -1) * ldexp(1, -10 * (k / 2) - 1));
            const tumble_distance_result result = ask_limits(b, &p.scene, limit, k % 4 < 2 ? limit : 0);
            assert_int_equal(result.answer, p.distance <= limit ? TUMBLE_YES : TUMBLE_NO);
            if (result.answer == TUMBLE_YES) {
                assert_true(result.nearest.distance <= limit && result.nearest.distance >= p.distance * (1 - 1e-14));
                assert_true(result.lower <= p.distance * (1 + 1e-14));
            } else {
                assert_true(result.lower >= limit && result.lower <= p.distance * (1 + 1e-14));
            }
            assert_true(result.counters.box_tests <= 2 * whole);
        }
        const tumble_distance_result any = ask_limits(b, &p.scene, INFINITY, 2 * p.distance + 1);
        assert_true(any.nearest.distance <= 2 * p.distance + 1 && any.counters.box_tests <= whole);
        free_pair(&p);
    }
}

/* ---- All pairs within the errors ---- */

static void check_near(const tumble_near *found, const near_scene *scene, double expected)
{
    tumble_distance_result result = {.nearest = *found};
    assert_true(found->distance == expected);
    near_check_witness(scene, &result, 1);
}

/* Every pair of polygons, measured one by one: those in the list are listed, and no others. */
static void check_list(const near_scene *scene, const tumble_near *list, uint64_t count, double limit)
{
    const uint64_t polygons_a = scene->a->block->polygon_count, polygons_b = scene->b->block->polygon_count;
    uint64_t at = 0;
    for (uint32_t i = 0; i < polygons_a; i++) {
        for (uint32_t j = 0; j < polygons_b; j++) {
            const double distance = near_polygon_distance(scene, i, j);
            if (distance <= limit) {
                assert_true(at < count && list[at].polygon_a == i && list[at].polygon_b == j);
                check_near(&list[at++], scene, distance);
            }
        }
    }
    assert_true(at == count);
}

static void check_lists(near_bench *b, const object *o, const tumble_pose *poses[2], test_random *random, size_t number)
{
    enum {
        ROOM = 20000
    };
    static tumble_near lists[2][ROOM];
    tumble_distance_options options = tumble_default_distance_options();
    const size_t kind = number % 4, tree = b->asked % TREES;
    options.want_pairs = 1;
    options.relative_error = kind == 1 ? test_random_unit(random) : kind == 2 ? 1e-12 : 0;
    options.absolute_error = kind == 3 ? 0.3 * test_random_unit(random) : 0;
    options.pairs = lists[0], options.pair_capacity = ROOM;
    const near_scene scene = {o[0].trees[tree], o[1].trees[tree], poses[0], poses[1], "pairs"};
    const tumble_distance_result all = near_ask_all(b, &scene, &options);
    const double limit = all.nearest.distance * (1 + options.relative_error) + options.absolute_error;
    assert_true(all.pair_count >= 1 && all.pair_count <= ROOM);
    check_list(&scene, lists[0], all.pair_count, limit);
    options.pairs = lists[1], options.pair_capacity = (size_t)test_random_whole(random, 0, 5);
    const tumble_distance_result some = near_ask(b->queries[1], &scene, &options);
    const size_t told = options.pair_capacity < all.pair_count ? options.pair_capacity : (size_t)all.pair_count;
    assert_true(some.pair_count == all.pair_count);
    assert_memory_equal(lists[0], lists[1], told * sizeof lists[0][0]);
}

static void test_near_pairs(void **state)
{
    near_bench *b = *state;
    static const char *const shapes[] = {"plate", "box", "prism", "soup"};
    test_random random = {13};
    for (size_t i = 0; i < test_count(16); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        object o[2];
        for (size_t k = 0; k < 2; k++) {
            assert_true(models_make_sized(&meshes[k], shapes[(i + 3 * k) % 4], 30));
            models_fit(&meshes[k], 2, 0);
            o[k] = make_object(b, &meshes[k], i);
            models_free(&meshes[k]);
        }
        tumble_pose pose_a = near_random_pose(&random, 1), pose = near_random_pose(&random, i % 3 ? 3 : 1);
        for (int k = 0; k < 9; k++) {
            pose_a.m[k / 3][k % 3] *= 0.3;
        }
        const tumble_pose pose_b = i % 2 ? tumble_pose_compose(&pose_a, &pose) : pose;
        check_lists(b, o, (const tumble_pose *[2]){i % 2 ? &pose_a : NULL, &pose_b}, &random, i);
        free_object(&o[0]);
        free_object(&o[1]);
    }
}

/* ---- Callbacks ---- */

typedef struct stopper {
    size_t left;
    tumble_near last;
} stopper;

static bool stop_later(void *user, const tumble_near *pair)
{
    stopper *s = user;
    s->last = *pair;
    return s->left-- == 1;
}

static void test_cancel(void **state)
{
    near_bench *b = *state;
    test_random random = {8};
    size_t cancelled = 0;
    pair_of_models p;
    make_pair(b, &p, &random, 3);
    for (size_t count = 1; count < 20; count++) {
        stopper s = {.left = count};
        tumble_distance_options options = tumble_default_distance_options();
        tumble_distance_result result;
        options.callback = stop_later;
        options.callback_user = &s;
        options.coherence = (tumble_coherence)(count % 4);
        const tumble_status status =
            tumble_distance(b->queries[0], p.wide[0], NULL, p.wide[1], &p.pose, &options, &result);
        test_assert_status(b->contexts[0], status, s.left == 0 ? TUMBLE_ERROR_CANCELLED : TUMBLE_OK, "callback");
        assert_int_equal(result.answer, TUMBLE_YES);
        assert_int_equal(result.is_complete, status == TUMBLE_OK);
        assert_true(result.nearest.distance == s.last.distance && result.upper == s.last.distance);
        assert_true(result.lower <= p.distance * (1 + 1e-14) && result.upper >= p.distance * (1 - 1e-14));
        cancelled += status != TUMBLE_OK;
        near_assert_same(near_ask(b->queries[0], &p.scene, NULL).nearest.distance, p.distance, "after a cancellation");
    }
    assert_true(cancelled > 0);
    free_pair(&p);
}

/* ---- Models without much ---- */

static void test_little_models(void **state)
{
    near_bench *b = *state;
    models_mesh empty = {0}, one = {0}, point = {0};
    models_point(&one, 0, 0, 0), models_point(&one, 1, 0, 0), models_point(&one, 0, 1, 0);
    models_triangle(&one, 0, 1, 2);
    models_point(&point, 0.25, 0.25, 2);
    models_triangle(&point, 0, 0, 0);
    object o[3] = {make_object(b, &empty, 1), make_object(b, &one, 2), make_object(b, &point, 3)};
    for (size_t i = 0; i < TREES; i++) {
        for (int k = 0; k < 3; k++) {
            const near_scene nothing = {o[0].trees[i], o[k].trees[i], NULL, NULL, "empty"};
            const near_scene swapped = {o[k].trees[i], o[0].trees[i], NULL, NULL, "empty"};
            const tumble_distance_result x = near_ask_all(b, &nothing, NULL), y = near_ask_all(b, &swapped, NULL);
            assert_int_equal(x.answer, TUMBLE_NO);
            assert_int_equal(y.answer, TUMBLE_NO);
            assert_true(x.lower == INFINITY && x.upper == INFINITY && y.lower == INFINITY && y.upper == INFINITY);
            assert_int_equal(x.is_complete, 1);
        }
    }
    assert_true(compare(b, &o[1], NULL, &o[2], NULL, ALL, "a point above a triangle") == 2);
    assert_true(compare(b, &o[2], NULL, &o[1], NULL, ALL, "a triangle below a point") == 2);
    assert_true(compare(b, &o[1], NULL, &o[1], NULL, ALL, "a triangle and itself") == 0);
    assert_true(compare(b, &o[2], NULL, &o[2], NULL, ALL, "a point and itself") == 0);
    for (int k = 0; k < 3; k++) {
        free_object(&o[k]);
    }
    models_free(&empty), models_free(&one), models_free(&point);
}

/* ---- What is refused ---- */

static void refuse(near_bench *b, const pair_of_models *p, const tumble_distance_options *options, const char *words)
{
    tumble_distance_result result;
    test_assert_status(b->contexts[0],
                       tumble_distance(b->queries[0], p->wide[0], NULL, p->wide[1], &p->pose, options, &result),
                       TUMBLE_ERROR_ARGUMENT, words);
}

static void test_refused_options(void **state)
{
    near_bench *b = *state;
    test_random random = {9};
    pair_of_models p;
    make_pair(b, &p, &random, 3);
    const tumble_distance_options good = tumble_default_distance_options();
    const double bad[] = {-1, -DBL_MIN, NAN, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tumble_distance_options options = good;
        options.relative_error = bad[i];
        refuse(b, &p, &options, "an error must be");
        options = good, options.absolute_error = bad[i];
        refuse(b, &p, &options, "an error must be");
        options = good, options.within = bad[i];
        refuse(b, &p, &options, "negative");
        options = good, options.enough = bad[i];
        refuse(b, &p, &options, "negative");
        options = good, options.budget_microseconds = bad[i];
        refuse(b, &p, &options, "negative");
    }
    tumble_distance_options options = good;
    options.relative_error = INFINITY;
    refuse(b, &p, &options, "an error must be");
    options = good;
    test_tune(options, kdop_walk.tumble, (tumble_kdop_tumble)99);
    refuse(b, &p, &options, "invalid value");
    options = good, options.pair_capacity = 1;
    refuse(b, &p, &options, "capacity");
    options = good, options.undecided_capacity = 1;
    refuse(b, &p, &options, "capacity");
    free_pair(&p);
}

static void test_refused_arguments(void **state)
{
    near_bench *b = *state;
    test_random random = {10};
    pair_of_models p;
    make_pair(b, &p, &random, 3);
    tumble_query *query = b->queries[0];
    const tumble_context *context = b->contexts[0];
    tumble_distance_result result;
    tumble_pose shear = tumble_pose_identity(), far = tumble_pose_identity(), lost = tumble_pose_identity();
    shear.m[0][1] = 0.5;
    far.m[0][3] = -DBL_MAX;
    lost.m[0][3] = DBL_MAX;
    const tumble_model *x = p.wide[0], *y = p.wide[1];
    assert_int_equal(tumble_distance(NULL, x, NULL, y, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(context, tumble_distance(query, NULL, NULL, y, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(context, tumble_distance(query, x, NULL, NULL, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(context, tumble_distance(query, x, NULL, y, NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(context, tumble_distance(query, x, &shear, y, NULL, NULL, &result), TUMBLE_ERROR_POSE, "");
    test_assert_status(context, tumble_distance(query, x, NULL, y, &shear, NULL, &result), TUMBLE_ERROR_POSE, "");
    test_assert_status(context, tumble_distance(query, x, &far, y, &lost, NULL, &result), TUMBLE_ERROR_NOT_FINITE, "");
    near_assert_same(near_ask(query, &p.scene, NULL).nearest.distance, p.distance, "after errors");
    free_pair(&p);
}

/* ---- Memory ---- */

/* Each allocation fails in turn; the next search is right again. After that nothing is allocated any more. */
static void test_memory(void **state)
{
    near_bench *b = *state;
    test_random random = {11};
    pair_of_models p;
    make_pair(b, &p, &random, 1.5);
    tumble_undecided undecided[4];
    tumble_near pairs[4];
    for (int kind = 0; kind < 4; kind++) {
        tumble_distance_options options = tumble_default_distance_options();
        options.coherence = (tumble_coherence)(kind % 4);
        options.relative_error = kind == 3 ? 0.1 : 0;
        options.budget_box_tests = kind == 2 ? 200 : 0;
        options.undecided = undecided, options.undecided_capacity = kind == 2 ? 4 : 0;
        options.pairs = pairs, options.pair_capacity = kind == 3 ? 4 : 0;
        size_t failures = 0;
        for (size_t call = 1;; call++) {
            tumble_query *query;
            tumble_distance_result result;
            assert_int_equal(tumble_query_create(b->contexts[0], &query), TUMBLE_OK);
            test_allocator_fail(&b->memory, call, (int)(call % 2));
            tumble_status status = tumble_distance(query, p.wide[0], NULL, p.wide[1], &p.pose, &options, &result);
            const size_t failed = test_allocator_failures(&b->memory);
            test_allocator_fail(&b->memory, 0, 0);
            if (status != TUMBLE_OK) {
                test_assert_status(b->contexts[0], status, TUMBLE_ERROR_MEMORY, "memory");
                assert_true(!result.is_complete || kind == 3); /* the second pass may fail when the first is complete */
                failures++;
            }
            status = tumble_distance(query, p.wide[0], NULL, p.wide[1], &p.pose, &options, &result);
            assert_int_equal(status, TUMBLE_OK);
            assert_true(result.lower <= p.distance * (1 + 1e-14) && result.upper >= p.distance * (1 - 1e-14));
            tumble_query_destroy(query);
            if (failed == 0) {
                break;
            }
        }
        assert_true(failures >= 2);
    }
    near_ask(b->queries[0], &p.scene, NULL);
    test_allocator_fail(&b->memory, 0, 0);
    near_ask(b->queries[0], &p.scene, NULL);
    assert_int_equal(test_allocator_calls(&b->memory), 0);
    free_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_shapes),          TEST_ON_BENCH(test_offsets_and_sizes),
        TEST_ON_BENCH(test_small_gaps),      TEST_ON_BENCH(test_nested),
        TEST_ON_BENCH(test_tiny_squares),    TEST_ON_BENCH(test_brute_force),
        TEST_ON_BENCH(test_errors),          TEST_ON_BENCH(test_exact_limits),
        TEST_ON_BENCH(test_limits),          TEST_ON_BENCH(test_near_pairs),
        TEST_ON_BENCH(test_cancel),          TEST_ON_BENCH(test_little_models),
        TEST_ON_BENCH(test_refused_options), TEST_ON_BENCH(test_refused_arguments),
        TEST_ON_BENCH(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
