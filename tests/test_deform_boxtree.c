/* Boxtrees refitted to moved points: boxes contain their triangles, in exact arithmetic; adversarial sets; all variants
 * of the tree and its traversal; how loose they become. */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "sets.h"
#include "tree/boxtree/boxtree.h"

/* ---- Boxes, as the tree tells them ---- */

typedef struct told_box {
    int64_t lower[3], upper[3]; /* units from the model's lower corner */
} told_box;

typedef struct told_tree {
    const tumble_model *model;
    size_t leaves, cuts; /* cuts of more than nothing */
    mpq_t unit, side, x;
} told_tree;

/* `corner` lies on the inner side of a side that is `units` away from the lower corner. */
static void assert_inside(told_tree *t, int axis, int64_t units, double corner, int is_upper)
{
    mpq_set_si(t->side, units, 1);
    mpq_mul(t->side, t->side, t->unit);
    mpq_set_d(t->x, t->model->block->lower[axis]);
    mpq_add(t->side, t->side, t->x);
    mpq_set_d(t->x, corner);
    const int order = mpq_cmp(t->x, t->side);
    assert_true(is_upper ? order <= 0 : order >= 0);
}

static void check_leaf(told_tree *t, uint32_t address, const told_box *box)
{
    double corners[3][3];
    tmb_model_corners(t->model, address, corners);
    for (int i = 0; i < 9; i++) {
        assert_inside(t, i % 3, box->lower[i % 3], corners[i / 3][i % 3], 0);
        assert_inside(t, i % 3, box->upper[i % 3], corners[i / 3][i % 3], 1);
    }
    t->leaves++;
}

static told_box cut_side(told_tree *t, told_box box, uint32_t side, float cut)
{
    assert_true(cut >= 0 && cut < 0x1p31F && floorf(cut) == cut);
    if (side & 1) {
        box.upper[side >> 1] -= (int64_t)cut;
    } else {
        box.lower[side >> 1] += (int64_t)cut;
    }
    t->cuts += cut > 0;
    return box;
}

static void check_one_plane(told_tree *t, uint32_t node, const told_box *box)
{
    const tmb_node_one *nodes = t->model->nodes;
    const uint32_t word = nodes[node].word, index = tmb_one_index(word), kind = tmb_one_kind(word);
    if (kind == TMB_NODE_LEAF) {
        check_leaf(t, index, box);
        return;
    }
    for (uint32_t child = index; child <= index + (kind == TMB_NODE_TWIN); child++) {
        const told_box own = cut_side(t, *box, tmb_one_side(nodes[child].word), nodes[child].cut);
        check_one_plane(t, child, &own);
    }
}

static void check_two_planes(told_tree *t, uint32_t reference, const told_box *box)
{
    if (reference & TMB_TWO_LEAF) {
        check_leaf(t, reference & (TMB_TWO_LEAF - 1), box);
        return;
    }
    const tmb_node_two *node = (const tmb_node_two *)t->model->nodes + reference;
    const uint32_t axis = tmb_two_axis(node), second = tmb_two_reference(node->child[1]);
    told_box lower = cut_side(t, *box, 2 * axis + 1, node->cut[0]), upper = cut_side(t, *box, 2 * axis, node->cut[1]);
    if (second == TMB_TWO_NONE) {
        lower.lower[axis] = upper.lower[axis];
    } else {
        check_two_planes(t, second, &upper);
    }
    check_two_planes(t, tmb_two_reference(node->child[0]), &lower);
}

/* Every leaf's box contains its triangle. Returns how many sides were moved. */
static size_t check_boxes(const tumble_model *model)
{
    const tmb_boxtree_root *root = &model->block->boxtree;
    told_tree t = {.model = model};
    told_box box = {{0}, {0}};
    mpq_inits(t.unit, t.side, t.x, NULL);
    mpq_set_si(t.unit, 1, 1);
    if (root->exponent < 0) {
        mpq_div_2exp(t.unit, t.unit, (mp_bitcnt_t)-root->exponent);
    } else {
        mpq_mul_2exp(t.unit, t.unit, (mp_bitcnt_t)root->exponent);
    }
    for (int k = 0; k < 3; k++) {
        box.upper[k] = root->extent[k];
    }
    if (root->layout == TUMBLE_BOXTREE_TWO_PLANES) {
        check_two_planes(&t, root->root, &box);
    } else {
        check_one_plane(&t, 0, &box);
    }
    assert_int_equal(t.leaves, model->block->triangle_count);
    mpq_clears(t.unit, t.side, t.x, NULL);
    return t.cuts;
}

/* Whatever the motion and the tree. */
static void test_boxes(void **state)
{
    test_world *w = *state;
    size_t variant = 0;
    for (int kind = 0; kind < TEST_KIND_EMPTY; kind++) {
        models_mesh still, moved;
        test_make_kind(&still, (enum test_kind)kind, 300);
        moved = test_share(&still);
        for (size_t round = 0; round < test_count(8); round++, variant += 9) {
            test_random random = {variant};
            const tumble_model_options options = test_tree_variant(variant % TEST_TREE_VARIANTS);
            tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
            for (int motion = 0; motion < TEST_MOTIONS; motion++) {
                test_move(&moved, &still, (enum test_motion)motion, &random);
                test_deform(w->context, model, &moved, &out);
                const size_t cuts = check_boxes(out);
                assert_true(cuts > still.polygon_count / 4 || motion == TEST_MOVE_TO_A_POINT ||
                            motion == TEST_MOVE_ON_A_LATTICE || still.polygon_count < 12);
                test_assert_valid(w->context, out);
            }
            tumble_model_destroy(model);
            tumble_model_destroy(out);
        }
        free(moved.points);
        models_free(&still);
    }
}

/* ---- Difficult sets ---- */

/* Boxtrees of a set, deformed: from a soup that has nothing to do with it, and then back and forth. */
static tumble_model *bring_into_shape(test_world *w, const models_mesh *set, size_t variant, test_random *random)
{
    const tumble_model_options options = test_tree_variant(variant);
    models_mesh moved = test_share(set);
    test_move(&moved, set, TEST_MOVE_ANYWHERE, random);
    tumble_model *model = test_model(w->context, variant % 3 ? &moved : set, &options), *first = NULL, *out = NULL;
    test_deform(w->context, model, &moved, &first);
    test_deform(w->context, variant % 5 ? model : first, &moved, &out);
    test_deform(w->context, variant % 5 ? model : first, set, &out);
    tumble_model_destroy(model);
    tumble_model_destroy(first);
    free(moved.points);
    return out;
}

enum {
    SHAPED = 16
};

static void check_set(test_world *w, const test_set *set, size_t first_variant, size_t *hits)
{
    test_random random = {first_variant + 2000};
    test_pairs expected = {0}, found = {0};
    models_mesh mesh = {0};
    set->make(&mesh, &random, 60);
    tumble_model *brute = test_brute_model(w->context, &mesh), *trees[SHAPED], *fresh[SHAPED];
    size_t variants[SHAPED];
    for (size_t i = 0; i < SHAPED; i++) {
        variants[i] = (first_variant + 13 * i) % TEST_TREE_VARIANTS;
        const tumble_model_options options = test_tree_variant(variants[i]);
        trees[i] = bring_into_shape(w, &mesh, variants[i], &random);
        fresh[i] = test_model(w->context, &mesh, &options);
        check_boxes(trees[i]);
        check_boxes(fresh[i]);
        test_assert_valid(w->context, trees[i]);
        test_assert_valid(w->context, fresh[i]);
    }
    const tumble_model_info info = test_info(brute);
    for (size_t p = 0; p < test_count(24); p++) {
        const tumble_pose pose = test_pose_over(&random, &info, set->turns, p);
        test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
        *hits += expected.count;
        for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++) {
            const tumble_collide_options options = test_overlap_variant(k);
            const size_t a = (p * TEST_OVERLAP_VARIANTS + k) % SHAPED, b = (5 * p + 3 * k) % SHAPED;
            test_collide(w->query, trees[a], NULL, p % 2 ? trees[b] : fresh[b], &pose, &options, &found);
            test_assert_same_pairs(&found, &expected, "%s, pose %zu, %s, A: %s, B: %s%s", set->name, p,
                                   test_overlap_name(k), test_tree_name(variants[a]), test_tree_name(variants[b]),
                                   p % 2 ? "" : " anew");
        }
    }
    for (size_t i = 0; i < SHAPED; i++) {
        tumble_model_destroy(trees[i]);
        tumble_model_destroy(fresh[i]);
    }
    tumble_model_destroy(brute);
    models_free(&mesh);
    test_free_pairs(&expected);
    test_free_pairs(&found);
}

static void test_difficult_sets(void **state)
{
    size_t hits = 0;
    for (size_t i = 0; i < TEST_SETS; i++) {
        check_set(*state, &test_sets[i], i, &hits);
    }
    assert_true(hits > test_count(5000));
}

/* Trees of every degree of balance, whose branches go to several threads. */
static void check_threads(test_world *w, tumble_context *several, const models_mesh *set, size_t variant)
{
    test_random random = {variant};
    const tumble_model_options options = test_tree_variant(variant);
    models_mesh moved = test_share(set);
    test_move(&moved, set, TEST_MOVE_ANYWHERE, &random);
    tumble_model *model = test_model(w->context, set, &options), *same = NULL, *one = NULL, *out = NULL;
    size_t size;
    const void *block = tumble_model_block(model, &size);
    assert_int_equal(tumble_model_from_block(several, block, size, 0, &same), TUMBLE_OK);
    test_deform(w->context, model, &moved, &one);
    test_deform(several, same, &moved, &out);
    test_assert_same_blocks(out, one);
    tumble_model_destroy(same);
    tumble_model_destroy(model);
    tumble_model_destroy(one);
    tumble_model_destroy(out);
    free(moved.points);
}

static void test_threads(void **state)
{
    test_world *w = *state;
    tumble_context *several = test_context(&w->memory, 4, TUMBLE_SIMD_AUTO);
    for (size_t i = 0; i < TEST_SETS; i += test_effort() < 1 ? 9 : 1) {
        test_random random = {i};
        models_mesh set = {0};
        test_sets[i].make(&set, &random, 40000);
        for (size_t k = 0; k < 2; k++) {
            check_threads(w, several, &set, i % 2 ? 8 + k : 61 - k); /* the paper's growth, and trimmed ones */
        }
        models_free(&set);
    }
    tumble_context_destroy(several);
}

/* ---- How loose they become ---- */

static uint64_t box_tests(test_world *w, const tumble_model *model)
{
    test_random random = {3};
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++) {
        tumble_pose pose = test_rational_turn(&random);
        tumble_collide_result result;
        pose.m[0][3] = 0.8;
        assert_int_equal(tumble_collide(w->query, model, NULL, model, &pose, NULL, &result), TUMBLE_OK);
        sum += result.counters.box_tests;
    }
    return sum;
}

/* Motions that leave the tree as good as it was; of two planes, where the lower child stays the lower one. */
static void test_looseness(void **state)
{
    test_world *w = *state;
    static const struct {
        enum test_motion motion;
        double most[2]; /* for one plane and for two: box tests relative to a tree that is built anew */
    } cases[] = {{TEST_MOVE_REST, {1.1, 1.1}},
                 {TEST_MOVE_MIRROR, {1.1, 4}},
                 {TEST_MOVE_AXES, {1.1, 1.1}},
                 {TEST_MOVE_JITTER, {1.5, 1.5}},
                 {TEST_MOVE_TENTHS, {1.1, 1.1}}};
    models_mesh still, moved;
    test_make_kind(&still, TEST_KIND_SPHERE, 3000);
    moved = test_share(&still);
    for (int layout = 0; layout < 2; layout++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
        test_tune(options, boxtree.layout, (tumble_boxtree_layout)layout);
        tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            test_random random = {4};
            test_move(&moved, &still, cases[i].motion, &random);
            test_deform(w->context, model, &moved, &out);
            tumble_model *fresh = test_model(w->context, &moved, &options);
            const double share = (double)box_tests(w, out) / (double)box_tests(w, fresh);
            if (share > cases[i].most[layout]) {
                fail_msg("%s, %d planes: %.2f times the box tests", test_motion_name(cases[i].motion), layout + 1,
                         share);
            }
            tumble_model_destroy(fresh);
        }
        tumble_model_destroy(model);
        tumble_model_destroy(out);
    }
    free(moved.points);
    models_free(&still);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_boxes),
        TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_threads),
        TEST_IN_WORLD(test_looseness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
