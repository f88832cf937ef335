/* Every hierarchy as a tree of boxes: each triangle is in one leaf, and in the boxes of all nodes above it. */
#include "tree/box_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "sets.h"

/* ---- The walk ---- */

typedef struct census {
    const tumble_model *model;
    tmb_box_view tree;
    uint8_t *seen; /* by address */
    size_t triangles, waiting, most_waiting;
    double size, leaf_sizes; /* half the model's longest side, and the sum of all leaves', of that */
    size_t leaves;
    const char *name;
} census;

static int is_in(const tmb_box_node *node, double corners[3][3])
{
    int in = 1;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            in &= node->lower[k] <= corners[i][k] && corners[i][k] <= node->upper[k];
        }
    }
    return in;
}

static void check_box(const census *c, const tmb_box_node *node)
{
    const tmb_block *block = c->model->block;
    for (int k = 0; k < 3; k++) {
        if (!(block->lower[k] <= node->lower[k] && node->lower[k] <= node->upper[k] &&
              node->upper[k] <= block->upper[k])) {
            fail_msg("%s: a box from %g to %g, the model's is from %g to %g", c->name, node->lower[k], node->upper[k],
                     block->lower[k], block->upper[k]);
        }
    }
}

static double size_of(const double lower[3], const double upper[3])
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, 0.5 * upper[k] - 0.5 * lower[k]);
    }
    return size;
}

static void check_leaf(census *c, const tmb_box_node *const *above, size_t depth)
{
    const tmb_box_node *leaf = above[depth];
    uint32_t address = leaf->reference;
    for (uint32_t i = 0; i < leaf->triangle_count; i++, address = tmb_box_next_triangle(c->model, address)) {
        double corners[3][3];
        assert_true(address / TMB_CLUSTER_TRIANGLES < c->model->block->cluster_count);
        assert_true(address % TMB_CLUSTER_TRIANGLES <
                    tmb_cluster_triangle_count(c->model->places + address / TMB_CLUSTER_TRIANGLES));
        assert_int_equal(c->seen[address]++, 0);
        tmb_model_corners(c->model, address, corners);
        for (size_t j = 0; j <= depth; j++) {
            if (!is_in(above[j], corners)) {
                fail_msg("%s: a triangle at (%.17g %.17g %.17g) is not in a box %zu levels above its leaf", c->name,
                         corners[0][0], corners[0][1], corners[0][2], depth - j);
            }
        }
        c->triangles++;
    }
    c->leaves++;
    c->leaf_sizes += c->size > 0 ? size_of(leaf->lower, leaf->upper) / c->size : 0;
}

enum {
    DEPTH_MOST = 260
};

static void check_node(census *c, const tmb_box_node **above, size_t depth)
{
    assert_true(depth < DEPTH_MOST);
    check_box(c, above[depth]);
    if (above[depth]->triangle_count) {
        check_leaf(c, above, depth);
        return;
    }
    tmb_box_node children[TMB_BOX_CHILDREN];
    const uint32_t count = tmb_box_view_children(&c->tree, above[depth], children);
    assert_in_range(count, 1, TMB_BOX_CHILDREN);
    c->waiting += count;
    c->most_waiting = c->waiting > c->most_waiting ? c->waiting : c->most_waiting;
    for (uint32_t i = 0; i < count; i++) {
        c->waiting--;
        above[depth + 1] = &children[i];
        check_node(c, above, depth + 1);
    }
}

/* Returns how large leaves are on average, of the model. */
static double check_model(const tumble_model *model, const char *name)
{
    census c = {.model = model, .tree = tmb_box_view_of(model), .name = name};
    tmb_box_node root;
    const tmb_box_node *above[DEPTH_MOST] = {&root};
    const tmb_block *block = model->block;
    if (!tmb_box_view_root(&c.tree, &root)) {
        assert_int_equal(block->triangle_count, 0);
        return 0;
    }
    c.size = size_of(block->lower, block->upper);
    c.seen = calloc((size_t)block->cluster_count, TMB_CLUSTER_TRIANGLES);
    check_node(&c, above, 0);
    free(c.seen);
    assert_int_equal(c.triangles, block->triangle_count);
    assert_true(c.most_waiting <= TMB_BOX_WAITING);
    return c.leaf_sizes / (double)c.leaves;
}

/* ---- Models ---- */

enum {
    VARIANTS = TEST_TREE_RTREE + TEST_RTREE_VARIANTS + 1 /* the last: none */
};

static tumble_model_options variant_options(size_t variant)
{
    tumble_model_options options = tumble_default_model_options();
    if (variant < VARIANTS - 1) {
        return test_tree_variant(variant);
    }
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    return options;
}

static const char *variant_name(size_t variant)
{
    return variant < VARIANTS - 1 ? test_tree_name(variant) : "brute";
}

static void check_mesh(test_world *w, const models_mesh *mesh, size_t variant, const char *name, double most)
{
    char what[160];
    const tumble_model_options options = variant_options(variant);
    tumble_model *model = test_model(w->context, mesh, &options);
    (void)snprintf(what, sizeof what, "%s, %s", name, variant_name(variant));
    const double share = check_model(model, what);
    if (share > most) {
        fail_msg("%s: leaves have %g of the model's size", what, share);
    }
    tumble_model_destroy(model);
}

/* Loose boxes would be right as well, but of no use. */
static void test_shapes(void **state)
{
    static const char *const shapes[] = {"torus", "gear", "knot"};
    for (size_t i = 0; i < 3; i++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[i], 1000));
        for (size_t variant = 0; variant < VARIANTS; variant++) {
            check_mesh(*state, &mesh, variant, shapes[i], 0.45);
        }
        models_free(&mesh);
    }
}

static void test_hard_sets(void **state)
{
    test_random random = {1};
    const size_t step = test_effort() < 1 ? 7 : 3;
    for (size_t i = 0; i < TEST_SETS; i++) {
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &random, 400);
        for (size_t variant = i % step; variant < VARIANTS; variant += step) {
            check_mesh(*state, &mesh, variant, test_sets[i].name, 1);
        }
        check_mesh(*state, &mesh, TEST_TREE_WIDE, test_sets[i].name, 1);
        models_free(&mesh);
    }
}

static void test_small_models(void **state)
{
    for (size_t count = 0; count < 20; count += count < 4 ? 1 : 3) {
        models_mesh mesh = {0};
        test_random random = {count};
        if (count > 0) {
            test_make_soup(&mesh, &random, count, 0.1);
        }
        for (size_t variant = 0; variant < VARIANTS; variant++) {
            check_mesh(*state, &mesh, variant, "few", 1);
        }
        models_free(&mesh);
    }
}

static void test_deformed(void **state)
{
    test_world *w = *state;
    models_mesh still = {0};
    test_random random = {2};
    test_make_kind(&still, TEST_KIND_SPHERE, 500);
    models_mesh moved = test_share(&still);
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        const tumble_model_options options = test_mover_options(&test_movers[i]);
        tumble_model *model = test_model(w->context, &still, &options), *deformed = NULL;
        for (int motion = 0; motion < TEST_MOTIONS; motion++) {
            char what[160];
            (void)snprintf(what, sizeof what, "%s, %s", test_movers[i].name,
                           test_motion_name((enum test_motion)motion));
            test_move(&moved, &still, (enum test_motion)motion, &random);
            test_deform(w->context, model, &moved, &deformed);
            (void)check_model(deformed, what);
        }
        tumble_model_destroy(model);
        tumble_model_destroy(deformed);
    }
    free(moved.points);
    models_free(&still);
}

/* Polygons come and go, also some far outside, and whole surfaces. */
static void test_edited(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, 300, 0.3);
    const tumble_model_options options = test_tree_variant(TEST_TREE_RTREE);
    tumble_model *model = test_model(w->context, &mesh, &options);
    for (size_t round = 0; round < test_count(20); round++) {
        const double shift[3] = {0, round % 4 == 1 ? ldexp(1, (int)round) : 0, 0};
        uint32_t first, gone[20];
        models_mesh more = {.surface = (uint32_t)round % 5};
        test_make_soup(&more, &random, 60, 0.3);
        test_transform(&more, 1, shift);
        const tumble_mesh view = models_view(&more);
        test_assert_status(w->context, tumble_model_insert(model, &view, &first), TUMBLE_OK, "");
        (void)check_model(model, "inserted");
        for (uint32_t i = 0; i < 20; i++) {
            gone[i] = first + 3 * i;
        }
        test_assert_status(w->context, tumble_model_remove(model, gone, 20), TUMBLE_OK, "");
        (void)check_model(model, "removed");
        if (round % 7 == 6) {
            test_assert_status(w->context, tumble_model_remove_surface(model, (uint32_t)round % 5), TUMBLE_OK, "");
            (void)check_model(model, "without a surface");
        }
        models_free(&more);
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_shapes), TEST_IN_WORLD(test_hard_sets),
                                       TEST_IN_WORLD(test_small_models), TEST_IN_WORLD(test_deformed),
                                       TEST_IN_WORLD(test_edited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
