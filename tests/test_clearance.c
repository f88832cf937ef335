/* Clearance: every hierarchy, option and instruction set finds the polygons that are at most so far apart, as exact
 * arithmetic says of the points as docs/semantics.md moves them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "near/list.h"
#include "oracle.h"
#include "prim/triangle_distance.h"
#include "scenes.h"

enum {
    LEVELS = 3,
    BOXTREES = 4,
    KINDS = 4 + TEST_KDOP_SETS + BOXTREES /* brute, two that are wide, an R-tree; k-DOP trees; boxtrees */
};

/* Contexts and queries for each instruction set; models are made from the first. */
typedef struct bench {
    test_allocator memory;
    tumble_context *contexts[LEVELS];
    tumble_query *queries[LEVELS];
    oracle *truth;
    mpq_t squared, limit;
    test_pairs expected, found;
    size_t number;                   /* of questions, so that variants take turns */
    size_t hits, misses, ties, hard; /* of polygons; at exactly the limit; that the oracle had to decide */
} bench;

static int begin(void **state)
{
    static const tumble_simd levels[LEVELS] = {TUMBLE_SIMD_SCALAR, TUMBLE_SIMD_AVX2, TUMBLE_SIMD_AVX512};
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    test_allocator_begin(&b->memory);
    for (int i = 0; i < LEVELS; i++) {
        b->contexts[i] = test_context(&b->memory, 1, levels[i]);
        assert_int_equal(tumble_query_create(b->contexts[i], &b->queries[i]), TUMBLE_OK);
    }
    b->truth = oracle_create();
    mpq_init(b->squared);
    mpq_init(b->limit);
    *state = b;
    return 0;
}

static int end(void **state)
{
    bench *b = *state;
    for (int i = 0; i < LEVELS; i++) {
        tumble_query_destroy(b->queries[i]);
        tumble_context_destroy(b->contexts[i]);
    }
    oracle_destroy(b->truth);
    mpq_clear(b->squared);
    mpq_clear(b->limit);
    test_free_pairs(&b->expected);
    test_free_pairs(&b->found);
    test_allocator_end(&b->memory);
    free(b);
    return 0;
}

#define TEST_ON_BENCH(test) cmocka_unit_test_setup_teardown(test, begin, end)

/* ---- Two meshes at two poses, and how far apart their triangles are ---- */

typedef struct corner_list {
    double (*triangles)[3][3]; /* in A's frame */
    uint32_t *polygons;
    size_t count;
} corner_list;

typedef struct scene {
    const char *name;
    models_mesh meshes[2];
    tumble_pose poses[2];
    corner_list corners[2];
    tmb_triangle_distance *distances; /* of triangle i of A and j of B at [i * count of B + j] */
    double *sorted;                   /* their values */
    tumble_model *models[KINDS][2];
    size_t variants[KINDS];
    int has_many_ties; /* the oracle would take too long: tests/test_triangle_distance.c asks it about single triangles
                        */
} scene;

/* Polygons as fans of triangles: those of the scenes are flat and convex. */
static corner_list list_corners(const models_mesh *mesh, const tumble_pose *pose)
{
    corner_list list = {0};
    const size_t room = models_triangle_count(mesh) + 1;
    list.triangles = malloc(room * sizeof *list.triangles);
    list.polygons = malloc(room * sizeof *list.polygons);
    assert_non_null(list.triangles);
    assert_non_null(list.polygons);
    for (size_t i = 0, at = 0; i < mesh->polygon_count; at += mesh->polygon_sizes[i++]) {
        for (uint32_t k = 2; k < mesh->polygon_sizes[i]; k++) {
            const size_t numbers[3] = {at, at + k - 1, at + k};
            for (int j = 0; j < 3; j++) {
                const double *point = mesh->points + 3 * (size_t)mesh->indices[numbers[j]];
                if (pose) {
                    tumble_pose_apply(pose, point, list.triangles[list.count][j]);
                } else {
                    memcpy(list.triangles[list.count][j], point, 3 * sizeof *point);
                }
            }
            list.polygons[list.count++] = (uint32_t)i;
        }
    }
    return list;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(scene *s)
{
    const tumble_pose relative = tumble_pose_relative(&s->poses[0], &s->poses[1]);
    s->corners[0] = list_corners(&s->meshes[0], NULL);
    s->corners[1] = list_corners(&s->meshes[1], &relative);
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    s->distances = malloc((count_a * count_b + 1) * sizeof *s->distances);
    s->sorted = malloc((count_a * count_b + 1) * sizeof *s->sorted);
    assert_non_null(s->distances);
    assert_non_null(s->sorted);
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            tmb_triangle_distance *distance = &s->distances[i * count_b + j];
            tmb_triangles_distance((const double(*)[3])s->corners[0].triangles[i],
                                   (const double(*)[3])s->corners[1].triangles[j], distance, NULL);
            s->sorted[i * count_b + j] = distance->value;
        }
    }
    qsort(s->sorted, count_a * count_b, sizeof *s->sorted, ascending);
}

static tumble_model_options kind_options(size_t variant)
{
    tumble_model_options options = tumble_default_model_options();
    if (variant == SIZE_MAX) {
        options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
        return options;
    }
    return test_tree_variant(variant);
}

static size_t variant_of(size_t kind, size_t turn)
{
    if (kind < 4) {
        const size_t first[4] = {SIZE_MAX, TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST,
                                 TEST_TREE_RTREE + turn % TEST_RTREE_VARIANTS};
        return first[kind];
    }
    if (kind < 4 + TEST_KDOP_SETS) {
        const size_t set = kind - 4;
        return TEST_TREE_KDOP + TEST_KDOP_EACH * set + (turn + set) % TEST_KDOP_EACH;
    }
    return (turn + 21 * kind) % TEST_TREE_VARIANTS;
}

static const char *kind_name(const scene *s, size_t kind)
{
    return s->variants[kind] == SIZE_MAX ? "brute" : test_tree_name(s->variants[kind]);
}

/* The meshes and poses are set. */
static void start_scene(bench *b, scene *s, const char *name, size_t turn)
{
    s->name = name;
    measure(s);
    for (size_t kind = 0; kind < KINDS; kind++) {
        s->variants[kind] = variant_of(kind, turn);
        const tumble_model_options options = kind_options(s->variants[kind]);
        for (int i = 0; i < 2; i++) {
            s->models[kind][i] = test_model(b->contexts[0], &s->meshes[i], &options);
        }
    }
}

static void end_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            tumble_model_destroy(s->models[kind][i]);
        }
        models_free(&s->meshes[i]);
        free(s->corners[i].triangles);
        free(s->corners[i].polygons);
    }
    free(s->distances);
    free(s->sorted);
}

/* ---- The truth ---- */

static int is_within(bench *b, const scene *s, size_t i, size_t j, double limit)
{
    const tmb_triangle_distance *distance = &s->distances[i * s->corners[1].count + j];
    if (limit > distance->upper || limit == INFINITY) {
        return 1;
    }
    if (limit < distance->lower) {
        return 0;
    }
    b->hard++;
    if (s->has_many_ties) {
        return tmb_triangles_within((const double(*)[3])s->corners[0].triangles[i],
                                    (const double(*)[3])s->corners[1].triangles[j], limit, NULL);
    }
    oracle_squared_distance(b->truth, (const double(*)[3])s->corners[0].triangles[i],
                            (const double(*)[3])s->corners[1].triangles[j], b->squared);
    mpq_set_d(b->limit, limit);
    mpq_mul(b->limit, b->limit, b->limit);
    const int order = mpq_cmp(b->squared, b->limit);
    b->ties += order == 0;
    return order <= 0;
}

static int pair_order(const void *a, const void *b)
{
    const tumble_pair *x = a, *y = b;
    return x->polygon_a != y->polygon_a ? (x->polygon_a > y->polygon_a) - (x->polygon_a < y->polygon_a)
                                        : (x->polygon_b > y->polygon_b) - (x->polygon_b < y->polygon_b);
}

/* The pairs of polygons at most `limit` apart, sorted; returns how many pairs of triangles are. */
static size_t find_expected(bench *b, const scene *s, double limit)
{
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    size_t count = 0, distinct = 0;
    if (b->expected.capacity < count_a * count_b) {
        test_free_pairs(&b->expected);
        b->expected.capacity = count_a * count_b;
        b->expected.items = malloc(b->expected.capacity * sizeof *b->expected.items);
        assert_non_null(b->expected.items);
    }
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            if (is_within(b, s, i, j, limit)) {
                b->expected.items[count++] = (tumble_pair){s->corners[0].polygons[i], s->corners[1].polygons[j]};
            }
        }
    }
    if (count > 0) {
        qsort(b->expected.items, count, sizeof *b->expected.items, pair_order);
    }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pair_order(&b->expected.items[i], &b->expected.items[i - 1]) != 0) {
            b->expected.items[distinct++] = b->expected.items[i];
        }
    }
    b->expected.count = distinct;
    b->hits += distinct;
    b->misses += s->meshes[0].polygon_count * s->meshes[1].polygon_count - distinct;
    return count;
}

/* ---- Questions ---- */

static void ask_one(const bench *b, const scene *s, size_t kind, tumble_collide_options options, tumble_query *query,
                    tumble_collide_mode mode)
{
    tumble_collide_result result = {.size = sizeof result};
    options.mode = mode;
    assert_int_equal(
        tumble_collide(query, s->models[kind][0], &s->poses[0], s->models[kind][1], &s->poses[1], &options, &result),
        TUMBLE_OK);
    if (result.collide != (b->expected.count > 0) || (result.collide && !test_has_pair(&b->expected, result.first))) {
        fail_msg("%s, %s, clearance %a: another answer when one pair is wanted", s->name, kind_name(s, kind),
                 options.clearance);
    }
}

static void ask_kind(bench *b, const scene *s, size_t kind, double clearance)
{
    const size_t walk = b->number % TEST_OVERLAP_VARIANTS, level = b->number / 2 % LEVELS;
    tumble_collide_options options = test_overlap_variant(walk);
    options.clearance = clearance;
    tumble_query *query = b->queries[level];
    test_collide(query, s->models[kind][0], &s->poses[0], s->models[kind][1], &s->poses[1], &options, &b->found);
    test_assert_same_pairs(&b->found, &b->expected, "%s, %s, %s, level %zu, clearance %a", s->name, kind_name(s, kind),
                           test_overlap_name(walk), level, clearance);
    ask_one(b, s, kind, options, query, b->number % 2 ? TUMBLE_COLLIDE_FIRST : TUMBLE_COLLIDE_TEST);
    b->number++;
}

/* The clearance as the library takes it into A's frame. */
static double limit_of(const scene *s, double clearance)
{
    const double scale = tumble_pose_scale(&s->poses[0]);
    return scale == 1 ? clearance : clearance / scale;
}

/* All hierarchies, or a few that take turns where nearly all pairs are hits. */
static void ask(bench *b, const scene *s, double clearance)
{
    find_expected(b, s, limit_of(s, clearance));
    const size_t step = b->expected.count > 600 ? 5 : 1;
    for (size_t kind = step == 1 ? 0 : b->number % step; kind < KINDS; kind += step) {
        ask_kind(b, s, kind, clearance);
    }
}

/* From nothing to everything, at distances that occur and one step beside these. */
static void ask_all(bench *b, const scene *s)
{
    const double shares[] = {0, 0.003, 0.03, 0.3, 1}, scale = tumble_pose_scale(&s->poses[0]);
    const size_t count = s->corners[0].count * s->corners[1].count;
    const double fixed[] = {0, 0x1p-1074, 1e-300, 3 * s->sorted[count - 1] * scale, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        ask(b, s, fixed[i]);
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const double value = s->sorted[(size_t)(shares[i] * (double)(count - 1))] * scale;
        ask(b, s, value);
        ask(b, s, nextafter(value, INFINITY));
        ask(b, s, value > 0 ? nextafter(value, 0) : 0);
    }
}

/* ---- Scenes ---- */

static void to_floats(models_mesh *mesh)
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)mesh->points[i];
    }
}

static tumble_pose scaled_pose(test_random *random, double scale, double x, double y, double z)
{
    tumble_pose pose = test_rational_turn(random);
    const double shift[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            pose.m[k][j] *= scale;
        }
        pose.m[k][3] = shift[k];
    }
    return pose;
}

static void test_soups(void **state)
{
    bench *b = *state;
    test_random random = {20};
    for (size_t turn = 0; turn < test_count(4); turn++) {
        scene s = {.poses = {tumble_pose_identity(), scaled_pose(&random, 1, 2.5 - (double)turn, 0.5, 0.25)}};
        test_make_soup(&s.meshes[0], &random, 50, 0.4);
        test_make_soup(&s.meshes[1], &random, 40, 0.4);
        if (turn % 2) {
            to_floats(&s.meshes[0]);
            to_floats(&s.meshes[1]);
        }
        start_scene(b, &s, turn % 2 ? "soups of floats" : "soups of doubles", turn);
        ask_all(b, &s);
        end_scene(&s);
    }
    assert_true(b->hits > 0 && b->misses > 0);
}

/* Distances that are doubles, and many that are equal; degenerate triangles. */
static void test_lattices(void **state)
{
    bench *b = *state;
    test_random random = {21};
    for (size_t turn = 0; turn < test_count(3); turn++) {
        scene s = {.poses = {tumble_pose_identity(), test_quarter_turn(5 * turn)}};
        s.poses[1].m[0][3] = 9 + (double)turn, s.poses[1].m[1][3] = 2, s.poses[1].m[2][3] = -3;
        test_make_lattice(&s.meshes[0], &random, 40, 6, 3, 0.2);
        test_make_lattice(&s.meshes[1], &random, 40, 6, 3, 0.2);
        start_scene(b, &s, "lattices", turn + 7);
        ask_all(b, &s);
        for (int clearance = 1; clearance < 12; clearance++) {
            ask(b, &s, (double)clearance);
        }
        end_scene(&s);
    }
    assert_true(b->ties > 100);
}

/* Boxes of squares, one polygon each, with faces exactly so far apart. */
static void add_squares(models_mesh *mesh, uint32_t n, double shift)
{
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t at = 0; at < n * n; at++) {
            const uint32_t row = at / n, column = at % n;
            uint32_t corners[4];
            for (uint32_t k = 0; k < 4; k++) {
                double p[3];
                p[face / 2] = face % 2 ? n : 0;
                p[(face / 2 + 1) % 3] = row + (k == 1 || k == 2);
                p[(face / 2 + 2) % 3] = column + (k >= 2);
                corners[k] = models_point(mesh, p[0] + shift, p[1], p[2]);
            }
            models_polygon(mesh, corners, 4);
        }
    }
}

static void test_layers(void **state)
{
    bench *b = *state;
    const double apart[] = {1, 0x1p-30};
    for (size_t turn = 0; turn < sizeof apart / sizeof *apart; turn++) {
        scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
        add_squares(&s.meshes[0], 3, 0);
        add_squares(&s.meshes[1], 3, 3 + apart[turn]);
        start_scene(b, &s, "layers of squares", turn + 11);
        const double clearances[] = {0, nextafter(apart[turn], 0), apart[turn], sqrt(1 + apart[turn] * apart[turn]), 9};
        for (size_t i = 0; i < sizeof clearances / sizeof *clearances; i++) {
            ask(b, &s, clearances[i]);
            if (i == 1) {
                assert_int_equal(b->expected.count, 0);
            } else if (i == 2) {
                /* squares of the two faces, of a face and the sides of the other box, of the same and of different
                 * sides */
                assert_int_equal(b->expected.count, 49 + 2 * 28 + 28 + 8);
            }
        }
        end_scene(&s);
    }
}

/* Long triangles that nearly touch at their tips: the floats of a leaf are relative to one that is far from there, and
 * round the distance to twice as much. */
static void test_tips(void **state)
{
    bench *b = *state;
    const double apart = 0x1.1p-23;
    scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
    for (int i = 0; i < 12; i++) {
        const uint32_t tip_a = models_point(&s.meshes[0], 3, 0, i), tip_b = models_point(&s.meshes[1], 3 + apart, 0, i);
        models_triangle(&s.meshes[0], models_point(&s.meshes[0], 0, 0, i), models_point(&s.meshes[0], 0, 0.5, i),
                        tip_a);
        models_triangle(&s.meshes[1], models_point(&s.meshes[1], 7, 0, i), models_point(&s.meshes[1], 7, 0.5, i),
                        tip_b);
    }
    start_scene(b, &s, "tips", 1);
    ask(b, &s, apart);
    assert_int_equal(b->expected.count, 12);
    ask(b, &s, nextafter(apart, 0));
    assert_int_equal(b->expected.count, 0);
    end_scene(&s);
}

/* A's pose has a scale, and B's another one. */
static void test_scaled_poses(void **state)
{
    bench *b = *state;
    test_random random = {22};
    const double scales[][2] = {{0.001, 0.002}, {3, 1}, {1000, 300}, {1, 0.01}, {1e-150, 1e-150}, {1e150, 2e150}};
    for (size_t turn = 0; turn < test_count(6); turn++) {
        const double *scale = scales[turn % 6];
        scene s = {.poses = {scaled_pose(&random, scale[0], scale[0], 0, -scale[0]),
                             scaled_pose(&random, scale[1], 2 * scale[0], scale[0], 0)}};
        test_make_soup(&s.meshes[0], &random, 30, 0.4);
        test_make_soup(&s.meshes[1], &random, 30, 0.4);
        start_scene(b, &s, "scaled poses", turn + 3);
        ask_all(b, &s);
        end_scene(&s);
    }
}

/* Models of very different size, and models far from the origin. */
static void test_sizes(void **state)
{
    bench *b = *state;
    test_random random = {23};
    const double sizes[][2] = {{1, 0x1p-8},  {1, 0x1p-20}, {1, 0x1p-40},       {1, 0x1p-70},
                               {0x1p-20, 1}, {0x1p-70, 1}, {0x1p300, 0x1p300}, {0x1p-400, 0x1p-400}};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t turn = 0; turn < (test_effort() < 1 ? count / 2 : count); turn++) {
        const double *size = sizes[test_effort() < 1 ? 2 * turn : turn];
        const double largest = size[0] > size[1] ? size[0] : size[1];
        scene s = {
            .poses = {tumble_pose_identity(), test_translation(0.25 * largest, 0.5 * largest, -0.125 * largest)}};
        for (int i = 0; i < 2; i++) {
            const double shift[3] = {0, 0, 0};
            test_make_soup(&s.meshes[i], &random, 24, 0.5);
            test_transform(&s.meshes[i], size[i], shift);
        }
        start_scene(b, &s, "sizes", turn);
        ask_all(b, &s);
        end_scene(&s);
    }
    scene s = {.poses = {test_translation(1e7, -1e8, 1e6), test_translation(1e7 + 2, -1e8 + 1, 1e6)}};
    for (int i = 0; i < 2; i++) {
        const double shift[3] = {3e6, 2e6, 1e5};
        test_make_soup(&s.meshes[i], &random, 24, 0.5);
        test_transform(&s.meshes[i], 1, shift);
    }
    start_scene(b, &s, "far away", 5);
    ask_all(b, &s);
    end_scene(&s);
}

/* Models that are small beside their distance, where the limit's own rounding matters most: flat patches that face each
 * other, with matrices that are rotations only to within what is accepted. */
static void test_distances(void **state)
{
    bench *b = *state;
    test_random random = {28};
    for (size_t turn = 0; turn < test_count(8); turn++) {
        const double distance = ldexp(1 + test_random_unit(&random), (int)(7 * turn % 12) * 3 - 4);
        tumble_pose pose = test_rational_turn(&random);
        double along[3] = {0.48, -0.6, 0.64}, u[3] = {0.8, 0.64, 0}, v[3], middle[3];
        for (int k = 0; k < 3; k++) {
            along[k] = turn % 3 ? along[k] : k == (int)(turn / 3 % 3);
            u[k] = turn % 3 ? u[k] : k == (int)(turn / 3 + 1) % 3;
            middle[k] = 0;
        }
        for (int k = 0; k < 3; k++) {
            v[k] = along[(k + 1) % 3] * u[(k + 2) % 3] - along[(k + 2) % 3] * u[(k + 1) % 3];
        }
        scene s = {.poses = {tumble_pose_identity(), pose}, .has_many_ties = 1};
        test_make_patch(&s.meshes[0], 4, u, v, middle, 1);
        test_make_patch(&s.meshes[1], 4, u, v, middle, 0.75);
        for (size_t i = 0; turn % 2 && i < s.meshes[1].point_count; i++) { /* so that the pose turns them back */
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = pose.m[0][k] * s.meshes[1].points[3 * i] + pose.m[1][k] * s.meshes[1].points[3 * i + 1] +
                       pose.m[2][k] * s.meshes[1].points[3 * i + 2];
            }
            memcpy(s.meshes[1].points + 3 * i, p, sizeof p);
        }
        for (int k = 0; k < 3; k++) {
            s.poses[1].m[k][3] = along[k] * distance + 1.25 * u[k]; /* few face each other */
            s.poses[1].m[k][(k + 1) % 3] += turn % 4 == 3 ? 3e-6 : 0;
        }
        start_scene(b, &s, "small beside their distance", turn);
        ask(b, &s, s.sorted[0]);
        ask(b, &s, nextafter(s.sorted[0], 0));
        ask(b, &s, s.sorted[60]);
        end_scene(&s);
    }
}

/* Models whose points have moved since they were built. */
static void test_deformed(void **state)
{
    bench *b = *state;
    test_random random = {24};
    for (size_t m = 0; m < TEST_MOVERS; m++) {
        const tumble_model_options options = test_mover_options(&test_movers[m]);
        scene s = {.name = test_movers[m].name,
                   .poses = {tumble_pose_identity(), scaled_pose(&random, 1, 1.5, 0.5, 0.25)}};
        for (int i = 0; i < 2; i++) {
            models_mesh first = {0};
            test_make_soup(&first, &random, 30, 0.4);
            test_make_soup(&s.meshes[i], &random, 30, 0.4);
            tumble_model *built = test_model(b->contexts[0], &first, &options);
            test_deform(b->contexts[0], built, &s.meshes[i], &s.models[0][i]);
            tumble_model_destroy(built);
            models_free(&first);
        }
        measure(&s);
        s.variants[0] = SIZE_MAX;
        const double clearances[] = {0, s.sorted[3], nextafter(s.sorted[20], 0), s.sorted[200], 100};
        for (size_t i = 0; i < sizeof clearances / sizeof *clearances; i++) {
            find_expected(b, &s, clearances[i]);
            ask_kind(b, &s, 0, clearances[i]);
        }
        end_scene(&s);
    }
}

/* All instruction sets do the same work. */
static void test_levels(void **state)
{
    bench *b = *state;
    test_random random = {31};
    scene s = {.poses = {tumble_pose_identity(), scaled_pose(&random, 1, 1.5, 0.5, 0.25)}};
    test_make_soup(&s.meshes[0], &random, 150, 0.2);
    test_make_soup(&s.meshes[1], &random, 150, 0.2);
    start_scene(b, &s, "levels", 1);
    for (size_t i = 0; i < 4 * KINDS; i++) {
        const size_t kind = i / 4;
        tumble_collide_options options = test_overlap_variant(i % TEST_OVERLAP_VARIANTS);
        tumble_collide_result results[LEVELS];
        options.mode = i % 2 ? TUMBLE_COLLIDE_TEST : TUMBLE_COLLIDE_ALL;
        options.clearance = s.sorted[0] * (i / 2 % 2 ? 1.5 : 0.99);
        for (size_t level = 0; level < LEVELS; level++) {
            results[level] = (tumble_collide_result){.size = sizeof *results};
            assert_int_equal(tumble_collide(b->queries[level], s.models[kind][0], &s.poses[0], s.models[kind][1],
                                            &s.poses[1], &options, &results[level]),
                             TUMBLE_OK);
            assert_int_equal(results[level].pair_count, results[0].pair_count);
            if (!test_same_work(&results[level].counters, &results[0].counters)) {
                fail_msg("%s, level %zu: other counters than level 0", kind_name(&s, kind), level);
            }
        }
    }
    end_scene(&s);
}

/* ---- Surfaces ---- */

static uint64_t surface_key(const scene *s, tumble_pair pair)
{
    return (uint64_t)s->meshes[0].surface_ids[pair.polygon_a] << 32 | s->meshes[1].surface_ids[pair.polygon_b];
}

static void check_surfaces(bench *b, const scene *s, size_t kind, double clearance)
{
    enum {
        SURFACES = 5
    };
    int expected[SURFACES][SURFACES] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < b->expected.count; i++) {
        const uint64_t key = surface_key(s, b->expected.items[i]);
        count += !expected[key >> 32][key & 0xff];
        expected[key >> 32][key & 0xff] = 1;
    }
    tumble_surface_pair found[SURFACES * SURFACES];
    tumble_collide_options options = test_overlap_variant(b->number++ % TEST_OVERLAP_VARIANTS);
    options.mode = TUMBLE_COLLIDE_SURFACES;
    options.clearance = clearance;
    options.surface_pairs = found;
    options.surface_pair_capacity = SURFACES * SURFACES;
    tumble_collide_result result = {.size = sizeof result};
    assert_int_equal(tumble_collide(b->queries[b->number % LEVELS], s->models[kind][0], &s->poses[0],
                                    s->models[kind][1], &s->poses[1], &options, &result),
                     TUMBLE_OK);
    if (result.surface_pair_count != count) {
        fail_msg("%s, clearance %a: %u pairs of surfaces instead of %zu", kind_name(s, kind), clearance,
                 (unsigned)result.surface_pair_count, count);
    }
    for (size_t i = 0; i < count; i++) {
        const tumble_pair pair = {found[i].polygon_a, found[i].polygon_b};
        assert_true(expected[found[i].surface_a][found[i].surface_b]);
        assert_true(test_has_pair(&b->expected, pair));
    }
}

static void test_surfaces(void **state)
{
    bench *b = *state;
    test_random random = {25};
    scene s = {.poses = {tumble_pose_identity(), scaled_pose(&random, 1, 1.8, 0.5, 0.25)}};
    for (int i = 0; i < 2; i++) {
        test_make_soup(&s.meshes[i], &random, 50, 0.4);
        for (size_t k = 0; k < s.meshes[i].polygon_count; k++) {
            s.meshes[i].surface_ids[k] = (uint32_t)(k / 7 % 5);
        }
    }
    start_scene(b, &s, "surfaces", 2);
    for (size_t at = 0; at < 2500; at = 2 * at + 1) {
        find_expected(b, &s, s.sorted[at]);
        for (size_t kind = 0; kind < KINDS; kind++) {
            check_surfaces(b, &s, kind, s.sorted[at]);
        }
    }
    end_scene(&s);
}

/* ---- Contacts ---- */

static double point_distance(const double point[3], const double triangle[3][3], const tumble_pose *pose)
{
    double placed[3][3], same[3][3];
    for (int i = 0; i < 3; i++) {
        tumble_pose_apply(pose, triangle[i], placed[i]);
        memcpy(same[i], point, sizeof same[i]);
    }
    tmb_triangle_distance distance;
    tmb_triangles_distance((const double(*)[3])placed, (const double(*)[3])same, &distance, NULL);
    return distance.value;
}

/* Polygons are triangles here, so their numbers are those of the corners. */
static void check_contact(const scene *s, const tumble_contact *contact, const tumble_contact *plain,
                          size_t plain_count)
{
    const double scale = tumble_pose_scale(&s->poses[0]), tolerance = 1e-13 * scale;
    const size_t i = contact->polygon_a, j = contact->polygon_b;
    const double value = s->distances[i * s->corners[1].count + j].value;
    if (value == 0) {
        size_t k = 0;
        while (k < plain_count && (plain[k].polygon_a != i || plain[k].polygon_b != j)) {
            k++;
        }
        assert_true(k < plain_count);
        assert_memory_equal(contact, &plain[k], sizeof *contact);
        return;
    }
    const double *p = contact->points[0], *q = contact->points[1];
    const double length =
        sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    assert_int_equal(contact->coplanar, 0);
    assert_int_equal(contact->apart, 1);
    assert_true(fabs(length - value * scale) < tolerance);
    assert_true(point_distance(p, (const double(*)[3])s->corners[0].triangles[i], &s->poses[0]) < tolerance);
    assert_true(point_distance(q, (const double(*)[3])s->corners[1].triangles[j], &s->poses[0]) < tolerance);
}

static void check_contacts(bench *b, const scene *s, size_t kind, double clearance)
{
    const size_t room = s->corners[0].count * s->corners[1].count;
    tumble_contact *lists[2] = {calloc(room + 1, sizeof **lists), calloc(room + 1, sizeof **lists)};
    tumble_collide_result results[2] = {{.size = sizeof *results}, {.size = sizeof *results}};
    assert_non_null(lists[0]);
    assert_non_null(lists[1]);
    for (int i = 0; i < 2; i++) {
        tumble_collide_options options = test_overlap_variant(b->number++ % TEST_OVERLAP_VARIANTS);
        options.clearance = i ? clearance : 0;
        options.contacts = lists[i];
        options.contact_capacity = room;
        assert_int_equal(tumble_collide(b->queries[kind % LEVELS], s->models[kind][0], &s->poses[0], s->models[kind][1],
                                        &s->poses[1], &options, &results[i]),
                         TUMBLE_OK);
    }
    assert_int_equal(results[1].contact_count, find_expected(b, s, limit_of(s, clearance)));
    for (size_t i = 0; i < results[1].contact_count; i++) {
        check_contact(s, &lists[1][i], lists[0], (size_t)results[0].contact_count);
    }
    free(lists[0]);
    free(lists[1]);
}

static void test_contacts(void **state)
{
    bench *b = *state;
    test_random random = {26};
    for (size_t turn = 0; turn < 2; turn++) {
        const double scale = turn ? 20 : 1;
        scene s = {.poses = {turn ? scaled_pose(&random, scale, 1, 2, 3) : test_translation(1, 2, 3),
                             scaled_pose(&random, scale, 1.5, 2, 3)}};
        test_make_soup(&s.meshes[0], &random, 40, 0.5);
        test_make_soup(&s.meshes[1], &random, 40, 0.5);
        start_scene(b, &s, "contacts", turn);
        assert_true(s.sorted[0] == 0 && s.sorted[200] > 0);
        for (size_t kind = 0; kind < KINDS; kind++) {
            check_contacts(b, &s, kind, s.sorted[300] * scale);
        }
        end_scene(&s);
    }
}

/* ---- Lists of near pairs ---- */

static void check_list(bench *b, const scene *s, size_t kind, double limit)
{
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    const double scale = tumble_pose_scale(&s->poses[0]);
    tumble_near *pairs = malloc((count_a * count_b + 1) * sizeof *pairs);
    double *least = malloc((s->meshes[0].polygon_count * s->meshes[1].polygon_count + 1) * sizeof *least);
    assert_non_null(pairs);
    assert_non_null(least);
    for (size_t i = 0; i < s->meshes[0].polygon_count * s->meshes[1].polygon_count; i++) {
        least[i] = INFINITY;
    }
    for (size_t i = 0; i < count_a * count_b; i++) {
        const size_t at =
            s->corners[0].polygons[i / count_b] * s->meshes[1].polygon_count + s->corners[1].polygons[i % count_b];
        const double distance = scale == 1 ? s->distances[i].value : s->distances[i].value * scale;
        least[at] = distance < least[at] ? distance : least[at];
    }
    uint64_t count = 0, at = 0;
    tumble_counters counters = {0};
    assert_int_equal(tmb_list_near(b->queries[kind % LEVELS], s->models[kind][0], &s->poses[0], s->models[kind][1],
                                   &s->poses[1], limit, TUMBLE_KDOP_TUMBLE_AUTO, pairs, count_a * count_b, &count,
                                   &counters),
                     TUMBLE_OK);
    for (uint32_t i = 0; i < s->meshes[0].polygon_count; i++) {
        for (uint32_t j = 0; j < s->meshes[1].polygon_count; j++) {
            const double distance = least[i * s->meshes[1].polygon_count + j];
            if (!(distance <= limit)) {
                continue;
            }
            assert_true(at < count && pairs[at].polygon_a == i && pairs[at].polygon_b == j);
            assert_true(pairs[at].distance == distance);
            const double *p = pairs[at].point_a, *q = pairs[at].point_b;
            assert_true(fabs(hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) - distance) < 1e-13 * scale);
            at++;
        }
    }
    assert_true(at == count);
    free(pairs);
    free(least);
}

static void test_lists(void **state)
{
    bench *b = *state;
    test_random random = {27};
    for (size_t turn = 0; turn < 3; turn++) {
        scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
        if (turn < 2) {
            s.poses[turn] = scaled_pose(&random, 3, 1.5, 0.5, 0.25);
            test_make_soup(&s.meshes[0], &random, 30, 0.5);
            test_make_soup(&s.meshes[1], &random, 30, 0.5);
        } else {
            add_squares(&s.meshes[0], 3, 0);
            add_squares(&s.meshes[1], 3, 3.75);
        }
        start_scene(b, &s, "lists", turn);
        const double scale = tumble_pose_scale(&s.poses[0]);
        for (size_t kind = 0; kind < KINDS; kind++) {
            check_list(b, &s, kind, s.sorted[0] * scale);
            check_list(b, &s, kind, s.sorted[90] * scale);
            check_list(b, &s, kind, 0);
        }
        end_scene(&s);
    }
}

/* ---- Costs ---- */

static tumble_collide_result test_once(bench *b, const tumble_model *model, const tumble_pose *pose, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result = {.size = sizeof result};
    options.mode = TUMBLE_COLLIDE_TEST;
    options.clearance = clearance;
    assert_int_equal(tumble_collide(b->queries[LEVELS - 1], model, NULL, model, pose, &options, &result), TUMBLE_OK);
    return result;
}

/* Models that are just not as close as the limit take about as many box tests as models that just do not touch: those
 * moved together by the limit. */
static void check_costs(bench *b, const tumble_model *model, tumble_pose pose, uint64_t factor, const char *name)
{
    const double less = 1 - 0x1p-8, more = 1 + 0x1p-8;
    tumble_distance_result nearest = {.size = sizeof nearest};
    assert_int_equal(tumble_distance(b->queries[0], model, NULL, model, &pose, NULL, &nearest), TUMBLE_OK);
    const double distance = nearest.nearest.distance;
    const tumble_collide_result apart = test_once(b, model, &pose, less * distance);
    assert_int_equal(apart.collide, 0);
    assert_int_equal(test_once(b, model, &pose, more * distance).collide, 1);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] -= less * (nearest.nearest.point_b[k] - nearest.nearest.point_a[k]);
    }
    const tumble_collide_result plain = test_once(b, model, &pose, 0);
    assert_int_equal(plain.collide, 0);
    if (apart.counters.box_tests > factor * plain.counters.box_tests + 200) {
        fail_msg("%s, %g apart: %lu box tests with clearance, %lu without", name, distance,
                 (unsigned long)apart.counters.box_tests, (unsigned long)plain.counters.box_tests);
    }
}

static void test_costs(void **state)
{
    bench *b = *state;
    test_random random = {29};
    static const struct {
        tumble_hierarchy hierarchy;
        uint64_t factor;
    } kinds[] = {{TUMBLE_HIERARCHY_WIDE, 3},
                 {TUMBLE_HIERARCHY_KDOP, 4},
                 {TUMBLE_HIERARCHY_RTREE, 2},
                 {TUMBLE_HIERARCHY_BOXTREE, 5}};
    const char *shapes[] = {"sphere", "torus", "gear"};
    for (size_t i = 0; i < 3; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i], 4000));
        models_fit(&mesh, 2, 0);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            tumble_model_options options = tumble_default_model_options();
            options.hierarchy = kinds[k].hierarchy;
            tumble_model *model = test_model(b->contexts[0], &mesh, &options);
            check_costs(b, model, scaled_pose(&random, 1, 2.05, 0.2, 0.1), kinds[k].factor, shapes[i]);
            check_costs(b, model, scaled_pose(&random, 1, 2.2, 0.2, 0.1), kinds[k].factor, shapes[i]);
            tumble_model_destroy(model);
        }
        models_free(&mesh);
    }
}

/* ---- Memory ---- */

/* Every call for memory fails once, in a query that is new; the answer is a status, and the next one is right. */
static void test_memory(void **state)
{
    bench *b = *state;
    test_random random = {30};
    scene s = {.poses = {tumble_pose_identity(), scaled_pose(&random, 1, 1.5, 0.5, 0.25)}};
    test_make_soup(&s.meshes[0], &random, 30, 0.5);
    test_make_soup(&s.meshes[1], &random, 30, 0.5);
    start_scene(b, &s, "memory", 0);
    const double clearance = s.sorted[400];
    tumble_near pairs[900];
    for (size_t kind = 0; kind < KINDS; kind += 2) {
        size_t failing = 0;
        for (int is_complete = 0; !is_complete; failing++) {
            tumble_query *query = NULL;
            tumble_counters counters = {0};
            uint64_t count = 77;
            assert_int_equal(tumble_query_create(b->contexts[0], &query), TUMBLE_OK);
            test_allocator_fail(&b->memory, failing + 1, 0);
            const tumble_status status =
                tmb_list_near(query, s.models[kind][0], NULL, s.models[kind][1], &s.poses[1], clearance,
                              TUMBLE_KDOP_TUMBLE_AUTO, pairs, 900, &count, &counters);
            is_complete = test_allocator_failures(&b->memory) == 0;
            test_allocator_fail(&b->memory, 0, 0);
            assert_int_equal(status, is_complete ? TUMBLE_OK : TUMBLE_ERROR_MEMORY);
            assert_true(is_complete ? count >= 401 : count == 0);
            tumble_query_destroy(query);
        }
        assert_true(failing > 2);
    }
    end_scene(&s);
}

/* ---- Arguments ---- */

static void test_arguments(void **state)
{
    bench *b = *state;
    scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
    models_mesh empty = {0};
    test_make_grid_box(&s.meshes[0], 2);
    test_make_grid_box(&s.meshes[1], 2);
    start_scene(b, &s, "arguments", 0);
    tumble_collide_result result = {.size = sizeof result};
    tumble_collide_options options = tumble_default_collide_options();
    assert_true(options.clearance == 0);
    const double refused[] = {-1, -DBL_MIN, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        options.clearance = refused[i];
        test_assert_status(b->contexts[0],
                           tumble_collide(b->queries[0], s.models[1][0], NULL, s.models[1][1], NULL, &options, &result),
                           TUMBLE_ERROR_ARGUMENT, "clearance");
    }
    /* nothing is near to what is not there */
    tumble_model *nothing = test_model(b->contexts[0], &empty, NULL);
    options.clearance = INFINITY;
    assert_int_equal(tumble_collide(b->queries[0], s.models[1][0], NULL, nothing, NULL, &options, &result), TUMBLE_OK);
    assert_int_equal(result.collide, 0);
    /* points of B that A's pose moves beyond the doubles */
    const tumble_pose large = {{{1e160, 0, 0, 0}, {0, 1e160, 0, 0}, {0, 0, 1e160, 0}}};
    const tumble_pose far = {{{1e160, 0, 0, 1e308}, {0, 1e160, 0, 1e308}, {0, 0, 1e160, 1e308}}};
    options.want_contacts = 1;
    assert_int_equal(tumble_collide(b->queries[0], s.models[1][0], &large, s.models[1][1], &far, &options, &result),
                     TUMBLE_OK);
    const tumble_pose nearly = {{{1e160, 0, 0, -1e308}, {0, 1e160, 0, 0}, {0, 0, 1e160, 0}}};
    test_assert_status(b->contexts[0],
                       tumble_collide(b->queries[0], s.models[1][0], &nearly, s.models[1][1], &far, &options, &result),
                       TUMBLE_ERROR_NOT_FINITE, "infinite");
    tumble_model_destroy(nothing);
    end_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_soups),     TEST_ON_BENCH(test_lattices),     TEST_ON_BENCH(test_layers),
        TEST_ON_BENCH(test_tips),      TEST_ON_BENCH(test_scaled_poses), TEST_ON_BENCH(test_sizes),
        TEST_ON_BENCH(test_distances), TEST_ON_BENCH(test_deformed),     TEST_ON_BENCH(test_levels),
        TEST_ON_BENCH(test_surfaces),  TEST_ON_BENCH(test_contacts),     TEST_ON_BENCH(test_lists),
        TEST_ON_BENCH(test_costs),     TEST_ON_BENCH(test_memory),       TEST_ON_BENCH(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
