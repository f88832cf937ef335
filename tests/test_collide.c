/* Which pairs collide: every hierarchy, option and instruction set gives what brute force gives, and brute force gives
 * what exact arithmetic says about the points as docs/semantics.md moves them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "scenes.h"

/* Contexts and queries for each instruction set; models are made from the first. */
typedef struct bench {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    oracle *truth;
    test_pairs expected, found;
    size_t number, questions; /* count comparisons, so that variants take turns */
    size_t hits, misses;
} bench;

static int begin(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    test_allocator_begin(&b->memory);
    test_open_levels(&b->memory, b->contexts, b->queries);
    b->truth = oracle_create();
    *state = b;
    return 0;
}

static int end(void **state)
{
    bench *b = *state;
    test_close_levels(b->contexts, b->queries);
    oracle_destroy(b->truth);
    test_free_pairs(&b->expected);
    test_free_pairs(&b->found);
    test_allocator_end(&b->memory);
    free(b);
    return 0;
}

/* ---- A mesh as brute force, as a wide hierarchy, as a k-DOP tree of each k and as some of the boxtrees, in turn ----
 */

enum {
    TREES = 8
};

typedef struct object {
    tumble_model *brute, *wide, *rtree, *trees[TREES], *kdops[TEST_KDOP_SETS];
    size_t rtree_variant, variants[TREES], kdop_variants[TEST_KDOP_SETS];
} object;

static object make_object(bench *b, const models_mesh *mesh, size_t first_variant)
{
    const tumble_model_options wide = test_tree_variant(TEST_TREE_WIDE + first_variant % 2);
    object made = {.brute = test_brute_model(b->contexts[0], mesh), .wide = test_model(b->contexts[0], mesh, &wide)};
    made.rtree_variant = TEST_TREE_RTREE + first_variant % TEST_RTREE_VARIANTS;
    const tumble_model_options rtree = test_tree_variant(made.rtree_variant);
    made.rtree = test_model(b->contexts[0], mesh, &rtree);
    for (size_t i = 0; i < TREES; i++) {
        made.variants[i] = (first_variant + 9 * i) % TEST_TREE_VARIANTS;
        const tumble_model_options options = test_tree_variant(made.variants[i]);
        made.trees[i] = test_model(b->contexts[0], mesh, &options);
    }
    for (size_t i = 0; i < TEST_KDOP_SETS; i++) {
        made.kdop_variants[i] = TEST_TREE_KDOP + TEST_KDOP_EACH * i + (first_variant + i) % TEST_KDOP_EACH;
        const tumble_model_options options = test_tree_variant(made.kdop_variants[i]);
        made.kdops[i] = test_model(b->contexts[0], mesh, &options);
    }
    return made;
}

static void free_object(object *o)
{
    tumble_model_destroy(o->brute);
    tumble_model_destroy(o->wide);
    tumble_model_destroy(o->rtree);
    for (size_t i = 0; i < TREES; i++) {
        tumble_model_destroy(o->trees[i]);
    }
    for (size_t i = 0; i < TEST_KDOP_SETS; i++) {
        tumble_model_destroy(o->kdops[i]);
    }
}

/* What is asked, and what it is called. */
typedef struct question {
    const tumble_model *models[2];
    const tumble_pose *poses[2];
    tumble_collide_options options;
    const char *name, *tree;
} question;

/* All levels do the same work, also when one pair is wanted. */
static void compare_levels(bench *b, const question *q)
{
    tumble_collide_result results[TEST_LEVELS][2];
    for (size_t level = 0; level < TEST_LEVELS; level++) {
        tumble_query *query = b->queries[level];
        results[level][0] =
            test_collide(query, q->models[0], q->poses[0], q->models[1], q->poses[1], &q->options, &b->found);
        test_assert_same_pairs(&b->found, &b->expected, "%s, %s, level %zu", q->name, q->tree, level);
        tumble_collide_options one = q->options;
        one.mode = b->number % 2 ? TUMBLE_FIRST : TUMBLE_TEST;
        tumble_collide_result *result = &results[level][1];
        *result = (tumble_collide_result){0};
        assert_int_equal(tumble_collide(query, q->models[0], q->poses[0], q->models[1], q->poses[1], &one, result),
                         TUMBLE_OK);
        if (result->collide != (b->expected.count > 0) ||
            (result->collide && !test_has_pair(&b->expected, result->first))) {
            fail_msg("%s, %s, level %zu: another answer when one pair is wanted", q->name, q->tree, level);
        }
        for (int k = 0; k < 2; k++) {
            if (!test_same_work(&results[level][k].counters, &results[0][k].counters)) {
                fail_msg("%s, %s, level %zu: other counters than level 0", q->name, q->tree, level);
            }
        }
    }
}

static void compare_wide(bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                         const tumble_pose *pose_b, const char *name)
{
    const question q = {{a->wide, o->wide}, {pose_a, pose_b}, tumble_default_collide_options(), name, "wide"};
    compare_levels(b, &q);
}

/* One k with one way to walk; all of both meet in 45 calls. */
static void compare_kdop(bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                         const tumble_pose *pose_b, const char *name)
{
    const size_t set = b->questions % TEST_KDOP_SETS, walk = b->questions % TEST_OVERLAP_VARIANTS;
    char tree[300];
    b->questions++;
    snprintf(tree, sizeof tree, "%s, A: %s, B: %s", test_overlap_name(walk), test_tree_name(a->kdop_variants[set]),
             test_tree_name(o->kdop_variants[set]));
    const question q = {{a->kdops[set], o->kdops[set]}, {pose_a, pose_b}, test_overlap_variant(walk), name, tree};
    compare_levels(b, &q);
}

static void compare_rtree(bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                          const tumble_pose *pose_b, const char *name)
{
    const size_t walk = b->questions % TEST_OVERLAP_VARIANTS;
    char tree[300];
    snprintf(tree, sizeof tree, "walk %zu, A: %s, B: %s", walk, test_tree_name(a->rtree_variant),
             test_tree_name(o->rtree_variant));
    const question q = {{a->rtree, o->rtree}, {pose_a, pose_b}, test_overlap_variant(walk), name, tree};
    compare_levels(b, &q);
}

/* b->expected holds the truth; `queries` comparisons with it, and some more of the other hierarchies. */
static void compare_variants(bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                             const tumble_pose *pose_b, size_t queries, const char *name)
{
    *(b->expected.count ? &b->hits : &b->misses) += 1;
    compare_wide(b, a, pose_a, o, pose_b, name);
    compare_kdop(b, a, pose_a, o, pose_b, name);
    compare_rtree(b, a, pose_a, o, pose_b, name);
    for (size_t i = 0; i < queries; i++, b->number++) {
        const size_t overlap = b->number % TEST_OVERLAP_VARIANTS,
                     level = b->number / TEST_OVERLAP_VARIANTS % TEST_LEVELS;
        const size_t in_a = b->number / 5 % TREES, in_b = b->number / 11 % TREES;
        const tumble_model *first = a->trees[in_a], *second = o->trees[in_b];
        const char *mixture = "";
        switch (b->number % 250) { /* different hierarchies */
        case 7: second = o->brute, mixture = " (B is brute)"; break;
        case 32: first = a->kdops[1], mixture = " (A is kdop)"; break;
        case 82: second = o->kdops[2], mixture = " (B is kdop)"; break;
        case 132: first = a->kdops[3], second = o->kdops[4], mixture = " (k-DOPs with different k)"; break;
        case 182: first = a->wide, second = o->kdops[3], mixture = " (A is wide, B is kdop)"; break;
        case 57: first = a->brute, second = o->wide, mixture = " (A is brute, B is wide)"; break;
        case 232: first = a->rtree, second = o->wide, mixture = " (A is rtree, B is wide)"; break;
        case 242: second = o->rtree, mixture = " (B is rtree)"; break;
        case 107: first = a->wide, mixture = " (A is wide)"; break;
        case 157: second = o->wide, mixture = " (B is wide)"; break;
        case 207: first = a->wide, second = o->brute, mixture = " (A is wide, B is brute)"; break;
        default: break;
        }
        const tumble_collide_options options = test_overlap_variant(overlap);
        test_collide(b->queries[level], first, pose_a, second, pose_b, &options, &b->found);
        test_assert_same_pairs(&b->found, &b->expected, "%s, level %zu, %s, A: %s, B: %s%s", name, level,
                               test_overlap_name(overlap), test_tree_name(a->variants[in_a]),
                               test_tree_name(o->variants[in_b]), mixture);
    }
}

static void compare_with_brute(bench *b, const object *a, const tumble_pose *pose_a, const object *o,
                               const tumble_pose *pose_b, size_t queries, const char *name)
{
    test_collide(b->queries[0], a->brute, pose_a, o->brute, pose_b, NULL, &b->expected);
    compare_variants(b, a, pose_a, o, pose_b, queries, name);
}

/* ---- Poses ---- */

static tumble_pose random_pose(test_random *random, double reach)
{
    models_random own = {test_random_bits(random)};
    tumble_pose pose = models_random_rotation(&own);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = test_random_range(random, -reach, reach);
    }
    return pose;
}

static void scale_pose(tumble_pose *pose, double factor)
{
    for (int i = 0; i < 12; i++) {
        pose->m[i / 4][i % 4] *= factor;
    }
}

/* Kinds of pairs of poses for models of about the size 2 around the origin. Returns whether A has a pose at all. */
static int make_poses(test_random *random, size_t kind, tumble_pose *a, tumble_pose *b)
{
    static const double scales[] = {1e-6, 1e6, 1e-150, 1e150};
    *a = tumble_pose_identity();
    *b = random_pose(random, 1.2);
    switch (kind % 11) {
    case 0: *b = tumble_pose_identity(); return 0;
    case 1: *b = test_quarter_turn(test_random_bits(random) % 24); return 0;
    case 2: *a = random_pose(random, 0.5); return 1;
    case 3: /* far away, both */
        *a = random_pose(random, 0.5);
        for (int k = 0; k < 3; k++) {
            a->m[k][3] += 1e6;
            b->m[k][3] += 1e6;
        }
        return 1;
    case 4: /* the same pose of both */ *a = *b; return 1;
    case 5: /* both scaled */
        *a = random_pose(random, 0.5);
        scale_pose(a, scales[kind / 11 % 4]);
        scale_pose(b, scales[kind / 11 % 4]);
        return 1;
    case 6: /* B of another size */ scale_pose(b, test_random_range(random, 0.3, 3)); return 0;
    case 7: /* a step away from a quarter turn */
        *b = test_quarter_turn(test_random_bits(random) % 24);
        for (int k = 0; k < 3; k++) {
            b->m[k][3] = test_random_range(random, -1e-15, 1e-15);
        }
        return 0;
    case 8: /* typed with six digits: no exact rotation */
        for (int i = 0; i < 12; i++) {
            b->m[i / 4][i % 4] = rint(b->m[i / 4][i % 4] * 1e6) / 1e6;
        }
        return 0;
    case 9: /* sheared as much as is accepted, or nearly */
        for (int i = 0; i < 12; i++) {
            b->m[i / 4][i % 4] += test_random_range(random, -2.5e-6, 2.5e-6);
        }
        return 0;
    default: return 0;
    }
}

/* ---- Shapes ---- */

/* The next shape that can be had with so few triangles, and the one after the last is the first. */
static const models_shape *next_shape(models_mesh *mesh, const models_shape *shape, size_t triangles, int as_float)
{
    do {
        shape = shape[1].name ? shape + 1 : models_shapes();
    } while (!test_make_shape(mesh, shape, triangles));
    models_fit(mesh, 2, as_float);
    return shape;
}

/* `poses` poses for each of `rounds` shapes against another, with `queries` comparisons each. */
static void compare_shapes(bench *b, size_t triangles, size_t rounds, size_t poses, size_t queries)
{
    test_random random = {triangles};
    const models_shape *shapes[2] = {models_shapes(), models_shapes() + 3};
    for (size_t i = 0; i < rounds; i++) {
        models_mesh meshes[2];
        object objects[2];
        for (size_t k = 0; k < 2; k++) {
            shapes[k] = next_shape(&meshes[k], shapes[k], triangles, (i + k) % 2 == 0);
            objects[k] = make_object(b, &meshes[k], k ? 5 * i : i);
        }
        for (size_t n = 0; n < poses; n++) {
            const size_t p = n + i * poses; /* few poses, and still all kinds of them */
            tumble_pose pose_a, pose_b;
            const int posed = make_poses(&random, p, &pose_a, &pose_b);
            char name[100];
            snprintf(name, sizeof name, "%s against %s, pose %zu", shapes[0]->name, shapes[p % 9 != 0]->name, p);
            compare_with_brute(b, &objects[0], posed ? &pose_a : NULL, &objects[p % 9 != 0], &pose_b, queries, name);
        }
        for (size_t k = 0; k < 2; k++) {
            free_object(&objects[k]);
            models_free(&meshes[k]);
        }
    }
}

static void test_small_shapes(void **state)
{
    bench *b = *state;
    compare_shapes(b, 250, 24, test_effort() < 1 ? 5 : test_count(20), TEST_OVERLAP_VARIANTS);
    assert_true(b->hits > b->misses && b->misses > 0);
}

static void test_larger_shapes(void **state)
{
    compare_shapes(*state, test_effort() < 1 ? 1300 : 2500, 8, test_count(2), TEST_OVERLAP_VARIANTS);
}

enum {
    TREE_KINDS = 6
};

/* The demonstration is too large for brute force, but not for hierarchies against each other. */
static void test_demonstration(void **state)
{
    bench *b = *state;
    models_demo demo;
    assert_true(models_make_demo(&demo, 40));
    static const size_t variants[TREE_KINDS] = {
        36, 27, TEST_TREE_WIDE, TEST_TREE_KDOP + 9, TEST_TREE_KDOP + 1, TEST_TREE_RTREE};
    tumble_model *housing[TREE_KINDS], *part[TREE_KINDS];
    for (size_t k = 0; k < TREE_KINDS; k++) {
        const tumble_model_options options = test_tree_variant(variants[k]);
        housing[k] = test_model(b->contexts[0], &demo.housing, &options);
        part[k] = test_model(b->contexts[0], &demo.part, &options);
    }
    size_t hits = 0;
    for (size_t i = 0; i < demo.path_length; i += test_effort() < 1 ? 10 : 3) {
        test_collide(b->queries[0], housing[0], NULL, part[0], &demo.path[i], NULL, &b->expected);
        hits += b->expected.count;
        for (size_t k = 0; k < 3; k++) {
            const size_t overlap = (i + 3 * k) % TEST_OVERLAP_VARIANTS;
            const tumble_collide_options options = test_overlap_variant(overlap);
            test_collide(b->queries[k], housing[k % 2], NULL, part[1], &demo.path[i], &options, &b->found);
            test_assert_same_pairs(&b->found, &b->expected, "step %zu, %s", i, test_overlap_name(overlap));
            test_collide(b->queries[k], housing[2], NULL, part[2], &demo.path[i], NULL, &b->found);
            test_assert_same_pairs(&b->found, &b->expected, "step %zu, wide, level %zu", i, k);
        }
        for (size_t k = 3; k < TREE_KINDS; k++) {
            const size_t walk = (i + k) % TEST_OVERLAP_VARIANTS;
            const tumble_collide_options options = test_overlap_variant(walk);
            test_collide(b->queries[i % 3], housing[k], NULL, part[k], &demo.path[i], &options, &b->found);
            test_assert_same_pairs(&b->found, &b->expected, "step %zu, %s, %s", i, test_tree_name(variants[k]),
                                   test_overlap_name(walk));
        }
    }
    assert_true(hits > 0);
    for (size_t k = 0; k < TREE_KINDS; k++) {
        tumble_model_destroy(housing[k]);
        tumble_model_destroy(part[k]);
    }
    models_free_demo(&demo);
}

/* ---- Against exact arithmetic ---- */

typedef struct exact_mesh {
    double (*points)[3];
    uint32_t (*triangles)[3];
    oracle_mesh mesh;
} exact_mesh;

/* The mesh moved as docs/semantics.md says. */
static exact_mesh exact_view(const models_mesh *mesh, const tumble_pose *pose)
{
    exact_mesh view = {malloc((mesh->point_count + 1) * sizeof *view.points),
                       malloc((mesh->polygon_count + 1) * sizeof *view.triangles),
                       {0}};
    assert_true(view.points && view.triangles);
    for (size_t i = 0; i < mesh->point_count; i++) {
        tumble_pose_apply(pose, mesh->points + 3 * i, view.points[i]);
    }
    for (size_t i = 0; i < 3 * mesh->polygon_count; i++) {
        view.triangles[i / 3][i % 3] = mesh->indices[i];
    }
    view.mesh =
        (oracle_mesh){(const double(*)[3])view.points, (const uint32_t(*)[3])view.triangles, mesh->polygon_count};
    return view;
}

static void free_view(exact_mesh *view)
{
    free(view->points);
    free(view->triangles);
}

/* The truth becomes b->expected. */
static void ask_oracle(bench *b, const models_mesh *a, const models_mesh *o, const tumble_pose *pose_a,
                       const tumble_pose *pose_b)
{
    const tumble_pose identity = tumble_pose_identity();
    const tumble_pose relative = tumble_pose_relative(pose_a ? pose_a : &identity, pose_b ? pose_b : &identity);
    exact_mesh view_a = exact_view(a, &identity), view_b = exact_view(o, &relative);
    uint32_t(*pairs)[2] = NULL;
    const size_t count = oracle_pairs(b->truth, &view_a.mesh, &view_b.mesh, &pairs);
    if (count > b->expected.capacity) {
        free(b->expected.items);
        b->expected.items = malloc(count * sizeof *b->expected.items);
        assert_non_null(b->expected.items);
        b->expected.capacity = count;
    }
    b->expected.count = count;
    for (size_t i = 0; i < count; i++) {
        b->expected.items[i] = (tumble_pair){pairs[i][0], pairs[i][1]};
    }
    free(pairs);
    free_view(&view_a);
    free_view(&view_b);
}

/* Two meshes of triangles at two poses: the oracle, brute force, and variants of the tree. */
static void compare_with_oracle(bench *b, const models_mesh *a, const models_mesh *o, const tumble_pose *pose_a,
                                const tumble_pose *pose_b, const char *name)
{
    object objects[2] = {make_object(b, a, b->number), make_object(b, o, b->number / 3)};
    ask_oracle(b, a, o, pose_a, pose_b);
    test_collide(b->queries[0], objects[0].brute, pose_a, objects[1].brute, pose_b, NULL, &b->found);
    test_assert_same_pairs(&b->found, &b->expected, "%s, brute force against the oracle", name);
    compare_variants(b, &objects[0], pose_a, &objects[1], pose_b, 2 * TEST_OVERLAP_VARIANTS, name);
    free_object(&objects[0]);
    free_object(&objects[1]);
}

static void copy_mesh(models_mesh *to, const models_mesh *from)
{
    memset(to, 0, sizeof *to);
    models_append(to, from, NULL);
    assert_false(to->failed);
}

/* Meshes of about the size 2: a soup, a lattice with many common planes, or a closed box. */
static void make_small(models_mesh *mesh, test_random *random, size_t kind)
{
    const double zero[3] = {0, 0, 0};
    memset(mesh, 0, sizeof *mesh);
    switch (kind % 3) {
    case 0: test_make_soup(mesh, random, 25, 0.9); break;
    case 1:
        test_make_lattice(mesh, random, 25, 4, 3, 0.25);
        test_transform(mesh, 0.25, zero);
        break;
    default:
        test_make_grid_box(mesh, 1);
        test_transform(mesh, 1, zero);
        break;
    }
}

static void test_identical_copies(void **state)
{
    bench *b = *state;
    test_random random = {21};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh mesh;
        make_small(&mesh, &random, i);
        const tumble_pose pose = random_pose(&random, 1);
        compare_with_oracle(b, &mesh, &mesh, NULL, NULL, "identical copies");
        compare_with_oracle(b, &mesh, &mesh, &pose, &pose, "identical copies at one pose");
        models_free(&mesh);
    }
}

static void test_one_ulp_apart(void **state)
{
    bench *b = *state;
    test_random random = {22};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh mesh, moved;
        make_small(&mesh, &random, i);
        copy_mesh(&moved, &mesh);
        for (size_t k = 0; k < 3 * moved.point_count; k++) {
            moved.points[k] = test_step_ulps(moved.points[k], test_random_whole(&random, -1, 1));
        }
        compare_with_oracle(b, &mesh, &moved, NULL, NULL, "points an ulp apart");
        const double step = i % 2 ? 0x1p-52 : 0x1p-53;
        const tumble_pose pose = test_translation(i % 3 == 0 ? step : 0, i % 3 == 1 ? -step : 0, i % 3 == 2 ? step : 0);
        compare_with_oracle(b, &mesh, &mesh, NULL, &pose, "poses an ulp apart");
        compare_with_oracle(b, &mesh, &mesh, &pose, NULL, "poses an ulp apart");
        models_free(&mesh);
        models_free(&moved);
    }
}

static void test_far_away(void **state)
{
    bench *b = *state;
    test_random random = {23};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh mesh, far;
        const double shift[3] = {1e6, -1e6, 1e6 + 1.0 / 3};
        make_small(&mesh, &random, i);
        copy_mesh(&far, &mesh);
        test_transform(&far, 1, shift);
        const tumble_pose near = random_pose(&random, 0.5);
        tumble_pose a = random_pose(&random, 0.3), o = random_pose(&random, 0.3);
        for (int k = 0; k < 3; k++) {
            a.m[k][3] += shift[k];
            o.m[k][3] += shift[k];
        }
        compare_with_oracle(b, &far, &far, NULL, NULL, "models far away");
        compare_with_oracle(b, &mesh, &mesh, &a, &o, "poses far away");
        const tumble_pose there = test_translation(shift[0], shift[1], shift[2]);
        compare_with_oracle(b, &far, &mesh, NULL, &there, "one model, one pose far away");
        const tumble_pose back = test_translation(-shift[0], -shift[1], -shift[2]);
        const tumble_pose turned = tumble_pose_compose(&near, &back);
        compare_with_oracle(b, &mesh, &far, NULL, &turned, "a model that is fetched back");
        compare_with_oracle(b, &far, &mesh, &turned, &near, "a model that is fetched back");
        models_free(&mesh);
        models_free(&far);
    }
}

static void test_scaled(void **state)
{
    bench *b = *state;
    test_random random = {24};
    static const double scales[] = {1e-6, 1e6, 1e-150, 1e150, 1e-307, 0x1p-1065};
    for (size_t i = 0; i < test_count(40); i++) {
        const double scale = scales[i % 6], zero[3] = {0, 0, 0};
        models_mesh mesh, scaled;
        make_small(&mesh, &random, i / 2);
        copy_mesh(&scaled, &mesh);
        test_transform(&scaled, scale, zero);
        tumble_pose pose = random_pose(&random, 0.5), shifted = pose;
        for (int k = 0; k < 3; k++) {
            shifted.m[k][3] *= scale;
        }
        compare_with_oracle(b, &scaled, &scaled, NULL, &shifted, "scaled models");
        if (scale > 1e-308) { /* a matrix of denormals is no rotation any more, and the inverse must be finite */
            tumble_pose larger = pose, other = random_pose(&random, 0.5);
            scale_pose(&larger, scale);
            scale_pose(&other, scale);
            compare_with_oracle(b, &scaled, &mesh, NULL, &larger, "a scaled model and a scaling pose");
            compare_with_oracle(b, &mesh, &scaled, &other, &shifted, "a scaling pose and a scaled model");
            compare_with_oracle(b, &mesh, &mesh, &other, &larger, "scaling poses");
        }
        models_free(&mesh);
        models_free(&scaled);
    }
}

/* Quarter turns and whole shifts of lattices: faces in common planes everywhere. */
static void test_common_planes(void **state)
{
    bench *b = *state;
    test_random random = {25};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            if (test_random_chance(&random, 0.4)) {
                test_make_grid_box(&meshes[k], 2);
            } else {
                test_make_lattice(&meshes[k], &random, 25, 2, 2, 0.3);
            }
        }
        tumble_pose poses[2];
        for (int k = 0; k < 2; k++) {
            poses[k] = test_quarter_turn(test_random_bits(&random) % 24);
            for (int j = 0; j < 3; j++) {
                poses[k].m[j][3] = test_random_whole(&random, -2, 2);
            }
        }
        compare_with_oracle(b, &meshes[0], &meshes[1], i % 2 ? &poses[0] : NULL, &poses[1], "common planes");
        /* and a step away from them */
        poses[1].m[i % 3][3] = test_step_ulps(poses[1].m[i % 3][3], test_random_chance(&random, 0.5) ? 1 : -1);
        compare_with_oracle(b, &meshes[0], &meshes[1], i % 2 ? &poses[0] : NULL, &poses[1], "an ulp off common planes");
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(b->hits > 0);
}

/* Rational turns of lattices: corners that meet faces up to the rounding of the move. */
static void test_near_misses(void **state)
{
    bench *b = *state;
    test_random random = {26};
    for (size_t i = 0; i < test_count(100); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        test_make_lattice(&meshes[0], &random, 25, 3, 2, 0.3);
        test_make_lattice(&meshes[1], &random, 25, 3, 2, 0.3);
        tumble_pose pose = test_rational_turn(&random);
        double corner[3];
        /* a corner of B comes to lie on one of A, or a few ulps from it */
        tumble_pose_apply(&pose, meshes[1].points, corner);
        for (int k = 0; k < 3; k++) {
            pose.m[k][3] = test_step_ulps(meshes[0].points[k] - corner[k], test_random_whole(&random, -2, 2));
        }
        compare_with_oracle(b, &meshes[0], &meshes[1], NULL, &pose, "near misses");
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(b->hits > 0);
}

/* ---- What the poses mean ---- */

/* Only the relative pose counts, and it counts to the bit. */
static void test_relative_pose(void **state)
{
    bench *b = *state;
    test_random random = {27};
    models_mesh mesh;
    make_small(&mesh, &random, 0);
    object o = make_object(b, &mesh, 3);
    for (size_t i = 0; i < test_count(200); i++) {
        const tumble_pose pose_a = random_pose(&random, 2), pose_b = random_pose(&random, 2);
        const tumble_pose relative = tumble_pose_relative(&pose_a, &pose_b);
        test_collide(b->queries[0], o.brute, NULL, o.brute, &relative, NULL, &b->expected);
        compare_variants(b, &o, &pose_a, &o, &pose_b, 2, "two poses");
        compare_variants(b, &o, NULL, &o, &relative, 2, "one pose");
    }
    free_object(&o);
    models_free(&mesh);
}

/* A pose that takes points out of the range of doubles is refused; the query goes on living. */
static void test_infinite_moves(void **state)
{
    bench *b = *state;
    models_mesh mesh = {0};
    const double zero[3] = {0, 0, 0};
    test_make_grid_box(&mesh, 1);
    test_transform(&mesh, 1e200, zero);
    object o = make_object(b, &mesh, 0);
    tumble_pose large = tumble_pose_identity(), small = large;
    scale_pose(&large, 1e200);
    scale_pose(&small, 1e-200);
    const tumble_pose *cases[][2] = {{NULL, &large}, {&small, NULL}, {&small, &large}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            const tumble_model *model = k ? o.brute : o.trees[0];
            tumble_collide_result result;
            test_assert_status(b->contexts[0],
                               tumble_collide(b->queries[0], model, cases[i][0], model, cases[i][1], NULL, &result),
                               TUMBLE_ERROR_NOT_FINITE, "infinite");
        }
    }
    compare_with_brute(b, &o, NULL, &o, NULL, 9, "after an error");
    /* A's own pose may be as large as it likes: A is not moved */
    compare_with_brute(b, &o, &large, &o, &large, 9, "two large poses");
    free_object(&o);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_small_shapes, begin, end),
        cmocka_unit_test_setup_teardown(test_larger_shapes, begin, end),
        cmocka_unit_test_setup_teardown(test_demonstration, begin, end),
        cmocka_unit_test_setup_teardown(test_identical_copies, begin, end),
        cmocka_unit_test_setup_teardown(test_one_ulp_apart, begin, end),
        cmocka_unit_test_setup_teardown(test_far_away, begin, end),
        cmocka_unit_test_setup_teardown(test_scaled, begin, end),
        cmocka_unit_test_setup_teardown(test_common_planes, begin, end),
        cmocka_unit_test_setup_teardown(test_near_misses, begin, end),
        cmocka_unit_test_setup_teardown(test_relative_pose, begin, end),
        cmocka_unit_test_setup_teardown(test_infinite_moves, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
