/* Models whose points have moved: the answers of newly built models, whatever the motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "tree/block.h"

/* ---- Comparison ---- */

/* All that does not depend on the hierarchy. */
static void assert_same_facts(const tumble_model *a, const tumble_model *b)
{
    const tumble_model_info x = test_info(a), y = test_info(b);
    test_assert_same_facts(&x, &y);
    assert_int_equal(x.point_count, y.point_count);
    for (uint32_t i = 0; i < x.polygon_count; i++) {
        uint32_t surfaces[2];
        assert_int_equal(tumble_model_surface(a, i, &surfaces[0]), TUMBLE_OK);
        assert_int_equal(tumble_model_surface(b, i, &surfaces[1]), TUMBLE_OK);
        assert_int_equal(surfaces[0], surfaces[1]);
    }
}

/* As A and as B, at three poses. `size` is that of the model, by which the other one is moved. */
static void assert_same_answers(test_world *w, const tumble_model *found, const tumble_model *expected, double size,
                                const char *name)
{
    test_random random = {5};
    test_pairs pairs[2] = {{0}, {0}};
    for (int i = 0; i < 3; i++) {
        tumble_pose pose = i ? test_rational_turn(&random) : tumble_pose_identity();
        pose.m[0][3] = i * 0.3 * size;
        test_collide(w->query, expected, NULL, expected, &pose, NULL, &pairs[0]);
        test_collide(w->query, found, NULL, found, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, both, pose %d", name, i);
        test_collide(w->query, found, NULL, expected, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, as A, pose %d", name, i);
        test_collide(w->query, expected, NULL, found, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, as B, pose %d", name, i);
    }
    test_free_pairs(&pairs[0]);
    test_free_pairs(&pairs[1]);
}

/* ---- Results ---- */

/* What a model becomes that does not move: itself, or, where planes are chosen anew, another whose tree is the same. */
static tumble_model *at_rest(test_world *w, const test_mover *mover, const tumble_model *model, const models_mesh *mesh)
{
    tumble_model *rest = NULL;
    test_deform(w->context, model, mesh, &rest);
    if (mover->keeps) {
        test_assert_same_blocks(rest, model);
    }
    const tumble_model_info x = test_info(rest), y = test_info(model);
    assert_int_equal(x.node_count, y.node_count);
    assert_int_equal(x.depth, y.depth);
    assert_int_equal(x.hierarchy_bytes, y.hierarchy_bytes);
    assert_int_equal(tumble_model_hierarchy(rest), mover->hierarchy);
    return rest;
}

/* However often. */
static void check_rest(test_world *w, const test_mover *mover, enum test_kind kind)
{
    models_mesh mesh;
    test_make_kind(&mesh, kind, 600);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &mesh, &options), *rest = at_rest(w, mover, model, &mesh), *out = NULL;
    test_deform(w->context, model, &mesh, &out);
    test_assert_same_blocks(out, rest);
    test_deform(w->context, rest, &mesh, &out);
    test_assert_same_blocks(out, rest);
    test_assert_valid(w->context, rest);
    tumble_model_destroy(model);
    tumble_model_destroy(rest);
    tumble_model_destroy(out);
    models_free(&mesh);
}

static void test_rest(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        for (int kind = 0; kind < TEST_KINDS; kind++) {
            check_rest(*state, &test_movers[i], (enum test_kind)kind);
        }
    }
}

/* Points as floats with gaps, and points that no polygon uses. */
static void check_forms_of_points(test_world *w, const test_mover *mover)
{
    models_mesh mesh;
    test_make_kind(&mesh, TEST_KIND_SPHERE, 600);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &mesh, &options), *rest = at_rest(w, mover, model, &mesh), *out = NULL;
    float *floats = malloc(mesh.point_count * sizeof(float[5]));
    uint32_t *sizes = malloc(mesh.polygon_count * sizeof *sizes);
    assert_true(floats && sizes);
    for (size_t i = 0; i < mesh.point_count; i++) {
        for (size_t k = 0; k < 5; k++) {
            floats[5 * i + k] = k < 3 ? (float)mesh.points[3 * i + k] : NAN;
        }
    }
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        sizes[i] = 3;
    }
    tumble_mesh view = models_view(&mesh);
    view.points = NULL, view.points_float = floats, view.point_stride = 5 * sizeof *floats;
    view.polygon_sizes = sizes, view.polygon_count = mesh.polygon_count;
    test_assert_status(w->context, tumble_model_deform(model, &view, &out), TUMBLE_OK, "");
    test_assert_same_blocks(out, rest);
    models_point(&mesh, 1e9, 0.1, 7); /* that no polygon uses */
    test_deform(w->context, model, &mesh, &out);
    test_assert_same_blocks(out, rest);
    free(floats);
    free(sizes);
    models_free(&mesh);
    tumble_model_destroy(model);
    tumble_model_destroy(rest);
    tumble_model_destroy(out);
}

static void test_forms_of_points(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_forms_of_points(*state, &test_movers[i]);
    }
}

/* Frame after frame into the same memory: each must give what brute force on a new model gives. */
static void check_motions(test_world *w, const test_mover *mover, enum test_kind kind, size_t triangles)
{
    test_random random = {kind + 100};
    models_mesh still, moved;
    test_make_kind(&still, kind, triangles);
    moved = test_share(&still);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    for (size_t frame = 0; frame < TEST_MOTIONS + 6; frame++) {
        const enum test_motion motion =
            (enum test_motion)(frame < TEST_MOTIONS ? frame : (size_t)test_random_whole(&random, 0, TEST_MOTIONS - 1));
        char name[96];
        snprintf(name, sizeof name, "%s, kind %d, %s", mover->name, (int)kind, test_motion_name(motion));
        test_move(&moved, &still, motion, &random);
        test_deform(w->context, model, &moved, &out);
        tumble_model *fresh = test_brute_model(w->context, &moved);
        assert_same_facts(out, fresh);
        test_assert_valid(w->context, out);
        assert_same_answers(w, out, fresh, test_size_of(fresh), name);
        tumble_model_destroy(fresh);
    }
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

static void test_motions(void **state)
{
    const size_t triangles = test_effort() < 1 ? 60 : 150;
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        const int brute = test_movers[i].hierarchy == TUMBLE_HIERARCHY_BRUTE;
        for (int kind = 0; kind < TEST_KINDS; kind++) {
            check_motions(*state, &test_movers[i], (enum test_kind)kind, brute ? 40 : triangles);
        }
    }
}

/* Four levels of nodes; against the other hierarchies, built anew. */
static void check_deep_trees(test_world *w, const test_mover *mover)
{
    static const enum test_motion motions[] = {TEST_MOVE_JITTER, TEST_MOVE_TO_A_PLANE, TEST_MOVE_FAR_AWAY,
                                               TEST_MOVE_ON_A_LATTICE, TEST_MOVE_REST};
    test_random random = {8};
    models_mesh still, moved;
    test_make_kind(&still, TEST_KIND_SPHERE, 6000);
    moved = test_share(&still);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    assert_true(test_info(model).depth >= 4);
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        test_move(&moved, &still, motions[i], &random);
        test_deform(w->context, model, &moved, &out);
        assert_int_equal(test_info(out).depth, test_info(model).depth);
        for (size_t k = 0; k < TEST_MOVERS - 1; k++) {
            const tumble_model_options other = test_mover_options(&test_movers[k]);
            tumble_model *fresh = test_model(w->context, &moved, &other);
            test_pairs pairs[2] = {{0}, {0}};
            tumble_pose pose = test_rational_turn(&random);
            pose.m[1][3] = 0.2 * test_size_of(fresh);
            test_collide(w->query, fresh, NULL, fresh, &pose, NULL, &pairs[0]);
            test_collide(w->query, out, NULL, out, &pose, NULL, &pairs[1]);
            test_assert_same_pairs(&pairs[1], &pairs[0], "%s, %s, and %s anew", mover->name,
                                   test_motion_name(motions[i]), test_movers[k].name);
            test_free_pairs(&pairs[0]);
            test_free_pairs(&pairs[1]);
            tumble_model_destroy(fresh);
        }
    }
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

static void test_deep_trees(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS - 1; i++) { /* all but brute force */
        check_deep_trees(*state, &test_movers[i]);
    }
}

/* From a deformed model, which outlives the one that it came from, and through a file's bytes. */
static void check_generations(test_world *w, const test_mover *mover)
{
    test_random random = {9};
    models_mesh still, moved;
    test_make_kind(&still, TEST_KIND_UNUSED, 400);
    moved = test_share(&still);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &still, &options), *direct = NULL, *child = NULL, *grandchild = NULL;
    tumble_model *loaded = NULL, *late = NULL;
    test_move(&moved, &still, TEST_MOVE_JITTER, &random);
    test_deform(w->context, model, &moved, &child);
    test_move(&moved, &still, TEST_MOVE_ANYWHERE, &random);
    test_deform(w->context, model, &moved, &direct);
    tumble_model_destroy(model);
    test_deform(w->context, child, &moved, &grandchild);
    test_assert_same_blocks(grandchild, direct);
    size_t size;
    const void *block = tumble_model_block(child, &size);
    test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &loaded), TUMBLE_OK, "");
    tumble_model_destroy(child);
    test_deform(w->context, loaded, &moved, &late);
    test_assert_same_blocks(late, direct);
    test_deform(w->context, loaded, &still, &grandchild); /* memory that came from another */
    test_deform(w->context, loaded, &moved, &grandchild);
    test_assert_same_blocks(grandchild, direct);
    tumble_model_destroy(loaded);
    tumble_model_destroy(late);
    tumble_model_destroy(direct);
    tumble_model_destroy(grandchild);
    free(moved.points);
    models_free(&still);
}

static void test_generations(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_generations(*state, &test_movers[i]);
    }
}

/* ---- Polygons ---- */

static uint32_t find_point(const models_mesh *mesh, const double p[3])
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (memcmp(mesh->points + 3 * i, p, 3 * sizeof *p) == 0) {
            return (uint32_t)i;
        }
    }
    fail_msg("a corner is no point of the mesh");
    return 0;
}

/* The triangles of a model of polygons, each as a surface that is numbered like its polygon. */
static models_mesh triangles_of(const models_mesh *mesh, const tumble_model *model)
{
    models_mesh triangles = test_share(mesh);
    triangles.indices = triangles.polygon_sizes = triangles.surface_ids = NULL;
    triangles.index_count = triangles.index_capacity = triangles.polygon_count = triangles.polygon_capacity = 0;
    for (uint32_t i = 0; i < test_info(model).triangle_count; i++) {
        double corners[3][3];
        assert_int_equal(tumble_model_triangle(model, i, corners, &triangles.surface), TUMBLE_OK);
        models_triangle(&triangles, find_point(mesh, corners[0]), find_point(mesh, corners[1]),
                        find_point(mesh, corners[2]));
    }
    assert_false(triangles.failed);
    return triangles;
}

static int compare_pairs(const void *x, const void *y)
{
    const tumble_pair *a = x, *b = y;
    if (a->polygon_a != b->polygon_a) {
        return a->polygon_a < b->polygon_a ? -1 : 1;
    }
    return (a->polygon_b > b->polygon_b) - (a->polygon_b < b->polygon_b);
}

/* Pairs of triangles become pairs of polygons. */
static void name_polygons(test_pairs *pairs, const models_mesh *triangles)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        pairs->items[i].polygon_a = triangles->surface_ids[pairs->items[i].polygon_a];
        pairs->items[i].polygon_b = triangles->surface_ids[pairs->items[i].polygon_b];
    }
    if (pairs->count) {
        qsort(pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    }
    for (size_t i = 0; i < pairs->count; i++) {
        if (kept == 0 || compare_pairs(&pairs->items[kept - 1], &pairs->items[i]) != 0) {
            pairs->items[kept++] = pairs->items[i];
        }
    }
    pairs->count = kept;
}

static void check_polygons(test_world *w, const char *shape, const test_mover *mover)
{
    test_random random = {12};
    models_mesh still, moved;
    assert_true(models_make_sized(&still, shape, 300));
    models_fit(&still, 2, 1);
    moved = test_share(&still);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    models_mesh triangles = triangles_of(&still, model);
    for (int motion = 0; motion < TEST_MOTIONS; motion++) {
        test_pairs pairs[2] = {{0}, {0}};
        tumble_pose pose = test_rational_turn(&random);
        test_move(&moved, &still, (enum test_motion)motion, &random);
        memcpy(triangles.points, moved.points, 3 * moved.point_count * sizeof *moved.points);
        tumble_model *fresh = test_brute_model(w->context, &triangles);
        test_deform(w->context, model, &moved, &out);
        test_assert_valid(w->context, out);
        pose.m[2][3] = 0.1 * test_size_of(fresh);
        test_collide(w->query, fresh, NULL, fresh, &pose, NULL, &pairs[0]);
        name_polygons(&pairs[0], &triangles);
        test_collide(w->query, out, NULL, out, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, %s, %s", shape, mover->name,
                               test_motion_name((enum test_motion)motion));
        test_free_pairs(&pairs[0]);
        test_free_pairs(&pairs[1]);
        tumble_model_destroy(fresh);
        if (motion == TEST_MOVE_REST && mover->keeps) {
            test_assert_same_blocks(out, model);
        }
    }
    models_free(&triangles);
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

static void test_polygons(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_polygons(*state, "shards", &test_movers[i]);
        check_polygons(*state, "prism", &test_movers[i]);
    }
}

/* Four bytes a corner and no more, and nothing where triangles alone tell. */
static void test_deformable_option(void **state)
{
    test_world *w = *state;
    for (int polygons = 0; polygons < 2; polygons++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, polygons ? "shards" : "sphere", 3000));
        tumble_model_options options = test_mover_options(&test_movers[0]);
        tumble_model *with = test_model(w->context, &mesh, &options);
        options.deformable = 0;
        tumble_model *without = test_model(w->context, &mesh, &options);
        size_t sizes[2];
        const tmb_block *block = tumble_model_block(with, &sizes[0]);
        tumble_model_block(without, &sizes[1]);
        if (polygons) {
            const size_t bytes = 4 * (size_t)tmb_block_corner_count(block);
            assert_true(sizes[0] - sizes[1] >= bytes && sizes[0] - sizes[1] < bytes + 64);
        } else {
            test_assert_same_blocks(with, without);
        }
        tumble_model_destroy(with);
        tumble_model_destroy(without);
        models_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_rest),
        TEST_IN_WORLD(test_forms_of_points),
        TEST_IN_WORLD(test_motions),
        TEST_IN_WORLD(test_deep_trees),
        TEST_IN_WORLD(test_generations),
        TEST_IN_WORLD(test_polygons),
        TEST_IN_WORLD(test_deformable_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
