/* Deformed k-DOP trees keep lookups, vertices and hulls: queries that need them find what brute force finds. */
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "scenes.h"

enum {
    LOOKUP,
    VERTICES,
    HULL,
    HULLS,
    BARE,
    LARGE, /* polygons with more than three corners */
    VARIANTS
};

static tumble_model_options options_of(int variant, tumble_tuning *tuning)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    options.tuning = tuning;
    options.deformable = 1;
    *tuning = tumble_default_tuning();
    tuning->kdop.tumble = variant == LOOKUP || variant == HULLS     ? TUMBLE_KDOP_TUMBLE_LOOKUP
                          : variant == VERTICES || variant == LARGE ? TUMBLE_KDOP_TUMBLE_VERTICES
                                                                    : TUMBLE_KDOP_TUMBLE_AUTO;
    tuning->kdop.hull = variant == HULL || variant == BARE || variant == LARGE ? 1 : variant == HULLS ? 3 : 0;
    tuning->kdop.bare_leaves = variant == BARE;
    return options;
}

static tumble_collide_options questions(int variant)
{
    tumble_collide_options options = tumble_default_collide_options();
    test_tune(options, kdop_walk.tumble,
              variant == LOOKUP || variant == HULLS     ? TUMBLE_KDOP_TUMBLE_LOOKUP
              : variant == VERTICES || variant == LARGE ? TUMBLE_KDOP_TUMBLE_VERTICES
                                                        : TUMBLE_KDOP_TUMBLE_AUTO);
    test_tune(options, kdop_walk.root,
              variant == HULL || variant == HULLS ? TUMBLE_KDOP_ROOT_HULL : TUMBLE_KDOP_ROOT_AUTO);
    return options;
}

static void make_mesh(int variant, models_mesh *mesh)
{
    if (variant == LARGE) {
        test_make_grid_box(mesh, 4);
    } else {
        assert_true(models_make_sized(mesh, "torus", 400));
    }
    models_fit(mesh, 2, 1);
}

static void compare(test_world *w, int variant, const tumble_model *deformed, const models_mesh *moved)
{
    tumble_model *brute = test_brute_model(w->context, moved);
    test_pairs found = {0}, expected = {0};
    for (size_t i = 0; i < 6; i++) {
        const tumble_pose pose = models_tumbling_pose(i, 6, 0.5);
        const tumble_collide_options options = questions(variant);
        test_collide(w->query, deformed, NULL, deformed, &pose, &options, &found);
        test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
        test_assert_same_pairs(&found, &expected, "variant %d, pose %zu", variant, i);
        assert_true(expected.count > 0);
    }
    test_free_pairs(&found);
    test_free_pairs(&expected);
    tumble_model_destroy(brute);
}

static void assert_same_block(const tumble_model *a, const tumble_model *b)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(block_a, block_b, size_a);
}

static void test_data(void **state)
{
    test_world *w = *state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        test_random random = {(uint64_t)variant};
        tumble_tuning tuning, told;
        const tumble_model_options options = options_of(variant, &tuning);
        models_mesh mesh = {0};
        make_mesh(variant, &mesh);
        models_mesh moved = test_share(&mesh);
        tumble_model *model = test_model(w->context, &mesh, &options), *deformed = NULL, *loaded;
        test_deform(w->context, model, &mesh, &deformed);
        assert_same_block(model, deformed);
        test_move(&moved, &mesh, (enum test_motion)1, &random);
        for (int again = 0; again < 2; again++) { /* also into memory that is there */
            test_deform(w->context, model, &moved, &deformed);
            compare(w, variant, deformed, &moved);
        }
        assert_int_equal(tumble_model_get_tuning(deformed, &told), TUMBLE_OK);
        assert_int_equal(told.kdop.tumble, tuning.kdop.tumble);
        assert_int_equal(told.kdop.hull, tuning.kdop.hull);
        size_t size;
        const void *block = tumble_model_block(deformed, &size);
        test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &loaded), TUMBLE_OK, "");
        tumble_model_destroy(loaded);
        tumble_model_destroy(deformed);
        tumble_model_destroy(model);
        free(moved.points);
        models_free(&mesh);
    }
}

/* The n-th allocation fails, for every n: the target is unchanged. */
static void test_no_memory(void **state)
{
    test_world *w = *state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        test_random random = {5};
        tumble_tuning tuning;
        const tumble_model_options options = options_of(variant, &tuning);
        models_mesh mesh = {0};
        make_mesh(variant, &mesh);
        models_mesh moved = test_share(&mesh);
        test_move(&moved, &mesh, (enum test_motion)1, &random);
        tumble_model *model = test_model(w->context, &mesh, &options), *deformed = NULL;
        test_deform(w->context, model, &mesh, &deformed);
        const tumble_mesh view = models_view(&moved);
        for (size_t n = 1, failures = 1; failures; n++) {
            test_allocator_fail(&w->memory, n, 0);
            const tumble_status status = tumble_model_deform(model, &view, &deformed);
            failures = test_allocator_failures(&w->memory);
            test_allocator_fail(&w->memory, 0, 0);
            assert_true(status == (failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK) || status == TUMBLE_OK);
            if (status != TUMBLE_OK) {
                assert_same_block(model, deformed);
            }
            assert_true(failures || n > 2);
        }
        compare(w, variant, deformed, &moved);
        tumble_model_destroy(deformed);
        tumble_model_destroy(model);
        free(moved.points);
        models_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_data), TEST_IN_WORLD(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
